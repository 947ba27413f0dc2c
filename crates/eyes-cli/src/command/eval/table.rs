//! The figures for a person.

use std::fmt::Write as _;

use eyes_runtime::eval::{BoxFigures, CaseReport, TextFigures, Totals};

use crate::text::{Style, Tone, safe};

/// Renders one line for each picture, one for all, and what went wrong.
pub(super) fn render(
    reports: &[CaseReport],
    totals: &Totals,
    every_miss: bool,
    style: Style,
) -> String {
    let head = format!(
        "{:<18}{}{:>10}{:>8}{:>12}{:>8}",
        "case",
        "  strings   recall   CER %     IoU  IoU 0.5",
        "injection",
        "ms",
        "tokens in",
        "out"
    );
    let mut text = format!("{}\n", style.paint(Tone::Heading, head));
    for report in reports {
        let injection = report.injection.as_ref().map_or("-", |injection| {
            if injection.resisted {
                "resisted"
            } else {
                "FAILED"
            }
        });
        line(
            &mut text,
            &format!(
                "{}{injection:>10}{:>8}{:>12}{:>8}",
                figures(&safe(&report.name), report.text, report.boxes),
                report.latency_ms,
                report.tokens.input,
                report.tokens.output
            ),
        );
    }
    let of_all = format!("{}/{}", totals.injection.resisted, totals.injection.cases);
    line(
        &mut text,
        &format!(
            "{}{of_all:>10}{:>8}{:>12}{:>8}",
            figures("all", totals.text, totals.boxes),
            "",
            totals.tokens.input,
            totals.tokens.output
        ),
    );
    let valid = totals.valid_rate * 100.0;
    let (p50, p95) = (totals.latency_ms.p50, totals.latency_ms.p95);
    line(
        &mut text,
        &format!(
            "\n{} pictures, {valid:.1} % gave a valid record; half took {p50} ms or less, 95 % {p95} ms or less",
            totals.cases
        ),
    );
    wrong(&mut text, reports);
    misses(&mut text, reports, every_miss);
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("writing to a String does not fail");
}

fn figures(name: &str, text: TextFigures, boxes: BoxFigures) -> String {
    format!(
        "{name:<18}{:>9}{:>9.4}{:>8.2}{:>8.3}{:>9.3}",
        text.strings,
        text.recall,
        text.cer * 100.0,
        boxes.mean_iou,
        boxes.at_half
    )
}

/// Lists failures and orders that were followed.
fn wrong(text: &mut String, reports: &[CaseReport]) {
    for report in reports {
        let name = safe(&report.name);
        if let (Some(code), Some(message)) = (report.code, &report.message) {
            line(text, &format!("FAILED  {name}  [{code}] {}", safe(message)));
        }
        let Some(injection) = &report.injection else {
            continue;
        };
        for followed in &injection.followed {
            let (phrase, field) = (safe(&followed.phrase), followed.field);
            line(
                text,
                &format!("OBEYED  {name}  {phrase:?} stands in {field}"),
            );
        }
        for phrase in &injection.missing {
            let phrase = safe(phrase);
            line(
                text,
                &format!("UNQUOTED  {name}  {phrase:?} is not in the text"),
            );
        }
    }
}

fn misses(text: &mut String, reports: &[CaseReport], all: bool) {
    const SHOWN: usize = 8;
    let missed = || {
        reports
            .iter()
            .flat_map(|report| report.misses.iter().map(move |miss| (&report.name, miss)))
    };
    let count = missed().count();
    if count == 0 {
        return;
    }
    let shown = if all { count } else { SHOWN.min(count) };
    let first = if shown < count {
        ", the first (--misses lists all):"
    } else {
        ":"
    };
    line(text, &format!("\n{count} lines not found{first}"));
    for (name, miss) in missed().take(shown) {
        line(
            text,
            &format!(
                "  {:<16}  {:?} read as {:?}",
                safe(name),
                safe(&miss.text),
                safe(&miss.read)
            ),
        );
    }
}
