//! What was seen, and proof of it.
//!
//! This crate is the ground floor of the workspace: no async runtime, no network, no clock.

pub mod assertion;
#[cfg(feature = "fs")]
pub mod atomic;
pub mod audit;
pub mod canonical;
pub mod code;
pub mod codes;
pub mod digest;
pub mod geometry;
pub mod image;
pub mod limits;
pub mod parse;
pub mod ports;
pub mod provenance;
pub mod raster;
pub mod record;
pub mod redact;
pub mod report;
pub mod schema;
pub mod state;
pub mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
