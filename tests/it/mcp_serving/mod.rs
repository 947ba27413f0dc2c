//! Eyes as a server against the protocol's conformance suite.
//!
//! Live group `mcp`. The suite asks `eyes mcp serve` over HTTP, and then the same server with tools of the suite
//! behind it. It sends no bearer token, so `tests/live/mcp/bearer.mjs` stands in between and adds it.

mod suite_host;

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use eyes_mcp::{
    adapter::rmcp::server::{HttpServeOptions, HttpServing},
    serve::{BearerToken, ServerIdentity},
};
use eyes_tests::live::{Group, installed, source};
use serde_json::Value;

use self::suite_host::SuiteHost;
use crate::eyes;

const GROUP: &str = "mcp";
const SUITE: &str = "mcp/node_modules/@modelcontextprotocol/conformance/dist/index.js";
const TOKEN: &str = "a-token-for-the-suite-alone";
/// The revisions whose scenarios are run: the newest with sessions, and the first without.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// Scenarios that only need a tool of the suite's own; with these tools the server passes them.
const WITH_TOOLS: [&str; 9] = [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-error",
    "tools-call-with-progress",
    "json-schema-2020-12",
    "http-custom-header-server-validation",
];

/// A program that ends with the test, however the test ends.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Self(command.spawn().expect("the program starts"))
    }

    fn first_line(&mut self) -> String {
        let mut line = String::new();
        let out = self.0.stdout.take().expect("a pipe");
        let read = BufReader::new(out).read_line(&mut line);
        assert!(read.expect("a line") > 0, "the program ended");
        line
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// What is not met, as the suite reads it, without what `met` names.
fn unmet(met: &[&str]) -> String {
    let all = fs::read_to_string(source("mcp/unmet.yml")).expect("the list");
    let is_met = |line: &str| met.iter().any(|name| line.trim() == format!("- {name}"));
    let lines = all.lines().filter(|line| !is_met(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Runs the suite against a server; it compares what failed with what may fail, both ways.
fn conforms(url: &str, unmet: &str) {
    let suite = installed(SUITE);
    assert!(
        suite.is_file(),
        "{} is not installed; `.ci/run live` brings it",
        suite.display()
    );
    let mut bearer = Running::start(
        Command::new("node")
            .arg(source("mcp/bearer.mjs"))
            .arg(url)
            .env("TOKEN", TOKEN),
    );
    let port = bearer.first_line();
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("unmet.yml");
    fs::write(&list, unmet).expect("the list");
    for revision in REVISIONS {
        run(&suite, folder.path(), |command| {
            command
                .args(["server", "--suite", "all", "--spec-version", revision])
                .args(["--url", &format!("http://127.0.0.1:{}/mcp", port.trim())])
                .arg("--expected-failures")
                .arg(&list)
        });
    }
}

fn run(suite: &Path, folder: &Path, arguments: impl FnOnce(&mut Command) -> &mut Command) {
    let mut command = Command::new("node");
    command.arg(suite).current_dir(folder).stdin(Stdio::null());
    let output = arguments(&mut command).output().expect("node starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let from = text.find("=== SUMMARY ===").unwrap_or_default();
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        &text[from..],
        String::from_utf8_lossy(&output.stderr)
    );
}

fn the_program_conforms() {
    let eyes = eyes();
    let mut serving = Running::start(
        eyes.command()
            .args(["mcp", "serve", "--http", "0", "--token-env", "SUITE_TOKEN"])
            .arg("--format=json")
            .env("SUITE_TOKEN", TOKEN),
    );
    let told: Value = serde_json::from_str(&serving.first_line()).expect("a line of JSON");
    assert!(told["token"].is_null(), "a chosen token is not told again");
    conforms(told["url"].as_str().expect("an address"), &unmet(&[]));
}

async fn the_server_conforms_with_tools_of_the_suite() {
    let options = HttpServeOptions {
        port: 0,
        token: BearerToken::chosen(TOKEN).expect("a token"),
    };
    let identity = ServerIdentity {
        name: "deepseekeyes".to_owned(),
        version: "0.0.0".to_owned(),
    };
    let host = Arc::new(SuiteHost::new());
    let serving = HttpServing::start(host, identity, options)
        .await
        .expect("a server");
    let url = serving.url();
    let suite = tokio::task::spawn_blocking(move || conforms(&url, &unmet(&WITH_TOOLS)));
    suite.await.expect("the suite passes");
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn eyes_conforms_as_a_server() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    the_program_conforms();
    the_server_conforms_with_tools_of_the_suite().await;
    group.ran();
}

#[test]
fn every_scenario_that_is_not_met_is_explained() {
    let text = fs::read_to_string(source("../../docs/verification.md")).expect("the document");
    let unmet = unmet(&[]);
    let names: Vec<&str> = unmet
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- "))
        .collect();
    assert!(names.len() > WITH_TOOLS.len());
    for name in &names {
        assert!(text.contains(&format!("`{name}`")), "{name}");
    }
    for name in WITH_TOOLS {
        assert!(names.contains(&name), "{name} is met already");
    }
}
