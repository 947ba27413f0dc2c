//! Assertions and outcomes as a report writes them.

use eyes_evidence::{assertion::Check, report::RunText};
use serde_json::{Value, json};

use crate::{
    assertion::AssertionKind,
    secret::RunKey,
    session::{AssertionRecord, Outcome},
};

/// Turns a verdict into the comparison that a report shows; values of fields are digests under the run's key.
pub(super) fn of(record: &AssertionRecord, key: &RunKey) -> Check {
    let shown = |text: &Option<String>| text.clone().map(RunText::shown);
    let expected = shown(&record.expected).unwrap_or_else(|| RunText::shown(""));
    let check = match record.assertion {
        AssertionKind::CountEquals => Check::Count {
            expected: number(record.expected.as_deref()),
            actual: number(record.actual.as_deref()),
        },
        AssertionKind::ValueEquals => {
            let digest = |text: &Option<String>| {
                text.as_ref()
                    .map(|text| RunText::shown(key.digest(text).to_string()))
            };
            Check::TextEquals {
                expected: digest(&record.expected).unwrap_or(expected),
                actual: digest(&record.actual),
            }
        }
        AssertionKind::TextEquals | AssertionKind::UrlEquals | AssertionKind::TitleEquals => {
            Check::TextEquals {
                expected,
                actual: shown(&record.actual),
            }
        }
        AssertionKind::TextContains | AssertionKind::UrlContains | AssertionKind::TitleContains => {
            Check::TextContains {
                expected,
                actual: shown(&record.actual),
            }
        }
        _ => property(record),
    };
    // White space, cuts and secrets were taken out of the texts after they were compared.
    if check.passed() == record.passed {
        check
    } else {
        property(record)
    }
}

const fn property(record: &AssertionRecord) -> Check {
    Check::Property {
        expected: true,
        actual: Some(record.passed),
    }
}

fn number(text: Option<&str>) -> u64 {
    text.unwrap_or("").trim().parse().unwrap_or(0)
}

/// Writes an outcome for the log; values of fields that were compared are digests.
pub(super) fn outcome(outcome: &Outcome, key: &RunKey) -> Value {
    let hide = |record: &AssertionRecord| {
        let mut record = record.clone();
        if record.assertion == AssertionKind::ValueEquals {
            for text in [&mut record.expected, &mut record.actual]
                .into_iter()
                .flatten()
            {
                *text = key.digest(text).to_string();
            }
        }
        record
    };
    match outcome {
        Outcome::None => Value::Null,
        Outcome::Assertion(record) => json!(Outcome::Assertion(hide(record))),
        Outcome::Batch {
            steps,
            total,
            stopped,
        } => {
            let mut steps = steps.clone();
            for step in &mut steps {
                step.assertion = step.assertion.as_ref().map(hide);
            }
            json!(Outcome::Batch {
                steps,
                total: *total,
                stopped: *stopped,
            })
        }
        other => json!(other),
    }
}
