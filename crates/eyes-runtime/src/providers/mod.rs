//! Providers of models as settings and environment name them.

use std::{
    collections::BTreeSet,
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use eyes_router::{
    model::{Modality, ModelSpec},
    ports::ModelProvider,
    provider::{
        EndpointConfig, KeyPlacement, Secret,
        anthropic::{AnthropicConfig, AnthropicProvider},
        http::{HttpClient, HttpConfig, ProxyConfig, Timeouts},
        openai::{OpenAiConfig, OpenAiProvider, WireForm},
    },
    route::Route,
};

use crate::{
    environment::Environment,
    error::RuntimeError,
    limits::{MAX_CA_BYTES, MAX_KEY_FILE_BYTES},
    local::{self, PROVIDER_ID},
    settings::{
        ModelSettings, NetworkSettings, ProviderKind, ProviderSettings, Settings, well_known,
    },
};

/// A provider that cannot be asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// No settings say where it is, and it is not well known.
    #[error("provider {0} is neither configured nor well known")]
    Unknown(String),
    /// It is the local eyes, and they are not built in.
    #[error("the local eyes are not built into this program")]
    NotBuiltIn,
    /// The variable that holds the key is not set.
    #[error("provider {provider} needs a key, and the variable {variable} is not set")]
    KeyMissing {
        /// The provider's id.
        provider: String,
        /// The variable.
        variable: String,
    },
    /// A variable that a header needs is not set, or is no text.
    #[error("provider {provider} needs the variable {variable}, which is not set")]
    VariableMissing {
        /// The provider's id.
        provider: String,
        /// The variable.
        variable: String,
    },
    /// A file of a key or a certificate cannot be read.
    #[error("{} cannot be read", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is longer than anything it could hold.
    #[error("{} has more than {limit} bytes", .path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The bound in bytes.
        limit: u64,
    },
}

/// The providers, and what they offer without being asked.
#[derive(Debug, Default)]
pub(crate) struct Providers {
    pub(crate) all: Vec<Arc<dyn ModelProvider>>,
    /// Models of routes that were named without being described: whoever names a route as an eye says that it sees.
    pub(crate) declared: Vec<(Box<str>, ModelSpec)>,
    /// Configured providers that are left out, since no route names them and they have no key.
    pub(crate) left_out: Vec<ProviderError>,
}

/// Makes every provider that is configured or named by a route.
pub(crate) fn providers(
    settings: &Settings,
    environment: &Environment,
    finals: &[Route],
) -> Result<Providers, RuntimeError> {
    let named = named(settings);
    if named.iter().any(|(provider, _)| provider == PROVIDER_ID) {
        local::built_in()?;
    }
    let ids: BTreeSet<&str> = settings
        .providers
        .keys()
        .map(String::as_str)
        .chain(named.iter().map(|(provider, _)| provider.as_str()))
        .chain(finals.iter().map(Route::provider))
        .filter(|id| *id != PROVIDER_ID)
        .collect();
    let mut found = Providers::default();
    if ids.is_empty() {
        return Ok(found);
    }
    let http = HttpClient::new(&http_config(settings, environment)?)?;
    let timeouts = timeouts(settings);
    for id in ids {
        let wanted = named.iter().any(|(provider, _)| provider == id)
            || finals.iter().any(|route| route.provider() == id);
        let none = ProviderSettings::default();
        let stated = settings.providers.get(id).unwrap_or(&none);
        match Plan::of(id, stated, environment) {
            Ok(plan) => found.all.push(plan.build(stated, timeouts, http.clone())?),
            Err(error) if wanted => return Err(error.into()),
            Err(error) => found.left_out.push(error),
        }
    }
    for (provider, model) in named {
        let described = settings.providers.get(&provider).is_some_and(|stated| {
            stated
                .models
                .iter()
                .any(|spec| Some(&spec.id) == model.as_ref())
        });
        if let Some(model) = model.filter(|_| !described && provider != PROVIDER_ID) {
            found.declared.push((
                provider.into(),
                ModelSpec::new(model, [Modality::Text, Modality::Image]),
            ));
        }
    }
    Ok(found)
}

/// Lists the routes that the settings name; a model may be absent.
fn named(settings: &Settings) -> Vec<(String, Option<String>)> {
    let vision = &settings.vision;
    let eye = vision
        .vision_provider
        .iter()
        .map(|provider| (provider.clone(), vision.vision_model.clone()));
    let listed = vision
        .vision_route_priority
        .iter()
        .map(|route: &Route| (route.provider().to_owned(), Some(route.model().to_owned())));
    eye.chain(listed).collect()
}

/// Where a provider is, with its secrets found.
struct Plan {
    id: String,
    kind: ProviderKind,
    base_url: String,
    key: Option<Secret>,
    headers: Vec<(String, Secret)>,
}

impl Plan {
    fn of(
        id: &str,
        stated: &ProviderSettings,
        environment: &Environment,
    ) -> Result<Self, ProviderError> {
        let known = well_known(id);
        let unknown = || ProviderError::Unknown(id.to_owned());
        let kind = stated
            .kind
            .or_else(|| known.map(|known| known.kind))
            .ok_or_else(unknown)?;
        let base_url = stated
            .base_url
            .clone()
            .or_else(|| known.map(|known| known.base_url.to_owned()))
            .ok_or_else(unknown)?;
        // The usual variable belongs to the usual address; another server never gets that key unasked.
        let usual = known
            .filter(|known| {
                stated.base_url.is_none() && stated.api_key_file.is_none() && known.kind == kind
            })
            .and_then(|known| known.key_env);
        let variable = stated.api_key_env.as_deref().or(usual);
        let key = match (&stated.api_key_file, variable) {
            (Some(path), _) => Some(Secret::new(key_from(path)?)),
            (None, Some(variable)) => {
                let value =
                    text(environment, variable).ok_or_else(|| ProviderError::KeyMissing {
                        provider: id.to_owned(),
                        variable: variable.to_owned(),
                    })?;
                Some(Secret::new(value))
            }
            (None, None) => None,
        };
        let mut headers = Vec::new();
        for (name, variable) in &stated.header_env {
            let value =
                text(environment, variable).ok_or_else(|| ProviderError::VariableMissing {
                    provider: id.to_owned(),
                    variable: variable.clone(),
                })?;
            headers.push((name.clone(), Secret::new(value)));
        }
        Ok(Self {
            id: id.to_owned(),
            kind,
            base_url,
            key,
            headers,
        })
    }

    fn build(
        self,
        stated: &ProviderSettings,
        timeouts: Timeouts,
        http: HttpClient,
    ) -> Result<Arc<dyn ModelProvider>, RuntimeError> {
        let mut endpoint = EndpointConfig::new(self.id, self.base_url);
        endpoint.key = self.key;
        endpoint.headers = self.headers;
        endpoint.allow_plain_http = stated.allow_plain_http;
        endpoint.models = stated.models.iter().map(ModelSettings::spec).collect();
        endpoint.list_models = stated.list_models.unwrap_or(true);
        endpoint.timeouts = timeouts;
        endpoint.omit_temperature = stated.omit_temperature;
        endpoint.extra_body.clone_from(&stated.extra_body);
        let placement = stated.key_header.clone().map(KeyPlacement::Header);
        Ok(match self.kind {
            ProviderKind::Anthropic => {
                // Every model of this form's provider sees.
                endpoint.undeclared_input = vec![Modality::Text, Modality::Image];
                let mut config = AnthropicConfig::new(endpoint);
                if let Some(placement) = placement {
                    config.endpoint.key_placement = placement;
                }
                Arc::new(AnthropicProvider::new(config, http)?)
            }
            ProviderKind::Openai | ProviderKind::OpenaiResponses => {
                endpoint.key_placement = placement.unwrap_or(KeyPlacement::Bearer);
                let mut config = OpenAiConfig::new(endpoint);
                if self.kind == ProviderKind::OpenaiResponses {
                    config.wire = WireForm::Responses;
                }
                Arc::new(OpenAiProvider::new(config, http)?)
            }
        })
    }
}

/// Returns a variable that is set, not empty and text, without white space around it.
pub(crate) fn text(environment: &Environment, variable: &str) -> Option<String> {
    let value = environment.get(variable)?.to_str()?.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

fn timeouts(settings: &Settings) -> Timeouts {
    let network = &settings.network;
    Timeouts {
        first_byte: Duration::from_millis(network.first_byte_timeout_ms),
        idle: Duration::from_millis(network.idle_timeout_ms),
        total: Duration::from_millis(network.total_timeout_ms),
        catalog: Duration::from_millis(network.catalog_timeout_ms),
    }
}

/// Reads the additional certificates.
pub(crate) fn ca_files(network: &NetworkSettings) -> Result<Vec<Vec<u8>>, ProviderError> {
    let files = network.ca_files.iter();
    files.map(|path| bytes_of(path, MAX_CA_BYTES)).collect()
}

/// Returns a variable about proxies, by its name in lower case before that in upper case.
pub(crate) fn proxy_text(environment: &Environment, upper: &str) -> Option<String> {
    text(environment, &upper.to_ascii_lowercase()).or_else(|| text(environment, upper))
}

fn http_config(
    settings: &Settings,
    environment: &Environment,
) -> Result<HttpConfig, ProviderError> {
    let network = &settings.network;
    let extra_ca = ca_files(network)?;
    let either = |upper: &str| proxy_text(environment, upper);
    let secret = |upper: &str| either(upper).map(Secret::new);
    let proxy = match &network.proxy_env {
        Some(variable) => ProxyConfig {
            all: text(environment, variable).map(Secret::new),
            no_proxy: either("NO_PROXY"),
            ..ProxyConfig::default()
        },
        None => ProxyConfig {
            // The upper-case HTTP_PROXY can be set by a request header where this runs as a CGI program.
            http: text(environment, "http_proxy").map(Secret::new),
            https: secret("HTTPS_PROXY"),
            all: secret("ALL_PROXY"),
            no_proxy: either("NO_PROXY"),
        },
    };
    Ok(HttpConfig {
        connect_timeout: Duration::from_millis(network.connect_timeout_ms),
        proxy,
        extra_ca,
        user_agent: None,
    })
}

fn key_from(path: &Path) -> Result<String, ProviderError> {
    let bytes = bytes_of(path, MAX_KEY_FILE_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|_| ProviderError::File {
        path: path.to_path_buf(),
        source: std::io::Error::new(std::io::ErrorKind::InvalidData, "a key is text"),
    })?;
    Ok(text.trim().to_owned())
}

fn bytes_of(path: &Path, limit: u64) -> Result<Vec<u8>, ProviderError> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limit + 1).read_to_end(&mut bytes))
        .map_err(|source| ProviderError::File {
            path: path.to_path_buf(),
            source,
        })?;
    if bytes.len() as u64 > limit {
        return Err(ProviderError::Length {
            path: path.to_path_buf(),
            limit,
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
