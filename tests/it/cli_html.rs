//! Pages for a person.

use eyes_tests::fixture;

use crate::eyes;

#[test]
fn one_page_shows_every_image_and_tells_of_those_that_were_not_read() {
    let eyes = eyes();
    eyes.write("broken.png", b"not a picture");
    let ran = eyes.run([
        "read".as_ref(),
        fixture("error-dialog.png").as_os_str(),
        "broken.png".as_ref(),
        fixture("form.png").as_os_str(),
        "--html".as_ref(),
        "out.html".as_ref(),
    ]);
    drop(ran.exits(5));
    let html = std::fs::read_to_string(eyes.path("out.html")).expect("the page");
    for expected in [
        "<title>Evidence of 2 images</title>",
        "Content-Security-Policy",
        "href=\"data:image/png;base64,",
        "Disk almost full",
        "New delivery",
        "<strong>broken.png</strong>",
        "UNSUPPORTED_IMAGE_TYPE",
        "local/eyes-tiny",
    ] {
        assert!(html.contains(expected), "{expected} is missing");
    }
    let left: Vec<_> = std::fs::read_dir(eyes.path(""))
        .expect("the home")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.contains(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_page_shows_an_answer_or_why_there_is_none() {
    let eyes = eyes();
    eyes.write("broken.png", b"not a picture");
    let ask = |image: &std::ffi::OsStr| {
        let question = "What is the title?";
        eyes.run([
            "ask".as_ref(),
            image,
            question.as_ref(),
            "--html".as_ref(),
            "answer.html".as_ref(),
        ])
    };
    let page = || std::fs::read_to_string(eyes.path("answer.html")).expect("the page");
    let ran = ask(fixture("error-dialog.png").as_os_str()).exits(0);
    assert!(ran.stdout.contains("Disk almost full"), "{}", ran.stdout);
    for expected in [
        "What is the title?",
        "Disk almost full",
        "href=\"data:image/png;base64,",
    ] {
        assert!(page().contains(expected), "{expected} is missing");
    }
    let ran = ask("broken.png".as_ref()).exits(5);
    assert!(
        ran.stderr.starts_with("error[UNSUPPORTED_IMAGE_TYPE]: "),
        "{}",
        ran.stderr
    );
    assert!(page().contains("<strong>broken.png</strong>"));
}

#[test]
fn a_page_is_not_written_over_an_image() {
    let eyes = eyes();
    for args in [
        &["read", "a.png", "--html", "a.png"][..],
        &["ask", "a.png", "What?", "--html", "a.png"],
    ] {
        let ran = eyes.run(args).exits(2);
        assert!(
            ran.stderr.contains("--html names one of the images"),
            "{}",
            ran.stderr
        );
    }
}
