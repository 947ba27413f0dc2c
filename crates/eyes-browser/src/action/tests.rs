//! Reading actions: what is accepted, what is refused and how.

use std::borrow::Borrow;

use eyes_evidence::code::Coded;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::driver::{KeyChord, Query};

fn read(call: impl Borrow<Value>) -> Result<Request, ActionError> {
    parse(call.borrow(), ParseMode::Script)
}

fn ok(call: impl Borrow<Value>) -> Action {
    let call = call.borrow();
    read(call)
        .unwrap_or_else(|error| panic!("{call}: {error}"))
        .action
}

#[track_caller]
fn refused(call: impl Borrow<Value>, code: &str, part: &str) {
    let call = call.borrow();
    let error = read(call).expect_err(&call.to_string());
    assert_eq!(error.code().as_str(), code, "{call}: {error}");
    assert!(error.to_string().contains(part), "{call}: {error}");
}

/// Writes everything as it is.
struct Plain;

impl InputWriter for Plain {
    fn input(&mut self, input: &Input) -> Value {
        match input {
            Input::Literal(text) => json!(text.expose()),
            Input::Env(name) => json!({"env": name}),
        }
    }

    fn key(&mut self, chord: &KeyChord) -> Value {
        json!(keys::chord_text(chord))
    }

    fn text(&mut self, text: &str) -> Value {
        json!(text)
    }
}

/// One call of every action, and of every way to write it that differs.
fn samples() -> Vec<Value> {
    let calls = json!([
        {"action": "open", "url": "https://a.test/"},
        {"action": "observe", "find": "Save", "wholeText": true},
        {"action": "observe", "ref": "e3", "region": [0, 1, 20, 30.5]},
        {"action": "click", "ref": "e12", "button": "right", "count": 3, "modifiers": ["Control", "Shift"]},
        {"action": "click", "role": "button", "name": "Save", "exact": true, "nth": 2},
        {"action": "click", "x": 3, "y": 4.5},
        {"action": "hover", "selector": "#a > b"},
        {"action": "drag", "ref": "e1", "to": {"text": "Bin"}},
        {"action": "type", "ref": "e1", "value": "", "mode": "keys", "submit": true},
        {"action": "type", "value": {"env": "PASSWORD"}, "mode": "append"},
        {"action": "type", "ref": "e1", "value": "geheim", "secret": true},
        {"action": "press", "key": "Control+Shift+ArrowLeft", "ref": "e2"},
        {"action": "press", "key": "Control++"},
        {"action": "key_down", "key": "Shift"},
        {"action": "key_up", "key": "Shift"},
        {"action": "select", "ref": "e1", "value": ["a", "b"]},
        {"action": "check", "ref": "e1"},
        {"action": "uncheck", "text": "Terms"},
        {"action": "upload", "ref": "e1", "files": ["/a/b.txt"]},
        {"action": "scroll", "deltaY": -200.0, "deltaX": 0.0},
        {"action": "scroll", "text": "Imprint"},
        {"action": "wait", "waitFor": "text", "expected": "done"},
        {"action": "wait", "waitFor": "url", "expected": "/done"},
        {"action": "wait", "waitFor": "visible", "ref": "e1"},
        {"action": "wait", "waitFor": "hidden", "selector": "#a"},
        {"action": "wait", "waitFor": "idle"},
        {"action": "wait", "waitFor": "download"},
        {"action": "wait", "waitFor": "timeout", "timeoutMs": 20},
        {"action": "dialog", "op": "accept", "value": "Ada"},
        {"action": "dialog", "op": "dismiss"},
        {"action": "tabs", "op": "list"},
        {"action": "tabs", "op": "switch", "tab": "t2"},
        {"action": "tabs", "op": "close", "tab": "t2"},
        {"action": "back"}, {"action": "forward"}, {"action": "reload"},
        {"action": "zoom", "region": [1, 2, 3, 4]},
        {"action": "zoom", "ref": "e4"},
        {"action": "pdf"},
        {"action": "assert", "assertion": "text_contains", "ref": "e1", "expected": "x"},
        {"action": "assert", "assertion": "url_equals", "expected": "https://a.test/"},
        {"action": "assert", "assertion": "hidden", "selector": "#gone"},
        {"action": "report", "reportName": "a"},
        {"action": "close"},
        {"action": "batch", "steps": [
            {"action": "click", "ref": "e1", "navigates": true},
            {"action": "assert", "assertion": "count_equals", "selector": "a", "expected": 3}]},
    ]);
    calls.as_array().unwrap().clone()
}

#[test]
fn every_action_is_read_and_written_back() {
    let mut seen: Vec<_> = Vec::new();
    for call in samples() {
        let action = ok(call);
        let written = Value::Object(to_json(&action, &mut Plain));
        assert_eq!(ok(written.clone()), action, "{written}");
        seen.push(action.name());
    }
    for name in ActionName::ALL {
        assert!(seen.contains(name), "{}", name.as_str());
    }
}

#[test]
fn unknown_members_are_refused_by_name() {
    for call in samples() {
        let Value::Object(mut map) = call else {
            panic!()
        };
        map.insert("colour".to_owned(), json!("red"));
        refused(
            Value::Object(map),
            "BROWSER_ACTION_INVALID",
            "\"colour\" is no argument",
        );
    }
    refused(
        json!({"action": "back", "ref": "e1"}),
        "BROWSER_ACTION_INVALID",
        "\"ref\"",
    );
}

/// Calls that break a rule, and a part of the message that names it.
const WRONG: &[(&str, &str)] = &[
    ("[]", "not an object"),
    (r#"{"action": "click"}"#, "target is missing"),
    (
        r#"{"action": "click", "ref": "e1", "text": "a"}"#,
        "one way",
    ),
    (
        r#"{"action": "click", "ref": "e1", "x": 1, "y": 1}"#,
        "one way",
    ),
    (r#"{"action": "click", "ref": "e01"}"#, "`ref`"),
    (r#"{"action": "click", "ref": "12"}"#, "`ref`"),
    (r#"{"action": "click", "ref": "e1", "nth": 2}"#, "`nth`"),
    (r#"{"action": "click", "x": 1}"#, "together"),
    (r#"{"action": "click", "x": -1, "y": 1}"#, "0 or more"),
    (r#"{"action": "click", "ref": "e1", "count": 4}"#, "`count`"),
    (
        r#"{"action": "click", "ref": "e1", "modifiers": ["a"]}"#,
        "`modifiers`",
    ),
    (r#"{"action": "check", "x": 1, "y": 1}"#, "`x` and `y`"),
    (r#"{"action": "press", "key": " "}"#, "blank"),
    (r#"{"action": "press", "key": "Hyper+a"}"#, "`key`"),
    (r#"{"action": "open", "url": "  "}"#, "blank"),
    (r#"{"action": "open", "url": null}"#, "`url`"),
    (r#"{"action": "type", "ref": "e1"}"#, "`value` is missing"),
    (
        r#"{"action": "type", "value": {"env": "A", "b": 1}}"#,
        "\"b\"",
    ),
    (r#"{"action": "upload", "files": ["a.txt"]}"#, "absolute"),
    (r#"{"action": "zoom"}"#, "`region`"),
    (r#"{"action": "zoom", "region": [1, 2, 0, 4]}"#, "`region`"),
    (r#"{"action": "observe", "timeoutMs": 120001}"#, "timeoutMs"),
    (
        r#"{"action": "observe", "stateId": "desktop-state:00"}"#,
        "`stateId`",
    ),
    (
        r#"{"action": "dialog", "op": "dismiss", "value": "x"}"#,
        "`value`",
    ),
    (r#"{"action": "tabs", "op": "switch"}"#, "`tab` is missing"),
    (
        r#"{"action": "assert", "assertion": "visible", "ref": "e1", "expected": "x"}"#,
        "takes no",
    ),
    (
        r#"{"action": "assert", "assertion": "count_equals", "ref": "e1", "expected": "x"}"#,
        "number",
    ),
    (
        r#"{"action": "assert", "assertion": "url_equals", "expected": "x", "ref": "e1"}"#,
        "\"ref\"",
    ),
    (
        r#"{"action": "batch", "steps": [{"action": "close"}]}"#,
        "step of a batch",
    ),
    (
        r#"{"action": "batch", "steps": [{"action": "back", "stateId": "x"}]}"#,
        "once",
    ),
];

#[test]
fn wrong_arguments_are_refused_with_the_argument_named() {
    for (call, part) in WRONG {
        let call: Value = serde_json::from_str(call).unwrap();
        refused(call, "BROWSER_ACTION_INVALID", part);
    }
    for (call, code, part) in [
        (
            json!({"action": "fly"}),
            "BROWSER_ACTION_UNSUPPORTED",
            "there are: open",
        ),
        (
            json!({"action": "wait", "waitFor": "rain"}),
            "BROWSER_WAIT_UNSUPPORTED",
            "rain",
        ),
        (
            json!({"action": "assert", "assertion": "nice", "ref": "e1"}),
            "BROWSER_ASSERTION_UNSUPPORTED",
            "nice",
        ),
        (
            json!({"action": "type", "value": "x".repeat(100_001)}),
            "BROWSER_ACTION_INVALID",
            "100000 characters",
        ),
        (
            json!({"action": "observe", "find": "x".repeat(300_000)}),
            "BROWSER_ACTION_INVALID",
            "262144",
        ),
    ] {
        refused(call, code, part);
    }
}

#[test]
fn what_changes_something_names_its_state() {
    for call in samples() {
        let error = parse(&call, ParseMode::Grounded).err();
        let action = ok(call);
        let free = matches!(
            action.name(),
            ActionName::Open
                | ActionName::Observe
                | ActionName::Wait
                | ActionName::Report
                | ActionName::Close
                | ActionName::Zoom
                | ActionName::Assert
                | ActionName::Pdf
        ) || matches!(action, Action::Tabs(TabAction::List));
        assert_eq!(error.is_none(), free, "{:?}", action.name());
        assert!(error.is_none_or(|error| error.to_string().contains("`stateId` is missing")));
    }
}

#[test]
fn names_and_words_are_read_in_any_case() {
    assert_eq!(
        ok(json!({"action": " CLICK ", "ref": "e1"})).name(),
        ActionName::Click
    );
    let Action::Click { at, .. } = ok(json!({"action": "click", "name": "Save"})) else {
        panic!()
    };
    assert_eq!(at.describe(), "text \"Save\"");
    let Action::Press { chord, .. } = ok(json!({"action": "press", "key": "ctrl+esc"})) else {
        panic!()
    };
    assert_eq!(keys::chord_text(&chord), "Control+Escape");
    assert!(matches!(
        ok(json!({"action": "scroll"})),
        Action::Scroll(Scrolling::By { dy: 600.0, .. })
    ));
    assert!(matches!(
        ok(json!({"action": "hover", "role": "link"})),
        Action::Hover {
            at: Target::Search {
                query: Query::Role { name: None, .. },
                ..
            }
        }
    ));
}

#[test]
fn debug_shows_no_typed_text() {
    let request = read(json!({"action": "type", "value": "hunter2 hunter2"})).unwrap();
    assert!(!format!("{request:?}").contains("hunter2"));
    let request = read(json!({"action": "press", "key": "Q"})).unwrap();
    assert!(!format!("{request:?}").contains('Q'));
}

proptest! {
    #[test]
    fn any_object_is_read_or_refused(
        name in prop::sample::select(ActionName::ALL),
        members in prop::collection::btree_map("ref|text|x|y|value|key|url|op|tab|steps|region|expected|[a-z]{1,4}", prop_oneof![
            any::<bool>().prop_map(Value::from), any::<f64>().prop_map(Value::from), ".{0,8}".prop_map(Value::from),
            Just(Value::Null), Just(json!([])), Just(json!({}))], 0..5),
    ) {
        let mut map: Map<String, Value> = members.into_iter().collect();
        map.insert("action".to_owned(), json!(name.as_str()));
        if let Ok(request) = read(Value::Object(map)) {
            let written = Value::Object(to_json(&request.action, &mut Plain));
            prop_assert_eq!(ok(written), request.action);
        }
    }
}
