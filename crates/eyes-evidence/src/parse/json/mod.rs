//! A JSON reader for text that models write: iterative, bounded, and honest about every fault it reads over.
//!
//! A document becomes a flat list of nodes that point into the text, so that reading allocates one vector
//! and nesting costs no stack. [`Dialect::Strict`] reads RFC 8259 with the harmless slips that leave no
//! doubt (trailing commas, raw control characters, bare words); [`Dialect::Lenient`] also reads over faults
//! that need a guess about where a string or a container ends.

mod reader;
mod string;
mod value;
mod word;

pub(crate) use reader::{Dialect, Options, SyntaxError, read_object};
pub(crate) use value::{Document, Kind, Value};

#[cfg(test)]
mod tests;
