//! Two processes append to one log, one of them is killed: what was reported as written is there, in one chain.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use eyes_evidence::audit::chain::{ChainedLog, LogBounds};
use serde_json::Value;

fn writer(path: &Path, name: &str, count: u64, bounds: LogBounds) -> Child {
    Command::new(env!("CARGO_BIN_EXE_log_writer"))
        .arg(path)
        .args([name.to_owned(), count.to_string()])
        .args([bounds.file_bytes.to_string(), bounds.files.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the writer starts")
}

/// The numbers in whole lines; a line that was cut off was not reported.
fn reported(text: &str) -> BTreeSet<u64> {
    text.split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
        .map(|line| line.parse().expect("a number"))
        .collect()
}

fn check(count: u64, kill_after: usize, bounds: LogBounds) -> (ChainedLog, tempfile::TempDir) {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("events.jsonl");
    let mut survivor = writer(&path, "survivor", count, bounds);
    let mut victim = writer(&path, "victim", 1_000_000, bounds);
    let mut survivor_out = survivor.stdout.take().expect("a pipe");
    let reader = thread::spawn(move || {
        let mut text = String::new();
        survivor_out.read_to_string(&mut text).expect("a text");
        text
    });
    let mut victim_out = BufReader::new(victim.stdout.take().expect("a pipe"));
    let mut text = String::new();
    for _ in 0..kill_after {
        assert!(
            victim_out.read_line(&mut text).expect("a line") > 0,
            "the writer ended early"
        );
    }
    victim.kill().expect("it is killed");
    victim_out.read_to_string(&mut text).expect("a text");
    assert!(!victim.wait().expect("it ends").success());
    assert!(survivor.wait().expect("it ends").success());

    let log = ChainedLog::open(&path, bounds).expect("a log");
    let report = log.verify().expect("it can be read");
    assert!(report.is_intact(), "{report:?}");
    let entries = log.newest::<Value>(usize::MAX).expect("entries");
    assert_eq!(entries.len() as u64, report.lines);
    assert_eq!(
        entries.first().map(|entry| entry.number),
        Some(report.dropped + 1)
    );
    for (name, reported) in [
        ("survivor", reported(&reader.join().expect("read"))),
        ("victim", reported(&text)),
    ] {
        let kept: Vec<u64> = entries
            .iter()
            .filter(|entry| entry.event["writer"] == name)
            .filter_map(|entry| entry.event["event"].as_u64())
            .collect();
        assert!(
            kept.windows(2).all(|pair| pair[0] + 1 == pair[1]),
            "{name}: in order, each once"
        );
        if report.dropped == 0 {
            assert!(
                reported.iter().all(|number| kept.contains(number)),
                "{name}"
            );
        }
        // One event may have been written and not reported.
        assert!(
            kept.iter()
                .filter(|number| !reported.contains(number))
                .count()
                <= 1,
            "{name}"
        );
    }
    (log, dir)
}

#[test]
fn every_reported_event_is_in_the_chain_after_a_kill() {
    let (log, _dir) = check(2_000, 700, LogBounds::default());
    assert_eq!(log.verify().expect("it can be read").dropped, 0);
}

#[test]
fn rotation_under_a_kill_keeps_the_chain() {
    let bounds = LogBounds {
        file_bytes: 4 << 10,
        files: 4,
    };
    let (log, _dir) = check(1_000, 300, bounds);
    let report = log.verify().expect("it can be read");
    assert!(report.dropped > 0 && report.files.len() == 4, "{report:?}");
}
