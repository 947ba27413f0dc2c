//! Settings, composition and self-checks, written once for every frontend.

mod attempts;
pub mod browser;
mod clock;
pub mod codes;
pub mod data;
pub mod doctor;
pub mod environment;
pub mod error;
pub mod eval;
mod executor;
pub mod gate;
pub mod limits;
mod local;
mod marker_key;
pub mod mcp;
pub mod models;
pub mod providers;
mod random;
mod region;
pub mod registry;
pub mod retention;
mod runtime;
pub mod settings;
pub mod usage;

pub use attempts::attempts_log;
pub use clock::SystemClock;
pub use executor::Executor;
pub use random::SystemRandom;
pub use region::{Region, RegionError};
pub use runtime::{AnswerAsk, ReadAsk, ReadOutcome, Runtime, Surroundings, data_dir};
