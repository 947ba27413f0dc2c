use tokio::time::timeout;

use super::*;
use crate::{
    limits::{MAX_PROBE_MODEL_TOKENS, MAX_PROBE_TOKENS},
    model::{ContentBlock, GenerateRequest, Modality, ModelSpec},
    ports::RandomSource,
    probe::PixelProbe,
    testing::TokioClock,
};

fn probing(provider: ScriptedProvider) -> Builder {
    world([provider]).settings(|s| s.active_probe = true)
}

fn model(default_max_output: Option<u32>, revision: &str) -> Vec<ModelSpec> {
    vec![ModelSpec {
        default_max_output,
        revision: Some(revision.into()),
        ..ModelSpec::new("eye", [Modality::Text, Modality::Image])
    }]
}

fn usage(output: u64) -> TokenUsage {
    TokenUsage {
        output,
        ..TokenUsage::default()
    }
}

#[tokio::test]
async fn the_first_reading_lets_the_model_prove_that_it_sees() {
    let world = probing(eye("a", [base_answer()])).build();
    let reading = world.base().await.expect("a reading");
    let validation = &reading.record.vision().validation;
    assert_eq!(validation.as_str(), "metadata+active-grid-probe");
    world
        .reader
        .base_read(&picture("2"), None)
        .await
        .expect("a reading");
    assert_eq!(world.providers[0].probes().len(), 1);
    assert_eq!(
        world.events(),
        [
            (AttemptPhase::Probe, AttemptStatus::Success),
            (AttemptPhase::Operation, AttemptStatus::Success),
            (AttemptPhase::Operation, AttemptStatus::Success),
        ]
    );
}

#[tokio::test]
async fn a_stored_record_needs_no_probe() {
    let store: Arc<dyn EvidenceStore> = Arc::new(eyes_evidence::store::MemoryStore::default());
    world([eye("a", [base_answer()])])
        .store(&store)
        .build()
        .base()
        .await
        .expect("a reading");
    let later = probing(eye("a", [])).store(&store).build();
    assert!(later.base().await.expect("stored").is_cached());
    assert_eq!(later.providers[0].probes().len(), 0);
}

/// W13: a reasoning model has room to think, as much as it is declared to need.
#[tokio::test]
async fn the_output_budget_of_a_probe_follows_the_model() {
    for (declared, asked) in [
        (None, MAX_PROBE_TOKENS),
        (Some(8_192), 8_192),
        (Some(1_000_000), MAX_PROBE_MODEL_TOKENS),
    ] {
        let provider = eye("a", [base_answer()]).with_models(model(declared, "1"));
        let world = probing(provider).build();
        world.base().await.expect("a reading");
        let probes = world.providers[0].probes();
        assert_eq!(probes[0].max_output_tokens, Some(asked));
    }
}

/// W13: one wrong or cut-off answer is not the end; the second grid is another one with more room.
#[tokio::test]
async fn a_second_grid_is_shown_before_the_probe_fails() {
    let cut = Script::ending("", usage(7), FinishReason::MaxTokens);
    let wrong = Script::ending("{\"cells\":[]}", usage(7), FinishReason::Stop);
    for (script, budget) in [(cut, 2 * MAX_PROBE_TOKENS), (wrong, MAX_PROBE_TOKENS)] {
        let world = probing(eye("a", [base_answer()]).with_probes([script])).build();
        let failure = world.base().await.expect_err("no proof");
        assert_eq!(failure.code(), codes::VISION_PROBE_FAILED);
        assert_eq!(failure.usage.probe, usage(14), "both tries are booked");
        assert_eq!(failure.usage.model, TokenUsage::default());
        assert_eq!(world.calls(0), 0, "a model without proof reads nothing");
        let probes = world.providers[0].probes();
        assert_eq!(probes.len(), 2);
        assert_ne!(picture_of(&probes[0]), picture_of(&probes[1]));
        assert_eq!(probes[1].max_output_tokens, Some(budget));
        assert_eq!(world.reader.health()[0].failures, 1, "a route fault");
        // A failure is not kept: the next reading tries again.
        world.base().await.expect_err("no proof");
        assert_eq!(world.providers[0].probes().len(), 4);
    }
}

fn picture_of(request: &GenerateRequest) -> Sha256Digest {
    match &request.messages[0].content[0] {
        ContentBlock::Image(image) => image.identity.sha256,
        _ => panic!("an image first"),
    }
}

/// W13: callers that wait for one probe book it once, and the first one's leaving ends it for nobody.
#[tokio::test(start_paused = true)]
async fn concurrent_readings_share_one_probe_that_is_booked_once() {
    let answer = Script::ending(&first_grid(), usage(9), FinishReason::Stop).after(ms(100));
    let world = probing(eye("a", [base_answer()]).with_probes([answer])).build();
    let read = async |name: &str| {
        let image = picture(name);
        world.reader.base_read(&image, None).await
    };
    let (first, second, third) = tokio::join!(timeout(ms(10), read("1")), read("2"), read("3"));
    assert!(first.is_err(), "the first caller left");
    let booked = second.expect("a reading").usage.probe.output
        + third.expect("a reading").usage.probe.output;
    assert_eq!(booked, 9);
    assert_eq!(world.providers[0].probes().len(), 1);
}

/// Names the cells of the first grid that a reader shows: an attempt's id takes two numbers before it.
fn first_grid() -> String {
    let random = CountingRandom::default();
    let [_, _, seed] = [(); 3].map(|()| random.next_u64());
    format!("{{\"cells\":{:?}}}", PixelProbe::shuffled(seed).cells())
}

#[tokio::test(start_paused = true)]
async fn a_proof_holds_across_restarts_for_its_time_and_its_model_only() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("vision-health.json");
    let clock = TokioClock::start();
    let probes = async |revision: &str| {
        let provider = eye("a", [base_answer()]).with_models(model(None, revision));
        let mut build = probing(provider)
            .clock(clock)
            .settings(|s| s.vision_probe_ttl_ms = 60_000);
        build.health_path = Some(path.clone());
        let world = build.build();
        world.base().await.expect("a reading");
        world.providers[0].probes().len()
    };
    assert_eq!(probes("1").await, 1);
    assert_eq!(probes("1").await, 0, "another process trusts the proof");
    assert_eq!(probes("2").await, 1, "another revision proves anew");
    assert_eq!(probes("2").await, 0);
    tokio::time::advance(ms(60_001)).await;
    assert_eq!(probes("2").await, 1, "and so does an old proof");
}

#[tokio::test]
async fn a_probe_can_be_asked_for() {
    let world = world([eye("a", [])]).build();
    world.reader.probe(&route("a/eye")).await.expect("it sees");
    world.reader.probe(&route("a/eye")).await.expect("it sees");
    assert_eq!(world.providers[0].probes().len(), 2);
    let unknown = world.reader.probe(&route("a/other")).await;
    assert_eq!(
        unknown.expect_err("no such model").code(),
        codes::VISION_ROUTE_ERROR
    );
}

#[tokio::test]
async fn a_stream_failure_of_a_probe_keeps_its_own_code() {
    let world = probing(eye("a", []).with_probes([down()])).build();
    assert_eq!(code_of(world.base().await), codes::VISION_MODEL_FAILED);
    let failed = (AttemptPhase::Probe, AttemptStatus::Failed);
    assert!(world.events().contains(&failed));
}
