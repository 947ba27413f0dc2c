//! Streams of events for the protocol library.

use std::collections::VecDeque;

use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use reqwest::Response;
use rmcp::{model::RequestId, transport::streamable_http_client::SseError};
use sse_stream::Sse;

use super::{
    inbound::Inbound,
    sse::{Event, Parser},
};
use crate::{net::NetError, wire::MessageFault};

pub(super) type Events = BoxStream<'static, Result<Sse, SseError>>;

/// Reads events of a reply; `request` is the one that the stream answers, where it is only for one.
pub(super) fn events(response: Response, inbound: Inbound, request: Option<RequestId>) -> Events {
    let reading = Reading {
        response,
        parser: Parser::new(inbound.limits.bytes),
        waiting: VecDeque::new(),
        inbound,
        request,
    };
    stream::unfold(reading, |mut reading| async move {
        let next = reading.next().await?;
        Some((next, reading))
    })
    .boxed()
}

struct Reading {
    response: Response,
    parser: Parser,
    waiting: VecDeque<Event>,
    inbound: Inbound,
    request: Option<RequestId>,
}

impl Reading {
    async fn next(&mut self) -> Option<Result<Sse, SseError>> {
        loop {
            while let Some(event) = self.waiting.pop_front() {
                if let Some(event) = self.seen(event) {
                    return Some(Ok(event));
                }
            }
            match self.response.chunk().await {
                Ok(Some(chunk)) => self.parser.feed(&chunk, &mut self.waiting),
                Ok(None) => return None,
                Err(error) => {
                    let error = NetError::from_reqwest(error);
                    return Some(Err(SseError::Body(Box::new(error))));
                }
            }
        }
    }

    /// Returns what the library sees of an event.
    fn seen(&self, event: Event) -> Option<Sse> {
        let mut fields = match event {
            Event::Whole(fields) => fields,
            Event::TooLarge(answers) => {
                let awaited = answers.and_then(|id| self.inbound.awaited(&id));
                let request = awaited.as_ref().or(self.request.as_ref())?;
                let data = self.inbound.failed_text(request, MessageFault::Bytes)?;
                return Some(Sse::default().data(data));
            }
        };
        let kind = fields.event.as_deref().unwrap_or_default();
        let is_message = kind.is_empty() || kind == "message";
        if is_message && let Some(data) = fields.data.take() {
            // One that is left out still moves the place from which a broken stream goes on.
            fields.data = if data.trim().is_empty() {
                Some(data)
            } else {
                self.inbound.take(data, self.request.as_ref())
            };
        }
        Some(Sse {
            event: fields.event,
            data: fields.data,
            id: fields.id,
            retry: fields.retry,
        })
    }
}
