//! `eyes mcp tools`, `resources` and `prompts`.

use std::slice;

use eyes_mcp::{
    manager::{
        PromptCall, ResourceRead,
        snapshot::{ResourceRow, ServerRow, SnapshotToolRow},
    },
    names::ServerId,
};
use serde_json::{Map, Value};

use super::{
    Context, Wanted,
    args::{PromptsArgs, ResourcesArgs, ToolsArgs},
    call, refused, report_broken, with_servers,
};
use crate::{
    error::CliError,
    exit::Exit,
    json::{ContentOutput, ToolOutput},
    text::{Tone, safe},
};

pub(super) fn tools(args: &ToolsArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let of = args.of.as_deref().map(Of::parse);
    let wanted = match &of {
        Some(of) => Wanted::These(slice::from_ref(&of.server)),
        None => Wanted::Enabled,
    };
    let worst = with_servers(&wanted, context, async |plane, context| {
        let mut worst = Exit::Done;
        let one = of.as_ref().and_then(|of| of.tool.as_deref());
        let mut shown = 0;
        for server in plane.manager.snapshot().servers {
            if !server.enabled {
                continue;
            }
            let id: ServerId = server.id.parse().expect("it was validated");
            for tool in &server.tools {
                if !one.map_or(args.all || tool.allowed, |one| is_named(tool, one)) {
                    continue;
                }
                let found = plane.manager.view(&id).filter(|_| one.is_some());
                let definition = found.and_then(|view| {
                    let (tool, _) = view.tools.get(&tool.public_name)?;
                    Some(tool.definition.whole())
                });
                shown += 1;
                show_tool(&server, tool, definition, context)?;
            }
            show_refused(&server, args.all, context)?;
            if let Some(exit) = report_broken(&plane.manager, &id, context) {
                worst = worst.max(exit);
            }
        }
        if one.is_some() && shown == 0 && worst == Exit::Done {
            let name = args.of.as_deref().unwrap_or_default();
            return Err(CliError::CommandLine(format!("no tool is named {name}")));
        }
        Ok(worst)
    })?;
    context.finish(worst)
}

/// What the argument of `eyes mcp tools` and `call` names.
pub(super) struct Of {
    pub(super) server: String,
    /// The public name, or the server's own.
    pub(super) tool: Option<String>,
}

impl Of {
    /// Reads `SERVER`, `SERVER/TOOL` or a public name `mcp__SERVER__TOOL`.
    pub(super) fn parse(text: &str) -> Self {
        if let Some(rest) = text.strip_prefix("mcp__")
            && let Some((server, _)) = rest.split_once("__")
        {
            return Self {
                server: server.to_owned(),
                tool: Some(text.to_owned()),
            };
        }
        match text.split_once('/') {
            Some((server, tool)) => Self {
                server: server.to_owned(),
                tool: Some(tool.to_owned()),
            },
            None => Self {
                server: text.to_owned(),
                tool: None,
            },
        }
    }
}

pub(super) fn is_named(tool: &SnapshotToolRow, name: &str) -> bool {
    tool.public_name == name || tool.name == name
}

fn show_tool(
    server: &ServerRow,
    tool: &SnapshotToolRow,
    definition: Option<Value>,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    if context.is_json() {
        return context.print_json(&ToolOutput {
            server_id: &server.id,
            tool,
            definition,
        });
    }
    let name = context
        .out
        .paint(Tone::Heading, safe(&tool.public_name))
        .to_string();
    let blocked = tool
        .blocked_reason
        .map(|reason| format!("  not exposed: {reason}"))
        .unwrap_or_default();
    let first = tool
        .description
        .as_deref()
        .and_then(|text| text.lines().next());
    context.print(&format!(
        "{name}  {}{blocked}\n  {}\n",
        tool.risk,
        safe(first.unwrap_or("no description"))
    ))?;
    if let Some(definition) = definition {
        context.print(&format!("{}\n", safe(&format!("{definition:#}"))))?;
    }
    Ok(())
}

/// Says which entries of a server's lists were not admitted.
fn show_refused(
    server: &ServerRow,
    all: bool,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    if context.is_json() || !all {
        return Ok(());
    }
    for row in &server.refused {
        context.print(&format!(
            "{}  refused[{}]: {}\n",
            safe(&row.name),
            row.code,
            safe(&row.reason)
        ))?;
    }
    Ok(())
}

pub(super) fn resources(
    args: &ResourcesArgs,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    content(&args.server, context, async |plane, server, context| {
        if let Some(uri) = &args.uri {
            let read = ResourceRead {
                server: args.server.clone(),
                uri: uri.clone(),
                ..ResourceRead::default()
            };
            let outcome = plane.manager.read_resource(read).await.map_err(refused)?;
            return call::show(&outcome, None, context);
        }
        for row in &server.resources {
            entry(server, "resource", row, context)?;
        }
        for row in &server.resource_templates {
            entry(server, "template", row, context)?;
        }
        Ok(Exit::Done)
    })
}

pub(super) fn prompts(args: &PromptsArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let mut arguments = Map::new();
    for pair in &args.arguments {
        let Some((name, value)) = pair.split_once('=') else {
            let message = format!("--arg {pair} is no NAME=VALUE");
            return Err(CliError::CommandLine(message));
        };
        arguments.insert(name.to_owned(), value.into());
    }
    content(&args.server, context, async |plane, server, context| {
        if let Some(name) = &args.prompt {
            let prompt = PromptCall {
                server: args.server.clone(),
                name: name.clone(),
                arguments: Some(Value::Object(arguments)),
                ..PromptCall::default()
            };
            let outcome = plane.manager.get_prompt(prompt).await.map_err(refused)?;
            return call::show(&outcome, None, context);
        }
        for row in &server.prompts {
            entry(server, "prompt", row, context)?;
        }
        Ok(Exit::Done)
    })
}

/// Lets `work` use one server's resources or prompts.
fn content<W>(server: &String, context: &mut Context<'_, '_>, work: W) -> Result<Exit, CliError>
where
    W: AsyncFnOnce(
        &eyes_runtime::mcp::McpPlane,
        &ServerRow,
        &mut Context<'_, '_>,
    ) -> Result<Exit, CliError>,
{
    let wanted = Wanted::These(slice::from_ref(server));
    let worst = with_servers(&wanted, context, async |plane, context| {
        let id: ServerId = server.parse().expect("a configured server has this id");
        let broken = report_broken(&plane.manager, &id, context);
        let rows = plane.manager.snapshot().servers;
        let row = rows.iter().find(|row| row.id == *server);
        let row = row.expect("a configured server has a row");
        if let (Some(exit), false) = (broken, row.content_healthy) {
            return Ok(exit);
        }
        work(plane, row, context).await
    })?;
    context.finish(worst)
}

fn entry(
    server: &ServerRow,
    kind: &'static str,
    row: &ResourceRow,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    if context.is_json() {
        return context.print_json(&ContentOutput {
            server_id: &server.id,
            kind,
            entry: row,
        });
    }
    let text = |name: &str| row.entry.get(name).and_then(Value::as_str);
    let identity = text("uri")
        .or_else(|| text("uriTemplate"))
        .or_else(|| text("name"));
    let identity = context
        .out
        .paint(Tone::Heading, safe(identity.unwrap_or_default()))
        .to_string();
    let allowed = if row.allowed { "" } else { "  not allowed" };
    context.print(&format!(
        "{identity}  {kind}{allowed}  {}\n",
        safe(
            text("description")
                .or_else(|| text("title"))
                .unwrap_or_default()
        )
    ))
}
