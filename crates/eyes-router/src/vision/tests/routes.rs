use super::*;
use crate::{
    config::ConfigError,
    health::CircuitState,
    model::{Modality, ModelSpec},
    testing::TokioClock,
};

const BOTH: &[Modality] = &[Modality::Text, Modality::Image];

#[tokio::test(start_paused = true)]
async fn the_next_route_answers_when_the_first_fails() {
    for (script, code) in [
        (down(), codes::VISION_MODEL_FAILED),
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
        (busy(503, None), codes::VISION_MODEL_FAILED),
    ] {
        let world = world([eye("a", [script]), eye("b", [base_answer()])]).build();
        let reading = world.base().await.expect("the second route answers");
        assert_eq!(reading.route, route("b/eye"));
        assert_eq!(failures(&reading.attempts), [Some(code), None]);
        assert_eq!(reading.attempts[1].outcome, Outcome::Answered);
        let open = world.providers[0].open_streams();
        assert_eq!(open, 0, "no stream is left open");
        let events = world.sink.events();
        let last = events.last().expect("events");
        assert_eq!((last.priority, last.failover_index), (1, 1));
        assert_eq!(last.image_sha256, Some(image().identity.sha256));
    }
}

#[tokio::test]
async fn failures_beyond_the_setting_end_the_operation_and_are_listed() {
    let providers = ["a", "b", "c", "d"].map(|id| eye(id, [down()]));
    let world = world(providers)
        .settings(|s| s.vision_failover_attempts = 1)
        .build();
    let failure = world.base().await.expect_err("all fail");
    assert_eq!(failure.code(), codes::VISION_FAILOVER_EXHAUSTED);
    let code = Some(codes::VISION_MODEL_FAILED);
    assert_eq!(failures(&failure.attempts), [code, code]);
    assert_eq!((world.calls(1), world.calls(2)), (1, 0));
    assert!(failure.to_string().contains("b/eye [VISION_MODEL_FAILED]"));
}

#[tokio::test]
async fn a_single_failure_keeps_its_own_code() {
    let world = world([eye("a", [down()])]).build();
    assert_eq!(code_of(world.base().await), codes::VISION_MODEL_FAILED);
}

#[tokio::test]
async fn routes_that_cannot_look_say_why() {
    for (routes, expected) in [
        (&[] as &[&str], codes::NO_VISION_MODEL),
        (&["a/words"], codes::VISION_MODEL_NOT_MULTIMODAL),
        (&["a/other"], codes::VISION_ROUTE_ERROR),
        (&["b/eye"], codes::VISION_ROUTE_ERROR),
        (&["self/eye"], codes::VISION_ROUTE_RECURSION),
    ] {
        for auto in [false, true] {
            let blind = vec![ModelSpec::new("words", [Modality::Text])];
            let itself = vec![ModelSpec::new("eye", BOTH)];
            let providers = [
                eye("a", []).with_models(blind),
                eye("self", []).with_models(itself),
            ];
            let mut build = world(providers).settings(|s| {
                s.vision_route_priority = routes.iter().map(|text| route(text)).collect();
                s.auto_detect_vision = auto;
            });
            build.virtual_provider = Some("self");
            let world = build.build();
            assert_eq!(code_of(world.base().await), expected, "{routes:?} {auto}");
            assert_eq!(world.calls(1), 0, "the virtual provider is never asked");
        }
    }
}

#[tokio::test]
async fn routes_are_asked_in_the_order_preferred_configured_priority_detected() {
    let models = || {
        vec![
            ModelSpec::new("words", [Modality::Text]),
            ModelSpec::new("eye", BOTH),
        ]
    };
    let providers = ["a", "b", "c", "d", "e"].map(|id| eye(id, [down()]).with_models(models()));
    let world = world(providers)
        .settings(|s| {
            s.vision_provider = Some("c".into());
            s.vision_route_priority = vec![route("b/eye"), route("c/eye")];
            s.auto_detect_vision = true;
            s.vision_failover_attempts = 8;
        })
        .build();
    let preferred = route("e/eye");
    let failure = world.reader.base_read(&image(), Some(&preferred)).await;
    let failure = failure.expect_err("all fail");
    let asked: Vec<String> = failure
        .attempts
        .iter()
        .map(|a| a.route.to_string())
        .collect();
    assert_eq!(asked, ["e/eye", "c/eye", "b/eye", "a/eye", "d/eye"]);
    let priorities: Vec<u32> = world.sink.events().iter().map(|e| e.priority).collect();
    assert_eq!(priorities, [0, 1, 2, 3, 4]);
}

#[tokio::test]
async fn a_stop_by_the_caller_asks_no_other_route_and_blames_none() {
    let stopped = Script::Events(vec![Err(ProviderError::aborted())]);
    let world = world([eye("a", [stopped]), eye("b", [base_answer()])]).build();
    for _ in 0..5 {
        assert_eq!(code_of(world.base().await), codes::ABORTED);
    }
    assert_eq!((world.calls(0), world.calls(1)), (5, 0));
    assert_eq!(world.reader.health(), []);
}

/// W1: what the caller, the disk or the picture is to blame for leaves the circuit closed.
#[tokio::test]
async fn faults_that_are_not_the_routes_leave_its_health_alone() {
    let refused = |status| {
        Script::Refuse(ProviderError {
            status: Some(status),
            ..ProviderError::new(codes::VISION_MODEL_FAILED, "no")
        })
    };
    for script in [
        failing(codes::ABORTED),
        failing(eyes_evidence::codes::EVIDENCE_PERSIST_FAILED),
        failing(eyes_evidence::codes::FILE_WRITE_FAILED),
        failing(eyes_evidence::codes::IMAGE_PIXEL_LIMIT),
        failing(codes::INVALID_VISION_REQUEST),
        refused(400),
        refused(413),
        Script::Events(vec![Ok(StreamEvent::Finish(FinishReason::MaxTokens))]),
    ] {
        let world = world([eye("a", [script])]).build();
        for _ in 0..3 {
            world.base().await.expect_err("fails");
        }
        assert_eq!(world.reader.health(), []);
        assert_eq!(world.calls(0), 3);
    }
    let world = world([eye("a", [])]).build();
    let asked = world.reader.target_read(&image(), " ", None, None).await;
    assert_eq!(code_of(asked), codes::INVALID_VISION_REQUEST);
    assert_eq!(world.reader.health(), []);
}

/// W1: a caller that goes away during a reading does not blame the route.
#[tokio::test(start_paused = true)]
async fn a_dropped_reading_leaves_health_alone_and_stops_the_call() {
    let world = world([eye("a", [Script::Hang(Vec::new())])]).build();
    for _ in 0..3 {
        let read = tokio::time::timeout(ms(50), world.base()).await;
        assert!(read.is_err(), "the caller gave up");
    }
    assert_eq!(world.providers[0].open_streams(), 0);
    assert_eq!(world.reader.health(), []);
    assert_eq!(world.calls(0), 3, "and the route is asked again each time");
}

/// W1: after vision failed, a turn without images finds its model as before.
#[tokio::test]
async fn finding_a_model_never_depends_on_vision_health() {
    let world = world([eye("a", [down()])]).build();
    for _ in 0..4 {
        world.base().await.expect_err("down");
    }
    let health = world.reader.health();
    assert!(matches!(health[0].state, CircuitState::Open { .. }));
    let (found, model) = world.reader.eye().await.expect("still there");
    assert_eq!((found, model.id.as_str()), (route("a/eye"), "eye"));
    let models = world.reader.catalogue().models("a").await;
    assert_eq!(models.expect("listed").len(), 1);
    assert_eq!(world.reader.candidates().await.len(), 1);
}

/// W1: one failure does not keep the only route from being asked; even an open circuit is tried as a last
/// resort.
#[tokio::test(start_paused = true)]
async fn a_single_route_is_asked_again_after_a_failure() {
    let scripts = [down(), down(), down(), base_answer()];
    let world = world([eye("a", scripts)])
        .clock(TokioClock::start())
        .build();
    for _ in 0..3 {
        assert_eq!(code_of(world.base().await), codes::VISION_MODEL_FAILED);
    }
    let reading = world.base().await.expect("asked as a last resort");
    let outcomes: Vec<_> = reading.attempts.iter().map(|a| &a.outcome).collect();
    assert_eq!(outcomes, [&Outcome::PassedOver, &Outcome::Answered]);
    let healed = &world.reader.health()[0];
    assert_eq!((healed.failures, healed.state), (0, CircuitState::Closed));
}

#[tokio::test(start_paused = true)]
async fn an_open_circuit_is_passed_over_until_the_cooldown_ends() {
    let a = eye("a", [down(), down(), base_answer()]);
    let world = world([a, eye("b", [base_answer()])])
        .clock(TokioClock::start())
        .build();
    let answered = async || world.base().await.expect("a reading").route.to_string();
    assert_eq!(answered().await, "b/eye");
    assert_eq!(answered().await, "b/eye");
    assert_eq!(world.calls(0), 2, "two faults open the circuit");
    assert_eq!(answered().await, "b/eye");
    assert_eq!(world.calls(0), 2, "then it is passed over");
    let skipped = (AttemptPhase::Circuit, AttemptStatus::SkippedOpenCircuit);
    assert!(world.events().contains(&skipped));
    tokio::time::advance(ms(30_001)).await;
    assert_eq!(answered().await, "a/eye");
}

#[tokio::test(start_paused = true)]
async fn a_named_wait_is_kept_after_a_single_fault() {
    let a = eye("a", [busy(429, Some(60_000)), base_answer()]);
    let world = world([a, eye("b", [base_answer()])])
        .clock(TokioClock::start())
        .build();
    let answered = async || world.base().await.expect("a reading").route.to_string();
    assert_eq!(answered().await, "b/eye");
    tokio::time::advance(ms(59_000)).await;
    assert_eq!(answered().await, "b/eye");
    assert_eq!(world.calls(0), 1, "not asked before the time it named");
    tokio::time::advance(ms(1_001)).await;
    assert_eq!(answered().await, "a/eye");
}

/// Of several readings that need the same trial, one makes it and the others follow its outcome.
#[tokio::test(start_paused = true)]
async fn readings_wait_for_one_trial_of_the_last_route() {
    for (trial, expected_calls) in [(base_answer(), 2 + 4), (down(), 2 + 1)] {
        let scripts = [down(), down(), trial.after(ms(100)), base_answer()];
        let world = world([eye("a", scripts)])
            .clock(TokioClock::start())
            .build();
        for _ in 0..2 {
            world.base().await.expect_err("down");
        }
        let requests = ["1", "2", "3", "4"]
            .map(|name| ReadRequest::new(picture(name), Ask::base(None)))
            .to_vec();
        let readings = world.reader.read_all(requests).await;
        assert_eq!(world.calls(0), expected_calls);
        if expected_calls == 6 {
            assert!(readings.iter().all(Result::is_ok));
        } else {
            let mut codes: Vec<&str> = readings
                .into_iter()
                .map(|reading| code_of(reading).as_str())
                .collect();
            codes.sort_unstable();
            assert_eq!(
                codes,
                [
                    "VISION_MODEL_FAILED",
                    "VISION_ROUTE_UNAVAILABLE",
                    "VISION_ROUTE_UNAVAILABLE",
                    "VISION_ROUTE_UNAVAILABLE",
                ]
            );
        }
    }
}

/// W23: circuits outlive the process where a path is set.
#[tokio::test(start_paused = true)]
async fn an_open_circuit_survives_a_restart() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut build = world([
        eye("a", [down(), down(), base_answer()]),
        eye("b", [base_answer()]),
    ])
    .clock(TokioClock::start());
    build.health_path = Some(directory.path().join("state/vision-health.json"));
    for _ in 0..2 {
        // Each time another process.
        build.build().base().await.expect("b answers");
    }
    let third = build.build();
    let reading = third.base().await.expect("b answers");
    assert_eq!(third.calls(0), 2, "not asked a third time");
    assert_eq!(reading.attempts[0].outcome, Outcome::PassedOver);
    tokio::time::advance(ms(30_001)).await;
    let fourth = build.build();
    assert_eq!(fourth.base().await.expect("a again").route, route("a/eye"));
    let fifth = build.build();
    assert_eq!(fifth.reader.health()[0].state, CircuitState::Closed);
}

#[test]
fn settings_are_checked_before_a_reader_is_made() {
    let settings = VisionSettings {
        vision_model: Some("m".into()),
        ..VisionSettings::default()
    };
    let refused = VisionConfig::from_settings(settings);
    assert_eq!(refused, Err(ConfigError::ModelWithoutProvider));
}
