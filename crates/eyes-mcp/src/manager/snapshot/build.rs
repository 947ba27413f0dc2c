//! Puts a snapshot together from views.

use std::{sync::Arc, time::Duration};

use eyes_evidence::{audit::AuditEvent, provenance::Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::{
    CleanupRow, ErrorRow, OAuthRow, PlaneReport, RefusedRow, ResourceRow, ServerRow, Snapshot,
    SnapshotLimits, SnapshotToolRow, Summary, TestReport,
};
use crate::{
    catalog::{CatalogTool, RefusedEntry},
    config::{McpConfig, RiskPolicy, ServerConfig, Transport},
    connection::{ServerStatus, ServerView},
    error::McpError,
    exposure::ExposureBlock,
    manager::exposed::Exposed,
    policy::{BlockedReason, Candidates, Decision, Risk, Selectors, decide_selected},
    ports::TokenSources,
};

/// What a snapshot is made of.
pub(in crate::manager) struct SnapshotInput<'a> {
    pub(in crate::manager) config: &'a McpConfig,
    pub(in crate::manager) views: &'a [Arc<ServerView>],
    /// Servers whose connection could not be closed, also such as are gone from the settings.
    pub(in crate::manager) kept: Vec<Arc<ServerView>>,
    pub(in crate::manager) exposed: &'a Exposed,
    pub(in crate::manager) audit: Vec<AuditEvent>,
    pub(in crate::manager) tokens: Option<&'a dyn TokenSources>,
    pub(in crate::manager) now: Timestamp,
}

/// Puts a snapshot together.
pub(in crate::manager) fn build(input: &SnapshotInput<'_>) -> Snapshot {
    let servers: Vec<ServerRow> = input
        .views
        .iter()
        .map(|view| ServerRow {
            oauth: input
                .tokens
                .and_then(|tokens| tokens.health(&view.config))
                .map(OAuthRow::from),
            ..server_row(view, input.exposed)
        })
        .collect();
    let cleanup_errors: Vec<CleanupRow> = input
        .kept
        .iter()
        .filter_map(|view| cleanup_row(view))
        .collect();
    let rows = &input.exposed.exposure.rows;
    let tokens = input.exposed.schema_tokens();
    let content_tools = input.exposed.content_tools.len();
    let count = |test: fn(&ServerRow) -> bool| servers.iter().filter(|row| test(row)).count();
    Snapshot {
        enabled: input.config.enabled,
        updated_at: input.now.clone(),
        summary: Summary {
            configured_servers: servers.len(),
            enabled_servers: count(|row| row.enabled),
            connected_servers: count(|row| row.status == ServerStatus::Connected),
            exposed_tools: rows.iter().filter(|row| row.blocked.is_none()).count(),
            exposed_content_tools: content_tools,
            exposed_schemas: input.exposed.exposure.definitions.len() + content_tools,
            cleanup_failures: cleanup_errors.len(),
            schema_tokens_estimated: tokens,
            schema_token_estimate: tokens,
        },
        limits: limits(input.config),
        servers,
        cleanup_errors,
        audit: input.audit.clone(),
    }
}

fn limits(config: &McpConfig) -> SnapshotLimits {
    SnapshotLimits {
        max_tools: config.max_tools.unwrap_or(0),
        max_schema_tokens: config.max_schema_tokens.unwrap_or(0),
        max_result_chars: config.max_result_chars,
        max_external_calls_per_run: config.max_calls_per_run.unwrap_or(0),
        tool_call_timeout_ms: millis(config.call_timeout),
    }
}

/// Says what is wrong with a connection that could not be closed.
pub(in crate::manager) fn cleanup_row(view: &ServerView) -> Option<CleanupRow> {
    let kept = view.health.kept.as_ref()?;
    Some(CleanupRow {
        server_id: view.config.id.to_string(),
        plane: "connection",
        phase: if kept.attempts > 1 {
            "retry"
        } else {
            "runtime"
        },
        at: kept.at.clone(),
        error: (&kept.error).into(),
    })
}

/// Says how a server is doing after somebody asked.
pub(in crate::manager) fn test_report(view: &ServerView, exposed: &Exposed) -> TestReport {
    let [tools, content] = planes(view);
    let error = view.health.last_error.as_ref().map(ErrorRow::from);
    let error = error.filter(|_| view.status != ServerStatus::Connected);
    TestReport {
        ok: view.status == ServerStatus::Connected,
        server_id: view.config.id.to_string(),
        status: view.status,
        latency_ms: view.health.latency.map(millis),
        tool_count: view.tools.catalog().tools.len(),
        resource_count: view.content.resources.len(),
        resource_template_count: view.content.templates.len(),
        prompt_count: view.content.prompts.len(),
        schema_tokens_estimated: schema_tokens(view, exposed),
        error: error
            .or_else(|| tools.error.clone())
            .or_else(|| content.error.clone()),
        tools,
        content,
    }
}

fn server_row(view: &ServerView, exposed: &Exposed) -> ServerRow {
    let (config, health) = (&view.config, &view.health);
    let [tools, content] = planes(view);
    let mut refused: Vec<RefusedRow> = Vec::new();
    refused.extend(view.tools.catalog().refused.iter().map(refused_row));
    refused.extend(view.content.refused.iter().map(refused_row));
    ServerRow {
        id: config.id.to_string(),
        name: config.name.clone(),
        enabled: config.enabled,
        transport: match config.transport {
            Transport::Stdio(_) => "stdio",
            Transport::Http(_) => "streamable-http",
        },
        risk_policy: config.risk_policy.as_str(),
        status: view.status,
        healthy: view.status == ServerStatus::Connected,
        tools_enabled: config.planes.tools,
        resources_enabled: config.planes.resources,
        prompts_enabled: config.planes.prompts,
        tools_status: tools.status,
        tools_healthy: tools.healthy,
        content_status: content.status,
        content_healthy: content.healthy,
        latency_ms: health.latency.map(millis),
        protocol_version: view.peer.as_ref().map(|peer| peer.protocol_version.clone()),
        tool_count: view.tools.catalog().tools.len(),
        resource_count: view.content.resources.len(),
        resource_template_count: view.content.templates.len(),
        prompt_count: view.content.prompts.len(),
        schema_tokens_estimated: schema_tokens(view, exposed),
        last_connected_at: health.last_connected_at.clone(),
        last_checked_at: health.last_checked_at.clone(),
        last_error: health.last_error.as_ref().map(ErrorRow::from),
        tools_last_error: tools.error,
        content_last_error: content.error,
        oauth: None,
        stderr_tail: view.stderr_tail(),
        tools: view
            .tools
            .iter()
            .map(|(tool, decision)| tool_row(config, tool, decision, exposed))
            .collect(),
        resources: content_rows(
            config,
            &config.resources,
            &view.content.resources,
            |entry| &entry.uri,
        ),
        resource_templates: content_rows(
            config,
            &config.resources,
            &view.content.templates,
            |entry| entry.uri_template.as_str(),
        ),
        prompts: content_rows(config, &config.prompts, &view.content.prompts, |entry| {
            &entry.name
        }),
        refused,
    }
}

/// Says how the tools and how the content of a server are doing.
fn planes(view: &ServerView) -> [PlaneReport; 2] {
    let (config, health) = (&view.config, &view.health);
    let report = |is_on: bool, is_ready: bool, errors: &[&Option<McpError>]| {
        let error = errors.iter().find_map(|error| error.as_ref());
        let status = match (config.enabled, is_on, view.is_live()) {
            (false, ..) | (_, false, _) => ServerStatus::Disabled,
            (_, _, false) => view.status,
            _ if error.is_some() => ServerStatus::Error,
            _ if is_ready => ServerStatus::Connected,
            _ => ServerStatus::Connecting,
        };
        PlaneReport {
            status,
            healthy: status == ServerStatus::Connected,
            error: error.map(ErrorRow::from),
        }
    };
    let planes = config.planes;
    let content_on = planes.resources || planes.prompts;
    let content_ready =
        (!planes.resources || view.ready.resources) && (!planes.prompts || view.ready.prompts);
    [
        report(planes.tools, view.ready.tools, &[&health.tools_error]),
        report(
            content_on,
            content_ready,
            &[&health.resources_error, &health.prompts_error],
        ),
    ]
}

fn schema_tokens(view: &ServerView, exposed: &Exposed) -> u64 {
    let rows = exposed.exposure.rows.iter();
    rows.filter(|row| row.server == view.config.id && row.blocked.is_none())
        .map(|row| row.tokens)
        .sum()
}

fn tool_row(
    config: &ServerConfig,
    tool: &CatalogTool,
    decision: Decision,
    exposed: &Exposed,
) -> SnapshotToolRow {
    let row = exposed.row(tool.public_name.as_str());
    let row = row.filter(|row| row.server == config.id);
    let blocked = decision.blocked().map(BlockedReason::as_str);
    let unexposed = row.and_then(|row| row.blocked.as_ref().map(ExposureBlock::as_str));
    SnapshotToolRow {
        name: tool.definition.name.clone(),
        public_name: tool.public_name.to_string(),
        description: tool.definition.description.clone(),
        allowed: decision.is_allowed(),
        exposed: decision.is_allowed() && row.is_some_and(|row| row.blocked.is_none()),
        blocked_reason: blocked.or(unexposed),
        risk: tool.risk.as_str(),
        requires_approval: tool.risk != Risk::Read,
        risk_policy: config.risk_policy.as_str(),
        risk_policy_allowed: config.risk_policy == RiskPolicy::Allow || tool.risk == Risk::Read,
        schema_tokens_estimated: row.map_or(0, |row| row.tokens),
        digest: tool.digest().to_string(),
    }
}

fn content_rows<T: Serialize>(
    config: &ServerConfig,
    selectors: &Selectors,
    entries: &[T],
    identity: fn(&T) -> &str,
) -> Vec<ResourceRow> {
    let row = |entry: &T| ResourceRow {
        entry: serde_json::to_value(entry).unwrap_or(Value::Null),
        allowed: decide_selected(selectors, &Candidates::of_content(config, identity(entry)))
            .is_allowed(),
    };
    entries.iter().map(row).collect()
}

fn refused_row(entry: &RefusedEntry) -> RefusedRow {
    RefusedRow {
        name: entry.name.clone(),
        code: entry.code.as_str(),
        reason: entry.reason.clone(),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
