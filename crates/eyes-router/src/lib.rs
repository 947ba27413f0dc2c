//! Which model looks, and how we know that its answer is evidence.

pub mod codes;
pub mod error;
pub mod model;
pub mod ports;
