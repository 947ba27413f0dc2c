//! Which kind of automation a turn goes on with.

use crate::{
    model::{ContentBlock, Role, ToolResult},
    turn::{Attachment, Origin, TurnMessage},
};

/// The first line of a browser state.
const BROWSER_STATE: &str = "[DeepSeekEyes browser state]";
/// The first line of a desktop state.
const DESKTOP_STATE: &str = "[DeepSeekEyes desktop state]";
/// How the names of tools of MCP servers begin.
const MCP_PREFIX: &str = "mcp__";

/// What the newest results of a turn come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AutomationKind {
    /// A tool of an MCP server.
    Mcp,
    /// The desktop.
    Desktop,
    /// The browser.
    Browser,
}

impl AutomationKind {
    /// Tells whether the messages after the model's last one go on with an automation, and with which.
    ///
    /// The first result that says so wins, nested ones included: any result of a tool `mcp__…`; a result of
    /// `computer` or `browser` that failed or shows a state. A result without a tool's name takes it from the
    /// newest call of its id. What the model calls next is not looked at.
    pub fn detect(messages: &[TurnMessage]) -> Option<Self> {
        let newest = messages
            .iter()
            .rposition(|message| message.role == Role::Assistant)
            .map_or(0, |at| at + 1);
        let (before, segment) = messages.split_at(newest);
        segment.iter().find_map(|message| {
            if message.origin == Origin::McpContext {
                return Some(Self::Mcp);
            }
            of_content(&message.content, before)
        })
    }
}

fn of_content(
    content: &[ContentBlock<Attachment>],
    before: &[TurnMessage],
) -> Option<AutomationKind> {
    content.iter().find_map(|block| match block {
        ContentBlock::ToolResult(result) => of_result(result, before),
        _ => None,
    })
}

fn of_result(result: &ToolResult<Attachment>, before: &[TurnMessage]) -> Option<AutomationKind> {
    let named = result.tool_name.as_deref();
    let kind = match named.or_else(|| called(&result.call_id, before)) {
        Some(name) if name.starts_with(MCP_PREFIX) => Some(AutomationKind::Mcp),
        Some("computer") if result.is_error || shows(result, DESKTOP_STATE) => {
            Some(AutomationKind::Desktop)
        }
        Some("browser") if result.is_error || shows(result, BROWSER_STATE) => {
            Some(AutomationKind::Browser)
        }
        _ => None,
    };
    kind.or_else(|| of_content(&result.content, before))
}

/// Returns the tool that the newest call of this id names.
fn called<'a>(id: &str, before: &'a [TurnMessage]) -> Option<&'a str> {
    before.iter().rev().find_map(|message| {
        message.content.iter().find_map(|block| match block {
            ContentBlock::ToolCall(call) if call.id == id => Some(call.name.as_str()),
            _ => None,
        })
    })
}

fn shows(result: &ToolResult<Attachment>, state: &str) -> bool {
    result
        .content
        .iter()
        .any(|block| matches!(block, ContentBlock::Text(text) if text.starts_with(state)))
}

#[cfg(test)]
mod tests;
