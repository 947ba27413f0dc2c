//! Anthropic's Messages, as Anthropic and compatible servers such as DeepSeek's `/anthropic` speak them.

#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod tests;
mod wire;

use eyes_evidence::image::MediaType;
use serde_json::{Map, Value};

use super::{
    EndpointConfig, KeyPlacement, ProviderConfigError, call, catalog,
    endpoint::Endpoint,
    fault::Fault,
    http::{HttpClient, fetch_json, open},
    tool_calls::ToolCalls,
};
use crate::{
    codes,
    error::ProviderError,
    limits::{DEFAULT_MESSAGES_TOKENS, MAX_CATALOG_PAGES},
    model::{ContentBlock, GenerateRequest, Modality, ModelSpec},
    ports::{BoxFuture, EventStream, ModelProvider},
};

/// Anthropic's own address.
pub const ANTHROPIC_BASE_URL: &str = "https://api.anthropic.com";

/// The version of the interface that is spoken.
const VERSION: &str = "2023-06-01";

/// Which of a model's thoughts go back to it.
///
/// Anthropic refuses a `thinking` block without its signature. DeepSeek's and Moonshot's servers of this form,
/// which do not sign everything, refuse calls of tools whose thoughts are missing
/// (<https://api-docs.deepseek.com/guides/thinking_mode>).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ThinkingReturn {
    /// All at DeepSeek and Moonshot, signed ones elsewhere.
    #[default]
    ByHost,
    /// Those with a signature.
    Signed,
    /// All.
    All,
}

/// Settings of [`AnthropicProvider`].
#[derive(Debug, Clone)]
pub struct AnthropicConfig {
    /// What every provider has; `/v1` is added to the base URL where it is missing.
    pub endpoint: EndpointConfig,
    /// Output tokens where neither the request nor the model names any: the form needs a number.
    pub default_max_output: u32,
    /// Which of the model's thoughts go back to it.
    pub thinking: ThinkingReturn,
}

impl AnthropicConfig {
    /// Takes the shared settings; the key goes into `x-api-key` unless another placement is set afterwards.
    pub fn new(mut endpoint: EndpointConfig) -> Self {
        endpoint.key_placement = KeyPlacement::Header("x-api-key".to_owned());
        Self {
            endpoint,
            default_max_output: DEFAULT_MESSAGES_TOKENS,
            thinking: ThinkingReturn::ByHost,
        }
    }

    /// Names Anthropic itself, each of whose listed models accepts images.
    pub fn official(id: impl Into<String>) -> Self {
        let mut endpoint = EndpointConfig::new(id, ANTHROPIC_BASE_URL);
        endpoint.undeclared_input = vec![Modality::Text, Modality::Image];
        Self::new(endpoint)
    }
}

/// Members of the body that this adapter sets.
const RESERVED: [&str; 7] = [
    "model",
    "messages",
    "system",
    "tools",
    "stream",
    "max_tokens",
    "temperature",
];

/// A [`ModelProvider`] that speaks Messages.
#[derive(Debug, Clone)]
pub struct AnthropicProvider {
    endpoint: Endpoint,
    default_max_output: u32,
    unsigned_thinking: bool,
}

impl AnthropicProvider {
    /// Checks the settings. Errors: `PROVIDER_CONFIG_INVALID`.
    pub fn new(config: AnthropicConfig, http: HttpClient) -> Result<Self, ProviderConfigError> {
        let endpoint = Endpoint::new(config.endpoint, http, &RESERVED)?;
        let unsigned_thinking = match config.thinking {
            ThinkingReturn::ByHost => endpoint.wants_reasoning(),
            ThinkingReturn::Signed => false,
            ThinkingReturn::All => true,
        };
        Ok(Self {
            endpoint,
            unsigned_thinking,
            default_max_output: config.default_max_output.max(1),
        })
    }

    pub(super) fn body(&self, request: &GenerateRequest) -> Map<String, Value> {
        let output = self.endpoint.output_bound(request);
        let output = output.unwrap_or(self.default_max_output);
        let mut body = wire::body(request, output, self.unsigned_thinking);
        self.endpoint.complete(request, &mut body);
        body
    }

    fn url(&self, path: &str) -> reqwest::Url {
        let url = self.endpoint.url(path);
        if url.path().ends_with(&format!("/v1/{path}")) {
            return url;
        }
        self.endpoint.url(&format!("v1/{path}"))
    }

    async fn list(&self) -> Result<Vec<ModelSpec>, ProviderError> {
        let config = &self.endpoint.config;
        if !config.list_models {
            return Ok(catalog::merge(Vec::new(), &config.models));
        }
        let context = self.endpoint.context();
        let mut listed = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..MAX_CATALOG_PAGES {
            let mut url = self.url("models");
            if let Some(after) = &after {
                url.query_pairs_mut().append_pair("after_id", after);
            }
            let request = self.endpoint.get(url).header("anthropic-version", VERSION);
            let page = match fetch_json(request, config.timeouts, context.clone()).await {
                Ok(page) => page,
                Err(error) => return catalog::without_list(error, &config.models),
            };
            let models = catalog::read_models(&page, &self.endpoint)
                .map_err(|fault| context.error(fault))?;
            listed.extend(models);
            let last = page.get("last_id").and_then(Value::as_str);
            let has_more = page.get("has_more").and_then(Value::as_bool) == Some(true);
            match last {
                Some(last) if has_more && after.as_deref() != Some(last) => {
                    after = Some(last.to_owned());
                }
                _ => return Ok(catalog::merge(listed, &config.models)),
            }
        }
        let text = format!("the list of models has more than {MAX_CATALOG_PAGES} pages");
        Err(context.error(Fault::TooLong(text)))
    }

    async fn start(&self, request: GenerateRequest) -> Result<EventStream, ProviderError> {
        catalog::check_declared(&self.endpoint, &request.model)?;
        check_images(&request)?;
        let body = call::encode(&self.body(&request));
        let calls = ToolCalls::after(&request);
        drop(request);
        let post = self
            .endpoint
            .post(self.url("messages"), body)
            .header("anthropic-version", VERSION);
        let timeouts = self.endpoint.config.timeouts;
        let reply = open(post, timeouts, self.endpoint.context()).await?;
        Ok(call::answer(
            reply,
            Box::<wire::MessagesDecoder>::default(),
            calls,
        ))
    }
}

/// Refuses formats that the form does not know, before anything is sent.
fn check_images(request: &GenerateRequest) -> Result<(), ProviderError> {
    let blocks = request.messages.iter().flat_map(|message| &message.content);
    let nested = blocks.flat_map(|block| match block {
        ContentBlock::ToolResult(result) => result.content.as_slice(),
        _ => std::slice::from_ref(block),
    });
    for block in nested {
        if let ContentBlock::Image(image) = block
            && image.media_type() == MediaType::Bmp
        {
            let message = format!("Messages takes no images of type {}", image.media_type());
            return Err(ProviderError::new(codes::PROVIDER_REQUEST_INVALID, message));
        }
    }
    Ok(())
}

impl ModelProvider for AnthropicProvider {
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
