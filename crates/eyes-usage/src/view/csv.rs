//! A view as comma-separated values (RFC 4180).

use std::fmt::Write as _;

use super::{CallFigures, Figures, RouteFigures, UsageView};
use crate::price::Cost;

/// Which table of a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CsvTable {
    /// A line for each day, route and category.
    Days,
    /// A line for each session, route and category.
    Sessions,
    /// A line for each route and category.
    Routes,
    /// A line for each day and counter or estimate.
    Counters,
}

/// The name of the category of final answers, which are no [`CallCategory`](crate::category::CallCategory).
const FINAL: &str = "finalAnswer";
/// What stands for the days that are not told apart.
const EARLIER: &str = "earlier";

const CALL_COLUMNS: [&str; 14] = [
    "provider",
    "model",
    "category",
    "calls",
    "unreportedCalls",
    "inputTokens",
    "outputTokens",
    "cacheReadTokens",
    "cacheWriteTokens",
    "reasoningTokens",
    "currency",
    "cost",
    "unpricedCalls",
    "unpricedTokens",
];

/// Writes one table with a line of names; lines end with CR LF.
///
/// A text that a spreadsheet would take for a formula gets an apostrophe before it. A cost that is not known
/// is an empty cell, never 0.
pub fn csv(view: &UsageView, table: CsvTable) -> String {
    let mut out = String::new();
    let keys: &[&str] = match table {
        CsvTable::Days => &["day"],
        CsvTable::Sessions => &["session", "firstAt", "lastAt"],
        CsvTable::Routes => &[],
        CsvTable::Counters => &["day", "kind", "name", "value"],
    };
    let columns: &[&str] = match table {
        CsvTable::Counters => &[],
        _ => &CALL_COLUMNS,
    };
    write_line(&mut out, keys.iter().chain(columns).copied());
    match table {
        CsvTable::Days => {
            for (day, figures) in days(view) {
                write_calls(&mut out, &[&day], view, &figures.routes);
            }
        }
        CsvTable::Sessions => {
            for session in &view.sessions {
                let keys = [
                    session.session.to_string(),
                    session.first_at.to_string(),
                    session.last_at.to_string(),
                ];
                let keys = keys.each_ref().map(String::as_str);
                write_calls(&mut out, &keys, view, &session.figures.routes);
            }
        }
        CsvTable::Routes => write_calls(&mut out, &[], view, &view.total.routes),
        CsvTable::Counters => {
            for (day, figures) in days(view) {
                write_counters(&mut out, &day, figures);
            }
        }
    }
    out
}

/// The days in order, what is not told apart first.
fn days(view: &UsageView) -> impl Iterator<Item = (String, &Figures)> {
    let earlier = view
        .earlier
        .iter()
        .map(|figures| (EARLIER.to_owned(), figures));
    let days = view
        .days
        .iter()
        .map(|day| (day.day.to_string(), &day.figures));
    earlier.chain(days)
}

fn write_calls(out: &mut String, keys: &[&str], view: &UsageView, routes: &[RouteFigures]) {
    for route in routes {
        let categories = route.categories.iter();
        let categories = categories.map(|(category, figures)| (category.name(), figures));
        for (category, figures) in categories.chain([(FINAL, &route.final_answers)]) {
            if figures.calls == 0 {
                continue;
            }
            let names = [
                route.provider.as_deref().unwrap_or_default(),
                route.model.as_deref().unwrap_or_default(),
                category,
            ];
            let numbers = numbers(figures, view.currency.as_deref().unwrap_or_default());
            let numbers = numbers.iter().map(String::as_str);
            write_line(out, keys.iter().copied().chain(names).chain(numbers));
        }
    }
}

fn numbers(figures: &CallFigures, currency: &str) -> [String; 11] {
    let tokens = &figures.tokens;
    let (amount, unpriced) = match figures.cost {
        None => (None, None),
        Some(Cost::Priced { amount }) => (Some(amount), Some((0, 0))),
        Some(Cost::Partial {
            amount,
            unpriced_calls,
            unpriced_tokens,
        }) => (Some(amount), Some((unpriced_calls, unpriced_tokens))),
        Some(Cost::Unpriced {
            unpriced_calls,
            unpriced_tokens,
        }) => (None, Some((unpriced_calls, unpriced_tokens))),
    };
    let or_empty = |number: Option<u64>| number.map_or_else(String::new, |n| n.to_string());
    [
        figures.calls.to_string(),
        figures.unreported.to_string(),
        tokens.input.to_string(),
        tokens.output.to_string(),
        tokens.cache_read.to_string(),
        tokens.cache_write.to_string(),
        tokens.reasoning.to_string(),
        currency.to_owned(),
        amount.map_or_else(String::new, |amount| amount.to_string()),
        or_empty(unpriced.map(|(calls, _)| calls)),
        or_empty(unpriced.map(|(_, tokens)| tokens)),
    ]
}

fn write_counters(out: &mut String, day: &str, figures: &Figures) {
    for (counter, value) in &figures.counters {
        write_line(out, [day, "counter", counter.name(), &value.to_string()]);
    }
    for (estimate, tokens) in &figures.estimates {
        let value = tokens.0.to_string();
        write_line(out, [day, "estimatedTokens", estimate.name(), &value]);
    }
}

fn write_line<'a>(out: &mut String, cells: impl IntoIterator<Item = &'a str>) {
    for (at, cell) in cells.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write_cell(out, cell);
    }
    out.push_str("\r\n");
}

fn write_cell(out: &mut String, cell: &str) {
    let formula = cell.starts_with([
        '=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
    ]);
    let mark = if formula { "'" } else { "" };
    if cell.contains(['"', ',', '\r', '\n']) {
        let quoted = cell.replace('"', "\"\"");
        let _infallible = write!(out, "\"{mark}{quoted}\"");
    } else {
        out.push_str(mark);
        out.push_str(cell);
    }
}
