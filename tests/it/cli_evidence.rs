//! `eyes evidence`: records and raw model text, offline.

use eyes_tests::{Eyes, fixture};

use crate::eyes;

const ANSWER: &str = r#"Sure! {"summary": "A form.", "ocr": [
 {"text": "Name", "bbox": [1200, 540, 384, 216], "confidence": "97%"}], "regions": []}"#;

#[test]
fn a_models_text_becomes_evidence_with_its_audit() {
    let args = ["evidence", "parse", "-", "--size", "1920x1080"];
    let ran = eyes().run_with(args, ANSWER.as_bytes()).exits(0);
    for expected in [
        "Summary\n  A form.\n",
        "50.0%      62.5%  Name\n",
        "\nAudit\n",
    ] {
        assert!(
            ran.stdout.contains(expected),
            "{expected:?} is missing:\n{}",
            ran.stdout
        );
    }
    let json = [
        "evidence",
        "parse",
        "-",
        "--size=1920x1080",
        "--format=json",
    ];
    let values = eyes().run_with(json, ANSWER.as_bytes()).exits(0).json();
    assert_eq!(values[0]["evidence"]["ocr"][0]["confidence"], 0.97);
    assert!(values[0]["audit"].is_object());
}

#[test]
fn a_text_without_evidence_is_rejected_with_its_code() {
    for (args, text, code) in [
        (
            &["--kind", "base"][..],
            "I see nothing",
            "INVALID_MODEL_OUTPUT",
        ),
        (&["--kind", "target"], ANSWER, "INVALID_VISION_EVIDENCE"),
    ] {
        let mut all = vec![
            "evidence", "parse", "-", "--size", "9x9", "--format", "json",
        ];
        all.extend(args);
        let ran = eyes().run_with(&all, text.as_bytes()).exits(5);
        assert_eq!(ran.json_error()["error"]["code"], code);
        assert_eq!(ran.stdout, "");
    }
}

#[test]
fn parsing_needs_a_size_and_a_route_that_is_one() {
    for args in [
        &["evidence", "parse", "-"][..],
        &["evidence", "parse", "-", "--size", "0x5"],
        &["evidence", "parse", "-", "--size", "wide"],
        &[
            "evidence", "parse", "-", "--size", "9x9", "--route", "model",
        ],
    ] {
        let ran = eyes().run(args).exits(2);
        assert!(
            ran.stderr.starts_with("error[COMMAND_LINE_INVALID]: "),
            "{}",
            ran.stderr
        );
    }
}

fn record(eyes: &Eyes) -> String {
    let path = fixture("error-dialog.png");
    let args = ["read".as_ref(), path.as_os_str(), "--format=json".as_ref()];
    eyes.run(args).exits(0).stdout
}

#[test]
fn a_whole_record_verifies_and_an_altered_one_does_not() {
    let eyes = eyes();
    let record = record(&eyes);
    eyes.write("good.json", &record);
    eyes.write(
        "bad.json",
        record.replace("Disk almost full", "Disk almost fine"),
    );
    eyes.write(
        "both.jsonl",
        format!("{record}{}", record.replace("Monthly", "Weekly")),
    );
    let ran = eyes.run(["evidence", "verify", "good.json"]).exits(0);
    assert!(
        ran.stdout.starts_with("ok    good.json  record "),
        "{}",
        ran.stdout
    );
    let ran = eyes
        .run(["evidence", "verify", "bad.json", "good.json"])
        .exits(1);
    assert!(
        ran.stdout
            .starts_with("FAIL  bad.json  [EVIDENCE_RECORD_MISMATCH] "),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.stdout.lines().count(), 2, "both are told");
    let args = ["evidence", "verify", "both.jsonl", "--format", "json"];
    let lines = eyes.run(args).exits(1).json();
    assert_eq!(
        (&lines[0]["ok"], &lines[1]["ok"]),
        (&true.into(), &false.into())
    );
    assert_eq!(lines[1]["error"]["code"], "EVIDENCE_RECORD_MISMATCH");
}

#[test]
fn a_record_is_about_one_image() {
    let eyes = eyes();
    eyes.write("record.json", record(&eyes));
    let verify = |image: &str| {
        let image = fixture(image);
        eyes.run([
            "evidence".as_ref(),
            "verify".as_ref(),
            "record.json".as_ref(),
            "--image".as_ref(),
            image.as_os_str(),
        ])
    };
    drop(verify("error-dialog.png").exits(0));
    let ran = verify("form.png").exits(1);
    assert!(
        ran.stdout.contains("[RECORD_IMAGE_MISMATCH]"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_whole_store_can_be_verified() {
    let eyes = eyes();
    record(&eyes);
    let ran = eyes.run(["evidence", "verify", "--store"]).exits(0);
    assert_eq!(ran.stdout, "ok    1 records of the store\n");
    let packs = eyes.path("data/evidence/packs");
    let pack = std::fs::read_dir(packs)
        .expect("packs")
        .next()
        .expect("one")
        .expect("a file");
    let altered = std::fs::read_to_string(pack.path())
        .expect("text")
        .replace("Disk almost full", "Disk almost fine");
    std::fs::write(pack.path(), altered).expect("the damage is done");
    let ran = eyes.run(["evidence", "verify", "--store"]).exits(1);
    assert!(ran.stdout.contains("FAIL  set aside as "), "{}", ran.stdout);
}
