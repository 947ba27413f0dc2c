use tokio::time::advance;

use super::*;
use crate::{codes, limits::CATALOGUE_RETRY_MS, testing::ScriptedProvider};

const TTL: Duration = Duration::from_mins(1);

fn spec(id: &str) -> ModelSpec {
    ModelSpec::new(id, [Modality::Text, Modality::Image])
}

fn route(text: &str) -> Route {
    text.parse().expect("a route")
}

fn catalogue(
    provider: ScriptedProvider,
    declared: &[&str],
    ttl: Option<Duration>,
) -> (Arc<ScriptedProvider>, Catalogue) {
    let provider = Arc::new(provider);
    let declared = declared.iter().map(|text| {
        let route = route(text);
        let model = spec(route.model());
        (route, model)
    });
    let shared = Arc::clone(&provider) as Arc<dyn ModelProvider>;
    let catalogue = Catalogue::new([shared], declared.collect(), ttl);
    (provider, catalogue)
}

fn listed_in(time: u64) -> ScriptedProvider {
    ScriptedProvider::new("p", "eye", []).with_listing_time(Duration::from_millis(time))
}

fn down() -> ProviderError {
    ProviderError::new(codes::VISION_MODEL_FAILED, "down")
}

/// Lets what runs in the background come to its end.
async fn background(time: u64) {
    tokio::time::sleep(Duration::from_millis(time)).await;
}

#[tokio::test(start_paused = true)]
async fn callers_of_a_cold_list_share_one_fetch() {
    let (provider, catalogue) = catalogue(listed_in(20), &[], Some(TTL));
    let (eye, gone) = (route("p/eye"), route("p/gone"));
    let (one, two, three) = tokio::join!(
        catalogue.model(&eye),
        catalogue.model(&gone),
        catalogue.models("p"),
    );
    assert_eq!(one.expect("found").id, "eye");
    assert_eq!(two, Err(VisionError::refused(&gone, RouteRefusal::Unknown)));
    assert_eq!(three.expect("listed").len(), 1);
    assert_eq!(provider.listings(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_old_list_serves_on_while_a_new_one_is_fetched_once() {
    let (provider, catalogue) = catalogue(listed_in(20), &[], Some(TTL));
    let eye = route("p/eye");
    catalogue.model(&eye).await.expect("found");
    advance(Duration::from_secs(59)).await;
    catalogue.model(&eye).await.expect("found");
    background(30).await;
    assert_eq!(provider.listings(), 1, "fresh until its time ends");

    advance(TTL).await;
    let before = Instant::now();
    for _ in 0..5 {
        catalogue.model(&eye).await.expect("the old list serves");
    }
    assert_eq!(before.elapsed(), Duration::ZERO, "without a wait");
    background(30).await;
    assert_eq!(provider.listings(), 2);
    assert!(catalogue.state()[0].age.expect("listed") < TTL);
}

#[tokio::test(start_paused = true)]
async fn a_failed_fetch_keeps_the_old_list_and_is_told() {
    let (provider, catalogue) = catalogue(listed_in(20), &[], Some(TTL));
    let eye = route("p/eye");
    catalogue.model(&eye).await.expect("found");
    provider.fail_listings(Some(down()));
    for round in 1..=3 {
        advance(TTL).await;
        catalogue.model(&eye).await.expect("the old list serves");
        background(30).await;
        catalogue.model(&eye).await.expect("the old list serves");
        background(30).await;
        assert_eq!(provider.listings(), 1 + round, "not hammered");
    }
    let state = &catalogue.state()[0];
    assert_eq!(state.failure, Some(codes::VISION_MODEL_FAILED));
    assert_eq!(state.models, Some(1));
    provider.fail_listings(None);
    advance(TTL).await;
    catalogue.model(&eye).await.expect("the old list serves");
    background(30).await;
    assert_eq!(catalogue.state()[0].failure, None);
}

#[tokio::test(start_paused = true)]
async fn a_list_that_never_came_is_asked_for_again_after_a_while() {
    let (provider, catalogue) = catalogue(listed_in(0), &[], Some(TTL));
    provider.fail_listings(Some(down()));
    let eye = route("p/eye");
    for _ in 0..5 {
        let error = catalogue.model(&eye).await.expect_err("no list");
        assert_eq!(error.provider_failure(), Some(&down()));
    }
    assert_eq!(provider.listings(), 1);
    provider.fail_listings(None);
    advance(Duration::from_millis(CATALOGUE_RETRY_MS)).await;
    catalogue.model(&eye).await.expect("found");
}

#[tokio::test(start_paused = true)]
async fn a_declared_model_needs_no_list_and_counts_before_it() {
    let (provider, catalogue) = catalogue(listed_in(0), &["p/mine", "q/lost"], Some(TTL));
    provider.fail_listings(Some(down()));
    let mine = catalogue.model(&route("p/mine")).await;
    assert_eq!(mine.expect("declared").id, "mine");
    assert_eq!(provider.listings(), 0);
    let models = catalogue.models("p").await.expect("the declared one");
    assert_eq!(models.len(), 1);
    assert!(
        catalogue.model(&route("q/lost")).await.is_err(),
        "a declaration makes no provider"
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_time_a_list_is_fresh_for_good() {
    let (provider, catalogue) = catalogue(listed_in(0), &[], None);
    for _ in 0..3 {
        catalogue.model(&route("p/eye")).await.expect("found");
        advance(Duration::from_secs(1_000_000)).await;
        background(1).await;
    }
    assert_eq!(provider.listings(), 1);
}

#[tokio::test(start_paused = true)]
async fn patience_with_cold_lists_is_bounded() {
    let (provider, catalogue) = catalogue(listed_in(10_000), &[], Some(TTL));
    let before = Instant::now();
    catalogue.warm(["p"]).await;
    assert_eq!(
        before.elapsed(),
        Duration::from_millis(CATALOGUE_PATIENCE_MS)
    );
    assert_eq!(catalogue.peek(&route("p/eye")), None);
    catalogue.model(&route("p/eye")).await.expect("found");
    assert!(before.elapsed() >= Duration::from_secs(10));
    assert_eq!(provider.listings(), 1, "whoever waits longer joins");
}

#[tokio::test(start_paused = true)]
async fn dropping_the_catalogue_stops_what_runs_in_the_background() {
    let (provider, catalogue) = catalogue(listed_in(50), &[], Some(TTL));
    catalogue.model(&route("p/eye")).await.expect("found");
    advance(TTL).await;
    catalogue.model(&route("p/eye")).await.expect("found");
    let held = Arc::strong_count(&provider);
    drop(catalogue);
    background(1).await;
    assert!(Arc::strong_count(&provider) < held);
    assert_eq!(Arc::strong_count(&provider), 1, "nothing holds it any more");
}
