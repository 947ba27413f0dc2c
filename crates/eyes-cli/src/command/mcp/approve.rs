//! `eyes mcp approve`.

use std::slice;

use eyes_evidence::digest::Sha256Digest;
use eyes_mcp::{
    catalog::CatalogTool,
    definition::ToolDefinition,
    names::{PublicName, ServerId},
    pins::{Flag, PinError, Pinned, ServerPins},
};
use eyes_runtime::{error::RuntimeError, mcp::McpPlane};

use super::{
    Context, Wanted,
    args::ApproveArgs,
    pins::{Looked, print_flags},
    refused, report_broken, with_servers,
};
use crate::{
    error::CliError,
    exit::Exit,
    json::{ApproveOutput, FlaggedTool},
    text::{Tone, safe},
};

/// A tool that is to be approved, and what was seen of it.
struct Choice {
    name: String,
    /// The definition that was looked at; nothing for a tool that the server no longer has.
    digest: Option<Sha256Digest>,
    flags: Vec<Flag>,
    /// Whether it takes the explicit word.
    is_grave: bool,
}

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
        let (approved, left): (Vec<Choice>, Vec<Choice>) = choices(args, plane, &id)?
            .into_iter()
            .partition(|choice| args.flagged || !choice.is_grave);
        if !args.all && !left.is_empty() {
            return Err(RuntimeError::from(PinError::Flagged(named(&left))).into());
        }
        plane
            .pins
            .update(&id, &mut |pins| {
                approved
                    .iter()
                    .try_for_each(|choice| pins.approve(&choice.name, choice.digest))
            })
            .map_err(RuntimeError::from)?;
        plane.manager.pins_changed(&id).await.map_err(refused)?;
        tell(&id, &approved, &left, context)?;
        Ok(if left.is_empty() {
            Exit::Done
        } else {
            Exit::No
        })
    })?;
    context.finish(worst)
}

/// Looks at every tool that the command is about.
fn choices(args: &ApproveArgs, plane: &McpPlane, id: &ServerId) -> Result<Vec<Choice>, CliError> {
    let pins = plane.pins.load(id).map_err(RuntimeError::from)?;
    let names = if args.all {
        let waiting = pins.pins().iter();
        let waiting = waiting.filter(|(_, pin)| pin.present && pin.waiting.is_some());
        waiting.map(|(name, _)| name.clone()).collect()
    } else {
        args.tools.clone()
    };
    let gone: Vec<CatalogTool> = names
        .iter()
        .filter_map(|name| kept(&pins, id, name))
        .collect();
    let looked = Looked::at(plane, gone)?;
    let choice = |name: String| {
        let public_name = PublicName::of(id, &name);
        let review = &looked.review;
        Choice {
            digest: looked.digest(&public_name),
            flags: review.flags(&public_name).to_vec(),
            // What is too large to be kept and no longer there cannot be looked at.
            is_grave: review.is_grave(&public_name)
                || (pins.pins().contains_key(&name) && !looked.has(&public_name)),
            name,
        }
    };
    Ok(names.into_iter().map(choice).collect())
}

/// Returns a tool that the server no longer has as it was last seen.
fn kept(pins: &ServerPins, id: &ServerId, name: &str) -> Option<CatalogTool> {
    let pin = pins.pins().get(name).filter(|pin| !pin.present)?;
    let whole = pin.newest().and_then(Pinned::definition)?;
    let definition = ToolDefinition::parse(whole).ok()?;
    Some(CatalogTool::new(id, definition))
}

/// Names tools and what kinds of flags they have.
fn named(choices: &[Choice]) -> Vec<String> {
    let one = |choice: &Choice| {
        let mut kinds: Vec<&str> = choice.flags.iter().map(|flag| flag.kind.as_str()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        format!("{} ({})", choice.name, kinds.join(", "))
    };
    choices.iter().map(one).collect()
}

fn tell(
    id: &ServerId,
    approved: &[Choice],
    left: &[Choice],
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    if context.is_json() {
        let flagged = |choices: &'_ [Choice], is_approved| {
            let flagged = choices.iter().filter(|choice| !choice.flags.is_empty());
            let rows = flagged.map(|choice| FlaggedTool {
                tool: choice.name.clone(),
                approved: is_approved,
                flags: choice.flags.clone(),
            });
            rows.collect::<Vec<_>>()
        };
        let names = approved.iter().map(|choice| choice.name.clone());
        let mut rows = flagged(approved, true);
        rows.extend(flagged(left, false));
        return context.print_json(&ApproveOutput {
            server_id: id.as_str(),
            approved: names.collect(),
            flagged: rows,
        });
    }
    if approved.is_empty() && left.is_empty() {
        return context.print("approved: nothing waited\n");
    }
    for (choices, word) in [
        (approved, "approved"),
        (left, "left (say --flagged to approve it)"),
    ] {
        for choice in choices {
            let name = context
                .out
                .paint(Tone::Heading, format!("{id}/{}", safe(&choice.name)))
                .to_string();
            context.print(&format!("{name}  {word}\n"))?;
            print_flags(&choice.flags, context)?;
        }
    }
    Ok(())
}
