//! Child processes that end with us.
//!
//! A server and everything it starts form one group that ends when the connection is closed, when it is dropped,
//! and when this process is killed. Only what leaves the group on purpose (`setsid`) is beyond that; it has the signal
//! to end that the server got, and the end of its pipes.

mod error;
mod launch;

pub use error::ProcessError;
pub use eyes_system::process::{ChildGuard, HostEnvironment};
pub use launch::{Launch, Launched, launch};

#[cfg(test)]
mod tests;
