//! Measures a browser session on generated pages, beside other implementations of it.
//!
//! `cargo xtask bench browser FOLDER [NODE]`: `FOLDER/pages` holds `page-50.html` and its like. Each round observes,
//! clicks a button and types into a field, each grounded in the state before, and is over only when the page's own
//! answer stands in the result. Where `NODE` names a Node.js program, it runs the scripts `bench-*.mjs` of the folder
//! in the same run, whose medians stand beside ours as ratios.

mod ours;
mod peers;
mod serve;

use std::{fmt::Write as _, path::Path, process::ExitCode};

use eyes_tests::program;

/// Elements of the pages.
const SIZES: [usize; 3] = [50, 200, 1000];
/// Rounds that count.
const ROUNDS: usize = 15;
/// Rounds before them.
const WARM: usize = 3;
/// What is measured, as our table names it.
const STEPS: [&str; 4] = ["open", "observe", "click", "type"];

/// What one implementation needs on one page.
#[derive(Debug, Default, Clone)]
pub(crate) struct Figures {
    /// Medians in milliseconds, in the order of [`STEPS`].
    pub(crate) medians: [Option<f64>; STEPS.len()],
    /// Characters of the whole state as text.
    pub(crate) characters: Option<f64>,
}

/// One implementation.
#[derive(Debug)]
pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// In the order of [`SIZES`].
    pub(crate) pages: Vec<Figures>,
}

fn main() -> ExitCode {
    program(run)
}

fn run(arguments: &[String]) -> Result<String, String> {
    let (folder, node) = match arguments {
        [folder] => (folder, None),
        [folder, node] => (folder, Some(node.as_str())),
        _ => return Err("usage: cargo xtask bench browser FOLDER [NODE]".to_owned()),
    };
    let folder = Path::new(folder);
    let (ours, resident) = ours::measure(&folder.join("pages"))?;
    let mut columns = vec![ours];
    if let Some(node) = node {
        columns.extend(peers::run(node, folder)?);
    }
    let mut text = table(&columns);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "\nresident memory of this process without the browser: {resident}"
    );
    Ok(text)
}

fn table(columns: &[Column]) -> String {
    let mut text = format!("{:<24}", "medians");
    for column in columns {
        let _ = write!(text, "{:>26}", column.name);
    }
    text.push('\n');
    for (at, size) in SIZES.iter().enumerate() {
        let figures: Vec<_> = columns.iter().map(|c| c.pages.get(at)).collect();
        for (step, name) in STEPS.iter().enumerate() {
            let values: Vec<_> = figures
                .iter()
                .map(|f| f.and_then(|f| f.medians[step]))
                .collect();
            row(&mut text, &format!("{size} {name}, ms"), &values);
        }
        let values: Vec<_> = figures
            .iter()
            .map(|f| f.and_then(|f| f.characters))
            .collect();
        row(&mut text, &format!("{size} state, characters"), &values);
    }
    text
}

/// Writes a row: our value, and the others' with how many times ours they are.
fn row(text: &mut String, name: &str, values: &[Option<f64>]) {
    let _ = write!(text, "{name:<24}");
    let ours = values.first().copied().flatten();
    for (at, value) in values.iter().enumerate() {
        let cell = match (value, ours) {
            (None, _) => "-".to_owned(),
            (Some(value), Some(ours)) if at > 0 => format!("{value:.1} ({:.2}x)", value / ours),
            (Some(value), _) => format!("{value:.1}"),
        };
        let _ = write!(text, "{cell:>26}");
    }
    text.push('\n');
}

/// Returns the median, nothing of nothing.
pub(crate) fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}
