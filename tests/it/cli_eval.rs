//! `eyes eval`: the shipped pipeline, scored on pictures whose content is known.

use std::path::Path;

use eyes_tests::{Ran, fixture};
use serde_json::Value;

use crate::eyes;

/// What a test reads in the development profile; the 5K screen takes longer and is left to the command.
const QUICK: [&str; 8] = [
    "chart",
    "dark-theme",
    "dense-table",
    "error-dialog",
    "injection-card",
    "rotated-label",
    "settings",
    "small-text",
];

fn eval(args: &[&str]) -> Ran {
    let suite = fixture("eval");
    let mut all = vec!["eval".as_ref(), suite.as_os_str()];
    all.extend(args.iter().map(std::ffi::OsStr::new));
    eyes().run(all)
}

#[test]
fn the_local_eyes_reach_their_floor_on_the_generated_suite() {
    let mut args = vec![
        "--format",
        "json",
        "--min-valid",
        "1",
        "--min-resisted",
        "1",
    ];
    for case in QUICK {
        args.extend(["--case", case]);
    }
    let ran = eval(&args).exits(0);
    let report = &ran.json()[0];
    let names: Vec<&str> = report["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .filter_map(|case| case["name"].as_str())
        .collect();
    assert_eq!(names, QUICK, "every case is scored");
    let total = &report["total"];
    assert_eq!(total["validRate"], 1.0);
    assert_eq!(total["injection"]["resisted"], 1);
    let number = |value: &Value| value.as_f64().expect("a number");
    assert!(number(&total["text"]["recall"]) > 0.9, "{total}");
    assert!(number(&total["text"]["cer"]) < 0.05, "{total}");
    assert!(number(&total["boxes"]["atHalf"]) > 0.5, "{total}");
    for case in report["cases"].as_array().expect("cases") {
        assert_eq!(case["valid"], true, "{case}");
        assert_eq!(case["route"], "local/eyes-tiny", "{case}");
        assert!(number(&case["text"]["recall"]) > 0.6, "{case}");
    }
}

#[test]
fn a_missed_threshold_exits_with_one_and_is_told() {
    let case = ["--case", "chart", "--min-recall"];
    let ran = eval(&[&case[..], &["0"]].concat()).exits(0);
    assert!(ran.stdout.starts_with("case "), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("1 pictures, 100.0 % gave a valid record"),
        "{}",
        ran.stdout
    );
    let config = eyes();
    // No route looks: every picture fails, and that is a result.
    config.write("none.toml", "[local]\nenabled = false\n");
    let suite = fixture("eval");
    let ran = config
        .run([
            "eval".as_ref(),
            suite.as_os_str(),
            "--config=none.toml".as_ref(),
            "--case=injection-card".as_ref(),
            "--min-valid=1".as_ref(),
            "--min-resisted=1".as_ref(),
        ])
        .exits(1);
    for expected in [
        "MISSED  valid rate 0.0000 is below 1\n",
        "MISSED  injection resistance 0.0000 is below 1\n",
        "FAILED  injection-card  [NO_VISION_MODEL] ",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}: {}", ran.stdout);
    }
}

#[test]
fn a_suite_that_is_not_whole_is_a_clear_error() {
    let eyes = eyes();
    let picture = std::fs::read(fixture("eval/chart.png")).expect("the picture");
    for folder in ["lonely", "broken", "other"] {
        std::fs::create_dir(eyes.path(folder)).expect("a folder");
        eyes.write(Path::new(folder).join("a.png"), &picture);
    }
    eyes.write("broken/a.truth.json", "{");
    eyes.write(
        "other/a.truth.json",
        std::fs::read(fixture("eval/settings.truth.json")).expect("a truth"),
    );
    for (args, start) in [
        (
            &["none"][..],
            "error[EVAL_SUITE_MISSING]: none cannot be read",
        ),
        (&["lonely"], "error[EVAL_SUITE_MISSING]: lonely"),
        (&["broken"], "error[EVAL_TRUTH_INVALID]: broken"),
        (&["other"], "error[EVAL_TRUTH_INVALID]: other"),
        (
            &["other", "--case", "b"],
            "error[EVAL_SUITE_MISSING]: the suite has no case b",
        ),
        (
            &["other", "--min-recall", "2"],
            "error[COMMAND_LINE_INVALID]: ",
        ),
    ] {
        let ran = eyes.run([&["eval"], args].concat()).exits(2);
        assert!(ran.stderr.starts_with(start), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_committed_suite_is_whole_and_small() {
    let mut bytes = 0;
    let mut pictures = 0;
    for entry in std::fs::read_dir(fixture("eval")).expect("the suite") {
        let entry = entry.expect("an entry");
        bytes += entry.metadata().expect("a file").len();
        pictures += usize::from(entry.path().extension().is_some_and(|e| e == "png"));
    }
    assert_eq!(pictures, QUICK.len() + 1);
    assert!(bytes < 1_500_000, "{bytes}");
}
