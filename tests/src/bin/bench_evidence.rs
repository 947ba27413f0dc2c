//! Measures model text to evidence: documents per processor second.
//!
//! `cargo xtask bench evidence CASES [PEER]`: `CASES` is a JSON list of
//! `{id, kind, route: {provider, model}, source: {width, height}, text}`; `PEER` is the result file of another
//! implementation over the same cases, `{pipeline: {id: milliseconds}}`, for the ratio in the last column.

use std::{fmt::Write as _, fs, hint::black_box, io, io::Write as _, process::ExitCode};

use eyes_evidence::{
    geometry::PixelSize,
    parse::{ParseContext, parse_evidence},
    record::EvidenceKind,
};
use serde_json::Value;

/// Text that one measurement reads at least, in bytes; about half a second.
const BYTES: usize = 60_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) if io::stdout().write_all(text.as_bytes()).is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            drop(io::stderr().write_all(format!("error: {failure}\n").as_bytes()));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<String, String> {
    let [cases, peer @ ..] = arguments else {
        return Err("usage: cargo xtask bench evidence CASES [PEER]".to_owned());
    };
    let cases = read(cases)?;
    let peer = peer.first().map(|file| read(file)).transpose()?;
    let mut table = format!(
        "{:<28}{:>9}{:>14}{:>12}{:>9}\n",
        "case", "bytes", "us/document", "docs/cpu-s", "ratio"
    );
    for case in cases.as_array().ok_or("the cases are no list")? {
        let id = case["id"].as_str().ok_or("a case has no id")?;
        let text = case["text"].as_str().ok_or("a case has no text")?;
        let micros = measure(case, text)?;
        let theirs = peer.as_ref().and_then(|peer| peer["pipeline"][id].as_f64());
        let ratio = theirs.map_or_else(
            || "-".to_owned(),
            |ms| format!("{:.1}", ms * 1000.0 / micros),
        );
        let _infallible = writeln!(
            table,
            "{id:<28}{:>9}{micros:>14.1}{:>12.0}{ratio:>9}",
            text.len(),
            1e6 / micros
        );
    }
    Ok(table)
}

fn read(file: &str) -> Result<Value, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))
}

/// Returns processor microseconds a document.
fn measure(case: &Value, text: &str) -> Result<f64, String> {
    let side = |name: &str| case["source"][name].as_u64().unwrap_or(1) as u32;
    let name = |name: &str| case["route"][name].as_str().unwrap_or_default();
    let route = format!("{}/{}", name("provider"), name("model"));
    let context = ParseContext {
        kind: if case["kind"] == "target" {
            EvidenceKind::Target
        } else {
            EvidenceKind::Base
        },
        size: PixelSize {
            width: side("width"),
            height: side("height"),
        },
        route: Some(&route),
    };
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

/// Processor time of this thread (Linux).
fn processor_nanoseconds() -> Result<f64, String> {
    let file = "/proc/thread-self/schedstat";
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let first = text.split(' ').next().and_then(|field| field.parse().ok());
    first.ok_or_else(|| format!("{file}: no number"))
}
