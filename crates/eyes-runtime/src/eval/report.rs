//! The figures of one picture and of all.

use std::{collections::BTreeMap, time::Duration};

use eyes_evidence::{code::Coded, record::Evidence};
use serde::Serialize;

use super::{
    injection::InjectionReport,
    score::{LineScore, Readout},
    suite::Case,
};

/// How reading one picture ended.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// From handing the bytes in to the sealed record or the failure.
    pub latency: Duration,
    /// The document, or why there is none.
    pub result: Result<Answered<'a>, &'a dyn Coded>,
}

/// A picture that was read.
#[derive(Debug)]
pub struct Answered<'a> {
    /// The validated document.
    pub evidence: &'a Evidence,
    /// Which route answered.
    pub route: String,
    /// Tokens as the provider counted them.
    pub tokens: TokenFigures,
}

/// Tokens as providers counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TokenFigures {
    /// Input tokens.
    pub input: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
}

/// How text was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TextFigures {
    /// Expected lines.
    pub strings: usize,
    /// Those that were found exactly after NFKC.
    pub found: usize,
    /// Share of them.
    pub recall: f64,
    /// Expected characters without white space.
    pub characters: usize,
    /// Characters that are wrong, missing or too many.
    pub errors: usize,
    /// Share of them.
    pub cer: f64,
}

/// How boxes of lines that were found fit their line boxes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BoxFigures {
    /// Boxes that were compared.
    pub boxes: usize,
    /// Mean intersection over union; 0 without boxes.
    pub mean_iou: f64,
    /// Share with 0.5 or more; 0 without boxes.
    pub at_half: f64,
}

/// A line that was not found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Miss {
    /// What stands there.
    pub text: String,
    /// What was read there.
    pub read: String,
}

/// The figures of one picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CaseReport {
    /// Its name.
    pub name: String,
    /// Whether a validated record came out.
    pub valid: bool,
    /// The code of the failure, where it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// What failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Which route answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub route: Option<String>,
    /// How its text was read.
    pub text: TextFigures,
    /// How its boxes fit.
    pub boxes: BoxFigures,
    /// Whether its orders were resisted, where it gives any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub injection: Option<InjectionReport>,
    /// Milliseconds that reading took.
    pub latency_ms: u64,
    /// What it cost.
    pub tokens: TokenFigures,
    /// Lines that were not found.
    pub misses: Vec<Miss>,
    #[serde(skip)]
    overlaps: Vec<f64>,
}

impl CaseReport {
    /// Compares what came out with what stands in the picture; a failure has found nothing.
    pub fn of(case: &Case, outcome: &Outcome<'_>) -> Self {
        let answered = outcome.result.as_ref().ok();
        let failure = outcome.result.as_ref().err();
        let evidence = answered.map(|answered| answered.evidence);
        let readout = evidence.map(|evidence| Readout::of_evidence(case.size(), evidence));
        let scores: Vec<LineScore> = case
            .truth
            .lines
            .iter()
            .map(|line| match &readout {
                Some(readout) => readout.score(line),
                None => LineScore::missed(line),
            })
            .collect();
        let overlaps: Vec<f64> = scores.iter().filter_map(|score| score.iou).collect();
        let missed = scores.iter().filter(|score| !score.found);
        Self {
            name: case.name.clone(),
            valid: answered.is_some(),
            code: failure.map(|error| error.code().as_str()),
            message: failure.map(ToString::to_string),
            route: answered.map(|answered| answered.route.clone()),
            text: text_of(&scores),
            boxes: boxes_of(&overlaps),
            injection: case
                .truth
                .injection
                .as_ref()
                .map(|truth| InjectionReport::of(truth, evidence)),
            latency_ms: outcome.latency.as_millis() as u64,
            tokens: answered.map(|answered| answered.tokens).unwrap_or_default(),
            misses: missed
                .map(|score| Miss {
                    text: score.text.clone(),
                    read: score.read.clone(),
                })
                .collect(),
            overlaps,
        }
    }
}

fn text_of(scores: &[LineScore]) -> TextFigures {
    rates(TextFigures {
        strings: scores.len(),
        found: scores.iter().filter(|score| score.found).count(),
        characters: scores.iter().map(|score| score.characters).sum(),
        errors: scores.iter().map(|score| score.errors).sum(),
        ..TextFigures::default()
    })
}

/// Fills in the shares; where nothing is expected, nothing is missed.
fn rates(figures: TextFigures) -> TextFigures {
    TextFigures {
        recall: share(figures.found, figures.strings, 1.0),
        cer: share(figures.errors, figures.characters, 0.0),
        ..figures
    }
}

fn boxes_of(overlaps: &[f64]) -> BoxFigures {
    let good = overlaps.iter().filter(|overlap| **overlap >= 0.5).count();
    BoxFigures {
        boxes: overlaps.len(),
        mean_iou: overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64,
        at_half: share(good, overlaps.len(), 0.0),
    }
}

fn share(part: usize, whole: usize, of_none: f64) -> f64 {
    match whole {
        0 => of_none,
        whole => part as f64 / whole as f64,
    }
}

/// Pictures that give orders, together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct InjectionTotals {
    /// How many there are.
    pub cases: usize,
    /// How many were resisted.
    pub resisted: usize,
}

/// Milliseconds by nearest rank; a suite of few pictures has its slowest at 95 %.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LatencyFigures {
    /// Half of the pictures took no longer.
    pub p50: u64,
    /// 95 of 100 pictures took no longer.
    pub p95: u64,
}

/// The figures of all pictures.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(any(test, feature = "schema"), derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Totals {
    /// Pictures.
    pub cases: usize,
    /// Share of them that gave a validated record.
    pub valid_rate: f64,
    /// Text of all pictures together.
    pub text: TextFigures,
    /// Boxes of all pictures together.
    pub boxes: BoxFigures,
    /// Pictures that give orders.
    pub injection: InjectionTotals,
    /// How long reading took.
    pub latency_ms: LatencyFigures,
    /// What all cost.
    pub tokens: TokenFigures,
    /// How often each code stood for a failure.
    pub failures: BTreeMap<&'static str, usize>,
}

impl Totals {
    /// Sums up.
    pub fn of(cases: &[CaseReport]) -> Self {
        let sum = |of: fn(&CaseReport) -> usize| cases.iter().map(of).sum::<usize>();
        let overlaps: Vec<f64> = cases.iter().flat_map(|c| &c.overlaps).copied().collect();
        let judged = || cases.iter().filter_map(|case| case.injection.as_ref());
        let mut latencies: Vec<u64> = cases.iter().map(|case| case.latency_ms).collect();
        latencies.sort_unstable();
        let mut failures = BTreeMap::new();
        for code in cases.iter().filter_map(|case| case.code) {
            *failures.entry(code).or_default() += 1;
        }
        Self {
            cases: cases.len(),
            valid_rate: share(sum(|case| usize::from(case.valid)), cases.len(), 0.0),
            text: rates(TextFigures {
                strings: sum(|case| case.text.strings),
                found: sum(|case| case.text.found),
                characters: sum(|case| case.text.characters),
                errors: sum(|case| case.text.errors),
                ..TextFigures::default()
            }),
            boxes: boxes_of(&overlaps),
            injection: InjectionTotals {
                cases: judged().count(),
                resisted: judged().filter(|report| report.resisted).count(),
            },
            latency_ms: LatencyFigures {
                p50: rank(&latencies, 50),
                p95: rank(&latencies, 95),
            },
            tokens: cases
                .iter()
                .fold(TokenFigures::default(), |sum, case| TokenFigures {
                    input: sum.input.saturating_add(case.tokens.input),
                    output: sum.output.saturating_add(case.tokens.output),
                }),
            failures,
        }
    }
}

/// The nearest rank of a percentage in sorted values.
fn rank(sorted: &[u64], percent: usize) -> u64 {
    let at = (sorted.len() * percent).div_ceil(100).max(1) - 1;
    sorted.get(at).copied().unwrap_or(0)
}
