use proptest::prelude::*;

use super::*;

fn parse(pieces: &[&[u8]]) -> Vec<(String, String)> {
    let mut parser = SseParser::default();
    let mut events = Vec::new();
    for piece in pieces {
        parser.push(piece, &mut events).expect("within bounds");
    }
    events.extend(parser.finish().expect("within bounds"));
    events.into_iter().map(|e| (e.event, e.data)).collect()
}

#[test]
fn reads_what_the_standard_describes() {
    for (stream, expected) in [
        ("", &[][..]),
        ("data: a\n\n", &[("", "a")][..]),
        ("data:a\n\n", &[("", "a")]),
        ("data:  a\n\n", &[("", " a")]),
        ("data\n\n", &[("", "")]),
        ("data: a\rdata: b\r\r", &[("", "a\nb")]),
        ("data: a\r\ndata: b\r\n\r\n", &[("", "a\nb")]),
        ("data\ndata\n\ndata:\n\n", &[("", "\n"), ("", "")]),
        ("\u{feff}data: a\n\n", &[("", "a")]),
        ("\u{feff}\u{feff}data: a\n\n", &[]),
        (": ping\n\ndata: a\n: ping\ndata: b\n\n", &[("", "a\nb")]),
        ("event: x\n\ndata: a\n\n", &[("", "a")]),
        (
            "event: x\nevent: y\ndata: a\n\ndata: b\n\n",
            &[("y", "a"), ("", "b")],
        ),
        ("Data: a\n\nfield: b\ndata : c\n\n", &[]),
        // Without the closing line; the caller judges whether it is whole.
        ("data: a\n\ndata: b\n", &[("", "a"), ("", "b")]),
        ("data: a\n\ndata: b", &[("", "a"), ("", "b")]),
        ("event: x", &[]),
        ("data: a:b\n\n", &[("", "a:b")]),
    ] {
        let expected: Vec<_> = expected
            .iter()
            .map(|(event, data)| ((*event).to_owned(), (*data).to_owned()))
            .collect();
        assert_eq!(parse(&[stream.as_bytes()]), expected, "{stream:?}");
    }
    assert_eq!(
        parse(&[b"data: \xff\n\n"]),
        [(String::new(), "\u{fffd}".to_owned())]
    );
}

#[test]
fn keeps_id_and_retry() {
    let mut parser = SseParser::default();
    let mut events = Vec::new();
    parser
        .push(
            b"id: 7\nretry: 1500\n\nid: a\0b\nretry: 1s\nretry\n\n",
            &mut events,
        )
        .expect("within bounds");
    assert_eq!(
        (parser.last_event_id(), parser.retry_ms()),
        ("7", Some(1_500))
    );
    parser.push(b"id\n", &mut events).expect("within bounds");
    assert_eq!(parser.last_event_id(), "");
    assert_eq!(events, []);
}

#[test]
fn bounds_hold_wherever_the_bytes_are_cut() {
    let check = |stream: &[u8], step: usize| {
        let mut parser = SseParser::with_limits(16, 20);
        let mut events = Vec::new();
        let mut pieces = stream.chunks(step);
        pieces.try_for_each(|piece| parser.push(piece, &mut events))
    };
    for step in [1, 2, 5, 100] {
        assert_eq!(check(b"data: 7890123456\n", step), Ok(()));
        assert_eq!(
            check(b"data: 78901234567\n", step),
            Err(SseError::Line { limit: 16 })
        );
        assert_eq!(
            check(b": endless comment without an end", step),
            Err(SseError::Line { limit: 16 })
        );
        assert_eq!(check(b"data: 123456789\ndata: 1234567890\n", step), Ok(()));
        assert_eq!(
            check(b"data: 1234567890\ndata: 1234567890\n", step),
            Err(SseError::Event { limit: 20 })
        );
        // Comments without end cost no memory.
        assert_eq!(check(&b": ping\n".repeat(1_000), step), Ok(()));
    }
}

proptest! {
    #[test]
    fn any_split_gives_the_same_events(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "data", "event", "id", ":", " ", "\r", "\n", "\r\n", "\n\n", "x", "é", "\u{feff}", "[DONE]",
            ]),
            0..60,
        ),
        noise in prop::collection::vec(any::<u8>(), 0..8),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let mut stream = words.concat().into_bytes();
        stream.extend(noise);
        stream.extend(b"\ndata: end\n\n");
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len())).collect();
        at.sort_unstable();
        let mut pieces = Vec::new();
        let mut from = 0;
        for cut in at {
            pieces.push(&stream[from..cut]);
            from = cut;
        }
        pieces.push(&stream[from..]);
        let whole = parse(&[&stream]);
        prop_assert_eq!(parse(&pieces), whole.clone());
        let bytes: Vec<&[u8]> = stream.chunks(1).collect();
        prop_assert_eq!(parse(&bytes), whole);
    }
}
