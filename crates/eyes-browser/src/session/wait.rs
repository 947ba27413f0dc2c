//! Waiting for a condition: looked at again whenever the page moved.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    Outcome,
    act::late,
    core::{Core, Done},
};
use crate::{
    action::{Condition, Target},
    driver::{DownloadState, Node, Query, Scope, Settle, Snapshot, Spot},
    error::BrowserError,
    limits::{MAX_POLL, MIN_POLL},
    machine::{Aim, Refusal},
};

/// A scope that collects nothing but what is around the page.
const BARE: Scope = Scope {
    max_elements: 0,
    max_text_chars: 0,
    within: None,
    region: None,
    find: None,
    whole_text: false,
};

impl Core {
    /// Waits until a condition holds, or its time is over: `BROWSER_TIMEOUT`.
    pub(super) async fn wait(
        &mut self,
        condition: &Condition,
        deadline: Instant,
    ) -> Result<Done, BrowserError> {
        let begun = Instant::now();
        if let Condition::Time(time) = condition {
            // The caller asked for a time and nothing else.
            tokio::time::sleep(*time).await;
        } else {
            self.until(condition, deadline).await?;
        }
        let mut done = Done::looked();
        done.outcome = Outcome::Waited {
            ms: begun.elapsed().as_millis() as u64,
        };
        Ok(done)
    }

    async fn until(
        &mut self,
        condition: &Condition,
        deadline: Instant,
    ) -> Result<(), BrowserError> {
        let aim = match condition {
            Condition::Visible(target) | Condition::Hidden(target) => Some(self.sought(target)?),
            _ => None,
        };
        let mut pace = MIN_POLL;
        loop {
            if self.holds(condition, aim.as_ref(), deadline).await? {
                return Ok(());
            }
            if !self.moved(&mut pace, deadline).await? {
                return Err(late("waiting", false));
            }
        }
    }

    /// Returns what finds a target again and again.
    pub(super) fn sought(&self, target: &Target) -> Result<(Query, Option<u32>), Refusal> {
        match self.machine.aim(target)? {
            Aim::Search { query, nth } => Ok((query, nth)),
            Aim::Known(Spot::Node(node)) => Ok((Query::Key(node.key), None)),
            Aim::Known(Spot::Point(_)) => Err(Refusal::NoMatch(target.describe())),
        }
    }

    /// Finds a target; a missing one is no error, an open dialog hides all.
    pub(super) async fn matches(
        &self,
        sought: &(Query, Option<u32>),
        deadline: Instant,
    ) -> Result<Vec<Node>, BrowserError> {
        let found = self.find(&sought.0, deadline).await?;
        Ok(match sought.1 {
            None => found,
            Some(nth) => {
                let skip = nth.saturating_sub(1) as usize;
                found.into_iter().skip(skip).take(1).collect()
            }
        })
    }

    /// Looks at what is around the page; what console and network said is kept for the next state.
    pub(super) async fn bare(&mut self) -> Result<Snapshot, BrowserError> {
        let snapshot = self.snapshot(&BARE).await?;
        self.keep(snapshot.diagnostics.clone());
        Ok(snapshot)
    }

    async fn holds(
        &mut self,
        condition: &Condition,
        aim: Option<&(Query, Option<u32>)>,
        deadline: Instant,
    ) -> Result<bool, BrowserError> {
        Ok(match (condition, aim) {
            (Condition::Text(text), _) => {
                let query = Query::Text {
                    text: text.clone(),
                    exact: false,
                };
                let found = self.find(&query, deadline).await?;
                found.iter().any(|node| node.visible)
            }
            (Condition::Url(part), _) => self.bare().await?.page.url.contains(part),
            (Condition::Visible(_), Some(aim)) => {
                let found = self.matches(aim, deadline).await?;
                found.iter().any(|node| node.visible)
            }
            (Condition::Hidden(_), Some(aim)) => {
                let found = self.matches(aim, deadline).await?;
                !found.iter().any(|node| node.visible)
            }
            (Condition::Idle, _) => {
                let page = self.page.as_ref().ok_or(Refusal::NotOpen)?;
                let settings = &self.parts.settings;
                let settle = Settle {
                    quiet: settings.quiet * 4,
                    first_sign: settings.quiet * 4,
                    cap: deadline.saturating_duration_since(Instant::now()),
                };
                !page.settle(&settle).await?.capped
            }
            (Condition::Download, _) => {
                let known = self
                    .machine
                    .newest()
                    .map_or(0, |state| finished(&state.page.downloads));
                let downloads = self.bare().await?.downloads;
                let running = downloads.iter().any(|d| d.state == DownloadState::Running);
                !running && finished(&downloads) > known
            }
            (Condition::Visible(_) | Condition::Hidden(_), None) | (Condition::Time(_), _) => true,
        })
    }

    /// Waits until the page moved, or a moment passed; false when the time is over.
    ///
    /// The driver tells of movement; where it answers at once, the pace keeps from asking without a pause.
    pub(super) async fn moved(
        &self,
        pace: &mut Duration,
        deadline: Instant,
    ) -> Result<bool, BrowserError> {
        let begun = Instant::now();
        let left = deadline.saturating_duration_since(begun);
        if left.is_zero() {
            return Ok(false);
        }
        let page = self.page.as_ref().ok_or(Refusal::NotOpen)?;
        let settle = Settle {
            quiet: self.parts.settings.quiet,
            first_sign: MAX_POLL.min(left),
            cap: MAX_POLL.min(left),
        };
        let settled = tokio::time::timeout(left, page.settle(&settle)).await;
        if let Ok(settled) = settled {
            settled?;
        }
        let rest = pace.saturating_sub(begun.elapsed());
        if !rest.is_zero() {
            tokio::time::sleep(rest.min(left)).await;
            *pace = (*pace * 2).min(MAX_POLL);
        }
        Ok(true)
    }
}

fn finished(downloads: &[crate::driver::Download]) -> usize {
    let done = |d: &&crate::driver::Download| matches!(d.state, DownloadState::Done { .. });
    downloads.iter().filter(done).count()
}
