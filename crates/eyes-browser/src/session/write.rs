//! What a session writes down of its steps.

use std::time::Duration;

use eyes_evidence::report::Verdict;
use tokio::time::Instant;

use super::{
    Effect, Outcome, StepResult,
    core::{Core, Done},
};
use crate::{
    action::{Action, Request, Target, target_of, to_json},
    driver::{NodeTarget, Query},
    error::BrowserError,
    picture::Shot,
    report::{Aimed, Event, EventWriter, Recorder, file_name, replayable},
};

/// What has to be known of a step before it runs, to repeat it in another run.
#[derive(Debug, Default)]
pub(super) struct Aim {
    aimed: Aimed,
    into_secret: bool,
}

impl Core {
    /// Notes what the refs of an action stand for, while they still do; nothing without a log.
    pub(super) async fn aimed(&self, action: &Action) -> Aim {
        let mut aim = Aim::default();
        if self.parts.log.is_none() {
            return aim;
        }
        let mut refs = Vec::new();
        let mut add = |target: Option<&Target>| {
            if let Some(Target::Ref(reference)) = target {
                refs.push(*reference);
            }
        };
        match action {
            Action::Batch(steps) => {
                for step in steps {
                    add(target_of(&step.action));
                }
            }
            Action::Drag { from, to } => {
                add(Some(from));
                add(Some(to));
            }
            other => add(target_of(other)),
        }
        let page = self.machine.newest().map(|state| &state.page);
        aim.into_secret = page.is_some_and(|page| {
            let mut elements = page.elements.iter();
            elements.any(|e| e.flags.secret && (refs.contains(&e.reference) || e.flags.focused))
        });
        for reference in refs {
            if let Ok(node) = self.machine.node(reference)
                && let Some(target) = self.named(node).await
            {
                aim.aimed.insert(reference, target);
            }
        }
        aim
    }

    /// Names an element by role and name, and its place among several.
    async fn named(&self, node: &NodeTarget) -> Option<Target> {
        let print = &node.fingerprint;
        let query = Query::Role {
            role: print.role.clone(),
            name: (!print.name.is_empty()).then(|| print.name.clone()),
            exact: true,
        };
        let deadline = Instant::now() + Duration::from_secs(1);
        let found = self.find(&query, deadline).await.ok()?;
        let at = found.iter().position(|other| other.key == node.key)?;
        let nth = (found.len() > 1).then_some(at as u32 + 1);
        Some(Target::Search { query, nth })
    }

    /// Keeps a picture: the original private, what is delivered for the report.
    pub(super) fn keep_shot(&mut self, shot: &Shot) -> Result<(), BrowserError> {
        if let Some(artifacts) = &self.parts.artifacts {
            artifacts
                .put(&shot.original)
                .map_err(|error| BrowserError::Persist(error.to_string()))?;
        }
        if let Some(log) = &self.parts.log {
            for part in &shot.parts {
                log.picture(&part.sha256, &part.png)
                    .map_err(BrowserError::Persist)?;
            }
        }
        self.recorder.pictured(shot);
        Ok(())
    }

    /// Notes how a step ended; a log that cannot be written makes the result say so.
    pub(super) fn write_down(
        &mut self,
        event: Event,
        aim: &Aim,
        request: &Request,
        result: &mut StepResult,
    ) {
        let mut writer = EventWriter {
            key: &self.key,
            secrets: &self.secrets,
        };
        let mut arguments = to_json(&request.action, &mut writer);
        for value in arguments.values_mut() {
            scrub(value, |text| self.secrets.scrub(text));
        }
        let replay = self.parts.log.as_ref().map(|log| {
            let action = replayable(&request.action, &aim.aimed, &self.secrets, aim.into_secret);
            (log, Recorder::replay(&event, action, result))
        });
        let clock = &*self.parts.clock;
        let step = self
            .recorder
            .end(event, arguments, result, (&self.key, clock));
        if let Some((log, replay)) = replay {
            let written = log.step(&step).and_then(|()| log.replay(&replay));
            if let Err(why) = written {
                let error = BrowserError::Persist(why);
                result.failure = result.failure.take().or_else(|| Some(self.failure(&error)));
                result.ok = false;
                if result.effect == Effect::Confirmed {
                    result.effect = Effect::Unverifiable;
                }
            }
        }
    }

    /// Writes the report of everything so far.
    pub(super) fn report(&mut self, name: Option<&str>) -> Result<Done, BrowserError> {
        let clock = &*self.parts.clock;
        let report = self
            .recorder
            .report(clock, self.parts.settings.exceptions_fail);
        let path = match &self.parts.log {
            None => None,
            Some(log) => {
                let json = serde_json::to_vec_pretty(&report)
                    .map_err(|error| BrowserError::Persist(error.to_string()))?;
                let path = log.report(&file_name(name), &json);
                Some(path.map_err(BrowserError::Persist)?)
            }
        };
        let totals = report.totals();
        let mut done = if self.page.is_some() {
            Done::looked()
        } else {
            Done::default()
        };
        done.outcome = Outcome::Report {
            path: path.map(|path| path.display().to_string()),
            verdict: match report.conclusion() {
                Verdict::Passed => "passed",
                Verdict::Failed => "failed",
                Verdict::Unasserted => "unasserted",
            },
            assertions: totals.assertions,
            failures: totals.assertion_failures,
        };
        Ok(done)
    }
}

/// Applies `clean` to every text of a value.
fn scrub(value: &mut serde_json::Value, clean: impl Fn(&mut String) + Copy) {
    match value {
        serde_json::Value::String(text) => clean(text),
        serde_json::Value::Array(list) => list.iter_mut().for_each(|value| scrub(value, clean)),
        serde_json::Value::Object(map) => map.values_mut().for_each(|value| scrub(value, clean)),
        _ => {}
    }
}
