//! The streams of one invocation.

use std::io::{Read, Write};

use eyes_runtime::gate::WriteGate;

/// Standard streams, and what is known of them.
#[expect(
    missing_debug_implementations,
    reason = "trait objects of streams have nothing to show"
)]
pub struct Io<'a> {
    /// Standard input.
    pub stdin: &'a mut dyn Read,
    /// Standard output: data.
    pub stdout: &'a mut dyn Write,
    /// Standard error: everything else.
    pub stderr: &'a mut dyn Write,
    /// Which of them are terminals.
    pub terminals: Terminals,
    /// Held while a file is written.
    pub gate: WriteGate,
}

/// Which standard streams are terminals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Terminals {
    /// Standard input.
    pub stdin: bool,
    /// Standard output.
    pub stdout: bool,
    /// Standard error.
    pub stderr: bool,
}
