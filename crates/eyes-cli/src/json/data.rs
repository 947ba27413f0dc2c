//! What the commands about kept data print.

use eyes_runtime::retention::{Kept, KeptReason, Removed};
use serde::Serialize;

/// `eyes data show`: what is kept on the disk.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct DataOutput {
    /// The directory for data; null where none is known.
    pub(crate) data_dir: Option<String>,
    /// The kinds of data.
    pub(crate) data: Vec<RetainedOutput>,
    /// Files and directories in the places of our data that are not ours.
    pub(crate) unknown: Vec<String>,
    /// How many more of them there are.
    pub(crate) more_unknown: u64,
}

/// One kind of data.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RetainedOutput {
    /// Its name.
    pub(crate) kind: &'static str,
    /// Where it is looked for, the place of the settings first.
    pub(crate) paths: Vec<String>,
    /// Files that are there.
    pub(crate) files: usize,
    /// Their bytes.
    pub(crate) bytes: u64,
    /// What is in it.
    pub(crate) holds: &'static str,
    /// For how long it is kept.
    pub(crate) kept: &'static str,
    /// The settings that move, bound or switch it off.
    pub(crate) settings: Vec<SettingOutput>,
    /// How it is removed.
    pub(crate) removal: &'static str,
}

/// A setting in force.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingOutput {
    /// Its path in the settings file.
    pub(crate) name: &'static str,
    /// Its value as text; null where it is not set.
    pub(crate) value: Option<String>,
}

/// `eyes data erase`: what went, or would go.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ErasureOutput {
    /// Nothing was removed.
    pub(crate) dry_run: bool,
    /// What went, or would go.
    pub(crate) removed: Vec<RemovedOutput>,
    /// What stays on purpose.
    pub(crate) kept: Vec<KeptOutput>,
    /// What could not be removed; each is told on standard error.
    pub(crate) failed: Vec<String>,
}

/// How much of a kind went.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct RemovedOutput {
    /// The kind's name.
    pub(crate) kind: &'static str,
    /// Files.
    pub(crate) files: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
}

impl From<&Removed> for RemovedOutput {
    fn from(removed: &Removed) -> Self {
        Self {
            kind: removed.kind.name(),
            files: removed.files,
            bytes: removed.bytes,
        }
    }
}

/// A file that stays.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptOutput {
    /// Where.
    pub(crate) path: String,
    /// `lock` or `unknown`.
    #[cfg_attr(test, schemars(regex(pattern = "^(lock|unknown)$")))]
    pub(crate) reason: &'static str,
}

impl From<&Kept> for KeptOutput {
    fn from(kept: &Kept) -> Self {
        Self {
            path: kept.path.to_string_lossy().into_owned(),
            reason: match kept.reason {
                KeptReason::Lock => "lock",
                _ => "unknown",
            },
        }
    }
}

/// `eyes usage reset`: what went, or would go.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ResetOutput {
    /// Nothing was removed.
    pub(crate) dry_run: bool,
    /// Files that went, or would go.
    pub(crate) removed: Vec<String>,
    /// Files that were set aside and stay.
    pub(crate) kept: Vec<String>,
}
