use std::sync::{Arc, Mutex};

use eyes_evidence::{
    code::{Coded, ErrorCode},
    digest::Sha256Digest,
    geometry::{NormalizedBbox, PixelSize},
    image::{ImageIdentity, MediaType},
    provenance::{CacheKey, EvidenceRecord},
    record::{Evidence, EvidenceKind},
    store::{EvidenceStore, MemoryStore, Pruned, Put, StoreBounds, StoreError, StoreUsage},
};
use pollster::block_on;

use super::*;
use crate::{
    codes,
    config::VisionConfig,
    error::{AnswerError, ProviderError, VisionError},
    limits::{MAX_ANSWER_BYTES, MAX_BASE_PROMPT_CHARS, MAX_QUESTION_CHARS, MAX_REASONING_BYTES},
    model::{
        ContentBlock, FinishReason, ImageInput, Modality, ModelSpec, ModelUsage, StreamEvent,
        VisionTask,
    },
    ports::{Clock, ModelProvider},
    route::{Attempt, Outcome, Route},
    testing::{FixedClock, Script, ScriptedProvider, model_provider_contract},
};

fn image() -> ImageInput {
    let bytes: Arc<[u8]> = Arc::from(&b"pixels"[..]);
    ImageInput {
        identity: ImageIdentity {
            sha256: Sha256Digest::of(&bytes),
            pixel_sha256: Sha256Digest::of(b"decoded"),
            media_type: MediaType::Png,
            bytes: bytes.len() as u64,
            size: PixelSize {
                width: 1920,
                height: 1080,
            },
            orientation: None,
        },
        bytes,
    }
}

fn route(text: &str) -> Route {
    text.parse().expect("a route")
}

fn good(kind: EvidenceKind) -> Script {
    Script::answer(example(kind))
}

fn failing(code: ErrorCode) -> Script {
    Script::Refuse(ProviderError::new(code, "down"))
}

fn clock() -> Arc<dyn Clock> {
    Arc::new(FixedClock)
}

struct Setup {
    providers: Vec<Arc<ScriptedProvider>>,
    reader: VisionReader,
}

fn setup(scripts: Vec<(&str, Vec<Script>)>, store: Option<Arc<dyn EvidenceStore>>) -> Setup {
    let routes = scripts
        .iter()
        .map(|(id, _)| route(&format!("{id}/eye")))
        .collect();
    let providers: Vec<_> = scripts
        .into_iter()
        .map(|(id, scripts)| Arc::new(ScriptedProvider::new(id, "eye", scripts)))
        .collect();
    let shared = providers
        .iter()
        .map(|p| Arc::clone(p) as Arc<dyn ModelProvider>);
    let reader = VisionReader::new(shared, VisionConfig::new(routes), clock(), store);
    Setup { providers, reader }
}

fn base(setup: &Setup) -> Result<Reading, VisionError> {
    block_on(setup.reader.base_read(&image(), None))
}

fn code_of(result: Result<Reading, VisionError>) -> ErrorCode {
    result.expect_err("the reading fails").code()
}

#[test]
fn examples_are_evidence_of_their_kind() {
    for kind in [EvidenceKind::Base, EvidenceKind::Target] {
        let parsed: Evidence = serde_json::from_str(example(kind)).expect("the example parses");
        assert_eq!(parsed.kind(), kind);
    }
}

#[test]
fn the_base_prompt_is_bounded_and_names_the_source() {
    let identity = image().identity;
    let prompt = base_prompt(&identity);
    let chars = prompt.chars().count();
    assert!(chars <= MAX_BASE_PROMPT_CHARS, "{chars} characters");
    assert!(prompt.contains("1920x1080"));
    assert!(prompt.contains(&identity.sha256.to_string()));
    assert!(prompt.contains("untrusted"));
    assert!(prompt.contains(example(EvidenceKind::Base)));
}

#[test]
fn the_target_prompt_carries_question_and_region() {
    let region = NormalizedBbox::new(0.25, 0.5, 0.125, 0.25).expect("a box");
    let prompt = target_prompt(&image().identity, "Which port?", Some(region));
    assert!(prompt.contains("Question: Which port?\n"));
    assert!(prompt.contains("[0.25, 0.5, 0.125, 0.25]"));
    assert!(!target_prompt(&image().identity, "Which port?", None).contains("region ["));
}

#[test]
fn a_question_is_trimmed_and_bounded_in_characters() {
    let longest = "ü".repeat(MAX_QUESTION_CHARS);
    assert_eq!(checked_question(" Which? \n"), Ok("Which?"));
    assert_eq!(checked_question(&longest), Ok(longest.as_str()));
    for bad in ["", "  ", &format!("{longest}x")] {
        let error = checked_question(bad).expect_err("out of bounds");
        assert_eq!(error.code(), codes::INVALID_VISION_REQUEST);
    }
}

#[test]
fn a_collector_keeps_text_and_the_last_usage_and_drops_reasoning() {
    let mut collector = AnswerCollector::default();
    let usage = |output| ModelUsage {
        output,
        ..ModelUsage::default()
    };
    for event in [
        StreamEvent::ReasoningDelta("hm".into()),
        StreamEvent::TextDelta("a".into()),
        StreamEvent::Usage(usage(1)),
        StreamEvent::TextDelta("b".into()),
        StreamEvent::Usage(usage(2)),
    ] {
        assert_eq!(collector.accept(event), Ok(false));
    }
    assert_eq!(
        collector.accept(StreamEvent::Finish(FinishReason::Stop)),
        Ok(true)
    );
    let answer = collector.finish().expect("complete");
    assert_eq!((answer.text.as_str(), answer.usage), ("ab", usage(2)));
}

#[test]
fn a_collector_refuses_what_is_too_long_cut_off_or_unfinished() {
    let mut collector = AnswerCollector::default();
    let full = StreamEvent::TextDelta("x".repeat(MAX_ANSWER_BYTES));
    assert_eq!(collector.accept(full), Ok(false));
    let over = collector.accept(StreamEvent::TextDelta("x".into()));
    assert!(matches!(over, Err(AnswerError::Limit { what: "text", .. })));

    let mut collector = AnswerCollector::default();
    let full = StreamEvent::ReasoningDelta("x".repeat(MAX_REASONING_BYTES));
    assert_eq!(collector.accept(full), Ok(false));
    let over = collector.accept(StreamEvent::ReasoningDelta("x".into()));
    assert!(matches!(
        over,
        Err(AnswerError::Limit {
            what: "reasoning",
            ..
        })
    ));

    assert_eq!(
        AnswerCollector::default().finish(),
        Err(AnswerError::Incomplete)
    );
    let mut collector = AnswerCollector::default();
    let finish = StreamEvent::Finish(FinishReason::MaxTokens);
    assert_eq!(collector.accept(finish), Ok(true));
    assert_eq!(collector.finish(), Err(AnswerError::Truncated));
}

#[test]
fn reads_an_overview_and_shows_the_model_the_original_bytes() {
    let setup = setup(vec![("a", vec![good(EvidenceKind::Base)])], None);
    let reading = base(&setup).expect("a reading");
    assert_eq!(reading.route, route("a/eye"));
    assert!(!reading.is_cached());
    let [request] = &setup.providers[0].requests()[..] else {
        panic!("one call");
    };
    assert_eq!(request.task, VisionTask::Base);
    assert_eq!(request.temperature, Some(0.0));
    let [ContentBlock::Image(shown), ContentBlock::Text(_)] = &request.messages[0].content[..]
    else {
        panic!("an image and a text");
    };
    assert_eq!(&shown.bytes[..], b"pixels");
    assert_eq!(setup.providers[0].open_streams(), 0);
}

#[test]
fn a_stored_record_answers_the_same_reading_without_a_call() {
    let store: Arc<dyn EvidenceStore> = Arc::new(MemoryStore::default());
    let setup = setup(
        vec![(
            "a",
            vec![
                good(EvidenceKind::Base),
                good(EvidenceKind::Target),
                failing(codes::VISION_MODEL_FAILED),
            ],
        )],
        Some(store),
    );
    let first = base(&setup).expect("a reading");
    let again = base(&setup).expect("the stored reading");
    assert!(again.is_cached());
    assert_eq!(first.record, again.record);

    let ask = |question| block_on(setup.reader.target_read(&image(), question, None, None));
    assert!(!ask("Which port?").expect("an answer").is_cached());
    assert!(ask(" Which port? ").expect("the stored answer").is_cached());
    assert_eq!(code_of(ask("Which host?")), codes::VISION_MODEL_FAILED);
    assert_eq!(setup.providers[0].requests().len(), 3);
}

#[test]
fn another_revision_of_the_model_is_asked_anew() {
    let store: Arc<dyn EvidenceStore> = Arc::new(MemoryStore::default());
    for (revision, cached) in [("1", false), ("1", true), ("2", false)] {
        let model = ModelSpec {
            id: "eye".into(),
            input: vec![Modality::Image],
            context_window: None,
            default_max_output: None,
            revision: Some(revision.into()),
        };
        let provider = ScriptedProvider::new("a", "eye", [good(EvidenceKind::Base)]);
        let provider: Arc<dyn ModelProvider> = Arc::new(provider.with_models(vec![model]));
        let config = VisionConfig::new(vec![route("a/eye")]);
        let reader = VisionReader::new([provider], config, clock(), Some(Arc::clone(&store)));
        let reading = block_on(reader.base_read(&image(), None)).expect("a reading");
        assert_eq!(reading.is_cached(), cached, "revision {revision}");
    }
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

#[test]
fn a_full_store_does_not_lose_the_evidence() {
    let disk = Arc::new(FullStore::default());
    let store = Arc::clone(&disk) as Arc<dyn EvidenceStore>;
    let setup = setup(vec![("a", vec![good(EvidenceKind::Base)])], Some(store));
    let reading = base(&setup).expect("a reading");
    assert_eq!(*disk.0.lock().expect("not poisoned"), 1);
    let [warning] = &reading.warnings[..] else {
        panic!("one warning");
    };
    assert!(warning.message.contains("does not fit"));
}

#[test]
fn the_next_route_answers_when_the_first_fails() {
    for (script, code) in [
        (
            failing(codes::VISION_MODEL_FAILED),
            codes::VISION_MODEL_FAILED,
        ),
        (
            Script::answer("I cannot see it"),
            eyes_evidence::codes::INVALID_MODEL_OUTPUT,
        ),
        (
            Script::Events(vec![Ok(StreamEvent::TextDelta("{".into()))]),
            codes::INCOMPLETE_STREAM,
        ),
        (
            Script::Events(vec![Ok(StreamEvent::Finish(FinishReason::MaxTokens))]),
            codes::VISION_OUTPUT_TRUNCATED,
        ),
    ] {
        let setup = setup(
            vec![("a", vec![script]), ("b", vec![good(EvidenceKind::Base)])],
            None,
        );
        let reading = base(&setup).expect("the second route answers");
        assert_eq!(reading.route, route("b/eye"));
        let codes: Vec<_> = reading.attempts.iter().map(Attempt::failure).collect();
        assert_eq!(codes, [Some(code), None]);
        assert_eq!(reading.attempts[1].outcome, Outcome::Answered);
        assert_eq!(
            setup.providers[0].open_streams(),
            0,
            "no stream is left open"
        );
    }
}

#[test]
fn routes_that_cannot_look_say_why() {
    let check = |config: VisionConfig, expected: ErrorCode| {
        let blind = ModelSpec {
            id: "words".into(),
            input: vec![Modality::Text],
            context_window: None,
            default_max_output: None,
            revision: None,
        };
        let provider = ScriptedProvider::new("a", "eye", [good(EvidenceKind::Base)]);
        let provider: Arc<dyn ModelProvider> = Arc::new(provider.with_models(vec![blind]));
        let reader = VisionReader::new([provider], config, clock(), None);
        let result = block_on(reader.base_read(&image(), None));
        assert_eq!(code_of(result), expected);
    };
    let one = |text| VisionConfig::new(vec![route(text)]);
    check(VisionConfig::new(Vec::new()), codes::NO_VISION_MODEL);
    check(one("a/words"), codes::VISION_MODEL_NOT_MULTIMODAL);
    check(one("a/other"), codes::VISION_ROUTE_ERROR);
    check(one("b/eye"), codes::VISION_ROUTE_ERROR);
}

#[test]
fn a_stop_by_the_caller_asks_no_other_route() {
    let stopped = Script::Events(vec![Err(ProviderError::aborted())]);
    let setup = setup(
        vec![("a", vec![stopped]), ("b", vec![good(EvidenceKind::Base)])],
        None,
    );
    assert_eq!(code_of(base(&setup)), codes::ABORTED);
    assert!(setup.providers[1].requests().is_empty());
}

#[test]
fn the_scripted_provider_keeps_the_contract() {
    let provider = ScriptedProvider::new("a", "eye", [good(EvidenceKind::Base)]);
    let request = build_request(
        &route("a/eye"),
        &image(),
        &Ask::Base,
        &VisionConfig::new(Vec::new()),
    );
    block_on(model_provider_contract(&provider, request));
    assert_eq!(provider.open_streams(), 0);
}
