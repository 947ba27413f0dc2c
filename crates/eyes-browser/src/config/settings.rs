//! The members of the settings.

use std::{ops::RangeInclusive, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::ConfigError;
use crate::{
    adapter::launch::Channel,
    limits::{
        DEFAULT_ACTION_TIMEOUT, DEFAULT_DOWNLOAD_BYTES, DEFAULT_ELEMENTS, DEFAULT_TEXT_CHARS,
        FIRST_SIGN, MAX_ELEMENTS, MAX_FIRST_SIGN_MS, MAX_LISTED, MAX_TEXT_CHARS, MAX_TIMEOUT_MS,
        MAX_VIEWPORT, MIN_ELEMENTS, MIN_TEXT_CHARS, MIN_TIMEOUT_MS, MIN_VIEWPORT,
    },
    picture::VisualMode,
    policy::{DownloadPolicy, Rule, UrlPolicy},
};

/// The settings of the browser, flat; every member has a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct BrowserSettings {
    /// Whether a model is offered the browser. Commands at a shell do not ask.
    pub browser_computer_use: bool,
    /// Whether the browser has no window; where absent it has one when there is a display.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_headless: Option<bool>,
    /// Which product: `chrome`, `chromium`, `edge` or `brave`; the first that is there where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_channel: Option<Channel>,
    /// The program; weighs more than the channel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_executable_path: Option<PathBuf>,
    /// More arguments for the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_LISTED)))]
    pub browser_arguments: Vec<String>,
    /// Whether the browser's own sandbox is on; as root on Linux it is off in any case.
    pub browser_sandbox: bool,
    /// The debugging address of a browser that runs already; then none is started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_attach: Option<String>,
    /// The folder of a profile that is kept; a fresh one that is removed at the end where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_profile: Option<PathBuf>,
    /// The language that pages are asked for, such as `zh-CN`; the system's where absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser_locale: Option<String>,
    /// Milliseconds that an action may take, 1,000 to 120,000.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_TIMEOUT_MS, max = MAX_TIMEOUT_MS)))]
    pub browser_timeout_ms: u64,
    /// Milliseconds to wait for a first sign that an action had an effect, 0 to 10,000; never slept when there is one.
    #[cfg_attr(feature = "schema", schemars(range(max = MAX_FIRST_SIGN_MS)))]
    pub browser_settle_ms: u64,
    /// The width of the viewport in CSS pixels, 320 to 3,840.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_VIEWPORT.0, max = MAX_VIEWPORT.0)))]
    pub browser_viewport_width: u32,
    /// The height of the viewport in CSS pixels, 240 to 2,160.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_VIEWPORT.1, max = MAX_VIEWPORT.1)))]
    pub browser_viewport_height: u32,
    /// Elements of a state at most, 20 to 500.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_ELEMENTS, max = MAX_ELEMENTS)))]
    pub browser_max_elements: usize,
    /// Characters of a page's text in a state at most, 200 to 100,000.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_TEXT_CHARS, max = MAX_TEXT_CHARS)))]
    pub browser_max_text_chars: usize,
    /// When pictures are delivered: `auto`, `always` or `manual`.
    pub browser_visual_mode: VisualMode,
    /// Only addresses of these patterns may be opened, such as `*.example.com`; all where empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_LISTED)))]
    pub browser_allow_urls: Vec<String>,
    /// Addresses of these patterns are never opened.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_LISTED)))]
    pub browser_deny_urls: Vec<String>,
    /// Whether this machine and local networks may be opened.
    pub browser_private_networks: bool,
    /// Schemes beside `http` and `https` that may be opened, such as `file`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_LISTED)))]
    pub browser_schemes: Vec<String>,
    /// Bytes of a download at most.
    pub browser_download_max_bytes: u64,
    /// Only files with these extensions are downloaded, without the dot; all where empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_LISTED)))]
    pub browser_download_types: Vec<String>,
    /// Files may be uploaded from these folders only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_LISTED)))]
    pub browser_upload_dirs: Vec<PathBuf>,
    /// Environment variables whose values an action may type by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_LISTED)))]
    pub browser_secret_env: Vec<String>,
}

impl Default for BrowserSettings {
    fn default() -> Self {
        Self {
            browser_computer_use: false,
            browser_headless: None,
            browser_channel: None,
            browser_executable_path: None,
            browser_arguments: Vec::new(),
            browser_sandbox: true,
            browser_attach: None,
            browser_profile: None,
            browser_locale: None,
            browser_timeout_ms: DEFAULT_ACTION_TIMEOUT.as_millis() as u64,
            browser_settle_ms: FIRST_SIGN.as_millis() as u64,
            browser_viewport_width: 1440,
            browser_viewport_height: 900,
            browser_max_elements: DEFAULT_ELEMENTS,
            browser_max_text_chars: DEFAULT_TEXT_CHARS,
            browser_visual_mode: VisualMode::default(),
            browser_allow_urls: Vec::new(),
            browser_deny_urls: Vec::new(),
            browser_private_networks: true,
            browser_schemes: Vec::new(),
            browser_download_max_bytes: DEFAULT_DOWNLOAD_BYTES,
            browser_download_types: Vec::new(),
            browser_upload_dirs: Vec::new(),
            browser_secret_env: Vec::new(),
        }
    }
}

impl BrowserSettings {
    /// Checks what the types do not say.
    ///
    /// Errors: `BROWSER_CONFIG_INVALID` with the member.
    pub fn check(&self) -> Result<(), ConfigError> {
        within(
            "browserTimeoutMs",
            self.browser_timeout_ms,
            &(MIN_TIMEOUT_MS..=MAX_TIMEOUT_MS),
        )?;
        within(
            "browserSettleMs",
            self.browser_settle_ms,
            &(0..=MAX_FIRST_SIGN_MS),
        )?;
        within(
            "browserViewportWidth",
            self.browser_viewport_width,
            &(MIN_VIEWPORT.0..=MAX_VIEWPORT.0),
        )?;
        within(
            "browserViewportHeight",
            self.browser_viewport_height,
            &(MIN_VIEWPORT.1..=MAX_VIEWPORT.1),
        )?;
        within(
            "browserMaxElements",
            self.browser_max_elements,
            &(MIN_ELEMENTS..=MAX_ELEMENTS),
        )?;
        within(
            "browserMaxTextChars",
            self.browser_max_text_chars,
            &(MIN_TEXT_CHARS..=MAX_TEXT_CHARS),
        )?;
        for (member, listed) in self.lists() {
            if listed > MAX_LISTED {
                return Err(ConfigError::new(member, format!("at most {MAX_LISTED}")));
            }
        }
        self.urls().map(|_| ())
    }

    /// Returns which addresses may be opened.
    ///
    /// Errors: `BROWSER_CONFIG_INVALID` with the pattern that is none.
    pub fn urls(&self) -> Result<UrlPolicy, ConfigError> {
        Ok(UrlPolicy {
            allow: rules("browserAllowUrls", &self.browser_allow_urls)?,
            deny: rules("browserDenyUrls", &self.browser_deny_urls)?,
            private_networks: self.browser_private_networks,
            schemes: self
                .browser_schemes
                .iter()
                .map(|s| s.to_lowercase())
                .collect(),
        })
    }

    /// Returns which files may be downloaded.
    pub fn files(&self) -> DownloadPolicy {
        DownloadPolicy {
            max_bytes: self.browser_download_max_bytes,
            extensions: self
                .browser_download_types
                .iter()
                .map(|name| name.trim_start_matches('.').to_lowercase())
                .collect(),
        }
    }

    const fn lists(&self) -> [(&'static str, usize); 7] {
        [
            ("browserArguments", self.browser_arguments.len()),
            ("browserAllowUrls", self.browser_allow_urls.len()),
            ("browserDenyUrls", self.browser_deny_urls.len()),
            ("browserSchemes", self.browser_schemes.len()),
            ("browserDownloadTypes", self.browser_download_types.len()),
            ("browserUploadDirs", self.browser_upload_dirs.len()),
            ("browserSecretEnv", self.browser_secret_env.len()),
        ]
    }
}

fn rules(member: &str, patterns: &[String]) -> Result<Vec<Rule>, ConfigError> {
    let read = |(index, pattern): (usize, &String)| {
        pattern
            .parse()
            .map_err(|error: crate::policy::InvalidRule| {
                ConfigError::new(format!("{member}[{index}]"), error.to_string())
            })
    };
    patterns.iter().enumerate().map(read).collect()
}

fn within<T: PartialOrd + Copy + std::fmt::Display>(
    member: &str,
    value: T,
    range: &RangeInclusive<T>,
) -> Result<(), ConfigError> {
    if range.contains(&value) {
        return Ok(());
    }
    let reason = format!("{} to {}", range.start(), range.end());
    Err(ConfigError::new(member, reason))
}
