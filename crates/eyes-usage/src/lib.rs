//! What it cost.
//!
//! Events say what happened ([`event`]); a fold adds them up ([`state`]); a ledger keeps them in a file that
//! several processes share ([`ledger`], feature `fs`); prices and views make figures of them ([`price`],
//! [`view`]). There is no clock, no network and no async runtime here, and nothing calls a model.
//!
//! Three things never add up to one number by mistake, because they are different types: what looking cost
//! beyond the answer ([`AdditionalUsage`](tokens::AdditionalUsage)), what the answers cost
//! ([`FinalUsage`](tokens::FinalUsage)), and what was estimated ([`EstimatedTokens`](tokens::EstimatedTokens)).
//!
//! ```
//! use eyes_evidence::provenance::Timestamp;
//! use eyes_usage::{
//!     category::CallCategory,
//!     event::{UsageEntry, UsageEvent, UsageRoute},
//!     session::SessionDigest,
//!     state::UsageState,
//!     tokens::TokenUsage,
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut state = UsageState::default();
//! state.fold(&UsageEvent {
//!     at: Timestamp::new("2026-01-31T23:59:59Z")?,
//!     session: Some(SessionDigest::of("a session")),
//!     entry: UsageEntry::Call {
//!         category: CallCategory::VisionBase,
//!         route: UsageRoute::new("openai", "gpt-4.1")?,
//!         tokens: Some(TokenUsage { input: 1200, output: 300, ..TokenUsage::default() }),
//!     },
//! });
//! assert_eq!(state.total().vision().exact().tokens.total(), 1500);
//! assert!(state.total().final_answers().is_none());
//! # Ok(())
//! # }
//! ```

pub mod category;
pub mod codes;
pub mod error;
pub mod event;
#[cfg(feature = "fs")]
pub mod ledger;
pub mod limits;
pub mod ports;
pub mod price;
#[cfg(feature = "schema")]
mod schema;
pub mod session;
pub mod state;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod time;
pub mod tokens;
pub mod view;
