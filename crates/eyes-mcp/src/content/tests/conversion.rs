use serde_json::{Value, json};

use super::super::*;
use crate::codes;

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

#[test]
fn contents_of_resources_become_blocks() {
    let result = json!({"contents": [
        {"uri": "a:1", "mimeType": "text/plain", "text": "one"},
        {"uri": "a:2", "text": ""},
        {"uri": "a:3", "mimeType": "Image/png", "blob": "AQID"},
        {"uri": "a:4", "mimeType": "audio/wav", "blob": "AQID"},
        {"uri": "a:5", "mimeType": "application/pdf", "blob": "AQID", "_meta": {"k": 1}},
        {"uri": "a:6"},
        7,
    ], "_meta": {"m": 1}});
    assert_eq!(
        resource_blocks(result).unwrap(),
        json!({"content": [
            text("[MCP resource a:1; text/plain]\none"),
            text("[MCP resource a:2]\n"),
            text("[MCP resource a:3; Image/png; about 3 bytes]"),
            {"type": "image", "data": "AQID", "mimeType": "Image/png"},
            text("[MCP resource a:4; audio/wav; about 3 bytes]"),
            {"type": "audio", "data": "AQID", "mimeType": "audio/wav"},
            text("[MCP resource a:5; application/pdf; about 3 bytes]"),
            {"type": "resource", "resource":
                {"uri": "a:5", "mimeType": "application/pdf", "blob": "AQID", "_meta": {"k": 1}}},
            text("[MCP resource a:6: neither text nor bytes]"),
            text("[MCP resource without address: neither text nor bytes]"),
        ], "_meta": {"m": 1}})
    );
}

#[test]
fn w12_embedded_texts_and_links_of_prompts_are_seen() {
    let result = json!({"description": "About", "messages": [
        {"role": "user", "content": {"type": "text", "text": "hi"}},
        {"role": "assistant", "content": [
            {"type": "resource", "resource": {"uri": "a:1", "mimeType": "text/x", "text": "inside"}},
            {"type": "resource_link", "uri": "a:2", "name": "notes", "mimeType": "text/y", "size": 12, "description": "more"},
        ]},
        {"role": "user", "content": {"type": "image", "data": "AQID", "mimeType": "image/png"}},
        {"role": "user", "content": {"type": "other"}},
        {"role": "user"},
    ]});
    assert_eq!(
        prompt_blocks(result).unwrap(),
        json!({"content": [
            text("[MCP prompt description]\nAbout"),
            text("[MCP prompt user]\nhi"),
            text("[MCP prompt assistant: resource]"),
            text("[MCP resource a:1; text/x]\ninside"),
            text("[MCP prompt assistant: link]\n[MCP link notes; a:2; text/y; 12 bytes]\nmore"),
            text("[MCP prompt user: image image/png]"),
            {"type": "image", "data": "AQID", "mimeType": "image/png"},
            text("[MCP prompt user: content of type \"other\"]"),
            text("[MCP prompt user: no content]"),
        ]})
    );
}

#[test]
fn labels_hide_nothing_and_are_bounded() {
    let long = format!("a:{}", "x".repeat(3_000));
    let result =
        json!({"contents": [{"uri": "a:\u{202e}\n]", "text": ""}, {"uri": long, "text": ""}]});
    let blocks = resource_blocks(result).unwrap();
    assert_eq!(
        blocks["content"][0]["text"],
        "[MCP resource a:\\u{202e}\\u{a}]]\n"
    );
    assert!(
        blocks["content"][1]["text"]
            .as_str()
            .unwrap()
            .chars()
            .count()
            < 2_100
    );
    let long = json!({"description": "d".repeat(100_001), "messages": []});
    let described = prompt_blocks(long).unwrap()["content"][0]["text"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        described.matches('d').count(),
        100_000 + 1,
        "one in the label"
    );
    assert!(described.ends_with('\u{2026}'));
}

#[test]
fn results_without_their_list_are_invalid() {
    for result in [json!({}), json!({"contents": {}}), json!(null)] {
        let error = resource_blocks(result).unwrap_err();
        assert_eq!(error.code, codes::MCP_RESOURCE_RESULT_INVALID);
        assert!(error.sent);
    }
    for result in [json!({}), json!({"messages": "x"})] {
        assert_eq!(
            prompt_blocks(result).unwrap_err().code,
            codes::MCP_PROMPT_RESULT_INVALID
        );
    }
}
