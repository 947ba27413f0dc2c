//! Reading and checking settings.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use eyes_browser::config::VARIABLES as BROWSER_VARIABLES;
use eyes_evidence::{
    canonical::{StrictLimits, parse_strict_within},
    code::{Coded, ErrorCode},
};
use eyes_mcp::config::{self as mcp, McpConfig, McpSettings};
use eyes_router::config::{ConfigError, TurnConfig, VisionConfig};
use serde_json::{Map, Value};

use super::{
    Settings, document,
    provider::well_known,
    routes::{PRIORITY, normalise},
};
use crate::{
    codes,
    environment::{Environment, SettingsFile},
    limits::{
        MAX_ATTEMPTS_KEPT, MAX_CA_FILES, MAX_DECLARED_MODELS, MAX_LOCAL_THREADS, MAX_PROVIDERS,
        MAX_ROUTES, MAX_SETTINGS_BYTES, MAX_SETTINGS_DEPTH, MAX_TIMEOUT_MS, MIN_ATTEMPTS_KEPT,
        MIN_STORE_BYTES, MIN_TIMEOUT_MS,
    },
    local::PROVIDER_ID,
};

/// Settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The file cannot be read.
    #[error("settings file {} cannot be read", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is longer than any settings.
    #[error("settings file {} has more than {MAX_SETTINGS_BYTES} bytes", .0.display())]
    Length(PathBuf),
    /// The text is not TOML.
    #[error("settings are not valid TOML, line {line}: {reason}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// What the parser said.
        reason: String,
    },
    /// The text is not JSON.
    #[error("settings are not valid JSON: {0}")]
    Json(String),
    /// A member is unknown, of the wrong kind or out of bounds.
    #[error("setting {path}: {reason}")]
    Member {
        /// The member's path, such as `local.tier`.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A vision member is out of bounds.
    #[error("setting {0}")]
    Vision(#[from] ConfigError),
    /// A member of MCP servers breaks a rule.
    #[error("setting {0}")]
    Mcp(#[from] mcp::ConfigError),
    /// The settings of the browser break a rule.
    #[error(transparent)]
    Browser(#[from] eyes_browser::config::ConfigError),
}

impl Coded for SettingsError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Read { .. } => codes::SETTINGS_UNAVAILABLE,
            Self::Mcp(error) => error.code(),
            Self::Browser(error) => error.code(),
            _ => codes::SETTINGS_INVALID,
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::Mcp(error) => error.hint(),
            Self::Browser(error) => error.hint(),
            _ => self.code().spec().hint.to_owned(),
        }
    }
}

/// The form of a settings text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Toml,
    Json,
}

impl Form {
    fn of(path: &Path) -> Self {
        let json = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
        if json { Self::Json } else { Self::Toml }
    }
}

/// Those of them that are not about servers of MCP.
const OWN_VARIABLES: [(&str, &str); 14] = [
    ("DEEPSEEKEYES_UPSTREAM_PROVIDER", "upstreamProvider"),
    ("DEEPSEEKEYES_UPSTREAM_MODEL", "upstreamModel"),
    ("DEEPSEEKEYES_USAGE_STATS", "usageStats"),
    ("DEEPSEEKEYES_USAGE_STATS_PATH", "usageStatsPath"),
    ("DEEPSEEKEYES_VISION_PROVIDER", "visionProvider"),
    ("DEEPSEEKEYES_VISION_MODEL", "visionModel"),
    ("DEEPSEEKEYES_VISION_ROUTE_PRIORITY", PRIORITY),
    (
        "DEEPSEEKEYES_VISION_ATTEMPT_LOG_PATH",
        "visionAttemptLogPath",
    ),
    ("DEEPSEEKEYES_CACHE_DIR", "cacheDir"),
    ("DEEPSEEKEYES_MCP_ARTIFACT_DIR", "mcpArtifactDir"),
    BROWSER_VARIABLES[0],
    BROWSER_VARIABLES[1],
    BROWSER_VARIABLES[2],
    BROWSER_VARIABLES[3],
];

/// Environment variables that weigh more than the file, and the members they set.
pub const VARIABLES: [(&str, &str); OWN_VARIABLES.len() + mcp::VARIABLES.len()] = {
    let mut all = [("", ""); OWN_VARIABLES.len() + mcp::VARIABLES.len()];
    let (own, servers) = all.split_at_mut(OWN_VARIABLES.len());
    own.copy_from_slice(&OWN_VARIABLES);
    servers.copy_from_slice(&mcp::VARIABLES);
    all
};

/// Members among them that are yes or no.
const SWITCHES: [&str; 3] = ["usageStats", "browserComputerUse", "browserHeadless"];

impl Settings {
    /// Reads `file` and the variables of `environment`, which weigh more.
    ///
    /// A file that nobody named and that is not there gives the defaults. A name that ends in `.json` is read as JSON,
    /// any other as TOML.
    pub fn load(
        file: Option<&SettingsFile>,
        environment: &Environment,
    ) -> Result<Self, SettingsError> {
        let mut document = Map::new();
        if let Some(file) = file {
            match read(file) {
                Ok(text) => document = parsed(&text, Form::of(&file.path))?,
                Err(SettingsError::Read { source, .. })
                    if !file.required && source.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        overlay(&mut document, environment)?;
        Self::from_document(document)
    }

    /// Parses TOML and checks every bound.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        Self::from_document(parsed(text, Form::Toml)?)
    }

    /// Parses JSON and checks every bound; a member that stands twice is refused.
    pub fn parse_json(text: &str) -> Result<Self, SettingsError> {
        Self::from_document(parsed(text, Form::Json)?)
    }

    /// Reads a document whose members stand under their published names, and checks every bound.
    pub fn from_document(mut document: Map<String, Value>) -> Result<Self, SettingsError> {
        normalise(&mut document)?;
        blank_to_absent(&mut document);
        let vision = document::take(&mut document)?;
        let turn = document::take(&mut document)?;
        // By its own reader: its messages never quote what stands in a member.
        let mcp_settings =
            McpSettings::from_document(document::split::<McpSettings>(&mut document))?;
        let browser = document::take(&mut document)?;
        let mut settings: Self = document::read(document)?;
        settings.vision = vision;
        settings.turn = turn;
        settings.mcp_settings = mcp_settings;
        settings.browser = browser;
        settings.check()?;
        Ok(settings)
    }

    /// Returns the document that gives these settings again.
    ///
    /// # Panics
    /// Never: settings are plain data.
    pub fn to_document(&self) -> Map<String, Value> {
        let mut document = Map::new();
        let parts = [
            serde_json::to_value(&self.vision),
            serde_json::to_value(&self.turn),
            serde_json::to_value(&self.mcp_settings),
            serde_json::to_value(&self.browser),
            serde_json::to_value(self),
        ];
        for part in parts {
            if let Value::Object(members) = part.expect("settings are plain data") {
                document.extend(members);
            }
        }
        document
    }

    /// Returns the settings of MCP servers, validated.
    ///
    /// Errors: `MCP_CONFIG_INVALID`, never for settings that were loaded or checked.
    pub fn mcp(&self) -> Result<McpConfig, SettingsError> {
        Ok(McpConfig::from_settings(&self.mcp_settings)?)
    }

    /// Checks what the types do not say.
    pub fn check(&self) -> Result<(), SettingsError> {
        VisionConfig::from_settings(self.vision.clone())?;
        TurnConfig::from_settings(self.turn.clone())?;
        self.mcp()?;
        self.browser.check()?;
        if self.vision.vision_route_priority.len() > MAX_ROUTES {
            return refuse(PRIORITY, format!("at most {MAX_ROUTES} routes"));
        }
        let kept = MIN_ATTEMPTS_KEPT..=MAX_ATTEMPTS_KEPT;
        if !kept.contains(&self.vision_attempt_limit) {
            return refuse(
                "visionAttemptLimit",
                format!("{MIN_ATTEMPTS_KEPT} to {MAX_ATTEMPTS_KEPT}"),
            );
        }
        self.check_providers()?;
        let times = MIN_TIMEOUT_MS..=MAX_TIMEOUT_MS;
        for (path, ms) in self.network.timeouts() {
            if !times.contains(&ms) {
                return refuse(path, format!("{MIN_TIMEOUT_MS} to {MAX_TIMEOUT_MS}"));
            }
        }
        if self.network.ca_files.len() > MAX_CA_FILES {
            return refuse("network.caFiles", format!("at most {MAX_CA_FILES} files"));
        }
        if self
            .local
            .threads
            .is_some_and(|n| n.get() > MAX_LOCAL_THREADS)
        {
            return refuse("local.threads", format!("1 to {MAX_LOCAL_THREADS}"));
        }
        if self.store.max_bytes < MIN_STORE_BYTES {
            return refuse("store.maxBytes", format!("at least {MIN_STORE_BYTES}"));
        }
        Ok(())
    }

    fn check_providers(&self) -> Result<(), SettingsError> {
        if self.providers.len() > MAX_PROVIDERS {
            return refuse("providers", format!("at most {MAX_PROVIDERS}"));
        }
        for (id, provider) in &self.providers {
            let path = |member: &str| format!("providers.{id}.{member}");
            if id == PROVIDER_ID {
                return refuse(
                    &format!("providers.{id}"),
                    "this id belongs to the local eyes".to_owned(),
                );
            }
            let known = well_known(id).is_some();
            if provider.kind.is_none() && !known {
                return refuse(&path("kind"), "is missing".to_owned());
            }
            if provider.base_url.is_none() && !known {
                return refuse(&path("baseUrl"), "is missing".to_owned());
            }
            if provider.api_key_env.is_some() && provider.api_key_file.is_some() {
                let reason = "a key has one place, apiKeyEnv or apiKeyFile".to_owned();
                return refuse(&path("apiKeyFile"), reason);
            }
            if provider.models.len() > MAX_DECLARED_MODELS {
                return refuse(&path("models"), format!("at most {MAX_DECLARED_MODELS}"));
            }
        }
        Ok(())
    }
}

fn refuse<T>(path: &str, reason: String) -> Result<T, SettingsError> {
    Err(SettingsError::Member {
        path: path.to_owned(),
        reason,
    })
}

fn parsed(text: &str, form: Form) -> Result<Map<String, Value>, SettingsError> {
    // Editors on Windows put a byte order mark before the text.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match form {
        Form::Toml => from_toml(text),
        Form::Json => from_json(text),
    }
}

fn from_toml(text: &str) -> Result<Map<String, Value>, SettingsError> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        SettingsError::Syntax {
            line: 1 + text.bytes().take(start).filter(|&b| b == b'\n').count(),
            reason: error.message().to_owned(),
        }
    })?;
    match serde_json::to_value(table) {
        Ok(Value::Object(members)) => Ok(members),
        _ => refuse("", "settings are a table".to_owned()),
    }
}

fn from_json(text: &str) -> Result<Map<String, Value>, SettingsError> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let limits = StrictLimits {
        max_bytes: MAX_SETTINGS_BYTES as usize,
        max_depth: MAX_SETTINGS_DEPTH,
    };
    let parsed = parse_strict_within(text.as_bytes(), limits)
        .map_err(|error| SettingsError::Json(error.to_string()))?;
    match parsed.value {
        Value::Object(members) => Ok(members),
        _ => Err(SettingsError::Json("settings are an object".to_owned())),
    }
}

/// Lets the variables weigh more than the document.
fn overlay(
    document: &mut Map<String, Value>,
    environment: &Environment,
) -> Result<(), SettingsError> {
    for (variable, member) in VARIABLES {
        let Some(value) = environment.get(variable).and_then(|value| value.to_str()) else {
            continue;
        };
        if let Some(value) = mcp::variable_value(member, value) {
            document.insert(member.to_owned(), value?);
            continue;
        }
        let is_place = member.ends_with("Path") || member.ends_with("Dir");
        let value = value.trim();
        let word = value.to_ascii_lowercase();
        let is_off = ["0", "false", "no", "off"].contains(&word.as_str());
        let is_on = ["1", "true", "yes", "on"].contains(&word.as_str());
        let value = match (is_place, SWITCHES.contains(&member)) {
            (true, _) | (_, true) if is_off => Value::Bool(false),
            (_, true) if is_on => Value::Bool(true),
            _ => Value::from(value),
        };
        document.insert(member.to_owned(), value);
    }
    Ok(())
}

/// An empty text where a name belongs means that there is none, as forms leave it.
fn blank_to_absent(document: &mut Map<String, Value>) {
    for member in [
        "visionProvider",
        "visionModel",
        "upstreamProvider",
        "upstreamModel",
        "usagePrices",
        "dataDir",
    ] {
        if let Some(Value::String(text)) = document.get_mut(member) {
            *text = text.trim().to_owned();
            if text.is_empty() {
                document.remove(member);
            }
        }
    }
}

fn read(file: &SettingsFile) -> Result<String, SettingsError> {
    let failed = |source| SettingsError::Read {
        path: file.path.clone(),
        source,
    };
    let mut text = String::new();
    File::open(&file.path)
        .and_then(|file| file.take(MAX_SETTINGS_BYTES + 1).read_to_string(&mut text))
        .map_err(failed)?;
    if text.len() as u64 > MAX_SETTINGS_BYTES {
        return Err(SettingsError::Length(file.path.clone()));
    }
    Ok(text)
}
