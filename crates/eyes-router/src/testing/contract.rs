//! What every model provider promises.

use std::{collections::BTreeSet, future::poll_fn};

use crate::{
    error::ProviderError,
    model::{FinishReason, GenerateRequest, Modality, StreamEvent},
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

    check_calls(&events);

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

/// Checks the calls of a good stream: whole, before its end, each with an id of its own.
fn check_calls(events: &[Result<StreamEvent, ProviderError>]) {
    let mut ids = BTreeSet::new();
    let mut finish = None;
    for event in events.iter().flatten() {
        match event {
            StreamEvent::ToolCall(call) => {
                assert_eq!(finish, None, "a call never follows the finish event");
                assert!(!call.id.is_empty(), "a call has an id");
                assert!(!call.name.is_empty(), "a call has a name");
                assert!(ids.insert(&call.id), "no two calls have one id");
            }
            StreamEvent::Finish(reason) => finish = Some(*reason),
            _ => {}
        }
    }
    let waits = finish == Some(FinishReason::ToolCalls);
    let is_cut = finish == Some(FinishReason::MaxTokens);
    assert!(
        waits != ids.is_empty() || is_cut,
        "an answer waits for results if, and only if, it called"
    );
}

async fn drain(mut stream: EventStream) -> Vec<Result<StreamEvent, ProviderError>> {
    let mut events = Vec::new();
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        events.push(event);
    }
    events
}
