//! Taking one streamed answer whole, within bounds.

use std::future::poll_fn;

use crate::{
    error::{AnswerError, VisionError},
    limits::{MAX_ANSWER_BYTES, MAX_REASONING_BYTES},
    model::{FinishReason, StreamEvent, TokenUsage},
    ports::EventStream,
    route::Route,
};

/// An answer that came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text; reasoning is left out.
    pub text: String,
    /// Tokens as the provider counted them; zero where it did not.
    pub usage: TokenUsage,
    /// Why it ended; [`FinishReason::MaxTokens`] means that the rest is missing.
    pub finish: FinishReason,
}

/// Folds stream events into an [`Answer`].
#[derive(Debug, Default)]
pub struct AnswerCollector {
    text: String,
    reasoning_bytes: usize,
    usage: TokenUsage,
    finish: Option<FinishReason>,
}

impl AnswerCollector {
    /// Takes one event; returns whether the answer is complete.
    pub fn accept(&mut self, event: StreamEvent) -> Result<bool, AnswerError> {
        match event {
            StreamEvent::TextDelta(delta) => {
                if delta.len() > MAX_ANSWER_BYTES - self.text.len() {
                    return Err(AnswerError::Limit {
                        what: "text",
                        limit: MAX_ANSWER_BYTES,
                    });
                }
                self.text.push_str(&delta);
            }
            StreamEvent::ReasoningDelta(delta) => {
                self.reasoning_bytes = self.reasoning_bytes.saturating_add(delta.len());
                if self.reasoning_bytes > MAX_REASONING_BYTES {
                    return Err(AnswerError::Limit {
                        what: "reasoning",
                        limit: MAX_REASONING_BYTES,
                    });
                }
            }
            // Nobody who looks is offered a tool.
            StreamEvent::ReasoningSignature(_) | StreamEvent::ToolCall(_) => {}
            StreamEvent::Usage(usage) => self.usage = usage,
            StreamEvent::Finish(reason) => self.finish = Some(reason),
        }
        Ok(self.finish.is_some())
    }

    /// Returns the tokens that were counted so far.
    pub const fn usage(&self) -> TokenUsage {
        self.usage
    }

    /// Ends the answer; without a finish event it is [`AnswerError::Incomplete`].
    pub fn finish(self) -> Result<Answer, AnswerError> {
        let finish = self.finish.ok_or(AnswerError::Incomplete)?;
        Ok(Answer {
            text: self.text,
            usage: self.usage,
            finish,
        })
    }
}

/// Reads `stream`, an answer of `route`, up to its finish event; an answer that was cut off is an error.
pub async fn collect(route: &Route, stream: EventStream) -> Result<Answer, VisionError> {
    let answer = collect_metered(route, stream, |_| {}).await?;
    match answer.finish {
        FinishReason::Stop | FinishReason::ToolCalls => Ok(answer),
        FinishReason::MaxTokens => Err(VisionError::answer(route, AnswerError::Truncated)),
    }
}

/// Reads `stream` and tells `meter` the tokens as they are counted, so that a call that fails is booked too.
pub(super) async fn collect_metered(
    route: &Route,
    mut stream: EventStream,
    meter: impl Fn(TokenUsage) + Send,
) -> Result<Answer, VisionError> {
    let refused = |source| VisionError::answer(route, source);
    let mut collector = AnswerCollector::default();
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        let event = event.map_err(|source| VisionError::provider(route, source))?;
        let counted = matches!(event, StreamEvent::Usage(_));
        let done = collector.accept(event).map_err(refused)?;
        if counted {
            meter(collector.usage());
        }
        if done {
            break;
        }
    }
    collector.finish().map_err(refused)
}
