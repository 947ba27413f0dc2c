//! `eyes mcp approve` and `eyes mcp diff`.

use std::{collections::BTreeSet, slice};

use eyes_mcp::{
    config::ServerConfig,
    manager::Manager,
    names::ServerId,
    pins::{Pin, PinState, Pinned, diff as changes_between},
    policy::decide_selected,
};
use eyes_runtime::error::RuntimeError;

use super::{
    Context, Wanted,
    args::{ApproveArgs, DiffArgs},
    refused, report_broken, with_servers,
};
use crate::{
    error::CliError,
    exit::Exit,
    json::{ApproveOutput, DiffOutput},
    text::{Tone, safe},
};

pub(super) fn approve(args: &ApproveArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let wanted = Wanted::These(slice::from_ref(&args.server));
    let worst = with_servers(&wanted, context, async |plane, context| {
        let id: ServerId = args
            .server
            .parse()
            .expect("a configured server has this id");
        // What is approved is what the server says now.
        if let Some(exit) = report_broken(&plane.manager, &id, context) {
            return Ok(exit);
        }
        let mut approved = args.tools.clone();
        plane
            .pins
            .update(&id, &mut |pins| {
                if args.all {
                    approved = pins.approve_all();
                    return Ok(());
                }
                for tool in &args.tools {
                    pins.approve(tool, None)?;
                }
                Ok(())
            })
            .map_err(RuntimeError::from)?;
        plane.manager.pins_changed(&id).await.map_err(refused)?;
        if context.is_json() {
            context.print_json(&ApproveOutput {
                server_id: id.as_str(),
                approved,
            })?;
        } else {
            let names = approved.join(", ");
            let names = if names.is_empty() {
                "nothing waited"
            } else {
                &names
            };
            context.print(&format!("approved: {}\n", safe(names)))?;
        }
        Ok(Exit::Done)
    })?;
    context.finish(worst)
}

pub(super) fn diff(args: &DiffArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let wanted = Wanted::named(&args.servers);
    let worst = with_servers(&wanted, context, async |plane, context| {
        let mut worst = Exit::Done;
        let config = plane.manager.config();
        for server in config.servers.iter().filter(|server| server.enabled) {
            if let Some(exit) = report_broken(&plane.manager, &server.id, context) {
                worst = worst.max(exit);
            }
            let pins = plane.pins.load(&server.id).map_err(RuntimeError::from)?;
            let lists_refuse = refused_by_lists(&plane.manager, server);
            for (name, pin) in pins.pins() {
                // What no list allows is not used, whatever its definition says.
                if !lists_refuse.contains(name) && show(&server.id, name, pin, context)? {
                    worst = worst.max(Exit::No);
                }
            }
        }
        Ok(worst)
    })?;
    context.finish(worst)
}

/// Returns the tools that are not used whatever is approved, by the server's own names.
fn refused_by_lists(manager: &Manager, server: &ServerConfig) -> BTreeSet<String> {
    let view = manager.view(&server.id);
    let tools = view.iter().flat_map(|view| view.tools.iter());
    tools
        .filter(|(tool, _)| !decide_selected(&server.tools, &tool.candidates(server)).is_allowed())
        .map(|(tool, _)| tool.definition.name.clone())
        .collect()
}

/// Shows one tool that is not as approved, and tells whether it waits for approval.
fn show(
    server: &ServerId,
    tool: &str,
    pin: &Pin,
    context: &mut Context<'_, '_>,
) -> Result<bool, CliError> {
    let state = match pin.state() {
        PinState::Approved => return Ok(false),
        PinState::New => "new",
        PinState::Changed => "changed",
        PinState::Removed => "removed",
    };
    let before = pin.approved.as_ref().and_then(Pinned::definition);
    let now = pin.waiting.as_ref().and_then(Pinned::definition);
    let changes = match (before, now) {
        (Some(before), Some(now)) => changes_between(&before, &now),
        _ => Vec::new(),
    };
    if context.is_json() {
        context.print_json(&DiffOutput {
            server_id: server.as_str(),
            tool,
            state,
            changes,
        })?;
        return Ok(state != "removed");
    }
    let name = context
        .out
        .paint(Tone::Heading, format!("{server}/{}", safe(tool)))
        .to_string();
    context.print(&format!("{name}  {state}\n"))?;
    for change in &changes {
        context.print(&format!("  {}\n", safe(&change.pointer)))?;
        for (mark, text) in [("-", &change.old), ("+", &change.new)] {
            if let Some(text) = text {
                context.print(&format!("    {mark} {}\n", safe(text)))?;
            }
        }
    }
    Ok(state != "removed")
}
