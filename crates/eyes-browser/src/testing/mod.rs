//! A scripted browser, and the contract suite that every driver passes (feature `testing`).
//!
//! Functions of the suite panic with the promise that was broken.

mod page;
mod script;
mod world;

pub use page::ScriptedBrowser;
pub use script::{Change, ElementScript, PageScript};
pub use world::VIEWPORT;
