use std::collections::BTreeSet;

use eyes_evidence::code::Coded as _;
use proptest::{collection::vec, prelude::*};

use super::{super::estimate::request_tokens, *};
use crate::{
    model::{ToolCall, ToolResult},
    turn::Attachment,
};

const LIMIT: u64 = 4_096;

fn message(origin: Origin, role: Role, content: Vec<ContentBlock<Attachment>>) -> TurnMessage {
    TurnMessage {
        id: None,
        origin,
        role,
        content,
    }
}

fn words(count: usize) -> ContentBlock<Attachment> {
    ContentBlock::Text("word ".repeat(count))
}

fn said(count: usize) -> TurnMessage {
    message(Origin::Direct, Role::User, vec![words(count)])
}

fn answered(count: usize) -> TurnMessage {
    message(Origin::Direct, Role::Assistant, vec![words(count)])
}

fn injected(origin: Origin, count: usize) -> TurnMessage {
    message(origin, Role::User, vec![words(count)])
}

fn calls(ids: &[&str]) -> TurnMessage {
    let call = |id: &&str| {
        ContentBlock::ToolCall(ToolCall {
            id: (*id).to_owned(),
            name: "computer".to_owned(),
            arguments: r#"{"action":"click"}"#.to_owned(),
        })
    };
    message(
        Origin::Direct,
        Role::Assistant,
        ids.iter().map(call).collect(),
    )
}

fn result(id: &str, count: usize) -> TurnMessage {
    let result = ToolResult {
        call_id: id.to_owned(),
        tool_name: None,
        is_error: false,
        content: vec![words(count)],
    };
    message(
        Origin::Direct,
        Role::User,
        vec![ContentBlock::ToolResult(result)],
    )
}

fn limit(tokens: u64) -> ContextLimit {
    ContextLimit::new(tokens).expect("a limit")
}

fn request(messages: &[TurnMessage]) -> ContextRequest<'_> {
    ContextRequest {
        system: Some("You drive a desktop."),
        tools: &[],
        messages,
    }
}

fn bounded(messages: &[TurnMessage], tokens: u64) -> Result<Bounded, ContextError> {
    bound(&request(messages), limit(tokens))
}

fn kept(bounded: &Bounded, messages: &[TurnMessage]) -> Vec<usize> {
    (0..messages.len())
        .filter(|&at| bounded.keeps(at))
        .collect()
}

/// A task, then steps of one call each with results of `count` words.
fn session(steps: usize, count: usize) -> Vec<TurnMessage> {
    let ids: Vec<String> = (0..steps).map(|step| format!("c{step}")).collect();
    let mut messages = vec![said(20)];
    for id in &ids {
        messages.extend([calls(&[id]), result(id, count)]);
    }
    messages
}

#[test]
fn the_setting_is_zero_or_large_enough() {
    for (tokens, expected) in [
        (0, Some(ContextLimit::UNLIMITED)),
        (1, None),
        (4_095, None),
        (4_096, Some(ContextLimit(Some(4_096)))),
        (32_768, Some(ContextLimit::default())),
    ] {
        assert_eq!(ContextLimit::new(tokens), expected, "{tokens}");
    }
}

#[test]
fn what_fits_is_sent_whole() {
    let messages = session(3, 50);
    let whole = bounded(&messages, LIMIT).unwrap();
    assert!(whole.is_whole());
    assert_eq!(
        (whole.dropped, whole.saved().0, whole.notice()),
        (0, 0, None)
    );
    assert_eq!(
        whole.before,
        request_tokens(request(&messages).system, &[], &messages)
    );
    assert_eq!(whole.view(&messages).count(), messages.len());
    assert_eq!(whole.apply(messages.clone()), messages);
    let long = session(100, 500);
    let unlimited = bound(&request(&long), ContextLimit::UNLIMITED).unwrap();
    assert!(unlimited.is_whole());
}

#[test]
fn the_task_a_notice_and_the_newest_steps_are_sent() {
    let messages = session(40, 200);
    let bounded = bounded(&messages, LIMIT).unwrap();
    let kept = kept(&bounded, &messages);
    assert_eq!((kept[0], *kept.last().unwrap()), (0, messages.len() - 1));
    assert_eq!(kept.len() + bounded.dropped, messages.len());
    let sent = bounded.clone().apply(messages.clone());
    assert!(bounded.view(&messages).eq(&sent));
    assert_eq!((&sent[0], sent[1].origin), (&messages[0], Origin::Injected));
    let ContentBlock::Text(notice) = &sent[1].content[0] else {
        panic!("the notice is text");
    };
    let figure = format!("{} older messages", bounded.dropped);
    assert!(notice.contains(&figure), "{notice}");
    assert_eq!(sent[2].role, Role::Assistant, "a step begins with its call");
    let after = request_tokens(request(&sent).system, &[], &sent);
    assert_eq!(bounded.after, after);
    assert!((LIMIT / 2..=LIMIT).contains(&after.0), "{after:?}");
    let saved = bounded.before.0 - bounded.after.0;
    assert_eq!(bounded.saved().0, saved);
}

#[test]
fn earlier_turns_go_first_and_a_part_of_them_may_stay() {
    let mut messages = session(30, 200);
    messages.push(answered(20));
    messages.extend([said(5), calls(&["d"]), result("d", 200)]);
    let task = messages.len() - 3;
    let bounded = bounded(&messages, LIMIT).unwrap();
    let kept = kept(&bounded, &messages);
    assert!(kept[0] > 0 && kept[0] < task, "{kept:?}");
    let sent = bounded.apply(messages);
    assert_eq!(
        sent[0].origin,
        Origin::Injected,
        "the notice takes the place of what is left out"
    );
    assert_eq!(sent[1].role, Role::Assistant);
}

#[test]
fn the_newest_step_alone_may_be_too_much() {
    let mut messages = session(3, 100);
    messages.extend([calls(&["big"]), result("big", 6_000)]);
    let error = bounded(&messages, LIMIT).unwrap_err();
    assert_eq!(error.code().as_str(), "AUTOMATION_CONTEXT_LIMIT");
    let ContextError::Automation { needed, limit } = error else {
        panic!("{error}");
    };
    assert_eq!(limit, LIMIT);
    assert!(needed > 5_000 && error.to_string().contains(&needed.to_string()));
    let alone = [said(6_000)];
    let before = request_tokens(request(&alone).system, &[], &alone).0;
    let expected = ContextError::Automation {
        needed: before,
        limit: LIMIT,
    };
    assert_eq!(bounded_error(&alone), expected);
}

fn bounded_error(messages: &[TurnMessage]) -> ContextError {
    bounded(messages, LIMIT).unwrap_err()
}

#[test]
fn without_a_task_the_newest_steps_are_sent_behind_the_notice() {
    let mut messages = session(40, 200);
    messages[0].origin = Origin::Injected;
    assert_eq!(task_index(&messages), None);
    let bounded = bounded(&messages, LIMIT).unwrap();
    assert!(bounded.keeps(messages.len() - 1) && !bounded.keeps(0));
    let sent = bounded.apply(messages);
    assert_eq!(
        (sent[0].origin, sent[0].role),
        (Origin::Injected, Role::User)
    );
}

#[test]
fn the_task_is_the_newest_message_of_the_person_without_results() {
    let mut mixed = said(3);
    mixed.content.extend(result("c0", 1).content);
    let messages = [
        said(1),
        said(2),
        answered(3),
        mixed,
        injected(Origin::Injected, 4),
        injected(Origin::McpContext, 5),
    ];
    assert_eq!(task_index(&messages), Some(1));
    assert_eq!(task_index(&messages[2..]), None);
}

/// Checks which messages are one group; everything but the task is in one.
fn check_groups(messages: &[TurnMessage], expected: &[(usize, usize)]) {
    let sizes = vec![1; messages.len()];
    let groups = groups(messages, &sizes, task_index(messages));
    let spans: Vec<_> = groups
        .iter()
        .map(|group| (group.start, group.end))
        .collect();
    assert_eq!(spans, expected);
    let tokens: u64 = groups.iter().map(|group| group.tokens).sum();
    assert_eq!(tokens, messages.len() as u64 - 1);
}

#[test]
fn calls_and_their_results_are_one_group() {
    let other = || injected(Origin::Injected, 1);
    let parallel = [
        calls(&["a", "b"]),
        result("a", 1),
        other(),
        result("b", 1),
        other(),
    ];
    check_groups(&[&[said(1)], &parallel[..]].concat(), &[(1, 5), (5, 6)]);
    // A result behind the next step joins both.
    let late = [
        calls(&["a"]),
        calls(&["b"]),
        result("b", 1),
        result("a", 1),
        calls(&["c"]),
    ];
    check_groups(&[&[said(1)], &late[..]].concat(), &[(1, 5), (5, 6)]);
    // An id that is used again means the newest call.
    let again = [calls(&["a"]), result("a", 1), calls(&["a"]), result("a", 1)];
    check_groups(&[&[said(1)], &again[..]].concat(), &[(1, 3), (3, 5)]);
    // A word of the person between call and result is within the group.
    let said_within = [calls(&["a"]), said(1), result("a", 1), answered(1)];
    check_groups(&said_within, &[(0, 3), (3, 4)]);
}

#[test]
fn context_of_a_server_belongs_to_the_result_before_it() {
    let context = || injected(Origin::McpContext, 1);
    let messages = [
        said(1),
        calls(&["a"]),
        result("a", 1),
        context(),
        context(),
        injected(Origin::Injected, 1),
        context(),
    ];
    check_groups(&messages, &[(1, 5), (5, 6), (6, 7)]);
}

#[test]
fn what_has_no_partner_stands_alone() {
    let results = [said(1), result("x", 1), result("a", 1), calls(&["a"])];
    check_groups(&results, &[(1, 2), (2, 3), (3, 4)]);
    check_groups(&[said(1), calls(&["a"]), answered(1)], &[(1, 2), (2, 3)]);
    check_groups(&[said(1)], &[]);
}

#[test]
fn a_word_of_the_person_within_a_step_stays_when_the_step_goes() {
    let mut messages = vec![said(1), calls(&["a"]), said(30), result("a", 3_000)];
    for step in 0..4 {
        let id = format!("b{step}");
        messages.extend([calls(&[&id]), result(&id, 300)]);
    }
    let bounded = bounded(&messages, LIMIT).unwrap();
    let kept = kept(&bounded, &messages);
    assert_eq!(kept[0], 2, "{kept:?}");
    assert!(kept[1] >= 4);
    let sent = bounded.apply(messages.clone());
    assert_eq!((&sent[0], sent[1].origin), (&messages[2], Origin::Injected));
}

/// The share of calls whose request begins with the whole request of the call before.
#[test]
fn the_cut_stays_for_many_calls() {
    let whole = session(200, 60);
    let mut before: Vec<TurnMessage> = Vec::new();
    let (mut calls, mut moved) = (0, 0);
    for end in (3..=whole.len()).step_by(2) {
        let messages = whole[..end].to_vec();
        let sent = bounded(&messages, 8_192).unwrap().apply(messages);
        calls += 1;
        moved += usize::from(!sent.starts_with(&before));
        before = sent;
    }
    // 200 steps of about 100 tokens pass a room of about 8,000 and then move by about 2,000 at a time.
    assert_eq!(calls, 200);
    assert!((4..=9).contains(&moved), "{moved}");
}

/// Pairs of a call and the result that answers it, as indices of messages.
fn pairs(messages: &[TurnMessage]) -> (BTreeSet<(usize, usize)>, usize, usize) {
    let mut open: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let (mut pairs, mut orphans, mut calls) = (BTreeSet::new(), 0, 0);
    for (at, message) in messages.iter().enumerate() {
        for block in &message.content {
            match block {
                ContentBlock::ToolCall(call) => {
                    calls += 1;
                    open.insert(&call.id, at);
                }
                ContentBlock::ToolResult(result) => match open.get(result.call_id.as_str()) {
                    Some(&call) => drop(pairs.insert((call, at))),
                    None => orphans += 1,
                },
                _ => {}
            }
        }
    }
    (pairs, orphans, calls)
}

fn messages() -> impl Strategy<Value = Vec<TurnMessage>> {
    let id = || prop::sample::select(vec!["a", "b", "c", "d", "e"]);
    let one = prop_oneof![
        1 => (1..400_usize).prop_map(said),
        2 => (1..400_usize).prop_map(answered),
        1 => (1..100_usize).prop_map(|count| injected(Origin::Injected, count)),
        1 => (1..100_usize).prop_map(|count| injected(Origin::McpContext, count)),
        4 => vec(id(), 1..4).prop_map(|ids| calls(&ids)),
        6 => (id(), 1..500_usize).prop_map(|(id, count)| result(id, count)),
    ];
    vec(one, 0..80)
}

/// A task and steps as a host keeps them: every result right behind its call.
fn steps() -> impl Strategy<Value = Vec<TurnMessage>> {
    vec(vec(1..300_usize, 1..4), 0..40).prop_map(|steps| {
        let mut messages = vec![said(10)];
        for (at, sizes) in steps.iter().enumerate() {
            let ids: Vec<String> = (0..sizes.len())
                .map(|part| format!("{at}-{part}"))
                .collect();
            messages.push(calls(&ids.iter().map(String::as_str).collect::<Vec<_>>()));
            messages.extend(ids.iter().zip(sizes).map(|(id, &size)| result(id, size)));
        }
        messages
    })
}

proptest! {
    #[test]
    fn a_bounded_request_is_a_request(messages in messages(), tokens in LIMIT..20_000) {
        let Ok(bounded) = bounded(&messages, tokens) else {
            let task = task_index(&messages);
            let needed = groups(&messages, &messages.iter().map(message_tokens).collect::<Vec<_>>(), task)
                .last()
                .map_or(0, |group| group.tokens)
                + task.map_or(0, |task| message_tokens(&messages[task]));
            prop_assert!(needed + 200 > tokens, "refused {needed} within {tokens}");
            return Ok(());
        };
        let sent = bounded.clone().apply(messages.clone());
        prop_assert!(bounded.view(&messages).eq(&sent));
        // Within the limit, and as estimated.
        let after = request_tokens(request(&sent).system, &[], &sent);
        prop_assert_eq!(after, bounded.after);
        prop_assert!(after.0 <= tokens);
        // In order, with the task and the newest message.
        let kept = kept(&bounded, &messages);
        let notices = usize::from(bounded.notice().is_some());
        prop_assert_eq!(kept.len() + notices, sent.len());
        prop_assert_eq!(kept.len() + bounded.dropped, messages.len());
        let theirs: Vec<&TurnMessage> = sent.iter().filter(|m| Some(*m) != bounded.notice()).collect();
        let ours: Vec<&TurnMessage> = kept.iter().map(|&at| &messages[at]).collect();
        prop_assert_eq!(theirs, ours);
        let task = task_index(&messages);
        prop_assert!(task.is_none_or(|task| bounded.keeps(task)));
        if task.is_some_and(|task| task + 1 < messages.len()) {
            prop_assert!(bounded.keeps(messages.len() - 1));
        }
        // No pair is torn.
        for (call, result) in pairs(&messages).0 {
            prop_assert_eq!(bounded.keeps(call), bounded.keeps(result));
        }
        let kept_pairs = pairs(&messages).0.iter().filter(|(call, _)| bounded.keeps(*call)).count();
        let (after_pairs, after_orphans, _) = pairs(&sent);
        prop_assert_eq!(after_pairs.len(), kept_pairs);
        prop_assert!(after_orphans <= pairs(&messages).1);
        // Again changes nothing.
        let again = super::bound(&request(&sent), limit(tokens)).unwrap();
        prop_assert!(again.is_whole());
    }

    #[test]
    fn a_cut_only_moves_on(messages in steps(), tokens in LIMIT..12_000) {
        let mut first = 0;
        for end in 1..=messages.len() {
            let part = &messages[..end];
            let Ok(bounded) = bounded(part, tokens) else { continue };
            let from = bounded.cut.as_ref().map_or(0, |cut| cut.from);
            prop_assert!(from >= first, "{from} after {first}");
            first = from;
        }
    }
}
