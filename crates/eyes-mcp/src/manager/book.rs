//! Every call is written down, however it ends.

use std::sync::Arc;

use eyes_evidence::provenance::Timestamp;
use eyes_usage::{event::UsageEvent, session::SessionDigest};
use tokio::time::Instant;

use super::Inner;
use crate::{
    audit::{ArgumentsDigest, CallEnding, CallRecord, CallTarget},
    call::{CallOutcome, RunHandle},
    catalog::CatalogTool,
    codes::{MCP_EXTERNAL_CALL_LIMIT_REACHED, MCP_REQUEST_CLOSED},
    config::{RiskPolicy, ServerConfig},
    error::McpError,
    policy::Risk,
    ports::AuditSink as _,
    quota::{CallSlot, call_usage, limit_stop},
    result::BoundedResult,
};

/// What is called, as far as it was found.
#[derive(Debug)]
pub(super) enum Subject {
    /// A tool, by the name that the model used.
    Tool {
        public_name: String,
        found: Option<Arc<CatalogTool>>,
    },
    Resource,
    Prompt,
}

/// A call that goes on. Dropped before its end it is written down as stopped by its caller.
#[derive(Debug)]
pub(super) struct Booking<'a> {
    inner: &'a Inner,
    at: Timestamp,
    began: Instant,
    subject: Subject,
    server: Option<Arc<ServerConfig>>,
    arguments: ArgumentsDigest,
    session: Option<SessionDigest>,
    slot: Option<CallSlot>,
    sent: bool,
    open: bool,
}

impl<'a> Booking<'a> {
    pub(super) fn new(
        inner: &'a Inner,
        subject: Subject,
        arguments: ArgumentsDigest,
        run: Option<&RunHandle>,
    ) -> Self {
        Self {
            at: inner.parts.clock.now(),
            began: Instant::now(),
            inner,
            subject,
            server: None,
            arguments,
            session: run.and_then(RunHandle::session),
            slot: None,
            sent: false,
            open: true,
        }
    }

    /// Says whose call it is.
    pub(super) fn server(&mut self, server: &Arc<ServerConfig>) {
        self.server = Some(Arc::clone(server));
    }

    /// Says which tool it is.
    pub(super) fn tool(&mut self, tool: &Arc<CatalogTool>) {
        if let Subject::Tool { found, .. } = &mut self.subject {
            *found = Some(Arc::clone(tool));
        }
    }

    /// Holds the place among the calls of the run.
    pub(super) fn holds(&mut self, slot: CallSlot) {
        self.slot = Some(slot);
    }

    /// Says that the request leaves now.
    pub(super) const fn leaves(&mut self) {
        self.sent = true;
    }

    /// Writes down how it ended; an error says whether the request had left.
    pub(super) fn ended(
        mut self,
        answer: Result<BoundedResult, McpError>,
    ) -> Result<CallOutcome, McpError> {
        match answer {
            Ok(result) => {
                self.sent = true;
                self.close(CallEnding::Answered(&result));
                Ok(CallOutcome {
                    is_error: result.is_error,
                    result,
                })
            }
            Err(error) => {
                self.sent = error.sent;
                self.close(CallEnding::Failed(&error));
                Err(error)
            }
        }
    }

    fn close(&mut self, ending: CallEnding<'_>) {
        self.open = false;
        if let Some(slot) = self.slot.take() {
            if self.sent {
                slot.commit();
            } else {
                drop(slot);
            }
        }
        self.record_usage(ending);
        self.inner.parts.audit.record(&self.record(ending).event());
    }

    fn record_usage(&self, ending: CallEnding<'_>) {
        let now = self.inner.parts.clock.now();
        let events: Vec<UsageEvent> = match ending {
            CallEnding::Failed(error) if error.code == MCP_EXTERNAL_CALL_LIMIT_REACHED => {
                vec![limit_stop(now, self.session)]
            }
            CallEnding::Failed(_) => call_usage(&now, self.session, self.sent, None),
            CallEnding::Answered(result) => {
                call_usage(&now, self.session, true, Some(result.estimated_tokens()))
            }
        };
        if !events.is_empty() {
            self.inner.parts.usage.record(&events);
        }
    }

    fn record<'b>(&'b self, ending: CallEnding<'b>) -> CallRecord<'b> {
        let target = match &self.subject {
            Subject::Tool {
                public_name,
                found: Some(tool),
            } => CallTarget::Tool {
                name: &tool.definition.name,
                public_name,
                risk: tool.risk,
                open_world: tool.definition.annotations.open_world_hint,
            },
            Subject::Tool { public_name, .. } => CallTarget::UnknownTool { public_name },
            Subject::Resource => CallTarget::Resource,
            Subject::Prompt => CallTarget::Prompt,
        };
        CallRecord {
            at: self.at.clone(),
            duration: self.began.elapsed(),
            server: self.server.as_deref(),
            target,
            policy_allowed: self.policy_allowed(),
            session: self.session,
            arguments: &self.arguments,
            ending,
        }
    }

    fn policy_allowed(&self) -> bool {
        let is_read_only = self
            .server
            .as_ref()
            .is_some_and(|server| server.risk_policy == RiskPolicy::ReadOnly);
        match &self.subject {
            Subject::Tool { found, .. } => {
                !is_read_only || found.as_ref().is_some_and(|tool| tool.risk == Risk::Read)
            }
            Subject::Resource | Subject::Prompt => true,
        }
    }
}

impl Drop for Booking<'_> {
    fn drop(&mut self) {
        if !self.open {
            return;
        }
        let mut error = McpError::new(MCP_REQUEST_CLOSED, "the caller stopped the call");
        if self.sent {
            error = error.after_sending();
        }
        self.close(CallEnding::Failed(&error));
    }
}
