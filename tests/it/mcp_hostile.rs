//! Servers that misbehave, each in its own way: what is refused, what goes on, and that nothing is left.
//!
//! The servers are real processes (`mcp_hostile MODE`) below the plane as `eyes` composes it.

use std::sync::Arc;

use ServerStatus::{Connected, Error};
use eyes_mcp::{
    connection::{ServerStatus, ServerView},
    limits::{MAX_STDERR_BYTES, MIN_CALL_TIMEOUT_MS},
    ports::{Progress, ProgressSink},
};
use eyes_tests::mcp::{Plane, program, server_id};
use serde_json::{Value, json};
use tokio::{sync::Notify, task::JoinSet};

/// A server that lists what it should.
const PLAIN: &str = "plain";
const TOOLS: usize = 13;

pub(crate) fn hostile(id: &str, mode: &str) -> Value {
    let mut server = program(id, env!("CARGO_BIN_EXE_mcp_hostile"), &[mode]);
    server["resourcesEnabled"] = json!(false);
    server["promptsEnabled"] = json!(false);
    server
}

/// A way to list tools, and what becomes of it.
struct Listing {
    mode: &'static str,
    /// Why there are no tools at all.
    error: Option<&'static str>,
    status: ServerStatus,
    tools: usize,
    /// Tools that are left out, each with the reason.
    refused: &'static [(&'static str, &'static str)],
}

const fn listing(mode: &'static str, tools: usize) -> Listing {
    Listing {
        mode,
        error: None,
        status: Connected,
        tools,
        refused: &[],
    }
}

const fn rejected(mode: &'static str, code: &'static str) -> Listing {
    Listing {
        error: Some(code),
        status: Error,
        ..listing(mode, 0)
    }
}

const LISTINGS: [Listing; 15] = [
    listing(PLAIN, TOOLS),
    listing("pages", TOOLS),
    listing("chatters", TOOLS),
    listing("rug-pull", TOOLS),
    rejected("cursor-loop", "MCP_CATALOG_CURSOR_LOOP"),
    rejected("endless-pages", "MCP_CATALOG_PAGE_LIMIT"),
    rejected("deep-schema", "MCP_MESSAGE_SHAPE_LIMIT"),
    rejected("long-line", "MCP_MESSAGE_SIZE_LIMIT"),
    rejected("endless-line", "MCP_MESSAGE_SIZE_LIMIT"),
    rejected("many-tools", "MCP_CATALOG_TOOL_LIMIT"),
    rejected("large-catalogue", "MCP_CATALOG_SCHEMA_CHARS_LIMIT"),
    Listing {
        refused: &[("echo", "MCP_CATALOG_DUPLICATE_TOOL")],
        ..listing("duplicate", TOOLS)
    },
    Listing {
        refused: &[("text", "MCP_CATALOG_SCHEMA_INVALID")],
        ..listing("no-object-schema", TOOLS - 1)
    },
    listing("top-level-any-of", TOOLS),
    Listing {
        refused: &[
            ("delete\\u{a}all", "MCP_CATALOG_NAME_INVALID"),
            ("zero\\u{200b}width", "MCP_CATALOG_NAME_INVALID"),
            ("", "MCP_CATALOG_NAME_INVALID"),
            ("", "MCP_CATALOG_NAME_INVALID"),
        ],
        ..listing("bad-names", TOOLS)
    },
];

fn check(view: &ServerView, expected: &Listing) {
    let mode = expected.mode;
    let error = view.health.tools_error.as_ref();
    assert_eq!(
        error.map(|error| error.code.as_str()),
        expected.error,
        "{mode}: {error:?}"
    );
    assert_eq!(view.status, expected.status, "{mode}");
    assert!(view.is_live(), "{mode}");
    assert_eq!(view.tools.allowed().len(), expected.tools, "{mode}");
    let refused = &view.tools.catalog().refused;
    let codes: Vec<&str> = refused.iter().map(|entry| entry.code.as_str()).collect();
    let wanted: Vec<&str> = expected.refused.iter().map(|(_, code)| *code).collect();
    assert_eq!(codes, wanted, "{mode}: {refused:?}");
    for (entry, (name, _)) in refused.iter().zip(expected.refused) {
        let is_it = entry.name == *name || name.is_empty();
        assert!(is_it, "{mode}: {entry:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_any_kind_is_admitted_in_part_refused_with_a_code_and_harms_no_other_server() {
    for expected in &LISTINGS {
        let plane = Plane::started([hostile("bad", expected.mode), hostile("good", PLAIN)]).await;
        check(&plane.view("bad"), expected);
        if expected.tools > 0 {
            let echo = plane.call("bad", "echo", json!({})).await;
            assert!(!echo.expect("an answer").is_error, "{}", expected.mode);
        }
        check(&plane.view("good"), &LISTINGS[0]);
        let echo = plane.call("good", "echo", json!({})).await;
        assert!(!echo.expect("an answer").is_error, "{}", expected.mode);
        plane.end().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_with_odd_names_and_schemas_can_be_called() {
    let plane = Plane::started([hostile("a", "odd-names"), hostile("b", "top-level-any-of")]).await;
    let view = plane.view("a");
    assert_eq!(view.tools.allowed().len(), TOOLS + 5);
    for tool in view.tools.allowed().iter().skip(TOOLS) {
        let name = tool.public_name.as_str();
        let is_fit = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        assert!(name.len() <= 64 && name.chars().all(is_fit), "{name}");
        let short = name.strip_prefix("mcp__a__").expect("a public name");
        let outcome = plane.call("a", short, json!({})).await.expect("an answer");
        assert!(
            outcome.result.preview.contains(&tool.definition.name),
            "{name}"
        );
    }
    let fits = plane.call("b", "text", json!({"b": 3})).await;
    assert!(!fits.expect("an answer").is_error);
    let refused = plane.call("b", "text", json!({"a": 1, "b": "x"})).await;
    let error = refused.expect_err("nothing of the schema fits");
    assert_eq!(error.code.as_str(), "MCP_TOOL_ARGUMENTS_INVALID");
    assert!(!error.sent);
    plane.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_description_that_changes_under_an_approved_name_stops_that_tool_alone() {
    let plane = Plane::started([hostile("a", "rug-pull")]).await;
    drop(plane.call("a", "echo", json!({})).await.expect("an answer"));
    let report = plane.manager.refresh(&server_id("a")).await;
    assert!(report.expect("a report").ok);
    let refused = plane.call("a", "echo", json!({})).await;
    let error = refused.expect_err("nobody approved the change");
    assert_eq!(error.code.as_str(), "MCP_TOOL_NOT_APPROVED");
    assert!(!error.sent);
    let other = plane.call("a", "noise", json!({"count": 1})).await;
    assert!(!other.expect("an answer").is_error);
    plane.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_ends_at_once_is_told_with_its_last_words() {
    let plane = Plane::new([hostile("a", "ends-at-once")]);
    let report = plane.manager.test(&server_id("a")).await.expect("a report");
    assert!(!report.ok);
    let view = plane.view("a");
    let error = view.health.last_error.as_ref().expect("a reason");
    assert_eq!(error.code.as_str(), "MCP_CONNECT_FAILED");
    assert!(error.message.contains("there is no database"), "{error}");
    let call = plane.call("a", "echo", json!({})).await;
    let error = call.expect_err("there is no server");
    assert_eq!(error.code.as_str(), "MCP_TOOL_UNAVAILABLE");
    plane.end().await;
}

/// What becomes of a call: how many bytes its result has, or the code of the failure.
const CALLS: [(&str, usize, Result<usize, &str>); 12] = [
    ("text", 11_000_000, Ok(11_000_000)),
    ("text", 17_000_000, Err("MCP_RESULT_STRING_LIMIT")),
    ("text", 45_000_000, Err("MCP_MESSAGE_SHAPE_LIMIT")),
    ("texts", 60_000_000, Err("MCP_MESSAGE_SIZE_LIMIT")),
    ("values", 40_000, Ok(40_000)),
    ("values", 60_000, Err("MCP_RESULT_NODE_LIMIT")),
    ("values", 1_100_000, Err("MCP_MESSAGE_SHAPE_LIMIT")),
    ("nest", 80, Err("MCP_RESULT_DEPTH_LIMIT")),
    ("nest", 100_000, Err("MCP_MESSAGE_SHAPE_LIMIT")),
    ("stderr", 12_000_000, Ok(1)),
    ("noise", 10_000, Ok(1)),
    ("stranger", 1, Ok(1)),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_result_of_any_kind_fails_its_call_alone() {
    let plane = Plane::started([hostile("a", PLAIN)]).await;
    let before = plane.processes();
    for (tool, count, expected) in CALLS {
        let answer = plane.call("a", tool, json!({"count": count})).await;
        match (answer, expected) {
            (Ok(outcome), Ok(least)) => {
                let result = outcome.result;
                assert!(result.bytes >= least as u64, "{tool} {count}: {result:?}");
                let is_bounded = result.preview.encode_utf16().count() <= 20_000;
                assert!(is_bounded, "{tool} {count}");
                assert_eq!(
                    result.truncated,
                    result.artifact.is_some(),
                    "{tool} {count}"
                );
            }
            (Err(error), Err(code)) => {
                assert_eq!(error.code.as_str(), code, "{tool} {count}: {error}");
                assert!(error.sent, "{tool} {count}");
            }
            (answer, _) => panic!("{tool} {count}: {answer:?}"),
        }
        let echo = plane.call("a", "echo", json!({"count": count})).await;
        assert!(!echo.expect("an answer").is_error, "after {tool} {count}");
        assert_eq!(plane.processes(), before, "{tool} {count}: a new process");
    }
    let tail = plane.view("a").stderr_tail().expect("lines");
    assert!(tail.len() <= MAX_STDERR_BYTES && tail.contains("the last line"));
    plane.end().await;
}

/// Waits for the last step of ten.
#[derive(Debug, Default)]
struct Steps(Notify);

impl ProgressSink for Steps {
    fn progress(&self, progress: Progress) {
        if progress.progress >= 10.0 {
            self.0.notify_one();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_changes_silence_and_refusals_are_told_and_the_session_goes_on() {
    let mut silent = hostile("silent", PLAIN);
    silent["timeoutMs"] = json!(MIN_CALL_TIMEOUT_MS * 30);
    let plane = Plane::started([hostile("a", PLAIN), silent]).await;
    let steps = Arc::new(Steps::default());
    let sink = Arc::clone(&steps) as Arc<dyn ProgressSink>;
    let watched = plane.call_watched("a", "progress", json!({"count": 10}), Some(sink));
    // The call is dropped once its last step was heard, which cancels it at the server.
    tokio::select! {
        answer = watched => panic!("{answer:?}"),
        () = steps.0.notified() => {}
    }
    drop(
        plane
            .call("a", "change", json!({}))
            .await
            .expect("an answer"),
    );
    let is_added = |view: &ServerView| view.tools.get("mcp__a__added").is_some();
    plane.until("a", is_added).await;
    drop(
        plane
            .call("a", "added", json!({}))
            .await
            .expect("an answer"),
    );
    let refused = plane.call("a", "refuse", json!({})).await;
    let refused = refused.expect("an answer");
    assert!(refused.is_error && refused.result.preview.contains("it cannot be done"));
    let answer = plane.call("silent", "silence", json!({})).await;
    let error = answer.expect_err("nobody answers");
    assert_eq!(error.code.as_str(), "MCP_REQUEST_TIMEOUT");
    assert!(error.sent);
    let echo = plane.call("silent", "echo", json!({})).await;
    assert!(!echo.expect("an answer").is_error);
    plane.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_in_the_middle_of_a_call_fails_it_and_the_next_call_has_a_new_process() {
    let plane = Plane::started([hostile("a", PLAIN)]).await;
    let (before, view) = (plane.processes(), plane.view("a"));
    let crashed = plane.call("a", "crash", json!({})).await;
    let error = crashed.expect_err("the process is gone");
    assert_eq!(error.code.as_str(), "MCP_CONNECTION_UNHEALTHY");
    assert!(error.sent, "it is not called again on its own");
    plane.anew("a", &view).await;
    let echo = plane.call("a", "echo", json!({})).await;
    assert!(!echo.expect("an answer").is_error);
    assert!(plane.processes().is_disjoint(&before));
    plane.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_side_by_side_share_the_fate_of_none_but_their_own() {
    let plane = Arc::new(Plane::started([hostile("a", PLAIN)]).await);
    let mut calls = JoinSet::new();
    for at in 0..40_usize {
        let plane = Arc::clone(&plane);
        calls.spawn(async move {
            let fails = at % 8 == 0;
            let (tool, count) = if fails { ("nest", 5_000) } else { ("text", at) };
            match plane.call("a", tool, json!({"count": count})).await {
                Ok(outcome) => assert_eq!(outcome.result.preview, "x".repeat(at)),
                Err(error) => assert_eq!(error.code.as_str(), "MCP_MESSAGE_SHAPE_LIMIT"),
            }
            fails
        });
    }
    let fates = calls.join_all().await;
    assert_eq!(fates.iter().filter(|fails| **fails).count(), 5);
    Arc::into_inner(plane).expect("nobody calls").end().await;
}
