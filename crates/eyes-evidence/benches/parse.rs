//! Model text to evidence, by wall time: `cargo bench -p eyes-evidence`.
//!
//! The answers are those of the JSON list that `EYES_BENCH_CASES` names when it is built, else one small and one
//! large made here.

use std::fmt;

use eyes_evidence::{
    geometry::PixelSize,
    parse::{ParseContext, parse_evidence},
    record::EvidenceKind,
};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

fn made(lines: usize) -> Value {
    let line = |at: usize| {
        json!({
            "text": format!("Line {at} of the page: 12,345.67 and more"),
            "bbox": [0.05, at as f64 / (lines + 1) as f64, 0.3, 0.01],
            "confidence": 0.97,
        })
    };
    let document = json!({
        "schemaVersion": "deepseekeyes.evidence.v1",
        "summary": "A page of lines.",
        "ocr": (0..lines).map(line).collect::<Vec<_>>(),
        "regions": [], "objects": [], "relations": [], "quantitativeFacts": [], "uncertainties": [],
    });
    json!({ "id": format!("{lines} lines"), "kind": "base", "text": document.to_string() })
}

/// One answer of a model; prints as its id.
struct Case(Value);

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0["id"].as_str().unwrap_or("unnamed"))
    }
}

fn cases() -> Vec<Case> {
    let listed = option_env!("EYES_BENCH_CASES")
        .and_then(|file| std::fs::read_to_string(file).ok())
        .and_then(|text| serde_json::from_str::<Vec<Value>>(&text).ok());
    let cases = listed.unwrap_or_else(|| vec![made(4), made(300)]);
    cases.into_iter().map(Case).collect()
}

#[divan::bench(args = cases())]
fn parse(bencher: divan::Bencher<'_, '_>, Case(case): &Case) {
    let text = case["text"].as_str().expect("a text");
    let context = ParseContext {
        kind: if case["kind"] == "target" {
            EvidenceKind::Target
        } else {
            EvidenceKind::Base
        },
        size: PixelSize {
            width: 1920,
            height: 1080,
        },
        route: case["route"]["model"].as_str(),
    };
    bencher
        .counter(divan::counter::BytesCount::of_str(text))
        .bench(|| parse_evidence(divan::black_box(text), &context));
}
