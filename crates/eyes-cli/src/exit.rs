//! Exit codes.

use std::process::ExitCode;

use eyes_evidence::code::Category;

/// How an invocation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// A verification or a check said no.
    No = 1,
    /// The command line, the settings or an input is wrong.
    Usage = 2,
    /// Refused, or based on an old observation.
    Refused = 3,
    /// Something outside is not there now.
    Unavailable = 4,
    /// Data broke a contract or a bound.
    Rejected = 5,
    /// A remote service or the platform failed.
    Failed = 6,
    /// A defect of this software.
    Bug = 70,
    /// Interrupted by the user.
    Interrupted = 130,
}

impl Exit {
    /// Returns the number.
    pub const fn code(self) -> u8 {
        self as u8
    }
}

impl From<Category> for Exit {
    fn from(category: Category) -> Self {
        match category {
            Category::Invalid => Self::Usage,
            Category::Stale | Category::Refused => Self::Refused,
            Category::Unavailable => Self::Unavailable,
            Category::Rejected => Self::Rejected,
            Category::Failed => Self::Failed,
            Category::Internal => Self::Bug,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
