//! `eyes mcp diff`, and how definitions are looked at.

use std::{collections::BTreeSet, sync::Arc};

use eyes_evidence::digest::Sha256Digest;
use eyes_mcp::{
    catalog::CatalogTool,
    config::ServerConfig,
    manager::Manager,
    names::PublicName,
    pins::{ApprovedBy, Flag, Pin, PinState, Pinned, Review, diff as changes_between},
    policy::decide_selected,
};
use eyes_runtime::{error::RuntimeError, mcp::McpPlane};

use super::{Context, Wanted, args::DiffArgs, report_broken, with_servers};
use crate::{
    error::CliError,
    exit::Exit,
    json::DiffOutput,
    text::{Tone, safe},
};

/// The tools of the servers that were started, and what is flagged about them.
pub(super) struct Looked {
    tools: Vec<Arc<CatalogTool>>,
    pub(super) review: Review,
}

impl Looked {
    /// Looks at what every connected server has now, and at `more` tools; names of the other configured servers'
    /// tools are those that their pins know.
    pub(super) fn at(plane: &McpPlane, more: Vec<CatalogTool>) -> Result<Self, CliError> {
        let config = plane.manager.config();
        let mut others = Vec::with_capacity(config.servers.len());
        for server in &config.servers {
            let pins = plane.pins.load(&server.id).map_err(RuntimeError::from)?;
            others.push((server.id.clone(), pins));
        }
        let views = plane.manager.views();
        let tools = views.iter().flat_map(|view| view.tools.iter());
        let tools = tools.map(|(tool, _)| Arc::clone(tool));
        let tools: Vec<_> = tools.chain(more.into_iter().map(Arc::new)).collect();
        Ok(Self {
            review: Review::of(&tools, &others),
            tools,
        })
    }

    /// Tells whether a tool was looked at.
    pub(super) fn has(&self, tool: &PublicName) -> bool {
        self.digest(tool).is_some()
    }

    /// Returns the digest of the definition that was looked at.
    pub(super) fn digest(&self, tool: &PublicName) -> Option<Sha256Digest> {
        let found = self.tools.iter().find(|known| known.public_name == *tool);
        found.map(|tool| tool.digest())
    }
}

pub(super) fn diff(args: &DiffArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let wanted = Wanted::named(&args.servers);
    let worst = with_servers(&wanted, context, async |plane, context| {
        let mut worst = Exit::Done;
        let config = plane.manager.config();
        let looked = Looked::at(plane, Vec::new())?;
        for server in config.servers.iter().filter(|server| server.enabled) {
            if let Some(exit) = report_broken(&plane.manager, &server.id, context) {
                worst = worst.max(exit);
            }
            let pins = plane.pins.load(&server.id).map_err(RuntimeError::from)?;
            let lists_refuse = refused_by_lists(&plane.manager, server);
            for (name, pin) in pins.pins() {
                // What no list allows is not used, whatever its definition says.
                if lists_refuse.contains(name) {
                    continue;
                }
                let public_name = PublicName::of(&server.id, name);
                let Some(state) = shown_state(pin, looked.review.is_grave(&public_name)) else {
                    continue;
                };
                let row = DiffOutput {
                    server_id: server.id.as_str(),
                    tool: name,
                    state,
                    changes: changes(pin),
                    flags: looked.review.flags(&public_name),
                };
                show(&row, context)?;
                if matches!(pin.state(), PinState::New | PinState::Changed) {
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

/// Returns the state of a tool that is worth a look; nothing for one that is as somebody approved it.
fn shown_state(pin: &Pin, is_grave: bool) -> Option<&'static str> {
    match pin.state() {
        PinState::New => Some("new"),
        PinState::Changed => Some("changed"),
        PinState::Removed => Some("removed"),
        // Such as one that was trusted before another server's tool of that name came.
        PinState::Approved if is_grave && pin.by == Some(ApprovedBy::FirstUse) => Some("approved"),
        PinState::Approved => None,
    }
}

fn changes(pin: &Pin) -> Vec<eyes_mcp::pins::Change> {
    let before = pin.approved.as_ref().and_then(Pinned::definition);
    let now = pin.waiting.as_ref().and_then(Pinned::definition);
    match (before, now) {
        (Some(before), Some(now)) => changes_between(&before, &now),
        _ => Vec::new(),
    }
}

fn show(row: &DiffOutput<'_>, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    if context.is_json() {
        return context.print_json(row);
    }
    let DiffOutput {
        server_id, state, ..
    } = row;
    let name = context
        .out
        .paint(Tone::Heading, format!("{server_id}/{}", safe(row.tool)))
        .to_string();
    context.print(&format!("{name}  {state}\n"))?;
    for change in &row.changes {
        context.print(&format!("  {}\n", safe(&change.pointer)))?;
        for (mark, text) in [("-", &change.old), ("+", &change.new)] {
            if let Some(text) = text {
                context.print(&format!("    {mark} {}\n", safe(text)))?;
            }
        }
    }
    print_flags(row.flags, context)
}

/// Prints what is flagged about a tool, a line for each.
pub(super) fn print_flags(flags: &[Flag], context: &mut Context<'_, '_>) -> Result<(), CliError> {
    for flag in flags {
        let tone = if flag.kind.is_grave() {
            Tone::Bad
        } else {
            Tone::Dim
        };
        let kind = context.out.paint(tone, flag.kind.as_str()).to_string();
        let (pointer, excerpt) = (safe(&flag.pointer), safe(&flag.excerpt));
        context.print(&format!("  ! {kind} {pointer}: {excerpt}\n"))?;
    }
    Ok(())
}
