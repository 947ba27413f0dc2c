use std::collections::BTreeMap;

use eyes_evidence::code::{Coded, ErrorCode};
use proptest::prelude::*;

use super::*;
use crate::{
    codes,
    error::{AnswerError, BudgetLimit, ProbeError, ProviderError, RouteRefusal, VisionError},
    limits::MAX_ATTEMPT_MESSAGE_CHARS,
    model::{Modality, ModelSpec},
};

fn route(text: &str) -> Route {
    text.parse().expect("a route")
}

#[test]
fn a_route_is_cut_at_the_first_slash() {
    let parsed = route("hub/org/model-7b");
    assert_eq!((parsed.provider(), parsed.model()), ("hub", "org/model-7b"));
    assert_eq!(parsed.to_string(), "hub/org/model-7b");
}

#[test]
fn refuses_texts_that_name_no_route() {
    let long = "x".repeat(MAX_PROVIDER_CHARS + 1);
    for (text, error) in [
        ("", RouteError::Slash),
        ("model", RouteError::Slash),
        ("/model", RouteError::Provider),
        ("a b/model", RouteError::Provider),
        (&format!("{long}/model"), RouteError::Provider),
        ("hub/", RouteError::Model),
        ("hub/mo\u{1b}del", RouteError::Model),
    ] {
        assert_eq!(text.parse::<Route>(), Err(error), "{text:?}");
    }
}

fn names(order: &Order) -> Vec<String> {
    let candidates = order.candidates().iter();
    candidates.map(|c| c.route.to_string()).collect()
}

#[test]
fn the_preferred_route_comes_first_and_each_route_once() {
    let priority = [route("a/1"), route("b/2"), route("a/1")];
    for (preferred, configured, expected) in [
        (None, None, vec!["a/1", "b/2"]),
        (Some("b/2"), None, vec!["b/2", "a/1"]),
        (Some("c/3"), Some("d/4"), vec!["c/3", "d/4", "a/1", "b/2"]),
        (Some("c/3"), Some("c/3"), vec!["c/3", "a/1", "b/2"]),
    ] {
        let (preferred, configured) = (preferred.map(route), configured.map(route));
        let order = Order::named(preferred.as_ref(), configured.as_ref(), &priority);
        assert_eq!(names(&order), expected);
        let priorities: Vec<u32> = order.candidates().iter().map(|c| c.priority).collect();
        let count = u32::try_from(expected.len()).expect("few");
        assert_eq!(priorities, (0..count).collect::<Vec<_>>());
    }
}

#[test]
fn only_models_that_accept_text_and_images_are_detected() {
    use Modality::{Image, Text};
    let models = [
        ModelSpec::new("words", [Text]),
        ModelSpec::new("named", [Text, Image]),
        ModelSpec::new("pixels", [Image]),
        ModelSpec::new("nothing", []),
        ModelSpec::new("no route", [Text, Image]),
        ModelSpec::new("eye", [Image, Text]),
    ];
    let mut order = Order::named(None, None, &[route("p/named")]);
    order.detect("p", &models);
    assert_eq!(names(&order), ["p/named", "p/eye"]);
}

#[test]
fn a_configured_provider_alone_means_its_first_model_that_accepts_images() {
    use Modality::{Image, Text};
    let models = [
        ModelSpec::new("words", [Text]),
        ModelSpec::new("eye", [Text, Image]),
    ];
    let eye = |model| ConfiguredEye::new("p", model).expect("names");
    assert_eq!(eye(Some("m")).route(None), Some(route("p/m")));
    assert_eq!(eye(None).route(Some(&models)), Some(route("p/eye")));
    assert_eq!(eye(None).route(Some(&models[..1])), None);
    assert_eq!(eye(None).route(None), None);
    assert!(ConfiguredEye::new("a/b", None).is_err());
    assert!(ConfiguredEye::new("p", Some("")).is_err());
}

fn failure(name: &str, code: ErrorCode) -> VisionError {
    VisionError::provider(&route(name), ProviderError::new(code, "down"))
}

fn failover(names: &[&str], failovers: u32) -> Failover {
    let routes: Vec<Route> = names.iter().map(|name| route(name)).collect();
    Failover::new(Order::named(None, None, &routes).candidates(), failovers)
}

fn fail_next(failover: &mut Failover, code: ErrorCode) -> Option<Route> {
    let next = failover.next_route()?;
    let route = next.candidate.route;
    let error = failure(&route.to_string(), code);
    failover
        .failed(route.clone(), error)
        .expect("another route may be asked");
    Some(route)
}

#[test]
fn without_routes_nothing_can_look() {
    let mut failover = failover(&[], 2);
    assert_eq!(failover.next_route(), None);
    assert_eq!(failover.last_resort(), None);
    assert_eq!(failover.error().code(), codes::NO_VISION_MODEL);
}

#[test]
fn one_failure_keeps_its_own_code_and_several_are_listed() {
    let mut both = failover(&["a/1", "b/2"], 2);
    fail_next(&mut both, codes::VISION_MODEL_FAILED).expect("a first route");
    fail_next(&mut both, codes::INCOMPLETE_STREAM).expect("a second route");
    assert_eq!(both.next_route(), None);
    let error = both.error();
    assert_eq!(error.code(), codes::VISION_FAILOVER_EXHAUSTED);
    assert_eq!(
        error.to_string(),
        "2 routes failed: a/1 [VISION_MODEL_FAILED] a/1 failed: down, b/2 [INCOMPLETE_STREAM] b/2 failed: down"
    );

    let mut one = failover(&["a/1"], 2);
    fail_next(&mut one, codes::INCOMPLETE_STREAM).expect("a route");
    assert_eq!(one.error().code(), codes::INCOMPLETE_STREAM);
}

#[test]
fn a_stop_asks_no_further_route() {
    let mut failover = failover(&["a/1", "b/2"], 2);
    let next = failover.next_route().expect("a route");
    let stopped = failover.failed(next.candidate.route, failure("a/1", codes::ABORTED));
    assert_eq!(stopped.map_err(|e| e.code()), Err(codes::ABORTED));
}

#[test]
fn only_the_first_route_that_was_passed_over_is_the_last_resort_and_only_once() {
    let mut failover = failover(&["a/1", "b/2", "c/3"], 2);
    for _ in 0..2 {
        let next = failover.next_route().expect("a route");
        failover.passed_over(next.candidate);
    }
    fail_next(&mut failover, codes::VISION_MODEL_FAILED).expect("the third");
    assert_eq!(failover.next_route(), None);
    let last = failover.last_resort().expect("failures are left");
    assert_eq!(
        (last.candidate.route, last.last_resort),
        (route("a/1"), true)
    );
    failover
        .failed(route("a/1"), failure("a/1", codes::VISION_MODEL_FAILED))
        .expect("in order");
    assert_eq!(failover.last_resort(), None);
    assert_eq!(failover.next_route(), None);
}

#[test]
fn messages_of_attempts_are_redacted_and_bounded() {
    let mut failover = failover(&["a/1"], 0);
    let secret = "Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789";
    let message = format!("{secret}\n{}", "x".repeat(2 * MAX_ATTEMPT_MESSAGE_CHARS));
    let error = ProviderError::new(codes::VISION_MODEL_FAILED, message);
    let error = VisionError::provider(&route("a/1"), error);
    failover.failed(route("a/1"), error).expect("in order");
    let Outcome::Failed { message, .. } = &failover.attempts()[0].outcome else {
        panic!("a failure");
    };
    assert!(message.chars().count() <= MAX_ATTEMPT_MESSAGE_CHARS);
    assert!(
        !message.contains("abcdefghijkl") && !message.contains('\n'),
        "{message}"
    );
}

proptest! {
    /// Whatever happens to the routes: each is asked at most once, in order, and never more of them than the
    /// failures allow.
    #[test]
    fn failover_is_bounded_and_in_order(
        count in 0_usize..8,
        failovers in 0_u32..4,
        open in prop::collection::vec(any::<bool>(), 8),
    ) {
        let all: Vec<String> = (0..count).map(|n| format!("p/{n}")).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut failover = failover(&all, failovers);
        let mut failed = Vec::new();
        let mut passed_over = Vec::new();
        while let Some(next) = failover.next_route() {
            let candidate = next.candidate;
            let at = candidate.priority as usize;
            if open[at] {
                passed_over.push(at);
                failover.passed_over(candidate);
            } else {
                failed.push(at);
                let error = failure("p/0", codes::VISION_MODEL_FAILED);
                failover.failed(candidate.route, error).expect("in order");
            }
        }
        let asked_as_last = failover.last_resort().map(|next| next.candidate.priority as usize);
        let maximum = failovers as usize + 1;
        prop_assert!(failed.len() <= maximum);
        prop_assert!(failed.is_sorted() && passed_over.is_sorted());
        let expected = (failed.len() < maximum).then(|| passed_over.first().copied()).flatten();
        prop_assert_eq!(asked_as_last, expected);
        if failed.len() < maximum {
            prop_assert_eq!(failed.len() + passed_over.len(), count, "nobody was forgotten");
        }
    }
}

#[test]
fn faults_are_told_apart() {
    let provider = |code, status| {
        let error = ProviderError {
            status,
            ..ProviderError::new(code, "no")
        };
        VisionError::provider(&route("a/1"), error)
    };
    let failed = codes::VISION_MODEL_FAILED;
    let answer = |source| VisionError::answer(&route("a/1"), source);
    let cases = [
        (provider(failed, None), Fault::Route),
        (provider(failed, Some(401)), Fault::Route),
        (provider(failed, Some(429)), Fault::Route),
        (provider(failed, Some(500)), Fault::Route),
        (provider(failed, Some(400)), Fault::Request),
        (provider(failed, Some(413)), Fault::Request),
        (provider(codes::ABORTED, None), Fault::Stop),
        (
            provider(eyes_evidence::codes::EVIDENCE_PERSIST_FAILED, None),
            Fault::Stop,
        ),
        (
            provider(eyes_evidence::codes::IMAGE_INVALID, None),
            Fault::Request,
        ),
        (answer(AnswerError::Incomplete), Fault::Route),
        (answer(AnswerError::Truncated), Fault::Request),
        (
            VisionError::refused(&route("a/1"), RouteRefusal::Blocked),
            Fault::Request,
        ),
        (
            VisionError::Probe {
                route: route("a/1"),
                reason: ProbeError::Wrong { grids: 2 },
            },
            Fault::Route,
        ),
        (
            VisionError::Budget {
                limit: BudgetLimit::Time { limit_ms: 1 },
                attempts: Vec::new(),
            },
            Fault::Stop,
        ),
    ];
    let mut seen = BTreeMap::new();
    for (error, fault) in cases {
        assert_eq!(Fault::of(&error), fault, "{error:?}");
        *seen.entry(format!("{fault:?}")).or_insert(0) += 1;
    }
    assert_eq!(seen.len(), 3);
}
