//! A scripted browser, and the contract suite that every driver passes (feature `testing`).
//!
//! Functions of the suite panic with the promise that was broken.

mod contract;
mod page;
mod play;
mod script;
#[cfg(test)]
mod tests;
mod world;

pub use contract::{Fixture, fixtures, page_driver_contract};
pub use page::ScriptedBrowser;
pub use script::{Change, ElementScript, PageScript};
pub use world::VIEWPORT;
