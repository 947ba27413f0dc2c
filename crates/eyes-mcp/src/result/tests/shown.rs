//! What the model reads.

use eyes_evidence::redact::Redactor;
use serde_json::json;

use super::{super::utf16_len, PNG, bounded_with, bounded_within, preview_of, text};

#[test]
fn parts_stand_on_lines_of_their_own() {
    let table = [
        (
            json!({"content": [text("one"), text("two\nlines")]}),
            "one\ntwo\nlines",
        ),
        (
            json!({"content": [text("a")], "structuredContent": {"b": 1, "a": 2}}),
            "a\nstructuredContent: {\"a\":2,\"b\":1}",
        ),
        (
            json!({"toolResult": {"b": 1, "a": [1.0, -0.0]}}),
            "{\"toolResult\":{\"a\":[1,0],\"b\":1}}",
        ),
        (json!({"content": []}), "{\"content\":[]}"),
        (
            json!({"content": [text("")]}),
            "{\"content\":[{\"text\":\"\",\"type\":\"text\"}]}",
        ),
        (json!({"content": "no list"}), "{\"content\":\"no list\"}"),
        (json!([1, "two"]), "[1,\"two\"]"),
        (
            json!({"content": [{"type": "video", "data": "AA=="}]}),
            "[unsupported MCP content: video; not shown]",
        ),
        (
            json!({"content": [7]}),
            "[unsupported MCP content: none; not shown]",
        ),
        (
            json!({"content": [{"type": "text"}]}),
            "[unsupported MCP content: text; not shown]",
        ),
    ];
    for (value, expected) in table {
        assert_eq!(preview_of(&value), expected, "{value}");
    }
}

#[test]
fn w12_resources_links_and_audio_are_visible() {
    let value = json!({"content": [
        {"type": "resource", "resource": {"uri": "file:///a.txt", "mimeType": "text/plain", "text": "embedded"}},
        {"type": "resource", "resource": {"uri": "file:///a.bin", "blob": "AQIDAQID"}},
        {"type": "resource_link", "name": "log", "uri": "file:///log", "mimeType": "text/x-log", "size": 12, "description": "the\nlog"},
        {"type": "resource_link", "uri": "file:///nameless"},
        {"type": "audio", "mimeType": "audio/wav", "data": "AQID"},
        {"type": "image", "mimeType": "image/jpeg", "data": PNG},
        {"type": "image", "mimeType": "image/svg+xml", "data": "PHN2Zz4="},
    ]});
    let result = bounded_within(&value, 20_000);
    assert_eq!(
        result.preview.lines().collect::<Vec<_>>(),
        [
            "[resource: file:///a.txt; text/plain]",
            "embedded",
            "[resource: file:///a.bin; about 6 bytes; not shown]",
            "[resource link: log; file:///log; text/x-log; 12 bytes; the log]",
            "[resource link: no name; file:///nameless]",
            "[audio: audio/wav; about 3 bytes; not shown]",
            "[image 1: image/png; 68 bytes; attached]",
            "[image: image/svg+xml; about 6 bytes; not attached: its bytes are no PNG, JPEG, WebP, GIF or BMP \
             picture; not shown]",
        ]
    );
    assert_eq!(result.notes.len(), 1);
    let [image] = &result.images[..] else {
        panic!("one picture goes along");
    };
    assert_eq!(image.media_type, "image/png", "the bytes say what it is");
    assert_eq!(image.name, "srv-a_tool-1");
    assert_eq!(image.bytes.len(), 68);
}

#[test]
fn nothing_is_said_to_be_lost_where_all_is_shown() {
    let value = json!({"content": [
        {"type": "resource", "resource": {"uri": "a:b", "text": "embedded"}},
        {"type": "resource_link", "name": "n", "uri": "u:"},
        {"type": "image", "data": PNG},
    ]});
    assert!(bounded_within(&value, 20_000).notes.is_empty());
}

#[test]
fn what_is_for_the_user_only_is_counted_and_not_shown() {
    let value = json!({"content": [
        {"type": "text", "text": "for both", "annotations": {"audience": ["user", "assistant"]}},
        {"type": "text", "text": "secret of the user", "annotations": {"audience": ["user"]}},
        {"type": "image", "data": PNG, "annotations": {"audience": ["user"]}},
        {"type": "text", "text": "for all", "annotations": {"audience": [], "priority": 1}},
    ]});
    let result = bounded_within(&value, 20_000);
    assert_eq!(
        result.preview,
        "for both\nfor all\n[2 blocks for the user only, not shown]"
    );
    assert_eq!(
        result.notes,
        ["the whole result is not kept (artifacts are off); what is not shown here is lost"]
    );
    assert!(result.images.is_empty());
}

#[test]
fn metadata_for_programs_is_not_shown_but_hashed() {
    let value = json!({"tasks": 1, "_meta": {"progressToken": "t"}, "a": {"z": 2, "y": 1.0}});
    let plain = json!({"tasks": 1, "a": {"z": 2, "y": 1.0}});
    assert_eq!(preview_of(&value), "{\"a\":{\"y\":1,\"z\":2},\"tasks\":1}");
    let (whole, without) = (bounded_within(&value, 500), bounded_within(&plain, 500));
    assert_ne!(whole.sha256, without.sha256);
    let value =
        json!({"content": [{"type": "text", "text": "t", "_meta": {"x": 1}}], "_meta": {"y": 1}});
    assert_eq!(preview_of(&value), "t");
}

#[test]
fn structured_content_is_shown_once() {
    let structured = json!({"rows": [1, 2], "name": "n"});
    let shown = "structuredContent: {\"name\":\"n\",\"rows\":[1,2]}";
    let pretty = serde_json::to_string_pretty(&structured).unwrap();
    for repeated in [
        structured.to_string(),
        pretty,
        "{\"name\":\"n\", \"rows\":[1,2]}".to_owned(),
    ] {
        let value = json!({"content": [text(&repeated)], "structuredContent": structured});
        assert_eq!(preview_of(&value), shown);
    }
    let other = json!({"content": [text("{\"name\":\"m\"}")], "structuredContent": structured});
    assert_eq!(preview_of(&other), format!("{{\"name\":\"m\"}}\n{shown}"));
}

#[test]
fn integers_beyond_doubles_are_shown_as_they_are() {
    let value = json!({"content": [], "structuredContent": {"id": 9_007_199_254_740_993_u64}});
    assert_eq!(
        preview_of(&value),
        "structuredContent: {\"id\":9007199254740993}"
    );
    let value = json!({"id": 9_007_199_254_740_993_u64});
    assert_eq!(preview_of(&value), "{\"id\":9007199254740993}");
}

#[test]
fn long_results_show_their_head_and_their_tail() {
    let lines: Vec<_> = (0..5_000).map(|line| format!("line {line}")).collect();
    let body = format!("{}\n", lines.join("\n"));
    let value = json!({"content": [text(&body), text("error: the end")]});
    let result = bounded_within(&value, 1_000);
    assert!(result.truncated);
    assert!(result.preview.starts_with("line 0\nline 1\n"));
    assert!(result.preview.ends_with("line 4999\n\nerror: the end"));
    assert!(utf16_len(&result.preview) <= 1_000);
    let (head, rest) = result.preview.split_once("\n[… ").unwrap();
    let (left_out, tail) = rest.split_once(" characters left out …]\n").unwrap();
    let shown = utf16_len(head) + utf16_len(tail);
    let whole = utf16_len(&body) + 1 + "error: the end".len();
    assert_eq!(left_out.parse::<usize>().unwrap() + shown, whole);
}

#[test]
fn a_preview_fits_exactly_or_is_cut() {
    let fits = json!({"content": [text(&"é".repeat(300)), text(&"b".repeat(99))]});
    assert!(!bounded_within(&fits, 400).truncated);
    assert!(bounded_within(&fits, 399).truncated);
    let pairs = json!({"content": [text(&"😀".repeat(400))]});
    let cut = bounded_within(&pairs, 300);
    assert!(cut.truncated && utf16_len(&cut.preview) <= 300);
    assert!(cut.preview.starts_with('😀') && cut.preview.ends_with('😀'));
    // A bound below the least counts as the least.
    assert!(utf16_len(&bounded_within(&pairs, 1).preview) <= 256);
}

#[test]
fn known_secrets_appear_nowhere_and_nothing_else_is_touched() {
    let redactor = Redactor::with_values(["s3cr3t-value"]);
    let value = json!({
        "content": [text("key s3cr3t-value, password=kept")],
        "structuredContent": {"echo": "s3cr3t-value"},
    });
    let result = bounded_with(&value, 20_000, &redactor);
    assert_eq!(
        result.preview,
        "key [REDACTED], password=kept\nstructuredContent: {\"echo\":\"[REDACTED]\"}"
    );
}
