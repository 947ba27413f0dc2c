use tokio::time::Instant;

use super::*;
use crate::{
    error::VisionError,
    ports::{BoxFuture, EvidenceCheck},
    testing::TokioClock,
};

fn tokens(input: u64, output: u64) -> TokenUsage {
    TokenUsage {
        input,
        output,
        ..TokenUsage::default()
    }
}

/// W23: a route that never answers costs no more than the time of one operation, and is to blame for it.
#[tokio::test(start_paused = true)]
async fn silence_ends_with_the_time_budget() {
    let hang = Script::Hang(vec![StreamEvent::Usage(tokens(500, 1))]);
    let world = world([eye("a", [hang]), eye("b", [base_answer()])])
        .settings(|s| s.vision_time_budget_ms = 20_000)
        .build();
    let started = Instant::now();
    let failure = world.base().await.expect_err("out of time");
    assert_eq!(started.elapsed(), ms(20_000));
    assert_eq!(failure.code(), codes::VISION_READ_TIMEOUT);
    assert_eq!(failure.usage.model, tokens(500, 1), "what it cost is known");
    assert_eq!(world.calls(1), 0);
    assert_eq!(world.providers[0].open_streams(), 0);
    assert_eq!(world.reader.health()[0].failures, 1);
    let VisionError::Budget { attempts, .. } = &failure.error else {
        panic!("{failure:?}");
    };
    assert_eq!(attempts, &failure.attempts);
}

#[tokio::test(start_paused = true)]
async fn a_route_that_had_little_of_the_time_is_not_to_blame() {
    let a = eye("a", [down().after(ms(15_000))]);
    let world = world([a, eye("b", [Script::Hang(Vec::new())])])
        .settings(|s| s.vision_time_budget_ms = 20_000)
        .build();
    assert_eq!(code_of(world.base().await), codes::VISION_READ_TIMEOUT);
    let blamed: Vec<Route> = world.reader.health().into_iter().map(|h| h.route).collect();
    assert_eq!(blamed, [route("a/eye")]);
}

/// W23: a busy route is asked again after growing, jittered waits.
#[tokio::test(start_paused = true)]
async fn a_busy_route_is_asked_again_after_a_wait() {
    for status in [429, 500, 503, 529] {
        let scripts = [busy(status, None), busy(status, None), base_answer()];
        let world = world([eye("a", scripts)]).build();
        let started = Instant::now();
        world.base().await.expect("the third call answers");
        let took = started.elapsed();
        assert!((ms(1_500)..=ms(3_000)).contains(&took), "{took:?}");
        assert_eq!(world.reader.health(), [], "and nothing is held against it");
        let retry = (AttemptPhase::TransportRetry, AttemptStatus::Retry);
        assert_eq!(world.events()[..2], [retry, retry]);
    }
    let world = world([eye("a", [busy(503, None)])]).build();
    assert_eq!(code_of(world.base().await), codes::VISION_MODEL_FAILED);
    assert_eq!(world.calls(0), 3, "but not for ever");
    let world = self::world([eye("a", [busy(401, None)])]).build();
    world.base().await.expect_err("refused");
    assert_eq!(world.calls(0), 1, "a refused key stays refused");
}

#[tokio::test(start_paused = true)]
async fn a_named_wait_is_kept_when_it_fits_and_left_to_others_when_it_does_not() {
    for (wait, budget, calls) in [(9_000, 300_000, 2), (16_000, 300_000, 1), (9_000, 8_000, 1)] {
        let scripts = [busy(429, Some(wait)), base_answer()];
        let world = world([eye("a", scripts), eye("b", [base_answer()])])
            .settings(|s| s.vision_time_budget_ms = budget)
            .build();
        let started = Instant::now();
        world.base().await.expect("a reading");
        assert_eq!(world.calls(0), calls, "{wait} ms of {budget}");
        if calls == 2 {
            assert_eq!(started.elapsed(), ms(wait));
        } else {
            assert_eq!(started.elapsed(), ms(0));
        }
    }
}

#[tokio::test]
async fn a_broken_stream_is_asked_again_once() {
    let broken = || {
        Script::Events(vec![
            Ok(StreamEvent::TextDelta("{".into())),
            Ok(StreamEvent::Usage(tokens(10, 1))),
        ])
    };
    let reset = Script::Refuse(ProviderError::new(
        codes::VISION_MODEL_FAILED,
        "Connection reset by peer",
    ));
    for first in [broken(), reset, failing(codes::INCOMPLETE_STREAM)] {
        let world = world([eye("a", [first, base_answer()])]).build();
        world.base().await.expect("the second call answers");
        assert_eq!(world.calls(0), 2);
    }
    let world = world([eye("a", [broken()])]).build();
    let failure = world.base().await.expect_err("broken twice");
    assert_eq!(failure.code(), codes::INCOMPLETE_STREAM);
    assert_eq!(world.calls(0), 2);
    assert_eq!(failure.usage.model, tokens(20, 2), "both calls are booked");
}

#[tokio::test]
async fn an_output_bound_that_is_refused_is_left_out_once() {
    let refused = Script::Refuse(ProviderError {
        status: Some(400),
        ..ProviderError::new(
            codes::VISION_MODEL_FAILED,
            "max_tokens is too large: 16384. This model supports at most 4096 completion tokens",
        )
    });
    let world = world([eye("a", [refused.clone(), base_answer()])]).build();
    world.base().await.expect("the second call answers");
    let bounds: Vec<_> = world.providers[0]
        .requests()
        .iter()
        .map(|r| r.max_output_tokens)
        .collect();
    assert_eq!(bounds, [Some(16_384), None]);
    let world = self::world([eye("a", [refused])]).build();
    world.base().await.expect_err("refused");
    assert_eq!(world.calls(0), 2);
}

#[tokio::test]
async fn the_tokens_of_failed_routes_are_summed_apart_from_those_of_probes() {
    let rubbish = Script::ending("no", tokens(100, 5), FinishReason::Stop);
    let answer = Script::ending(
        example(EvidenceKind::Base),
        tokens(70, 30),
        FinishReason::Stop,
    );
    let blind = Script::ending("?", tokens(3, 1), FinishReason::Stop);
    let world = world([
        eye("a", []).with_probes([blind]),
        eye("b", [rubbish]),
        eye("c", [answer]),
    ])
    .settings(|s| s.active_probe = true)
    .build();
    let reading = world.base().await.expect("c answers");
    assert_eq!(reading.usage.model, tokens(170, 35));
    assert_eq!(reading.usage.probe, tokens(6, 2));
}

#[tokio::test]
async fn the_token_budget_ends_the_operation_and_bounds_each_call() {
    let rubbish = Script::ending("no", tokens(1_000, 900), FinishReason::Stop);
    let world = world([eye("a", [rubbish]), eye("b", [base_answer()])])
        .settings(|s| s.vision_token_budget = 2_000)
        .build();
    let failure = world.base().await.expect_err("too dear");
    assert_eq!(failure.code(), codes::VISION_TOKEN_LIMIT);
    assert!(
        failure
            .to_string()
            .contains("used 1900 tokens, and may use 2000")
    );
    assert_eq!(failures(&failure.attempts).len(), 2);
    let requests = world.providers[0].requests();
    assert_eq!(requests[0].max_output_tokens, Some(2_000));
    assert_eq!(world.calls(1), 0);
    let blamed: Vec<Route> = world.reader.health().into_iter().map(|h| h.route).collect();
    assert_eq!(blamed, [route("a/eye")], "only the one that gave rubbish");
}

fn overview(entries: usize, tail: &str) -> String {
    let entry = r#"{"text":"a line","bbox":[0.1,0.1,0.2,0.1],"confidence":0.9}"#;
    let entries = vec![entry; entries].join(",");
    format!(
        r#"{{"schemaVersion":"deepseekeyes.evidence.v1","summary":"A page.","ocr":[{entries}{tail}"#
    )
}

#[tokio::test]
async fn an_answer_that_was_cut_off_is_kept_when_its_core_stands() {
    let whole = example(EvidenceKind::Base);
    for (text, kept, doubted) in [
        (overview(40, r#",{"text":"half a li"#), true, true),
        (overview(1, ""), true, true),
        (format!("{whole}\nAnd fur"), true, false),
        (overview(0, ""), false, false),
        (
            r#"{"schemaVersion":"deepseekeyes.evidence.v1","summ"#.to_owned(),
            false,
            false,
        ),
    ] {
        let script = Script::ending(&text, tokens(1, 1), FinishReason::MaxTokens);
        let world = world([eye("a", [script])]).build();
        match world.base().await {
            Ok(reading) => {
                assert!(kept, "{text}");
                let json = reading.record.to_json().expect("a record");
                assert_eq!(json.contains("was cut off at its output limit"), doubted);
                assert_eq!(reading.record.audit().extraction.truncated, doubted);
            }
            Err(failure) => {
                assert!(!kept, "{text}: {failure:?}");
                assert_eq!(failure.code(), codes::VISION_OUTPUT_TRUNCATED);
                assert_eq!(world.reader.health(), []);
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_catalogue_that_hangs_costs_no_more_than_the_budget() {
    let world = world([eye("a", [base_answer()]).with_listing_time(ms(3_600_000))])
        .settings(|s| s.vision_time_budget_ms = 5_000)
        .clock(TokioClock::start())
        .build();
    let started = Instant::now();
    assert_eq!(code_of(world.base().await), codes::VISION_READ_TIMEOUT);
    assert_eq!(started.elapsed(), ms(5_000));
    assert_eq!(world.reader.health(), [], "no circuit was asked");
}

/// Doubts the evidence, or thinks about it for ever.
#[derive(Debug)]
struct Doubter {
    hangs: bool,
}

impl EvidenceCheck for Doubter {
    fn examine<'a>(&'a self, _: &'a ImageInput, draft: &'a mut Draft) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            draft.add_uncertainty("the second look differs");
            if self.hangs {
                std::future::pending::<()>().await;
            }
        })
    }
}

#[tokio::test(start_paused = true)]
async fn checks_add_their_doubts_and_cost_no_evidence() {
    for hangs in [false, true] {
        let mut build = world([eye("a", [base_answer()])]);
        build.checks = vec![Arc::new(Doubter { hangs })];
        let world = build.build();
        let reading = world.base().await.expect("a reading");
        let json = reading.record.to_json().expect("a record");
        assert!(json.contains("the second look differs"));
        let told: Vec<ErrorCode> = reading.warnings.iter().map(|w| w.code).collect();
        let expected = if hangs {
            &[codes::VISION_READ_TIMEOUT][..]
        } else {
            &[]
        };
        assert_eq!(told, expected);
        assert_eq!(world.reader.health(), []);
    }
}
