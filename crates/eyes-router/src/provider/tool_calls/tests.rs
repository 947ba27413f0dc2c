use std::borrow::Cow;

use proptest::{collection::vec, prelude::*};

use super::*;
use crate::{
    model::{Message, Role},
    provider::fixture::request,
};

fn written(calls: &[ToolCall]) -> String {
    let line = |call: &ToolCall| format!("{} {} {}", call.id, call.name, call.arguments);
    calls.iter().map(line).collect::<Vec<_>>().join(", ")
}

/// `index`, id, name and arguments of one piece.
type Piece<'a> = (Option<u64>, &'a str, &'a str, &'a str);

fn taken(pieces: &[Piece<'_>]) -> String {
    let mut calls = ToolCalls::default();
    for &(index, id, name, arguments) in pieces {
        let arguments = Cow::Borrowed(arguments);
        let delta = Delta {
            index,
            id,
            name,
            arguments,
        };
        calls.take(&delta).expect("within bounds");
    }
    match calls.finish(false) {
        Ok(calls) => written(&calls),
        Err(fault) => format!("{fault:?}"),
    }
}

const PIECES: &[(&[Piece<'_>], &str)] = &[
    // As OpenAI sends them, one after the other and in turns.
    (
        &[
            (Some(0), "a", "look", ""),
            (Some(0), "", "", "{\"x\":"),
            (Some(1), "b", "read", ""),
            (Some(1), "", "", "{}"),
            (Some(0), "", "", "1}"),
        ],
        "a look {\"x\":1}, b read {}",
    ),
    // Ollama: whole calls that are all the first.
    (
        &[
            (Some(0), "a", "look", "{}"),
            (Some(0), "b", "look", "{\"x\":1}"),
        ],
        "a look {}, b look {\"x\":1}",
    ),
    // An old vLLM: the same with pieces.
    (
        &[
            (Some(0), "a", "look", ""),
            (Some(0), "", "", "{}"),
            (Some(0), "b", "look", ""),
            (Some(0), "", "", "{\"x\":1}"),
        ],
        "a look {}, b look {\"x\":1}",
    ),
    // vLLM: an id of its own for each piece.
    (
        &[
            (Some(0), "a", "look", ""),
            (Some(0), "b", "", "{}"),
            (Some(1), "c", "read", "{}"),
        ],
        "a look {}, c read {}",
    ),
    // Id and name with each piece.
    (
        &[
            (Some(0), "a", "look", "{"),
            (Some(0), "a", "look", "}"),
            (None, "a", "look", ""),
        ],
        "a look {}",
    ),
    // No index.
    (
        &[
            (None, "a", "look", "{"),
            (None, "", "", "}"),
            (None, "b", "read", "{}"),
        ],
        "a look {}, b read {}",
    ),
    // Neither index nor id.
    (
        &[
            (None, "", "look", "{"),
            (None, "", "look", "}"),
            (None, "", "look", "{}"),
        ],
        "eyes_call_0 look {}, eyes_call_1 look {}",
    ),
    // No id, each call the first.
    (
        &[
            (Some(0), "", "look", "{}"),
            (Some(0), "", "look", "{\"x\":1}"),
        ],
        "eyes_call_0 look {}, eyes_call_1 look {\"x\":1}",
    ),
    // The id comes late, the name in two pieces, or longer each time.
    (
        &[(Some(0), "", "get_", ""), (Some(0), "a", "time", "{}")],
        "a get_time {}",
    ),
    (
        &[
            (Some(0), "a", "get", ""),
            (Some(0), "a", "get_time", ""),
            (Some(0), "", "", "{}"),
        ],
        "a get_time {}",
    ),
    // One id for two calls.
    (
        &[(Some(0), "a", "look", "{}"), (Some(1), "a", "read", "{}")],
        "a look {}, eyes_call_0 read {}",
    ),
    // An index that no piece with a name had.
    (
        &[(None, "a", "look", "{"), (Some(0), "", "", "}")],
        "a look {}",
    ),
    // Nothing, no arguments, no name.
    (&[(Some(0), "", "", "")], ""),
    (&[(Some(0), "a", "look", "")], "a look {}"),
    (
        &[(Some(0), "a", "", "{}")],
        "Invalid(\"a tool call has no name\")",
    ),
];

#[test]
fn pieces_find_their_call_whatever_a_server_leaves_out() {
    for (pieces, expected) in PIECES {
        assert_eq!(&taken(pieces), expected, "{pieces:?}");
    }
}

#[test]
fn own_ids_are_new_in_the_conversation() {
    let mut request = request();
    for (id, expected) in [
        ("call_9", "eyes_call_0"),
        ("eyes_call_7", "eyes_call_8"),
        ("eyes_call_3", "eyes_call_8"),
        ("eyes_call_x", "eyes_call_8"),
    ] {
        request.messages.push(Message {
            role: Role::Assistant,
            content: vec![ContentBlock::ToolCall(ToolCall {
                id: id.to_owned(),
                name: "look".to_owned(),
                arguments: "{}".to_owned(),
            })],
        });
        let mut calls = ToolCalls::after(&request);
        calls.begin("", "", "look").expect("within bounds");
        let delivered = calls.finish(false).expect("a call");
        assert_eq!(delivered[0].id, expected);
    }
}

#[test]
fn a_call_that_was_cut_off_is_no_call() {
    for (arguments, is_cut, expected) in [
        ("{\"x\":", true, "a look {}"),
        ("", true, "a look {}"),
        ("\"{", true, "a look {}"),
        ("{\"x\":1}", true, "a look {}, b look {\"x\":1}"),
        ("{\"x\":", false, "a look {}, b look {\"x\":"),
    ] {
        let mut calls = ToolCalls::default();
        for (id, arguments) in [("a", "{}"), ("b", arguments)] {
            calls.begin(id, id, "look").expect("within bounds");
            calls.add(id, arguments).expect("within bounds");
        }
        let delivered = calls.finish(is_cut).expect("calls");
        assert_eq!(written(&delivered), expected);
    }
}

#[test]
fn only_what_is_closed_in_front_is_settled() {
    let mut calls = ToolCalls::default();
    for id in ["a", "b", "c"] {
        calls.begin(id, id, "look").expect("within bounds");
    }
    calls.close("b");
    assert_eq!(calls.settled(), Ok(Vec::new()));
    calls.close("a");
    assert_eq!(
        written(&calls.settled().expect("calls")),
        "a look {}, b look {}"
    );
    // What was delivered is not delivered again, and an id is given once.
    calls.whole("a", "a", "look", "{}").expect("within bounds");
    calls
        .whole("c", "c", "look", "{\"x\":1}")
        .expect("within bounds");
    calls.begin("d", "a", "look").expect("within bounds");
    assert_eq!(
        written(&calls.finish(false).expect("calls")),
        "c look {\"x\":1}, eyes_call_0 look {}"
    );
}

#[test]
fn number_and_size_of_calls_are_bounded() {
    let mut calls = ToolCalls::default();
    for number in 0..MAX_TOOL_CALLS {
        calls
            .begin("", &number.to_string(), "look")
            .expect("within the bound");
    }
    assert!(matches!(
        calls.begin("", "", "look"),
        Err(Fault::TooLong(_))
    ));

    let piece = "x".repeat(MAX_TOOL_CALL_BYTES / 2);
    let mut calls = ToolCalls::default();
    calls.begin("", "", "look").expect("within the bound");
    calls.add("", &piece).expect("within the bound");
    // What replaces the pieces does not count twice.
    for _ in 0..3 {
        calls.replace("", &piece).expect("within the bound");
    }
    assert!(matches!(calls.add("", &piece), Err(Fault::TooLong(_))));
}

/// How a server names the pieces of its calls.
#[derive(Debug, Clone, Copy)]
enum Naming {
    /// Id and name once, then the index.
    ByIndex,
    /// Id and name with each piece.
    Again,
    /// Id and name once, and no index at all.
    InOrder,
    /// An id of its own for each piece, the name once.
    AnyId,
}

proptest! {
    #[test]
    fn calls_are_what_they_were_before_they_were_cut(
        calls in vec((vec("[a-z\\\\\"{} é]{0,9}", 0..5), 0..5_usize), 1..6),
        naming in prop::sample::select(vec![Naming::ByIndex, Naming::Again, Naming::InOrder, Naming::AnyId]),
    ) {
        let mut taken = ToolCalls::default();
        let mut expected = Vec::new();
        for (number, (texts, cut)) in calls.iter().enumerate() {
            let whole = serde_json::to_string(&serde_json::json!({"texts": texts})).expect("JSON");
            let (id, name) = (format!("id{number}"), format!("tool{number}"));
            let letters: Vec<char> = whole.chars().collect();
            for (at, piece) in letters.chunks(cut + 1).enumerate() {
                let own = format!("id{number}-{at}");
                let first = at == 0;
                let (index, id, name) = match naming {
                    Naming::ByIndex | Naming::AnyId if first => (Some(number as u64), id.as_str(), name.as_str()),
                    Naming::ByIndex => (Some(number as u64), "", ""),
                    Naming::Again => (Some(number as u64), id.as_str(), name.as_str()),
                    Naming::InOrder if first => (None, id.as_str(), name.as_str()),
                    Naming::InOrder => (None, "", ""),
                    Naming::AnyId => (Some(number as u64), own.as_str(), ""),
                };
                let arguments = Cow::Owned(piece.iter().collect::<String>());
                taken.take(&Delta { index, id, name, arguments }).expect("within bounds");
            }
            expected.push(ToolCall { id, name, arguments: whole });
        }
        prop_assert_eq!(taken.finish(false), Ok(expected));
    }
}
