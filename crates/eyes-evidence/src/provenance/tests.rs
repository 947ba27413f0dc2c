//! Sealing, verifying and refusing records.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::record::{Bounded, Confidence, OcrEntry};

pub(crate) fn name(text: &str) -> RouteName {
    RouteName::new(text).unwrap()
}

/// A targeted record that differs with `seed`.
pub(crate) fn sample(seed: u64) -> EvidenceRecord {
    let identity: ImageIdentity = serde_json::from_value(json!({
        "sha256": Sha256Digest::of(&seed.to_le_bytes()),
        "pixelSha256": Sha256Digest::of(b"pixels"),
        "mediaType": "image/png", "bytes": 1234, "width": 640, "height": 480,
    }))
    .unwrap();
    let entry = OcrEntry {
        text: NonEmptyText::new(format!("row {seed} é")).unwrap(),
        bbox: NormalizedBbox::new(0.1, 0.2, 0.3, 0.4).unwrap(),
        confidence: Confidence::new(0.93).unwrap(),
    };
    EvidenceRecord::seal(RecordParts {
        created_at: Timestamp::new("2026-11-30T11:00:00.5Z").unwrap(),
        source: RecordSource {
            identity,
            name: Some(name("shot.png")),
        },
        vision: VisionRoute {
            provider: name("local"),
            model: name("tiny"),
            prompt_version: name("1"),
            validation: name("metadata-only"),
        },
        zoom: None,
        finding: Finding::Target {
            question: NonEmptyText::new("what?").unwrap(),
            region: None,
            evidence: TargetEvidence {
                answer: NonEmptyText::new("that").unwrap(),
                observations: Bounded::default(),
                ocr: Bounded::new(vec![entry]).unwrap(),
                uncertainties: Bounded::default(),
            },
        },
        audit: ParseAudit::untouched(),
        checks: None,
    })
    .unwrap()
}

fn code(value: &Value) -> &'static str {
    EvidenceRecord::from_json(value.to_string().as_bytes())
        .unwrap_err()
        .code()
        .as_str()
}

#[test]
fn a_record_reads_back_equal() {
    let record = sample(1);
    let text = record.to_json().unwrap();
    assert_eq!(EvidenceRecord::from_json(text.as_bytes()).unwrap(), record);
    // White space and member order do not matter, the text is canonical all the same.
    let value: Value = serde_json::from_str(&text).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    let again = EvidenceRecord::from_json(pretty.as_bytes()).unwrap();
    assert_eq!(again.to_json().unwrap(), text);
    assert_eq!(again.record_sha256(), record.record_sha256());
}

fn checks(entries: &Value) -> Value {
    json!({ "grounding": {
        "provider": "local", "model": "tiny", "score": 1, "entries": entries,
        "unclaimed": { "total": 0, "entries": [] },
    } })
}

#[test]
fn checks_are_under_the_digest_and_belong_to_the_texts() {
    let plain = sample(5);
    assert!(
        !plain.to_json().unwrap().contains("checks"),
        "absent stays absent"
    );
    let with = |checks: Value| {
        let parts = RecordParts {
            created_at: plain.created_at().clone(),
            source: plain.source().clone(),
            vision: plain.vision().clone(),
            zoom: None,
            finding: match plain.evidence().clone() {
                Evidence::Base(evidence) => Finding::Base(evidence),
                Evidence::Target(evidence) => Finding::Target {
                    question: plain.question().unwrap().clone(),
                    region: None,
                    evidence,
                },
            },
            audit: plain.audit().clone(),
            checks: Some(serde_json::from_value(checks).unwrap()),
        };
        EvidenceRecord::seal(parts)
    };
    let differs = json!({ "verdict": "differs", "text": "row" });
    let record = with(checks(&json!([differs]))).unwrap();
    assert_ne!(record.record_sha256(), plain.record_sha256());
    assert_eq!(record.cache_key(), plain.cache_key());
    let text = record.to_json().unwrap();
    assert_eq!(EvidenceRecord::from_json(text.as_bytes()).unwrap(), record);
    assert_eq!(
        record
            .checks()
            .unwrap()
            .grounding
            .as_ref()
            .unwrap()
            .counts(),
        (0, 1)
    );

    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["checks"]["grounding"]["entries"] = json!([{ "verdict": "agreed" }]);
    assert_eq!(code(&value), "EVIDENCE_RECORD_MISMATCH");
    for wrong in [checks(&json!([])), json!({})] {
        let error = with(wrong).unwrap_err();
        assert_eq!(error.code(), codes::EVIDENCE_RECORD_INVALID);
    }
}

#[test]
fn the_digest_is_that_of_the_text_without_it() {
    let text = sample(2).to_json().unwrap();
    let mut value: Value = serde_json::from_str(&text).unwrap();
    let stated = value
        .as_object_mut()
        .unwrap()
        .shift_remove("recordSha256")
        .unwrap();
    let computed = Canonical::of_value(&value).unwrap().digest();
    assert_eq!(stated, json!(computed));
}

#[test]
fn whatever_was_changed_is_refused() {
    let text = sample(3).to_json().unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let with = |pointer: &str, new: Value| {
        let mut value = value.clone();
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        value.pointer_mut(parent).unwrap()[member] = new;
        value
    };
    for (pointer, new, expected) in [
        (
            "/evidence/answer",
            json!("this"),
            "EVIDENCE_RECORD_MISMATCH",
        ),
        ("/source/width", json!(641), "EVIDENCE_RECORD_MISMATCH"),
        (
            "/source/name",
            json!("other.png"),
            "EVIDENCE_RECORD_MISMATCH",
        ),
        ("/vision/model", json!("large"), "EVIDENCE_RECORD_MISMATCH"),
        (
            "/recordSha256",
            json!("0".repeat(64)),
            "EVIDENCE_RECORD_MISMATCH",
        ),
        ("/recordSha256", json!("0"), "EVIDENCE_RECORD_INVALID"),
        ("/recordVersion", json!(2), "EVIDENCE_RECORD_UNSUPPORTED"),
        ("/recordVersion", json!(0), "EVIDENCE_RECORD_INVALID"),
        ("/recordVersion", json!("1"), "EVIDENCE_RECORD_INVALID"),
        ("/kind", json!("base"), "EVIDENCE_RECORD_INVALID"),
        ("/evidence/answer", json!(""), "EVIDENCE_RECORD_INVALID"),
        ("/evidence/extra", json!(1), "EVIDENCE_RECORD_INVALID"),
        ("/vision/extra", json!(1), "EVIDENCE_RECORD_INVALID"),
        ("/source/extra", json!(1), "EVIDENCE_RECORD_INVALID"),
        ("/extra", json!(1), "EVIDENCE_RECORD_INVALID"),
        ("/createdAt", json!("yesterday"), "EVIDENCE_RECORD_INVALID"),
    ] {
        assert_eq!(code(&with(pointer, new)), expected, "{pointer}");
    }
    let mut without = value.clone();
    without.as_object_mut().unwrap().shift_remove("question");
    assert_eq!(code(&without), "EVIDENCE_RECORD_INVALID");
    let twice = text.replacen('{', "{\"kind\":\"target\",", 1);
    let error = EvidenceRecord::from_json(twice.as_bytes()).unwrap_err();
    assert_eq!(error.code().as_str(), "EVIDENCE_RECORD_INVALID");
    let long = vec![b' '; MAX_RECORD_BYTES + 1];
    let error = EvidenceRecord::from_json(&long).unwrap_err();
    assert_eq!(error.code().as_str(), "EVIDENCE_RECORD_LIMIT");
}

#[test]
fn the_cache_key_depends_on_every_part_of_the_subject() {
    let record = sample(4);
    let question = NonEmptyText::new("what?").unwrap();
    let other = NonEmptyText::new("what??").unwrap();
    let subject = CacheSubject {
        kind: EvidenceKind::Target,
        source_sha256: record.source().identity.sha256,
        vision: record.vision(),
        question: Some(&question),
        region: None,
    };
    assert_eq!(subject.key(), record.cache_key());
    let mut vision = record.vision().clone();
    vision.validation = name("metadata+active-grid-probe");
    assert_eq!(
        CacheSubject {
            vision: &vision,
            ..subject
        }
        .key(),
        subject.key()
    );
    vision.prompt_version = name("2");
    for changed in [
        CacheSubject {
            kind: EvidenceKind::Base,
            ..subject
        },
        CacheSubject {
            source_sha256: Sha256Digest::of(b""),
            ..subject
        },
        CacheSubject {
            vision: &vision,
            ..subject
        },
        CacheSubject {
            question: Some(&other),
            ..subject
        },
        CacheSubject {
            question: None,
            ..subject
        },
        CacheSubject {
            region: Some(NormalizedBbox::WHOLE),
            ..subject
        },
    ] {
        assert_ne!(changed.key(), subject.key(), "{changed:?}");
    }
}

#[test]
fn times_follow_rfc_3339() {
    for good in [
        "2026-11-30T11:00:00Z",
        "2026-11-30T11:00:00.123456789Z",
        "2026-01-31T23:59:60+05:30",
        "0000-12-01T00:00:00-23:59",
    ] {
        assert!(Timestamp::new(good).is_ok(), "{good}");
    }
    for bad in [
        "",
        "2026-11-30",
        "2026-11-30 11:00:00Z",
        "2026-11-30T11:00:00",
        "2026-13-30T11:00:00Z",
        "2026-11-32T11:00:00Z",
        "2026-11-30T24:00:00Z",
        "2026-11-30T11:60:00Z",
        "2026-11-30T11:00:61Z",
        "2026-11-30T11:00:00.Z",
        "2026-11-30T11:00:00+24:00",
        "2026-11-30T11:00:00+0530",
        "2026-11-30T11:00:00ZZ",
        "２026-11-30T11:00:00Z",
    ] {
        assert_eq!(Timestamp::new(bad), Err(NameError::Timestamp), "{bad}");
    }
    assert_eq!(RouteName::new("a\nb"), Err(NameError::Control));
    assert_eq!(RouteName::new(""), Err(NameError::Length));
    assert_eq!(
        RouteName::new("x".repeat(MAX_NAME_CHARS + 1)),
        Err(NameError::Length)
    );
}

use crate::limits::MAX_NAME_CHARS;

proptest! {
    #[test]
    fn any_changed_byte_is_refused_or_means_the_same(at in 0_usize..4000, byte in any::<u8>()) {
        let record = sample(5);
        let mut text = record.to_json().unwrap().into_bytes();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(read) = EvidenceRecord::from_json(&text) {
            prop_assert_eq!(read, record);
        }
    }
}
