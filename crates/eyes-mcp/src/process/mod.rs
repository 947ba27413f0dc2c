//! Child processes that end with us.
//!
//! A server and everything it starts form one group that ends when the connection is closed, when it is dropped,
//! and when this process is killed. Only what leaves the group on purpose (`setsid`) is beyond that; it has the signal
//! to end that the server got, and the end of its pipes.

mod environment;
mod error;
mod guard;
mod launch;
mod lookup;
mod stderr;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use environment::HostEnvironment;
pub use error::ProcessError;
pub use guard::ChildGuard;
pub use launch::{Launch, Launched, launch};

#[cfg(test)]
mod tests;
