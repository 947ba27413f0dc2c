//! Providers of models: where they are and how they are asked.

use std::{collections::BTreeMap, path::PathBuf};

use eyes_router::model::{Modality, ModelSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The form in which a provider is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ProviderKind {
    /// Chat completions, as OpenAI and most other servers speak them.
    Openai,
    /// OpenAI's Responses.
    OpenaiResponses,
    /// Anthropic's Messages.
    Anthropic,
}

/// One provider. Keys are never written here: they are named by variable or file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ProviderSettings {
    /// The form; that of the well-known provider with this name where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<ProviderKind>,
    /// The address that the form's paths are appended to; that of the well-known provider where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The environment variable that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// The file that holds the key and nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_file: Option<PathBuf>,
    /// The header that carries the key in place of the form's own, such as `api-key`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_header: Option<String>,
    /// Further headers, each with the environment variable that holds its value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub header_env: BTreeMap<String, String>,
    /// Whether `http` is accepted for hosts other than this machine.
    pub allow_plain_http: bool,
    /// Whether the provider is asked for its models.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_models: Option<bool>,
    /// Models that the provider does not list, or describes wrongly; at most 256.
    #[cfg_attr(test, schemars(length(max = crate::limits::MAX_DECLARED_MODELS)))]
    pub models: Vec<ModelSettings>,
    /// Whether the sampling temperature is left out; some reasoning models refuse it.
    pub omit_temperature: bool,
    /// Further members of the request's body, such as `reasoning_effort`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra_body: Map<String, Value>,
}

/// What a model accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    /// Text.
    Text,
    /// Images.
    Image,
}

/// One declared model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelSettings {
    /// The provider's name of the model.
    pub id: String,
    /// What it accepts.
    #[serde(default = "text_and_image")]
    pub input: Vec<InputKind>,
    /// Tokens of context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u32>,
    /// Output tokens when a request names none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
}

fn text_and_image() -> Vec<InputKind> {
    vec![InputKind::Text, InputKind::Image]
}

impl ModelSettings {
    /// Returns the model as its provider would declare it.
    pub fn spec(&self) -> ModelSpec {
        let modality = |input: &InputKind| match input {
            InputKind::Text => Modality::Text,
            InputKind::Image => Modality::Image,
        };
        ModelSpec {
            context_window: self.context_window,
            default_max_output: self.max_output_tokens,
            ..ModelSpec::new(
                self.id.clone(),
                self.input.iter().map(modality).collect::<Vec<_>>(),
            )
        }
    }
}

/// A provider that needs no address: naming it in a route is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WellKnown {
    /// Its id.
    pub id: &'static str,
    /// Its form.
    pub kind: ProviderKind,
    /// Its address.
    pub base_url: &'static str,
    /// The variable that usually holds its key; servers on this machine need none.
    pub key_env: Option<&'static str>,
}

const fn hosted(id: &'static str, base_url: &'static str, key_env: &'static str) -> WellKnown {
    WellKnown {
        id,
        kind: ProviderKind::Openai,
        base_url,
        key_env: Some(key_env),
    }
}

const fn own(id: &'static str, base_url: &'static str) -> WellKnown {
    WellKnown {
        id,
        kind: ProviderKind::Openai,
        base_url,
        key_env: None,
    }
}

/// The well-known providers; addresses as their documentation gives them.
pub const WELL_KNOWN: [WellKnown; 13] = [
    hosted("openai", "https://api.openai.com/v1", "OPENAI_API_KEY"),
    WellKnown {
        id: "anthropic",
        kind: ProviderKind::Anthropic,
        base_url: "https://api.anthropic.com",
        key_env: Some("ANTHROPIC_API_KEY"),
    },
    hosted(
        "openrouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
    ),
    hosted("deepseek", "https://api.deepseek.com", "DEEPSEEK_API_KEY"),
    // The same under the name that the published settings use.
    hosted(
        "deepseek-official",
        "https://api.deepseek.com",
        "DEEPSEEK_API_KEY",
    ),
    hosted(
        "dashscope",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
    ),
    hosted("moonshot", "https://api.moonshot.cn/v1", "MOONSHOT_API_KEY"),
    hosted(
        "zhipu",
        "https://open.bigmodel.cn/api/paas/v4",
        "ZHIPU_API_KEY",
    ),
    hosted(
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "GEMINI_API_KEY",
    ),
    own("ollama", "http://127.0.0.1:11434/v1"),
    own("lmstudio", "http://127.0.0.1:1234/v1"),
    own("vllm", "http://127.0.0.1:8000/v1"),
    own("llamacpp", "http://127.0.0.1:8080/v1"),
];

/// Finds a well-known provider.
pub fn well_known(id: &str) -> Option<&'static WellKnown> {
    WELL_KNOWN.iter().find(|known| known.id == id)
}
