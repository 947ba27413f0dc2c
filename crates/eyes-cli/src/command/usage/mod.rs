//! `eyes usage`: what was used, from the ledger alone; no model is called.

pub(crate) mod args;
mod table;

use std::path::PathBuf;

use eyes_router::vision::ReadWarning;
use eyes_runtime::{
    Executor,
    error::RuntimeError,
    settings::{Place, Settings},
    usage::{changed, ledger_path, prices},
};
use eyes_usage::{
    codes::{USAGE_LEDGER_INVALID, USAGE_LEDGER_UNSUPPORTED},
    ledger::{Ledger, LedgerError, LedgerPartKind, SetAsideReason},
    price::PriceTable,
    view::{UsageView, csv},
};

use self::args::{By, ExportArgs, ResetArgs, UsageCommand, WatchArgs};
use super::Context;
use crate::{
    codes::USAGE_EVENTS_MISSING,
    error::CliError,
    exit::Exit,
    json::{ResetOutput, line},
    output::write_file,
    text::safe,
};

pub(super) fn run(command: &UsageCommand, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let book = Book::open(context)?;
    match command {
        UsageCommand::Show(args) => {
            let (view, warnings) = book.read()?;
            show(&view, args.by, context)?;
            for warning in &warnings {
                context.warn(warning)?;
            }
            context.done()
        }
        UsageCommand::Watch(args) => watch(&book, args, context),
        UsageCommand::Reset(args) => reset(&book, *args, context),
        UsageCommand::Export(args) => export(&book, args, context),
    }
}

/// The ledger of the settings, and its prices.
struct Book {
    path: PathBuf,
    settings: Settings,
}

impl Book {
    fn open(context: &Context<'_, '_>) -> Result<Self, CliError> {
        let settings = context.settings()?;
        let data_dir = context.data_dir(&settings);
        let Some(path) = ledger_path(&settings, data_dir.as_deref()) else {
            let known = data_dir.is_some() || settings.usage_stats_path == Place::Nowhere;
            return Err(if known {
                CliError::CommandLine("the settings keep no usage ledger".to_owned())
            } else {
                RuntimeError::NoDataDirectory.into()
            });
        };
        Ok(Self { path, settings })
    }

    fn prices(&self) -> Result<Option<PriceTable>, CliError> {
        Ok(prices(&self.settings)?)
    }

    /// Reads the figures, and what is known to be missing in them.
    fn read(&self) -> Result<(UsageView, Vec<ReadWarning>), CliError> {
        let prices = self.prices()?;
        let reading = Ledger::read(&self.path).map_err(RuntimeError::from)?;
        let view = UsageView::of(&reading.state, prices.as_ref());
        let mut warnings = missing(&view);
        for part in Ledger::parts(&self.path).map_err(RuntimeError::from)? {
            let (code, why) = match part.kind {
                LedgerPartKind::SetAside(SetAsideReason::Newer) => {
                    (USAGE_LEDGER_UNSUPPORTED, "is of a newer version")
                }
                LedgerPartKind::SetAside(SetAsideReason::Damaged) => {
                    (USAGE_LEDGER_INVALID, "has lines that cannot be read")
                }
                LedgerPartKind::SetAside(_) => (USAGE_LEDGER_INVALID, "is no ledger"),
                _ => continue,
            };
            warnings.push(ReadWarning {
                code,
                message: format!("{} {why} and was set aside", part.path.display()),
            });
        }
        Ok((view, warnings))
    }
}

/// Says what is in no figure.
fn missing(view: &UsageView) -> Vec<ReadWarning> {
    let missing = &view.missing;
    [
        (
            missing.lost_events,
            "events were lost before they could be written",
        ),
        (
            missing.torn_lines,
            "lines of the ledger were left unfinished by a process that died",
        ),
        (missing.damaged_lines, "lines of the ledger cannot be read"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| ReadWarning {
        code: USAGE_EVENTS_MISSING,
        message: format!("{count} {what}"),
    })
    .collect()
}

fn show(view: &UsageView, by: Option<By>, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    if context.is_json() {
        return context.print_json(view);
    }
    let text = table::render(view, by, context.out);
    context.print(&text)
}

fn watch(book: &Book, args: &WatchArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let executor = Executor::new()?;
    let mut told = Vec::new();
    let mut reports = 0;
    loop {
        // Before reading: what is noted meanwhile is a change.
        let mark = Ledger::mark(&book.path);
        let (view, warnings) = book.read()?;
        if !context.is_json() {
            if context.io.terminals.stdout {
                // Home, and nothing of the report before.
                context.print("\u{1b}[H\u{1b}[2J")?;
            } else if reports > 0 {
                context.print("\n")?;
            }
        }
        show(&view, args.show.by, context)?;
        context.io.stdout.flush()?;
        if warnings != told {
            for warning in &warnings {
                context.warn(warning)?;
            }
            told = warnings;
        }
        reports += 1;
        if args.count.is_some_and(|count| reports >= count.get()) {
            return context.done();
        }
        executor.block_on(changed(&book.path, mark));
    }
}

fn reset(book: &Book, args: ResetArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match Ledger::read(&book.path) {
        Err(LedgerError::Newer { .. }) if args.all => {}
        // What is no ledger was not written here, and is not removed.
        Err(error) => return Err(RuntimeError::from(error).into()),
        Ok(_) => {}
    }
    let names = |paths: Vec<PathBuf>| -> Vec<String> {
        let paths = paths.iter();
        paths
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    };
    let erased = if args.yes {
        let _whole = context.io.gate.enter();
        if args.all {
            Ledger::erase(&book.path)
        } else {
            Ledger::reset(&book.path)
        }
        .map_err(RuntimeError::from)?
    } else {
        let mut planned = eyes_usage::ledger::Erased::default();
        for part in Ledger::parts(&book.path).map_err(RuntimeError::from)? {
            match part.kind {
                LedgerPartKind::Lock => {}
                LedgerPartKind::SetAside(_) if !args.all => planned.kept.push(part.path),
                _ => planned.removed.push(part.path),
            }
        }
        planned
    };
    let output = ResetOutput {
        dry_run: !args.yes,
        removed: names(erased.removed),
        kept: names(erased.kept),
    };
    tell_reset(&output, context)?;
    if args.yes {
        context.done()
    } else {
        context.io.stdout.flush()?;
        Err(CliError::Unconfirmed)
    }
}

fn tell_reset(output: &ResetOutput, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    if context.is_json() {
        return context.print_json(output);
    }
    let verb = if output.dry_run {
        "would remove"
    } else {
        "removed"
    };
    for path in &output.removed {
        context.print(&format!("{verb} {}\n", safe(path)))?;
    }
    if output.removed.is_empty() {
        context.print("there is no ledger\n")?;
    }
    for path in &output.kept {
        context.print(&format!("kept {}, which was set aside\n", safe(path)))?;
    }
    Ok(())
}

fn export(book: &Book, args: &ExportArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let (view, warnings) = book.read()?;
    let text = if args.json {
        line(&view)?
    } else {
        csv(&view, args.table.unwrap_or_default().into())
    };
    match &args.out {
        Some(path) => write_file(path, text.as_bytes(), &context.io.gate)?,
        None => context.print(&text)?,
    }
    for warning in &warnings {
        context.warn(warning)?;
    }
    context.done()
}
