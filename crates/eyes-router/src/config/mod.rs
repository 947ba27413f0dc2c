//! Validated settings of this crate.

mod turn;

use std::{collections::BTreeMap, ops::RangeInclusive, time::Duration};

use eyes_evidence::code::{Coded, ErrorCode};
use serde::{Deserialize, Serialize};
pub use turn::{TurnConfig, TurnSettings};

use crate::{
    codes,
    health::CircuitPolicy,
    limits::{
        DEFAULT_BASE_TOKENS, DEFAULT_CONCURRENCY, DEFAULT_COOLDOWN_MS, DEFAULT_FAILOVERS,
        DEFAULT_FAILURE_THRESHOLD, DEFAULT_HEALTH_TTL_MS, DEFAULT_PROBE_TTL_MS,
        DEFAULT_TARGET_TOKENS, DEFAULT_TIME_BUDGET_MS, MAX_CONCURRENCY, MAX_COOLDOWN_MS,
        MAX_FAILOVERS, MAX_FAILURE_THRESHOLD, MAX_HEALTH_TTL_MS, MAX_PROBE_TTL_MS,
        MAX_TIME_BUDGET_MS, MAX_TOKEN_BUDGET, MIN_BASE_TOKENS, MIN_HEALTH_TTL_MS, MIN_PROBE_TTL_MS,
        MIN_TARGET_TOKENS, MIN_TIME_BUDGET_MS, MIN_TOKEN_BUDGET,
    },
    model::ModelSpec,
    route::{ConfiguredEye, Route},
};

/// Whether a question about a part is shown the part by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ZoomMode {
    /// A lossless crop with a margin goes along, enlarged where it is small.
    #[default]
    Auto,
    /// The original alone.
    Off,
}

/// What can be configured, under the published names; not yet checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches with published names"
)]
pub struct VisionSettings {
    /// The provider that is asked first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vision_provider: Option<String>,
    /// Its model; the first one that accepts images where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vision_model: Option<String>,
    /// Further routes in order, each `provider/model`.
    pub vision_route_priority: Vec<Route>,
    /// Whether every listed model that accepts text and images may look when the named routes did not answer.
    pub auto_detect_vision: bool,
    /// Whether a model must name the colours of a picture before its first reading counts.
    pub active_probe: bool,
    /// Whether lists of models are fetched again when they are old.
    pub vision_health_check: bool,
    /// Further routes after the first failure, 0 to 8.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_FAILOVERS)))]
    pub vision_failover_attempts: u32,
    /// Milliseconds for which a list of models is fresh, 1,000 to 3,600,000.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_HEALTH_TTL_MS, max = MAX_HEALTH_TTL_MS)))]
    pub vision_health_ttl_ms: u64,
    /// Milliseconds for which a failing route is left alone, 0 to 3,600,000.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_COOLDOWN_MS)))]
    pub vision_failure_cooldown_ms: u64,
    /// Consecutive faults of a route before it is left alone, 1 to 10.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_FAILURE_THRESHOLD)))]
    pub vision_failure_threshold: u32,
    /// Milliseconds for which a passed probe counts, 60,000 to 7,776,000,000.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_PROBE_TTL_MS, max = MAX_PROBE_TTL_MS)))]
    pub vision_probe_ttl_ms: u64,
    /// Images of one turn that are read at once, 1 to 16.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MAX_CONCURRENCY)))]
    pub vision_concurrency: usize,
    /// Milliseconds of one reading with all its retries and routes, 1,000 to 3,600,000; 0 means no bound.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_TIME_BUDGET_MS)))]
    pub vision_time_budget_ms: u64,
    /// Input and output tokens of one reading with all its retries and routes, 1,024 to 10,000,000; 0 means no bound.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_TOKEN_BUDGET)))]
    pub vision_token_budget: u64,
    /// Whether a crop of the region goes along with a question about a part.
    pub vision_zoom: ZoomMode,
    /// Whether the local eyes check the text that another model claims to have read.
    pub vision_grounding: bool,
    /// Whether a second route reads too, and what the two do not agree on becomes a doubt; it costs a second call.
    pub vision_consensus: bool,
    /// Output tokens of an overview, at least 512; 0 leaves it to the provider.
    pub base_max_tokens: u32,
    /// Output tokens of an answer to one question, at least 256; 0 leaves it to the provider.
    pub target_max_tokens: u32,
}

impl Default for VisionSettings {
    fn default() -> Self {
        Self {
            vision_provider: None,
            vision_model: None,
            vision_route_priority: Vec::new(),
            auto_detect_vision: true,
            active_probe: true,
            vision_health_check: true,
            vision_failover_attempts: DEFAULT_FAILOVERS,
            vision_health_ttl_ms: DEFAULT_HEALTH_TTL_MS,
            vision_failure_cooldown_ms: DEFAULT_COOLDOWN_MS,
            vision_failure_threshold: DEFAULT_FAILURE_THRESHOLD,
            vision_probe_ttl_ms: DEFAULT_PROBE_TTL_MS,
            vision_concurrency: DEFAULT_CONCURRENCY,
            vision_time_budget_ms: DEFAULT_TIME_BUDGET_MS,
            vision_token_budget: 0,
            vision_zoom: ZoomMode::Auto,
            vision_grounding: true,
            vision_consensus: false,
            base_max_tokens: DEFAULT_BASE_TOKENS,
            target_max_tokens: DEFAULT_TARGET_TOKENS,
        }
    }
}

/// A setting cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A number is out of its range.
    #[error("{name} is {value}, not {min} to {max}{}", if *zero { " or 0" } else { "" })]
    Range {
        /// The member's published name.
        name: &'static str,
        /// What it is.
        value: u64,
        /// The smallest value allowed.
        min: u64,
        /// The largest value allowed.
        max: u64,
        /// Whether 0 is allowed as well.
        zero: bool,
    },
    /// A model is named without its provider.
    #[error("visionModel is set and visionProvider is not")]
    ModelWithoutProvider,
    /// The configured provider and model name no route.
    #[error("visionProvider and visionModel: {0}")]
    Eye(#[from] crate::route::RouteError),
}

impl Coded for ConfigError {
    fn code(&self) -> ErrorCode {
        codes::VISION_SETTING_INVALID
    }
}

impl VisionSettings {
    fn check(&self) -> Result<(), ConfigError> {
        const TOKENS: u64 = u32::MAX as u64;
        let checks = [
            Check::new("visionFailoverAttempts", self.vision_failover_attempts)
                .within(0_u32, MAX_FAILOVERS),
            Check::new("visionHealthTtlMs", self.vision_health_ttl_ms)
                .within(MIN_HEALTH_TTL_MS, MAX_HEALTH_TTL_MS),
            Check::new("visionFailureCooldownMs", self.vision_failure_cooldown_ms)
                .within(0_u32, MAX_COOLDOWN_MS),
            Check::new("visionFailureThreshold", self.vision_failure_threshold)
                .within(1_u32, MAX_FAILURE_THRESHOLD),
            Check::new("visionProbeTtlMs", self.vision_probe_ttl_ms)
                .within(MIN_PROBE_TTL_MS, MAX_PROBE_TTL_MS),
            Check::new("visionConcurrency", self.vision_concurrency as u64)
                .within(1_u32, MAX_CONCURRENCY as u64),
            Check::new("visionTimeBudgetMs", self.vision_time_budget_ms)
                .within(MIN_TIME_BUDGET_MS, MAX_TIME_BUDGET_MS)
                .or_zero(),
            Check::new("visionTokenBudget", self.vision_token_budget)
                .within(MIN_TOKEN_BUDGET, MAX_TOKEN_BUDGET)
                .or_zero(),
            Check::new("baseMaxTokens", self.base_max_tokens)
                .within(MIN_BASE_TOKENS, TOKENS)
                .or_zero(),
            Check::new("targetMaxTokens", self.target_max_tokens)
                .within(MIN_TARGET_TOKENS, TOKENS)
                .or_zero(),
        ];
        checks.into_iter().try_for_each(Check::done)
    }
}

/// One number and its range.
struct Check {
    name: &'static str,
    value: u64,
    range: RangeInclusive<u64>,
    zero: bool,
}

impl Check {
    fn new(name: &'static str, value: impl Into<u64>) -> Self {
        Self {
            name,
            value: value.into(),
            range: 0..=u64::MAX,
            zero: false,
        }
    }

    fn within(mut self, min: impl Into<u64>, max: impl Into<u64>) -> Self {
        self.range = min.into()..=max.into();
        self
    }

    fn or_zero(mut self) -> Self {
        self.zero = true;
        self
    }

    fn done(self) -> Result<(), ConfigError> {
        if self.range.contains(&self.value) || (self.zero && self.value == 0) {
            return Ok(());
        }
        Err(ConfigError::Range {
            name: self.name,
            value: self.value,
            min: *self.range.start(),
            max: *self.range.end(),
            zero: self.zero,
        })
    }
}

/// How images are read: checked settings, and what the composition adds to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisionConfig {
    settings: VisionSettings,
    eye: Option<ConfiguredEye>,
    virtual_provider: Option<Box<str>>,
    declared: BTreeMap<Route, ModelSpec>,
}

impl VisionConfig {
    /// Takes the routes in the order they are asked and looks for no others, with defaults for all else.
    pub fn new(routes: Vec<Route>) -> Self {
        Self {
            settings: VisionSettings {
                vision_route_priority: routes,
                auto_detect_vision: false,
                ..VisionSettings::default()
            },
            eye: None,
            virtual_provider: None,
            declared: BTreeMap::new(),
        }
    }

    /// Checks the settings; every fault is `VISION_SETTING_INVALID`.
    pub fn from_settings(settings: VisionSettings) -> Result<Self, ConfigError> {
        settings.check()?;
        let eye = match (&settings.vision_provider, &settings.vision_model) {
            (None, None) => None,
            (None, Some(_)) => return Err(ConfigError::ModelWithoutProvider),
            (Some(provider), model) => Some(ConfiguredEye::new(provider, model.as_deref())?),
        };
        Ok(Self {
            settings,
            eye,
            virtual_provider: None,
            declared: BTreeMap::new(),
        })
    }

    /// Sets how many further routes follow the first failure; more than [`MAX_FAILOVERS`] is cut.
    #[must_use]
    pub fn with_failovers(mut self, failovers: u32) -> Self {
        self.settings.vision_failover_attempts = failovers.min(MAX_FAILOVERS);
        self
    }

    /// Names the provider that this software itself offers to others; it is refused as an eye.
    #[must_use]
    pub fn with_virtual_provider(mut self, id: impl Into<Box<str>>) -> Self {
        self.virtual_provider = Some(id.into());
        self
    }

    /// Declares models that need not be listed: what stands here counts before what a provider lists.
    #[must_use]
    pub fn with_declared(
        mut self,
        models: impl IntoIterator<Item = (Box<str>, ModelSpec)>,
    ) -> Self {
        for (provider, model) in models {
            // A name that is no route can never be asked for.
            if let Ok(route) = Route::new(provider, model.id.as_str()) {
                self.declared.insert(route, model);
            }
        }
        self
    }

    /// Returns the settings, all within their ranges.
    pub const fn settings(&self) -> &VisionSettings {
        &self.settings
    }

    /// Returns the priority list.
    pub fn routes(&self) -> &[Route] {
        &self.settings.vision_route_priority
    }

    /// Returns the configured provider with its model, where one is named.
    pub const fn eye(&self) -> Option<&ConfiguredEye> {
        self.eye.as_ref()
    }

    /// Returns the id that is refused as an eye.
    pub fn virtual_provider(&self) -> Option<&str> {
        self.virtual_provider.as_deref()
    }

    /// Returns the models that the settings declare.
    pub const fn declared(&self) -> &BTreeMap<Route, ModelSpec> {
        &self.declared
    }

    /// Returns how many further routes follow the first failure.
    pub const fn failovers(&self) -> u32 {
        self.settings.vision_failover_attempts
    }

    /// Returns the output tokens of an overview; nothing leaves it to the provider.
    pub const fn base_max_tokens(&self) -> Option<u32> {
        bound(self.settings.base_max_tokens)
    }

    /// Returns the output tokens of an answer; nothing leaves it to the provider.
    pub const fn target_max_tokens(&self) -> Option<u32> {
        bound(self.settings.target_max_tokens)
    }

    /// Returns when a circuit opens, and for how long.
    pub const fn circuit_policy(&self) -> CircuitPolicy {
        CircuitPolicy {
            threshold: self.settings.vision_failure_threshold,
            cooldown_ms: self.settings.vision_failure_cooldown_ms,
        }
    }

    /// Returns for how long a list of models is fresh; nothing means for good.
    pub const fn catalogue_ttl(&self) -> Option<Duration> {
        if self.settings.vision_health_check {
            Some(Duration::from_millis(self.settings.vision_health_ttl_ms))
        } else {
            None
        }
    }

    /// Returns the time of one operation; nothing means no bound.
    pub const fn time_budget(&self) -> Option<Duration> {
        match self.settings.vision_time_budget_ms {
            0 => None,
            ms => Some(Duration::from_millis(ms)),
        }
    }

    /// Returns the tokens of one operation; nothing means no bound.
    pub const fn token_budget(&self) -> Option<u64> {
        match self.settings.vision_token_budget {
            0 => None,
            tokens => Some(tokens),
        }
    }
}

const fn bound(tokens: u32) -> Option<u32> {
    if tokens == 0 { None } else { Some(tokens) }
}

#[cfg(test)]
mod tests;
