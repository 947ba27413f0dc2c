//! From a presented session to a request of the final model.

use std::{collections::BTreeMap, sync::Arc};

use eyes_usage::category::{Counter, Estimate};
use futures_util::{StreamExt, stream};

use super::{Attachment, TurnError, TurnMessage, request::Compaction, run::Run};
use crate::{
    context::{
        AutomationKind, Bounded, ContextError, ContextLimit, ContextRequest, OutputBudget, bound,
    },
    model::{
        ContentBlock, GenerateRequest, ImageInput, Message, ModelSpec, Task, ToolResult, ToolSpec,
    },
};

/// One call before it is bounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outgoing<'a> {
    pub(super) model: &'a ModelSpec,
    pub(super) messages: &'a [TurnMessage],
    pub(super) tools: &'a Arc<[ToolSpec]>,
    /// Whether the answer may be a control message.
    pub(super) may_control: bool,
}

impl Run<'_> {
    /// Cuts the context of an automation to its limit; anything else is only estimated.
    pub(super) fn bound(&mut self, outgoing: &Outgoing<'_>) -> Result<Bounded, ContextError> {
        let request = ContextRequest {
            system: self.request.system.as_deref(),
            tools: outgoing.tools,
            messages: outgoing.messages,
        };
        let limit = match self.automation {
            Some(_) => self.work.engine.config.automation_limit(),
            None => ContextLimit::UNLIMITED,
        };
        let bounded = bound(&request, limit)?;
        if !bounded.is_whole() {
            let saved = bounded.saved().0;
            self.work.count(Counter::AutomationContextCompactions);
            self.work.estimate(Estimate::AutomationInputSaved, saved);
            if self.automation == Some(AutomationKind::Mcp) {
                self.work.count(Counter::McpContextCompactions);
            }
            self.compaction = Some(Compaction {
                before: bounded.before,
                after: bounded.after,
                dropped: bounded.dropped,
            });
        }
        Ok(bounded)
    }

    /// Fits the answer into the model's window, and loads the pixels that are sent.
    pub(super) async fn fit(
        &self,
        outgoing: &Outgoing<'_>,
        bounded: &Bounded,
    ) -> Result<(GenerateRequest, OutputBudget), TurnError> {
        let model = outgoing.model;
        let wanted = self.request.max_output_tokens;
        let wanted = wanted.or(model.default_max_output);
        let budget = OutputBudget::fit(model.context_window, wanted, bounded.after)?;
        let sent: Vec<&TurnMessage> = bounded.view(outgoing.messages).collect();
        let pixels = self.pixels(&sent).await?;
        let messages = sent
            .into_iter()
            .map(|message| Message {
                role: message.role,
                content: blocks(&message.content, &pixels),
            })
            .collect();
        let request = GenerateRequest {
            model: self.request.route.model().to_owned(),
            system: self.request.system.clone(),
            messages,
            // Where nothing had to be fitted, what the caller said goes on unchanged.
            max_output_tokens: if budget.is_capped() {
                budget.max_output_tokens()
            } else {
                self.request.max_output_tokens
            },
            temperature: self.request.temperature,
            task: Task::Answer,
            tools: Arc::clone(outgoing.tools),
        };
        Ok((request, budget))
    }

    async fn pixels(
        &self,
        messages: &[&TurnMessage],
    ) -> Result<BTreeMap<String, ImageInput>, TurnError> {
        let mut wanted = BTreeMap::new();
        for message in messages {
            collect(&message.content, &mut wanted);
        }
        let at_once = self.work.engine.reader.concurrency();
        let loads = wanted.into_values().map(|attachment| async move {
            let image = self.work.load(attachment).await;
            (attachment.id.clone(), image)
        });
        let loaded: Vec<_> = stream::iter(loads)
            .buffer_unordered(at_once)
            .collect()
            .await;
        loaded
            .into_iter()
            .map(|(id, image)| Ok((id, image?)))
            .collect()
    }
}

fn collect<'a>(
    blocks: &'a [ContentBlock<Attachment>],
    wanted: &mut BTreeMap<&'a str, &'a Attachment>,
) {
    for block in blocks {
        match block {
            ContentBlock::Image(attachment) => {
                wanted.insert(&attachment.id, attachment);
            }
            ContentBlock::ToolResult(result) => collect(&result.content, wanted),
            _ => {}
        }
    }
}

fn blocks(
    content: &[ContentBlock<Attachment>],
    pixels: &BTreeMap<String, ImageInput>,
) -> Vec<ContentBlock> {
    content
        .iter()
        .filter_map(|block| {
            Some(match block {
                ContentBlock::Text(text) => ContentBlock::Text(text.clone()),
                ContentBlock::Reasoning(reasoning) => ContentBlock::Reasoning(reasoning.clone()),
                ContentBlock::Image(attachment) => {
                    ContentBlock::Image(pixels.get(&attachment.id)?.clone())
                }
                ContentBlock::ToolCall(call) => ContentBlock::ToolCall(call.clone()),
                ContentBlock::ToolResult(result) => ContentBlock::ToolResult(ToolResult {
                    call_id: result.call_id.clone(),
                    tool_name: result.tool_name.clone(),
                    is_error: result.is_error,
                    content: blocks(&result.content, pixels),
                }),
            })
        })
        .collect()
}
