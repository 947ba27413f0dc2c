//! What this software keeps on the disk: which files, what they hold, for how long, and how they go.
//!
//! [`RETAINED`] is the one table of it. `docs/data-retention.md` is printed from it, [`survey`] finds the files by
//! it, and [`erase`] removes them. A file that no row claims is somebody else's: it is named and never touched.

mod erase;
mod place;
mod survey;
mod table;
#[cfg(test)]
mod tests;

pub use erase::{Erasure, Kept, KeptReason, Removed, Unerased, erase};
pub use place::Places;
pub use survey::{DataFile, Survey, UnknownFile, survey};
pub use table::{DataKind, RETAINED, Retained};
