//! What is printed and kept follows the published schemas, and what is altered does not.

use eyes_evidence::{
    assertion::{Assertion, Check},
    audit::{AuditEvent, AuditOutcome},
    code::Coded,
    digest::Sha256Digest,
    provenance::Timestamp,
    report::{Outcome, Report, ReportArguments, ReportEvent, ReportParts, ReportText, RunText},
    state::{GroupDelta, Items, Place, RunId, StateDelta, StateId, Surface},
};
use eyes_tests::{Eyes, fixture};
use serde_json::{Value, json};

use crate::{
    eyes,
    schema::{boxes_end_inside, vectors},
};

/// Members that may be absent.
const OPTIONAL: [&str; 14] = [
    "name",
    "orientation",
    "original",
    "canonical",
    "runnerUp",
    "unwrapped",
    "hint",
    "input",
    "before",
    "after",
    "arguments",
    "result",
    "target",
    "observed",
];
/// Members that hold any value.
const FREE: [&str; 1] = ["canonical"];
/// Objects whose members are names that someone else chose.
const OPEN: [&str; 2] = ["/groups", "/arguments"];

fn schema(name: &str) -> Value {
    let ran = eyes().run(["schema", name]).exits(0);
    serde_json::from_str(&ran.stdout).expect("a schema is JSON")
}

/// The schema of one definition.
fn definition(schema: &Value, name: &str) -> Value {
    let reference = format!("#/$defs/{name}");
    json!({ "$schema": schema["$schema"], "$ref": reference, "$defs": schema["$defs"] })
}

/// Each way to add a member, to leave one out, or to put a value of another type in its place.
fn alterations(document: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    let mut places = vec![String::new()];
    while let Some(place) = places.pop() {
        let value = document.pointer(&place).expect("a place in the document");
        let last = place.rsplit('/').next().unwrap_or_default();
        if FREE.contains(&last) {
            continue;
        }
        let mut alter = |what: &str, new: Value| {
            let mut altered = document.clone();
            *altered.pointer_mut(&place).expect("a place") = new;
            all.push((format!("{place}: {what}"), altered));
        };
        let open = OPEN.iter().any(|end| place.ends_with(end));
        match value {
            Value::Object(members) => {
                alter("a list", json!([]));
                if !open {
                    let mut more = members.clone();
                    more.insert("unknownMember".to_owned(), json!(1));
                    alter("an unknown member", more.into());
                    for name in members
                        .keys()
                        .filter(|name| !OPTIONAL.contains(&name.as_str()))
                    {
                        let mut fewer = members.clone();
                        fewer.shift_remove(name);
                        alter(&format!("no {name}"), fewer.into());
                    }
                }
                places.extend(members.keys().map(|name| format!("{place}/{name}")));
            }
            Value::Array(list) => {
                alter("an object", json!({}));
                // Entries of one list are alike.
                places.extend((0..list.len().min(2)).map(|at| format!("{place}/{at}")));
            }
            Value::String(_) => alter("a list", json!([7])),
            Value::Number(_) | Value::Bool(_) => alter("an object", json!({ "a": 1 })),
            Value::Null => {}
        }
    }
    all
}

#[track_caller]
fn check(schema: &Value, document: &Value) {
    let validator = jsonschema::draft202012::new(schema).expect("the schema is a schema");
    let verdict = validator.validate(document).map_err(|e| e.to_string());
    assert_eq!(verdict, Ok(()), "{document:#} breaks its schema");
    let altered = alterations(document);
    assert!(altered.len() >= 3, "nothing is altered in {document}");
    for (what, document) in altered {
        assert!(!validator.is_valid(&document), "{what} passes: {document}");
    }
}

fn read(eyes: &Eyes, more: &[&str]) -> Value {
    let path = fixture("error-dialog.png");
    let command = if more.is_empty() { "read" } else { "ask" };
    let mut args = vec![command, path.to_str().expect("UTF-8"), "--format=json"];
    args.extend(more);
    eyes.run(args).exits(0).json().remove(0)
}

#[test]
fn records_follow_their_schema() {
    let eyes = eyes();
    let schema = schema("evidence-record");
    let base = read(&eyes, &[]);
    check(&schema, &base);
    let target = read(
        &eyes,
        &["What does the text say?", "--region", "0%,0%,60%,15%"],
    );
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    assert!(validator.is_valid(&target));
    for (name, from) in [
        ("question", &target),
        ("region", &target),
        ("evidence", &target),
    ] {
        let mut mixed = base.clone();
        mixed[name] = from[name].clone();
        assert!(
            !validator.is_valid(&mixed),
            "a base record with the {name} of a target"
        );
    }
    let mut unasked = target.clone();
    unasked
        .as_object_mut()
        .expect("an object")
        .shift_remove("question");
    assert!(!validator.is_valid(&unasked));
    for (member, value) in [
        ("createdAt", "2026-02-30 10:00"),
        ("recordSha256", "ABC"),
        ("kind", "other"),
    ] {
        let mut wrong = base.clone();
        wrong[member] = json!(value);
        assert!(!validator.is_valid(&wrong), "{member} {value}");
    }
}

/// The derived schema and the one written by hand say the same of evidence.
#[test]
fn the_evidence_in_a_record_is_that_of_the_normative_schema() {
    let schema = definition(&schema("evidence-record"), "Evidence");
    let validator = jsonschema::draft202012::new(&schema).expect("a schema");
    for (name, document) in vectors("accept") {
        assert!(validator.is_valid(&document), "{name}");
    }
    for (name, vector) in vectors("reject") {
        let document = &vector["document"];
        assert!(
            !(validator.is_valid(document) && boxes_end_inside(document)),
            "{name}"
        );
    }
}

#[test]
fn what_commands_print_follows_the_schema() {
    let eyes = eyes();
    let schema = schema("cli-output");
    let of = |name: &str| definition(&schema, name);
    let answer = br#"{"summary": "A form.", "extra": 1, "ocr": [
        {"text": "Name", "bbox": [1200, 540, 384, 216], "confidence": "97%"}], "regions": []}"#;
    let args = [
        "evidence",
        "parse",
        "-",
        "--size=1920x1080",
        "--format=json",
    ];
    let parsed = eyes.run_with(args, answer).exits(0).json().remove(0);
    check(&of("ParseOutput"), &parsed);
    let audit = parsed["audit"].clone();
    check(&self::schema("parse-audit"), &audit);

    let record = read(&eyes, &[]).to_string();
    eyes.write("good.json", &record);
    eyes.write("bad.json", record.replace("Disk", "Disc"));
    let args = [
        "evidence",
        "verify",
        "good.json",
        "bad.json",
        "--format=json",
    ];
    let lines = eyes.run(args).exits(1).json();
    check(&of("VerifyOutput"), &lines[0]);
    check(&of("VerifyOutput"), &lines[1]);
    let args = ["evidence", "verify", "--store", "--format=json"];
    check(&of("VerifyStoreOutput"), &eyes.run(args).exits(0).json()[0]);

    eyes.write("small.toml", "[local]\ntier = \"small\"\n");
    let args = ["doctor", "--config", "small.toml", "--format=json"];
    check(&of("DoctorOutput"), &eyes.run(args).exits(1).json()[0]);
    let args = ["read", "missing.png", "gone.png", "--format=json"];
    check(&of("ErrorOutput"), &eyes.run(args).exits(2).json_error());
    for (name, args) in [
        ("CodeOutput", &["explain", "INPUT_MISSING"][..]),
        ("SchemasOutput", &["schema"]),
        ("ModelsOutput", &["models", "list"]),
    ] {
        let ran = eyes.run(args.iter().chain(&["--format=json"])).exits(0);
        check(&of(name), &ran.json()[0]);
    }
    let codes = self::schema("error-codes");
    check(&of("CodesOutput"), &codes);
    // Each of these is one of the lines that the whole schema allows.
    let whole = jsonschema::draft202012::new(&schema).expect("a schema");
    assert!(whole.is_valid(&lines[0]) && whole.is_valid(&codes) && !whole.is_valid(&audit));
}

#[test]
fn what_is_told_of_kept_data_follows_the_schema() {
    let eyes = eyes();
    drop(read(&eyes, &[]));
    eyes.write("data/notes.txt", "not ours");
    let cli_output = schema("cli-output");
    let printed = |args: &[&str], exit| {
        let args = args.iter().chain(&["--format=json"]);
        eyes.run(args).exits(exit).json().remove(0)
    };
    let of = |name: &str| definition(&cli_output, name);
    check(&of("DataOutput"), &printed(&["data", "show"], 0));
    check(
        &of("ErasureOutput"),
        &printed(&["data", "erase", "--all"], 2),
    );
    check(&of("ResetOutput"), &printed(&["usage", "reset"], 2));
    let view = printed(&["usage", "show"], 0);
    let usage = jsonschema::draft202012::new(&schema("usage-view")).expect("a schema");
    assert!(
        usage.is_valid(&view) && !usage.is_valid(&json!({})),
        "{view:#}"
    );
}

fn at() -> Timestamp {
    Timestamp::new("2026-01-31T23:59:59.5+01:00").expect("a time")
}

fn state(sequence: u64) -> StateId {
    let run = RunId::new("run_1").expect("an id");
    let picture = Sha256Digest::of(b"picture");
    StateId::of(
        &run,
        sequence,
        &picture,
        Place::Url("https://example.test/"),
    )
}

#[test]
fn audit_events_follow_their_schema() {
    let schema = schema("audit-event");
    let code = eyes_evidence::state::StateError::Missing {
        surface: Surface::Browser,
    }
    .code();
    for outcome in [
        AuditOutcome::Success { result: None },
        AuditOutcome::refused(code),
        AuditOutcome::error(code, "a message"),
    ] {
        let event = AuditEvent {
            outcome,
            ..eyes_evidence::testing::sample_event(7)
        };
        check(&schema, &json!(event));
    }
    // Facts may be absent, so that taking them away breaks nothing.
    let fact = eyes_evidence::report::ReportText::new;
    let event = AuditEvent {
        facts: [(fact("risk"), fact("read"))].into(),
        ..eyes_evidence::testing::sample_event(7)
    };
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is a schema");
    assert!(validator.is_valid(&json!(event)), "{event:?}");
}

#[test]
fn state_deltas_follow_their_schema() {
    let schema = schema("state-delta");
    let item = |value: Value| [("title".to_owned(), value)].into();
    let before: Items = [
        ("e1".to_owned(), item(json!("a"))),
        ("e2".to_owned(), item(json!(1))),
    ]
    .into();
    let after: Items = [
        ("e1".to_owned(), item(json!("b"))),
        ("e3".to_owned(), item(json!(1))),
    ]
    .into();
    let delta = StateDelta::Since {
        from_state_id: state(1),
        pixels_changed: true,
        scope_changed: false,
        groups: [("elements".to_owned(), GroupDelta::between(&before, &after))].into(),
    };
    check(&schema, &json!(delta));
    check(&schema, &json!(StateDelta::Initial));
}

#[test]
fn reports_follow_their_schema() {
    let assertion = |check| Assertion {
        kind: ReportText::new("title_contains"),
        target: Some(ReportText::new("e1")),
        check,
        state_id: state(1),
        screenshot_sha256: Sha256Digest::of(b"picture"),
        at: at(),
    };
    let shown = RunText::shown("Title");
    let arguments =
        json!({ "ref": "e1", "text": "secret", "count": 2, "force": true, "none": null });
    let event = |outcome| ReportEvent {
        sequence: 1,
        at: at(),
        duration_ms: 12,
        action: ReportText::new("type"),
        arguments: ReportArguments::redacted(arguments.as_object().expect("an object"), &["text"]),
        outcome,
        grounded_in: None,
        observed: Some(state(2)),
    };
    let code = eyes_evidence::codes::BROWSER_STATE_MISSING.into();
    let report = Report::from(ReportParts {
        run_id: RunId::new("run_1").expect("an id"),
        created_at: at(),
        generated_at: at(),
        events: vec![
            event(Outcome::Failed {
                code,
                message: ReportText::new("it broke"),
            }),
            event(Outcome::Confirmed),
        ],
        assertions: vec![
            assertion(Check::TextContains {
                expected: shown.clone(),
                actual: Some(RunText::private("p")),
            }),
            assertion(Check::Visual {
                expected: shown,
                judged: true,
            }),
            assertion(Check::Property {
                expected: true,
                actual: None,
            }),
            assertion(Check::Count {
                expected: 1,
                actual: 2,
            }),
        ],
        artifacts: vec![],
    });
    check(&schema("run-report"), &json!(report));
}
