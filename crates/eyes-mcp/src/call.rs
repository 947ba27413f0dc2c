//! Calls and what comes of them.

use std::sync::Arc;

use eyes_usage::session::SessionDigest;
use serde_json::{Map, Value};

use crate::{ports::ProgressSink, result::BoundedResult};

/// One call of a tool by a model.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// The public name of the tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// The run that the call counts for; calls without one count for none.
    pub run: Option<RunHandle>,
    /// Who hears of progress.
    pub progress: Option<Arc<dyn ProgressSink>>,
}

/// What came of a call that reached the server.
///
/// A result that the tool itself calls an error is one, and still carries what the tool said.
#[derive(Debug, Clone)]
pub struct CallOutcome {
    /// Whether the tool called its result an error.
    pub is_error: bool,
    /// The result, bounded.
    pub result: BoundedResult,
}

/// A run of a program that calls tools; its calls are counted as long as somebody holds it.
#[derive(Debug, Clone, Default)]
pub struct RunHandle(pub(crate) Arc<RunCalls>);

impl RunHandle {
    /// Makes the run of a session; records and usage of its calls carry the digest of the id.
    pub fn of_session(id: &str) -> Self {
        Self(Arc::new(RunCalls {
            session: Some(SessionDigest::of(id)),
            ..RunCalls::default()
        }))
    }

    /// Returns the session that the run is of, where it is of one.
    pub fn session(&self) -> Option<SessionDigest> {
        self.0.session
    }
}

/// Calls of one run.
#[derive(Debug, Default)]
pub(crate) struct RunCalls {
    pub(crate) made: std::sync::atomic::AtomicU32,
    session: Option<SessionDigest>,
}
