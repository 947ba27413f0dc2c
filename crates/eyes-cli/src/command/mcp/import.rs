//! `eyes mcp import`.

use eyes_mcp::{codes::MCP_IMPORT_INVALID, config::import::import, limits::MAX_IMPORT_BYTES};
use eyes_router::vision::ReadWarning;
use serde_json::Value;

use super::{Context, args::ImportArgs};
use crate::{error::CliError, exit::Exit};

pub(super) fn run(args: &ImportArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let settings = context.settings()?;
    let bytes = args.file.read(context.io.stdin, MAX_IMPORT_BYTES as u64)?;
    let text = String::from_utf8_lossy(&bytes);
    let found = import(&text, &settings.mcp_settings.mcp_servers)?;
    for warning in &found.warnings {
        warn(warning.to_string(), context)?;
    }
    for refused in &found.refused {
        let message = format!("{} was not taken over: {}", refused.name, refused.reason);
        warn(message, context)?;
    }
    let document = Value::Object(found.to_document());
    if context.is_json() {
        context.print_json(&document)?;
    } else {
        context.print(&format!("{document:#}\n"))?;
    }
    context.finish(if found.refused.is_empty() {
        Exit::Done
    } else {
        Exit::No
    })
}

fn warn(message: String, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    context.warn(&ReadWarning {
        code: MCP_IMPORT_INVALID,
        message,
    })
}
