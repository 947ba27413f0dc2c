//! One answer: pieces of a reply become events, whatever form they have.

use std::{collections::VecDeque, time::Duration};

use futures_util::stream;
use serde_json::Value;
use tokio::{runtime::Handle, time::timeout};

use super::{
    conversation::Seal,
    fault::Fault,
    http::Reply,
    sse::{SseEvent, SseParser},
    tool_calls::ToolCalls,
};
use crate::{
    error::ProviderError,
    limits::{MAX_SEAL_BYTES, MAX_TRAILER_MS, MAX_WHOLE_REPLY_BYTES},
    model::{FinishReason, StreamEvent, TokenUsage},
    ports::EventStream,
};

/// What ends a stream in place of a document.
pub(super) const END_MARK: &str = "[DONE]";

/// What one wire form makes of a reply.
pub(super) trait Decoder: Send {
    /// Takes one event of a streamed reply.
    fn event(&mut self, event: &SseEvent, state: &mut AnswerState) -> Result<(), Fault>;

    /// Takes a reply that came as one document, from a server that does not stream.
    fn whole(&mut self, document: &Value, state: &mut AnswerState) -> Result<(), Fault>;
}

/// What is known of the answer so far.
#[derive(Debug, Default)]
pub(super) struct AnswerState {
    ready: VecDeque<StreamEvent>,
    has_content: bool,
    /// Why the model ended, as soon as it said so.
    pub(super) finish: Option<FinishReason>,
    /// Why the answer must not be used, where the reason comes before the end.
    pub(super) refusal: Option<String>,
    /// Whether the reply said that nothing follows.
    pub(super) is_closed: bool,
    /// The calls that were begun.
    pub(super) calls: ToolCalls,
    usage: Option<TokenUsage>,
}

impl AnswerState {
    fn new(calls: ToolCalls) -> Self {
        Self {
            calls,
            ..Self::default()
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.has_content = true;
            self.ready
                .push_back(StreamEvent::TextDelta(text.to_owned()));
        }
    }

    pub(super) fn reasoning(&mut self, text: &str) {
        if !text.is_empty() {
            self.has_content = true;
            self.ready
                .push_back(StreamEvent::ReasoningDelta(text.to_owned()));
        }
    }

    /// Takes the provider's seal on the reasoning so far.
    pub(super) fn seal(&mut self, seal: Seal<'_>) -> Result<(), Fault> {
        let text = seal.write();
        if text.len() > MAX_SEAL_BYTES {
            let text = format!("a seal on reasoning has more than {MAX_SEAL_BYTES} bytes");
            return Err(Fault::TooLong(text));
        }
        self.ready.push_back(StreamEvent::ReasoningSignature(text));
        Ok(())
    }

    /// Passes on the calls that are whole because another part of the answer begins.
    pub(super) fn settle_calls(&mut self) -> Result<(), Fault> {
        let settled = self.calls.settled()?;
        self.ready
            .extend(settled.into_iter().map(StreamEvent::ToolCall));
        Ok(())
    }

    #[cfg(feature = "openai")]
    pub(super) const fn has_content(&self) -> bool {
        self.has_content
    }

    /// Notes the sums so far; each event of usage replaces those before it.
    pub(super) fn usage(&mut self, usage: TokenUsage) {
        if self.usage != Some(usage) {
            self.usage = Some(usage);
            self.ready.push_back(StreamEvent::Usage(usage));
        }
    }

    /// Returns the sums so far.
    #[cfg(feature = "anthropic")]
    pub(super) fn usage_so_far(&self) -> TokenUsage {
        self.usage.unwrap_or_default()
    }

    /// Ends the answer: with its finish event, or with what is wrong.
    fn end(&mut self) -> Result<(), Fault> {
        if let Some(reason) = self.refusal.take() {
            return Err(Fault::Blocked(reason));
        }
        // Some servers close the stream properly and name no reason.
        let closed = self.is_closed && (self.has_content || self.calls.any());
        let Some(reason) = self.finish.or(closed.then_some(FinishReason::Stop)) else {
            let text = "the reply ended before the answer was complete";
            return Err(Fault::Cut(text.to_owned()));
        };
        let is_cut = reason == FinishReason::MaxTokens;
        let calls = self.calls.finish(is_cut)?;
        self.ready
            .extend(calls.into_iter().map(StreamEvent::ToolCall));
        // Servers say `stop` after calls, and `tool_calls` where they send none.
        let reason = match reason {
            FinishReason::Stop | FinishReason::ToolCalls if self.calls.delivered() => {
                FinishReason::ToolCalls
            }
            FinishReason::Stop | FinishReason::ToolCalls => FinishReason::Stop,
            FinishReason::MaxTokens => FinishReason::MaxTokens,
        };
        self.ready.push_back(StreamEvent::Finish(reason));
        Ok(())
    }
}

/// How the body is framed; its first character tells.
enum Framing {
    Unknown,
    Events(SseParser),
    Document(Vec<u8>),
}

struct Call {
    reply: Option<Reply>,
    decoder: Box<dyn Decoder>,
    framing: Framing,
    state: AnswerState,
    failure: Option<ProviderError>,
    has_ended: bool,
}

/// Turns the reply into the port's stream; dropping it closes the connection.
///
/// `calls` knows the ids that are taken already.
pub(super) fn answer(reply: Reply, decoder: Box<dyn Decoder>, calls: ToolCalls) -> EventStream {
    let call = Call {
        reply: Some(reply),
        decoder,
        framing: Framing::Unknown,
        state: AnswerState::new(calls),
        failure: None,
        has_ended: false,
    };
    Box::pin(stream::unfold(call, |mut call| async move {
        let event = call.next().await?;
        Some((event, call))
    }))
}

impl Call {
    async fn next(&mut self) -> Option<Result<StreamEvent, ProviderError>> {
        loop {
            if let Some(event) = self.state.ready.pop_front() {
                return Some(Ok(event));
            }
            if let Some(failure) = self.failure.take() {
                return Some(Err(failure));
            }
            let reply = self.reply.as_mut().filter(|_| !self.has_ended)?;
            let outcome = match reply.next().await {
                Ok(Some(piece)) => self.take(&piece),
                Ok(None) => self.finish(),
                // What came before may be whole already; only the closing mark was lost.
                Err(Fault::Cut(_) | Fault::Timeout(_)) if self.state.finish.is_some() => {
                    self.finish()
                }
                Err(fault) => Err(fault),
            };
            if let Some(reply) = self.reply.as_mut().filter(|_| self.state.finish.is_some()) {
                reply.expect_end();
            }
            if let Err(fault) = outcome {
                // A reply that went wrong is not worth its connection.
                self.failure = self.reply.take().map(|reply| reply.context.error(fault));
                self.has_ended = true;
            }
        }
    }

    fn take(&mut self, mut piece: &[u8]) -> Result<(), Fault> {
        if matches!(self.framing, Framing::Unknown) {
            piece = piece.trim_ascii_start();
            self.framing = match piece.first() {
                None => return Ok(()),
                Some(b'{' | b'[') => Framing::Document(Vec::new()),
                Some(b'<') => {
                    let text = "the provider answered with a page instead of JSON or events";
                    return Err(Fault::Invalid(text.to_owned()));
                }
                Some(_) => Framing::Events(SseParser::default()),
            };
        }
        match &mut self.framing {
            Framing::Unknown => Ok(()),
            Framing::Document(body) => {
                if piece.len() > MAX_WHOLE_REPLY_BYTES - body.len() {
                    let text = format!("the reply has more than {MAX_WHOLE_REPLY_BYTES} bytes");
                    return Err(Fault::TooLong(text));
                }
                body.extend_from_slice(piece);
                Ok(())
            }
            Framing::Events(parser) => {
                let mut events = Vec::new();
                let parsed = parser.push(piece, &mut events);
                self.decode(&events)?;
                parsed.map_err(|error| Fault::TooLong(error.to_string()))
            }
        }
    }

    fn decode(&mut self, events: &[SseEvent]) -> Result<(), Fault> {
        for event in events {
            if self.has_ended {
                break;
            }
            self.decoder.event(event, &mut self.state)?;
            if self.state.is_closed {
                self.has_ended = true;
                self.state.end()?;
            }
        }
        Ok(())
    }

    /// Takes the end of the body.
    fn finish(&mut self) -> Result<(), Fault> {
        self.has_ended = true;
        match std::mem::replace(&mut self.framing, Framing::Unknown) {
            Framing::Unknown => {}
            Framing::Document(body) => {
                let document = serde_json::from_slice(&body)
                    .map_err(|error| Fault::Invalid(format!("the reply is not JSON: {error}")))?;
                self.decoder.whole(&document, &mut self.state)?;
            }
            Framing::Events(parser) => {
                let left = parser
                    .finish()
                    .map_err(|error| Fault::TooLong(error.to_string()))?;
                // Half an event at the end is a stream that broke off, not a broken protocol.
                if let Some(event) = left
                    && let Err(fault) = self.decoder.event(&event, &mut self.state)
                    && !matches!(fault, Fault::Invalid(_))
                {
                    return Err(fault);
                }
            }
        }
        self.state.end()
    }
}

impl Drop for Call {
    /// Lets the connection of a complete answer go back to the pool: the mark that ends the body often comes
    /// after the mark that ends the answer. An answer that is dropped in its middle ends with its connection.
    fn drop(&mut self) {
        let complete = self.reply.take().filter(|_| self.has_ended);
        if let Some(mut reply) = complete
            && let Ok(runtime) = Handle::try_current()
        {
            let rest = async move { while let Ok(Some(_)) = reply.next().await {} };
            let limit = Duration::from_millis(MAX_TRAILER_MS);
            drop(runtime.spawn(timeout(limit, rest)));
        }
    }
}

/// Reads the document of an event; an empty one and the mark of the end have none.
pub(super) fn document(event: &SseEvent) -> Result<Option<Value>, Fault> {
    let data = event.data.trim();
    if data.is_empty() || data == END_MARK {
        return Ok(None);
    }
    serde_json::from_str(data)
        .map(Some)
        .map_err(|error| Fault::Invalid(format!("an event of the reply is not JSON: {error}")))
}

/// Encodes a body; a map of JSON values always can be.
pub(super) fn encode(body: &serde_json::Map<String, Value>) -> Vec<u8> {
    serde_json::to_vec(body).unwrap_or_default()
}

/// Writes a number of single precision as people write it: 0.2, not 0.20000000298.
pub(super) fn decimal(value: f32) -> Value {
    value.to_string().parse::<f64>().unwrap_or_default().into()
}

/// Returns the first of several members that is a count.
pub(super) fn number(object: &Value, paths: &[&str]) -> u64 {
    paths
        .iter()
        .find_map(|path| object.pointer(path)?.as_u64())
        .unwrap_or_default()
}

/// Returns a member that is text; a missing one is empty.
pub(super) fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object.get(name).and_then(Value::as_str).unwrap_or_default()
}
