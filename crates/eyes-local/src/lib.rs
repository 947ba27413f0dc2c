//! The embedded local eyes: reads one image without a network, a key or a language model.

mod abort;
pub mod analysis;
pub mod codes;
mod config;
mod engine;
mod error;
pub mod limits;
pub mod models;
mod provider;
pub mod text;

pub use abort::AbortFlag;
pub use config::{Detail, LocalConfig, ModelTier};
pub use engine::{LocalReader, Reading};
pub use error::LocalError;
pub use provider::{LocalProvider, PROVIDER_ID};
