//! `eyes read` on real screenshots with the embedded eyes.

use eyes_evidence::image::{ImageLimits, admit};
use eyes_tests::{Ran, fixture};
use serde_json::Value;

use crate::eyes;

const DIALOG: &str = "error-dialog.png";

fn texts(record: &Value) -> Vec<&str> {
    let entries = record["evidence"]["ocr"].as_array().expect("ocr");
    entries
        .iter()
        .filter_map(|entry| entry["text"].as_str())
        .collect()
}

#[test]
fn prints_what_the_screenshot_says_and_where() {
    let ran = eyes().run([fixture(DIALOG)].iter().fold(
        vec!["read".into()],
        |mut args: Vec<std::ffi::OsString>, path| {
            args.push(path.into());
            args
        },
    ));
    let ran = ran.exits(0);
    for expected in [
        "784x440 PNG",
        "local/eyes-tiny",
        "Summary",
        "Disk almost full",
        "Monthly report",
    ] {
        assert!(
            ran.stdout.contains(expected),
            "{expected} is missing:\n{}",
            ran.stdout
        );
    }
    let (_, text) = ran
        .stdout
        .split_once("\nText (")
        .expect("a part with the text");
    assert!(
        text.find("Monthly report") < text.find("Disk almost full"),
        "reading order"
    );
    assert_eq!(ran.stderr, "");
    assert!(!ran.stdout.contains('\u{1b}'), "no colour off a terminal");
}

#[test]
fn json_is_the_sealed_record_on_one_line() {
    let eyes = eyes();
    let ran = eyes.run([
        "read".as_ref(),
        fixture(DIALOG).as_os_str(),
        "--format=json".as_ref(),
    ]);
    let records = ran.exits(0).json();
    let [record] = &records[..] else {
        panic!("one line");
    };
    assert_eq!(record["kind"], "base");
    assert_eq!(
        record["evidence"]["schemaVersion"],
        "deepseekeyes.evidence.v1"
    );
    assert_eq!(record["source"]["width"], 784);
    assert_eq!(record["vision"]["provider"], "local");
    assert!(texts(record).contains(&"Disk almost full"));
}

fn read_again(args: &[&str]) -> (Ran, Ran) {
    let eyes = eyes();
    let path = fixture(DIALOG);
    let mut all: Vec<&str> = vec!["read", path.to_str().expect("a UTF-8 path")];
    all.extend(args);
    let first = eyes.run(&all).exits(0);
    let data = eyes.path("data").exists();
    assert_eq!(
        data,
        !args.contains(&"--no-store"),
        "the directory for data"
    );
    (first, eyes.run(&all).exits(0))
}

#[test]
fn a_second_reading_comes_from_the_store() {
    let (first, second) = read_again(&[]);
    assert!(!first.stdout.contains("stored, "));
    assert!(second.stdout.contains("stored, read by local/eyes-tiny"));
    let (first, second) = read_again(&["--format", "json"]);
    assert_eq!(first.stdout, second.stdout, "the same record, to the byte");
}

#[test]
fn another_detail_is_another_reading() {
    let eyes = eyes();
    let path = fixture("form.png");
    for (detail, stored) in [("standard", false), ("high", false), ("high", true)] {
        let ran = eyes.run([
            "read".as_ref(),
            path.as_os_str(),
            "--detail".as_ref(),
            detail.as_ref(),
        ]);
        assert_eq!(ran.exits(0).stdout.contains("stored, "), stored, "{detail}");
    }
}

#[test]
fn without_a_store_nothing_is_kept() {
    let (_, second) = read_again(&["--no-store"]);
    assert!(!second.stdout.contains("stored, "));
}

#[test]
fn answers_a_question_about_a_region() {
    let path = fixture(DIALOG);
    let ran = eyes().run([
        "ask".as_ref(),
        path.as_os_str(),
        "What does the text say?".as_ref(),
        "--region".as_ref(),
        "0%,0%,60%,15%".as_ref(),
        "--format".as_ref(),
        "json".as_ref(),
    ]);
    let records = ran.exits(0).json();
    assert_eq!(records[0]["kind"], "target");
    assert_eq!(records[0]["question"], "What does the text say?");
    assert_eq!(records[0]["region"], serde_json::json!([0, 0, 0.6, 0.15]));
    assert!(
        records[0]["evidence"]
            .to_string()
            .contains("Monthly report"),
        "{}",
        records[0]["evidence"]
    );
}

#[test]
fn the_overlay_is_a_picture_of_the_same_size() {
    let eyes = eyes();
    let ran = eyes.run([
        "read".as_ref(),
        fixture(DIALOG).as_os_str(),
        "--overlay".as_ref(),
        "out.png".as_ref(),
    ]);
    drop(ran.exits(0));
    let bytes = std::fs::read(eyes.path("out.png")).expect("the overlay");
    let overlay = admit(bytes, &ImageLimits::default()).expect("a picture");
    let size = overlay.identity().size;
    assert_eq!((size.width, size.height), (784, 440));
    let source = std::fs::read(fixture(DIALOG)).expect("the source");
    let source = admit(source, &ImageLimits::default()).expect("a picture");
    assert_ne!(overlay.raster(), source.raster(), "boxes are drawn");
}

#[test]
fn several_images_are_read_and_one_bad_one_is_told_apart() {
    let eyes = eyes();
    let bad = eyes.write("broken.png", b"not a picture");
    let ran = eyes.run([
        "read".as_ref(),
        "--format=json".as_ref(),
        fixture(DIALOG).as_os_str(),
        bad.as_os_str(),
        fixture("form.png").as_os_str(),
        "--out-dir".as_ref(),
        "out".as_ref(),
    ]);
    let ran = ran.exits(5);
    assert_eq!(ran.json().len(), 2, "the good ones are read");
    let error = ran.json_error();
    assert_eq!(error["error"]["code"], "UNSUPPORTED_IMAGE_TYPE");
    assert!(
        error["input"]
            .as_str()
            .is_some_and(|name| name.ends_with("broken.png"))
    );
    let mut names: Vec<_> = std::fs::read_dir(eyes.path("out"))
        .expect("the directory")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "error-dialog.png.evidence.json",
            "error-dialog.png.overlay.png",
            "form.png.evidence.json",
            "form.png.overlay.png",
        ]
    );
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_with_130_and_leaves_no_part() {
    use std::io::{BufRead as _, BufReader};

    let eyes = eyes();
    let mut child = eyes
        .command()
        .args(["read".as_ref(), fixture(DIALOG).as_os_str(), "-".as_ref()])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A line of the first image shows that the program runs; then it waits for the second one.
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    assert!(lines.next().is_some());
    let sent = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(sent.success());
    // Waiting would close an input that the child still holds, which is another way to end.
    let input = child.stdin.take();
    let status = child.wait().expect("the program ends");
    drop(input);
    assert_eq!(status.code(), Some(130));
}
