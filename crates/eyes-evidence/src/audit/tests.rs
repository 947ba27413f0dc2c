//! Rings, lines, and what an event never says.

use super::*;
use crate::{
    codes,
    testing::{audit_sink_contract, sample_event},
};

#[test]
fn a_ring_keeps_the_newest() {
    let ring = RingAudit::new(3);
    audit_sink_contract(&ring, || ring.events());
    for at in 0..5 {
        ring.record(&sample_event(at));
    }
    let kept: Vec<_> = ring
        .events()
        .iter()
        .map(|event| event.duration_ms)
        .collect();
    assert_eq!(kept, [2, 3, 4]);
}

#[test]
fn an_event_says_no_message_and_no_secret() {
    let event = AuditEvent {
        subject: ReportText::new("server token=hunter2"),
        outcome: AuditOutcome::error(codes::FILE_READ_FAILED, "hunter2 is wrong"),
        arguments: Some(ValueDigest::of("{\"value\":\"hunter2\"}")),
        ..sample_event(1)
    };
    let text = serde_json::to_string(&event).unwrap();
    assert!(!text.contains("hunter2"), "{text}");
    assert!(
        text.contains("\"status\":\"error\",\"code\":\"FILE_READ_FAILED\",\"messageSha256\":\"")
    );
    assert_eq!(serde_json::from_str::<AuditEvent>(&text).unwrap(), event);
}

#[cfg(feature = "fs")]
#[test]
fn lines_are_appended_rotated_and_counted_when_lost() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("audit/events.jsonl");
    let read = |path: &std::path::Path| -> Vec<AuditEvent> {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let sink = JsonLinesAudit::open(&path, 1 << 20).unwrap();
    audit_sink_contract(&sink, || read(&path));

    let line = serde_json::to_string(&sample_event(1)).unwrap().len() as u64 + 1;
    let small = JsonLinesAudit::open(dir.path().join("small.jsonl"), 4 * line).unwrap();
    let other = JsonLinesAudit::open(dir.path().join("small.jsonl"), 4 * line).unwrap();
    std::thread::scope(|scope| {
        for sink in [&small, &other] {
            scope.spawn(move || (1..=9).for_each(|_| sink.record(&sample_event(1))));
        }
    });
    let now = read(&dir.path().join("small.jsonl")).len();
    let before = read(&small.rotated_path()).len();
    assert_eq!(
        (before, now),
        (4, 2),
        "eighteen lines, four to a file, two files kept"
    );
    assert_eq!(small.lost() + other.lost(), 0);

    let blocked = JsonLinesAudit::open(dir.path().join("a-directory"), 100).unwrap();
    std::fs::create_dir(dir.path().join("a-directory")).unwrap();
    blocked.record(&sample_event(1));
    assert_eq!(blocked.lost(), 1);
}
