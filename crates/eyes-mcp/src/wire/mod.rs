//! Bounds of messages before they are decoded.
//!
//! One pass over the bytes counts depth, values and text, and finds what a JSON-RPC message answers, while they
//! arrive and without keeping them. So a message that is too large costs no memory, and the request that it
//! answers is still known.

mod envelope;
mod lines;
mod scan;

pub use envelope::{Envelope, MessageId};
pub use lines::{Frame, Lines, Message, MessageFault, MessageLimits, Pushed, Refused};
pub use scan::{Scanner, Shape};

#[cfg(test)]
mod tests;
