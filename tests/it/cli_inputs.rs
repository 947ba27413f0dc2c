//! Inputs of every odd kind, and how their refusal is told.

use eyes_tests::fixture;

use crate::eyes;

#[test]
fn standard_input_is_an_image_too() {
    let bytes = std::fs::read(fixture("error-dialog.png")).expect("the fixture");
    let ran = eyes().run_with(["read", "-"], &bytes).exits(0);
    assert!(ran.stdout.starts_with("standard input "), "{}", ran.stdout);
    assert!(ran.stdout.contains("Disk almost full"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn bad_inputs_have_codes_and_hints() {
    let eyes = eyes();
    std::fs::create_dir(eyes.path("folder")).expect("a folder");
    eyes.write("empty.png", b"");
    eyes.write("text.png", b"hello");
    eyes.write(
        "cut.png",
        &std::fs::read(fixture("form.png")).expect("the fixture")[..900],
    );
    eyes.write("small.toml", b"[images]\nmaxBytes = 10\n");
    for (args, exit, start) in [
        (
            &["read", "none.png"][..],
            2,
            "error[INPUT_MISSING]: none.png cannot be read: ",
        ),
        (
            &["read", "folder"],
            2,
            "error[INPUT_INVALID]: folder is a directory\n",
        ),
        (
            &["read", "empty.png"],
            2,
            "error[INPUT_INVALID]: empty.png is empty\n",
        ),
        (
            &["read", "-"],
            2,
            "error[INPUT_INVALID]: standard input is empty\n",
        ),
        (&["read", "text.png"], 5, "error[UNSUPPORTED_IMAGE_TYPE]: "),
        (&["read", "cut.png"], 5, "error[IMAGE_INVALID]: "),
        (
            &["read", "empty.png", "none.png"],
            2,
            "error[INPUT_INVALID]: empty.png is empty\n",
        ),
        (
            &["read", "text.png", "cut.png", "--config", "small.toml"],
            5,
            "error[UNSUPPORTED_IMAGE_TYPE]: text.png: ",
        ),
        (
            &["read", "cut.png", "--config", "small.toml"],
            5,
            "error[IMAGE_TOO_LARGE]: ",
        ),
        (
            &["evidence", "parse", "none", "--size", "9x9"],
            2,
            "error[INPUT_MISSING]: ",
        ),
        (
            &["evidence", "verify", "folder"],
            2,
            "error[INPUT_INVALID]: ",
        ),
    ] {
        let ran = eyes.run(args).exits(exit);
        assert!(
            ran.stderr.starts_with(start),
            "{args:?} says {}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("\nhint: "),
            "{args:?} says {}",
            ran.stderr
        );
        assert_eq!(ran.stdout, "", "{args:?}");
    }
}

#[test]
fn a_quoted_pattern_names_its_files_in_order() {
    let eyes = eyes();
    std::fs::create_dir(eyes.path("shots")).expect("a folder");
    for name in ["b.png", "a.png"] {
        let bytes = std::fs::read(fixture("error-dialog.png")).expect("the fixture");
        eyes.write(std::path::Path::new("shots").join(name), bytes);
    }
    let ran = eyes.run(["read", "shots/*.png"]).exits(0);
    let heads: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.contains("784x440 PNG"))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(heads, ["shots/a.png", "shots/b.png"]);
    let ran = eyes.run(["read", "shots/*.gif"]).exits(2);
    assert!(
        ran.stderr
            .starts_with("error[INPUT_MISSING]: no file matches shots/*.gif\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_name_may_begin_with_a_dash() {
    let eyes = eyes();
    let bytes = std::fs::read(fixture("error-dialog.png")).expect("the fixture");
    eyes.write("-x.png", bytes);
    drop(eyes.run(["read", "--no-store", "--", "-x.png"]).exits(0));
    drop(eyes.run(["read", "--no-store", "./-x.png"]).exits(0));
    let ran = eyes.run(["read", "-x.png"]).exits(2);
    assert!(
        ran.stderr.starts_with("error[COMMAND_LINE_INVALID]: "),
        "{}",
        ran.stderr
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt as _;

    let eyes = eyes();
    let name = std::ffi::OsStr::from_bytes(b"bild-\xff\x1b[31m.png");
    let bytes = std::fs::read(fixture("error-dialog.png")).expect("the fixture");
    eyes.write(name, bytes);
    let ran = eyes.run(["read".as_ref(), name]).exits(0);
    assert!(
        ran.stdout.starts_with("bild-\u{fffd}\\u{1b}[31m.png "),
        "{}",
        ran.stdout
    );
}

#[test]
fn inputs_that_do_not_fit_together_are_refused_before_work() {
    let eyes = eyes();
    for (args, message) in [
        (
            &["read", "-", "-"][..],
            "standard input is named more than once",
        ),
        (
            &["read", "a", "b", "--overlay", "o.png"],
            "--overlay takes one image",
        ),
        (
            &["read", "x/a", "y/a", "--out-dir", "o"],
            "two inputs have the same file name",
        ),
        (&["read", "a", "--jobs", "17"], "1 to 16"),
        (
            &["ask", "a", "Who?", "--region", "0,0"],
            "a region is x,y,width,height",
        ),
        (
            &["read", "a", "--overlay", "o", "--out-dir", "d"],
            "cannot be used with",
        ),
    ] {
        let ran = eyes.run(args).exits(2);
        assert!(
            ran.stderr.starts_with("error[COMMAND_LINE_INVALID]: ") && ran.stderr.contains(message),
            "{args:?} says {}",
            ran.stderr
        );
    }
    let ran = eyes.run(["ask", "a", " "]).exits(2);
    assert!(
        ran.stderr.starts_with("error[INVALID_VISION_REQUEST]: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_region_outside_the_image_is_refused() {
    let path = fixture("error-dialog.png");
    let ran = eyes().run([
        "ask".as_ref(),
        path.as_os_str(),
        "What?".as_ref(),
        "--region".as_ref(),
        "700,0,100,10".as_ref(),
    ]);
    let ran = ran.exits(2);
    assert!(
        ran.stderr.starts_with(
            "error[INVALID_VISION_REQUEST]: the region is not inside the 784x440 image\n"
        ),
        "{}",
        ran.stderr
    );
}
