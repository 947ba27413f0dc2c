//! Every trait that this crate needs from outside, in one place, and those that the floors above share.

use std::{fmt, future::Future, pin::Pin};

use crate::provenance::Timestamp;
pub use crate::{
    audit::AuditSink,
    store::{EvidenceStore, artifact::ArtifactStore},
};

/// A boxed future that can cross threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where the time comes from.
pub trait Clock: fmt::Debug + Send + Sync {
    /// Returns the present date and time.
    fn now(&self) -> Timestamp;

    /// Returns the same moment in milliseconds since 1970-01-01T00:00:00Z; times that outlive the process are
    /// kept in it.
    fn unix_ms(&self) -> u64;
}

/// Where unpredictable numbers come from.
pub trait RandomSource: fmt::Debug + Send + Sync {
    /// Returns 64 bits that nobody can foresee.
    fn next_u64(&self) -> u64;
}
