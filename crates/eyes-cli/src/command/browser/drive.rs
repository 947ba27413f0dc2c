//! `eyes browser run`, `repl` and `open`.

use std::io::BufRead as _;

use eyes_browser::{
    action::{ActionError, ActionName, ParseMode, parse},
    session::Session,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{
    Context,
    args::{LaunchArgs, OpenArgs, ReplArgs, RunArgs},
    exit, short, show, with_browser,
};
use crate::{error::CliError, exit::Exit, limits::MAX_SCRIPT_BYTES};

pub(super) fn run(args: &RunArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let bytes = args.script.read(context.io.stdin, MAX_SCRIPT_BYTES)?;
    let script = script(&String::from_utf8_lossy(&bytes))?;
    let worst = with_browser(&args.launch, context, async |plane, context| {
        let mut worst = Exit::Done;
        for action in script {
            let exit = step(&plane.session, &action, &args.launch, context).await?;
            worst = worst.max(exit);
            if exit != Exit::Done && !args.keep_going {
                break;
            }
        }
        if let Some(folder) = &plane.folder {
            writeln!(
                context.io.stderr,
                "run {}: {}",
                plane.run.as_str(),
                crate::text::safe(&folder.to_string_lossy())
            )?;
        }
        Ok(worst)
    })?;
    context.finish(worst)
}

/// Reads a whole script before anything is done, so that a broken line costs nothing.
fn script(text: &str) -> Result<Vec<Value>, CliError> {
    let lines = text.lines().enumerate().map(|(at, line)| (at, line.trim()));
    let actions = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    actions
        .map(|(at, line)| {
            let wrong = |why: String| CliError::CommandLine(format!("line {}: {why}", at + 1));
            let action: Value =
                serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            parse(&action, ParseMode::Script).map_err(|error| wrong(error.to_string()))?;
            Ok(action)
        })
        .collect()
}

pub(super) fn repl(args: &ReplArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let worst = with_browser(&args.launch, context, async |plane, context| {
        let mut line = String::new();
        loop {
            if context.io.terminals.stdin && context.io.terminals.stderr {
                write!(context.io.stderr, "> ")?;
                context.io.stderr.flush()?;
            }
            line.clear();
            let read = std::io::BufReader::with_capacity(1, &mut *context.io.stdin)
                .read_line(&mut line)
                .map_err(|error| CliError::input("standard input".to_owned(), error))?;
            if read == 0 {
                return Ok(Exit::Done);
            }
            if line.trim().is_empty() {
                continue;
            }
            let action = match short::action(line.trim()) {
                Ok(action) => action,
                Err(why) => {
                    writeln!(context.io.stderr, "{why}")?;
                    continue;
                }
            };
            match step(&plane.session, &action, &args.launch, context).await {
                Err(CliError::CommandLine(why)) => writeln!(context.io.stderr, "{why}")?,
                other => drop(other?),
            }
            if action["action"] == "close" {
                return Ok(Exit::Done);
            }
        }
    })?;
    context.finish(worst)
}

pub(super) fn open(args: &OpenArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let worst = with_browser(&args.launch, context, async |plane, context| {
        let action = json!({"action": "open", "url": args.url});
        let request = parse(&action, ParseMode::Script).map_err(|error| wrong(&error))?;
        let result = plane.session.run_newest(request, &never()).await;
        let exit = exit(&result);
        if args.observe || context.is_json() || exit != Exit::Done {
            show(&result, &args.launch, context)?;
        } else if let Some(state) = &result.state {
            let line = format!("{}  {}\n", state.page.url, state.page.title);
            context.print(&crate::text::safe(&line))?;
        }
        Ok(exit)
    })?;
    context.finish(worst)
}

async fn step(
    session: &Session,
    action: &Value,
    args: &LaunchArgs,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let request = parse(action, ParseMode::Script).map_err(|error| wrong(&error))?;
    let name = request.action.name();
    // Whoever names a state looked at it, and wants nothing done on another one.
    let result = if request.state.is_some() {
        session.run(request, &never()).await
    } else {
        session.run_newest(request, &never()).await
    };
    if name == ActionName::Close && result.ok {
        return Ok(Exit::Done);
    }
    show(&result, args, context)?;
    Ok(exit(&result))
}

fn wrong(error: &ActionError) -> CliError {
    CliError::CommandLine(error.to_string())
}

/// Interrupting a command ends the process, and the browser with it.
fn never() -> CancellationToken {
    CancellationToken::new()
}
