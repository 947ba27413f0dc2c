//! Settings of a turn.

use serde::{Deserialize, Serialize};

use super::{Check, ConfigError};
use crate::{
    context::ContextLimit,
    limits::{
        DEFAULT_AUTOMATION_CALLS, DEFAULT_AUTOMATION_CONTEXT_TOKENS, DEFAULT_CLARIFICATIONS,
        DEFAULT_EVIDENCE_CONTEXT_TOKENS, DEFAULT_HISTORY_IMAGES, DEFAULT_SUMMARY_CHARS,
        MAX_AUTOMATION_CALLS, MAX_CLARIFICATIONS, MAX_HISTORY_IMAGES, MAX_SUMMARY_CHARS,
        MIN_AUTOMATION_CONTEXT_TOKENS, MIN_EVIDENCE_CONTEXT_TOKENS, MIN_SUMMARY_CHARS,
    },
};

/// What can be configured of a turn, under the published names; not yet checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TurnSettings {
    /// Rounds in which the final model may look again before it answers, 0 to 8.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_CLARIFICATIONS)))]
    pub max_clarifications: u32,
    /// Estimated tokens that pictures may take in a session before the oldest become pointers, at least 1,024;
    /// 0 means no bound. Never more than a third of the final model's window.
    pub evidence_context_max_tokens: u64,
    /// Estimated tokens of a request that continues an automation, at least 4,096; 0 means no bound.
    pub automation_context_max_tokens: u64,
    /// Calls of the final model for one task, 0 to 10,000; 0 means no bound.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_AUTOMATION_CALLS)))]
    pub automation_max_calls_per_turn: u32,
    /// Pointers to older pictures that stay when older ones go, 0 to 32.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_HISTORY_IMAGES)))]
    pub history_image_limit: usize,
    /// Characters of the summary in a pointer, 64 to 2,000.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_SUMMARY_CHARS, max = MAX_SUMMARY_CHARS)))]
    pub history_summary_chars: usize,
}

impl Default for TurnSettings {
    fn default() -> Self {
        Self {
            max_clarifications: DEFAULT_CLARIFICATIONS,
            evidence_context_max_tokens: DEFAULT_EVIDENCE_CONTEXT_TOKENS,
            automation_context_max_tokens: DEFAULT_AUTOMATION_CONTEXT_TOKENS,
            automation_max_calls_per_turn: DEFAULT_AUTOMATION_CALLS,
            history_image_limit: DEFAULT_HISTORY_IMAGES,
            history_summary_chars: DEFAULT_SUMMARY_CHARS,
        }
    }
}

/// Checked settings of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnConfig {
    settings: TurnSettings,
}

impl TurnConfig {
    /// Checks the settings; every fault is `VISION_SETTING_INVALID`.
    pub fn from_settings(settings: TurnSettings) -> Result<Self, ConfigError> {
        let checks = [
            Check::new("maxClarifications", settings.max_clarifications)
                .within(0_u32, MAX_CLARIFICATIONS),
            Check::new(
                "evidenceContextMaxTokens",
                settings.evidence_context_max_tokens,
            )
            .within(MIN_EVIDENCE_CONTEXT_TOKENS, u64::MAX)
            .or_zero(),
            Check::new(
                "automationContextMaxTokens",
                settings.automation_context_max_tokens,
            )
            .within(MIN_AUTOMATION_CONTEXT_TOKENS, u64::MAX)
            .or_zero(),
            Check::new(
                "automationMaxCallsPerTurn",
                settings.automation_max_calls_per_turn,
            )
            .within(0_u32, MAX_AUTOMATION_CALLS),
            Check::new("historyImageLimit", settings.history_image_limit as u64)
                .within(0_u32, MAX_HISTORY_IMAGES as u64),
            Check::new("historySummaryChars", settings.history_summary_chars as u64)
                .within(MIN_SUMMARY_CHARS as u64, MAX_SUMMARY_CHARS as u64),
        ];
        checks.into_iter().try_for_each(Check::done)?;
        Ok(Self { settings })
    }

    /// Returns the settings, all within their ranges.
    pub const fn settings(&self) -> &TurnSettings {
        &self.settings
    }

    /// Returns the bound of a request that continues an automation.
    pub fn automation_limit(&self) -> ContextLimit {
        ContextLimit::new(self.settings.automation_context_max_tokens)
            .unwrap_or(ContextLimit::UNLIMITED)
    }
}
