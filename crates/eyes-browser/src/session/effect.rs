//! What is known of the effect of an action, from what the driver checked and what is different now.

use eyes_evidence::code::Coded as _;

use super::{BatchStep, Effect, Outcome, StepResult};
use crate::{
    action::Action,
    codes,
    driver::{Performed, Settled},
    error::BrowserError,
};

/// A command that was done, and what was seen of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Acted {
    pub(super) performed: Performed,
    pub(super) settled: Settled,
}

/// Tells the effect of a call.
pub(super) fn of(
    action: &Action,
    error: Option<&BrowserError>,
    acted: Option<&Acted>,
    result: &StepResult,
) -> Effect {
    if let Outcome::Batch { steps, .. } = &result.outcome {
        return of_batch(steps);
    }
    match (error, acted) {
        (Some(error), None) if error.began() => Effect::Unverifiable,
        // A condition that did not come in time: nothing was refused.
        (Some(error), None) if action.only_reads() && is_timeout(error) => Effect::Unverifiable,
        (Some(_), None) => Effect::Refused,
        (None, None) => Effect::Confirmed,
        (_, Some(acted)) => of_command(action, acted, result),
    }
}

fn is_timeout(error: &BrowserError) -> bool {
    error.code() == codes::BROWSER_TIMEOUT
}

/// The effect of a batch is the least certain one of the steps that were done.
fn of_batch(steps: &[BatchStep]) -> Effect {
    let done = steps.iter().map(|step| step.effect);
    let done: Vec<Effect> = done.filter(|effect| *effect != Effect::Refused).collect();
    for effect in [
        Effect::Unverifiable,
        Effect::SuspectedNoOp,
        Effect::Confirmed,
    ] {
        if done.contains(&effect) {
            return effect;
        }
    }
    Effect::Refused
}

fn of_command(action: &Action, acted: &Acted, result: &StepResult) -> Effect {
    let Acted { performed, settled } = acted;
    match performed.verified {
        Some(true) => return Effect::Confirmed,
        // The page may have answered by going elsewhere: then the field could not be read any more.
        Some(false) if !settled.navigated => return Effect::SuspectedNoOp,
        _ => {}
    }
    let Some(state) = &result.state else {
        return Effect::Unverifiable;
    };
    // Another document, or a dialog: there is nothing to compare.
    if settled.navigated || settled.surroundings || state.page.dialog.is_some() {
        return Effect::Confirmed;
    }
    match (action, &result.change) {
        (Action::Dialog { .. }, _) => Effect::Confirmed,
        (_, Some(change)) if change.is_visible() => Effect::Confirmed,
        // Holding a key and resting the pointer often do nothing that can be seen.
        (Action::Hover { .. } | Action::KeyDown(_) | Action::KeyUp(_) | Action::Pdf, _) => {
            Effect::Unverifiable
        }
        _ if settled.any() => Effect::Unverifiable,
        (_, None) => Effect::Unverifiable,
        _ => Effect::SuspectedNoOp,
    }
}
