//! `eyes mcp list` and `eyes mcp test`.

use eyes_mcp::manager::TestReport;
use eyes_runtime::error::RuntimeError;

use super::{Context, Wanted, args::TestArgs, refused, report_broken, with_servers};
use crate::{
    error::CliError,
    exit::Exit,
    json::{ServerOutput, TestOutput},
    text::{Tone, safe},
};

pub(super) fn list(context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let config = context.settings()?.mcp().map_err(RuntimeError::from)?;
    for server in &config.servers {
        let row = ServerOutput::of(server, config.enabled);
        if context.is_json() {
            context.print_json(&row)?;
            continue;
        }
        let id = context.out.paint(Tone::Heading, row.server_id).to_string();
        let state = if row.enabled { "" } else { "  off" };
        context.print(&format!(
            "{id}  {}  {}  {}{state}\n",
            safe(row.name),
            row.transport,
            safe(&row.target)
        ))?;
    }
    if config.servers.is_empty() && !context.is_json() {
        context.print("no server is configured; see `eyes mcp import`\n")?;
    }
    context.done()
}

pub(super) fn test(args: &TestArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let wanted = Wanted::named(&args.servers);
    let worst = with_servers(&wanted, context, async |plane, context| {
        let mut worst = Exit::Done;
        let config = plane.manager.config();
        for server in config.servers.iter().filter(|server| server.enabled) {
            let report = plane.manager.test(&server.id).await.map_err(refused)?;
            let ok = report.ok;
            show(report, context)?;
            if !ok {
                worst = worst.max(Exit::No);
                report_broken(&plane.manager, &server.id, context);
            }
        }
        Ok(worst)
    })?;
    context.finish(worst)
}

fn show(report: TestReport, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    if context.is_json() {
        return context.print_json(&TestOutput(report));
    }
    let id = context
        .out
        .paint(Tone::Heading, &report.server_id)
        .to_string();
    let took = report.latency_ms.map(|ms| format!(", ping {ms} ms"));
    context.print(&format!(
        "{id}  {}: {} tools, {} resources, {} templates, {} prompts; about {} tokens{}\n",
        report.status.name(),
        report.tool_count,
        report.resource_count,
        report.resource_template_count,
        report.prompt_count,
        report.schema_tokens_estimated,
        took.unwrap_or_default()
    ))
}
