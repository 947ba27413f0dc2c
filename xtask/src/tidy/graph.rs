//! What crates L0 and the embedded reader pull in through others, beyond what their manifests say.

use super::Finding;
use crate::{Outcome, Workspace};

/// A crate, and what must not be anywhere below it.
struct Purity {
    room: &'static str,
    banned: &'static [&'static [&'static str]],
    reason: &'static str,
}

const NETWORK: &[&str] = &[
    "reqwest",
    "hyper",
    "ureq",
    "curl",
    "isahc",
    "rustls",
    "native-tls",
    "openssl",
    "socket2",
    "mio",
];

/// Executors; without their network drivers they only wait and share work.
const RUNTIMES: &[&str] = &["tokio", "async-std", "smol"];

const PURITIES: &[Purity] = &[
    Purity {
        room: "eyes-evidence",
        banned: &[
            NETWORK,
            RUNTIMES,
            &["futures", "futures-executor", "chrono", "time", "jiff"],
        ],
        reason: "eyes-evidence has no async runtime, no network and no clock",
    },
    Purity {
        room: "eyes-usage",
        banned: &[NETWORK, RUNTIMES],
        reason: "eyes-usage has no network",
    },
    Purity {
        room: "eyes-local",
        banned: &[NETWORK],
        reason: "eyes-local reads one image and no network",
    },
];

/// Looks through the resolved dependencies of each pure crate that exists.
///
/// `cargo tree` and not `cargo metadata`: the latter unites the features that all members ask for, so one
/// crate's adapters would be laid at another's door.
pub(super) fn check(workspace: &Workspace) -> Outcome<Vec<Finding>> {
    let mut findings = Vec::new();
    for purity in PURITIES {
        if !workspace.has(&format!("crates/{}/Cargo.toml", purity.room)) {
            continue;
        }
        findings.extend(purity.violations(&resolved(workspace, purity.room)?));
    }
    Ok(findings)
}

/// Lists the crates below `room`, one a line; needs the network only where none was ever fetched.
fn resolved(workspace: &Workspace, room: &str) -> Outcome<String> {
    let command = [
        "tree",
        "-p",
        room,
        "--edges",
        "normal,build",
        "--target",
        "all",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ];
    let offline = workspace.cargo(&command).args(&["--offline"]).capture();
    offline.or_else(|_| workspace.cargo(&command).capture())
}

impl Purity {
    fn violations(&self, tree: &str) -> Vec<Finding> {
        let mut names: Vec<&str> = tree
            .lines()
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
            .into_iter()
            .filter(|name| self.banned.iter().any(|group| group.contains(name)))
            .map(|name| Finding::new(self.room, format!("pulls in {name}: {}", self.reason)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_reader_may_wait_and_not_connect() {
        let local = PURITIES
            .iter()
            .find(|purity| purity.room == "eyes-local")
            .expect("a rule");
        assert!(
            local
                .violations("eyes-local v0.1.0\ntokio v1.54.1\n")
                .is_empty()
        );
        assert_eq!(local.violations("tokio v1.54.1\nmio v1.0.0\n").len(), 1);
    }

    #[test]
    fn finds_a_runtime_below_the_evidence_crate() {
        let tree = "eyes-evidence v0.1.0 (/x)\nserde v1.0.0\ntokio v1.50.0\ntokio v1.50.0 (*)\n";
        let found = PURITIES[0].violations(tree);
        assert_eq!(found.len(), 1);
        assert!(found[0].message.contains("tokio"));
        assert!(
            PURITIES[0]
                .violations("eyes-evidence v0.1.0\nsha2 v0.11.0\n")
                .is_empty()
        );
    }
}
