//! What the log keeps, what it loses, and what it never says.

use std::path::Path;

use eyes_evidence::{
    audit::chain::{ChainedLog, LogBounds},
    digest::Sha256Digest,
    provenance::Timestamp,
    schema::generate::{check_published, schema_of},
};

use super::*;
use crate::{codes, ports::AttemptSink, route::Route};

fn event(priority: u32) -> AttemptEvent {
    AttemptEvent {
        attempt_id: AttemptId::from_random(7),
        timestamp: Timestamp::new("2026-01-31T23:59:59Z").expect("a time"),
        operation: Operation::LookTarget,
        route: Route::new("hub", "org/model").expect("a route"),
        priority,
        failover_index: 1,
        phase: AttemptPhase::TransportRetry,
        status: AttemptStatus::Retry,
        duration_ms: 12,
        error_code: Some(codes::ALL[0]),
        session_hash: Some(Sha256Digest::of(b"session")),
        image_sha256: None,
    }
}

fn log(path: &Path) -> AttemptLog {
    let log = ChainedLog::open(path, LogBounds::default()).expect("a log");
    AttemptLog::start(log).expect("a thread")
}

#[test]
fn the_published_schema_is_that_of_the_record() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/attempts/attempt.schema.json");
    check_published(&path, &schema_of::<AttemptRecord>("Attempt"));
}

#[test]
fn a_record_has_the_members_of_the_published_log() {
    let record = AttemptRecord::from(&event(3));
    let text = serde_json::to_string(&record).unwrap();
    let session = Sha256Digest::of(b"session");
    let code = codes::ALL[0];
    assert_eq!(
        text,
        format!(
            "{{\"attemptId\":\"00000000-0000-4000-8000-000000000007\",\
             \"timestamp\":\"2026-01-31T23:59:59Z\",\"operation\":\"look-target\",\"provider\":\"hub\",\
             \"model\":\"org/model\",\"priority\":3,\"failoverIndex\":1,\"phase\":\"transport-retry\",\
             \"status\":\"retry\",\"durationMs\":12,\"errorCode\":\"{code}\",\"sessionHash\":\"{session}\"}}"
        )
    );
    assert_eq!(
        serde_json::from_str::<AttemptRecord>(&text).unwrap(),
        record
    );
}

#[test]
fn what_is_recorded_is_kept_in_order_by_the_time_it_is_asked_for_or_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vision-attempts.jsonl");
    let first = log(&path);
    (0..100).for_each(|priority| first.record(&event(priority)));
    let kept = first.newest(1_000).unwrap();
    assert!(kept.iter().map(|entry| entry.event.priority).eq(0..100));
    assert_eq!((first.lost(), first.failure()), (0, None));
    (100..150).for_each(|priority| first.record(&event(priority)));
    drop(first);

    let second = log(&path);
    let report = second.verify().unwrap();
    assert!(report.is_intact(), "{report:?}");
    assert_eq!(report.lines, 150);
    let kept = second.newest(2).unwrap();
    assert!(kept.iter().map(|entry| entry.event.priority).eq(148..150));
}

#[test]
fn what_cannot_be_written_is_counted_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vision-attempts.jsonl");
    std::fs::create_dir(&path).unwrap();
    let log = log(&path);
    (0..3).for_each(|priority| log.record(&event(priority)));
    log.flush();
    assert_eq!(log.lost(), 3);
    assert!(log.failure().unwrap().contains("not a regular file"));
}

#[test]
fn a_full_queue_loses_and_counts_and_never_waits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vision-attempts.jsonl");
    let log = log(&path);
    // While the lock is held elsewhere nothing can be written.
    let lock = std::fs::File::create(dir.path().join("vision-attempts.jsonl.lock")).unwrap();
    lock.lock().unwrap();
    let many = 2 * crate::limits::MAX_ATTEMPT_QUEUE + 2 * crate::limits::MAX_ATTEMPT_BATCH;
    (0..many as u32).for_each(|priority| log.record(&event(priority)));
    assert!(log.lost() > 0);
    lock.unlock().unwrap();
    let report = log.verify().unwrap();
    assert!(report.is_intact());
    assert_eq!(report.lines + log.lost(), many as u64);
}
