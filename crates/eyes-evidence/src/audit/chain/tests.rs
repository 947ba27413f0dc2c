//! Chains that hold, and everything that breaks one.

use std::fs;

use serde_json::{Value, json};

use super::*;

struct Fixture {
    _dir: tempfile::TempDir,
    log: ChainedLog,
}

impl Fixture {
    /// A log with `count` lines, each appended by itself.
    fn of(count: u64, bounds: LogBounds) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let log = ChainedLog::open(dir.path().join("logs/events.jsonl"), bounds).unwrap();
        for number in 1..=count {
            log.append(&[json!({ "event": number })]).unwrap();
        }
        Self { _dir: dir, log }
    }

    fn small(count: u64) -> Self {
        let bounds = LogBounds {
            file_bytes: MIN_LOG_FILE_BYTES,
            files: 3,
        };
        Self::of(count, bounds)
    }

    fn lines(&self) -> Vec<String> {
        let text = fs::read_to_string(self.log.path()).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    fn set(&self, lines: &[String]) {
        fs::write(self.log.path(), lines.join("\n") + "\n").unwrap();
    }

    fn reasons(&self) -> Vec<(u64, LogReason)> {
        let report = self.log.verify().unwrap();
        assert_eq!(report.problem_count as usize, report.problems.len());
        assert_eq!(report.is_intact(), report.problems.is_empty());
        report.problems.iter().map(|p| (p.line, p.reason)).collect()
    }

    fn numbers(&self, count: usize) -> Vec<u64> {
        let entries = self.log.newest::<Value>(count).unwrap();
        entries
            .iter()
            .inspect(|entry| assert_eq!(entry.event["event"], entry.number))
            .map(|entry| entry.number)
            .collect()
    }
}

#[test]
fn an_untouched_log_is_intact() {
    for count in [0, 1, 7] {
        let fixture = Fixture::of(count, LogBounds::default());
        let report = fixture.log.verify().unwrap();
        assert!(report.is_intact(), "{report:?}");
        assert_eq!(
            (report.lines, report.dropped, report.torn_count),
            (count, 0, 0)
        );
        assert_eq!(fixture.numbers(3).len() as u64, count.min(3));
    }
}

#[test]
fn a_batch_is_one_write_of_chained_lines() {
    let fixture = Fixture::of(1, LogBounds::default());
    fixture
        .log
        .append(&[json!({ "event": 2 }), json!({ "event": 3 })])
        .unwrap();
    fixture.log.append::<Value>(&[]).unwrap();
    assert_eq!(fixture.numbers(9), [1, 2, 3]);
    let lines = fixture.lines();
    assert!(lines[0].starts_with(&format!(
        "{{\"number\":1,\"previous\":\"{}\"",
        "0".repeat(64)
    )));
    let second: LogEntry<Value> = serde_json::from_str(&lines[1]).unwrap();
    assert_eq!(
        second.previous,
        crate::digest::Sha256Digest::of(lines[0].as_bytes())
    );
}

/// A name, what is done, and what is told of it.
type Tampered = (
    &'static str,
    fn(&mut Vec<String>),
    &'static [(u64, LogReason)],
);

/// Done to six lines.
const TAMPERED: [Tampered; 12] = [
    (
        "edit",
        |l| l[2] = l[2].replace("\"event\":3", "\"event\":4"),
        &[(3, LogReason::Altered { number: 3 })],
    ),
    (
        "edit the first",
        |l| l[0] = l[0].replace("\"event\":1}", "\"event\":9}"),
        &[(1, LogReason::Altered { number: 1 })],
    ),
    (
        "edit the last",
        |l| l[5] = l[5].replace("\"event\":6}", "\"event\":9}"),
        &[(6, LogReason::Altered { number: 6 })],
    ),
    (
        "add a space",
        |l| l[3].insert(1, ' '),
        &[(4, LogReason::Altered { number: 4 })],
    ),
    (
        "remove",
        |l| drop(l.remove(2)),
        &[(3, LogReason::Missing { from: 3, to: 3 })],
    ),
    (
        "remove two",
        |l| drop(l.drain(1..3)),
        &[(2, LogReason::Missing { from: 2, to: 3 })],
    ),
    (
        "remove the first",
        |l| drop(l.remove(0)),
        &[(1, LogReason::Missing { from: 1, to: 1 })],
    ),
    (
        "remove the last",
        |l| drop(l.pop()),
        &[(5, LogReason::Missing { from: 6, to: 6 })],
    ),
    (
        "repeat",
        |l| l.insert(2, l[1].clone()),
        &[(3, LogReason::OutOfOrder { number: 2 })],
    ),
    (
        "swap",
        |l| l.swap(2, 3),
        &[
            (3, LogReason::Missing { from: 3, to: 3 }),
            (4, LogReason::OutOfOrder { number: 3 }),
            (5, LogReason::Missing { from: 4, to: 4 }),
        ],
    ),
    (
        "insert",
        |l| l.insert(3, "something else".to_owned()),
        &[(4, LogReason::NotAnEntry)],
    ),
    (
        "blank out",
        |l| l[3].clear(),
        &[
            (4, LogReason::NotAnEntry),
            (5, LogReason::Missing { from: 4, to: 4 }),
        ],
    ),
];

#[test]
fn every_way_to_tamper_is_told_with_its_line() {
    for (name, tamper, expected) in TAMPERED {
        let fixture = Fixture::of(6, LogBounds::default());
        let mut lines = fixture.lines();
        tamper(&mut lines);
        fixture.set(&lines);
        assert_eq!(fixture.reasons(), expected, "{name}");
        // What comes later does not hide it.
        fixture.log.append(&[json!({ "event": 7 })]).unwrap();
        assert!(!fixture.log.verify().unwrap().is_intact(), "{name}, later");
    }
}

#[test]
fn renumbered_lines_do_not_fit_either() {
    let fixture = Fixture::of(4, LogBounds::default());
    let mut lines = fixture.lines();
    lines.remove(1);
    for (at, line) in lines.iter_mut().enumerate().skip(1) {
        let old = format!("\"number\":{}", at + 2);
        *line = line.replace(&old, &format!("\"number\":{}", at + 1));
    }
    fixture.set(&lines);
    let expected = [
        (1, LogReason::Altered { number: 1 }),
        (2, LogReason::Altered { number: 2 }),
        (3, LogReason::Missing { from: 4, to: 4 }),
    ];
    assert_eq!(fixture.reasons(), expected);
}

#[test]
fn files_and_heads_that_are_gone_are_told() {
    let gone = |name: fn(&Fixture) -> PathBuf| {
        let fixture = Fixture::of(3, LogBounds::default());
        fs::remove_file(name(&fixture)).unwrap();
        fixture
    };
    let fixture = gone(|fixture| fixture.log.files.head());
    assert_eq!(fixture.reasons(), [(3, LogReason::HeadMissing)]);
    fixture.log.append(&[json!({ "event": 4 })]).unwrap();
    assert_eq!(fixture.reasons(), [], "the chain itself goes on");

    let fixture = gone(|fixture| fixture.log.path().to_owned());
    assert_eq!(
        fixture.reasons(),
        [(0, LogReason::Missing { from: 1, to: 3 })]
    );
    fixture.log.append(&[json!({ "event": 4 })]).unwrap();
    assert_eq!(
        fixture.reasons(),
        [(1, LogReason::Missing { from: 1, to: 3 })]
    );
    assert_eq!(fixture.numbers(9), [4]);
}

#[test]
fn rotation_keeps_the_chain_and_states_what_it_dropped() {
    let fixture = Fixture::small(60);
    let report = fixture.log.verify().unwrap();
    assert!(report.is_intact(), "{report:?}");
    assert_eq!(report.files.len(), 3);
    assert!(
        report.dropped > 0 && report.dropped + report.lines == 60,
        "{report:?}"
    );
    for file in &report.files {
        assert!(fs::metadata(file).unwrap().len() <= MIN_LOG_FILE_BYTES);
    }
    let all = fixture.numbers(100);
    assert!(all.iter().copied().eq(report.dropped + 1..=60));
    assert!(fixture.numbers(5).into_iter().eq(56..=60));
    let oldest = fs::read_to_string(&report.files[0]).unwrap();
    assert!(oldest.starts_with(&format!("{{\"number\":{}", report.dropped + 1)));
}

#[test]
fn tampering_is_seen_across_rotated_files() {
    // The oldest of the kept files, the one between, and one whole file each.
    for at in 0..2 {
        let fixture = Fixture::small(60);
        let file = fixture.log.files()[at].clone();
        let text = fs::read_to_string(&file).unwrap();
        let last = text.lines().last().unwrap();
        fs::write(
            &file,
            text.replace(last, &last.replace("\"event\":{", "\"event\": {")),
        )
        .unwrap();
        let report = fixture.log.verify().unwrap();
        assert_eq!(report.problem_count, 1, "{report:?}");
        assert_eq!(report.problems[0].file, file);
        assert!(matches!(
            report.problems[0].reason,
            LogReason::Altered { .. }
        ));

        fs::remove_file(&file).unwrap();
        let report = fixture.log.verify().unwrap();
        assert_eq!(report.problem_count, 1, "{report:?}");
        assert!(matches!(
            report.problems[0].reason,
            LogReason::Missing { .. }
        ));
    }
}

#[test]
fn a_torn_line_is_set_apart_and_never_joined() {
    for keep in [1, 40, usize::MAX] {
        let fixture = Fixture::of(3, LogBounds::default());
        let mut text = fs::read(fixture.log.path()).unwrap();
        // As a process leaves it that dies while it writes line 4.
        let link = Link::of(fixture.lines()[2].as_bytes()).unwrap();
        let mut line = Vec::new();
        Line::next(link, None, b"{\"event\":4}").write_to(&mut line);
        line.pop();
        text.extend_from_slice(&line[..keep.min(line.len())]);
        fs::write(fixture.log.path(), text).unwrap();

        let report = fixture.log.verify().unwrap();
        assert!(report.is_intact(), "{report:?}");
        assert_eq!(
            (report.lines, report.torn_count, report.torn[0].line),
            (3, 1, 4)
        );
        fixture.log.append(&[json!({ "event": 4 })]).unwrap();
        fixture.log.append(&[json!({ "event": 5 })]).unwrap();
        let report = fixture.log.verify().unwrap();
        assert!(report.is_intact(), "{report:?}");
        assert_eq!(
            (report.lines, report.torn_count, report.torn[0].line),
            (5, 1, 4)
        );
        assert_eq!(fixture.numbers(9), [1, 2, 3, 4, 5]);

        let mut lines = fixture.lines();
        assert_eq!(lines.len(), 6);
        let torn = lines.remove(3);
        fixture.set(&lines);
        assert_eq!(fixture.reasons(), [(4, LogReason::TornMissing)]);
        lines.insert(3, format!("{torn} "));
        fixture.set(&lines);
        assert!(!fixture.log.verify().unwrap().is_intact());
    }
}

#[test]
fn a_process_that_died_before_the_head_or_after_rotating_does_no_harm() {
    let fixture = Fixture::small(2);
    let head = fs::read(fixture.log.files.head()).unwrap();
    fixture.log.append(&[json!({ "event": 3 })]).unwrap();
    fs::write(fixture.log.files.head(), head).unwrap();
    assert_eq!(fixture.reasons(), []);
    fixture.log.append(&[json!({ "event": 4 })]).unwrap();
    assert_eq!(fixture.reasons(), []);

    fs::rename(fixture.log.path(), fixture.log.files.older_path(1)).unwrap();
    assert_eq!(fixture.reasons(), []);
    for number in 5..40 {
        fixture.log.append(&[json!({ "event": number })]).unwrap();
        assert_eq!(fixture.reasons(), [], "{number}");
    }
}

#[test]
fn bounds_and_places_are_kept() {
    let fixture = Fixture::of(1, LogBounds::default());
    let long = "x".repeat(MAX_LOG_LINE_BYTES);
    let error = fixture.log.append(&[long]).unwrap_err();
    assert!(matches!(error, FileError::Size { .. }), "{error}");
    assert_eq!(fixture.numbers(9), [1], "nothing of it is written");

    let mut foreign = fs::read(fixture.log.path()).unwrap();
    foreign.extend_from_slice(&vec![b'y'; 3 * MAX_LOG_LINE_BYTES]);
    fs::write(fixture.log.path(), foreign).unwrap();
    fixture.log.append(&[json!({ "event": 2 })]).unwrap();
    assert_eq!(fixture.reasons(), [(2, LogReason::NotAnEntry)]);
    assert_eq!(fixture.numbers(9), [1, 2]);
}

#[cfg(unix)]
#[test]
fn files_are_private_and_links_are_refused() {
    use std::os::unix::fs::{MetadataExt, symlink};

    let fixture = Fixture::small(30);
    let dir = fixture.log.path().parent().unwrap();
    assert_eq!(fs::metadata(dir).unwrap().mode() & 0o777, 0o700);
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().mode() & 0o777, 0o600, "{entry:?}");
    }
    let elsewhere = dir.join("elsewhere");
    fs::write(&elsewhere, "").unwrap();
    for name in [fixture.log.path().to_owned(), fixture.log.files.head()] {
        let aside = fs::read(&name).unwrap();
        fs::remove_file(&name).unwrap();
        symlink(&elsewhere, &name).unwrap();
        let error = fixture.log.append(&[json!({ "event": 31 })]).unwrap_err();
        assert!(matches!(error, FileError::Place { .. }), "{error}");
        assert_eq!(fs::read(&elsewhere).unwrap(), b"");
        fs::remove_file(&name).unwrap();
        fs::write(&name, aside).unwrap();
        assert_eq!(fixture.reasons(), [], "nothing of it is written");
    }
}

#[test]
fn threads_with_logs_of_their_own_share_one_chain() {
    let fixture = Fixture::small(0);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let log = ChainedLog::open(fixture.log.path(), fixture.log.bounds).unwrap();
                for _ in 0..25 {
                    log.append(&[json!({})]).unwrap();
                }
            });
        }
    });
    let report = fixture.log.verify().unwrap();
    assert!(report.is_intact(), "{report:?}");
    assert_eq!(report.dropped + report.lines, 100);
}
