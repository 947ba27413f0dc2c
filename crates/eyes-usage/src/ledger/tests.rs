//! What is on the disk, who may see it, and what happens to what does not belong there.

use std::fs;

use eyes_evidence::{atomic::FileLock, code::Coded};
use proptest::prelude::*;
use serde_json::Value;

use super::{file::beside, *};
use crate::{
    session::SessionDigest,
    state::{Missing, UsageState},
    testing::{MemoryUsage, folded, sample_event, usage_sink_contract},
};

struct Fixture {
    dir: tempfile::TempDir,
    path: PathBuf,
}

impl Fixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("usage/usage.jsonl");
        Self { dir, path }
    }

    fn open(&self, bounds: LedgerBounds) -> Ledger {
        Ledger::open(&self.path, bounds).unwrap()
    }

    /// Records `count` events from number `first` on and writes them.
    fn record(&self, first: u64, count: u64) -> LedgerStatus {
        let ledger = self.open(LedgerBounds::default());
        ledger.record(&events(first, count));
        ledger.flush().unwrap();
        ledger.status()
    }

    fn read(&self) -> LedgerReading {
        Ledger::read(&self.path).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let parts = Ledger::parts(&self.path).unwrap();
        let name = |part: LedgerPart| part.path.file_name().unwrap().to_str().unwrap().to_owned();
        parts.into_iter().map(name).collect()
    }

    fn append(&self, bytes: &[u8]) {
        let mut text = fs::read(&self.path).unwrap();
        text.extend_from_slice(bytes);
        fs::write(&self.path, text).unwrap();
    }
}

fn events(first: u64, count: u64) -> Vec<UsageEvent> {
    (first..first + count).map(sample_event).collect()
}

fn small() -> LedgerBounds {
    LedgerBounds {
        compact_bytes: 2_000,
        ..LedgerBounds::default()
    }
}

#[test]
fn sinks_keep_their_promises() {
    let memory = MemoryUsage::new(10_000);
    usage_sink_contract(&memory, || memory.state());
    for bounds in [LedgerBounds::default(), small()] {
        let fixture = Fixture::new();
        let ledger = fixture.open(bounds);
        usage_sink_contract(&ledger, || {
            ledger.flush().unwrap();
            fixture.read().state
        });
        let status = ledger.status();
        assert_eq!((status.waiting, status.failure), (0, None));
        assert_eq!(status.set_aside, Vec::<PathBuf>::new());
        assert!(fixture.read().state.missing().is_none());
    }
    let memory = MemoryUsage::new(2);
    memory.record(&events(0, 5));
    assert_eq!((memory.events().len(), memory.lost()), (2, 3));
}

#[test]
fn a_ledger_that_is_dropped_has_written_everything() {
    let fixture = Fixture::new();
    for first in [0, 50] {
        let ledger = fixture.open(small());
        for event in events(first, 50) {
            ledger.record(&[event]);
        }
    }
    assert_eq!(fixture.read().state, folded(&events(0, 100)));
}

#[test]
fn reading_writes_nothing() {
    let fixture = Fixture::new();
    assert_eq!(fixture.read(), LedgerReading::default());
    assert_eq!(Ledger::mark(&fixture.path), None);
    assert_eq!(fs::read_dir(fixture.dir.path()).unwrap().count(), 0);

    fixture.record(0, 3);
    let mark = Ledger::mark(&fixture.path);
    let before = fs::read(&fixture.path).unwrap();
    fs::remove_file(beside(&fixture.path, ".lock")).unwrap();
    assert_eq!(fixture.read().state, folded(&events(0, 3)));
    assert_eq!(fs::read(&fixture.path).unwrap(), before);
    assert_eq!(fixture.names(), ["usage.jsonl"]);
    assert_eq!(Ledger::mark(&fixture.path), mark);
    fixture.record(3, 1);
    assert_ne!(Ledger::mark(&fixture.path), mark);
}

#[test]
fn no_session_is_on_the_disk_in_clear_text() {
    let fixture = Fixture::new();
    let ledger = fixture.open(small());
    let mut all = events(0, 200);
    for event in &mut all {
        event.session = Some(SessionDigest::of("session-of-alice"));
    }
    for event in &all {
        ledger.record(std::slice::from_ref(event));
        ledger.flush().unwrap();
        let text = fs::read_to_string(&fixture.path).unwrap();
        assert!(!text.contains("alice"));
    }
    let text = fs::read_to_string(&fixture.path).unwrap();
    assert!(text.contains(&SessionDigest::of("session-of-alice").to_string()));
    assert_eq!(fixture.read().state.sessions().len(), 1);
}

#[test]
fn a_file_that_grew_becomes_one_checkpoint() {
    let fixture = Fixture::new();
    let ledger = fixture.open(small());
    let mut checkpoints = 0;
    let mut longest = 0;
    for number in 0..400 {
        ledger.record(&[sample_event(number)]);
        ledger.flush().unwrap();
        let text = fs::read_to_string(&fixture.path).unwrap();
        let lines: Vec<Value> = text
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(lines[0]["usageLedger"], 1);
        let compacted = lines[0]["compactedBytes"].as_u64().unwrap();
        if lines.len() == 2 && compacted > 0 {
            checkpoints += 1;
            assert!(lines[1]["checkpoint"].is_object());
        }
        longest = longest.max(text.len() as u64 - compacted);
    }
    assert!(checkpoints > 5, "{checkpoints}");
    assert!(longest < 10_000, "{longest}");
    assert_eq!(fixture.read().state, folded(&events(0, 400)));
    assert_eq!(fixture.names(), ["usage.jsonl", "usage.jsonl.lock"]);
}

const NONE: Missing = Missing {
    lost_events: 0,
    torn_lines: 0,
    damaged_lines: 0,
};
const TORN: Missing = Missing {
    torn_lines: 1,
    ..NONE
};
const DAMAGED: Missing = Missing {
    damaged_lines: 5,
    ..NONE
};

fn folded_without(events: &[UsageEvent], missing: Missing) -> UsageState {
    let mut state = folded(events);
    state.miss(missing);
    state
}

#[test]
fn a_torn_line_is_cancelled_and_counted() {
    let line = serde_json::json!({ "event": sample_event(99) }).to_string();
    for keep in [1, 20, line.len()] {
        let fixture = Fixture::new();
        fixture.record(0, 3);
        // As a process leaves it that dies while it writes.
        fixture.append(&line.as_bytes()[..keep]);
        let reading = fixture.read();
        assert_eq!(reading.state, folded_without(&events(0, 3), TORN), "{keep}");

        let status = fixture.record(3, 2);
        assert_eq!(status.set_aside, Vec::<PathBuf>::new());
        let reading = fixture.read();
        assert_eq!(reading.state, folded_without(&events(0, 5), TORN), "{keep}");

        assert!(fs::read(&fixture.path).unwrap().contains(&line::CANCEL));

        // It is still known when the line itself is compacted.
        let ledger = fixture.open(small());
        ledger.record(&events(5, 40));
        ledger.flush().unwrap();
        assert!(!fs::read(&fixture.path).unwrap().contains(&line::CANCEL));
        let reading = fixture.read();
        assert_eq!(reading.state, folded_without(&events(0, 45), TORN));

        assert_eq!(reading.set_aside, Vec::<PathBuf>::new());
    }
}

/// The lines of a ledger after the first: a checkpoint of five events, and five more.
fn lines() -> Vec<u8> {
    let checkpoint = crate::state::Checkpoint::from(&folded(&events(0, 5)));
    let more = events(5, 5);
    let mut lines = Vec::new();
    for line in [line::NewLine::Checkpoint(&checkpoint)]
        .into_iter()
        .chain(more.iter().map(line::NewLine::Event))
    {
        line.write_to(&mut lines).unwrap();
    }
    lines
}

#[test]
fn a_file_cut_anywhere_tells_a_prefix_and_at_most_one_torn_line() {
    let lines = lines();
    for cut in 0..=lines.len() {
        let scan = line::Scan::of(&lines[..cut]);
        let whole = lines[..cut].split(|&byte| byte == b'\n').count() as u64 - 1;
        let kept = if whole == 0 { 0 } else { 4 + whole };
        let torn_lines = u64::from(cut > 0 && lines[cut - 1] != b'\n');
        let missing = Missing { torn_lines, ..NONE };
        assert_eq!(
            scan.state,
            folded_without(&events(0, kept), missing),
            "{cut}"
        );
        assert_eq!(scan.damaged_here, 0);
    }
}

proptest! {
    /// Whatever stands there: no panic, and no line that is neither told nor counted as missing.
    #[test]
    fn altered_bytes_are_told_or_counted(at in 0..10_000_usize, byte: u8) {
        let mut lines = lines();
        let at = at % lines.len();
        lines[at] = byte;
        let scan = line::Scan::of(&lines);
        let missing = scan.state.missing();
        prop_assert!(missing.torn_lines + missing.damaged_lines <= 2);
        let whole = missing.is_none();
        let span = scan.state.span();
        prop_assert!(!whole || span.is_some());
    }
}

#[test]
fn damaged_lines_are_skipped_and_kept_aside_when_the_others_are_compacted() {
    let fixture = Fixture::new();
    fixture.record(0, 3);
    fixture.append(b"not a line\n\n{\"event\":{}}\n{\"later\":1}\n\xff\xfe\n");
    let damaged = fs::read(&fixture.path).unwrap();
    assert_eq!(fixture.read().state.missing(), DAMAGED);
    let ledger = fixture.open(small());
    ledger.record(&events(3, 40));
    ledger.flush().unwrap();
    let reading = fixture.read();
    assert_eq!(reading.state, folded_without(&events(0, 43), DAMAGED));
    let aside = beside(&fixture.path, ".damaged");
    assert_eq!(reading.set_aside, std::slice::from_ref(&aside));
    assert_eq!(ledger.status().set_aside, std::slice::from_ref(&aside));
    assert!(fs::read(aside).unwrap().starts_with(&damaged));
}

#[test]
fn what_is_no_ledger_or_newer_is_set_aside_and_never_written_over() {
    let newer = "{\"usageLedger\":2,\"more\":true}\n{\"unknown\":1}\n";
    let long = format!(
        "{{\"usageLedger\":1,\"compactedBytes\":0{}}}\n",
        " ".repeat(300)
    );
    for (content, suffix, code) in [
        (newer, ".newer", "USAGE_LEDGER_UNSUPPORTED"),
        ("garbage", ".unreadable", "USAGE_LEDGER_INVALID"),
        (
            "{\"schemaVersion\":3}\n",
            ".unreadable",
            "USAGE_LEDGER_INVALID",
        ),
        ("\n\n", ".unreadable", "USAGE_LEDGER_INVALID"),
        (
            "{\"usageLedger\":1,\"compactedBytes\":0,\"x\":1}\n",
            ".unreadable",
            "USAGE_LEDGER_INVALID",
        ),
        (&long, ".unreadable", ""),
    ] {
        let fixture = Fixture::new();
        fs::create_dir(fixture.path.parent().unwrap()).unwrap();
        fs::write(&fixture.path, content).unwrap();
        if !code.is_empty() {
            let error = Ledger::read(&fixture.path).unwrap_err();
            assert_eq!(error.code().as_str(), code, "{content}");
        }
        let status = fixture.record(0, 2);
        let aside = beside(&fixture.path, suffix);
        assert_eq!(status.set_aside, std::slice::from_ref(&aside), "{content}");
        assert_eq!(fs::read_to_string(&aside).unwrap(), content);
        let reading = fixture.read();
        assert_eq!(reading.state, folded(&events(0, 2)));
        assert_eq!(reading.set_aside, [aside]);

        // A second one gets a name of its own.
        fs::write(&fixture.path, content).unwrap();
        let numbered = beside(&fixture.path, &format!("{suffix}.1"));
        assert_eq!(fixture.record(0, 1).set_aside, [numbered]);
    }
    let fixture = Fixture::new();
    fixture.record(0, 1);
    // Sparse: the length is there, the bytes take no room.
    let file = fs::OpenOptions::new().write(true).open(&fixture.path);
    file.unwrap()
        .set_len(crate::limits::MAX_LEDGER_BYTES + 1)
        .unwrap();
    let error = Ledger::read(&fixture.path).unwrap_err();
    assert_eq!(error.code().as_str(), "USAGE_LEDGER_INVALID");
    assert_eq!(fixture.record(0, 1).set_aside.len(), 1);

    let fixture = Fixture::new();
    fs::create_dir(fixture.path.parent().unwrap()).unwrap();
    fs::write(&fixture.path, "").unwrap();
    assert_eq!(fixture.read().state, UsageState::default());
    assert_eq!(fixture.record(0, 1).set_aside, Vec::<PathBuf>::new());
}

#[test]
fn what_does_not_fit_is_lost_and_the_file_says_so() {
    let fixture = Fixture::new();
    let ledger = fixture.open(LedgerBounds {
        queue_events: 10,
        ..LedgerBounds::default()
    });
    let lock = FileLock::exclusive(&beside(&fixture.path, ".lock")).unwrap();
    ledger.record(&events(0, 25));
    let status = ledger.status();
    assert_eq!((status.waiting, status.lost), (10, 15));
    drop(lock);
    ledger.flush().unwrap();
    assert_eq!((ledger.lost(), ledger.status().waiting), (15, 0));
    let state = fixture.read().state;
    let lost = Missing {
        lost_events: 15,
        ..NONE
    };
    assert_eq!(state, folded_without(&events(0, 10), lost));
    ledger.record(&events(10, 1));
    ledger.flush().unwrap();
    assert_eq!(fixture.read().state.missing(), lost, "told once");
}

#[test]
fn what_cannot_be_written_waits_until_it_can() {
    let fixture = Fixture::new();
    fs::create_dir_all(&fixture.path).unwrap();
    let ledger = fixture.open(LedgerBounds::default());
    ledger.record(&events(0, 3));
    let error = ledger.flush().unwrap_err();
    assert_eq!(error.code().as_str(), "USAGE_WRITE_FAILED");
    assert!(error.to_string().contains("not a regular file"), "{error}");
    assert_eq!(ledger.status().waiting, 3);
    assert!(ledger.status().failure.is_some());
    fs::remove_dir(&fixture.path).unwrap();
    ledger.record(&events(3, 1));
    ledger.flush().unwrap();
    let status = ledger.status();
    assert_eq!((status.waiting, status.lost, status.failure), (0, 0, None));
    assert_eq!(fixture.read().state, folded(&events(0, 4)));

    fs::remove_file(&fixture.path).unwrap();
    fs::create_dir(&fixture.path).unwrap();
    ledger.record(&events(4, 2));
    drop(ledger);
    assert_eq!(fs::read_dir(&fixture.path).unwrap().count(), 0);
}

#[test]
fn a_flush_does_not_wait_for_ever() {
    let queue = Queue::new(10);
    queue.take(&events(0, 4));
    let error = queue
        .flush(std::time::Duration::from_millis(1))
        .unwrap_err();
    assert_eq!(error.code().as_str(), "USAGE_WRITE_TIMEOUT");
    assert_eq!(
        error.to_string(),
        "4 events are not on the disk yet: writing takes too long"
    );
    assert!(!queue.close(std::time::Duration::from_millis(1)));
    drop(WriterSide(&queue));
    assert!(
        queue.close(FLUSH_WAIT),
        "a writer that is gone is not waited for"
    );
    assert!(queue.flush(FLUSH_WAIT).is_err());
}

#[test]
fn writers_share_a_ledger() {
    let fixture = Fixture::new();
    std::thread::scope(|scope| {
        for part in 0..4 {
            let fixture = &fixture;
            scope.spawn(move || {
                let ledger = fixture.open(small());
                for events in events(part * 100, 100).chunks(10) {
                    ledger.record(events);
                    ledger.flush().unwrap();
                }
            });
        }
    });
    let reading = fixture.read();
    assert_eq!(reading.state, folded(&events(0, 400)));
    assert!(reading.state.missing().is_none());
}

#[test]
fn a_reset_starts_anew_and_erasing_leaves_nothing() {
    let fixture = Fixture::new();
    assert_eq!(Ledger::reset(&fixture.path).unwrap(), Erased::default());
    assert_eq!(fs::read_dir(fixture.dir.path()).unwrap().count(), 0);

    fixture.record(0, 3);
    fs::write(&fixture.path, "garbage").unwrap();
    fixture.record(3, 3);
    let ledger = fixture.open(LedgerBounds::default());
    ledger.record(&events(6, 1));
    ledger.flush().unwrap();
    let aside = beside(&fixture.path, ".unreadable");
    let erased = Ledger::reset(&fixture.path).unwrap();
    assert_eq!(erased.removed, std::slice::from_ref(&fixture.path));
    assert_eq!(erased.kept, std::slice::from_ref(&aside));
    assert_eq!(fixture.read().state, UsageState::default());
    // Whoever still writes goes on in a new file.
    ledger.record(&events(7, 1));
    drop(ledger);
    assert_eq!(fixture.read().state, folded(&events(7, 1)));

    fs::write(beside(&fixture.path, ".next"), "left by a dead process").unwrap();
    fs::write(beside(&fixture.path, ".unreadable.x"), "someone else's").unwrap();
    fs::write(fixture.path.with_file_name("usage"), "someone else's").unwrap();
    let erased = Ledger::erase(&fixture.path).unwrap();
    assert_eq!(
        erased.removed,
        [fixture.path.clone(), beside(&fixture.path, ".next"), aside]
    );
    assert_eq!(erased.kept, Vec::<PathBuf>::new());
    assert_eq!(fixture.names(), ["usage.jsonl.lock"]);
    assert_eq!(
        fs::read_dir(fixture.path.parent().unwrap())
            .unwrap()
            .count(),
        3
    );
}

#[cfg(unix)]
#[test]
fn files_are_private_and_links_are_refused() {
    use std::os::unix::fs::{MetadataExt, symlink};

    let fixture = Fixture::new();
    fixture.record(0, 1);
    fs::write(&fixture.path, "garbage").unwrap();
    let ledger = fixture.open(small());
    ledger.record(&events(0, 40));
    ledger.flush().unwrap();
    fixture.append(b"damaged\n");
    ledger.record(&events(40, 60));
    ledger.flush().unwrap();
    let dir = fixture.path.parent().unwrap();
    assert_eq!(fs::metadata(dir).unwrap().mode() & 0o777, 0o700);
    assert_eq!(fixture.names().len(), 4, "{:?}", fixture.names());
    for part in Ledger::parts(&fixture.path).unwrap() {
        let found = fs::metadata(&part.path).unwrap();
        assert_eq!(found.len(), part.bytes);
        // The test itself wrote the file that was set aside as unreadable.
        if part.kind != LedgerPartKind::SetAside(SetAsideReason::Unreadable) {
            assert_eq!(found.mode() & 0o777, 0o600, "{part:?}");
        }
    }

    let elsewhere = dir.join("elsewhere");
    fs::write(&elsewhere, "").unwrap();
    fs::remove_file(&fixture.path).unwrap();
    symlink(&elsewhere, &fixture.path).unwrap();
    ledger.record(&events(100, 1));
    assert_eq!(
        ledger.flush().unwrap_err().code().as_str(),
        "USAGE_WRITE_FAILED"
    );
    let error = Ledger::read(&fixture.path).unwrap_err();
    assert_eq!(error.code().as_str(), "FILE_PLACE_BLOCKED");
    assert_eq!(fs::read(&elsewhere).unwrap(), b"");
}
