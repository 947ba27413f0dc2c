//! Which package may depend on which: the house's layers and the rooms of outside crates.

use serde_json::Value;

use super::Finding;

pub(super) mod deny_file;
mod table;

use table::{ROOMS, Room, WRAPPED, Wrapped};

/// Compares every dependency that the manifests state, of whatever kind and target, with the tables.
pub(super) fn check(metadata: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice)
    {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(room) = ROOMS.iter().find(|room| room.name == name) else {
            findings.push(Finding::new(
                name,
                "no room of the architecture; a further crate needs a decision and a row in the layer table",
            ));
            continue;
        };
        for dependency in package["dependencies"]
            .as_array()
            .map_or(&[][..], Vec::as_slice)
        {
            let target = dependency["name"].as_str().unwrap_or_default();
            findings.extend(check_edge(room, target));
        }
    }
    findings
}

fn check_edge(room: &Room, target: &str) -> Option<Finding> {
    let inside = ROOMS.iter().any(|other| other.name == target);
    if inside {
        // A crate names itself to switch on its own features for its own tests.
        let allowed = room.name == target || room.may_use.contains(&target);
        return (!allowed).then(|| {
            Finding::new(
                room.name,
                format!("must not depend on {target}: dependencies point down only"),
            )
        });
    }
    let wrapped = WRAPPED.iter().find(|wrapped| wrapped.covers(target))?;
    (!wrapped.rooms.contains(&room.name)).then(|| {
        let rooms = if wrapped.rooms.is_empty() {
            "no crate".to_owned()
        } else {
            wrapped.rooms.join(", ")
        };
        Finding::new(
            room.name,
            format!(
                "must not depend on {target}: only {rooms} may ({})",
                wrapped.reason
            ),
        )
    })
}

impl Wrapped {
    fn covers(&self, name: &str) -> bool {
        self.crates
            .iter()
            .any(|pattern| match pattern.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => name == *pattern,
            })
    }
}

#[cfg(test)]
mod tests;
