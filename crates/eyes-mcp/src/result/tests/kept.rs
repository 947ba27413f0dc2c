//! Artifacts: exactly the file, readable by range, removed by age and by size.

use std::{
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use eyes_evidence::{
    canonical::Canonical, digest::Sha256Digest, provenance::Timestamp, redact::Redactor,
    testing::FixedClock,
};
use serde_json::{Value, json};

use super::text;
use crate::{
    ports::Clock,
    result::{ArtifactBounds, BoundContext, BoundedResult, ResultArtifacts, bound},
};

/// A clock that a test sets.
#[derive(Debug, Default)]
struct SetClock(AtomicU64);

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        FixedClock.now()
    }

    fn unix_ms(&self) -> u64 {
        FixedClock.unix_ms() + self.0.load(Ordering::Relaxed)
    }
}

const HOUR: u64 = 60 * 60 * 1000;

fn open(dir: &Path, bounds: ArtifactBounds) -> (ResultArtifacts, Arc<SetClock>) {
    let clock = Arc::new(SetClock::default());
    let shared: Arc<dyn Clock> = Arc::<SetClock>::clone(&clock);
    (ResultArtifacts::open(dir, bounds, shared).unwrap(), clock)
}

fn kept(value: &Value, artifacts: &ResultArtifacts, redactor: &Redactor) -> BoundedResult {
    let context = BoundContext {
        server: "srv",
        tool: "tool",
        max_chars: 256,
        artifacts: Some(artifacts),
        redactor,
    };
    bound(value, &context).unwrap()
}

#[test]
fn w11_digest_and_size_are_those_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let (artifacts, _clock) = open(dir.path(), ArtifactBounds::default());
    let value = json!({"content": [text(&"long é ".repeat(200))]});
    let result = kept(&value, &artifacts, &Redactor::default());
    let artifact = result.artifact.clone().unwrap();
    let file = fs::read(&artifact.path).unwrap();
    assert_eq!(artifact.sha256, Sha256Digest::of(&file));
    assert_eq!(artifact.bytes, file.len() as u64);
    let canonical = Canonical::of_value(&value).unwrap();
    assert_eq!(file, format!("{}\n", canonical.as_str()).into_bytes());
    assert_eq!(
        result.sha256,
        canonical.digest(),
        "the result's own digest has no line break"
    );
    assert_eq!(result.bytes + 1, artifact.bytes);
    assert_eq!(artifact.media_type, "application/json");
    let told = result.to_json()["artifact"].clone();
    assert_eq!(told["sha256"], json!(artifact.sha256));
    assert_eq!(told["path"], json!(artifact.path.display().to_string()));
    let line = format!("\nartifact: {}\n", artifact.path.display());
    assert!(result.model_text().contains(&line));
}

#[test]
fn only_what_is_not_shown_whole_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let (artifacts, _clock) = open(dir.path(), ArtifactBounds::default());
    let short = json!({"content": [text("short")], "structuredContent": {"a": 1}});
    assert_eq!(
        kept(&short, &artifacts, &Redactor::default()).artifact,
        None
    );
    for block in [
        json!({"type": "audio", "data": "AQID"}),
        json!({"type": "resource_link", "name": "n", "uri": "u:"}),
        json!({"type": "text", "text": "mine", "annotations": {"audience": ["user"]}}),
    ] {
        let value = json!({ "content": [block] });
        let result = kept(&value, &artifacts, &Redactor::default());
        assert!(result.artifact.is_some() && !result.truncated, "{value}");
    }
}

#[test]
fn a_file_holds_exact_integers_and_no_known_secret() {
    let dir = tempfile::tempdir().unwrap();
    let (artifacts, _clock) = open(dir.path(), ArtifactBounds::default());
    let value = json!({
        "content": [{"type": "audio", "data": "AQID"}],
        "structuredContent": {"id": 9_007_199_254_740_993_u64, "key": "a\"secret\"é"},
    });
    let redactor = Redactor::with_values(["a\"secret\"é"]);
    let artifact = kept(&value, &artifacts, &redactor).artifact.unwrap();
    let file = fs::read_to_string(artifact.path).unwrap();
    let said: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(
        said["structuredContent"]["id"],
        json!(9_007_199_254_740_993_u64)
    );
    assert_eq!(said["structuredContent"]["key"], "[REDACTED]");
}

#[test]
fn artifacts_are_read_in_chunks_of_whole_characters() {
    let dir = tempfile::tempdir().unwrap();
    let (artifacts, _clock) = open(dir.path(), ArtifactBounds::default());
    let body = "aé文😀".repeat(50);
    let artifact = artifacts.put(&body).unwrap();
    for len in [1, 2, 3, 7, 64, 1_000, usize::MAX] {
        let mut read = String::new();
        let mut next = Some(0);
        while let Some(offset) = next {
            let chunk = artifacts.read_range(&artifact.sha256, offset, len).unwrap();
            assert_eq!((chunk.offset, chunk.total), (offset, artifact.bytes));
            assert!(!chunk.text.is_empty() && chunk.text.len() <= len.max(4));
            read.push_str(&chunk.text);
            next = chunk.next;
        }
        assert_eq!(read, format!("{body}\n"), "{len}");
    }
    let inside = artifacts.read_range(&artifact.sha256, 2, 3).unwrap();
    assert_eq!((inside.offset, inside.text.as_str()), (1, "é"));
    let behind = artifacts.read_range(&artifact.sha256, u64::MAX, 3).unwrap();
    assert_eq!((behind.text.as_str(), behind.next), ("", None));
    let none = artifacts.read_range(&Sha256Digest::of(b"other"), 0, 3);
    assert_eq!(none.unwrap_err().code.as_str(), "MCP_ARTIFACT_MISSING");
    fs::write(&artifact.path, "tampered").unwrap();
    let changed = artifacts.read_range(&artifact.sha256, 0, 3).unwrap_err();
    assert_eq!(changed.code.as_str(), "EVIDENCE_STORE_MISMATCH");
}

#[test]
fn old_artifacts_go_by_age_and_used_ones_stay() {
    let dir = tempfile::tempdir().unwrap();
    let bounds = ArtifactBounds {
        max_age: Duration::from_hours(10),
        ..ArtifactBounds::default()
    };
    let (artifacts, clock) = open(dir.path(), bounds);
    let old = artifacts.put("old").unwrap();
    let again = artifacts.put("again").unwrap();
    clock.0.store(9 * HOUR, Ordering::Relaxed);
    artifacts.put("again").unwrap();
    clock.0.store(11 * HOUR, Ordering::Relaxed);
    let new = artifacts.put("new").unwrap();
    let there = |artifact: &crate::result::ResultArtifact| artifact.path.exists();
    assert!(!there(&old) && there(&again) && there(&new));
    // Looking again waits for the interval.
    clock.0.store(11 * HOUR + 1, Ordering::Relaxed);
    artifacts.put("more").unwrap();
    clock.0.store(40 * HOUR, Ordering::Relaxed);
    assert_eq!(artifacts.expire().unwrap().items, 3);
    let (reopened, _clock) = open(dir.path(), bounds);
    assert_eq!(reopened.expire().unwrap().items, 0);
}

#[test]
fn the_oldest_make_room_for_new_ones() {
    let dir = tempfile::tempdir().unwrap();
    let bounds = ArtifactBounds {
        max_bytes: 100,
        ..ArtifactBounds::default()
    };
    let (artifacts, clock) = open(dir.path(), bounds);
    let mut paths = Vec::new();
    for number in 0..10_u64 {
        clock.0.store(number * 1000, Ordering::Relaxed);
        let artifact = artifacts
            .put(&format!("{number}{}", "x".repeat(30)))
            .unwrap();
        paths.push(artifact.path);
    }
    let left: Vec<bool> = paths.iter().map(|path| path.exists()).collect();
    assert_eq!(left, [[false; 7].as_slice(), &[true; 3]].concat());
}

#[test]
fn a_result_that_cannot_be_kept_is_answered_with_a_note() {
    let dir = tempfile::tempdir().unwrap();
    let bounds = ArtifactBounds {
        max_bytes: 100,
        ..ArtifactBounds::default()
    };
    let (artifacts, _clock) = open(dir.path(), bounds);
    let value = json!({"content": [text(&"long ".repeat(200))]});
    let result = kept(&value, &artifacts, &Redactor::default());
    assert!(result.preview.starts_with("long long "));
    assert_eq!(result.artifact, None);
    let note =
        "the whole result is not kept (EVIDENCE_STORE_LIMIT); what is not shown here is lost";
    assert_eq!(result.notes, [note]);
    assert!(result.model_text().contains(&format!("\nnote: {note}\n")));
    assert_eq!(result.to_json()["notes"], json!([note]));
}

#[cfg(unix)]
#[test]
fn places_are_private_and_links_are_refused() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("artifacts");
    let (artifacts, _clock) = open(&root, ArtifactBounds::default());
    let artifact = artifacts.put("private").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&artifact.path), 0o600);
    assert_eq!(mode(artifact.path.parent().unwrap()), 0o700);
    assert_eq!(mode(&root), 0o700);

    let link = dir.path().join("link");
    symlink(&root, &link).unwrap();
    let refused = ResultArtifacts::open(&link, ArtifactBounds::default(), Arc::new(FixedClock));
    assert_eq!(refused.unwrap_err().code.as_str(), "EVIDENCE_STORE_BLOCKED");

    let outside = dir.path().join("outside");
    fs::write(&outside, "private\n").unwrap();
    fs::remove_file(&artifact.path).unwrap();
    symlink(&outside, &artifact.path).unwrap();
    assert!(artifacts.read_range(&artifact.sha256, 0, 9).is_err());
}
