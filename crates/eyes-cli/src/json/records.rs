//! What the commands about the store print.

use eyes_evidence::{
    digest::Sha256Digest,
    provenance::{EvidenceRecord, RouteName, Timestamp},
    record::{Evidence, EvidenceKind, NonEmptyText},
    store::{Pruned, StoreUsage},
};
use serde::Serialize;

/// `eyes evidence list`: one record of the store.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ListedOutput<'a> {
    /// SHA-256 of the record.
    digest: Sha256Digest,
    /// Which document it holds.
    kind: EvidenceKind,
    /// When the model answered.
    created_at: &'a Timestamp,
    /// The image it is about.
    image: ListedImage<'a>,
    /// Which model looked, as `provider/model`.
    route: String,
    /// The question of a targeted read.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a NonEmptyText>,
    /// The summary or the answer.
    said: &'a NonEmptyText,
}

/// The image of a listed record.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ListedImage<'a> {
    /// SHA-256 of its bytes.
    sha256: Sha256Digest,
    /// What its reader called it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a RouteName>,
    /// Pixels from left to right.
    width: u32,
    /// Pixels from top to bottom.
    height: u32,
}

impl<'a> From<&'a EvidenceRecord> for ListedOutput<'a> {
    fn from(record: &'a EvidenceRecord) -> Self {
        let source = record.source();
        let vision = record.vision();
        Self {
            digest: record.record_sha256(),
            kind: record.kind(),
            created_at: record.created_at(),
            image: ListedImage {
                sha256: source.identity.sha256,
                name: source.name.as_ref(),
                width: source.identity.size.width,
                height: source.identity.size.height,
            },
            route: format!("{}/{}", vision.provider, vision.model),
            question: record.question(),
            said: match record.evidence() {
                Evidence::Base(base) => &base.summary,
                Evidence::Target(target) => &target.answer,
            },
        }
    }
}

/// `eyes evidence prune`: what went, or would go.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PruneOutput {
    /// Nothing was removed.
    dry_run: bool,
    /// What went, or would go.
    removed: Amount,
    /// What stays.
    left: Amount,
}

/// Records, counted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Amount {
    /// How many.
    records: usize,
    /// Bytes of them.
    bytes: u64,
}

impl PruneOutput {
    pub(crate) const fn new(dry_run: bool, removed: Pruned, left: StoreUsage) -> Self {
        Self {
            dry_run,
            removed: Amount {
                records: removed.items,
                bytes: removed.bytes,
            },
            left: Amount {
                records: left.items,
                bytes: left.bytes,
            },
        }
    }
}
