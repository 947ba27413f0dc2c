use std::sync::Mutex;

use eyes_evidence::{
    provenance::{CacheKey, EvidenceRecord},
    store::{
        EvidenceStore, MemoryStore, Pruned, Put, StoreBounds, StoreError, StoreUsage, fs::FsStore,
    },
};

use super::*;
use crate::model::{ContentBlock, Modality, ModelSpec, Task};

fn memory() -> Arc<dyn EvidenceStore> {
    Arc::new(MemoryStore::default())
}

#[tokio::test]
async fn reads_an_overview_and_shows_the_model_the_original_bytes() {
    let world = world([eye("a", [base_answer()])]).build();
    let reading = world.base().await.expect("a reading");
    assert_eq!(reading.route, route("a/eye"));
    assert!(!reading.is_cached() && !reading.joined);
    let [request] = &world.providers[0].requests()[..] else {
        panic!("one call");
    };
    assert_eq!(request.task, Task::Base);
    assert_eq!(request.temperature, Some(0.0));
    let [ContentBlock::Image(shown), ContentBlock::Text(_)] = &request.messages[0].content[..]
    else {
        panic!("an image and a text");
    };
    assert_eq!(&shown.bytes[..], b"pixels");
    assert_eq!(world.providers[0].open_streams(), 0);
    assert_eq!(reading.record.vision().validation.as_str(), "metadata-only");
}

#[tokio::test]
async fn a_stored_record_answers_the_same_reading_without_a_call() {
    let scripts = [base_answer(), good(EvidenceKind::Target), down()];
    let world = world([eye("a", scripts)]).store(&memory()).build();
    let first = world.base().await.expect("a reading");
    let again = world.base().await.expect("the stored reading");
    assert!(again.is_cached());
    assert_eq!(first.record, again.record);

    let ask = async |question: &str| {
        let image = image();
        world.reader.target_read(&image, question, None, None).await
    };
    assert!(!ask("Which port?").await.expect("an answer").is_cached());
    let same = ask(" Which port? ").await.expect("the stored answer");
    assert!(same.is_cached());
    assert_eq!(
        code_of(ask("Which host?").await),
        codes::VISION_MODEL_FAILED
    );
    assert_eq!(world.calls(0), 3);
    let told: Vec<&str> = world
        .events()
        .iter()
        .map(|(_, status)| status.name())
        .collect();
    assert_eq!(
        told,
        ["success", "cache-hit", "success", "cache-hit", "failed"]
    );
}

#[tokio::test]
async fn the_readers_request_goes_along_and_has_records_of_its_own() {
    let world = world([eye("a", [base_answer()])]).store(&memory()).build();
    let read = async |request: Option<&str>| {
        let request = ReadRequest::new(image(), Ask::base(request));
        world.reader.read(request).await.expect("a reading")
    };
    let plain = read(None).await;
    let focused = read(Some("Which port is set?")).await;
    assert!(!focused.is_cached());
    assert!(read(Some("  Which port is set? ")).await.is_cached());
    assert!(
        read(Some(" ")).await.is_cached(),
        "an empty request is none"
    );
    assert!(!read(Some("Which host is set?")).await.is_cached());
    assert_ne!(plain.record.cache_key(), focused.record.cache_key());
    let requests = world.providers[0].requests();
    let texts = requests.iter().map(|r| &r.messages[0].content[1]);
    let quoted: Vec<bool> = texts
        .map(|block| matches!(block, ContentBlock::Text(t) if t.contains("\"Which port is set?\"")))
        .collect();
    assert_eq!(quoted, [false, true, false]);
}

#[tokio::test]
async fn another_revision_of_the_model_is_asked_anew() {
    let store = memory();
    for (revision, cached) in [("1", false), ("1", true), ("2", false)] {
        let model = ModelSpec {
            revision: Some(revision.into()),
            ..ModelSpec::new("eye", [Modality::Image])
        };
        let provider = eye("a", [base_answer()]).with_models(vec![model]);
        let world = world([provider]).store(&store).build();
        let reading = world.base().await.expect("a reading");
        assert_eq!(reading.is_cached(), cached, "revision {revision}");
    }
}

/// W16: the evidence of a fallback route is not paid for again, and no route is asked before all keys were
/// looked up.
#[tokio::test]
async fn the_evidence_of_a_fallback_route_is_reused() {
    let store = memory();
    let first = world([eye("a", [down()]), eye("b", [base_answer()])]).store(&store);
    let reading = first.build().base().await.expect("the fallback answers");
    assert_eq!(reading.route, route("b/eye"));

    let later = first.build();
    let again = later.base().await.expect("the stored reading");
    assert!(again.is_cached());
    assert_eq!(again.route, route("b/eye"));
    assert_eq!(again.record, reading.record);
    assert_eq!((later.calls(0), later.calls(1)), (1, 1), "no further call");
    assert_eq!(later.sink.events()[0].priority, 1);
}

#[derive(Debug, Default)]
struct FullStore(Mutex<u32>);

impl EvidenceStore for FullStore {
    fn get(&self, _: &CacheKey) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        Ok(None)
    }

    fn find(&self, _: &Sha256Digest) -> Result<Option<Arc<EvidenceRecord>>, StoreError> {
        Ok(None)
    }

    fn put_all(&self, _: &[Arc<EvidenceRecord>]) -> Result<Vec<Put>, StoreError> {
        *self.0.lock().expect("not poisoned") += 1;
        Err(StoreError::TooLarge { bytes: 2, limit: 1 })
    }

    fn prune(&self, _: StoreBounds) -> Result<Pruned, StoreError> {
        Ok(Pruned::default())
    }

    fn usage(&self) -> Result<StoreUsage, StoreError> {
        Ok(StoreUsage::default())
    }
}

/// W16, W1: a full disk loses nothing that was paid for, and is not the route's fault.
#[tokio::test]
async fn a_full_store_does_not_lose_the_evidence() {
    let disk = Arc::new(FullStore::default());
    let store = Arc::clone(&disk) as Arc<dyn EvidenceStore>;
    let world = world([eye("a", [base_answer()])]).store(&store).build();
    for tried in 1..=3 {
        let reading = world.base().await.expect("a reading");
        assert_eq!(*disk.0.lock().expect("not poisoned"), tried);
        let [warning] = &reading.warnings[..] else {
            panic!("one warning");
        };
        assert_eq!(warning.code.as_str(), "EVIDENCE_STORE_LIMIT");
        assert!(warning.message.contains("does not fit"));
    }
    assert_eq!(world.reader.health(), []);
}

/// W16: a record that was edited on disk does not come back as evidence.
#[tokio::test]
async fn a_record_that_was_tampered_with_is_read_anew() {
    let directory = tempfile::tempdir().expect("a directory");
    let open = || -> Arc<dyn EvidenceStore> {
        let store = FsStore::open(directory.path().join("evidence"), StoreBounds::default());
        Arc::new(store.expect("a store"))
    };
    let build = world([eye("a", [base_answer()])]);
    build
        .store(&open())
        .build()
        .base()
        .await
        .expect("a reading");
    let packs = directory.path().join("evidence/packs");
    let pack = std::fs::read_dir(packs).expect("packs").next();
    let pack = pack.expect("one pack").expect("an entry").path();
    let text = std::fs::read_to_string(&pack).expect("a pack");
    let edited = text.replacen("what the picture shows", "what the forger wants!", 1);
    assert_ne!(text, edited);
    std::fs::write(&pack, edited).expect("written");

    let later = world([eye("a", [base_answer()])]).store(&open()).build();
    let reading = later.base().await.expect("a new reading");
    assert!(!reading.is_cached());
    assert_eq!(later.calls(0), 1);
    let codes: Vec<&str> = reading.warnings.iter().map(|w| w.code.as_str()).collect();
    assert_eq!(codes, ["EVIDENCE_STORE_MISMATCH"]);
    let json = reading.record.to_json().expect("a record");
    assert!(!json.contains("forger"));
}

#[tokio::test]
async fn the_memory_cache_is_bounded() {
    let bounds = StoreBounds {
        max_items: 2,
        ..StoreBounds::default()
    };
    let store: Arc<dyn EvidenceStore> = Arc::new(MemoryStore::new(bounds));
    let world = world([eye("a", [base_answer()])]).store(&store).build();
    for name in ["1", "2", "3"] {
        let read = world.reader.base_read(&picture(name), None).await;
        read.expect("a reading");
    }
    assert_eq!(store.usage().expect("counted").items, 2);
}
