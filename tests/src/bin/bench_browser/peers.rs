//! The other implementations, run beside ours by the scripts of the folder.

use std::{path::Path, process::Command};

use serde_json::Value;

use crate::{Column, Figures, ROUNDS, SIZES};

/// A script with the names that its lines have.
struct Peer {
    name: &'static str,
    script: &'static str,
    /// What it calls looking at a page.
    observe: &'static str,
    /// What it calls the characters of that.
    characters: &'static str,
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "plugin in JavaScript",
        script: "bench-peer.mjs",
        observe: "observe",
        characters: "textChars",
    },
    Peer {
        name: "Playwright MCP",
        script: "bench-playwright-mcp.mjs",
        observe: "snapshot",
        characters: "snapshotChars",
    },
    Peer {
        name: "agent-browser",
        script: "bench-agent-browser.mjs",
        observe: "snapshot",
        characters: "snapshotChars",
    },
];

/// Runs every script, one after the other.
pub(crate) fn run(node: &str, folder: &Path) -> Result<Vec<Column>, String> {
    PEERS.iter().map(|peer| peer.run(node, folder)).collect()
}

impl Peer {
    fn run(&self, node: &str, folder: &Path) -> Result<Column, String> {
        let output = Command::new(node)
            .args([self.script, "beside"])
            .env("ITER", ROUNDS.to_string())
            .current_dir(folder)
            .output()
            .map_err(|error| format!("{node}: {error}"))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: {why}", self.script));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let pages = SIZES.map(|size| self.page(&text, size));
        Ok(Column {
            name: self.name,
            pages: pages.into(),
        })
    }

    /// Reads the line of one size: `name n=SIZE {...}`.
    fn page(&self, text: &str, size: usize) -> Figures {
        let mark = format!(" n={size} ");
        let line = text.lines().find_map(|line| line.split_once(&mark));
        let row: Value = line
            .and_then(|(_, json)| serde_json::from_str(json).ok())
            .unwrap_or_default();
        let median = |name: &str| row[name]["p50"].as_f64();
        Figures {
            medians: [
                median("open"),
                median(self.observe),
                median("click"),
                median("type"),
            ],
            characters: row[self.characters].as_f64(),
        }
    }
}
