//! `eyes browser report` and `replay`.

use std::path::{Path, PathBuf};

use eyes_browser::report::RunFiles;
use eyes_evidence::state::RunId;
use eyes_runtime::browser::{replay as repeat, runs_dir};
use tokio_util::sync::CancellationToken;

use super::{
    Context,
    args::{ReplayArgs, ReportArgs},
    with_browser,
};
use crate::{
    error::CliError,
    exit::Exit,
    html,
    json::{ReplayOutput, RunOutput},
    output::write_file,
    text::{Tone, safe},
};

pub(super) fn report(args: &ReportArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let (folder, files) = files(&args.run, context)?;
    if let Some(path) = &args.html {
        let page = html::run_page(&files, &folder)?;
        write_file(path, page.as_bytes(), &context.io.gate)?;
    }
    if context.is_json() {
        context.print_json(&RunOutput::of(&files))?;
        return context.done();
    }
    let header = &files.header;
    let id = header.run_id.as_str();
    let id = context.out.paint(Tone::Heading, id).to_string();
    context.print(&format!(
        "{id}  {}  {}\n",
        header.created_at,
        safe(&header.browser)
    ))?;
    for step in &files.steps {
        let name = step.action["action"].as_str().unwrap_or("?");
        let mark = if step.ok { "ok  " } else { "FAIL" };
        let message = step.message.as_deref().unwrap_or_default();
        context.print(&format!(
            "{mark}  {:4}  {name:10}  {:16}  {} {}\n",
            step.sequence,
            safe(&step.effect),
            safe(step.url.as_deref().unwrap_or_default()),
            safe(message)
        ))?;
    }
    context.done()
}

pub(super) fn replay(args: &ReplayArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let (_, files) = files(&args.run, context)?;
    let report = with_browser(&args.launch, context, async |plane, _| {
        Ok(repeat(&plane.session, &files.replay, &CancellationToken::new()).await)
    })?;
    if context.is_json() {
        context.print_json(&ReplayOutput { replay: &report })?;
    } else {
        for (sequence, why) in &report.skipped {
            context.print(&format!("skip  {sequence:4}  {}\n", safe(why)))?;
        }
        if let Some(difference) = &report.difference {
            let told = |ok: bool| if ok { "ok" } else { "not ok" };
            context.print(&format!(
                "FAIL  {:4}  expected {} {}, got {} {}\n",
                difference.sequence,
                told(difference.expected.ok),
                difference.expected.code.as_deref().unwrap_or_default(),
                told(difference.actual.ok),
                difference.actual.code.as_deref().unwrap_or_default(),
            ))?;
        }
        let end = if report.is_same() {
            "the same"
        } else {
            "not the same"
        };
        context.print(&format!("{} steps repeated: {end}\n", report.repeated))?;
    }
    context.finish(if report.is_same() {
        Exit::Done
    } else {
        Exit::No
    })
}

fn files(run: &str, context: &Context<'_, '_>) -> Result<(PathBuf, RunFiles), CliError> {
    let settings = context.settings()?;
    let data_dir = context.data_dir(&settings);
    let named = Path::new(run);
    let folder: PathBuf = match (RunId::new(run), runs_dir(&settings, data_dir.as_deref())) {
        (Ok(id), Some(runs)) if !named.is_dir() => runs.join(id.as_str()),
        _ => named.to_path_buf(),
    };
    let files = RunFiles::read(&folder).map_err(|error| CliError::Runtime(error.into()))?;
    Ok((folder, files))
}
