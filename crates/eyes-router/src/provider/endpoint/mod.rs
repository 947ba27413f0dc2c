//! Where a provider is, and what every request to it carries.

#[cfg(all(test, feature = "anthropic", feature = "openai"))]
mod tests;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    redact::{Redactor, url_secrets},
};
use reqwest::{
    RequestBuilder, Url,
    header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue},
};
use serde_json::{Map, Value};

use super::{
    Secret,
    call::decimal,
    http::{Context, HttpClient, Timeouts},
};
use crate::{
    codes,
    limits::{MAX_EXTRA_HEADERS, MAX_KEY_BYTES, MAX_URL_BYTES},
    model::{GenerateRequest, Modality, ModelSpec},
    route::Route,
};

/// Where the key stands in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyPlacement {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// The header with this name, such as `x-api-key` or `api-key`.
    Header(String),
}

/// Settings that providers of every wire form share.
#[derive(Debug, Clone)]
pub struct EndpointConfig {
    /// The provider's id, unique in one configuration, without a slash.
    pub id: String,
    /// The address that the form's paths are appended to, such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// The key; servers on this machine need none.
    pub key: Option<Secret>,
    /// Where the key stands.
    pub key_placement: KeyPlacement,
    /// Further headers, such as `HTTP-Referer` or a gateway's own credentials.
    pub headers: Vec<(String, Secret)>,
    /// Whether `http` is accepted for hosts other than loopback.
    pub allow_plain_http: bool,
    /// Models as the settings declare them; they replace and extend the provider's own list.
    pub models: Vec<ModelSpec>,
    /// Whether the provider is asked for its models; without, only `models` exist.
    pub list_models: bool,
    /// What a listed model accepts when neither the list nor `models` say.
    pub undeclared_input: Vec<Modality>,
    /// Time limits.
    pub timeouts: Timeouts,
    /// Whether the request's temperature is left out; some reasoning models refuse it.
    pub omit_temperature: bool,
    /// Further members of the request's body, such as `reasoning_effort` or `enable_thinking`; those about tools,
    /// such as `tool_choice`, go only with requests that offer tools, since providers refuse them without.
    pub extra_body: Map<String, Value>,
}

impl EndpointConfig {
    /// Names a provider and its base URL, with defaults for all else.
    pub fn new(id: impl Into<String>, base_url: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            base_url: base_url.into(),
            key: None,
            key_placement: KeyPlacement::Bearer,
            headers: Vec::new(),
            allow_plain_http: false,
            models: Vec::new(),
            list_models: true,
            undeclared_input: vec![Modality::Text],
            timeouts: Timeouts::default(),
            omit_temperature: false,
            extra_body: Map::new(),
        }
    }
}

/// The settings of a provider, or of the network, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderConfigError {
    /// The id is empty, too long, or has a slash, a space or a control character.
    #[error("provider id {0:?} is not 1 to 256 printable characters without space or slash")]
    Id(String),
    /// The base URL cannot be used.
    #[error("base URL of provider {provider}: {reason}")]
    BaseUrl {
        /// The provider's id.
        provider: String,
        /// Why, without the URL itself: it may hold a secret.
        reason: &'static str,
    },
    /// The base URL would send images and keys in the clear.
    #[error(
        "base URL of provider {provider}: plain http to {host} needs the setting that allows it"
    )]
    PlainHttp {
        /// The provider's id.
        provider: String,
        /// The host.
        host: String,
    },
    /// The key cannot stand in a header.
    #[error("key of provider {provider} is empty, too long, or has characters that no key has")]
    Key {
        /// The provider's id.
        provider: String,
    },
    /// A header cannot be sent, is set by this program, or is one too many.
    #[error("header {name:?} of provider {provider} cannot be set")]
    Header {
        /// The provider's id.
        provider: String,
        /// The header's name.
        name: String,
    },
    /// A member of the body is set by this program.
    #[error("body member {name:?} of provider {provider} is not free to be set")]
    Body {
        /// The provider's id.
        provider: String,
        /// The member's name.
        name: String,
    },
    /// A declared model has no usable name.
    #[error("model {name:?} of provider {provider} is not a printable name without space")]
    Model {
        /// The provider's id.
        provider: String,
        /// The name.
        name: String,
    },
    /// A proxy is no URL of a known kind.
    #[error("a proxy is not an http, https, socks4 or socks5 URL")]
    Proxy,
    /// A CA certificate cannot be read.
    #[error("CA certificate file {index}: {reason}")]
    Certificate {
        /// Which file, counted from 0.
        index: usize,
        /// Why.
        reason: String,
    },
    /// The client cannot be built.
    #[error("the HTTP client cannot be built: {reason}")]
    Client {
        /// Why.
        reason: String,
    },
}

impl Coded for ProviderConfigError {
    fn code(&self) -> ErrorCode {
        codes::PROVIDER_CONFIG_INVALID
    }
}

/// Headers that belong to the protocol or to this program.
const RESERVED_HEADERS: [&str; 10] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// Members of the body that say how tools are called.
const TOOL_MEMBERS: [&str; 3] = ["parallel_tool_calls", "tool_choice", "tool_stream"];

/// Domains whose servers want a model's reasoning back.
const REASONING_WANTED: [&str; 4] = ["deepseek.com", "kimi.com", "moonshot.ai", "moonshot.cn"];

/// Ends of URLs that people paste whole; the base is what stands before.
const PASTED: [&str; 4] = ["/chat/completions", "/responses", "/messages", "/models"];

/// Checked settings and the client that they are used with.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    pub(super) config: EndpointConfig,
    base: Url,
    headers: HeaderMap,
    redactor: Redactor,
    http: HttpClient,
}

impl Endpoint {
    /// Checks the settings; `reserved` are the members of the body that the wire form sets itself.
    pub(super) fn new(
        config: EndpointConfig,
        http: HttpClient,
        reserved: &[&str],
    ) -> Result<Self, ProviderConfigError> {
        let provider = || config.id.clone();
        if Route::new(config.id.as_str(), "model").is_err() {
            return Err(ProviderConfigError::Id(config.id));
        }
        let base = base_url(&config)?;
        if let Some(name) = config
            .extra_body
            .keys()
            .find(|name| reserved.contains(&name.as_str()))
        {
            return Err(ProviderConfigError::Body {
                provider: provider(),
                name: name.clone(),
            });
        }
        if let Some(model) = config
            .models
            .iter()
            .find(|model| Route::new(config.id.as_str(), model.id.as_str()).is_err())
        {
            return Err(ProviderConfigError::Model {
                provider: provider(),
                name: model.id.clone(),
            });
        }
        let headers = headers(&config)?;
        let secrets = config
            .key
            .iter()
            .chain(config.headers.iter().map(|(_, value)| value))
            .chain(http.secrets())
            .map(Secret::expose);
        let redactor = Redactor::with_values(secrets);
        Ok(Self {
            config,
            base,
            headers,
            redactor,
            http,
        })
    }

    /// Returns the base URL's host.
    pub(super) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// Appends a path such as `chat/completions` and keeps the base URL's query.
    pub(super) fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let joined = format!("{}/{path}", url.path().trim_end_matches('/'));
        url.set_path(&joined);
        url
    }

    /// Starts a request with a JSON body whose reply is streamed.
    pub(super) fn post(&self, url: Url, body: Vec<u8>) -> RequestBuilder {
        self.http
            .inner()
            .post(url)
            .headers(self.headers.clone())
            .header("content-type", "application/json")
            .header("accept", "text/event-stream, application/json")
            // Compressing proxies hold pieces of a stream back.
            .header("accept-encoding", "identity")
            .body(body)
    }

    /// Starts a request for a JSON document.
    pub(super) fn get(&self, url: Url) -> RequestBuilder {
        self.http
            .inner()
            .get(url)
            .headers(self.headers.clone())
            .header("accept", "application/json")
    }

    pub(super) fn context(&self) -> Context {
        Context::new(self.redactor.clone())
    }

    /// Returns the output tokens of a request: its own, or what the settings declare for its model.
    pub(super) fn output_bound(&self, request: &GenerateRequest) -> Option<u32> {
        request
            .max_output_tokens
            .or_else(|| self.declared(&request.model)?.default_max_output)
    }

    /// Tells whether the host is known to want a model's reasoning back, and to refuse calls of tools without it.
    ///
    /// DeepSeek does since V3.2 (<https://api-docs.deepseek.com/guides/thinking_mode>), Moonshot since Kimi K2
    /// Thinking ("thinking is enabled but `reasoning_content` is missing in assistant tool call message").
    pub(super) fn wants_reasoning(&self) -> bool {
        let host = self.host();
        let is_in = |domain: &&str| {
            host.strip_suffix(*domain)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        REASONING_WANTED.iter().any(is_in)
    }

    /// Adds the temperature, unless the settings leave it out, and the settings' further members.
    pub(super) fn complete(&self, request: &GenerateRequest, body: &mut Map<String, Value>) {
        let temperature = request.temperature;
        if let Some(temperature) = temperature.filter(|_| !self.config.omit_temperature) {
            body.insert("temperature".to_owned(), decimal(temperature));
        }
        for (name, value) in &self.config.extra_body {
            if request.tools.is_empty() && TOOL_MEMBERS.contains(&name.as_str()) {
                continue;
            }
            body.insert(name.clone(), value.clone());
        }
    }

    /// Returns the declared model with this name.
    pub(super) fn declared(&self, model: &str) -> Option<&ModelSpec> {
        self.config.models.iter().find(|spec| spec.id == model)
    }
}

fn base_url(config: &EndpointConfig) -> Result<Url, ProviderConfigError> {
    let refused = |reason| ProviderConfigError::BaseUrl {
        provider: config.id.clone(),
        reason,
    };
    if config.base_url.len() > MAX_URL_BYTES {
        return Err(refused("it is too long"));
    }
    let mut url = Url::parse(config.base_url.trim()).map_err(|_| refused("it is not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused("it is neither http nor https"));
    }
    if !url_secrets(url.as_str()).is_empty() || !url.username().is_empty() {
        return Err(refused("it holds a credential; that belongs into the key"));
    }
    url.set_fragment(None);
    let host = url.host_str().unwrap_or_default().to_owned();
    if url.scheme() == "http" && !config.allow_plain_http && !is_loopback(&host) {
        return Err(ProviderConfigError::PlainHttp {
            provider: config.id.clone(),
            host,
        });
    }
    let path = url.path().trim_end_matches('/');
    let path = PASTED
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path)
        .to_owned();
    url.set_path(&path);
    Ok(url)
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse::<std::net::IpAddr>() {
        Ok(address) => address.is_loopback(),
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}

fn headers(config: &EndpointConfig) -> Result<HeaderMap, ProviderConfigError> {
    let mut headers = HeaderMap::new();
    let refused = |name: &str| ProviderConfigError::Header {
        provider: config.id.clone(),
        name: name.to_owned(),
    };
    for (at, (name, value)) in config.headers.iter().enumerate() {
        let lower = name.to_ascii_lowercase();
        if at >= MAX_EXTRA_HEADERS || RESERVED_HEADERS.contains(&lower.as_str()) {
            return Err(refused(name));
        }
        let parsed = HeaderName::try_from(&lower).map_err(|_| refused(name))?;
        let value = sensitive(value.expose()).ok_or_else(|| refused(name))?;
        headers.insert(parsed, value);
    }
    let Some(key) = &config.key else {
        return Ok(headers);
    };
    let unusable = || ProviderConfigError::Key {
        provider: config.id.clone(),
    };
    let key = key.expose();
    let is_key =
        (1..=MAX_KEY_BYTES).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic());
    if !is_key {
        return Err(unusable());
    }
    match &config.key_placement {
        KeyPlacement::Bearer => {
            let value = sensitive(&format!("Bearer {key}")).ok_or_else(unusable)?;
            headers.insert(AUTHORIZATION, value);
        }
        KeyPlacement::Header(name) => {
            let lower = name.to_ascii_lowercase();
            let parsed = HeaderName::try_from(&lower).ok();
            let parsed = parsed.filter(|_| !RESERVED_HEADERS.contains(&lower.as_str()));
            let value = sensitive(key).ok_or_else(unusable)?;
            headers.insert(parsed.ok_or_else(|| refused(name))?, value);
        }
    }
    Ok(headers)
}

/// Makes a header's value that no log shows and no compression table keeps.
fn sensitive(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
