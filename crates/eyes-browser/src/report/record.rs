//! What a session notes of its run.

use eyes_evidence::{
    assertion::Assertion,
    image::MediaType,
    ports::Clock,
    provenance::Timestamp,
    report::{
        Outcome as Ending, Report, ReportArguments, ReportArtifact, ReportEvent, ReportParts,
        ReportText, Verdict,
    },
    state::{RunId, StateId},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{BrowserReport, PageTrouble, check, replay::ReplayStep};
use crate::{
    action::ActionName,
    driver::{Capabilities, ConsoleLevel, Diagnostics},
    limits::MAX_EVENTS,
    picture::Shot,
    secret::RunKey,
    session::{AssertionRecord, Effect, Outcome, StepResult},
};

/// The version of the files of a run.
pub const RUN_VERSION: u64 = 1;

/// What begins the files of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunHeader {
    /// The version of its files.
    pub version: u64,
    /// The run.
    pub run_id: RunId,
    /// When it began.
    pub created_at: Timestamp,
    /// The browser and its version.
    pub browser: String,
    /// How it is driven.
    pub protocol: String,
}

/// A picture of a step, by the digest of its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepPicture {
    /// SHA-256 of the file, which is its name.
    pub sha256: String,
    /// Where it lies in the whole picture: left, upper edge, width, height.
    pub rect: [u32; 4],
}

/// One step of a run as a person reads it: typed texts and keys are digests.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunStep {
    /// Counted from 1.
    pub sequence: u64,
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// The action with its arguments.
    pub action: Value,
    /// Whether it did what was asked for.
    pub ok: bool,
    /// What is known of its effect.
    pub effect: String,
    /// The code of its failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// What was wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What else it came to.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub outcome: Value,
    /// The state it was grounded in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grounded_in: Option<StateId>,
    /// The state that was observed afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<StateId>,
    /// The address afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The title afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<StepPicture>,
}

/// A step that began.
#[derive(Debug, Clone)]
pub struct Event {
    sequence: u64,
    at: Timestamp,
    begun_ms: u64,
    grounded_in: Option<StateId>,
}

impl Event {
    /// Notes the state that the step is grounded in, once that is known.
    pub const fn ground(&mut self, state: Option<StateId>) {
        self.grounded_in = state;
    }
}

/// Everything that a session notes of its run.
#[derive(Debug)]
pub struct Recorder {
    run: RunId,
    created_at: Timestamp,
    sequence: u64,
    header: Option<RunHeader>,
    events: Vec<ReportEvent>,
    assertions: Vec<(AssertionRecord, Assertion)>,
    artifacts: Vec<ReportArtifact>,
    pictures: Vec<StepPicture>,
    trouble: PageTrouble,
}

impl Recorder {
    /// Begins the notes of a run.
    pub fn new(run: &RunId, clock: &dyn Clock) -> Self {
        Self {
            run: run.clone(),
            created_at: clock.now(),
            sequence: 0,
            header: None,
            events: Vec::new(),
            assertions: Vec::new(),
            artifacts: Vec::new(),
            pictures: Vec::new(),
            trouble: PageTrouble::default(),
        }
    }

    /// Notes that a step begins.
    pub fn begin(&mut self, clock: &dyn Clock) -> Event {
        self.sequence += 1;
        self.pictures.clear();
        Event {
            sequence: self.sequence,
            at: clock.now(),
            begun_ms: clock.unix_ms(),
            grounded_in: None,
        }
    }

    /// Notes which browser it is, and returns the header the first time.
    pub fn launched(&mut self, capabilities: &Capabilities) -> Option<RunHeader> {
        if self.header.is_some() {
            return None;
        }
        self.header = Some(RunHeader {
            version: RUN_VERSION,
            run_id: self.run.clone(),
            created_at: self.created_at.clone(),
            browser: capabilities.browser.clone(),
            protocol: capabilities.protocol.to_owned(),
        });
        self.header.clone()
    }

    /// Counts what went wrong in the page.
    pub fn heard(&mut self, said: &Diagnostics) {
        let count = |level: ConsoleLevel| {
            let lines = said.console.iter().filter(|line| line.level == level);
            lines.count() as u64
        };
        self.trouble.exceptions += count(ConsoleLevel::Exception);
        self.trouble.console_errors += count(ConsoleLevel::Error);
        self.trouble.failed_requests += u64::from(said.failed_total);
    }

    /// Notes a picture of the running step.
    pub fn pictured(&mut self, shot: &Shot) {
        for part in &shot.parts {
            let rect = part.rect;
            self.pictures.push(StepPicture {
                sha256: part.sha256.to_string(),
                rect: [rect.x, rect.y, rect.width, rect.height],
            });
        }
        if self.artifacts.len() < MAX_EVENTS {
            self.artifacts.push(ReportArtifact {
                sha256: shot.proof.sha256,
                pixel_sha256: Some(shot.proof.pixel_sha256),
                bytes: shot.original.len() as u64,
                media_type: Some(MediaType::Png),
                state_id: None,
            });
        }
    }

    /// Notes how a step ended, and returns the line for the log.
    pub fn end(
        &mut self,
        event: Event,
        arguments: Map<String, Value>,
        result: &StepResult,
        (key, clock): (&RunKey, &dyn Clock),
    ) -> RunStep {
        let duration_ms = clock.unix_ms().saturating_sub(event.begun_ms);
        self.note_assertions(result, key, clock);
        let observed = result.state.as_ref().map(|state| state.state_id);
        if let (Some(last), true) = (self.artifacts.last_mut(), !self.pictures.is_empty()) {
            last.state_id = last.state_id.or(observed);
        }
        if self.events.len() < MAX_EVENTS && result.action != Some(ActionName::Report) {
            self.events.push(ReportEvent {
                sequence: event.sequence,
                at: event.at.clone(),
                duration_ms,
                action: ReportText::new(result.action.map_or("", ActionName::as_str)),
                arguments: ReportArguments::redacted(&flat(&arguments), &[]),
                outcome: ending(result),
                grounded_in: event.grounded_in,
                observed,
            });
        }
        let page = result.state.as_ref().map(|state| &state.page);
        RunStep {
            sequence: event.sequence,
            at: event.at,
            duration_ms,
            action: Value::Object(arguments),
            ok: result.ok,
            effect: result.effect.as_str().to_owned(),
            code: result.code().map(|code| code.as_str().to_owned()),
            message: result
                .failure
                .as_ref()
                .map(|failure| failure.message.clone()),
            outcome: check::outcome(&result.outcome, key),
            grounded_in: event.grounded_in,
            observed,
            url: page.map(|page| page.url.clone()),
            title: page.map(|page| page.title.clone()),
            pictures: std::mem::take(&mut self.pictures),
        }
    }

    /// Notes assertions; one that is made again takes the place of the one before.
    fn note_assertions(&mut self, result: &StepResult, key: &RunKey, clock: &dyn Clock) {
        let Some(state) = &result.state else { return };
        let records: Vec<&AssertionRecord> = match &result.outcome {
            Outcome::Assertion(record) => vec![record],
            Outcome::Batch { steps, .. } => steps
                .iter()
                .filter_map(|step| step.assertion.as_ref())
                .collect(),
            _ => Vec::new(),
        };
        for record in records {
            let assertion = Assertion {
                kind: ReportText::new(record.assertion.as_str()),
                target: record.target.as_deref().map(ReportText::new),
                check: check::of(record, key),
                state_id: state.state_id,
                screenshot_sha256: state.evidence_sha256,
                at: clock.now(),
            };
            self.assertions.retain(|(known, _)| {
                (known.assertion, &known.target, &known.expected)
                    != (record.assertion, &record.target, &record.expected)
            });
            if self.assertions.len() < MAX_EVENTS {
                self.assertions.push((record.clone(), assertion));
            }
        }
    }

    /// Makes the report of everything so far.
    pub fn report(&self, clock: &dyn Clock, exceptions_fail: bool) -> BrowserReport {
        let report = Report::from(ReportParts {
            run_id: self.run.clone(),
            created_at: self.created_at.clone(),
            generated_at: clock.now(),
            events: self.events.clone(),
            assertions: self
                .assertions
                .iter()
                .map(|(_, made)| made.clone())
                .collect(),
            artifacts: self.artifacts.clone(),
        });
        let thrown = exceptions_fail && self.trouble.exceptions > 0;
        let conclusion = if thrown {
            Verdict::Failed
        } else {
            report.verdict()
        };
        BrowserReport {
            report,
            surface: "browser",
            browser: self.header.as_ref().map(|header| header.browser.clone()),
            trouble: self.trouble,
            exceptions_fail,
            conclusion,
        }
    }

    /// Returns what repeats a step, as the log keeps it.
    pub fn replay(event: &Event, action: Result<Value, String>, result: &StepResult) -> ReplayStep {
        ReplayStep::new(event.sequence, action, result)
    }
}

/// How a call ended, in the words of reports.
fn ending(result: &StepResult) -> Ending {
    match (&result.failure, result.effect) {
        (None, Effect::Confirmed) => Ending::Confirmed,
        (None, _) => Ending::Unverified,
        (Some(failure), Effect::Refused) => {
            if failure.code == eyes_evidence::codes::STALE_BROWSER_STATE {
                Ending::Stale
            } else {
                Ending::Refused {
                    code: failure.code.into(),
                }
            }
        }
        (Some(failure), _) => Ending::Failed {
            code: failure.code.into(),
            message: ReportText::new(&failure.message),
        },
    }
}

/// Writes lists and objects as text: a report would turn them into digests.
fn flat(arguments: &Map<String, Value>) -> Map<String, Value> {
    let flat = |value: &Value| match value {
        Value::Array(_) | Value::Object(_) => Value::String(value.to_string()),
        other => other.clone(),
    };
    let entries = arguments.iter().filter(|(name, _)| *name != "action");
    entries
        .map(|(name, value)| (name.clone(), flat(value)))
        .collect()
}
