//! `eyes read`.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    io::Read,
    path::{Path, PathBuf},
    pin::pin,
};

use eyes_evidence::image::ImageError;
use eyes_runtime::{Executor, ReadAsk, ReadOutcome, Runtime, error::RuntimeError};
use futures_util::{StreamExt as _, stream};

use super::Context;
use crate::{
    args::ReadArgs,
    error::CliError,
    exit::Exit,
    html::{Page, Subject},
    human,
    input::Input,
    output::write_file,
    overlay::overlay_png,
    progress::Progress,
};

pub(super) fn run(mut args: ReadArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    args.images = Input::expand(&args.images)?;
    let args = &args;
    check(args)?;
    let (runtime, settings) = context.compose(&args.look)?;
    if let Some(directory) = &args.out_dir {
        std::fs::create_dir_all(directory).map_err(|source| CliError::Output {
            output: directory.to_string_lossy().into_owned(),
            source,
        })?;
    }
    let jobs = args
        .jobs
        .map_or(settings.vision.vision_concurrency, |jobs| {
            usize::from(jobs.get())
        });
    let mut page = args.html.as_ref().map(|_| Page::default());
    let readings = read_each(args, &runtime, jobs, page.as_mut(), context);
    let worst = Executor::new()?.block_on(readings)?;
    write_page(args.html.as_deref(), page, context)?;
    context.finish(worst)
}

/// Reads several inputs at once, and shows them in their order.
async fn read_each(
    args: &ReadArgs,
    runtime: &Runtime,
    jobs: usize,
    mut page: Option<&mut Page>,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let ask = ReadAsk {
        focus: args.focus.clone(),
        ..ReadAsk::default()
    };
    let progress = Progress::start(args.images.len(), context.io.terminals.stderr);
    let mut worst = Exit::Done;
    let mut at = 0;
    // What stands before standard input is read and shown before anybody waits for it.
    let stdin = args.images.iter().position(|input| *input == Input::Stdin);
    let (before, after) = args.images.split_at(stdin.unwrap_or(0));
    for part in [before, after].into_iter().filter(|part| !part.is_empty()) {
        let mut from_stdin =
            (part[0] == Input::Stdin).then(|| load(&Input::Stdin, runtime, context.io.stdin));
        let readings = part.iter().map(|input| {
            let bytes = from_stdin.take_if(|_| *input == Input::Stdin);
            let ask = &ask;
            async move {
                let bytes = bytes.unwrap_or_else(|| load(input, runtime, &mut std::io::empty()))?;
                Ok::<_, CliError>(runtime.read(bytes, ask).await?)
            }
        });
        let mut results = pin!(stream::iter(readings).buffered(jobs.max(1)));
        for input in part {
            progress.begin(input.to_string());
            let Some(result) = results.next().await else {
                break;
            };
            let shown = progress.pause(|| {
                let outcome = result?;
                let output = Output {
                    overlay: args.overlay.as_deref(),
                    out_dir: args.out_dir.as_deref(),
                };
                show(at, input, &outcome, output, context)?;
                add_to(page.as_deref_mut(), input, &outcome)
            });
            if let Err(error) = shown {
                if error.is_broken_pipe() {
                    return Err(error);
                }
                if let Some(page) = &mut page {
                    page.fail(&input.to_string(), &error);
                }
                let name = (args.images.len() > 1).then(|| input.to_string());
                worst = worst.max(progress.pause(|| context.report(&error, name.as_deref())));
            }
            at += 1;
            progress.end_step();
        }
    }
    drop(progress);
    Ok(worst)
}

/// Adds a reading to the page that was asked for.
pub(super) fn add_to(
    page: Option<&mut Page>,
    input: &Input,
    outcome: &ReadOutcome,
) -> Result<(), CliError> {
    let Some(page) = page else { return Ok(()) };
    page.add(&Subject {
        name: &input.to_string(),
        record: &outcome.reading.record,
        image: Some(outcome.image.bytes()),
    })
}

/// Writes the page that was asked for.
pub(super) fn write_page(
    path: Option<&Path>,
    page: Option<Page>,
    context: &Context<'_, '_>,
) -> Result<(), CliError> {
    match (path, page) {
        (Some(path), Some(page)) => write_file(path, page.finish().as_bytes(), &context.io.gate),
        _ => Ok(()),
    }
}

/// Refuses a page that would be written over an image.
pub(super) fn check_page(page: Option<&Path>, images: &[Input]) -> Result<(), CliError> {
    if page.is_some() && images.iter().any(|input| input.path() == page) {
        let message = "--html names one of the images, which it would write over";
        return Err(CliError::CommandLine(message.to_owned()));
    }
    Ok(())
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
    check_page(args.html.as_deref(), &args.images)?;
    if args.out_dir.is_some() {
        let names: BTreeSet<OsString> = args.images.iter().map(file_name).collect();
        if names.len() < args.images.len() {
            return refuse(
                "two inputs have the same file name; --out-dir would write one over the other",
            );
        }
    }
    Ok(())
}

/// Reads the bytes of an input.
pub(super) fn load(
    input: &Input,
    runtime: &Runtime,
    stdin: &mut dyn Read,
) -> Result<Vec<u8>, CliError> {
    let limit = runtime.limits().max_bytes();
    input.read(stdin, limit).map_err(|error| match error {
        // The same code as when the bytes come another way.
        CliError::InputLimit { bytes, limit, .. } => {
            RuntimeError::from(ImageError::TooLarge { bytes, limit }).into()
        }
        error => error,
    })
}

/// Files that are written beside what is printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output<'a> {
    pub(super) overlay: Option<&'a Path>,
    pub(super) out_dir: Option<&'a Path>,
}

/// Writes the files that were asked for, then prints.
pub(super) fn show(
    at: usize,
    input: &Input,
    outcome: &ReadOutcome,
    output: Output<'_>,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    let record = &outcome.reading.record;
    let json = record.to_json()?;
    if let Some(path) = output.overlay {
        write_overlay(path, outcome, context)?;
    }
    if let Some(directory) = output.out_dir {
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
