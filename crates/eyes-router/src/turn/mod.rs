//! One turn: the final model answers, and what it sees are images as evidence.

mod message;

pub use message::{Attachment, Origin, TurnMessage};
