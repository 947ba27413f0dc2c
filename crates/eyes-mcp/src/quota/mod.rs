//! How many calls a run may make.
//!
//! The count lives in the run itself, so that nothing is left of it when the last holder lets it go.

use std::sync::{Arc, atomic::Ordering};

use eyes_evidence::provenance::Timestamp;
use eyes_usage::{
    category::{Counter, Estimate},
    event::{UsageEntry, UsageEvent},
    session::SessionDigest,
    tokens::EstimatedTokens,
};

use crate::{
    call::{RunCalls, RunHandle},
    codes,
    error::McpError,
};

/// The bound on the calls of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallQuota {
    limit: Option<u32>,
}

impl CallQuota {
    /// Takes the bound; nothing means none.
    pub const fn new(limit: Option<u32>) -> Self {
        Self { limit }
    }

    /// Takes a slot for one call of `run`; a call without a run counts for none.
    ///
    /// At the bound it is `MCP_EXTERNAL_CALL_LIMIT_REACHED`, and nothing has left then.
    pub fn reserve(&self, run: Option<&RunHandle>) -> Result<CallSlot, McpError> {
        let Some(RunHandle(run)) = run else {
            return Ok(CallSlot { run: None });
        };
        let limit = self.limit.unwrap_or(u32::MAX);
        let below = |made: u32| (made < limit).then(|| made + 1);
        match run
            .made
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, below)
        {
            Ok(_) => Ok(CallSlot {
                run: Some(Arc::clone(run)),
            }),
            Err(_) => Err(McpError::new(
                codes::MCP_EXTERNAL_CALL_LIMIT_REACHED,
                format!("this run has made {limit} calls of MCP servers, as many as one may"),
            )),
        }
    }
}

/// A place among the calls of a run; it is given back when it is dropped before [`commit`](Self::commit).
#[derive(Debug)]
#[must_use = "a slot that is dropped at once counts no call"]
pub struct CallSlot {
    run: Option<Arc<RunCalls>>,
}

impl CallSlot {
    /// Keeps the place: the call has left for the server.
    pub fn commit(mut self) {
        self.run = None;
    }
}

impl Drop for CallSlot {
    fn drop(&mut self) {
        if let Some(run) = self.run.take() {
            run.made.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

impl RunHandle {
    /// Returns how many calls of the run have left or are about to.
    pub fn calls(&self) -> u32 {
        self.0.made.load(Ordering::Acquire)
    }
}

/// Makes the events of a call that ended: one external call where it left, and the tokens of its result.
pub fn call_usage(
    at: &Timestamp,
    session: Option<SessionDigest>,
    left: bool,
    result: Option<EstimatedTokens>,
) -> Vec<UsageEvent> {
    let count = left.then_some(UsageEntry::Count {
        counter: Counter::McpExternalCalls,
        by: 1,
    });
    let tokens = result
        .filter(|tokens| tokens.0 > 0)
        .map(|tokens| UsageEntry::Estimate {
            estimate: Estimate::McpResultInput,
            tokens,
        });
    let event = |entry| UsageEvent {
        at: at.clone(),
        session,
        entry,
    };
    count.into_iter().chain(tokens).map(event).collect()
}

/// Makes the event of a call that the bound stopped.
pub fn limit_stop(at: Timestamp, session: Option<SessionDigest>) -> UsageEvent {
    UsageEvent {
        at,
        session,
        entry: UsageEntry::Count {
            counter: Counter::McpLimitStops,
            by: 1,
        },
    }
}

#[cfg(test)]
mod tests;
