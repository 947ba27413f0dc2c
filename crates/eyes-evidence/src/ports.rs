//! Every trait that this crate needs from outside, in one place.

pub use crate::{
    audit::AuditSink,
    store::{EvidenceStore, artifact::ArtifactStore},
};
