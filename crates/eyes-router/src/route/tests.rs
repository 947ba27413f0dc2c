use eyes_evidence::code::Coded;

use super::*;
use crate::{
    codes,
    error::{ProviderError, VisionError},
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

#[test]
fn the_preferred_route_comes_first_and_each_route_once() {
    let configured = [route("a/1"), route("b/2"), route("a/1")];
    let check = |preferred: Option<&str>, expected: &[&str]| {
        let preferred = preferred.map(route);
        let names: Vec<String> = order(preferred.as_ref(), &configured)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(names, expected);
    };
    check(None, &["a/1", "b/2"]);
    check(Some("b/2"), &["b/2", "a/1"]);
    check(Some("c/3"), &["c/3", "a/1", "b/2"]);
}

fn failure(name: &str, code: eyes_evidence::code::ErrorCode) -> VisionError {
    VisionError::Provider {
        route: route(name),
        source: Box::new(ProviderError::new(code, "down")),
    }
}

#[test]
fn without_routes_nothing_can_look() {
    let mut failover = Failover::new(Vec::new(), 2);
    assert_eq!(failover.next_route(), None);
    assert_eq!(failover.into_error().code(), codes::NO_VISION_MODEL);
}

#[test]
fn one_failure_keeps_its_own_code_and_several_are_listed() {
    let mut failover = Failover::new(vec![route("a/1"), route("b/2")], 2);
    let first = failover.next_route().expect("a first route");
    failover
        .failed(first, failure("a/1", codes::VISION_MODEL_FAILED))
        .expect("the next route may be asked");
    let second = failover.next_route().expect("a second route");
    failover
        .failed(second, failure("b/2", codes::INCOMPLETE_STREAM))
        .expect("the end is reached in order");
    assert_eq!(failover.next_route(), None);
    let error = failover.into_error();
    assert_eq!(error.code(), codes::VISION_FAILOVER_EXHAUSTED);
    assert_eq!(
        error.to_string(),
        "2 routes failed: a/1 [VISION_MODEL_FAILED] a/1 failed: down, b/2 [INCOMPLETE_STREAM] b/2 failed: down"
    );

    let mut failover = Failover::new(vec![route("a/1")], 2);
    let only = failover.next_route().expect("a route");
    failover
        .failed(only, failure("a/1", codes::INCOMPLETE_STREAM))
        .expect("the end is reached in order");
    assert_eq!(failover.into_error().code(), codes::INCOMPLETE_STREAM);
}

#[test]
fn the_number_of_failures_is_bounded() {
    let routes = (0..5).map(|n| route(&format!("p/{n}"))).collect();
    let mut failover = Failover::new(routes, 1);
    let mut asked = 0;
    while let Some(next) = failover.next_route() {
        asked += 1;
        failover
            .failed(next, failure("p/0", codes::VISION_MODEL_FAILED))
            .expect("the next route may be asked");
    }
    assert_eq!(asked, 2);
}

#[test]
fn a_stop_asks_no_further_route() {
    let mut failover = Failover::new(vec![route("a/1"), route("b/2")], 2);
    let first = failover.next_route().expect("a route");
    let stopped = failover.failed(first, failure("a/1", codes::ABORTED));
    assert_eq!(stopped.map_err(|e| e.code()), Err(codes::ABORTED));
}
