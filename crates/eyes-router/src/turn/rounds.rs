//! The rounds in which the final model looks again before it answers.

use eyes_evidence::code::Coded;
use futures_util::future::join_all;

use super::{
    LookFault, LookRequest, Origin, TurnError, TurnMessage,
    answer::{Listener, Said},
    control::Control,
    look::LOOK_TOOL,
    looks::Found,
    marker::targeted_text,
    request::LookReport,
    run::Run,
};
use crate::{
    codes,
    limits::MAX_LOOKS_AT_ONCE,
    model::{ContentBlock, FinishReason, Role, StreamEvent, ToolCall, ToolResult},
    vision::ReadWarning,
};

const NO_MORE: &str = "No further look is possible in this turn: answer with what is known.";
const AGAIN: &str = "This was asked before; the answer is the same.";
const NOT_MADE: &str =
    "The other calls of that answer were not made. Repeat them if they are still needed.";

/// How another look is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offered {
    /// Not at all.
    None,
    /// By the host's own tool, which the host runs.
    ByHost,
    /// By a tool that is run here.
    Tool,
    /// By the control message.
    Text,
}

/// One request to look again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// The call that asks; none for a control message.
    call: Option<ToolCall>,
    request: Result<LookRequest, LookFault>,
}

/// What the model is told.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Told {
    text: String,
    is_error: bool,
}

/// Counts the rounds.
#[derive(Debug)]
pub(super) struct Rounds {
    offered: Offered,
    limit: u32,
    /// Rounds that count: those with something new.
    used: u32,
    /// All rounds; a model that only repeats itself comes to an end too.
    total: u32,
    /// The model was told that there is no further look.
    is_over: bool,
}

impl Rounds {
    pub(super) const fn new(offered: Offered, limit: u32) -> Self {
        Self {
            offered,
            limit,
            used: 0,
            total: 0,
            is_over: false,
        }
    }

    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes the requests out of what was said; calls of other tools stay.
    pub(super) fn asks(&self, said: &mut Said) -> Vec<Asked> {
        match self.offered {
            Offered::None | Offered::ByHost => Vec::new(),
            Offered::Text => {
                let request = match std::mem::replace(&mut said.control, Control::None) {
                    Control::None => return Vec::new(),
                    Control::Look(request) => Ok(request),
                    Control::Malformed(fault) => Err(fault),
                };
                vec![Asked {
                    call: None,
                    request,
                }]
            }
            Offered::Tool => {
                let (looks, others) = std::mem::take(&mut said.calls)
                    .into_iter()
                    .partition(|call| call.name == LOOK_TOOL);
                said.calls = others;
                let asked = |call: ToolCall| Asked {
                    request: LookRequest::from_json(&call.arguments),
                    call: Some(call),
                };
                let looks: Vec<ToolCall> = looks;
                looks.into_iter().map(asked).collect()
            }
        }
    }

    /// Ends a turn whose model asks on after it was told to answer: the question is named as open.
    pub(super) fn give_up(
        &self,
        said: &mut Said,
        asks: &[Asked],
        listener: &mut Listener<'_>,
    ) -> ReadWarning {
        if said.calls.is_empty() {
            said.finish = match said.finish {
                FinishReason::ToolCalls => FinishReason::Stop,
                finish => finish,
            };
            let open = asks.iter().find_map(|ask| ask.request.as_ref().ok());
            let open = open.map_or("its request", |request| request.question.as_str());
            listener(StreamEvent::TextDelta(format!(
                "(The picture was looked at as often as this turn allows; this stays open: {open})"
            )));
        }
        ReadWarning {
            code: codes::VISION_CLARIFICATION_LIMIT,
            message: format!("the model asked to look again after {} rounds", self.total),
        }
    }

    /// Makes the messages that carry the requests and what the model is told.
    pub(super) fn exchange(&self, said: Said, asks: &[Asked], told: Vec<Told>) -> [TurnMessage; 2] {
        let mut spoken = Vec::new();
        spoken.extend(said.reasoning.into_iter().map(ContentBlock::Reasoning));
        if !said.text.trim().is_empty() {
            spoken.push(ContentBlock::Text(said.text));
        }
        let mut results = Vec::new();
        let mut texts = Vec::new();
        for (ask, told) in asks.iter().zip(told) {
            match &ask.call {
                Some(call) => {
                    spoken.push(ContentBlock::ToolCall(call.clone()));
                    results.push(ContentBlock::ToolResult(ToolResult {
                        call_id: call.id.clone(),
                        tool_name: Some(call.name.clone()),
                        is_error: told.is_error,
                        content: vec![ContentBlock::Text(told.text)],
                    }));
                }
                None => texts.push(told.text),
            }
        }
        if !said.calls.is_empty() {
            texts.push(NOT_MADE.to_owned());
        }
        if self.is_over {
            texts.push(NO_MORE.to_owned());
        }
        results.extend(texts.into_iter().map(ContentBlock::Text));
        [
            injected(Role::Assistant, spoken),
            injected(Role::User, results),
        ]
    }

    /// Counts a round that was answered; the last one allowed ends the looking.
    fn count(&mut self, is_new: bool) {
        self.used += u32::from(is_new);
        self.total += 1;
        self.is_over = self.used >= self.limit || self.total >= self.limit * 2;
    }
}

impl Run<'_> {
    /// Answers the requests of one round, all at once; a request that is none, or cannot be answered, is told and
    /// no more.
    pub(super) async fn answer_asks(&mut self, asks: &[Asked], rounds: &mut Rounds) -> Vec<Told> {
        let work = &self.work;
        let looks = asks.iter().take(MAX_LOOKS_AT_ONCE).map(|ask| async move {
            let request = ask.request.as_ref().ok()?;
            Some(work.find(request, ask.call.is_some()).await)
        });
        let mut found = join_all(looks).await.into_iter();
        let mut told = Vec::with_capacity(asks.len());
        let mut is_new = false;
        for ask in asks {
            let (answer, known) = self.told(ask, found.next().flatten());
            is_new |= !known;
            told.push(answer);
        }
        rounds.count(is_new);
        told
    }

    /// Returns what the model is told of one request, and whether that was known already.
    fn told(&mut self, ask: &Asked, found: Option<Found>) -> (Told, bool) {
        let (request, found) = match (&ask.request, found) {
            (Ok(request), Some(found)) => (request, found),
            (Ok(_), None) => {
                let text = format!("at most {MAX_LOOKS_AT_ONCE} looks at once");
                let is_error = true;
                return (Told { text, is_error }, false);
            }
            (Err(fault), _) => {
                let error = TurnError::Look(fault.clone());
                self.note_failed_look(None, &error);
                return (refused(&error), false);
            }
        };
        let by_tool = ask.call.is_some();
        match self.work.take_found(request, by_tool, found) {
            Ok(answered) => {
                let mut text = targeted_text(&self.work.session.key, &answered.record);
                if answered.known {
                    text.extend(["\n", AGAIN]);
                }
                self.looks.push(answered.report(request));
                let is_error = false;
                (Told { text, is_error }, answered.known)
            }
            Err(error) => {
                self.note_failed_look(Some(request), &error);
                (refused(&error), false)
            }
        }
    }

    fn note_failed_look(&mut self, request: Option<&LookRequest>, error: &TurnError) {
        let attempts = match error {
            TurnError::Vision(failure) => failure.attempts.clone(),
            _ => Vec::new(),
        };
        self.looks.push(LookReport {
            image_sha256: request.map(|request| request.image_sha256),
            question: request.map(|request| request.question.clone()),
            outcome: Err(ReadWarning::of(error)),
            known: false,
            attempts,
        });
    }
}

fn refused(error: &TurnError) -> Told {
    Told {
        text: format!(
            "The picture was not looked at again ({}): {error}. Ask otherwise or answer with what is known.",
            error.code().as_str()
        ),
        is_error: true,
    }
}

const fn injected(role: Role, content: Vec<ContentBlock<super::Attachment>>) -> TurnMessage {
    TurnMessage {
        id: None,
        origin: Origin::Injected,
        role,
        content,
    }
}
