//! `eyes browser`: a web page, driven from a shell.

pub(crate) mod args;
mod drive;
mod files;
mod short;

use eyes_browser::session::StepResult;
use eyes_evidence::code::Coded as _;
use eyes_runtime::{
    Executor,
    browser::{BrowserPlane, BrowserSurroundings},
    settings::Settings,
};

use self::args::{BrowserCommand, LaunchArgs};
use super::Context;
use crate::{error::CliError, exit::Exit, json::BrowserOutput, output::write_file, text::safe};

pub(super) fn run(
    command: &BrowserCommand,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    match command {
        BrowserCommand::Run(args) => drive::run(args, context),
        BrowserCommand::Repl(args) => drive::repl(args, context),
        BrowserCommand::Open(args) => drive::open(args, context),
        BrowserCommand::Report(args) => files::report(args, context),
        BrowserCommand::Replay(args) => files::replay(args, context),
    }
}

/// Begins a session, lets `work` use it, and ends the browser whatever came of it.
///
/// A person who drives a browser here wants it, so `browserComputerUse` is not asked.
fn with_browser<T, W>(
    args: &LaunchArgs,
    context: &mut Context<'_, '_>,
    work: W,
) -> Result<T, CliError>
where
    W: AsyncFnOnce(&BrowserPlane, &mut Context<'_, '_>) -> Result<T, CliError>,
{
    let settings = settings(args, context)?;
    let data_dir = context.data_dir(&settings);
    let environment = context.environment;
    Executor::new()?.block_on(async {
        let around = BrowserSurroundings {
            data_dir: data_dir.as_deref(),
            environment,
        };
        let plane = BrowserPlane::compose(&settings, around)?;
        let done = work(&plane, context).await;
        if let Err(error) = plane.session.close().await {
            writeln!(
                context.io.stderr,
                "warning[{}]: {}",
                error.code(),
                safe(&error.to_string())
            )?;
        }
        done
    })
}

fn settings(args: &LaunchArgs, context: &Context<'_, '_>) -> Result<Settings, CliError> {
    let mut settings = context.settings()?;
    let browser = &mut settings.browser;
    if args.headless || args.window {
        browser.browser_headless = Some(args.headless);
    }
    if args.program.is_some() {
        browser.browser_executable_path.clone_from(&args.program);
    }
    if args.attach.is_some() {
        browser.browser_attach.clone_from(&args.attach);
    }
    if args.profile.is_some() {
        browser.browser_profile.clone_from(&args.profile);
    }
    Ok(settings)
}

/// Prints what a call came to, and writes its pictures where they are wanted.
fn show(
    result: &StepResult,
    args: &LaunchArgs,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    if let Some(directory) = &args.pictures {
        std::fs::create_dir_all(directory).map_err(|source| CliError::Output {
            output: safe(&directory.to_string_lossy()).into_owned(),
            source,
        })?;
        for picture in &result.pictures {
            let path = directory.join(format!("{}.png", picture.sha256));
            write_file(&path, &picture.png, &context.io.gate)?;
        }
    }
    if context.is_json() {
        return context.print_json(&BrowserOutput { step: result });
    }
    let text = result.text();
    // The first line is for models, which have to tell it from other texts.
    let text = text.split_once('\n').map_or("", |(_, rest)| rest);
    for line in text.lines() {
        context.print(&format!("{}\n", safe(line)))?;
    }
    context.print("\n")?;
    Ok(context.io.stdout.flush()?)
}

/// How a call ends the command.
fn exit(result: &StepResult) -> Exit {
    match result.code() {
        Some(code) => code.spec().category.into(),
        None if result.ok => Exit::Done,
        None => Exit::No,
    }
}
