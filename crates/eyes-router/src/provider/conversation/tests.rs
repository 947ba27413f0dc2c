use serde_json::json;

use super::*;
use crate::provider::fixture::request;

fn image() -> ContentBlock {
    let content = &request().messages[0].content;
    let is_image = |block: &&ContentBlock| matches!(block, ContentBlock::Image(_));
    content.iter().find(is_image).expect("an image").clone()
}

/// Reads blocks from a line of words: `t` text, `b` blank text, `r` reasoning, `i` image, `c` call, `=` result.
fn message(role: Role, words: &str) -> Message {
    let block = |word: &str| match word.split_at(1) {
        ("t", name) => ContentBlock::Text(name.to_owned()),
        ("b", _) => ContentBlock::Text(" \n".to_owned()),
        ("r", name) => ContentBlock::Reasoning(Reasoning {
            text: name.to_owned(),
            signature: None,
        }),
        ("i", _) => image(),
        ("c", name) => ContentBlock::ToolCall(call(name, "{}")),
        (_, name) => ContentBlock::ToolResult(ToolResult {
            call_id: name.to_owned(),
            tool_name: None,
            is_error: false,
            content: Vec::new(),
        }),
    };
    Message {
        role,
        content: words.split_whitespace().map(block).collect(),
    }
}

fn call(id: &str, arguments: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "look".to_owned(),
        arguments: arguments.to_owned(),
    }
}

fn written(sides: &[Side<'_>]) -> String {
    let mut out = Vec::new();
    for side in sides {
        out.push(if side.role == Role::User { "U" } else { "A" }.to_owned());
        out.extend(
            side.results
                .iter()
                .map(|result| format!("={}", result.call_id)),
        );
        out.extend(side.blocks.iter().map(|block| match block {
            ContentBlock::Text(text) => format!("t{text}"),
            ContentBlock::Reasoning(reasoning) => format!("r{}", reasoning.text),
            ContentBlock::Image(_) => "i".to_owned(),
            ContentBlock::ToolCall(call) => format!("c{}", call.id),
            ContentBlock::ToolResult(_) => unreachable!("results stand apart"),
        }));
    }
    out.join(" ")
}

#[test]
fn sides_alternate_and_lose_nothing_that_is_said() {
    use Role::{Assistant, User};
    for (messages, expected) in [
        (
            vec![(User, "ta i"), (User, "tb"), (Assistant, "tc")],
            "U ta i tb A tc",
        ),
        // Results come first, whatever was said in between.
        (
            vec![
                (Assistant, "rh c1 c2"),
                (User, "=1 i"),
                (User, "tx"),
                (User, "=2"),
            ],
            "A rh c1 c2 U =1 =2 i tx",
        ),
        // Blank texts and empty messages are no messages.
        (
            vec![
                (User, "ta"),
                (Assistant, "b"),
                (Assistant, ""),
                (User, "tb b"),
            ],
            "U ta tb",
        ),
        // Thoughts that nothing follows.
        (
            vec![(User, "ta"), (Assistant, "rh"), (User, "tb")],
            "U ta tb",
        ),
        (
            vec![(Assistant, "ta rh"), (User, "tb"), (Assistant, "tc")],
            "A ta U tb A tc",
        ),
        (
            vec![(Assistant, "rh"), (Assistant, "ri tc rj td")],
            "A rh ri tc rj td",
        ),
        // Blocks in a message of the wrong role.
        (vec![(User, "c1"), (Assistant, "=1 ta")], "A c1 U =1 A ta"),
        (vec![(Assistant, "ta i tb")], "A ta U i A tb"),
    ] {
        let messages = messages.iter().map(|(role, words)| message(*role, words));
        let messages: Vec<Message> = messages.collect();
        assert_eq!(written(&sides(&messages)), expected);
    }
}

#[test]
fn arguments_go_back_as_an_object() {
    for (written, object, text) in [
        (
            r#"{"b": 1, "a": 2}"#,
            json!({"b": 1, "a": 2}),
            r#"{"b": 1, "a": 2}"#,
        ),
        ("", json!({}), "{}"),
        (" ", json!({}), "{}"),
        ("[1]", json!({"arguments": [1]}), r#"{"arguments":[1]}"#),
        ("null", json!({"arguments": null}), r#"{"arguments":null}"#),
        (
            r#"{"a": "#,
            json!({"arguments": "{\"a\": "}),
            r#"{"arguments":"{\"a\": "}"#,
        ),
        (
            "{}{}",
            json!({"arguments": "{}{}"}),
            r#"{"arguments":"{}{}"}"#,
        ),
    ] {
        let call = call("1", written);
        assert_eq!(Value::Object(arguments(&call)), object, "{written}");
        assert_eq!(arguments_text(&call), text, "{written}");
    }
}

#[test]
fn a_failure_says_that_it_is_one() {
    for (is_error, text, expected) in [
        (false, "done", "done"),
        (false, "", ""),
        (true, "no such file", "Error: no such file"),
        (true, "ERROR 7", "ERROR 7"),
        (true, "Fehl\u{e9}r", "Error: Fehl\u{e9}r"),
        (true, "", "Error"),
    ] {
        let result = ToolResult {
            call_id: String::new(),
            tool_name: None,
            is_error,
            content: Vec::new(),
        };
        assert_eq!(outcome_text(&result, text), expected);
    }
}

#[test]
fn schemas_are_those_of_objects() {
    for (stated, expected) in [
        (Value::Null, json!({"type": "object", "properties": {}})),
        (json!(true), json!({"type": "object", "properties": {}})),
        (json!({}), json!({"type": "object"})),
        (
            json!({"type": "object", "properties": {"a": {}}, "required": ["a"]}),
            json!({"type": "object", "properties": {"a": {}}, "required": ["a"]}),
        ),
    ] {
        let tool = ToolSpec {
            name: String::new(),
            description: String::new(),
            parameters: stated,
        };
        assert_eq!(schema(&tool), expected);
    }
}

#[test]
fn seals_are_read_as_they_were_written() {
    let seals = [
        Seal::Signature("c2ln"),
        Seal::Redacted("eA=="),
        Seal::Encrypted("Z0FB"),
    ];
    for seal in seals {
        let reasoning = Reasoning {
            text: String::new(),
            signature: Some(seal.write()),
        };
        assert_eq!(Seal::on(&reasoning), Some(seal));
    }
    for signature in [None, Some(String::new())] {
        let reasoning = Reasoning {
            text: "hm".to_owned(),
            signature,
        };
        assert_eq!(Seal::on(&reasoning), None);
    }
}
