//! `eyes data`: everything that is kept on the disk.

pub(crate) mod args;
mod page;

use eyes_router::vision::ReadWarning;
use eyes_runtime::{
    error::RuntimeError,
    retention::{Erasure, KeptReason, Places, RETAINED, Survey, Unerased, erase, survey},
};
use serde_json::{Map, Value};

use self::args::{DataCommand, EraseArgs};
pub(super) use self::page::markdown;
use super::Context;
use crate::{
    error::CliError,
    exit::Exit,
    json::{DataOutput, ErasureOutput, KeptOutput, RemovedOutput, RetainedOutput, SettingOutput},
    text::{Tone, safe},
};

pub(super) fn run(command: &DataCommand, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let settings = context.settings()?;
    let data_dir = context.data_dir(&settings);
    let file = context.settings_file();
    let places = Places::new(
        &settings,
        data_dir.as_deref(),
        file.as_ref().map(|file| file.path.as_path()),
    );
    match command {
        DataCommand::Show => show(&places, &settings.to_document(), context),
        DataCommand::Erase(args) => remove(&places, *args, context),
    }
}

fn show(
    places: &Places,
    settings: &Map<String, Value>,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let survey = survey(places);
    let output = output(places, settings, &survey);
    if context.is_json() {
        context.print_json(&output)?;
    } else {
        for row in &output.data {
            print_row(row, context)?;
        }
        for path in &output.unknown {
            context.print(&format!("not ours: {}\n", safe(path)))?;
        }
        if output.more_unknown > 0 {
            context.print(&format!("and {} more\n", output.more_unknown))?;
        }
    }
    warn_of_problems(&survey, context)?;
    context.done()
}

fn output(places: &Places, settings: &Map<String, Value>, survey: &Survey) -> DataOutput {
    let data = RETAINED.iter().map(|row| {
        let files = || survey.of(row.kind);
        let setting = |&name: &&'static str| {
            let mut at = settings.get(name.split('.').next().unwrap_or_default());
            for member in name.split('.').skip(1) {
                at = at.and_then(|value| value.get(member));
            }
            SettingOutput {
                name,
                value: at.filter(|value| !value.is_null()).map(shown),
            }
        };
        let places = places.of(row.kind).into_iter();
        RetainedOutput {
            kind: row.kind.name(),
            paths: places
                .map(|path| path.to_string_lossy().into_owned())
                .collect(),
            files: files().count(),
            bytes: files().map(|file| file.bytes).sum(),
            holds: row.holds,
            kept: row.kept,
            settings: row.settings.iter().map(setting).collect(),
            removal: row.removal,
        }
    });
    let unknown = survey.unknown.iter();
    DataOutput {
        data_dir: places
            .data_dir()
            .map(|path| path.to_string_lossy().into_owned()),
        data: data.collect(),
        unknown: unknown
            .map(|unknown| unknown.path.to_string_lossy().into_owned())
            .collect(),
        more_unknown: survey.more_unknown,
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn print_row(row: &RetainedOutput, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    let name = context.out.paint(Tone::Heading, row.kind).to_string();
    let amount = format!("{} files, {} bytes", row.files, row.bytes);
    context.print(&format!("{name}  {amount}\n"))?;
    for path in &row.paths {
        context.print(&format!("  place     {}\n", safe(path)))?;
    }
    context.print(&format!(
        "  holds     {}\n  kept      {}\n",
        row.holds, row.kept
    ))?;
    for setting in &row.settings {
        let value = setting.value.as_deref().unwrap_or("not set");
        context.print(&format!("  setting   {} = {}\n", setting.name, safe(value)))?;
    }
    context.print(&format!("  removal   {}\n\n", row.removal))
}

fn warn_of_problems(survey: &Survey, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    for problem in &survey.problems {
        context.warn(&ReadWarning::of(problem))?;
    }
    Ok(())
}

fn remove(
    places: &Places,
    args: EraseArgs,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let kinds = args.kinds();
    let before = survey(places);
    let erasure = if args.yes {
        let _whole = context.io.gate.enter();
        erase(places, &kinds)
    } else {
        Erasure::planned(&before, &kinds)
    };
    tell(&erasure, !args.yes, context)?;
    warn_of_problems(&before, context)?;
    if !args.yes {
        context.io.stdout.flush()?;
        return Err(CliError::Unconfirmed);
    }
    let mut exit = Exit::Done;
    for Unerased { error, .. } in erasure.failed {
        let error = CliError::from(RuntimeError::Retention(error));
        exit = exit.max(context.report(&error, None));
    }
    context.finish(exit)
}

fn tell(erasure: &Erasure, dry_run: bool, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    let output = ErasureOutput {
        dry_run,
        removed: erasure.removed.iter().map(RemovedOutput::from).collect(),
        kept: erasure.kept.iter().map(KeptOutput::from).collect(),
        failed: erasure
            .failed
            .iter()
            .map(|failed| failed.path.to_string_lossy().into_owned())
            .collect(),
    };
    if context.is_json() {
        return context.print_json(&output);
    }
    let verb = if dry_run { "would remove" } else { "removed" };
    for removed in &output.removed {
        context.print(&format!(
            "{verb} {}: {} files, {} bytes\n",
            removed.kind, removed.files, removed.bytes
        ))?;
    }
    if output.removed.is_empty() {
        context.print("there is nothing to remove\n")?;
    }
    for kept in &erasure.kept {
        let why = match kept.reason {
            KeptReason::Lock => "empty, and another process may wait for it",
            _ => "not ours",
        };
        context.print(&format!(
            "kept {} ({why})\n",
            safe(&kept.path.to_string_lossy())
        ))?;
    }
    Ok(())
}
