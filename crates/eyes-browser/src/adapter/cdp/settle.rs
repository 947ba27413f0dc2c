//! Waiting for calm after a command.

use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::time::Instant;

use super::browser::{Browser, Unanswered};
use crate::{
    adapter::script,
    driver::{DriverError, Settle, Settled},
};

/// How long a document that was asked for may take until it begins to load.
const ASKED: Duration = Duration::from_secs(1);

/// What the world says of the way to calm.
#[derive(PartialEq, Eq)]
enum Motion {
    /// Nobody can tell, or need not: a dialog is open, or the tab is gone.
    Stopped,
    /// A document loads, or requests are on their way.
    Moving,
    /// A document was asked for, and has not begun.
    Asked,
    Still,
}

impl Browser {
    /// Waits for what the last command caused.
    ///
    /// Documents on their way and requests are waited for; then the script says when the documents are calm. Where
    /// nothing has been seen it waits for a first sign.
    pub(super) async fn settle(&self, settle: &Settle) -> Result<Settled, DriverError> {
        let began = Instant::now();
        let end = began + settle.cap;
        let mut mutated = false;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(self.settled(mutated, true));
            }
            match self.motion() {
                Motion::Stopped => return Ok(self.settled(mutated, false)),
                Motion::Moving => {
                    self.until(left, |world| {
                        (motion(world) != Motion::Moving).then_some(())
                    })
                    .await;
                    continue;
                }
                Motion::Asked => {
                    let begun = self.until(left.min(ASKED), |world| {
                        (motion(world) != Motion::Asked).then_some(())
                    });
                    if begun.await.is_none() {
                        self.world().give_up_navigations();
                    }
                    continue;
                }
                Motion::Still => {}
            }
            let any = mutated || self.world().effects.settled.any();
            let first = if any {
                Duration::ZERO
            } else {
                settle.first_sign.saturating_sub(began.elapsed())
            };
            let calm = self.calm(settle.quiet, first, left);
            let moved = self.until(left, |world| (motion(world) != Motion::Still).then_some(()));
            let seen = tokio::select! {
                biased;
                Some(()) = moved => continue,
                seen = calm => seen,
            };
            mutated |= seen == Some(true);
            let is_over = any || mutated || began.elapsed() >= settle.first_sign;
            if seen.is_some() && is_over && matches!(self.motion(), Motion::Still | Motion::Stopped)
            {
                return Ok(self.settled(mutated, false));
            }
        }
    }

    fn motion(&self) -> Motion {
        motion(&self.world())
    }

    fn settled(&self, mutated: bool, capped: bool) -> Settled {
        let mut settled = self.world().effects.settled;
        settled.mutated |= mutated;
        settled.capped = capped;
        settled
    }

    /// Asks the documents for calm; whether any saw a sign, nothing where the page went away meanwhile.
    async fn calm(&self, quiet: Duration, first: Duration, left: Duration) -> Option<bool> {
        let documents = self.page_documents();
        if documents.is_empty() {
            self.until(left, |world| world.main_document().map(|_| ()))
                .await;
            return None;
        }
        let ask = |first: Duration| {
            let millis = |time: Duration| time.as_secs_f64() * 1e3;
            let call = script::call("settle", &(millis(quiet), millis(first)));
            let asked = documents.iter().map(move |(_, document)| {
                let call = call.clone();
                async move { self.eval::<script::Settle>(document, &call, left).await }
            });
            asked.collect::<FuturesUnordered<_>>()
        };
        let mut answers = ask(first);
        let mut seen = false;
        let mut answered = false;
        while let Some(answer) = answers.next().await {
            match answer {
                Ok(settle) => (answered, seen) = (true, settle.seen),
                Err(Unanswered::Gone) if documents.len() == 1 => return None,
                Err(_) => {}
            }
            if seen {
                break;
            }
        }
        if seen && documents.len() > 1 {
            // The others need not wait for a first sign of their own.
            let mut answers = ask(Duration::ZERO);
            while answers.next().await.is_some() {}
        }
        answered.then_some(seen)
    }
}

fn motion(world: &super::world::World) -> Motion {
    let Some((_, tab)) = world.page() else {
        return Motion::Stopped;
    };
    if tab.dialog.is_some() || tab.crashed {
        return Motion::Stopped;
    }
    if tab.is_navigating() && !tab.is_loading() {
        return Motion::Asked;
    }
    if tab.is_loading() || !world.effects.in_flight.is_empty() || world.main_document().is_none() {
        return Motion::Moving;
    }
    Motion::Still
}
