//! Connections to MCP servers against the protocol's conformance suite.
//!
//! Live group `mcp`; `.ci/run live` installs the suite. It drives `mcp_conformance`, a client on the connections of
//! `eyes-mcp`.

use std::process::Command;

use eyes_tests::live::{Group, installed};

const GROUP: &str = "mcp";
const SUITE: &str = "mcp/node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// How often a run is tried: the suite's server asks its question (`elicitation-sep1034-client-defaults`) on the stream
/// that a client opens beside its first call, and loses the question where the call comes first.
const ATTEMPTS: usize = 3;

/// Runs of the suite; each has to end with success.
const RUNS: [&[&str]; 6] = [
    &["--requirements", "2025-11-25"],
    &["--requirements", "2026-07-28"],
    &["--scenario", "auth/client-credentials-basic"],
    &["--scenario", "auth/client-credentials-jwt"],
    &["--scenario", "json-schema-ref-no-deref"],
    &["--scenario", "json-schema-2020-12-preservation"],
];

fn conforms() {
    let suite = installed(SUITE);
    assert!(
        suite.is_file(),
        "{} is not installed; `.ci/run live` brings it",
        suite.display()
    );
    for run in RUNS {
        let mut outputs = (0..ATTEMPTS).map(|_| {
            Command::new("node")
                .arg(&suite)
                .args(["client", "--command", env!("CARGO_BIN_EXE_mcp_conformance")])
                .args(run)
                .output()
                .expect("node starts")
        });
        let mut last = String::new();
        let passes = outputs.any(|output| {
            last = String::from_utf8_lossy(&output.stdout).into_owned();
            last.push_str(&String::from_utf8_lossy(&output.stderr));
            output.status.success()
        });
        assert!(passes, "{run:?}: {last}");
    }
}

#[test]
fn connections_conform() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    conforms();
    group.ran();
}
