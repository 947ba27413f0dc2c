//! From the document to what was validated.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization as _;

use super::{
    ConfigError, HttpServer, McpConfig, McpSettings, Planes, ServerConfig, ServerSettings,
    StdioServer, Transport, TransportKind, argv, oauth,
    reference::{check_references, is_header_name, is_variable},
    url,
};
use crate::{
    limits::{
        MAX_ARTIFACT_AGE_DAYS, MAX_ARTIFACT_BYTES, MAX_ARTIFACT_ITEMS, MAX_AUDIT_EVENTS,
        MAX_CALL_TIMEOUT_MS, MAX_CALLS_PER_RUN, MAX_ENV_REFERENCES, MAX_HEADER_REFERENCES,
        MAX_INLINE_TOOLS, MAX_LIST_ENTRIES, MAX_LIST_ENTRY_BYTES, MAX_QUERY_REFERENCES,
        MAX_REFERENCE_BYTES, MAX_RESULT_CHARS, MAX_SCHEMA_TOKENS, MAX_SERVER_NAME_CHARS,
        MAX_SERVERS, MIN_ARTIFACT_BYTES, MIN_CALL_TIMEOUT_MS, MIN_RESULT_CHARS, MIN_SCHEMA_TOKENS,
    },
    policy::Selectors,
    result::ArtifactBounds,
};

/// Headers that belong to the protocol and to HTTP itself: the transport writes them, in lower case here.
const OWN_HEADERS: [&str; 10] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-protocol-version",
    "mcp-session-id",
    "te",
    "transfer-encoding",
];

/// Tells whether a header, in lower case, is none that settings may name.
pub(crate) fn is_own_header(name: &str) -> bool {
    OWN_HEADERS.contains(&name)
}

impl McpConfig {
    /// Reads and validates a document whose members stand under their published names.
    ///
    /// Errors: `MCP_CONFIG_INVALID`, naming the member.
    pub fn from_document(document: Map<String, Value>) -> Result<Self, ConfigError> {
        Self::from_settings(&McpSettings::from_document(document)?)
    }

    /// Validates settings.
    ///
    /// Errors: `MCP_CONFIG_INVALID`, naming the member.
    pub fn from_settings(settings: &McpSettings) -> Result<Self, ConfigError> {
        let call_timeout = timeout("mcpToolCallTimeoutMs", settings.mcp_tool_call_timeout_ms)?;
        let max_tools = unless_zero("mcpMaxTools", settings.mcp_max_tools, 1, MAX_INLINE_TOOLS)?;
        let max_schema_tokens = unless_zero(
            "mcpMaxSchemaTokens",
            settings.mcp_max_schema_tokens,
            MIN_SCHEMA_TOKENS,
            MAX_SCHEMA_TOKENS,
        )?;
        let max_calls_per_run = unless_zero(
            "mcpMaxExternalCallsPerRun",
            settings.mcp_max_external_calls_per_run,
            1,
            MAX_CALLS_PER_RUN,
        )?;
        let result = settings.mcp_max_result_chars;
        within(
            "mcpMaxResultChars",
            result,
            MIN_RESULT_CHARS,
            MAX_RESULT_CHARS,
        )?;
        within(
            "mcpAuditLimit",
            settings.mcp_audit_limit,
            1,
            MAX_AUDIT_EVENTS,
        )?;
        Ok(Self {
            enabled: settings.mcp_enabled,
            servers: servers(&settings.mcp_servers, call_timeout)?,
            max_tools: max_tools.map(|number| number as usize),
            max_schema_tokens: max_schema_tokens.map(|number| number as usize),
            max_result_chars: result as usize,
            max_calls_per_run: max_calls_per_run.map(|number| number as u32),
            call_timeout,
            audit: settings.mcp_audit,
            audit_limit: settings.mcp_audit_limit as usize,
            exposure: settings.mcp_exposure,
            artifacts: artifacts(settings)?,
        })
    }
}

fn artifacts(settings: &McpSettings) -> Result<ArtifactBounds, ConfigError> {
    let bytes = settings.mcp_artifact_max_bytes;
    within(
        "mcpArtifactMaxBytes",
        bytes,
        MIN_ARTIFACT_BYTES,
        MAX_ARTIFACT_BYTES,
    )?;
    let items = settings.mcp_artifact_max_items;
    within("mcpArtifactMaxItems", items, 1, MAX_ARTIFACT_ITEMS)?;
    let days = settings.mcp_artifact_max_age_days;
    within("mcpArtifactMaxAgeDays", days, 1, MAX_ARTIFACT_AGE_DAYS)?;
    Ok(ArtifactBounds {
        max_age: Duration::from_hours(days * 24),
        max_bytes: bytes,
        max_items: items as usize,
    })
}

fn within(path: &str, value: u64, min: u64, max: u64) -> Result<(), ConfigError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(ConfigError::Range {
        path: path.to_owned(),
        value,
        bounds: format!("{min} to {max}"),
    })
}

/// Checks a bound that 0 lifts.
fn unless_zero(path: &str, value: u64, min: u64, max: u64) -> Result<Option<u64>, ConfigError> {
    if value == 0 || (min..=max).contains(&value) {
        return Ok((value != 0).then_some(value));
    }
    Err(ConfigError::Range {
        path: path.to_owned(),
        value,
        bounds: format!("0 for no bound, or {min} to {max}"),
    })
}

fn timeout(path: &str, ms: u64) -> Result<Duration, ConfigError> {
    within(path, ms, MIN_CALL_TIMEOUT_MS, MAX_CALL_TIMEOUT_MS)?;
    Ok(Duration::from_millis(ms))
}

fn servers(
    settings: &[ServerSettings],
    call_timeout: Duration,
) -> Result<Vec<ServerConfig>, ConfigError> {
    if settings.len() > MAX_SERVERS {
        return Err(ConfigError::Length {
            path: "mcpServers".to_owned(),
            count: settings.len(),
            most: MAX_SERVERS,
        });
    }
    let servers = settings
        .iter()
        .enumerate()
        .map(|(index, server)| {
            ServerConfig::from_settings(server, &server_path(index), call_timeout)
        })
        .collect::<Result<Vec<_>, _>>()?;
    check_identities(&servers)?;
    Ok(servers)
}

fn server_path(index: usize) -> String {
    format!("mcpServers[{index}]")
}

/// Folds a name so that names which look alike in another case are the same.
pub(super) fn folded(name: &str) -> String {
    name.trim().nfc().flat_map(char::to_lowercase).collect()
}

/// Ids and names are each unique, and nobody is named like another's id: a selector `id/tool` that is meant for one
/// server would match the tools of the other by its name.
fn check_identities(servers: &[ServerConfig]) -> Result<(), ConfigError> {
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for (index, server) in servers.iter().enumerate() {
        let members = [
            ("id", &mut ids, folded(server.id.as_str())),
            ("name", &mut names, folded(&server.name)),
        ];
        for (member, seen, text) in members {
            if let Some(other) = seen.insert(text, index) {
                return Err(ConfigError::Duplicate {
                    path: format!("{}.{member}", server_path(index)),
                    other: format!("{}.{member}", server_path(other)),
                });
            }
        }
    }
    for (name, &index) in &names {
        // What a selector sees of `B/x` begins like one of the server `B`.
        let head = name.split('/').next().unwrap_or_default();
        for claimed in [name.as_str(), head] {
            if let Some(&other) = ids.get(claimed).filter(|&&other| other != index) {
                return Err(ConfigError::Duplicate {
                    path: format!("{}.name", server_path(index)),
                    other: format!("{}.id", server_path(other)),
                });
            }
        }
    }
    Ok(())
}

impl ServerConfig {
    /// Validates the settings of one server; `at` is its path in messages.
    ///
    /// Errors: `MCP_CONFIG_INVALID`, naming the member.
    pub fn from_settings(
        settings: &ServerSettings,
        at: &str,
        call_timeout: Duration,
    ) -> Result<Self, ConfigError> {
        let path = |member: &str| format!("{at}.{member}");
        let id = settings
            .id
            .parse()
            .map_err(|_| ConfigError::member(path("id"), "has 1 to 32 of A-Z a-z 0-9 _ -"))?;
        let lists = |allowed: &str, allow: &[String], denied: &str, deny: &[String]| {
            selectors((&path(allowed), allow), (&path(denied), deny))
        };
        Ok(Self {
            id,
            name: name(&path("name"), &settings.name)?,
            enabled: settings.enabled,
            planes: Planes {
                tools: settings.tools_enabled,
                resources: settings.resources_enabled,
                prompts: settings.prompts_enabled,
            },
            risk_policy: settings.risk_policy,
            tools: lists(
                "allowedTools",
                &settings.allowed_tools,
                "denyTools",
                &settings.deny_tools,
            )?,
            resources: lists(
                "allowedResources",
                &settings.allowed_resources,
                "denyResources",
                &settings.deny_resources,
            )?,
            prompts: lists(
                "allowedPrompts",
                &settings.allowed_prompts,
                "denyPrompts",
                &settings.deny_prompts,
            )?,
            timeout: match settings.timeout_ms {
                Some(ms) => timeout(&path("timeoutMs"), ms)?,
                None => call_timeout,
            },
            exposure: settings.exposure,
            approval: settings.require_approval,
            transport: match settings.transport {
                TransportKind::Stdio => Transport::Stdio(stdio(at, settings)?),
                TransportKind::StreamableHttp => Transport::Http(http(at, settings)?),
            },
        })
    }
}

fn name(path: &str, name: &str) -> Result<String, ConfigError> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > MAX_SERVER_NAME_CHARS {
        return Err(ConfigError::member(path, "has 1 to 128 characters"));
    }
    if name.chars().any(char::is_control) {
        return Err(ConfigError::member(path, "has control characters"));
    }
    Ok(name.to_owned())
}

/// Checks a pair of lists, each with its path.
fn selectors(
    (allow_path, allow): (&str, &[String]),
    (deny_path, deny): (&str, &[String]),
) -> Result<Selectors, ConfigError> {
    let mut seen: BTreeMap<&str, String> = BTreeMap::new();
    for (path, list) in [(allow_path, allow), (deny_path, deny)] {
        if list.len() > MAX_LIST_ENTRIES {
            return Err(ConfigError::Length {
                path: path.to_owned(),
                count: list.len(),
                most: MAX_LIST_ENTRIES,
            });
        }
        for (index, entry) in list.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let entry = entry.trim();
            if entry.is_empty() || entry.len() > MAX_LIST_ENTRY_BYTES {
                return Err(ConfigError::member(path, "has 1 to 2,048 bytes"));
            }
            if let Some(other) = seen.insert(entry, path.clone()) {
                let reason = format!("stands already in {other}");
                return Err(ConfigError::member(path, &reason));
            }
        }
    }
    let trimmed = |list: &[String]| list.iter().map(|entry| entry.trim().to_owned()).collect();
    Ok(Selectors {
        allow: trimmed(allow),
        deny: trimmed(deny),
    })
}

/// Refuses members that belong to the other transport.
fn refuse_foreign(
    at: &str,
    transport: TransportKind,
    members: &[(&str, bool)],
) -> Result<(), ConfigError> {
    match members.iter().find(|(_, present)| *present) {
        Some((member, _)) => Err(ConfigError::Transport {
            path: format!("{at}.{member}"),
            transport,
        }),
        None => Ok(()),
    }
}

fn stdio(at: &str, settings: &ServerSettings) -> Result<StdioServer, ConfigError> {
    let foreign = [
        ("url", settings.url.is_some()),
        ("query", !settings.query.is_empty()),
        ("headers", !settings.headers.is_empty()),
        (
            "oauth",
            settings.oauth.as_ref().is_some_and(|oauth| oauth.enabled),
        ),
        ("allowPrivate", settings.allow_private),
    ];
    refuse_foreign(at, TransportKind::Stdio, &foreign)?;
    let command = settings
        .command
        .as_deref()
        .map(str::trim)
        .unwrap_or_default();
    if command.is_empty() {
        return Err(ConfigError::Missing {
            path: format!("{at}.command"),
        });
    }
    argv::check(at, command, &settings.args)?;
    let cwd = settings.cwd.as_deref().map(str::trim);
    if let Some(cwd) = cwd {
        let path = format!("{at}.cwd");
        if cwd.is_empty() {
            return Err(ConfigError::member(path, "is empty"));
        }
        argv::check_text(&path, cwd)?;
    }
    check_references(
        &format!("{at}.env"),
        &settings.env,
        MAX_ENV_REFERENCES,
        is_variable,
    )?;
    Ok(StdioServer {
        command: command.to_owned(),
        args: settings.args.clone(),
        cwd: cwd.map(PathBuf::from),
        env: settings.env.clone(),
    })
}

fn http(at: &str, settings: &ServerSettings) -> Result<HttpServer, ConfigError> {
    let foreign = [
        ("command", settings.command.is_some()),
        ("args", !settings.args.is_empty()),
        ("cwd", settings.cwd.is_some()),
        ("env", !settings.env.is_empty()),
    ];
    refuse_foreign(at, TransportKind::StreamableHttp, &foreign)?;
    let path = |member: &str| format!("{at}.{member}");
    let Some(address) = &settings.url else {
        return Err(ConfigError::Missing { path: path("url") });
    };
    let url = url::check(&path("url"), address, settings.allow_private)?;
    check_references(
        &path("query"),
        &settings.query,
        MAX_QUERY_REFERENCES,
        is_parameter,
    )?;
    check_headers(&path("headers"), settings)?;
    let oauth = match &settings.oauth {
        Some(oauth) => oauth::check(&path("oauth"), oauth)?,
        None => None,
    };
    let authorization = settings
        .headers
        .keys()
        .find(|name| name.eq_ignore_ascii_case("authorization"));
    if let (Some(_), Some(name)) = (&oauth, authorization) {
        let reason = "the header is written by oauth, which is enabled";
        return Err(ConfigError::member(
            format!("{}.{name}", path("headers")),
            reason,
        ));
    }
    Ok(HttpServer {
        url,
        query: settings.query.clone(),
        headers: settings.headers.clone(),
        oauth,
        allow_private: settings.allow_private,
    })
}

fn is_parameter(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_REFERENCE_BYTES && !name.chars().any(char::is_control)
}

fn check_headers(path: &str, settings: &ServerSettings) -> Result<(), ConfigError> {
    check_references(
        path,
        &settings.headers,
        MAX_HEADER_REFERENCES,
        is_header_name,
    )?;
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for name in settings.headers.keys() {
        let lower = name.to_ascii_lowercase();
        if is_own_header(&lower) {
            let reason = "the header is written by the transport";
            return Err(ConfigError::member(format!("{path}.{name}"), reason));
        }
        if let Some(other) = seen.insert(lower, name) {
            return Err(ConfigError::Duplicate {
                path: format!("{path}.{name}"),
                other: format!("{path}.{other}"),
            });
        }
    }
    Ok(())
}
