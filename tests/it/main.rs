//! Integration tests: several crates, real files, real processes.

mod schema;
mod store_kill;
