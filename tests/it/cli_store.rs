//! `eyes evidence show`, `list` and `prune`: what the store holds.

use eyes_evidence::image::{ImageLimits, admit};
use eyes_tests::{Eyes, fixture};
use serde_json::Value;

use crate::eyes;

/// Reads two images; returns the digests of their records, the newest first.
fn two_records(eyes: &Eyes) -> [String; 2] {
    let digests = ["form.png", "error-dialog.png"].map(|name| {
        let path = fixture(name);
        let args = ["read".as_ref(), path.as_os_str(), "--format=json".as_ref()];
        let record = &eyes.run(args).exits(0).json()[0];
        record["recordSha256"]
            .as_str()
            .expect("a digest")
            .to_owned()
    });
    let [first, second] = digests;
    [second, first]
}

#[test]
fn lists_the_newest_first_and_shows_by_the_first_digits() {
    let eyes = eyes();
    let ran = eyes.run(["evidence", "list"]).exits(0);
    assert_eq!(ran.stdout, "", "an empty store lists nothing");
    let digests = two_records(&eyes);
    let listed: Vec<Value> = eyes
        .run(["evidence", "list", "--format", "json"])
        .exits(0)
        .json();
    let of = |value: &Value| value["digest"].as_str().map(str::to_owned);
    assert_eq!(
        listed.iter().filter_map(of).collect::<Vec<_>>(),
        digests,
        "{listed:?}"
    );
    assert_eq!(
        (
            &listed[0]["kind"],
            &listed[0]["image"]["width"],
            &listed[0]["route"]
        ),
        (&"base".into(), &784.into(), &"local/eyes-tiny".into())
    );
    let ran = eyes.run(["evidence", "list", "--limit", "1"]).exits(0);
    assert!(ran.stdout.starts_with(&digests[0][..12]), "{}", ran.stdout);
    assert_eq!(ran.stdout.lines().count(), 1);

    let ran = eyes.run(["evidence", "show", &digests[0][..8]]).exits(0);
    for expected in [
        "Disk almost full",
        "Provenance and audit",
        "normalized-xywh",
        &digests[0],
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
    let upper = digests[1].to_ascii_uppercase();
    let ran = eyes
        .run(["evidence", "show", &upper, "--format=json"])
        .exits(0);
    assert_eq!(ran.json()[0]["recordSha256"], digests[1].as_str());
    eyes.write("record.json", &ran.stdout);
    let again = eyes.run(["evidence", "show", "record.json", "--format=json"]);
    assert_eq!(again.exits(0).stdout, ran.stdout, "a file does as well");
}

#[test]
fn names_that_are_no_record_are_told_apart() {
    let eyes = eyes();
    let [digest, _] = two_records(&eyes);
    let json = ["evidence", "show", &digest, "--format=json"];
    let record = eyes.run(json).exits(0).stdout;
    eyes.write("two.jsonl", format!("{record}{record}"));
    for (name, exit, start) in [
        (
            "abc",
            2,
            "error[RECORD_NAME_INVALID]: abc has fewer than 6 digits",
        ),
        (
            "00000000",
            2,
            "error[RECORD_MISSING]: the store has no record 00000000",
        ),
        (
            "none.json",
            2,
            "error[INPUT_MISSING]: none.json cannot be read",
        ),
        (
            "two.jsonl",
            2,
            "error[RECORD_NAME_INVALID]: two.jsonl holds several records",
        ),
        (&"0".repeat(65), 2, "error[RECORD_NAME_INVALID]: "),
    ] {
        let ran = eyes.run(["evidence", "show", name]).exits(exit);
        assert!(ran.stderr.starts_with(start), "{name}: {}", ran.stderr);
    }
}

#[test]
fn shows_a_record_on_a_page_and_over_its_image_only() {
    let eyes = eyes();
    let [digest, _] = two_records(&eyes);
    let show = |image: &str| {
        let image = fixture(image);
        eyes.run([
            "evidence".as_ref(),
            "show".as_ref(),
            digest.as_ref(),
            "--image".as_ref(),
            image.as_os_str(),
            "--html=out.html".as_ref(),
            "--overlay=out.png".as_ref(),
        ])
    };
    let ran = show("form.png").exits(5);
    assert!(
        ran.stderr.starts_with("error[RECORD_IMAGE_MISMATCH]: "),
        "{}",
        ran.stderr
    );
    assert!(!eyes.path("out.html").exists());
    drop(show("error-dialog.png").exits(0));
    let html = std::fs::read_to_string(eyes.path("out.html")).expect("the page");
    assert!(html.contains("Disk almost full") && html.contains("data:image/png;base64,"));
    let overlay = std::fs::read(eyes.path("out.png")).expect("the overlay");
    drop(admit(overlay, &ImageLimits::default()).expect("a picture"));
    // Without the image the page still shows where everything is.
    let args = ["evidence", "show", &digest, "--html", "bare.html"];
    drop(eyes.run(args).exits(0));
    let html = std::fs::read_to_string(eyes.path("bare.html")).expect("the page");
    assert!(html.contains("Disk almost full") && !html.contains("data:image"));
}

#[test]
fn prunes_the_oldest_and_says_what_went() {
    let eyes = eyes();
    let digests = two_records(&eyes);
    let args = ["evidence", "prune", "--keep", "1"];
    let ran = eyes.run([&args[..], &["--dry-run"]].concat()).exits(0);
    assert!(
        ran.stdout.starts_with("would remove 1 records ("),
        "{}",
        ran.stdout
    );
    let left = || {
        eyes.run(["evidence", "list"])
            .exits(0)
            .stdout
            .lines()
            .count()
    };
    assert_eq!(left(), 2, "nothing went");
    let said = &eyes
        .run([&args[..], &["--format=json"]].concat())
        .exits(0)
        .json()[0];
    assert_eq!(
        (&said["removed"]["records"], &said["left"]["records"]),
        (&1.into(), &1.into())
    );
    assert_eq!(left(), 1);
    let ran = eyes.run(["evidence", "show", &digests[0]]).exits(0);
    assert!(ran.stdout.contains("Disk almost full"), "the newest stays");
    let ran = eyes
        .run(["evidence", "prune", "--max-bytes", "1G"])
        .exits(0);
    assert!(
        ran.stdout.starts_with("removed 0 records"),
        "{}",
        ran.stdout
    );
    for args in [
        &["evidence", "prune"][..],
        &["evidence", "prune", "--keep", "0"],
    ] {
        drop(eyes.run(args).exits(2));
    }
}
