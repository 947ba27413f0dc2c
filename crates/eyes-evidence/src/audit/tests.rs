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
fn lines_are_appended_and_counted_when_lost() {
    use super::chain::LogBounds;

    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("audit/events.jsonl");
    let sink = JsonLinesAudit::open(&path, LogBounds::default()).unwrap();
    audit_sink_contract(&sink, || {
        let entries = sink.log().newest(10).unwrap();
        entries.into_iter().map(|entry| entry.event).collect()
    });
    assert!(sink.log().verify().unwrap().is_intact());

    let blocked = dir.path().join("a-directory");
    std::fs::create_dir(&blocked).unwrap();
    let blocked = JsonLinesAudit::open(&blocked, LogBounds::default()).unwrap();
    blocked.record(&sample_event(1));
    assert_eq!(blocked.lost(), 1);
}
