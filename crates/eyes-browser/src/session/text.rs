//! Results as text for a model.

use std::fmt::Write as _;

use super::result::{AssertionRecord, Outcome, StepResult};
use crate::state::{Detail, MARKER, plain, quoted, render_change, render_full};

/// Steps of a batch that its text lists, the last ones.
const LISTED_STEPS: usize = 10;

impl StepResult {
    /// Writes the result for a model: the marker, what came of the call, and the state or what changed.
    ///
    /// At most so many bytes as the settings of the session say.
    pub fn text(&self) -> String {
        let mut text = format!("{MARKER}\n");
        self.verdict(&mut text);
        outcome(&mut text, &self.outcome);
        if let Some(delivery) = self.delivery.filter(|d| d.delivered) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "picture follows: {}", delivery.reason);
        }
        let detail = Detail {
            max_bytes: self.max_bytes.saturating_sub(text.len()),
            rich: self.rich,
        };
        match (&self.state, &self.change) {
            (Some(state), Some(change)) => text.push_str(&render_change(state, change, detail)),
            (Some(state), None) => text.push_str(&render_full(state, detail)),
            (None, _) => {
                if let Some(current) = self.current {
                    let _ = writeln!(text, "state {current} is still the newest");
                }
            }
        }
        text
    }

    fn verdict(&self, text: &mut String) {
        let action = self.action.map_or("call", |action| action.as_str());
        let ok = if self.ok { "ok" } else { "not done" };
        let effect = self.effect.as_str();
        let _ = writeln!(text, "{action}: {ok}, effect {effect}");
        if let Some(failure) = &self.failure {
            let (message, hint) = (plain(&failure.message, 600), plain(&failure.hint, 200));
            let _ = writeln!(text, "{}: {message}\nhint: {hint}", failure.code);
        }
    }
}

fn assertion(record: &AssertionRecord) -> String {
    let mut line = format!(
        "assertion {} {}",
        record.assertion.as_str(),
        if record.passed {
            "holds"
        } else {
            "does not hold"
        }
    );
    let mut add = |name: &str, text: &Option<String>| {
        if let Some(text) = text {
            let _ = write!(line, " {name} {}", quoted(text, 120));
        }
    };
    add("of", &record.target);
    add("expected", &record.expected);
    add("actual", &record.actual);
    if let Some(note) = record.note {
        let _ = write!(line, " ({note})");
    }
    line
}

fn outcome(text: &mut String, outcome: &Outcome) {
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    match outcome {
        Outcome::None | Outcome::Closed => {}
        Outcome::Selected { options } => {
            let options: Vec<_> = options.iter().take(20).map(|o| quoted(o, 60)).collect();
            line(format!("selected {}", options.join(", ")));
        }
        Outcome::Waited { ms } => line(format!("waited {ms} ms")),
        Outcome::Assertion(record) => line(assertion(record)),
        Outcome::Pdf { sha256, bytes, .. } => line(format!("pdf {bytes} bytes sha256 {sha256}")),
        Outcome::Zoom { origin, scale } => line(format!(
            "zoom from {},{} scale {}",
            origin.x.round(),
            origin.y.round(),
            crate::state::rounded(*scale)
        )),
        Outcome::Report {
            path,
            verdict,
            assertions,
            failures,
        } => {
            let path = path
                .as_ref()
                .map_or_else(String::new, |p| format!(" {}", quoted(p, 300)));
            line(format!(
                "report {verdict}: {failures} of {assertions} assertions do not hold{path}"
            ));
        }
        Outcome::Batch {
            steps,
            total,
            stopped,
        } => {
            let end = stopped.map_or_else(String::new, |why| format!(", stopped: {why}"));
            line(format!("batch: {} of {total} steps ran{end}", steps.len()));
            // The last steps tell where it stands; the first of a long batch went well, or it had stopped.
            let skip = steps.len().saturating_sub(LISTED_STEPS);
            for (at, step) in steps.iter().enumerate().skip(skip) {
                let failure = step.failure.as_ref().map_or_else(String::new, |failure| {
                    format!(" {}: {}", failure.code, plain(&failure.message, 120))
                });
                let verdict = step.assertion.as_ref().map_or_else(String::new, |record| {
                    format!(" {}", plain(&assertion(record), 120))
                });
                let (action, effect) = (step.action.as_str(), step.effect.as_str());
                line(format!("  {} {action} {effect}{failure}{verdict}", at + 1));
            }
        }
    }
}
