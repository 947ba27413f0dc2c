use std::collections::VecDeque;

use proptest::prelude::*;

use super::sse::{Event, Fields, Parser};
use crate::wire::MessageId;

fn parse(max: usize, chunks: &[&[u8]]) -> Vec<Event> {
    let mut parser = Parser::new(max);
    let mut out = VecDeque::new();
    for chunk in chunks {
        parser.feed(chunk, &mut out);
    }
    out.into()
}

fn data(text: &str) -> Event {
    Event::Whole(Fields {
        data: Some(text.to_owned()),
        ..Fields::default()
    })
}

#[test]
fn events_are_cut_at_every_kind_of_line_end() {
    let table: [(&str, Vec<Event>); 9] = [
        ("data: a\n\ndata:b\n\n", vec![data("a"), data("b")]),
        ("data: a\r\n\r\ndata: b\r\r", vec![data("a"), data("b")]),
        ("\u{FEFF}data: a\n\n", vec![data("a")]),
        ("data: a\ndata\ndata: b\n\n", vec![data("a\n\nb")]),
        (": ping\n\n: ping\n\n", vec![]),
        ("data: unfinished\n", vec![]),
        ("other: x\ndata:  y\n\n", vec![data(" y")]),
        (
            "event: message\nid: 7\nretry: 50\n\n",
            vec![Event::Whole(Fields {
                event: Some("message".to_owned()),
                id: Some("7".to_owned()),
                retry: Some(50),
                data: None,
            })],
        ),
        ("id: a\0b\nretry: soon\ndata: c\n\n", vec![data("c")]),
    ];
    for (text, expected) in table {
        assert_eq!(parse(1024, &[text.as_bytes()]), expected, "{text:?}");
    }
}

#[test]
fn one_event_that_is_too_large_is_lost_and_no_other() {
    let text = format!("data: a\n\ndata: {}\n\ndata: b\n\n", "x".repeat(50));
    let expected = [data("a"), Event::TooLarge(None), data("b")];
    assert_eq!(parse(32, &[text.as_bytes()]), expected);
    let lines = format!("{}\ndata: b\n\n", "data: xx\n".repeat(20));
    assert_eq!(
        parse(32, &[lines.as_bytes()]),
        [Event::TooLarge(None), data("b")]
    );
    let comments = format!("{}data: b\n\n", ": ping\n".repeat(100));
    assert_eq!(parse(32, &[comments.as_bytes()]), [data("b")]);
}

#[test]
fn the_request_that_a_lost_event_answers_is_known() {
    let answer = |id: &str| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"result\":{{\"a\":\"{}\"}},\"id\":{id}}}",
            "x".repeat(50)
        )
    };
    let lost = |id| Event::TooLarge(Some(id));
    let number = MessageId::Number(7);
    let table = [
        (
            format!("event: message\ndata: {}\n\n", answer("7")),
            lost(number.clone()),
        ),
        (
            format!("data:{}\nid: 3\n\n", answer("\"7\"")),
            lost(MessageId::String("7".to_owned())),
        ),
        (
            format!("id: 1\ndata: {}\n\n", answer("7").replace(',', ",\ndata: ")),
            lost(number),
        ),
        (format!("dada: {}\n\n", answer("7")), Event::TooLarge(None)),
        (
            format!("data: {}\n\n", answer("7").replace("result", "params")),
            Event::TooLarge(None),
        ),
    ];
    for (text, expected) in table {
        for size in [1, 3, 7, 1000] {
            let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
            assert_eq!(
                parse(32, &chunks),
                std::slice::from_ref(&expected),
                "{size} {text}"
            );
        }
    }
}

proptest! {
    #[test]
    fn where_bytes_are_cut_changes_nothing(
        text in "(data: ?[a-c]{0,9}|id: [0-9]|: x|event: m|)((\r\n|\n|\r)(data: ?[a-c]{0,9}|id: [0-9]|: x|)){0,12}",
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        let bytes = text.as_bytes();
        let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        places.extend([0, bytes.len()]);
        places.sort_unstable();
        let chunks: Vec<&[u8]> = places.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        prop_assert_eq!(parse(16, &chunks), parse(16, &[bytes]));
    }
}
