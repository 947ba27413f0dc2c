//! One turn in progress.

use std::sync::{Arc, PoisonError};

use eyes_usage::{
    category::{CallCategory, Counter, Estimate},
    tokens::TokenUsage,
};

use super::{
    TurnEngine, TurnError, TurnKind, TurnReport, TurnRequest,
    answer::{Broken, Hearing, Listener, Said},
    history::Places,
    look::{LOOK_TOOL, look_tool},
    marker::LookOffer,
    outgoing::Outgoing,
    placement::PlacementBudget,
    present::{Presentation, Presented},
    request::{Compaction, LookReport, replacements},
    rounds::{Offered, Rounds},
    work::Work,
};
use crate::{
    context::{AutomationKind, ContextError, bound::task_index},
    model::{Modality, ModelSpec, StreamEvent, ToolSpec},
};

/// Estimated tokens where nothing bounds the pictures.
const UNBOUNDED: u64 = u64::MAX / 4;

/// One turn in progress.
pub(super) struct Run<'a> {
    pub(super) work: Work<'a>,
    pub(super) request: &'a TurnRequest,
    pub(super) automation: Option<AutomationKind>,
    pub(super) looks: Vec<LookReport>,
    pub(super) compaction: Option<Compaction>,
    is_text: bool,
    calls: u32,
    /// Tokens of all calls of the final model.
    tokens: Option<TokenUsage>,
}

impl<'a> Run<'a> {
    pub(super) fn new(engine: &'a TurnEngine, request: &'a TurnRequest) -> Self {
        Self {
            work: Work::new(engine, request.session.as_deref()),
            request,
            automation: None,
            looks: Vec::new(),
            compaction: None,
            is_text: true,
            calls: 0,
            tokens: None,
        }
    }

    pub(super) async fn answer(
        &mut self,
        listener: &mut Listener<'_>,
    ) -> Result<TurnReport, TurnError> {
        let places = Places::find(&self.request.messages, &self.work.session.key);
        let reader = &self.work.engine.reader;
        let model = reader
            .final_model(&self.request.route, places.has_pictures())
            .await?;
        self.work.session.learn(&places);
        self.automation = AutomationKind::detect(&self.request.messages);
        if self.automation.is_some() {
            self.work.count(Counter::AutomationTurns);
            self.guard(false)?;
        }
        let kind = self.classify(&model, &places).await?;
        self.is_text = kind == TurnKind::Text;
        match kind {
            TurnKind::Native => {
                self.work.count(Counter::VisualTurns);
                self.work.count(Counter::NativeVisualTurns);
                self.work.gather_identities(&places).await?;
            }
            TurnKind::Bridged => {
                self.work.count(Counter::VisualTurns);
                self.work.gather_evidence(&places).await?;
            }
            TurnKind::Text => {}
        }
        let presented = self.present(kind, &model, &places);
        self.work.estimate(Estimate::BridgeInput, presented.weight);
        let surface = replacements(&presented.messages, &presented.changed);
        let said = self.converse(&model, presented, listener).await?;
        self.book_final(said.tokens);
        self.close(&said, listener);
        Ok(TurnReport {
            kind,
            automation: self.automation,
            finish: said.finish,
            images: Vec::new(),
            looks: std::mem::take(&mut self.looks),
            calls: self.calls,
            usage: Vec::new(),
            surface,
            compaction: self.compaction,
            warnings: Vec::new(),
        })
    }

    /// Decides how pictures reach the final model: by what it declares and has proved, not by its name.
    async fn classify(
        &mut self,
        model: &ModelSpec,
        places: &Places,
    ) -> Result<TurnKind, TurnError> {
        if !places.has_pictures() {
            return Ok(TurnKind::Text);
        }
        if !model.input.contains(&Modality::Image) {
            return Ok(TurnKind::Bridged);
        }
        let route = &self.request.route;
        let (proof, usage) = self.work.engine.reader.sees(route, model).await;
        self.work.book_probe(route, usage);
        Ok(if proof? {
            TurnKind::Native
        } else {
            TurnKind::Bridged
        })
    }

    fn present(&self, kind: TurnKind, model: &ModelSpec, places: &Places) -> Presented {
        let settings = self.work.engine.config.settings();
        let presentation = Presentation {
            kind,
            offer: match self.offer() {
                Offered::None => LookOffer::None,
                Offered::Text => LookOffer::Text,
                Offered::ByHost | Offered::Tool => LookOffer::Tool,
            },
            summary_chars: settings.history_summary_chars,
            budget: placement_budget(
                settings.evidence_context_max_tokens,
                model.context_window,
                settings.history_image_limit,
            ),
        };
        presentation.present(&self.work.session, &self.request.messages, places)
    }

    /// Returns how another look is offered where one is of use.
    fn offer(&self) -> Offered {
        let tools = &self.request.tools;
        if tools.iter().any(|tool| tool.name == LOOK_TOOL) {
            Offered::ByHost
        } else if self.work.engine.config.settings().max_clarifications == 0 {
            Offered::None
        } else if tools.is_empty() {
            Offered::Text
        } else {
            Offered::Tool
        }
    }

    /// Calls the final model until it answers.
    async fn converse(
        &mut self,
        model: &ModelSpec,
        presented: Presented,
        listener: &mut Listener<'_>,
    ) -> Result<Said, TurnError> {
        let offered = if presented.can_look {
            self.offer()
        } else {
            Offered::None
        };
        let tools: Arc<[ToolSpec]> = if offered == Offered::Tool {
            let own = std::iter::once(look_tool());
            self.request.tools.iter().cloned().chain(own).collect()
        } else {
            Arc::clone(&self.request.tools)
        };
        let limit = self.work.engine.config.settings().max_clarifications;
        let mut rounds = Rounds::new(offered, limit);
        let mut messages = presented.messages;
        loop {
            let outgoing = Outgoing {
                model,
                messages: &messages,
                tools: &tools,
                may_control: offered == Offered::Text,
            };
            let mut said = self.dispatch(outgoing, listener).await?;
            let asks = rounds.asks(&mut said);
            if asks.is_empty() {
                return Ok(said);
            }
            if rounds.is_over() {
                self.work
                    .warnings
                    .push(rounds.give_up(&mut said, &asks, listener));
                return Ok(said);
            }
            let clarification = Some(CallCategory::Clarification);
            self.work
                .book_final(&self.request.route, clarification, said.tokens);
            let answers = self.answer_asks(&asks, &mut rounds).await;
            messages.extend(rounds.exchange(said, &asks, answers));
        }
    }

    /// Makes one call of the final model, and a second one where the first left no room for an answer.
    async fn dispatch(
        &mut self,
        outgoing: Outgoing<'_>,
        listener: &mut Listener<'_>,
    ) -> Result<Said, TurnError> {
        self.guard(true)?;
        let bounded = self.bound(&outgoing)?;
        let (mut request, mut budget) = self.fit(&outgoing, &bounded).await?;
        let engine = self.work.engine;
        let provider = engine.reader.provider(&self.request.route)?;
        loop {
            self.calls += 1;
            let heard = match provider.generate(request.clone()).await {
                Ok(stream) => {
                    let hearing = Hearing::new(listener, outgoing.may_control);
                    hearing.hear(stream).await
                }
                Err(error) => Err(Broken::before_any(error.into())),
            };
            let broken = match heard {
                Ok(said) => {
                    self.add_tokens(said.tokens);
                    return Ok(said);
                }
                Err(broken) => broken,
            };
            self.add_tokens(broken.tokens);
            if broken.tokens.is_some() {
                self.book_final(broken.tokens);
            }
            let shorter = match &broken.error {
                TurnError::Final(error) if !broken.was_heard => budget.after(error)?,
                _ => None,
            };
            let Some(max) = shorter else {
                return Err(broken.error);
            };
            request.max_output_tokens = Some(max);
            self.work.warn(&broken.error);
        }
    }

    /// Asks whether another call may be made for this task, and counts it where `admit` is set.
    fn guard(&mut self, admit: bool) -> Result<(), ContextError> {
        if self.automation.is_none() {
            return Ok(());
        }
        let session = self.request.session.as_deref().unwrap_or("unknown");
        let task = self.task();
        let guard = &self.work.engine.guard;
        let mut guard = guard.lock().unwrap_or_else(PoisonError::into_inner);
        let checked = if admit {
            guard.admit(session, &task).map(|_| ())
        } else {
            guard.check(session, &task)
        };
        drop(guard);
        checked.inspect_err(|_| {
            self.work.count(Counter::AutomationLimitStops);
            if self.automation == Some(AutomationKind::Mcp) {
                self.work.count(Counter::McpLimitStops);
            }
        })
    }

    /// Names the task that an automation works on: the person's newest message.
    fn task(&self) -> String {
        let newest = task_index(&self.request.messages);
        let id = newest.and_then(|at| self.request.messages[at].id.clone());
        id.unwrap_or_else(|| format!("message {}", newest.map_or(0, |at| at + 1)))
    }

    fn book_final(&mut self, tokens: Option<TokenUsage>) {
        let category = self.automation.map(|automation| match automation {
            AutomationKind::Mcp => CallCategory::Mcp,
            _ => CallCategory::Automation,
        });
        // What a text turn costs is what it would cost without eyes.
        if !self.is_text || category.is_some() {
            self.work.book_final(&self.request.route, category, tokens);
        }
    }

    fn add_tokens(&mut self, tokens: Option<TokenUsage>) {
        if let Some(tokens) = tokens {
            *self.tokens.get_or_insert_default() += tokens;
        }
    }

    /// Tells the listener how the answer ends.
    fn close(&self, said: &Said, listener: &mut Listener<'_>) {
        for call in &said.calls {
            listener(StreamEvent::ToolCall(call.clone()));
        }
        if let Some(tokens) = self.tokens {
            listener(StreamEvent::Usage(tokens));
        }
        listener(StreamEvent::Finish(said.finish));
    }

    /// Tells the ledger, and adds to the report what is known only at the end.
    pub(super) fn report(mut self, mut report: TurnReport) -> TurnReport {
        self.work.flush();
        report.images = std::mem::take(&mut self.work.images);
        report.usage = std::mem::take(&mut self.work.book.entries);
        report.warnings = std::mem::take(&mut self.work.warnings);
        report
    }
}

/// Pictures may take what the settings say, and never more than a third of the window.
fn placement_budget(setting: u64, window: Option<u32>, pointers: usize) -> PlacementBudget {
    let window = window.map_or(UNBOUNDED, u64::from);
    let setting = if setting == 0 { UNBOUNDED } else { setting };
    let high = setting.min(window / 3);
    PlacementBudget {
        high,
        low: high / 2,
        hard: (window / 3 * 2).max(high),
        pointers,
    }
}
