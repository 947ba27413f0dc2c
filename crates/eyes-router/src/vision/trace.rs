//! The events of one attempt.

use std::time::Duration;

use eyes_evidence::code::ErrorCode;

use super::reading::ReadRequest;
use crate::{
    attempts::{AttemptEvent, AttemptId, AttemptPhase, AttemptStatus},
    ports::{AttemptSink, Clock, RandomSource},
    route::{Candidate, Route},
};

/// Tells the sink what happens to one route in one operation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trace<'a> {
    sink: Option<&'a dyn AttemptSink>,
    clock: &'a dyn Clock,
    request: &'a ReadRequest,
    candidate: &'a Candidate,
    id: AttemptId,
    failover_index: u32,
}

impl<'a> Trace<'a> {
    pub(super) fn new(
        sink: Option<&'a dyn AttemptSink>,
        (clock, random): (&'a dyn Clock, &'a dyn RandomSource),
        request: &'a ReadRequest,
        candidate: &'a Candidate,
        failover_index: u32,
    ) -> Self {
        let bits = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        Self {
            sink,
            clock,
            request,
            candidate,
            id: AttemptId::from_random(bits),
            failover_index,
        }
    }

    pub(super) const fn route(&self) -> &'a Route {
        &self.candidate.route
    }

    pub(super) fn event(
        &self,
        phase: AttemptPhase,
        status: AttemptStatus,
        took: Duration,
        error_code: Option<ErrorCode>,
    ) {
        let Some(sink) = self.sink else { return };
        sink.record(&AttemptEvent {
            attempt_id: self.id,
            timestamp: self.clock.now(),
            operation: self.request.operation,
            route: self.candidate.route.clone(),
            priority: self.candidate.priority,
            failover_index: self.failover_index,
            phase,
            status,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            error_code,
            session_hash: self.request.session,
            image_sha256: Some(self.request.image.identity.sha256),
        });
    }
}
