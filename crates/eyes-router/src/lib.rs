//! Which model looks, and how we know that its answer is evidence.
//!
//! A [`VisionReader`](vision::VisionReader) asks the configured routes one after another, collects each
//! answer within bounds, admits it only as validated evidence, and seals and stores the record.

pub mod attempts;
pub mod codes;
pub mod config;
pub mod error;
pub mod limits;
pub mod model;
pub mod ports;
pub mod probe;
pub mod route;
#[cfg(feature = "testing")]
pub mod testing;
pub mod vision;
