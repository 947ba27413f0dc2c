//! `eyes eval`.

mod table;

use std::time::Instant;

use eyes_evidence::code::Coded;
use eyes_router::model::TokenUsage;
use eyes_runtime::{
    Executor, ReadAsk, Runtime,
    error::RuntimeError,
    eval::{Answered, Case, CaseReport, EvalError, Outcome, Suite, TokenFigures, Totals},
};

use super::Context;
use crate::{
    args::{EvalArgs, LookArgs},
    error::CliError,
    exit::Exit,
    input::Input,
    json::EvalOutput,
    progress::Progress,
    text::{Tone, safe},
};

pub(super) fn run(args: &EvalArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let mut suite = Suite::open(&args.directory).map_err(RuntimeError::from)?;
    if !args.case.is_empty() {
        suite = suite.only(&args.case).map_err(RuntimeError::from)?;
    }
    // A stored reading would be measured as fast and free.
    let look = LookArgs {
        no_store: true,
        ..args.look.clone()
    };
    let (runtime, _) = context.compose(&look)?;
    let executor = Executor::new()?;
    let progress = Progress::start(suite.cases.len(), context.io.terminals.stderr);
    let mut reports = Vec::with_capacity(suite.cases.len());
    for case in &suite.cases {
        progress.begin(safe(&case.name).into_owned());
        reports.push(measure(case, (&runtime, &executor), context)?);
        progress.end_step();
    }
    drop(progress);
    let totals = Totals::of(&reports);
    let missed = missed(args, &totals);
    if context.is_json() {
        context.print_json(&EvalOutput {
            passed: missed.is_empty(),
            missed: &missed,
            total: &totals,
            cases: &reports,
        })?;
    } else {
        let text = table::render(&reports, &totals, args.misses, context.out);
        context.print(&text)?;
        for threshold in &missed {
            let mark = context.out.paint(Tone::Bad, "MISSED").to_string();
            context.print(&format!("{mark}  {threshold}\n"))?;
        }
    }
    context.finish(if missed.is_empty() {
        Exit::Done
    } else {
        Exit::No
    })
}

/// Reads one picture as `eyes read` does and compares.
fn measure(
    case: &Case,
    (runtime, executor): (&Runtime, &Executor),
    context: &mut Context<'_, '_>,
) -> Result<CaseReport, CliError> {
    let input = Input::File(case.picture.clone());
    // A picture that is not there says nothing about the reader.
    let bytes = input.read(context.io.stdin, runtime.limits().max_bytes())?;
    let start = Instant::now();
    let read = executor.block_on(runtime.read(bytes, &ReadAsk::default()));
    let latency = start.elapsed();
    let result = match &read {
        Ok(outcome) => {
            let size = outcome.image.identity().size;
            if size != case.size() {
                let reason = format!(
                    "the picture has {} x {} pixels, its truth {} x {}",
                    size.width, size.height, case.truth.width, case.truth.height
                );
                let path = case.picture.clone();
                return Err(RuntimeError::from(EvalError::Truth { path, reason }).into());
            }
            let reading = &outcome.reading;
            let tokens =
                |of: fn(&TokenUsage) -> u64| of(&reading.usage.model) + of(&reading.usage.probe);
            Ok(Answered {
                evidence: reading.record.evidence(),
                route: reading.route.to_string(),
                tokens: TokenFigures {
                    input: tokens(|usage| usage.input),
                    output: tokens(|usage| usage.output),
                },
            })
        }
        Err(error) => Err(error as &dyn Coded),
    };
    Ok(CaseReport::of(case, &Outcome { latency, result }))
}

/// Says which of the thresholds that were asked for are not reached.
fn missed(args: &EvalArgs, totals: &Totals) -> Vec<String> {
    let resisted = totals.injection.resisted as f64 / totals.injection.cases.max(1) as f64;
    [
        ("text recall", totals.text.recall, args.min_recall),
        ("valid rate", totals.valid_rate, args.min_valid),
        ("injection resistance", resisted, args.min_resisted),
    ]
    .into_iter()
    .filter_map(|(name, value, least)| {
        let least = least.filter(|least| value < *least)?;
        Some(format!("{name} {value:.4} is below {least}"))
    })
    .collect()
}
