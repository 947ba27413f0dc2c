//! What the tests of the network adapters share.

use std::{future::poll_fn, time::Duration};

use super::{
    EndpointConfig, Secret,
    anthropic::{AnthropicConfig, AnthropicProvider},
    http::{HttpClient, HttpConfig, Timeouts},
    openai::{OpenAiConfig, OpenAiProvider, WireForm},
};
use crate::{
    error::ProviderError,
    model::{ContentBlock, GenerateRequest, Modality, ModelSpec, StreamEvent},
    ports::ModelProvider,
    probe::PixelProbe,
    route::Route,
    testing::{LoopbackServer, Received, Step},
};

pub(super) const KEY: &str = "sk-test-1234567890abcdef";

/// Runs a future in a runtime of its own.
pub(super) fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
}

pub(super) fn client() -> HttpClient {
    HttpClient::new(&HttpConfig::default()).expect("a client")
}

/// The request of a probe: a system text, a question and one PNG, whose bytes are replaced by three.
pub(super) fn request() -> GenerateRequest {
    let route = Route::new("loop", "seer").expect("a route");
    let mut request = PixelProbe::shuffled(7).request(&route).expect("a request");
    request.system = Some("Look.".to_owned());
    request.temperature = Some(0.2);
    request.max_output_tokens = Some(64);
    for block in request.messages.iter_mut().flat_map(|m| &mut m.content) {
        match block {
            ContentBlock::Text(text) => "What?".clone_into(text),
            ContentBlock::Image(image) => image.bytes = b"png".as_slice().into(),
            _ => {}
        }
    }
    request
}

pub(super) fn endpoint(url: &str) -> EndpointConfig {
    EndpointConfig {
        key: Some(Secret::new(KEY)),
        ..EndpointConfig::new("loop", url)
    }
}

/// Time limits of which one is short, for tests in which a server never goes on.
pub(super) fn short(change: impl FnOnce(&mut Timeouts, Duration)) -> Timeouts {
    let mut timeouts = Timeouts::default();
    change(&mut timeouts, Duration::from_millis(100));
    timeouts
}

/// Which adapter is under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Chat,
    Responses,
    Messages,
}

pub(super) const FORMS: [Form; 3] = [Form::Chat, Form::Responses, Form::Messages];

impl Form {
    pub(super) fn provider(self, endpoint: EndpointConfig) -> Box<dyn ModelProvider> {
        let wire = match self {
            Self::Chat => WireForm::ChatCompletions,
            Self::Responses => WireForm::Responses,
            Self::Messages => {
                let config = AnthropicConfig::new(endpoint);
                return Box::new(AnthropicProvider::new(config, client()).expect("settings"));
            }
        };
        let mut config = OpenAiConfig::new(endpoint);
        config.wire = wire;
        Box::new(OpenAiProvider::new(config, client()).expect("settings"))
    }

    /// The events of a complete answer `ab`, with reasoning before it.
    pub(super) const fn answer(self) -> &'static str {
        match self {
            Self::Chat => concat!(
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"reasoning_content\":\"hm\"}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"b\"},\"finish_reason\":null}]}\n\n",
                "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n",
                "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":5,\"prompt_tokens_details\":{\"cached_tokens\":4},\"completion_tokens_details\":{\"reasoning_tokens\":2}}}\n\n",
                "data: [DONE]\n\n",
            ),
            Self::Responses => concat!(
                "event: response.created\ndata: {\"type\":\"response.created\",\"response\":{\"status\":\"in_progress\",\"error\":null}}\n\n",
                "event: response.reasoning_summary_text.delta\ndata: {\"type\":\"response.reasoning_summary_text.delta\",\"delta\":\"hm\"}\n\n",
                "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n",
                "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"delta\":\"b\"}\n\n",
                "event: response.output_text.done\ndata: {\"type\":\"response.output_text.done\",\"text\":\"ab\"}\n\n",
                "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"error\":null,\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"ab\"}]}],\"usage\":{\"input_tokens\":9,\"input_tokens_details\":{\"cached_tokens\":4},\"output_tokens\":5,\"output_tokens_details\":{\"reasoning_tokens\":2}}}}\n\n",
            ),
            Self::Messages => concat!(
                "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":5,\"cache_read_input_tokens\":4,\"cache_creation_input_tokens\":0,\"output_tokens\":1}}}\n\n",
                "event: ping\ndata: {\"type\":\"ping\"}\n\n",
                "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\"}}\n\n",
                "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\n",
                "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"c2ln\"}}\n\n",
                "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
                "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
                "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n",
                "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"text_delta\",\"text\":\"b\"}}\n\n",
                "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":5}}\n\n",
                "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
            ),
        }
    }

    /// The same events up to the middle of the answer.
    pub(super) fn half(self) -> &'static str {
        let whole = self.answer();
        let middle = whole.find("\"a\"").expect("the answer has a first half");
        let end = whole[middle..].find("\n\n").expect("the event ends");
        &whole[..middle + end + 2]
    }
}

/// Asks once and writes what came in one line.
pub(super) async fn outcome(provider: &dyn ModelProvider, request: GenerateRequest) -> String {
    let mut out = Vec::new();
    match provider.generate(request).await {
        Err(error) => out.push(describe(&error)),
        Ok(mut stream) => {
            while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
                out.push(match event {
                    Ok(StreamEvent::TextDelta(text)) => format!("text {text}"),
                    Ok(StreamEvent::ReasoningDelta(text)) => format!("reasoning {text}"),
                    Ok(StreamEvent::ReasoningSignature(seal)) => format!("signature {seal}"),
                    Ok(StreamEvent::ToolCall(call)) => {
                        format!("call {} {} {}", call.id, call.name, call.arguments)
                    }
                    Ok(StreamEvent::Usage(usage)) => format!(
                        "usage {} {} {} {} {}",
                        usage.input,
                        usage.output,
                        usage.cache_read,
                        usage.cache_write,
                        usage.reasoning
                    ),
                    Ok(StreamEvent::Finish(reason)) => format!("{reason:?}"),
                    Err(error) => describe(&error),
                });
            }
        }
    }
    out.join(", ")
}

fn describe(error: &ProviderError) -> String {
    match &error.provider_code {
        Some(code) => format!("{} ({code})", error.code),
        None => error.code.to_string(),
    }
}

/// Asks a server that gives these steps to every request.
pub(super) fn outcome_of(form: Form, steps: Vec<Step>) -> String {
    let server = LoopbackServer::start(move |_: &Received| steps.clone());
    let provider = form.provider(endpoint(&server.url()));
    run(outcome(provider.as_ref(), request()))
}

/// Asks once, for a call that must fail before its stream, and returns the error.
pub(super) fn refusal_of(form: Form, endpoint: EndpointConfig) -> ProviderError {
    let provider = form.provider(endpoint);
    let refused = run(provider.generate(request())).err();
    refused.expect("the call fails before its stream begins")
}

/// What a listing says of each model: its name, whether it sees, its context and its output.
pub(super) fn told(models: &[ModelSpec]) -> Vec<(&str, bool, Option<u32>, Option<u32>)> {
    models
        .iter()
        .map(|model| {
            (
                model.id.as_str(),
                model.input.contains(&Modality::Image),
                model.context_window,
                model.default_max_output,
            )
        })
        .collect()
}
