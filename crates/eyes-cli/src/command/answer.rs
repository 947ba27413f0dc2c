//! `eyes answer`.

use eyes_evidence::image::admit;
use eyes_router::{
    model::{FinishReason, StreamEvent},
    ports::Clock as _,
    route::{Attempt, Outcome, Route},
    turn::{TurnKind, TurnReport},
};
use eyes_runtime::{AnswerAsk, Executor, Runtime, SystemClock, error::RuntimeError, usage::prices};
use eyes_usage::{
    event::UsageEvent,
    price::{Cost, PriceTable},
    state::UsageState,
    view::{CallFigures, UsageView},
};

use super::{Context, read};
use crate::{
    args::AnswerArgs,
    error::CliError,
    exit::Exit,
    input::Input,
    json::{AnswerOutput, AttemptOutput, LookOutput, SeenOutput},
    text::{Tone, safe, safe_lines},
};

pub(super) fn run(mut args: AnswerArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if args.question.trim().is_empty() {
        return Err(CliError::CommandLine("the question is empty".to_owned()));
    }
    args.images = Input::expand(&args.images)?;
    if args.images.iter().filter(|i| **i == Input::Stdin).count() > 1 {
        let message = "standard input is named more than once";
        return Err(CliError::CommandLine(message.to_owned()));
    }
    let settings = context.settings()?;
    let route = match &args.last {
        Some(route) => route.clone(),
        None => upstream(
            &settings.upstream_provider,
            settings.upstream_model.as_deref(),
        )?,
    };
    let finals = [route.clone()];
    let (runtime, settings) = context.compose_with(&args.look, settings, &finals)?;
    let prices = prices(&settings)?;
    let ask = ask(&args, route.clone(), &runtime, context)?;
    let (text, report) = answer(&runtime, ask, context)?;
    let usage = usage(&report, prices.as_ref());
    for warning in &report.warnings {
        context.warn(warning)?;
    }
    if context.is_json() {
        context.print_json(&output(&text, &route, &report, usage))?;
    } else {
        context.print("\n")?;
        context.io.stdout.flush()?;
        explain(&report, &usage, context)?;
    }
    context.done()
}

fn upstream(provider: &str, model: Option<&str>) -> Result<Route, CliError> {
    let model = model.ok_or(RuntimeError::NoFinalModel)?;
    Route::new(provider, model).map_err(|error| {
        CliError::CommandLine(format!("upstreamProvider and upstreamModel: {error}"))
    })
}

fn ask(
    args: &AnswerArgs,
    route: Route,
    runtime: &Runtime,
    context: &mut Context<'_, '_>,
) -> Result<AnswerAsk, CliError> {
    let mut images = Vec::with_capacity(args.images.len());
    for input in &args.images {
        let bytes = read::load(input, runtime, context.io.stdin)?;
        let image = admit(bytes, runtime.limits()).map_err(RuntimeError::from)?;
        let name = input.path().and_then(|path| path.file_name());
        images.push((name.map(|name| name.to_string_lossy().into_owned()), image));
    }
    Ok(AnswerAsk {
        images,
        question: args.question.clone(),
        route,
        max_output_tokens: args.max_tokens,
    })
}

/// Lets the model answer, and shows the answer as it comes where it is read by people.
fn answer(
    runtime: &Runtime,
    ask: AnswerAsk,
    context: &mut Context<'_, '_>,
) -> Result<(String, TurnReport), CliError> {
    let shows = !context.is_json();
    let mut text = String::new();
    let stdout = &mut context.io.stdout;
    let mut broken = None;
    // What the terminal takes is not awaited by the stream: pieces wait here until the answer goes on.
    let (sender, pieces) = std::sync::mpsc::channel::<String>();
    let mut listener = |event| {
        if let StreamEvent::TextDelta(piece) = event {
            // The other end lives as long as this function.
            drop(sender.send(piece));
        }
    };
    let mut turn = std::pin::pin!(runtime.answer(ask, &mut listener));
    let report = Executor::new()?.block_on(std::future::poll_fn(|task| {
        let polled = turn.as_mut().poll(task);
        for piece in pieces.try_iter() {
            text.push_str(&piece);
            if shows && broken.is_none() {
                let shown = stdout
                    .write_all(safe_lines(&piece).as_bytes())
                    .and_then(|()| stdout.flush());
                broken = shown.err();
            }
        }
        polled
    }))?;
    match broken {
        Some(error) => Err(error.into()),
        None => Ok((text, report)),
    }
}

/// Adds up what this answer used.
fn usage(report: &TurnReport, prices: Option<&PriceTable>) -> UsageView {
    let at = SystemClock.now();
    let mut state = UsageState::default();
    for entry in &report.usage {
        state.fold(&UsageEvent {
            at: at.clone(),
            session: None,
            entry: entry.clone(),
        });
    }
    UsageView::of(&state, prices)
}

fn output<'a>(
    text: &'a str,
    route: &Route,
    report: &'a TurnReport,
    usage: UsageView,
) -> AnswerOutput<'a> {
    let images = report.images.iter().map(|seen| SeenOutput {
        image: seen.image_sha256,
        record: seen.record_sha256,
        route: seen.route.to_string(),
        cached: seen.cached,
        attempts: attempts(&seen.attempts),
    });
    let looks = report.looks.iter().map(|look| LookOutput {
        image: look.image_sha256,
        question: look.question.as_deref(),
        record: look.outcome.as_ref().ok().copied(),
        code: look.outcome.as_ref().err().map(|why| why.code.as_str()),
        attempts: attempts(&look.attempts),
    });
    AnswerOutput {
        answer: text,
        finish: match report.finish {
            FinishReason::MaxTokens => "max-tokens",
            _ => "stop",
        },
        kind: match report.kind {
            TurnKind::Native => "native",
            _ => "bridged",
        },
        last: route.to_string(),
        calls: report.calls,
        images: images.collect(),
        looks: looks.collect(),
        usage,
    }
}

fn attempts(attempts: &[Attempt]) -> Vec<AttemptOutput<'_>> {
    attempts
        .iter()
        .map(|attempt| AttemptOutput {
            route: attempt.route.to_string(),
            outcome: match attempt.outcome {
                Outcome::Answered => "answered",
                Outcome::Cached => "cached",
                Outcome::PassedOver => "passed-over",
                _ => "failed",
            },
            code: attempt
                .failure()
                .map(eyes_evidence::code::ErrorCode::as_str),
        })
        .collect()
}

/// Tells people what the answer rests on and what it cost, beside the answer itself.
fn explain(
    report: &TurnReport,
    usage: &UsageView,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    let mut lines = Vec::new();
    if report.kind == TurnKind::Native {
        lines.push("the model saw the images itself".to_owned());
    }
    for seen in &report.images {
        let cached = if seen.cached { ", from the store" } else { "" };
        lines.push(format!(
            "evidence {} by {}{cached}",
            seen.record_sha256, seen.route
        ));
        lines.extend(failures(&seen.attempts));
    }
    for look in &report.looks {
        let question =
            safe(look.question.as_deref().unwrap_or("a request that is none")).into_owned();
        lines.push(match &look.outcome {
            Ok(record) => format!("looked again: {question}: evidence {record}"),
            Err(why) => format!("looked again: {question}: failed [{}]", why.code.as_str()),
        });
        lines.extend(failures(&look.attempts));
    }
    if report.finish == FinishReason::MaxTokens {
        lines.push("the answer ended at its output token limit".to_owned());
    }
    let total = &usage.total;
    let currency = usage.currency.as_deref();
    lines.push(format!("looking: {}", spent(&total.additional, currency)));
    lines.push(format!("answer: {}", spent(&total.final_answers, currency)));
    for line in lines {
        let line = context.err.paint(Tone::Dim, line).to_string();
        writeln!(context.io.stderr, "{line}")?;
    }
    Ok(())
}

fn failures(attempts: &[Attempt]) -> impl Iterator<Item = String> + '_ {
    attempts.iter().filter_map(|attempt| {
        let code = attempt.failure()?;
        Some(format!("  {} failed [{}]", attempt.route, code.as_str()))
    })
}

fn spent(figures: &CallFigures, currency: Option<&str>) -> String {
    let tokens = figures.tokens;
    let calls = if figures.calls == 1 { "call" } else { "calls" };
    let unknown = if figures.unreported > 0 {
        format!(", {} of them told no tokens", figures.unreported)
    } else {
        String::new()
    };
    let cost = match (&figures.cost, currency) {
        (Some(Cost::Priced { amount }), Some(currency)) => format!(", {amount} {currency}"),
        (Some(Cost::Partial { amount, .. }), Some(currency)) => {
            format!(", {amount} {currency} and a part that is unpriced")
        }
        (Some(_), _) => ", unpriced".to_owned(),
        (None, _) => String::new(),
    };
    format!(
        "{} {calls}{unknown}, {} tokens in ({} from the cache), {} out{cost}",
        figures.calls, tokens.input, tokens.cache_read, tokens.output
    )
}
