//! Bounds and their order, as the published reference has them.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    super::{AdmissionStats, admit, base64::canonical_len, bound, units::utf16_len},
    PNG,
};

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(1), |inner, _| json!([inner]))
}

fn images(count: usize) -> Value {
    json!({ "content": vec![json!({"type": "image", "data": "AQID"}); count] })
}

fn code(value: &Value) -> &'static str {
    match admit(value) {
        Ok(_) => "admitted",
        Err(error) => {
            assert!(!error.sent);
            error.code.as_str()
        }
    }
}

#[test]
fn the_known_case_is_counted_exactly() {
    let value = json!({"content": [{"type": "image", "mimeType": "image/png", "data": "AQID"}]});
    let expected = AdmissionStats {
        nodes: 6,
        blocks: 1,
        string_units: 37,
        images: 1,
        encoded_image_bytes: 4,
        decoded_image_bytes: 3,
    };
    assert_eq!(admit(&value).unwrap(), expected);
}

/// The figures are those that the published reference gives for the same values.
#[test]
fn blocks_and_images_are_counted_where_the_reference_counts_them() {
    let table = [
        (json!({"type": "image", "data": "AQID"}), [3, 0, 17, 0, 0]),
        (
            json!({"x": {"type": "image", "data": "AQID"}}),
            [4, 0, 18, 0, 0],
        ),
        (
            json!({"x": [{"type": "image", "data": "AQID"}]}),
            [5, 0, 18, 0, 0],
        ),
        (
            json!({"x": {"content": [{"type": "image", "data": "AQID"}]}}),
            [6, 1, 21, 1, 3],
        ),
        (
            json!({"content": [{"type": "image", "data": 5}]}),
            [5, 1, 20, 1, 0],
        ),
        (json!({"content": [{"type": "image"}]}), [4, 1, 16, 1, 0]),
        (
            json!({"content": [{"type": "resource", "resource": {"uri": "a", "blob": "AQID"}}]}),
            [7, 1, 39, 0, 0],
        ),
        (
            json!({"content": [{"type": "audio", "data": "AQID"}]}),
            [5, 1, 24, 0, 0],
        ),
        (json!({"content": [{"content": [1, 2]}]}), [6, 3, 14, 0, 0]),
    ];
    for (value, expected) in table {
        let stats = admit(&value).unwrap();
        let counted = [
            stats.nodes,
            stats.blocks,
            stats.string_units,
            stats.images,
            stats.decoded_image_bytes,
        ];
        assert_eq!(counted, expected, "{value}");
    }
}

#[test]
fn each_bound_holds_at_its_border() {
    let full = "x".repeat(16 << 20);
    let table = [
        (nested(64), "admitted"),
        (nested(65), "MCP_RESULT_DEPTH_LIMIT"),
        (json!({ "a": nested(63) }), "admitted"),
        (json!({ "a": nested(64) }), "MCP_RESULT_DEPTH_LIMIT"),
        (json!(vec![1; 49_999]), "admitted"),
        (json!(vec![1; 50_000]), "MCP_RESULT_NODE_LIMIT"),
        (json!([vec![1; 30_000], vec![1; 19_997]]), "admitted"),
        (
            json!([vec![1; 30_000], vec![1; 19_998]]),
            "MCP_RESULT_NODE_LIMIT",
        ),
        (json!({ "content": vec![1; 4_096] }), "admitted"),
        (
            json!({ "content": vec![1; 4_097] }),
            "MCP_RESULT_BLOCK_LIMIT",
        ),
        (json!(full), "admitted"),
        (json!([full, "x"]), "MCP_RESULT_STRING_LIMIT"),
        (json!({ "k": full }), "MCP_RESULT_STRING_LIMIT"),
        (json!([full, ""]), "admitted"),
        (images(8), "admitted"),
        (images(9), "MCP_RESULT_IMAGE_COUNT_LIMIT"),
    ];
    for (at, (value, expected)) in table.iter().enumerate() {
        assert_eq!(code(value), *expected, "row {at}");
    }
}

#[test]
fn images_are_bounded_by_base64_and_by_bytes() {
    let image = |chars: usize| json!({"type": "image", "data": "A".repeat(chars)});
    let encoded = 28 << 20;
    let table = [
        (vec![image((20 << 20) / 3 * 4)], "admitted"),
        (
            vec![image(((20 << 20) / 3 + 1) * 4)],
            "MCP_RESULT_IMAGE_DECODED_LIMIT",
        ),
        (
            vec![image((10 << 20) / 3 * 4), image(((10 << 20) / 3 + 2) * 4)],
            "MCP_RESULT_IMAGE_DECODED_LIMIT",
        ),
        (vec![image(encoded + 4)], "MCP_RESULT_IMAGE_ENCODED_LIMIT"),
        // The length is judged before the text is looked at.
        (
            vec![json!({"type": "image", "data": "!".repeat(encoded + 1)})],
            "MCP_RESULT_IMAGE_ENCODED_LIMIT",
        ),
    ];
    for (at, (content, expected)) in table.into_iter().enumerate() {
        assert_eq!(code(&json!({ "content": content })), expected, "row {at}");
    }
}

#[test]
fn base64_is_canonical_or_refused() {
    let good = [("AQID", 3), ("AQI=", 2), ("AQ==", 1), (PNG, 68)];
    for (data, bytes) in good {
        assert_eq!(canonical_len(data), Some(bytes), "{data}");
    }
    let bad = [
        "", "A", "AQI", "AQID\n", "AQ =", "AQJ=", "AR==", "A===", "====", "AQ=D", "A-_D", "AQIDé",
    ];
    for data in bad {
        assert_eq!(canonical_len(data), None, "{data:?}");
        let value = json!({"content": [{"data": data, "type": "image"}]});
        assert_eq!(code(&value), "INVALID_IMAGE_BASE64", "{data:?}");
        // Elsewhere it is a text like any other.
        let value = json!({"content": [{"data": data, "type": "audio"}]});
        assert_eq!(code(&value), "admitted", "{data:?}");
    }
}

#[test]
fn the_first_fault_in_the_document_is_the_one_told() {
    let both = json!({"content": [{"type": "image", "data": "AQI"}], "deep": nested(70)});
    assert_eq!(code(&both), "INVALID_IMAGE_BASE64");
    let both = json!({"deep": nested(70), "content": [{"type": "image", "data": "AQI"}]});
    assert_eq!(code(&both), "MCP_RESULT_DEPTH_LIMIT");
    let context = super::BoundContext {
        server: "srv",
        tool: "tool",
        max_chars: 1_000,
        artifacts: None,
        redactor: &super::Redactor::default(),
    };
    let error = bound(&both, &context).unwrap_err();
    assert!(error.sent, "the server had answered");
}

#[test]
fn units_are_those_of_utf16() {
    let mut text = String::new();
    for (at, c) in ['a', 'é', '文', '😀', '\u{ffff}', '\u{10ffff}']
        .into_iter()
        .cycle()
        .take(600)
        .enumerate()
    {
        let _infallible = write!(text, "{c}");
        assert_eq!(utf16_len(&text), text.encode_utf16().count(), "{at}");
    }
}
