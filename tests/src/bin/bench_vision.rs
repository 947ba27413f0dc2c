//! Measures model text to evidence: documents per processor second.
//!
//! `cargo xtask bench vision CASES [SCRIPT [ROUNDS]]`: `CASES` is a JSON list of
//! `{id, kind, route: {provider, model}, source: {width, height}, text}`; `SCRIPT` is another implementation's
//! measurement over the same cases, run by Node, which prints `{pipeline: {id: milliseconds}}`. The two run in turns,
//! `ROUNDS` times (3 unless said), and the last columns compare their medians, lowest and highest.

use std::{
    fmt::Write as _,
    fs,
    hint::black_box,
    process::{Command, ExitCode},
};

use eyes_evidence::{
    geometry::PixelSize,
    parse::{ParseContext, parse_evidence},
    record::EvidenceKind,
};
use eyes_tests::program;
use serde_json::Value;

/// Text that one measurement reads at least, in bytes; about half a second.
const BYTES: usize = 60_000_000;

fn main() -> ExitCode {
    program(run)
}

fn run(arguments: &[String]) -> Result<String, String> {
    let (cases, script, rounds) = match arguments {
        [cases] => (cases, None, 1),
        [cases, script] => (cases, Some(script), 3),
        [cases, script, rounds] => {
            let rounds = rounds.parse().map_err(|_| "ROUNDS is a number")?;
            (cases, Some(script), rounds)
        }
        _ => return Err("usage: cargo xtask bench vision CASES [SCRIPT [ROUNDS]]".to_owned()),
    };
    let cases: Vec<Case> = read(cases)?
        .as_array()
        .ok_or("the cases are no list")?
        .iter()
        .map(Case::of)
        .collect::<Result<_, _>>()?;
    let mut figures = vec![Figures::default(); cases.len()];
    for _ in 0..rounds.max(1) {
        let theirs = script.map(|script| theirs(script)).transpose()?;
        for (case, figures) in cases.iter().zip(&mut figures) {
            figures.ours.push(case.measure()?);
            let peer = theirs
                .as_ref()
                .and_then(|theirs| theirs["pipeline"][&case.id].as_f64());
            figures.theirs.extend(peer.map(|ms| ms * 1000.0));
        }
    }
    Ok(table(&cases, &figures))
}

/// Processor microseconds a document, one figure a round.
#[derive(Debug, Clone, Default)]
struct Figures {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn table(cases: &[Case], figures: &[Figures]) -> String {
    let mut table = format!(
        "{:<28}{:>9}{:>14}{:>12}{:>9}{:>16}\n",
        "case", "bytes", "us/document", "docs/cpu-s", "ratio", "lowest-highest"
    );
    for (case, Figures { ours, theirs }) in cases.iter().zip(figures) {
        let micros = median(ours);
        let (ratio, range) = if theirs.is_empty() {
            ("-".to_owned(), "-".to_owned())
        } else {
            let ratios = || theirs.iter().zip(ours).map(|(theirs, ours)| theirs / ours);
            let low = ratios().fold(f64::INFINITY, f64::min);
            let high = ratios().fold(0.0, f64::max);
            (
                format!("{:.1}", median(theirs) / micros),
                format!("{low:.1}-{high:.1}"),
            )
        };
        let _infallible = writeln!(
            table,
            "{:<28}{:>9}{micros:>14.1}{:>12.0}{ratio:>9}{range:>16}",
            case.id,
            case.text.len(),
            1e6 / micros
        );
    }
    table
}

/// Runs the other implementation's measurement.
fn theirs(script: &str) -> Result<Value, String> {
    let output = Command::new("node")
        .arg(script)
        .output()
        .map_err(|error| format!("node: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{script} failed: {said}"));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{script}: {error}"))
}

/// One answer of a model.
struct Case {
    id: String,
    text: String,
    kind: EvidenceKind,
    size: PixelSize,
    route: String,
}

impl Case {
    fn of(case: &Value) -> Result<Self, String> {
        let side = |name: &str| case["source"][name].as_u64().unwrap_or(1) as u32;
        let name = |name: &str| case["route"][name].as_str().unwrap_or_default();
        let text = |name: &str| {
            let text = case[name].as_str().map(str::to_owned);
            text.ok_or_else(|| format!("a case has no {name}"))
        };
        Ok(Self {
            id: text("id")?,
            text: text("text")?,
            kind: if case["kind"] == "target" {
                EvidenceKind::Target
            } else {
                EvidenceKind::Base
            },
            size: PixelSize {
                width: side("width"),
                height: side("height"),
            },
            route: format!("{}/{}", name("provider"), name("model")),
        })
    }

    /// Returns processor microseconds a document.
    fn measure(&self) -> Result<f64, String> {
        let context = ParseContext {
            kind: self.kind,
            size: self.size,
            route: Some(&self.route),
        };
        let text = self.text.as_str();
        let documents = (BYTES / (text.len() + 2000)).max(20);
        // A refused document is a result like any other here.
        let read = || drop(black_box(parse_evidence(black_box(text), &context)));
        for _ in 0..documents / 5 {
            read();
        }
        let before = processor_nanoseconds()?;
        for _ in 0..documents {
            read();
        }
        Ok((processor_nanoseconds()? - before) / 1000.0 / documents as f64)
    }
}

fn read(file: &str) -> Result<Value, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))
}

/// Processor time of this thread (Linux).
fn processor_nanoseconds() -> Result<f64, String> {
    let file = "/proc/thread-self/schedstat";
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let first = text.split(' ').next().and_then(|field| field.parse().ok());
    first.ok_or_else(|| format!("{file}: no number"))
}
