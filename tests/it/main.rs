//! Integration tests: several crates, real files, real processes.

mod store_kill;
