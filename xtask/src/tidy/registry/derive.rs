//! Deriving the registry file from the declarations, without ever losing a code.

use std::collections::BTreeMap;

use serde_json::json;

use super::{
    Declared,
    entry::{Entry, read},
};
use crate::{Failure, Outcome};

const ABOUT: &str = "Every error code of the workspace. A code is public interface: it keeps its meaning, and it is \
    retired, never removed or used again. Derived from the crates' codes.rs by `cargo xtask registry --write`.";

/// Returns the file's new text: old entries follow their declarations, new ones get the crate's version as
/// `since`, and entries that nothing declares any more are marked as retired.
pub(super) fn derive(
    old: Option<&str>,
    declared: &[Declared],
    versions: &BTreeMap<String, String>,
) -> Outcome<String> {
    let old = old.map_or(Ok(Vec::new()), read)?;
    let mut entries = BTreeMap::new();
    for mut entry in old {
        if entry.retired.is_none() {
            entry.retired = Some(version_of(versions, &entry.owner)?);
        } else if declared.iter().any(|code| code.name == entry.code) {
            return Err(Failure::new(format!(
                "`{}` is retired; a code is never used again",
                entry.code
            )));
        }
        entries.insert(entry.code.clone(), entry);
    }
    for code in declared {
        let since = match entries.get(&code.name) {
            Some(entry) => entry.since.clone(),
            None => version_of(versions, &code.owner)?,
        };
        entries.insert(code.name.clone(), code.entry(since));
    }
    let codes: Vec<_> = entries.values().map(Entry::to_json).collect();
    let root = json!({ "description": ABOUT, "codes": codes });
    let text =
        serde_json::to_string_pretty(&root).map_err(|error| Failure::new(error.to_string()))?;
    Ok(text + "\n")
}

fn version_of(versions: &BTreeMap<String, String>, owner: &str) -> Outcome<String> {
    let version = versions.get(owner).cloned();
    version.ok_or_else(|| Failure::new(format!("crate `{owner}` does not exist")))
}

impl Declared {
    fn entry(&self, since: String) -> Entry {
        Entry {
            code: self.name.clone(),
            owner: self.owner.clone(),
            category: self.category.clone(),
            retry: self.retry.clone(),
            since,
            summary: self.summary.clone(),
            hint: self.hint.clone(),
            retired: None,
        }
    }
}
