use std::{future::poll_fn, time::Duration};

use serde_json::json;
use tokio::time::Instant;

use super::*;
use crate::{
    codes,
    error::ProviderError,
    model::{
        ContentBlock, FinishReason, GenerateRequest, Message, Reasoning, Role, StreamEvent, Task,
        ToolCall, ToolResult, ToolSpec,
    },
    ports::{EventStream, ModelProvider},
    probe::PixelProbe,
    route::Route,
};

fn request(task: Task) -> GenerateRequest {
    let route = Route::new("p", "eye").expect("a route");
    let request = PixelProbe::shuffled(3).request(&route).expect("a request");
    GenerateRequest { task, ..request }
}

fn call(id: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "look".to_owned(),
        arguments: "{}".to_owned(),
    }
}

async fn events(mut stream: EventStream) -> Vec<Result<StreamEvent, ProviderError>> {
    let mut events = Vec::new();
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        events.push(event);
    }
    events
}

async fn asked(provider: &ScriptedProvider, task: Task) -> Vec<StreamEvent> {
    let stream = provider.generate(request(task)).await.expect("a stream");
    let events = events(stream).await;
    events
        .into_iter()
        .map(|event| event.expect("good"))
        .collect()
}

fn text(text: &str) -> StreamEvent {
    StreamEvent::TextDelta(text.to_owned())
}

#[tokio::test]
async fn final_answers_have_scripts_of_their_own() {
    let provider = ScriptedProvider::new("p", "eye", [Script::answer("see")]).with_answers([
        Script::calling("Hm.", [call("a"), call("b")]),
        Script::answer("so"),
    ]);
    let seen = [
        text("s"),
        text("ee"),
        StreamEvent::Finish(FinishReason::Stop),
    ];
    assert_eq!(asked(&provider, Task::Base).await, seen);
    assert_eq!(
        asked(&provider, Task::Answer).await,
        [
            text("Hm."),
            StreamEvent::ToolCall(call("a")),
            StreamEvent::ToolCall(call("b")),
            StreamEvent::Finish(FinishReason::ToolCalls),
        ]
    );
    assert_eq!(asked(&provider, Task::Base).await, seen);
    for _ in 0..2 {
        assert_eq!(
            asked(&provider, Task::Answer).await[..2],
            [text("s"), text("o")]
        );
    }
    assert_eq!(
        (provider.requests().len(), provider.answers().len()),
        (5, 3)
    );
    assert_eq!(provider.open_streams(), 0);

    // Without scripts of their own, they take those of all others.
    let provider = ScriptedProvider::new("p", "eye", [Script::answer("see")]);
    assert_eq!(asked(&provider, Task::Answer).await, seen);
}

#[tokio::test(start_paused = true)]
async fn events_come_at_their_pace() {
    let script = Script::answer("see").paced(Duration::from_secs(2));
    let provider = ScriptedProvider::new("p", "eye", [script.after(Duration::from_secs(5))]);
    let start = Instant::now();
    let mut stream = provider
        .generate(request(Task::Base))
        .await
        .expect("a stream");
    let mut times = vec![start.elapsed().as_secs()];
    while poll_fn(|context| stream.as_mut().poll_next(context))
        .await
        .is_some()
    {
        times.push(start.elapsed().as_secs());
    }
    assert_eq!(times, [5, 7, 9, 11]);
}

#[tokio::test(start_paused = true)]
async fn silence_follows_the_last_event_of_a_script_that_hangs() {
    let script = Script::Hang(vec![text("a")]).paced(Duration::from_secs(1));
    let provider = ScriptedProvider::new("p", "eye", [script]);
    let mut stream = provider
        .generate(request(Task::Base))
        .await
        .expect("a stream");
    let mut next = async || {
        let event = poll_fn(|context| stream.as_mut().poll_next(context));
        tokio::time::timeout(Duration::from_mins(1), event).await
    };
    assert_eq!(next().await.ok().flatten(), Some(Ok(text("a"))));
    assert!(next().await.is_err());
}

#[test]
fn a_request_that_adds_messages_begins_as_the_one_before() {
    let mut request = request(Task::Answer);
    request.system = Some("Look.".to_owned());
    request.tools = [ToolSpec {
        name: "look".to_owned(),
        description: "Looks.".to_owned(),
        parameters: json!({"type": "object"}),
    }]
    .into();
    let before = transcript(&request);
    let said = vec![
        ContentBlock::Reasoning(Reasoning {
            text: "hm".to_owned(),
            signature: Some("c2ln".to_owned()),
        }),
        ContentBlock::ToolCall(call("a")),
    ];
    let image = request.messages[0].content[0].clone();
    let result = |is_error, content| {
        ContentBlock::ToolResult(ToolResult {
            call_id: "a".to_owned(),
            tool_name: None,
            is_error,
            content,
        })
    };
    let told = vec![
        result(
            false,
            vec![ContentBlock::Text("OPEN".to_owned()), image.clone()],
        ),
        result(true, Vec::new()),
    ];
    for (role, content) in [(Role::Assistant, said), (Role::User, told)] {
        request.messages.push(Message { role, content });
    }
    let after = transcript(&request);
    assert!(before.starts_with("tool look {\"type\":\"object\"} Looks.\nsystem Look.\nUser\n"));
    let ContentBlock::Image(image) = image else {
        unreachable!("a probe begins with its picture");
    };
    let sha256 = image.identity.sha256;
    assert_eq!(
        after.strip_prefix(&before),
        Some(
            format!(
                "Assistant\nreasoning hm\nsignature c2ln\ncall a look {{}}\nUser\nresult a false\ntext OPEN\nimage {sha256}\nresult a true\n"
            )
            .as_str()
        )
    );
    assert_eq!(common_prefix(&before, &after), before.len());
    assert_eq!(common_prefix("abc", "abd"), 2);
    assert_eq!(common_prefix("", "abd"), 0);
}

/// Runs the contract against a provider that answers with these events.
async fn contract(events: Vec<StreamEvent>) {
    let script = Script::Events(events.into_iter().map(Ok).collect());
    let provider = ScriptedProvider::new("p", "eye", [script]);
    model_provider_contract(&provider, request(Task::Answer)).await;
}

#[tokio::test]
async fn the_contract_takes_an_answer_that_calls() {
    for finish in [FinishReason::ToolCalls, FinishReason::MaxTokens] {
        contract(vec![
            StreamEvent::ToolCall(call("a")),
            StreamEvent::ToolCall(call("b")),
            StreamEvent::Finish(finish),
        ])
        .await;
    }
}

#[tokio::test]
#[should_panic(expected = "no two calls have one id")]
async fn the_contract_wants_ids_that_differ() {
    contract(vec![
        StreamEvent::ToolCall(call("a")),
        StreamEvent::ToolCall(call("a")),
        StreamEvent::Finish(FinishReason::ToolCalls),
    ])
    .await;
}

#[tokio::test]
#[should_panic(expected = "a call has an id")]
async fn the_contract_wants_ids() {
    contract(vec![
        StreamEvent::ToolCall(call("")),
        StreamEvent::Finish(FinishReason::ToolCalls),
    ])
    .await;
}

#[tokio::test]
#[should_panic(expected = "the finish event is the last one")]
async fn the_contract_wants_calls_before_the_end() {
    contract(vec![
        StreamEvent::Finish(FinishReason::ToolCalls),
        StreamEvent::ToolCall(call("a")),
    ])
    .await;
}

#[tokio::test]
#[should_panic(expected = "if, and only if, it called")]
async fn the_contract_wants_a_reason_to_wait() {
    contract(vec![StreamEvent::Finish(FinishReason::ToolCalls)]).await;
}

#[tokio::test]
async fn a_failure_in_the_middle_ends_its_script() {
    let failure = ProviderError::new(codes::INCOMPLETE_STREAM, "cut");
    let script = Script::Events(vec![Ok(text("a")), Err(failure.clone())]);
    let provider = ScriptedProvider::new("p", "eye", []).with_answers([script]);
    let stream = provider.generate(request(Task::Answer)).await;
    assert_eq!(
        events(stream.expect("a stream")).await,
        [Ok(text("a")), Err(failure)]
    );
}
