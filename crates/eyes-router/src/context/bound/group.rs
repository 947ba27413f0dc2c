//! Messages that stay together.

use std::collections::BTreeMap;

use crate::{
    model::ContentBlock,
    turn::{Origin, TurnMessage},
};

/// Neighbouring messages that are sent together or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    /// Index of the first message.
    pub(super) start: usize,
    /// Index behind the last message.
    pub(super) end: usize,
    /// Estimated tokens, without those of the task.
    pub(super) tokens: u64,
}

/// Cuts the messages into groups; the task, which is always sent, is in none of its own.
pub(super) fn groups(messages: &[TurnMessage], sizes: &[u64], task: Option<usize>) -> Vec<Group> {
    let starts = starts(messages);
    let ends = starts.iter().skip(1).copied().chain([messages.len()]);
    let group = |(&start, end): (&usize, usize)| {
        if task == Some(start) && end == start + 1 {
            return None;
        }
        let tokens = (start..end).filter(|at| task != Some(*at));
        Some(Group {
            start,
            end,
            tokens: tokens.map(|at| sizes[at]).sum(),
        })
    };
    starts.iter().zip(ends).filter_map(group).collect()
}

/// Returns where groups begin.
///
/// A result belongs to the newest call of its id before it, however late it comes: everything from the call on is
/// one group then.
fn starts(messages: &[TurnMessage]) -> Vec<usize> {
    let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
    let mut starts: Vec<usize> = Vec::new();
    let mut after_result = false;
    for (at, message) in messages.iter().enumerate() {
        starts.push(at);
        let mut holds_result = false;
        for block in &message.content {
            match block {
                ContentBlock::ToolResult(result) => {
                    holds_result = true;
                    if let Some(&call) = calls.get(result.call_id.as_str()) {
                        while starts.last().is_some_and(|&start| start > call) {
                            starts.pop();
                        }
                    }
                }
                ContentBlock::ToolCall(call) => {
                    calls.insert(&call.id, at);
                }
                _ => {}
            }
        }
        let is_context = message.origin == Origin::McpContext && after_result;
        if is_context && starts.last() == Some(&at) {
            starts.pop();
        }
        after_result = holds_result || is_context;
    }
    starts
}
