//! The size of the tool, and that its schema and its parser agree.

use serde_json::{Value, json};

use super::*;
use crate::action::{ParseMode, parse};

#[test]
fn the_schema_is_small_and_closed() {
    let text = schema().to_string();
    assert!(text.len() < 2_500, "{} characters", text.len());
    assert!(DESCRIPTION.len() < 700 && SYSTEM_SECTION.len() < 800);
    let schema = schema();
    jsonschema_names(&schema);
    assert_eq!(schema["additionalProperties"], json!(false));
}

/// Every property of the schema is an argument of some action: no action refuses it as unknown everywhere.
fn jsonschema_names(schema: &Value) {
    for name in schema["properties"].as_object().unwrap().keys() {
        let unknown_everywhere = ActionName::ALL.iter().all(|action| {
            let call = json!({"action": action.as_str(), name: {"odd": 1}});
            let error = parse(&call, ParseMode::Script).unwrap_err().to_string();
            error.contains(&format!("{name:?} is no argument"))
        });
        assert!(name == "action" || !unknown_everywhere, "{name}");
    }
}

#[test]
fn calls_that_only_look_are_read() {
    let kind_of = |call: Value| kind(&parse(&call, ParseMode::Script).unwrap().action).as_str();
    assert_eq!(kind_of(json!({"action": "observe"})), "read");
    assert_eq!(kind_of(json!({"action": "tabs"})), "read");
    assert_eq!(kind_of(json!({"action": "report"})), "read");
    assert_eq!(kind_of(json!({"action": "click", "ref": "e1"})), "edit");
    assert_eq!(
        kind_of(json!({"action": "open", "url": "https://a.test/"})),
        "edit"
    );
    let open = parse(&json!({"action": "reload"}), ParseMode::Script).unwrap();
    assert_eq!(title(&open.action), "Browser reload");
}
