//! What the ports promise, as suites that every adapter passes (feature `testing`).
//!
//! Each function panics with the promise that was broken.

mod clock;
mod random;

use std::sync::Arc;

pub use clock::FixedClock;
pub use random::CountingRandom;

use crate::{
    audit::{AuditEvent, AuditOutcome, AuditSink},
    code::Coded,
    digest::Sha256Digest,
    geometry::NormalizedBbox,
    image::{ImageIdentity, MediaType},
    parse::audit::ParseAudit,
    provenance::{
        EvidenceRecord, Finding, RecordParts, RecordSource, RouteName, Timestamp, VisionRoute,
    },
    record::{Bounded, Confidence, NonEmptyText, OcrEntry, TargetEvidence},
    report::ReportText,
    store::{EvidenceListing, EvidenceStore, Put, StoreBounds, artifact::ArtifactStore},
};

/// Makes a targeted record; two seeds give two cache keys, two `notes` of one seed one key and two records.
///
/// # Panics
/// Never: its texts are within their bounds.
pub fn sample_record(seed: u64, note: &str) -> Arc<EvidenceRecord> {
    let text = |text: &str| NonEmptyText::new(text).expect("short and not empty");
    let name = |text: &str| RouteName::new(text).expect("short and printable");
    let entry = OcrEntry {
        text: text(&format!("entry {seed}")),
        bbox: NormalizedBbox::new(0.1, 0.2, 0.3, 0.4).expect("inside the image"),
        confidence: Confidence::new(0.9).expect("between 0 and 1"),
    };
    let identity = ImageIdentity {
        sha256: Sha256Digest::of(&seed.to_le_bytes()),
        pixel_sha256: Sha256Digest::of(b"pixels"),
        media_type: MediaType::Png,
        bytes: 1234,
        size: crate::geometry::PixelSize {
            width: 640,
            height: 480,
        },
        orientation: None,
    };
    let record = EvidenceRecord::seal(RecordParts {
        created_at: Timestamp::new("2026-01-31T23:59:59Z").expect("RFC 3339"),
        source: RecordSource {
            identity,
            name: None,
        },
        vision: VisionRoute {
            provider: name("sample"),
            model: name("sample"),
            prompt_version: name("1"),
            validation: name("metadata-only"),
        },
        zoom: None,
        finding: Finding::Target {
            question: text("what does it say?"),
            region: None,
            evidence: TargetEvidence {
                answer: text(&format!("answer {note}")),
                observations: Bounded::default(),
                ocr: Bounded::new(vec![entry]).expect("one entry"),
                uncertainties: Bounded::default(),
            },
        },
        audit: ParseAudit::untouched(),
        checks: None,
    });
    Arc::new(record.expect("finite numbers"))
}

/// Checks what [`EvidenceStore`] promises; `make` opens an empty store with the bounds.
///
/// # Panics
/// When a promise is broken.
pub fn evidence_store_contract<S: EvidenceStore>(make: impl Fn(StoreBounds) -> S) {
    let store = make(StoreBounds::default());
    let (one, two) = (sample_record(1, "a"), sample_record(2, "a"));
    let again = sample_record(1, "b");
    let get = |record: &EvidenceRecord| store.get(&record.cache_key()).expect("reads");

    assert_eq!(get(&one), None, "an empty store has nothing");
    assert_eq!(store.put_if_absent(&one).expect("writes"), Put::Stored);
    assert_eq!(
        get(&one),
        Some(Arc::clone(&one)),
        "what was put is found by key"
    );
    let found = store.find(&one.record_sha256()).expect("reads");
    assert_eq!(found, Some(Arc::clone(&one)), "and by digest");
    let outcome = store.put_if_absent(&again).expect("writes");
    assert_eq!(
        outcome,
        Put::Existing(Arc::clone(&one)),
        "a key is never written over"
    );
    assert_eq!(get(&one), Some(Arc::clone(&one)));
    assert_eq!(store.find(&again.record_sha256()).expect("reads"), None);

    let outcomes = store.put_all(&[Arc::clone(&two), again, Arc::clone(&two), Arc::clone(&one)]);
    let expected = [
        Put::Stored,
        Put::Existing(Arc::clone(&one)),
        Put::Existing(Arc::clone(&two)),
        Put::Existing(Arc::clone(&one)),
    ];
    assert_eq!(
        outcomes.expect("writes"),
        expected,
        "outcomes stand in order"
    );
    assert_eq!(store.put_all(&[]).expect("nothing to write"), []);

    let usage = store.usage().expect("counts");
    let bytes = [&one, &two].map(|record| record.to_json().expect("writes").len() as u64);
    assert_eq!((usage.items, usage.bytes), (2, bytes[0] + bytes[1]));
    // Now the first is the oldest, by writing and by use.
    assert_eq!(get(&two), Some(Arc::clone(&two)));
    let pruned = store.prune(StoreBounds::default()).expect("prunes");
    assert_eq!(pruned.items, 0, "a store within its bounds is left alone");
    let pruned = store.prune(StoreBounds {
        max_items: 1,
        max_bytes: u64::MAX,
    });
    assert_eq!(pruned.expect("prunes").items, 1);
    assert_eq!(get(&one), None, "the oldest goes first");
    assert_eq!(get(&two), Some(two));

    bounded_store_contract(make);
}

fn bounded_store_contract<S: EvidenceStore>(make: impl Fn(StoreBounds) -> S) {
    let size = sample_record(10, "a").to_json().expect("writes").len() as u64;
    for bounds in [
        StoreBounds {
            max_items: 3,
            max_bytes: u64::MAX,
        },
        StoreBounds {
            max_items: 1000,
            max_bytes: 3 * size + size / 2,
        },
    ] {
        let store = make(bounds);
        for seed in 10..20 {
            store
                .put_if_absent(&sample_record(seed, "a"))
                .expect("writes");
            let usage = store.usage().expect("counts");
            assert!(
                usage.items <= 3 && usage.bytes <= bounds.max_bytes,
                "bounds hold after every put"
            );
        }
        for (seed, there) in [(10, false), (16, false), (17, true), (18, true), (19, true)] {
            let found = store
                .get(&sample_record(seed, "a").cache_key())
                .expect("reads");
            assert_eq!(
                found.is_some(),
                there,
                "the newest three stay, record {seed}"
            );
        }
    }
    let store = make(StoreBounds {
        max_items: 3,
        max_bytes: size / 2,
    });
    let error = store
        .put_if_absent(&sample_record(1, "a"))
        .expect_err("does not fit");
    assert_eq!(error.code().as_str(), "EVIDENCE_STORE_LIMIT");
    assert_eq!(store.usage().expect("counts").items, 0);
}

/// Checks what [`EvidenceListing`] promises; `make` opens an empty store with the bounds.
///
/// # Panics
/// When a promise is broken.
pub fn evidence_listing_contract<S: EvidenceListing>(make: impl Fn(StoreBounds) -> S) {
    let store = make(StoreBounds::default());
    assert_eq!(
        store.newest(10).expect("lists"),
        [],
        "an empty store lists nothing"
    );
    let records: Vec<_> = (1..=5).map(|seed| sample_record(seed, "a")).collect();
    store.put_all(&records[..3]).expect("writes");
    for record in &records[2..] {
        // The third is there already and keeps its place.
        store.put_if_absent(record).expect("writes");
    }
    drop(store.get(&records[0].cache_key()).expect("reads"));
    let newest: Vec<Sha256Digest> = records.iter().rev().map(|r| r.record_sha256()).collect();
    assert_eq!(
        store.newest(10).expect("lists"),
        newest,
        "the newest first, whatever was read since"
    );
    assert_eq!(store.newest(2).expect("lists"), newest[..2], "bounded");

    let one = records[0].record_sha256();
    let text = one.to_string();
    for length in [8, 63, 64] {
        let found = store.beginning_with(&text[..length], 2).expect("lists");
        assert_eq!(found, [one], "{length} digits");
    }
    let mut ascending = newest.clone();
    ascending.sort_unstable();
    assert_eq!(store.beginning_with("", 10).expect("lists"), ascending);
    assert_eq!(store.beginning_with("", 2).expect("lists"), ascending[..2]);
    for nothing in ["x", "0X", &"0".repeat(65)] {
        assert_eq!(store.beginning_with(nothing, 2).expect("lists"), []);
    }

    for max_items in [9, 4, 1] {
        let bounds = StoreBounds {
            max_items,
            max_bytes: u64::MAX,
        };
        let before = store.usage().expect("counts");
        let prunable = store.prunable(bounds).expect("counts");
        assert_eq!(store.usage().expect("counts"), before, "nothing is changed");
        assert_eq!(
            store.prune(bounds).expect("prunes"),
            prunable,
            "pruning removes what was told"
        );
    }
}

/// Checks what [`ArtifactStore`] promises; `make` opens an empty store with the bounds.
///
/// # Panics
/// When a promise is broken.
pub fn artifact_store_contract<S: ArtifactStore>(make: impl Fn(StoreBounds) -> S) {
    let store = make(StoreBounds::default());
    let sha256 = Sha256Digest::of(b"bytes");
    assert!(!store.exists(&sha256).expect("looks"));
    assert!(store.open(&sha256).expect("reads").is_none());
    for _ in 0..2 {
        assert_eq!(
            store.put(b"bytes").expect("writes"),
            sha256,
            "the name is the digest"
        );
    }
    assert!(store.exists(&sha256).expect("looks"));
    assert_eq!(
        store.open(&sha256).expect("reads").as_deref(),
        Some(&b"bytes"[..])
    );
    let empty = store.put(b"").expect("writes");
    assert_eq!(
        store.open(&empty).expect("reads").as_deref(),
        Some(&b""[..])
    );
    let usage = store.usage().expect("counts");
    assert_eq!(
        (usage.items, usage.bytes),
        (2, 5),
        "the same bytes count once"
    );

    let store = make(StoreBounds {
        max_items: 3,
        max_bytes: 30,
    });
    for byte in 0..10_u8 {
        store.put(&[byte; 10]).expect("writes");
        let usage = store.usage().expect("counts");
        assert!(
            usage.items <= 3 && usage.bytes <= 30,
            "bounds hold after every put"
        );
    }
    assert!(
        store.exists(&Sha256Digest::of(&[9; 10])).expect("looks"),
        "the newest stays"
    );
    let error = store.put(&[0; 31]).expect_err("does not fit");
    assert_eq!(error.code().as_str(), "EVIDENCE_STORE_LIMIT");
    let pruned = store
        .prune(StoreBounds {
            max_items: 1,
            max_bytes: 30,
        })
        .expect("prunes");
    assert_eq!((pruned.items, pruned.bytes), (2, 20));
}

/// Makes an event that differs with `number`.
///
/// # Panics
/// Never: its time is well formed.
pub fn sample_event(number: u64) -> AuditEvent {
    AuditEvent {
        at: Timestamp::new("2026-01-31T23:59:59Z").expect("RFC 3339"),
        subject: ReportText::new("sample"),
        action: ReportText::new("call"),
        duration_ms: number,
        arguments: None,
        facts: std::collections::BTreeMap::new(),
        outcome: AuditOutcome::Success { result: None },
    }
}

/// Checks what [`AuditSink`] promises; `kept` returns the events of the sink, which must be empty at first.
///
/// # Panics
/// When a promise is broken.
pub fn audit_sink_contract(sink: &dyn AuditSink, kept: impl Fn() -> Vec<AuditEvent>) {
    assert_eq!(kept(), [], "an empty sink keeps nothing");
    for number in 0..3 {
        sink.record(&sample_event(number));
    }
    let expected: Vec<_> = (0..3).map(sample_event).collect();
    assert_eq!(kept(), expected, "events are kept in order");
    assert_eq!(sink.lost(), 0, "nothing was lost");
}
