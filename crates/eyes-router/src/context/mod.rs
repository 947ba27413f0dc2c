//! What a request may weigh: token estimates, the bound of automation turns, and the final model's output.
//!
//! Everything here is pure. A session that drives a browser, a desktop or an MCP server grows by thousands of
//! tokens with every step; [`bound`](bound::bound) keeps the task and the newest steps of it within a limit, in
//! cuts that stay where they are for many calls, so that a provider's prefix cache keeps hitting.
//! [`CallGuard`] counts the calls of one task, [`OutputBudget`] fits the answer into the model's window, and
//! [`Overflow`] reads what a provider says of a request that was too long all the same.

pub mod bound;
mod call_guard;
mod error;
pub mod estimate;
mod kind;
mod output;

pub use bound::{Bounded, ContextLimit, ContextRequest, bound};
pub use call_guard::CallGuard;
pub use error::ContextError;
pub use eyes_usage::tokens::EstimatedTokens;
pub use kind::AutomationKind;
pub use output::{OutputBudget, Overflow, ReportedInput};
