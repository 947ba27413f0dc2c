//! What every model provider promises.

use std::future::poll_fn;

use crate::{
    error::ProviderError,
    model::{GenerateRequest, Modality, StreamEvent},
    ports::{EventStream, ModelProvider},
    route::Route,
};

/// Checks the promises of [`ModelProvider`] with one request that the provider can answer.
///
/// # Panics
///
/// Panics with the broken promise.
pub async fn model_provider_contract(provider: &dyn ModelProvider, request: GenerateRequest) {
    let models = provider.models().await.expect("the models are listed");
    assert_eq!(
        models,
        provider
            .models()
            .await
            .expect("the models are listed again"),
        "two listings agree"
    );
    for model in &models {
        Route::new(provider.id(), model.id.as_str()).expect("id and model name a route");
    }
    let asked = models
        .iter()
        .find(|model| model.id == request.model)
        .expect("the request's model is listed");
    assert!(
        asked.input.contains(&Modality::Image),
        "the request's model accepts images"
    );

    let stream = provider.generate(request.clone()).await;
    let events = drain(stream.expect("the request is answered")).await;
    let finishes = events
        .iter()
        .filter(|event| matches!(event, Ok(StreamEvent::Finish(_))))
        .count();
    assert_eq!(finishes, 1, "a good stream has one finish event");
    assert!(
        matches!(events.last(), Some(Ok(StreamEvent::Finish(_)))),
        "the finish event is the last one"
    );
    assert!(
        events.iter().all(Result::is_ok),
        "a good stream has no failure"
    );

    let mut dropped = provider
        .generate(request.clone())
        .await
        .expect("the request is answered again");
    poll_fn(|context| dropped.as_mut().poll_next(context)).await;
    drop(dropped);

    let unknown = GenerateRequest {
        model: "no-such-model".to_owned(),
        ..request
    };
    let refused = match provider.generate(unknown).await {
        Err(_) => true,
        Ok(stream) => drain(stream).await.iter().any(Result::is_err),
    };
    assert!(refused, "an unknown model is refused");
}

async fn drain(mut stream: EventStream) -> Vec<Result<StreamEvent, ProviderError>> {
    let mut events = Vec::new();
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        events.push(event);
    }
    events
}
