//! `eyes mcp call`.

use std::{path::Path, slice};

use eyes_mcp::call::{CallOutcome, ToolCall};
use serde_json::{Map, Value};

use super::{
    Context, Wanted,
    args::CallArgs,
    lists::{Of, is_named},
    refused, report_broken, with_servers,
};
use crate::{
    error::CliError, exit::Exit, json::CallOutput, limits::MAX_CALL_ARGUMENTS_BYTES,
    output::write_file, text::safe,
};

pub(super) fn run(args: &CallArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let of = Of::parse(&args.tool);
    let Some(name) = of.tool else {
        let message = format!("{} names no tool: SERVER/TOOL or a public name", args.tool);
        return Err(CliError::CommandLine(message));
    };
    let arguments = arguments(&args.arguments, context)?;
    if let Some(directory) = &args.images {
        std::fs::create_dir_all(directory).map_err(|source| CliError::Output {
            output: directory.to_string_lossy().into_owned(),
            source,
        })?;
    }
    let wanted = Wanted::These(slice::from_ref(&of.server));
    let worst = with_servers(&wanted, context, async |plane, context| {
        let id = of.server.parse().expect("a configured server has this id");
        let rows = plane.manager.snapshot().servers;
        let mut tools = rows.iter().flat_map(|server| &server.tools);
        let Some(tool) = tools.find(|tool| is_named(tool, &name)) else {
            let broken = report_broken(&plane.manager, &id, context);
            return broken.ok_or_else(|| {
                let message = format!("server {} has no tool {name}", of.server);
                CliError::CommandLine(message)
            });
        };
        let call = ToolCall {
            name: tool.public_name.clone(),
            arguments,
            run: None,
            progress: None,
        };
        let outcome = plane.manager.call_tool(call).await.map_err(refused)?;
        show(&outcome, args.images.as_deref(), context)
    })?;
    context.finish(worst)
}

fn arguments(text: &str, context: &mut Context<'_, '_>) -> Result<Map<String, Value>, CliError> {
    let text = if text == "-" {
        let bytes = crate::input::Input::Stdin.read(context.io.stdin, MAX_CALL_ARGUMENTS_BYTES)?;
        String::from_utf8_lossy(&bytes).into_owned()
    } else {
        text.to_owned()
    };
    serde_json::from_str(&text).map_err(|error| {
        CliError::CommandLine(format!("the arguments are no JSON object: {error}"))
    })
}

/// Prints what came of a call, and writes its pictures where they are wanted.
pub(super) fn show(
    outcome: &CallOutcome,
    images: Option<&Path>,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    if context.is_json() {
        context.print_json(&CallOutput::of(outcome))?;
    } else {
        let result = &outcome.result;
        context.print(&format!("{}\n", safe(&result.preview)))?;
        let mut notes = result.notes.clone();
        if let Some(artifact) = &result.artifact {
            notes.push(format!("whole result: {}", artifact.path.display()));
        }
        for note in notes {
            writeln!(context.io.stderr, "{}", safe(&note))?;
        }
    }
    for image in images.iter().flat_map(|_| &outcome.result.images) {
        let directory = images.unwrap_or(Path::new("."));
        let extension = image.media_type.rsplit('/').next().unwrap_or("bin");
        let path = directory.join(format!("{}.{extension}", image.name));
        write_file(&path, &image.bytes, &context.io.gate)?;
    }
    Ok(if outcome.is_error {
        Exit::No
    } else {
        Exit::Done
    })
}
