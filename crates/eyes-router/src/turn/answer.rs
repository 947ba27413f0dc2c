//! One call of the final model, heard to its end.

use std::future::poll_fn;

use eyes_usage::tokens::TokenUsage;

use super::{
    control::{Control, ControlGate},
    error::TurnError,
};
use crate::{
    error::AnswerError,
    limits::{MAX_ANSWER_BYTES, MAX_REASONING_BYTES},
    model::{FinishReason, Reasoning, StreamEvent, ToolCall},
    ports::EventStream,
};

/// Who hears the answer as it comes.
pub type Listener<'a> = &'a mut (dyn FnMut(StreamEvent) + Send);

/// What the model said in one call.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    /// All of it, a control message included.
    pub(super) text: String,
    pub(super) reasoning: Vec<Reasoning>,
    pub(super) calls: Vec<ToolCall>,
    pub(super) control: Control,
    pub(super) finish: FinishReason,
    pub(super) tokens: Option<TokenUsage>,
}

/// A call that failed, and what is known of it.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) error: TurnError,
    pub(super) tokens: Option<TokenUsage>,
    /// Whether the listener heard any of it.
    pub(super) was_heard: bool,
}

impl Broken {
    /// A call that failed before its answer began.
    pub(super) const fn before_any(error: TurnError) -> Self {
        Self {
            error,
            tokens: None,
            was_heard: false,
        }
    }
}

/// Hears one call.
pub(super) struct Hearing<'a, 'l> {
    listener: &'a mut Listener<'l>,
    /// Whether the answer may be a control message.
    gate: Option<ControlGate>,
    text: String,
    /// Each block of thoughts ends with its seal.
    reasoning: Vec<Reasoning>,
    reasoning_bytes: usize,
    calls: Vec<ToolCall>,
    call_bytes: usize,
    finish: Option<FinishReason>,
    tokens: Option<TokenUsage>,
    was_heard: bool,
}

impl<'a, 'l> Hearing<'a, 'l> {
    pub(super) fn new(listener: &'a mut Listener<'l>, may_control: bool) -> Self {
        Self {
            listener,
            gate: may_control.then(ControlGate::default),
            text: String::new(),
            reasoning: Vec::new(),
            reasoning_bytes: 0,
            calls: Vec::new(),
            call_bytes: 0,
            finish: None,
            tokens: None,
            was_heard: false,
        }
    }

    /// Hears the stream to its end; what ends an answer and what it cost is told later, by the turn.
    pub(super) async fn hear(mut self, mut stream: EventStream) -> Result<Said, Broken> {
        while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
            let taken = event
                .map_err(TurnError::from)
                .and_then(|event| self.take(event));
            if let Err(error) = taken {
                return Err(self.broken(error));
            }
            if self.finish.is_some() {
                break;
            }
        }
        let Some(finish) = self.finish else {
            return Err(self.broken(TurnError::Answer(AnswerError::Incomplete)));
        };
        let control = match self.gate.take() {
            None => Control::None,
            Some(gate) => {
                let (rest, control) = gate.finish();
                self.show(rest);
                control
            }
        };
        Ok(Said {
            text: self.text,
            reasoning: self.reasoning,
            calls: self.calls,
            control,
            finish,
            tokens: self.tokens,
        })
    }

    fn take(&mut self, event: StreamEvent) -> Result<(), TurnError> {
        match event {
            StreamEvent::TextDelta(delta) => {
                fits("text", self.text.len(), delta.len(), MAX_ANSWER_BYTES)?;
                self.text.push_str(&delta);
                let shown = match &mut self.gate {
                    Some(gate) => gate.push(&delta),
                    None => delta,
                };
                self.show(shown);
            }
            StreamEvent::ReasoningDelta(delta) => {
                self.take_reasoning(&delta)?.text.push_str(&delta);
                self.tell(StreamEvent::ReasoningDelta(delta));
            }
            StreamEvent::ReasoningSignature(signature) => {
                self.take_reasoning(&signature)?.signature = Some(signature.clone());
                self.tell(StreamEvent::ReasoningSignature(signature));
            }
            StreamEvent::ToolCall(call) => {
                let bytes = call.arguments.len() + call.name.len() + call.id.len();
                fits("tool calls", self.call_bytes, bytes, MAX_ANSWER_BYTES)?;
                self.call_bytes += bytes;
                self.calls.push(call);
            }
            StreamEvent::Usage(usage) => self.tokens = Some(usage),
            StreamEvent::Finish(reason) => self.finish = Some(reason),
        }
        Ok(())
    }

    /// Returns the block of thoughts that is open, a new one after a seal.
    fn take_reasoning(&mut self, piece: &str) -> Result<&mut Reasoning, TurnError> {
        let before = self.reasoning_bytes;
        fits("reasoning", before, piece.len(), MAX_REASONING_BYTES)?;
        self.reasoning_bytes += piece.len();
        let is_open = self
            .reasoning
            .last()
            .is_some_and(|block| block.signature.is_none());
        if !is_open {
            self.reasoning.push(Reasoning {
                text: String::new(),
                signature: None,
            });
        }
        // One was pushed where there was none.
        let at = self.reasoning.len() - 1;
        Ok(&mut self.reasoning[at])
    }

    fn show(&mut self, text: String) {
        if !text.is_empty() {
            self.tell(StreamEvent::TextDelta(text));
        }
    }

    fn tell(&mut self, event: StreamEvent) {
        self.was_heard = true;
        (self.listener)(event);
    }

    fn broken(&self, error: TurnError) -> Broken {
        Broken {
            error,
            tokens: self.tokens,
            was_heard: self.was_heard,
        }
    }
}

fn fits(what: &'static str, before: usize, more: usize, limit: usize) -> Result<(), TurnError> {
    if more > limit - before {
        return Err(TurnError::Answer(AnswerError::Limit { what, limit }));
    }
    Ok(())
}
