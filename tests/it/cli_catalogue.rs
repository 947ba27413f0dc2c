//! Schemas, codes, models, self-checks, completions, the reference.

use eyes_tests::fixture;
use serde_json::Value;

use crate::eyes;

#[test]
fn every_listed_schema_prints_as_json() {
    let eyes = eyes();
    let list = eyes.run(["schema", "--format", "json"]).exits(0).json();
    let schemas = list[0]["schemas"].as_array().expect("schemas").clone();
    assert!(schemas.len() >= 3);
    for schema in schemas {
        let name = schema["name"].as_str().expect("a name");
        let ran = eyes.run(["schema", name]).exits(0);
        let value: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert!(
            value.as_object().is_some_and(|o| !o.is_empty()),
            "{name} is empty"
        );
    }
    let ran = eyes.run(["schema", "nothing"]).exits(2);
    assert!(ran.stderr.contains("visual-evidence"), "{}", ran.stderr);
}

#[test]
fn every_code_is_explained() {
    let eyes = eyes();
    let ran = eyes.run(["schema", "error-codes"]).exits(0);
    let all: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let codes = all["codes"].as_array().expect("codes");
    let mut names: Vec<&str> = codes.iter().filter_map(|c| c["code"].as_str()).collect();
    assert!(names.len() > 30);
    names.sort_unstable();
    let distinct = names.len();
    names.dedup();
    assert_eq!(names.len(), distinct, "a code is declared once");
    let ran = eyes.run(["explain", "stale", "--format", "json"]).exits(2);
    assert_eq!(ran.json_error()["error"]["code"], "ERROR_CODE_MISSING");
    let ran = eyes.run(["explain", "image_too_big"]).exits(2);
    assert!(
        ran.stderr.contains("hint: did you mean IMAGE_TOO_LARGE?"),
        "{}",
        ran.stderr
    );
    insta::assert_snapshot!(eyes.run(["explain", "input_missing"]).exits(0).stdout, @"
    INPUT_MISSING
      An input file does not exist.

      what to do   check the path
      category     invalid
      try again    after-change
      exit code    2
    ");
}

#[test]
fn the_doctor_finds_a_fresh_home_well() {
    let eyes = eyes();
    let ran = eyes.run(["doctor", "--format", "json"]).exits(0);
    let value = &ran.json()[0];
    assert_eq!(value["passed"], true);
    let mut ids: Vec<_> = value["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .map(|check| (check["id"].as_str(), check["outcome"].as_str()))
        .collect();
    let passed = Some("passed");
    // A machine without a browser skips it.
    let (browser, outcome) = ids.pop().expect("a check");
    assert_eq!(browser, Some("browser"));
    assert!([passed, Some("skipped")].contains(&outcome), "{outcome:?}");
    assert_eq!(
        ids,
        [
            (Some("settings"), passed),
            (Some("data-directory"), passed),
            (Some("store"), passed),
            (Some("local-eyes"), passed),
            (Some("pixel-probe"), passed),
        ]
    );
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let eyes = eyes();
    eyes.write("small.toml", "[local]\ntier = \"small\"\n");
    let ran = eyes.run(["doctor", "--config", "small.toml"]).exits(1);
    assert!(
        ran.stdout
            .contains("FAIL  local-eyes      [LOCAL_MODEL_MISSING] "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("hint: install the tier"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("skip  pixel-probe"), "{}", ran.stdout);
    eyes.write("bad.toml", "[local]\nteir = \"small\"\n");
    let ran = eyes.run(["doctor", "--config", "bad.toml"]).exits(1);
    assert!(
        ran.stdout
            .starts_with("FAIL  settings        [SETTINGS_INVALID] setting local.teir: "),
        "{}",
        ran.stdout
    );
}

#[test]
fn weights_that_are_missing_concern_only_what_is_read() {
    let eyes = eyes();
    eyes.write("small.toml", "[local]\ntier = \"small\"\n");
    for what in ["list", "health"] {
        drop(eyes.run(["route", what, "--config", "small.toml"]).exits(0));
    }
    let image = fixture("error-dialog.png");
    // Again and again the same: no circuit opens over what this machine lacks.
    for _ in 0..4 {
        let ran = eyes.run([
            "read".as_ref(),
            image.as_os_str(),
            "--config".as_ref(),
            "small.toml".as_ref(),
        ]);
        let ran = ran.exits(4);
        assert!(
            ran.stderr.starts_with("error[LOCAL_MODEL_MISSING]: "),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn models_are_listed_and_a_wrong_wheel_is_refused() {
    let eyes = eyes();
    let ran = eyes.run(["models", "list"]).exits(0);
    assert!(
        ran.stdout.contains("tiny ") && ran.stdout.contains("embedded"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("small") && ran.stdout.contains("not installed"),
        "{}",
        ran.stdout
    );
    eyes.write("wrong.whl", b"PK");
    let ran = eyes
        .run(["models", "install", "small", "--from", "wrong.whl"])
        .exits(5);
    assert!(
        ran.stderr.starts_with("error[LOCAL_MODEL_MISMATCH]: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn shells_get_completions() {
    for (shell, expected) in [
        ("bash", "_eyes()"),
        ("zsh", "#compdef eyes"),
        ("fish", "complete -c eyes"),
    ] {
        let ran = eyes().run(["completions", shell]).exits(0);
        assert!(ran.stdout.contains(expected), "{shell}");
    }
}

#[test]
fn the_reference_names_every_command() {
    let text = eyes().run(["help-markdown"]).exits(0).stdout;
    for heading in [
        "# The command `eyes`",
        "## `eyes read`",
        "### `eyes evidence verify`",
        "### `eyes evidence parse`",
        "## `eyes schema`",
        "## `eyes explain`",
        "## `eyes doctor`",
        "### `eyes models install`",
        "## `eyes completions`",
    ] {
        assert!(
            text.lines().any(|line| line == heading),
            "{heading} is missing"
        );
    }
    assert!(
        !text.contains("help-markdown`\n\n```"),
        "hidden commands stay hidden"
    );
}
