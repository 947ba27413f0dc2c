//! What of an automation session is sent: the task, and as many of the newest steps as fit.

mod group;

use group::{Group, groups};

use super::{
    ContextError, EstimatedTokens,
    estimate::{message_tokens, system_tokens, tools_tokens},
};
use crate::{
    limits::{CONTEXT_CHUNKS, DEFAULT_AUTOMATION_CONTEXT_TOKENS, MIN_AUTOMATION_CONTEXT_TOKENS},
    model::{ContentBlock, Role, ToolSpec},
    turn::{Origin, TurnMessage},
};

/// How many estimated tokens the request of an automation turn may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextLimit(Option<u64>);

impl ContextLimit {
    /// No limit.
    pub const UNLIMITED: Self = Self(None);

    /// Takes the setting `automationContextMaxTokens`: 0 is no limit; a limit below 4,096 is none that works, and
    /// nothing is returned.
    pub const fn new(tokens: u64) -> Option<Self> {
        match tokens {
            0 => Some(Self::UNLIMITED),
            1..MIN_AUTOMATION_CONTEXT_TOKENS => None,
            _ => Some(Self(Some(tokens))),
        }
    }
}

impl Default for ContextLimit {
    fn default() -> Self {
        Self(Some(DEFAULT_AUTOMATION_CONTEXT_TOKENS))
    }
}

/// A request before it is bounded.
#[derive(Debug, Clone, Copy)]
pub struct ContextRequest<'a> {
    /// The system text.
    pub system: Option<&'a str>,
    /// The tools that the model may call.
    pub tools: &'a [ToolSpec],
    /// The messages, oldest first, images already as they are sent.
    pub messages: &'a [TurnMessage],
}

/// Which messages of a request are sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounded {
    /// Estimated tokens of the whole request.
    pub before: EstimatedTokens,
    /// Estimated tokens of what is sent.
    pub after: EstimatedTokens,
    /// Messages that are not sent.
    pub dropped: usize,
    cut: Option<Cut>,
}

#[derive(Debug, Clone, PartialEq)]
struct Cut {
    task: Option<usize>,
    /// Every message from here on is sent.
    from: usize,
    notice: TurnMessage,
}

impl Cut {
    fn keeps(&self, index: usize) -> bool {
        index >= self.from || self.task == Some(index)
    }

    /// Returns how many messages stand before the notice: it takes the place of what is left out.
    fn notice_at(&self) -> usize {
        usize::from(self.task.is_some_and(|task| task < self.from))
    }
}

impl Bounded {
    /// Returns the estimated tokens that are not sent.
    pub fn saved(&self) -> EstimatedTokens {
        EstimatedTokens(self.before.0.saturating_sub(self.after.0))
    }

    /// Tells whether every message is sent, unchanged.
    pub const fn is_whole(&self) -> bool {
        self.cut.is_none()
    }

    /// Returns the message that says how much is left out, where something is.
    pub fn notice(&self) -> Option<&TurnMessage> {
        self.cut.as_ref().map(|cut| &cut.notice)
    }

    /// Tells whether the message at `index` of the request is sent.
    pub fn keeps(&self, index: usize) -> bool {
        self.cut.as_ref().is_none_or(|cut| cut.keeps(index))
    }

    /// Shows what is sent, in order and without a copy; `messages` are those of the request.
    pub fn view<'a>(
        &'a self,
        messages: &'a [TurnMessage],
    ) -> impl Iterator<Item = &'a TurnMessage> + 'a {
        let at = self.cut.as_ref().map_or(0, Cut::notice_at);
        let kept =
            |(index, message): (usize, &'a TurnMessage)| self.keeps(index).then_some(message);
        let mut kept = messages.iter().enumerate().filter_map(kept);
        let before: Vec<&TurnMessage> = kept.by_ref().take(at).collect();
        before.into_iter().chain(self.notice()).chain(kept)
    }

    /// Takes what is sent out of the messages of the request, without a copy.
    pub fn apply(self, messages: Vec<TurnMessage>) -> Vec<TurnMessage> {
        let Some(cut) = self.cut else {
            return messages;
        };
        let mut index = 0;
        let mut kept = messages;
        kept.retain(|_| {
            index += 1;
            cut.keeps(index - 1)
        });
        kept.insert(cut.notice_at().min(kept.len()), cut.notice);
        kept
    }
}

/// Decides what of an automation turn is sent.
///
/// The task is the newest message of the person. It and the newest step are always sent; before that, as many
/// steps as fit, newest first. A step is an assistant message with all results of its calls and the MCP context
/// behind them; it is never split, so no result loses its call. What is older goes in chunks of a quarter of the
/// room: the cut stays where it is until the next chunk is full, and with it the prefix that a provider keeps
/// cached. A notice takes the place of what is left out. Results whose call was never there, and calls that
/// nobody answered, stay as they were: who sends decides about them. The cost is linear in the request.
///
/// Fails with `AUTOMATION_CONTEXT_LIMIT`.
pub fn bound(request: &ContextRequest<'_>, limit: ContextLimit) -> Result<Bounded, ContextError> {
    let messages = request.messages;
    let sizes: Vec<u64> = messages.iter().map(message_tokens).collect();
    let frame = system_tokens(request.system) + tools_tokens(request.tools);
    let before = frame + sizes.iter().sum::<u64>();
    let limit = match limit.0 {
        Some(limit) if before > limit => limit,
        _ => {
            return Ok(Bounded {
                before: EstimatedTokens(before),
                after: EstimatedTokens(before),
                dropped: 0,
                cut: None,
            });
        }
    };
    let task = task_index(messages);
    let groups = groups(messages, &sizes, task);
    let pinned = frame + task.map_or(0, |task| sizes[task]);
    let from = cut(&groups, pinned, task, limit).map_err(|needed| ContextError::Automation {
        needed: needed.min(before),
        limit,
    })?;
    let from = groups.get(from).map_or(messages.len(), |group| group.start);
    let mut left_out = (0, 0);
    for (_, tokens) in (0..from).zip(&sizes).filter(|(at, _)| task != Some(*at)) {
        left_out = (left_out.0 + 1, left_out.1 + tokens);
    }
    let (dropped, tokens) = left_out;
    let notice = notice(dropped as u64, tokens, from);
    let after = before - tokens + message_tokens(&notice);
    Ok(Bounded {
        before: EstimatedTokens(before),
        after: EstimatedTokens(after),
        dropped,
        cut: Some(Cut { task, from, notice }),
    })
}

/// Returns the first group that is sent, or what is needed at least.
fn cut(groups: &[Group], pinned: u64, task: Option<usize>, limit: u64) -> Result<usize, u64> {
    // The longest notice, so that the room does not depend on what it says.
    let pinned = pinned + message_tokens(&notice(u64::MAX, u64::MAX, usize::MAX));
    let newest = groups
        .last()
        .filter(|group| task.is_none_or(|task| group.end > task));
    let needed = pinned + newest.map_or(0, |group| group.tokens);
    if needed > limit {
        return Err(needed);
    }
    let room = limit - pinned;
    let total: u64 = groups.iter().map(|group| group.tokens).sum();
    let chunk = (room / CONTEXT_CHUNKS).max(1);
    let goes = total.saturating_sub(room).div_ceil(chunk) * chunk;
    let mut passed = 0;
    let first = groups.iter().position(|group| {
        let stays = passed >= goes;
        passed += group.tokens;
        stays
    });
    let last = groups.len() - usize::from(newest.is_some());
    Ok(first.unwrap_or(groups.len()).min(last))
}

/// Returns where the task stands: the newest message of the person that holds no result of a tool.
pub fn task_index(messages: &[TurnMessage]) -> Option<usize> {
    messages.iter().rposition(TurnMessage::is_task)
}

fn notice(messages: u64, tokens: u64, from: usize) -> TurnMessage {
    let text = format!(
        "[DeepSeekEyes context notice]\n{messages} older messages of this session, about {tokens} tokens, are left \
         out here to keep the request within its limit. What they showed may have changed: observe again \
         before relying on it."
    );
    TurnMessage {
        id: Some(format!("context-notice-{from}")),
        origin: Origin::Injected,
        role: Role::User,
        content: vec![ContentBlock::Text(text)],
    }
}

#[cfg(test)]
mod tests;
