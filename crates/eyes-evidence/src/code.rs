//! Error codes: the closed set of branches a caller takes.
//!
//! A code is public interface and never changes its meaning. `schemas/error-codes.json` is the registry;
//! each crate declares its share with [`error_codes!`](crate::error_codes) and a test compares the two.

use std::fmt;

/// How a caller reacts to an error; decides CLI exit codes and retry advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// The caller's input or settings are wrong.
    Invalid,
    /// The caller acted on an old observation and should observe again.
    Stale,
    /// A policy or quota said no.
    Refused,
    /// Something outside is not there now; later or elsewhere may work.
    Unavailable,
    /// A remote service or the platform failed.
    Failed,
    /// Data broke a contract or a bound.
    Rejected,
    /// A defect of this software.
    Internal,
}

impl Category {
    /// Returns the name used in `schemas/error-codes.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Stale => "stale",
            Self::Refused => "refused",
            Self::Unavailable => "unavailable",
            Self::Failed => "failed",
            Self::Rejected => "rejected",
            Self::Internal => "internal",
        }
    }
}

/// Whether the same call may succeed when it is made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Retry {
    /// The same call fails the same way.
    Never,
    /// Call again after the named correction.
    AfterChange,
    /// The same call may succeed later.
    Later,
}

impl Retry {
    /// Returns the name used in `schemas/error-codes.json`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::AfterChange => "after-change",
            Self::Later => "later",
        }
    }
}

/// Everything the registry says of one code.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeSpec {
    /// The code itself, `UPPER_SNAKE_CASE`.
    pub name: &'static str,
    /// The reaction it calls for.
    pub category: Category,
    /// Whether calling again helps.
    pub retry: Retry,
    /// One sentence: the condition.
    pub summary: &'static str,
    /// One sentence: what to do next.
    pub hint: &'static str,
}

/// One code of the registry.
///
/// Made only by [`error_codes!`](crate::error_codes), which checks the spelling at compile time.
#[derive(Clone, Copy)]
pub struct ErrorCode(&'static CodeSpec);

impl ErrorCode {
    /// Wraps a specification.
    ///
    /// # Panics
    ///
    /// At compile time, when the name is not `UPPER_SNAKE_CASE`.
    pub const fn new(spec: &'static CodeSpec) -> Self {
        let bytes = spec.name.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let ok = bytes[at].is_ascii_uppercase()
                || (at > 0 && (bytes[at].is_ascii_digit() || bytes[at] == b'_'));
            assert!(ok, "an error code is UPPER_SNAKE_CASE");
            at += 1;
        }
        assert!(!bytes.is_empty(), "an error code is not empty");
        Self(spec)
    }

    /// Returns the code as it is printed and compared.
    pub const fn as_str(self) -> &'static str {
        self.0.name
    }

    /// Returns everything the registry says of it.
    pub const fn spec(self) -> &'static CodeSpec {
        self.0
    }
}

impl fmt::Debug for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl PartialEq for ErrorCode {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for ErrorCode {}

/// An error that carries a code of the registry.
pub trait Coded: std::error::Error {
    /// Returns the code.
    fn code(&self) -> ErrorCode;

    /// Returns what to do next; the registry's hint unless the error knows better.
    fn hint(&self) -> String {
        self.code().spec().hint.to_owned()
    }
}

/// Declares a crate's codes: constants, and `ALL` in the order written.
///
/// ```
/// eyes_evidence::error_codes! {
///     /// The image has more pixels than the limit.
///     IMAGE_PIXEL_LIMIT: Rejected, Never, "crop or shrink the image";
/// }
/// assert_eq!(IMAGE_PIXEL_LIMIT.as_str(), "IMAGE_PIXEL_LIMIT");
/// assert_eq!(ALL.len(), 1);
/// ```
#[macro_export]
macro_rules! error_codes {
    ($($(#[doc = $summary:literal])+ $name:ident: $category:ident, $retry:ident, $hint:literal;)+) => {
        $(
            $(#[doc = $summary])+
            pub const $name: $crate::code::ErrorCode = $crate::code::ErrorCode::new(&$crate::code::CodeSpec {
                name: stringify!($name),
                category: $crate::code::Category::$category,
                retry: $crate::code::Retry::$retry,
                summary: concat!($($summary),+).trim_ascii(),
                hint: $hint,
            });
        )+
        /// Every code of this crate, in the order declared.
        pub const ALL: &[$crate::code::ErrorCode] = &[$($name),+];
    };
}
