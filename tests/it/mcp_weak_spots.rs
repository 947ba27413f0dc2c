//! What the published implementation was measured to get wrong between itself and a server's process; the other
//! weak spots are tested beside the code, under the same numbers.

use std::{collections::BTreeSet, fs, path::Path};

use eyes_mcp::{
    limits::{MAX_MESSAGE_BYTES, MAX_STDERR_BYTES, STDIO_READ_BYTES},
    wire::{Frame, Lines, MessageLimits},
};
use eyes_tests::mcp::{Plane, program};
use serde_json::{Value, json};

use crate::mcp_hostile::hostile;

/// The weak spots that the specification of the plane counts.
const WEAK_SPOTS: u32 = 20;

async fn echoes(plane: &Plane) {
    let echo = plane.call("a", "echo", json!({})).await;
    assert!(!echo.expect("an answer").is_error);
}

#[tokio::test(flavor = "multi_thread")]
async fn w5_standard_error_is_always_read_and_its_end_is_kept() {
    let plane = Plane::started([hostile("a", "plain")]).await;
    let before = plane.processes();
    for bytes in [300_000, 12_000_000] {
        let call = plane.call("a", "stderr", json!({"count": bytes})).await;
        assert!(!call.expect("an answer").is_error, "{bytes}");
        echoes(&plane).await;
    }
    let tail = plane.view("a").stderr_tail().expect("lines");
    assert!(tail.len() <= MAX_STDERR_BYTES);
    assert!(tail.contains("the last line"), "the newest lines are kept");
    assert_eq!(plane.processes(), before);
    plane.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn w8_an_oversized_line_fails_its_request_and_keeps_the_connection() {
    let plane = Plane::started([hostile("a", "plain")]).await;
    let before = plane.processes();
    let fits = plane.call("a", "text", json!({"count": 11_000_000})).await;
    let fits = fits.expect("more than the published bound of a line");
    assert!(fits.result.bytes > 11_000_000 && fits.result.artifact.is_some());
    let (large, small) = tokio::join!(
        plane.call("a", "texts", json!({"count": MAX_MESSAGE_BYTES})),
        plane.call("a", "text", json!({"count": 5})),
    );
    let error = large.expect_err("a line beyond the bound");
    assert_eq!(error.code.as_str(), "MCP_MESSAGE_SIZE_LIMIT");
    assert_eq!(small.expect("an answer").result.preview, "xxxxx");
    echoes(&plane).await;
    assert_eq!(plane.processes(), before, "it is the same process");
    plane.end().await;
}

/// A line is looked at once, byte by byte, and what is kept of it is moved a bounded number of times.
#[test]
fn w9_a_long_line_is_taken_in_linear_work_and_bounded_memory() {
    let text = "x".repeat(8 << 20);
    let line = format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": 1, "result": {"x": text}})
    );
    for piece in [STDIO_READ_BYTES, 4_096] {
        let mut lines = Lines::new(MessageLimits::default());
        let (mut frames, mut moved, mut arrived) = (Vec::new(), 0, 0);
        for chunk in line.as_bytes().chunks(piece) {
            let held = lines.held();
            let pushed = lines.push(chunk);
            assert_eq!(pushed.used, chunk.len(), "no byte is pushed again");
            if lines.held() > held {
                moved += arrived;
            }
            arrived += chunk.len();
            assert!(lines.held() <= 2 * arrived && lines.held() <= MAX_MESSAGE_BYTES);
            frames.extend(pushed.frame);
        }
        let [Frame::Message(message)] = frames.as_slice() else {
            panic!("one message");
        };
        assert_eq!(message.bytes.len() + 1, line.len());
        assert!(
            moved <= 2 * line.len(),
            "{moved} bytes moved in pieces of {piece}"
        );
    }
}

/// The highest memory that this process ever had, in bytes; nothing where the system has no `/proc`.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}

/// Needs a process of its own, which the test runner gives to each test.
#[tokio::test(flavor = "multi_thread")]
async fn w9_a_line_without_an_end_does_not_fill_the_memory() {
    let before = peak_memory();
    let plane = Plane::started([hostile("a", "endless-line")]).await;
    let view = plane.view("a");
    let error = view.health.tools_error.as_ref().expect("a reason");
    assert_eq!(error.code.as_str(), "MCP_MESSAGE_SIZE_LIMIT");
    plane.end().await;
    if let (Some(before), Some(after)) = (before, peak_memory()) {
        let grown = after - before;
        // The old and the new place of what is kept, while it is moved; the server wrote twice the bound.
        let bound = 2 * MAX_MESSAGE_BYTES as u64;
        assert!(grown < bound, "{grown} bytes for a line beyond the bound");
    }
}

/// Starts a server the way `npx` does: below a shell that waits for it.
fn below_a_shell(mode: &str) -> Value {
    let script = format!("\"{}\" {mode}; true", env!("CARGO_BIN_EXE_mcp_hostile"));
    let mut server = program("a", "sh", &["-c", &script]);
    server["resourcesEnabled"] = json!(false);
    server["promptsEnabled"] = json!(false);
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn w10_what_a_server_started_ends_with_it() {
    for (server, least) in [
        (below_a_shell("plain"), 2),
        (hostile("a", "ignores-end"), 3),
        (below_a_shell("ignores-end"), 4),
    ] {
        let plane = Plane::started([server.clone()]).await;
        echoes(&plane).await;
        if cfg!(target_os = "linux") {
            assert!(plane.processes().len() >= least, "{server}");
        }
        // It looks for what is left.
        plane.end().await;
    }
}

/// Collects the names of test functions `wN_...` below a folder.
fn numbered(folder: &Path, found: &mut BTreeSet<u32>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            numbered(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            let names = text.lines().filter_map(|line| line.split("fn w").nth(1));
            let numbers = names.filter_map(|name| name.split('_').next()?.parse::<u32>().ok());
            found.extend(numbers);
        }
    }
}

#[test]
fn every_weak_spot_has_a_test_of_its_number() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    numbered(&tests.join("it"), &mut found);
    numbered(&tests.join("../crates/eyes-mcp/src"), &mut found);
    assert_eq!(found, (1..=WEAK_SPOTS).collect());
}
