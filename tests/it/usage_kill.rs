//! Two processes record in one ledger, one of them is killed: what was flushed is there, once.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use eyes_usage::{
    event::UsageRoute,
    ledger::{Ledger, LedgerBounds, LedgerPartKind},
    ports::UsageSink,
    state::{RouteKey, UsageState},
    testing::sample_event,
};

const EVENTS: u64 = 10_000;
const BATCH: u64 = 100;

fn writer(path: &Path, name: &str, count: u64, compact_bytes: u64) -> Child {
    Command::new(env!("CARGO_BIN_EXE_usage_writer"))
        .arg(path)
        .arg(name)
        .args([count, BATCH, compact_bytes].map(|number| number.to_string()))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

/// The number in the last whole line; a line that was cut off was not reported.
fn reported(text: &str) -> u64 {
    let mut lines = text.split_inclusive('\n').rev();
    let whole = lines.find(|line| line.ends_with('\n'));
    whole.map_or(0, |line| line.trim().parse().expect("a number"))
}

/// Calls of a writer in all days, and the sum of the numbers of its events.
fn recorded(state: &UsageState, name: &str) -> (u64, u64) {
    let route = UsageRoute::new("writer", name).expect("a name");
    let total = state.total();
    let usage = total.routes().get(&RouteKey::Named(route));
    let usage = usage.map(|usage| *usage.additional().exact());
    usage.map_or((0, 0), |usage| (usage.calls, usage.tokens.input))
}

/// The sum of the numbers of the first events.
fn sum(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

fn check(compact_bytes: u64, kill_after: u64) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("usage.jsonl");
    let survivor = writer(&path, "survivor", EVENTS, compact_bytes);
    let mut victim = writer(&path, "victim", 100 * EVENTS, compact_bytes);
    let survivor = thread::spawn(move || survivor.wait_with_output().expect("it ends"));
    let mut victim_out = BufReader::new(victim.stdout.take().expect("a pipe"));
    let mut text = String::new();
    while reported(&text) < kill_after {
        let read = victim_out.read_line(&mut text).expect("a line");
        assert!(read > 0, "the writer ended early");
    }
    victim.kill().expect("it is killed");
    victim_out.read_to_string(&mut text).expect("a text");
    assert!(!victim.wait().expect("it ends").success());
    let survived = survivor.join().expect("it was waited for");
    assert!(survived.status.success(), "{survived:?}");
    assert_eq!(reported(&String::from_utf8_lossy(&survived.stdout)), EVENTS);

    let reading = Ledger::read(&path).expect("a ledger");
    let missing = reading.state.missing();
    assert!(missing.torn_lines <= 1, "{missing:?}");
    assert_eq!((missing.damaged_lines, missing.lost_events), (0, 0));
    assert_eq!(recorded(&reading.state, "survivor"), (EVENTS, sum(EVENTS)));
    let (calls, numbers) = recorded(&reading.state, "victim");
    let flushed = reported(&text);
    // Events that were written and not reported may be there as well: the first ones, each once.
    assert!(
        (flushed..=flushed + BATCH).contains(&calls),
        "{flushed} {calls}"
    );
    assert_eq!(numbers, sum(calls));

    // Nothing is left in the way of the next writer.
    let ledger = Ledger::open(
        &path,
        LedgerBounds {
            compact_bytes: 1,
            ..LedgerBounds::default()
        },
    );
    let ledger = ledger.expect("it opens");
    ledger.record(&[sample_event(0)]);
    ledger.flush().expect("it is written");
    let again = Ledger::read(&path).expect("a ledger");
    let mut expected = reading.state;
    expected.fold(&sample_event(0));
    assert_eq!(again.state, expected);
    let parts = Ledger::parts(&path).expect("a listing").into_iter();
    let kinds: Vec<LedgerPartKind> = parts.map(|part| part.kind).collect();
    assert_eq!(kinds, [LedgerPartKind::Ledger, LedgerPartKind::Lock]);
}

#[test]
fn ten_thousand_events_of_two_processes_survive_a_kill() {
    check(LedgerBounds::default().compact_bytes, 4_300);
}

#[test]
fn a_kill_between_many_compactions_loses_nothing() {
    for kill_after in [700, 2_900] {
        check(8 << 10, kill_after);
    }
}

#[test]
fn two_processes_of_ten_thousand_events_lose_none() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("usage.jsonl");
    let names = ["one", "two"];
    let writers = names.map(|name| writer(&path, name, EVENTS, 256 << 10));
    for writer in writers {
        let output = writer.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{output:?}");
    }
    let reading = Ledger::read(&path).expect("a ledger");
    assert!(reading.state.missing().is_none());
    for name in names {
        assert_eq!(recorded(&reading.state, name), (EVENTS, sum(EVENTS)));
    }
    assert_eq!(reading.state.total().additional().exact().calls, 2 * EVENTS);
    assert_eq!(reading.state.sessions().len(), 14);
}
