//! `eyes audit`: which models were asked, and whether the log of it is whole.

use eyes_evidence::audit::chain::{ChainedLog, LogEntry, LogProblem, LogReason, LogReport};
use eyes_router::attempts::AttemptRecord;
use eyes_runtime::{attempts_log, error::RuntimeError};

use super::Context;
use crate::{
    args::AuditCommand,
    error::CliError,
    exit::Exit,
    text::{Tone, safe},
};

pub(super) fn run(command: &AuditCommand, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let settings = context.settings()?;
    let data_dir = context.data_dir(&settings);
    let Some(log) = attempts_log(&settings, data_dir.as_deref())? else {
        return Err(CliError::CommandLine(
            "the settings keep no log of attempts".to_owned(),
        ));
    };
    match command {
        AuditCommand::Show { limit } => show(&log, *limit, context),
        AuditCommand::Verify => verify(&log, context),
    }
}

fn show(log: &ChainedLog, limit: usize, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let entries: Vec<LogEntry<AttemptRecord>> = log
        .newest(limit)
        .map_err(|source| RuntimeError::Log { source })?;
    if entries.is_empty() && !context.is_json() {
        context.print("nothing was attempted yet\n")?;
    }
    for entry in &entries {
        if context.is_json() {
            context.print_json(entry)?;
            continue;
        }
        let event = &entry.event;
        let tone = match event.status.as_str() {
            "failed" => Tone::Bad,
            "success" | "cache-hit" => Tone::Good,
            _ => Tone::Dim,
        };
        let status = context
            .out
            .paint(tone, format!("{:9}", event.status))
            .to_string();
        let code = event
            .error_code
            .as_deref()
            .map(|code| format!("  [{code}]"));
        let line = format!(
            "{:>6}  {}  {status}  {:11}  {:10}  {}/{}  {} ms{}\n",
            entry.number,
            event.timestamp,
            safe(&event.operation),
            safe(&event.phase),
            safe(&event.provider),
            safe(&event.model),
            event.duration_ms,
            safe(code.as_deref().unwrap_or_default()),
        );
        context.print(&line)?;
    }
    context.done()
}

fn verify(log: &ChainedLog, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let report = log
        .verify()
        .map_err(|source| RuntimeError::Log { source })?;
    if context.is_json() {
        context.print_json(&report)?;
    } else {
        tell(&report, context)?;
    }
    context.finish(if report.is_intact() {
        Exit::Done
    } else {
        Exit::No
    })
}

fn tell(report: &LogReport, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    let (tone, verdict) = if report.is_intact() {
        (Tone::Good, "intact")
    } else {
        (Tone::Bad, "BROKEN")
    };
    let verdict = context.out.paint(tone, verdict).to_string();
    context.print(&format!(
        "{verdict}: {} lines, {} dropped by the bound, {} torn by a process that died\n",
        report.lines, report.dropped, report.torn_count
    ))?;
    for problem in &report.problems {
        let file = problem.file.to_string_lossy();
        context.print(&format!(
            "  {}:{}: {}\n",
            safe(&file),
            problem.line,
            words(problem)
        ))?;
    }
    let more = report
        .problem_count
        .saturating_sub(report.problems.len() as u64);
    if more > 0 {
        context.print(&format!("  and {more} more\n"))?;
    }
    Ok(())
}

fn words(problem: &LogProblem) -> String {
    match problem.reason {
        LogReason::NotAnEntry => "is no line of a log".to_owned(),
        LogReason::Altered { number } => format!("line {number} was altered"),
        LogReason::Missing { from, to } if from == to => format!("line {from} is missing"),
        LogReason::Missing { from, to } => format!("lines {from} to {to} are missing"),
        LogReason::OutOfOrder { number } => format!("line {number} was moved or repeated"),
        LogReason::TornMissing => "the torn text before it is gone or altered".to_owned(),
        LogReason::HeadMissing => "the file that states the end of the log is gone".to_owned(),
        _ => "is wrong".to_owned(),
    }
}
