//! Taking one streamed answer whole, within bounds.

use std::future::poll_fn;

use crate::{
    error::{AnswerError, VisionError},
    limits::{MAX_ANSWER_BYTES, MAX_REASONING_BYTES},
    model::{FinishReason, ModelUsage, StreamEvent},
    ports::EventStream,
    route::Route,
};

/// A complete answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text; reasoning is left out.
    pub text: String,
    /// Tokens as the provider counted them; zero where it did not.
    pub usage: ModelUsage,
}

/// Folds stream events into an [`Answer`].
#[derive(Debug, Default)]
pub struct AnswerCollector {
    text: String,
    reasoning_bytes: usize,
    usage: ModelUsage,
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
            StreamEvent::Usage(usage) => self.usage = usage,
            StreamEvent::Finish(reason) => self.finish = Some(reason),
        }
        Ok(self.finish.is_some())
    }

    /// Ends the answer.
    pub fn finish(self) -> Result<Answer, AnswerError> {
        match self.finish {
            None => Err(AnswerError::Incomplete),
            Some(FinishReason::MaxTokens) => Err(AnswerError::Truncated),
            Some(FinishReason::Stop) => Ok(Answer {
                text: self.text,
                usage: self.usage,
            }),
        }
    }
}

/// Reads `stream`, an answer of `route`, up to its finish event.
pub async fn collect(route: &Route, mut stream: EventStream) -> Result<Answer, VisionError> {
    let refused = |source| VisionError::Answer {
        route: route.clone(),
        source,
    };
    let mut collector = AnswerCollector::default();
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        let event = event.map_err(|source| VisionError::Provider {
            route: route.clone(),
            source: Box::new(source),
        })?;
        if collector.accept(event).map_err(refused)? {
            break;
        }
    }
    collector.finish().map_err(refused)
}
