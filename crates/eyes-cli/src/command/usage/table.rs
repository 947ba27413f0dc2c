//! The figures for a person.

use std::fmt::Write as _;

use eyes_usage::{
    price::{Cost, Money},
    view::{CallFigures, Figures, UsageView},
};

use super::args::By;
use crate::{
    limits::{COST_DIGITS, SHOWN_DIGEST_DIGITS},
    text::{Style, Tone, safe},
};

/// What one line is about, with its exact figures.
type Row<'a> = (String, &'a CallFigures);

/// Renders what looking cost, what the answers cost, estimates and counters, each by itself.
pub(super) fn render(view: &UsageView, by: Option<By>, style: Style) -> String {
    let mut page = Page {
        text: String::new(),
        style,
        currency: view.currency.as_deref(),
    };
    let (Some(first), Some(last)) = (view.first_at, view.last_at) else {
        return "nothing was noted yet\n".to_owned();
    };
    page.line(&format!("from {first} to {last}"));
    let all = |figures| ("all".to_owned(), figures);
    let key = match by {
        None => "category",
        Some(By::Day) => "day",
        Some(By::Session) => "session",
        Some(By::Route) => "route",
    };
    let (mut looking, mut answers) = match by {
        None => {
            let categories = view.total.categories.iter();
            let looking: Vec<Row<'_>> = categories
                .map(|(category, figures)| (category.to_string(), figures))
                .collect();
            (looking, Vec::new())
        }
        Some(by) => rows(view, by),
    };
    // Sessions are not all there is: older ones are not told apart, and some calls have none.
    if by != Some(By::Session) {
        looking.push(all(&view.total.additional));
        answers.push(all(&view.total.final_answers));
    }
    page.calls("Looking, beyond the answers", key, &looking);
    page.calls("Final answers", key, &answers);
    match by {
        None => {
            page.numbers(
                "Estimates, in tokens that nobody counted",
                &estimates(&view.total),
            );
            page.numbers("Counters", &counters(&view.total));
        }
        Some(By::Day) => {
            page.numbers(
                "Estimates, in tokens that nobody counted",
                &by_day(view, estimates),
            );
            page.numbers("Counters", &by_day(view, counters));
        }
        Some(By::Session) => {
            if let Some(since) = view.sessions_since {
                page.line(&format!("\nSessions are told apart from {since} on."));
            }
        }
        Some(By::Route) => {}
    }
    page.text
}

/// Returns the rows of looking and those of answers.
fn rows(view: &UsageView, by: By) -> (Vec<Row<'_>>, Vec<Row<'_>>) {
    let figures: Vec<(String, &CallFigures, &CallFigures)> = match by {
        By::Day => days(view)
            .map(|(day, figures)| (day, &figures.additional, &figures.final_answers))
            .collect(),
        By::Session => {
            let sessions = view.sessions.iter().map(|session| {
                let digest = session.session.to_string();
                let name = format!("{} {}", &digest[..SHOWN_DIGEST_DIGITS], session.last_at);
                let figures = &session.figures;
                (name, &figures.additional, &figures.final_answers)
            });
            sessions.collect()
        }
        By::Route => {
            let routes = view.total.routes.iter().map(|route| {
                let name = match (&route.provider, &route.model) {
                    (Some(provider), Some(model)) => {
                        safe(&format!("{provider}/{model}")).into_owned()
                    }
                    _ => "others".to_owned(),
                };
                (name, &route.additional, &route.final_answers)
            });
            routes.collect()
        }
    };
    let looking = figures
        .iter()
        .map(|(name, looking, _)| (name.clone(), *looking));
    let answers = figures
        .iter()
        .map(|(name, _, answers)| (name.clone(), *answers));
    (looking.collect(), answers.collect())
}

/// Returns the days in order, what is not told apart first.
fn days(view: &UsageView) -> impl Iterator<Item = (String, &Figures)> {
    let earlier = view
        .earlier
        .iter()
        .map(|figures| ("earlier".to_owned(), figures));
    let days = view
        .days
        .iter()
        .map(|day| (day.day.to_string(), &day.figures));
    earlier.chain(days)
}

fn estimates(figures: &Figures) -> Vec<(String, u64)> {
    let estimates = figures.estimates.iter();
    estimates
        .map(|(name, tokens)| (name.to_string(), tokens.0))
        .collect()
}

fn counters(figures: &Figures) -> Vec<(String, u64)> {
    let counters = figures.counters.iter();
    counters
        .map(|(name, count)| (name.to_string(), *count))
        .collect()
}

fn by_day(view: &UsageView, of: fn(&Figures) -> Vec<(String, u64)>) -> Vec<(String, u64)> {
    let named = |(day, figures)| {
        let numbers = of(figures).into_iter();
        numbers.map(move |(name, number)| (format!("{day} {name}"), number))
    };
    days(view).flat_map(named).collect()
}

struct Page<'a> {
    text: String,
    style: Style,
    currency: Option<&'a str>,
}

impl Page<'_> {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a String does not fail");
    }

    fn heading(&mut self, title: &str) {
        let title = self.style.paint(Tone::Heading, title).to_string();
        self.line("");
        self.line(&title);
    }

    /// Prints exact figures; a row without a call is left out.
    fn calls(&mut self, title: &str, key: &str, rows: &[Row<'_>]) {
        self.heading(title);
        let rows: Vec<&Row<'_>> = rows
            .iter()
            .filter(|(_, figures)| figures.calls > 0)
            .collect();
        if rows.is_empty() {
            return self.line("  none");
        }
        let mut head: Vec<String> = [
            key,
            "calls",
            "unreported",
            "input",
            "output",
            "cache read",
            "cache write",
            "reasoning",
        ]
        .map(str::to_owned)
        .into();
        head.extend(
            self.currency
                .map(|currency| format!("cost {}", safe(currency))),
        );
        let rows = rows.into_iter().map(|(name, figures)| cells(name, figures));
        let dim = self.style;
        for (at, line) in aligned(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
            .iter()
            .enumerate()
        {
            match at {
                0 => self.line(&dim.paint(Tone::Dim, line).to_string()),
                _ => self.line(line),
            }
        }
    }

    fn numbers(&mut self, title: &str, numbers: &[(String, u64)]) {
        if numbers.is_empty() {
            return;
        }
        self.heading(title);
        let rows = numbers.iter();
        let rows = rows.map(|(name, number)| vec![name.clone(), number.to_string()]);
        for line in aligned(&rows.collect::<Vec<_>>()) {
            self.line(&line);
        }
    }
}

fn cells(name: &str, figures: &CallFigures) -> Vec<String> {
    let tokens = &figures.tokens;
    let tokens = [
        tokens.input,
        tokens.output,
        tokens.cache_read,
        tokens.cache_write,
        tokens.reasoning,
    ];
    let mut cells = vec![
        name.to_owned(),
        figures.calls.to_string(),
        figures.unreported.to_string(),
    ];
    // What nobody told is not nothing.
    let told = figures.calls > figures.unreported;
    cells.extend(tokens.map(|number| {
        if told {
            number.to_string()
        } else {
            "-".to_owned()
        }
    }));
    cells.extend(figures.cost.map(cost));
    cells
}

fn cost(cost: Cost) -> String {
    match cost {
        Cost::Priced { amount } => money(amount),
        Cost::Partial { amount, .. } => format!("{} + unpriced", money(amount)),
        Cost::Unpriced { .. } => "unpriced".to_owned(),
    }
}

/// Rounds an amount, unless nothing of it would be left.
fn money(amount: Money) -> String {
    let rounded = amount.rounded(COST_DIGITS);
    if rounded.bytes().any(|byte| (b'1'..=b'9').contains(&byte)) {
        rounded
    } else {
        amount.to_string()
    }
}

/// Puts cells below each other: the first column to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let mut line = String::from(" ");
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let cell = if at == 0 {
                format!(" {cell:<width$}")
            } else {
                format!("  {cell:>width$}")
            };
            line.push_str(&cell);
        }
        line.truncate(line.trim_end().len());
        line
    };
    rows.iter().map(line).collect()
}
