//! OpenAI's chat completions and Responses, as OpenAI and the many servers compatible with it speak them.

mod chat;
mod responses;
#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod tests;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use self::chat::{ReasoningMember, Style};
use super::{
    EndpointConfig, ProviderConfigError,
    call::{self, Decoder},
    catalog,
    endpoint::Endpoint,
    http::{HttpClient, fetch_json, open},
    tool_calls::ToolCalls,
};
use crate::{
    error::ProviderError,
    model::{GenerateRequest, ImageInput, ModelSpec},
    ports::{BoxFuture, EventStream, ModelProvider},
};

/// Which of OpenAI's two forms is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum WireForm {
    /// `POST chat/completions`, which every compatible server has.
    #[default]
    ChatCompletions,
    /// `POST responses`.
    Responses,
}

/// What the bound of the output is called in chat completions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MaxTokensName {
    /// `max_completion_tokens` at OpenAI and Azure, `max_tokens` elsewhere.
    #[default]
    ByHost,
    /// `max_tokens`, which OpenAI's reasoning models refuse.
    MaxTokens,
    /// `max_completion_tokens`, which older servers ignore.
    MaxCompletionTokens,
}

/// How closely an image is looked at, in OpenAI's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageDetail {
    /// The provider decides.
    Auto,
    /// A small copy of the image.
    Low,
    /// The image in tiles.
    High,
}

impl ImageDetail {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Low => "low",
            Self::High => "high",
        }
    }
}

/// How a model's reasoning goes back to it in chat completions.
///
/// DeepSeek's thinking models since V3.2 (<https://api-docs.deepseek.com/guides/thinking_mode>) and Moonshot's
/// want the reasoning behind tool calls back as `reasoning_content`, and answer 400 without. Mistral, Groq and
/// Cerebras refuse a request with that member, and so did DeepSeek's R1, which other hosts still serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ReasoningReturn {
    /// As `reasoning_content` at DeepSeek and Moonshot, not at all elsewhere.
    #[default]
    ByHost,
    /// Not at all.
    Never,
    /// As `reasoning_content`. A message without reasoning has a space there where tools are in play: the servers
    /// that want the member take an empty one for missing.
    ReasoningContent,
    /// As `reasoning`, where there is any; vLLM, `OpenRouter` and Cerebras know it.
    Reasoning,
}

/// Settings of [`OpenAiProvider`].
#[derive(Debug, Clone)]
pub struct OpenAiConfig {
    /// What every provider has.
    pub endpoint: EndpointConfig,
    /// Which form is spoken.
    pub wire: WireForm,
    /// What the bound of the output is called.
    pub max_tokens_name: MaxTokensName,
    /// Whether chat completions are asked for usage at the end; very old servers refuse the option.
    pub include_usage: bool,
    /// How closely images are looked at; not said where absent.
    pub detail: Option<ImageDetail>,
    /// How reasoning goes back in chat completions. In Responses it goes back where the provider sealed it, which
    /// it does when `include` in the further members of the body asks for `reasoning.encrypted_content`.
    pub reasoning: ReasoningReturn,
}

impl OpenAiConfig {
    /// Takes the shared settings, with defaults for all else.
    pub const fn new(endpoint: EndpointConfig) -> Self {
        Self {
            endpoint,
            wire: WireForm::ChatCompletions,
            max_tokens_name: MaxTokensName::ByHost,
            include_usage: true,
            detail: None,
            reasoning: ReasoningReturn::ByHost,
        }
    }
}

/// Members of the body that this adapter sets.
const RESERVED: [&str; 10] = [
    "model",
    "messages",
    "input",
    "instructions",
    "tools",
    "stream",
    "max_tokens",
    "max_completion_tokens",
    "max_output_tokens",
    "temperature",
];

/// A [`ModelProvider`] that speaks a form of OpenAI's.
#[derive(Debug, Clone)]
pub struct OpenAiProvider {
    endpoint: Endpoint,
    wire: WireForm,
    max_tokens: &'static str,
    include_usage: bool,
    style: Style,
}

impl OpenAiProvider {
    /// Checks the settings. Errors: `PROVIDER_CONFIG_INVALID`.
    pub fn new(config: OpenAiConfig, http: HttpClient) -> Result<Self, ProviderConfigError> {
        let endpoint = Endpoint::new(config.endpoint, http, &RESERVED)?;
        let host = endpoint.host();
        let is_own = host == "api.openai.com" || host.ends_with(".openai.azure.com");
        let max_tokens = match config.max_tokens_name {
            MaxTokensName::ByHost if !is_own => "max_tokens",
            MaxTokensName::MaxTokens => "max_tokens",
            MaxTokensName::ByHost | MaxTokensName::MaxCompletionTokens => "max_completion_tokens",
        };
        let reasoning = match config.reasoning {
            ReasoningReturn::ByHost if !endpoint.wants_reasoning() => None,
            ReasoningReturn::Never => None,
            ReasoningReturn::ByHost | ReasoningReturn::ReasoningContent => {
                Some(ReasoningMember::ReasoningContent)
            }
            ReasoningReturn::Reasoning => Some(ReasoningMember::Reasoning),
        };
        Ok(Self {
            endpoint,
            wire: config.wire,
            max_tokens,
            include_usage: config.include_usage,
            style: Style {
                detail: config.detail,
                reasoning,
            },
        })
    }

    /// Returns the path and the body of a request.
    pub(super) fn body(&self, request: &GenerateRequest) -> (&'static str, Map<String, Value>) {
        let (path, mut body, output_name) = match self.wire {
            WireForm::ChatCompletions => (
                "chat/completions",
                chat::body(request, self.style),
                self.max_tokens,
            ),
            WireForm::Responses => (
                "responses",
                responses::body(request, self.style.detail),
                "max_output_tokens",
            ),
        };
        if let Some(output) = self.endpoint.output_bound(request) {
            body.insert(output_name.to_owned(), output.into());
        }
        body.insert("stream".to_owned(), true.into());
        if self.include_usage && self.wire == WireForm::ChatCompletions {
            body.insert("stream_options".to_owned(), json!({"include_usage": true}));
        }
        self.endpoint.complete(request, &mut body);
        (path, body)
    }

    async fn list(&self) -> Result<Vec<ModelSpec>, ProviderError> {
        let config = &self.endpoint.config;
        if !config.list_models {
            return Ok(catalog::merge(Vec::new(), &config.models));
        }
        let context = self.endpoint.context();
        let request = self.endpoint.get(self.endpoint.url("models"));
        match fetch_json(request, config.timeouts, context.clone()).await {
            Ok(page) => {
                let listed = catalog::read_models(&page, &self.endpoint)
                    .map_err(|fault| context.error(fault))?;
                Ok(catalog::merge(listed, &config.models))
            }
            Err(error) => catalog::without_list(error, &config.models),
        }
    }

    async fn start(&self, request: GenerateRequest) -> Result<EventStream, ProviderError> {
        catalog::check_declared(&self.endpoint, &request.model)?;
        let (path, body) = self.body(&request);
        let body = call::encode(&body);
        let calls = ToolCalls::after(&request);
        drop(request);
        let decoder: Box<dyn Decoder> = match self.wire {
            WireForm::ChatCompletions => Box::new(chat::ChatDecoder),
            WireForm::Responses => Box::new(responses::ResponsesDecoder::default()),
        };
        let post = self.endpoint.post(self.endpoint.url(path), body);
        let timeouts = self.endpoint.config.timeouts;
        let reply = open(post, timeouts, self.endpoint.context()).await?;
        Ok(call::answer(reply, decoder, calls))
    }
}

/// Returns the image as a data URL (RFC 2397).
fn data_url(image: &ImageInput) -> String {
    let mut url = format!("data:{};base64,", image.media_type());
    STANDARD.encode_string(&image.bytes, &mut url);
    url
}

impl ModelProvider for OpenAiProvider {
    fn id(&self) -> &str {
        &self.endpoint.config.id
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelSpec>, ProviderError>> {
        Box::pin(self.list())
    }

    fn generate(
        &self,
        request: GenerateRequest,
    ) -> BoxFuture<'_, Result<EventStream, ProviderError>> {
        Box::pin(self.start(request))
    }
}
