//! Integration tests: several crates, real files, real processes.

mod browser;
mod cli_answer;
mod cli_catalogue;
mod cli_data;
mod cli_eval;
mod cli_evidence;
mod cli_forms;
mod cli_html;
mod cli_inputs;
mod cli_mcp;
mod cli_read;
mod cli_store;
mod cli_usage;
mod cli_vision;
mod codes;
mod local_provider;
mod log_kill;
mod mcp_conformance;
mod mcp_hostile;
mod mcp_servers;
mod mcp_serving;
mod mcp_weak_spots;
mod modules;
mod provider_live;
mod published;
mod schema;
mod store_kill;
mod token_estimates;
mod usage_kill;

use eyes_tests::Eyes;

/// Makes the program under test.
fn eyes() -> Eyes {
    Eyes::new(env!("CARGO_BIN_EXE_eyes"))
}
