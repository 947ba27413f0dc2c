//! Real browsers.

pub mod cdp;
pub mod launch;
mod script;
