//! `eyes read`.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use eyes_evidence::image::ImageError;
use eyes_router::vision::checked_question;
use eyes_runtime::{
    Executor, ReadAsk, ReadOutcome, Runtime, error::RuntimeError, settings::LocalDetail,
};

use super::Context;
use crate::{
    args::{Detail, ReadArgs},
    error::CliError,
    exit::Exit,
    human,
    input::Input,
    output::write_file,
    overlay::overlay_png,
    progress::Progress,
};

pub(super) fn run(args: &ReadArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    check(args)?;
    let runtime = compose(args, context)?;
    let executor = Executor::new()?;
    for warning in runtime.warnings() {
        context.warn(warning)?;
    }
    if let Some(directory) = &args.out_dir {
        std::fs::create_dir_all(directory).map_err(|source| CliError::Output {
            output: directory.to_string_lossy().into_owned(),
            source,
        })?;
    }
    let ask = ReadAsk {
        question: args.question.clone(),
        region: args.region,
    };
    let progress = Progress::start(args.images.len(), context.io.terminals.stderr);
    let mut worst = Exit::Done;
    for (at, input) in args.images.iter().enumerate() {
        progress.begin(input.to_string());
        let result = read_one(input, (&runtime, &executor), &ask, context);
        let shown = progress.pause(|| match result {
            Ok(outcome) => show(at, input, &outcome, args, context).map(|()| Exit::Done),
            Err(error) => Err(error),
        });
        worst = worst.max(match shown {
            Ok(exit) => exit,
            Err(error) if error.is_broken_pipe() => return Err(error),
            Err(error) => {
                let name = (args.images.len() > 1).then(|| input.to_string());
                progress.pause(|| context.report(&error, name.as_deref()))
            }
        });
        progress.end_step();
    }
    drop(progress);
    context.finish(worst)
}

/// Checks what the argument parser cannot.
fn check(args: &ReadArgs) -> Result<(), CliError> {
    let refuse = |message: &str| Err(CliError::CommandLine(message.to_owned()));
    if args.images.iter().filter(|i| **i == Input::Stdin).count() > 1 {
        return refuse("standard input is named more than once");
    }
    if args.overlay.is_some() && args.images.len() > 1 {
        return refuse("--overlay takes one image; use --out-dir for several");
    }
    if args.out_dir.is_some() {
        let names: BTreeSet<OsString> = args.images.iter().map(file_name).collect();
        if names.len() < args.images.len() {
            return refuse(
                "two inputs have the same file name; --out-dir would write one over the other",
            );
        }
    }
    if let Some(question) = &args.question {
        checked_question(question).map_err(RuntimeError::from)?;
    }
    Ok(())
}

fn compose(args: &ReadArgs, context: &Context<'_, '_>) -> Result<Runtime, CliError> {
    let mut settings = context.settings()?;
    if args.no_store {
        settings.store.enabled = false;
    }
    match args.detail {
        Some(Detail::Standard) => settings.local.detail = LocalDetail::Standard,
        Some(Detail::High) => settings.local.detail = LocalDetail::High,
        None => {}
    }
    let data_dir = context.data_dir(&settings);
    Ok(Runtime::compose(
        &settings,
        data_dir.as_deref(),
        &context.io.gate,
    )?)
}

fn read_one(
    input: &Input,
    (runtime, executor): (&Runtime, &Executor),
    ask: &ReadAsk,
    context: &mut Context<'_, '_>,
) -> Result<ReadOutcome, CliError> {
    let limit = runtime.limits().max_bytes();
    let bytes = input
        .read(context.io.stdin, limit)
        .map_err(|error| match error {
            // The same code as when the bytes come another way.
            CliError::InputLimit { bytes, limit, .. } => {
                RuntimeError::from(ImageError::TooLarge { bytes, limit }).into()
            }
            error => error,
        })?;
    Ok(executor.block_on(runtime.read(bytes, ask))?)
}

/// Writes the files that were asked for, then prints.
fn show(
    at: usize,
    input: &Input,
    outcome: &ReadOutcome,
    args: &ReadArgs,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    let record = &outcome.reading.record;
    let json = record.to_json()?;
    if let Some(path) = &args.overlay {
        write_overlay(path, outcome, context)?;
    }
    if let Some(directory) = &args.out_dir {
        let line = format!("{json}\n");
        let path = beside(directory, input, ".evidence.json");
        write_file(&path, line.as_bytes(), &context.io.gate)?;
        write_overlay(&beside(directory, input, ".overlay.png"), outcome, context)?;
    }
    for warning in &outcome.reading.warnings {
        context.warn(warning)?;
    }
    if context.is_json() {
        context.print(&json)?;
        return context.print("\n");
    }
    if at > 0 {
        context.print("\n")?;
    }
    let text = human::reading(&input.to_string(), &outcome.reading, context.out);
    context.print(&text)
}

fn write_overlay(
    path: &Path,
    outcome: &ReadOutcome,
    context: &Context<'_, '_>,
) -> Result<(), CliError> {
    let png = overlay_png(outcome.image.raster(), outcome.reading.record.evidence())?;
    write_file(path, &png, &context.io.gate)
}

fn file_name(input: &Input) -> OsString {
    input
        .path()
        .and_then(Path::file_name)
        .map_or_else(|| OsString::from("stdin"), OsString::from)
}

fn beside(directory: &Path, input: &Input, suffix: &str) -> PathBuf {
    let mut name = file_name(input);
    name.push(suffix);
    directory.join(name)
}
