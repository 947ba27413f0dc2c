use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, json};

use super::*;
use crate::codes::{MCP_MESSAGE_INVALID, MCP_MESSAGE_SHAPE_LIMIT, MCP_MESSAGE_SIZE_LIMIT};

fn scan(text: &[u8], piece: usize) -> (Shape, Envelope) {
    let mut scanner = Scanner::new();
    for chunk in text.chunks(piece.max(1)) {
        scanner.feed(chunk);
    }
    assert_eq!(scanner.bytes(), text.len());
    scanner.finish()
}

/// Counts a decoded value: what the scanner is to find without decoding.
fn count(value: &Value) -> Shape {
    let text = |text: &str| Value::from(text).to_string().len() - 2;
    let own = match value {
        Value::String(string) => text(string),
        Value::Object(members) => members.keys().map(|name| text(name)).max().unwrap_or(0),
        _ => 0,
    };
    let inner: Vec<Shape> = match value {
        Value::Array(items) => items.iter().map(count).collect(),
        Value::Object(members) => members.values().map(count).collect(),
        _ => Vec::new(),
    };
    let container = usize::from(value.is_array() || value.is_object());
    Shape {
        depth: container + inner.iter().map(|shape| shape.depth).max().unwrap_or(0),
        values: 1 + inner.iter().map(|shape| shape.values).sum::<usize>(),
        string_bytes: inner
            .iter()
            .map(|shape| shape.string_bytes)
            .fold(own, usize::max),
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "(\\PC|[\"\\\\\u{0}-\u{1f}{}\\[\\]:, ]){0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("(id|result|method|[\"\\\\a-c]{0,4})", inner, 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Writes every character of a name as an escape.
fn escaped(name: &str) -> String {
    let escapes: Vec<String> = name
        .chars()
        .map(|c| format!("\\u{:04x}", u32::from(c)))
        .collect();
    escapes.concat()
}

proptest! {
    #[test]
    fn json_is_counted_exactly_in_pieces_of_any_size(
        value in any_value(), pretty in any::<bool>(), piece in 1_usize..40,
    ) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let (shape, _) = scan(text.expect("JSON").as_bytes(), piece);
        prop_assert_eq!(shape, count(&value));
    }

    #[test]
    fn the_top_of_a_response_is_found_whatever_its_order(
        result in any_value(), id in prop_oneof![any::<i64>().prop_map(Value::from), "[\\PC\"\\\\]{0,9}".prop_map(Value::from)],
        order in Just(vec!["jsonrpc", "id", "result", "other"]).prop_shuffle(),
        spelt in any::<bool>(), piece in 1_usize..40,
    ) {
        let members = BTreeMap::from([
            ("jsonrpc", json!("2.0")), ("id", id.clone()), ("result", result.clone()), ("other", json!({"id": 9})),
        ]);
        let lines: Vec<String> = order.iter().map(|name| {
            let key = if spelt { escaped(name) } else { (*name).to_owned() };
            format!(" \"{key}\" : {}", members[name])
        }).collect();
        let text = format!("{{{} }}", lines.join(","));
        let (_, envelope) = scan(text.as_bytes(), piece);
        let expected = match &id {
            Value::String(text) => MessageId::String(text.clone()),
            number => MessageId::Number(number.as_i64().expect("a number")),
        };
        prop_assert!(envelope.complete && envelope.jsonrpc && !envelope.error);
        prop_assert_eq!(envelope.answers(), Some(&expected));
        let range = envelope.result.expect("a result");
        prop_assert_eq!(serde_json::from_str::<Value>(&text[range]).expect("JSON"), result);
    }

    #[test]
    fn what_the_decoder_accepts_is_complete(text in "[{}\\[\\]\"\\\\:,a-e0-9 .u-]{0,40}", piece in 1_usize..9) {
        #[derive(Deserialize)]
        struct Probe {}
        let (_, envelope) = scan(text.as_bytes(), piece);
        let is_object = serde_json::from_str::<Probe>(&text).is_ok() && text.trim_start().starts_with('{');
        prop_assert!(envelope.complete || !is_object, "{text}");
    }

    #[test]
    fn bytes_of_any_kind_are_scanned_alike_in_any_pieces(
        bytes in prop::collection::vec(prop_oneof![3 => prop::sample::select(b"{}[]:,\"\\ \n1ntid".to_vec()), 1 => any::<u8>()], 0..80),
        piece in 1_usize..9,
    ) {
        prop_assert_eq!(scan(&bytes, piece), scan(&bytes, 80));
    }

    #[test]
    fn lines_do_not_depend_on_how_they_arrive(
        messages in prop::collection::vec(any_value(), 0..5), piece in 1_usize..40, crlf in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let lines: Vec<String> = messages.iter().map(|value| format!("{value}{end}")).collect();
        let frames = frames(lines.concat().as_bytes(), piece, MessageLimits::default());
        prop_assert_eq!(frames.len(), messages.len());
        for (frame, value) in frames.iter().zip(&messages) {
            let bytes = match frame {
                Frame::Message(message) => &message.bytes,
                Frame::Skipped(line) => line,
                Frame::Refused(_) => panic!("within the bounds"),
            };
            prop_assert_eq!(std::str::from_utf8(bytes).expect("text"), value.to_string());
            prop_assert_eq!(matches!(frame, Frame::Message(_)), value.is_object() || value.is_array());
        }
    }
}

fn frames(bytes: &[u8], piece: usize, limits: MessageLimits) -> Vec<Frame> {
    let mut lines = Lines::new(limits);
    let mut out = Vec::new();
    for chunk in bytes.chunks(piece) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let pushed = lines.push(rest);
            rest = &rest[pushed.used..];
            out.extend(pushed.frame);
        }
        assert!(lines.held() <= limits.bytes.max(crate::limits::MAX_SKIPPED_SAMPLE_BYTES));
    }
    out
}

#[test]
fn ids_and_methods() {
    let number = |number| Some(MessageId::Number(number));
    let string = |text: &str| Some(MessageId::String(text.to_owned()));
    let long = "9".repeat(crate::limits::MAX_ENVELOPE_TOKEN_BYTES + 1);
    for (text, id, method) in [
        (r#"{"id":7,"method":"ping"}"#, number(7), Some("ping")),
        (
            r#"{"method":"a\/b","id":"x\n"}"#,
            string("x\n"),
            Some("a/b"),
        ),
        (r#"{"id":1.0}"#, number(1), None),
        (r#"{"id":1e2}"#, number(100), None),
        (r#"{"id":-9223372036854775808}"#, number(i64::MIN), None),
        (r#"{"id":9007199254740992.0}"#, None, None),
        (r#"{"id":1.5}"#, None, None),
        (r#"{"id":null}"#, None, None),
        (r#"{"id":{"id":3}}"#, None, None),
        (r#"{"result":{"id":3,"method":"x"}}"#, None, None),
        (r#"{"result":[{"id":3}],"id":4}"#, number(4), None),
        (r#"{"id":"\ud83d\ude00"}"#, string("😀"), None),
        (r#"{"id":"\ud83d"}"#, None, None),
        (&format!(r#"{{"id":{long}}}"#), None, None),
        (&format!(r#"{{"{long}":1,"id":5}}"#), number(5), None),
    ] {
        for piece in [1, 3, text.len()] {
            let (_, envelope) = scan(text.as_bytes(), piece);
            assert_eq!(
                (&envelope.id, envelope.method.as_deref()),
                (&id, method),
                "{text}"
            );
        }
    }
}

#[test]
fn what_is_no_whole_object_is_not_complete() {
    for text in [
        "",
        "{",
        "{\"id\":1",
        "[]",
        "1",
        "{}{}",
        "{} x",
        "{\"id\":1,\"id\":2}",
        "{\"id\" 1}",
        "{1:2}",
        "{,}",
        "{\"id\":\"1}",
        "{\"method\":1}",
        "}",
    ] {
        assert!(!scan(text.as_bytes(), 2).1.complete, "{text}");
    }
    assert!(scan(b" {} \r", 2).1.complete);
}

#[test]
fn only_a_response_answers() {
    for (text, answers) in [
        (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, true),
        (r#"{"jsonrpc":"2.0","id":1,"error":{}}"#, true),
        (r#"{"jsonrpc":"1.0","id":1,"result":{}}"#, false),
        (r#"{"level":"error","id":1,"error":"x"}"#, false),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"x","result":{}}"#,
            false,
        ),
        (r#"{"jsonrpc":"2.0","result":{}}"#, false),
        (r#"{"jsonrpc":"2.0","id":1}"#, false),
    ] {
        let (_, envelope) = scan(text.as_bytes(), 5);
        assert_eq!(envelope.answers().is_some(), answers, "{text}");
    }
}

#[test]
fn deep_nesting_overflows_nothing() {
    let depth = 20_000;
    let deep = format!("{}1{}", r#"{"c":["#.repeat(depth), "]}".repeat(depth));
    let text = format!(r#"{{"jsonrpc":"2.0","result":{deep},"id":8}}"#);
    let (shape, envelope) = scan(text.as_bytes(), 4096);
    assert_eq!(shape.depth, 2 * depth + 1);
    assert_eq!(envelope.answers(), Some(&MessageId::Number(8)));

    let line = format!("{text}\n{{}}\n");
    let frames = frames(line.as_bytes(), 100, MessageLimits::default());
    let [Frame::Refused(refused), Frame::Message(_)] = frames.as_slice() else {
        panic!("{frames:?}");
    };
    assert_eq!(refused.fault, MessageFault::Depth);
    assert_eq!(refused.envelope.id, Some(MessageId::Number(8)));
}

#[test]
fn each_bound_is_kept_to_the_last_unit() {
    let shape = |depth, values, string_bytes| Shape {
        depth,
        values,
        string_bytes,
    };
    let limits = MessageLimits {
        bytes: 100,
        depth: 3,
        values: 9,
        string_bytes: 20,
    };
    for (bytes, shape, fault) in [
        (100, shape(3, 9, 20), None),
        (101, shape(3, 9, 20), Some(MessageFault::Bytes)),
        (100, shape(4, 9, 20), Some(MessageFault::Depth)),
        (100, shape(3, 10, 20), Some(MessageFault::Values)),
        (100, shape(3, 9, 21), Some(MessageFault::StringBytes)),
    ] {
        assert_eq!(limits.check(bytes, shape), fault);
    }
    let text = br#"{"id":5,"a":[[[0]]]}"#;
    let refused = Message::admit(text.to_vec(), &limits).expect_err("too deep");
    assert_eq!(
        (refused.fault, refused.envelope.id),
        (MessageFault::Depth, Some(MessageId::Number(5)))
    );
    let message =
        Message::admit(text.to_vec(), &MessageLimits::default()).expect("within the bounds");
    assert_eq!(
        (message.bytes.as_slice(), message.envelope.complete),
        (&text[..], true)
    );
    for (fault, code, words) in [
        (
            MessageFault::Bytes,
            MCP_MESSAGE_SIZE_LIMIT,
            "more than 100 bytes",
        ),
        (
            MessageFault::Depth,
            MCP_MESSAGE_SHAPE_LIMIT,
            "deeper than 3",
        ),
        (
            MessageFault::Values,
            MCP_MESSAGE_SHAPE_LIMIT,
            "more than 9 values",
        ),
        (
            MessageFault::StringBytes,
            MCP_MESSAGE_SHAPE_LIMIT,
            "more than 20 bytes",
        ),
        (MessageFault::Invalid, MCP_MESSAGE_INVALID, "no message"),
    ] {
        assert_eq!(fault.code(), code);
        assert!(fault.describe(&limits).contains(words));
    }
}

#[test]
fn a_line_beyond_the_bound_is_reported_once_and_the_next_one_is_whole() {
    let limits = MessageLimits {
        bytes: 60,
        ..MessageLimits::default()
    };
    let big = "A".repeat(200);
    for (first, id) in [
        (
            format!(r#"{{"jsonrpc":"2.0","id":1,"result":"{big}"}}"#),
            Some(1),
        ),
        (
            format!(r#"{{"jsonrpc":"2.0","result":"{big}","id":1}}"#),
            Some(1),
        ),
        (format!(r#"{{"jsonrpc":"2.0","method":"{big}"}}"#), None),
        (
            format!(r#"{{"result":"{big}","id":1,"jsonrpc":"2.0"}}"#),
            Some(1),
        ),
        (format!(r#"{{"broken":"{big}"#), None),
    ] {
        let text = format!("{first}\n{{\"id\":2}}\n");
        for piece in [1, 7, 64, 1000] {
            let frames = frames(text.as_bytes(), piece, limits);
            let [Frame::Refused(refused), Frame::Message(message)] = frames.as_slice() else {
                panic!("{frames:?}");
            };
            assert_eq!(refused.fault, MessageFault::Bytes);
            assert_eq!(
                refused.envelope.answers(),
                id.map(MessageId::Number).as_ref(),
                "{first}"
            );
            assert_eq!(message.envelope.id, Some(MessageId::Number(2)));
        }
    }
}

#[test]
fn a_line_that_never_ends_is_not_kept_and_fails_its_request_on_the_way() {
    let chunk = vec![b'A'; 1 << 20];
    let mut lines = Lines::new(MessageLimits::default());
    let start = lines.push(br#"{"jsonrpc":"2.0","id":3,"result":{"tools":[{"description":""#);
    assert_eq!(start.frame, None);
    let mut refused = Vec::new();
    for _ in 0..64 {
        let pushed = lines.push(&chunk);
        assert_eq!(pushed.used, chunk.len());
        assert!(lines.held() <= crate::limits::MAX_MESSAGE_BYTES);
        refused.extend(pushed.frame);
    }
    let [Frame::Refused(refused)] = refused.as_slice() else {
        panic!("one report");
    };
    assert_eq!(refused.envelope.answers(), Some(&MessageId::Number(3)));
    assert_eq!(lines.held(), 0);

    let mut noise = Lines::new(MessageLimits::default());
    for _ in 0..8 {
        assert_eq!(noise.push(&chunk).frame, None);
        assert!(noise.held() <= 2 * crate::limits::MAX_SKIPPED_SAMPLE_BYTES);
    }
}

#[test]
fn lines_that_are_no_messages_are_told_apart() {
    let text = "\u{feff}{\"id\":1}\n\n   \r\nServer listening on 3000\r\n\t {\"id\":2}\n[info] x\n\"text\"\n";
    for piece in [1, 2, 500] {
        let frames = frames(text.as_bytes(), piece, MessageLimits::default());
        let kinds: Vec<(char, &[u8])> = frames
            .iter()
            .map(|frame| match frame {
                Frame::Message(message) => ('m', message.bytes.as_slice()),
                Frame::Refused(_) => ('r', &b""[..]),
                Frame::Skipped(line) => ('s', line.as_slice()),
            })
            .collect();
        let expected: [(char, &[u8]); 5] = [
            ('m', b"{\"id\":1}"),
            ('s', b"Server listening on 3000"),
            ('m', b"{\"id\":2}"),
            ('m', b"[info] x"),
            ('s', b"\"text\""),
        ];
        assert_eq!(kinds, expected);
    }
    // What the decoder is given is what was scanned: ranges fit.
    assert!(serde_json::from_slice::<IgnoredAny>(b"{\"id\":1}").is_ok());
}
