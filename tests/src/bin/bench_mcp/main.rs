//! Measures the plane of MCP servers, beside another implementation of it.
//!
//! `cargo xtask bench mcp FOLDER [NODE]`: `FOLDER/inputs` holds the generated documents. Where `NODE` names a Node.js
//! program, it runs `FOLDER/bench-peer.mjs` in the same run, whose lines `{name, wallMinMs, wallMedMs, cpuMedMs}` stand
//! beside ours as ratios. A result whose digest is not the published one ends the run.

mod catalogues;
mod measure;
mod peer;
mod results;

use std::{path::Path, process::ExitCode};

use eyes_tests::program;
use measure::Table;
use peer::Peer;

fn main() -> ExitCode {
    program(run)
}

fn run(arguments: &[String]) -> Result<String, String> {
    let (folder, node) = match arguments {
        [folder] => (folder, None),
        [folder, node] => (folder, Some(node.as_str())),
        _ => return Err("usage: cargo xtask bench mcp FOLDER [NODE]".to_owned()),
    };
    let folder = Path::new(folder);
    let mut table = Table::default();
    let inputs = folder.join("inputs");
    results::measure(&inputs, &mut table)?;
    catalogues::measure(&inputs, &mut table)?;
    let peer = node.map(|node| Peer::run(node, folder)).transpose()?;
    Ok(table.print(peer.as_ref()))
}
