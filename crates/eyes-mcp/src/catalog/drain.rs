//! Draining a list page by page.

use std::{collections::BTreeSet, time::Duration};

use eyes_evidence::code::ErrorCode;
use serde_json::Value;

use super::measure::Measure;
use crate::{
    codes,
    error::McpError,
    limits::{
        MAX_CATALOG_BYTES, MAX_CATALOG_TOOLS, MAX_CONTENT_BYTES, MAX_CONTENT_ENTRIES,
        MAX_CURSOR_BYTES, MAX_DRAIN_TIME, MAX_LIST_PAGES, MAX_MESSAGE_DEPTH, MAX_PAGE_IDLE,
    },
    ports::{McpConnection, McpRequest, RequestOptions},
};

/// JSON-RPC 2.0, section 5.1: the method does not exist.
const METHOD_NOT_FOUND: i64 = -32_601;

/// Which list of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ListKind {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`; a server that does not know the method has none.
    ResourceTemplates,
    /// `prompts/list`.
    Prompts,
}

/// What one drain may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrainLimits {
    /// Pages.
    pub pages: usize,
    /// Entries of all pages together.
    pub entries: usize,
    /// Bytes of all entries as JSON text.
    pub bytes: usize,
    /// Time without a word of the server, on one page.
    pub idle: Duration,
    /// Time for all pages together.
    pub total: Duration,
}

impl DrainLimits {
    /// Returns the bounds that a list has unless somebody sets tighter ones.
    pub const fn of(list: ListKind) -> Self {
        let (entries, bytes) = match list {
            ListKind::Tools => (MAX_CATALOG_TOOLS, MAX_CATALOG_BYTES),
            _ => (MAX_CONTENT_ENTRIES, MAX_CONTENT_BYTES),
        };
        Self {
            pages: MAX_LIST_PAGES,
            entries,
            bytes,
            idle: MAX_PAGE_IDLE,
            total: MAX_DRAIN_TIME,
        }
    }
}

impl ListKind {
    const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::ResourceTemplates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::ResourceTemplates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }

    fn request(self, cursor: Option<String>) -> McpRequest {
        match self {
            Self::Tools => McpRequest::ListTools { cursor },
            Self::Resources => McpRequest::ListResources { cursor },
            Self::ResourceTemplates => McpRequest::ListResourceTemplates { cursor },
            Self::Prompts => McpRequest::ListPrompts { cursor },
        }
    }

    /// The code for tools, or the one for content.
    const fn code(self, tools: ErrorCode, content: ErrorCode) -> ErrorCode {
        match self {
            Self::Tools => tools,
            _ => content,
        }
    }
}

/// Asks for a list until it ends.
///
/// A cursor that was seen before, wherever in this drain, is `MCP_CATALOG_CURSOR_LOOP`; more pages, entries, bytes
/// or time than the limits are `MCP_CATALOG_PAGE_LIMIT`, `MCP_CATALOG_TOOL_LIMIT`,
/// `MCP_CATALOG_SCHEMA_BYTES_LIMIT` and `MCP_CATALOG_TIMEOUT`; a page without its list is
/// `MCP_CATALOG_SCHEMA_INVALID`. For resources, templates and prompts the codes are `MCP_CONTENT_CURSOR_LOOP`,
/// `MCP_CONTENT_PAGE_LIMIT`, `MCP_CONTENT_CATALOG_ENTRY_LIMIT`, `MCP_CONTENT_CATALOG_BYTE_LIMIT` and
/// `MCP_CONTENT_CATALOG_INVALID`. Other errors are those of the connection.
pub async fn drain(
    connection: &dyn McpConnection,
    list: ListKind,
    limits: DrainLimits,
) -> Result<Vec<Value>, McpError> {
    match tokio::time::timeout(limits.total, pages(connection, list, limits)).await {
        Ok(Err(error)) if list == ListKind::ResourceTemplates && is_unknown_method(&error) => {
            Ok(Vec::new())
        }
        Ok(result) => result,
        Err(_) => Err(McpError::new(
            codes::MCP_CATALOG_TIMEOUT,
            format!(
                "{} did not end within {} s",
                list.method(),
                limits.total.as_secs()
            ),
        )
        .after_sending()),
    }
}

async fn pages(
    connection: &dyn McpConnection,
    list: ListKind,
    limits: DrainLimits,
) -> Result<Vec<Value>, McpError> {
    let mut drained = Drained {
        list,
        limits,
        entries: Vec::new(),
        size: Measure::default(),
        cursors: BTreeSet::new(),
    };
    let mut cursor = None;
    for _ in 0..limits.pages {
        let options = RequestOptions {
            idle: limits.idle,
            total: limits.total,
            progress: None,
        };
        let page = connection.request(list.request(cursor), options).await?;
        match drained.take(page)? {
            Some(next) => cursor = Some(next),
            None => return Ok(drained.entries),
        }
    }
    let code = list.code(codes::MCP_CATALOG_PAGE_LIMIT, codes::MCP_CONTENT_PAGE_LIMIT);
    Err(drained.fault(code, &format!("has more than {} pages", limits.pages)))
}

/// A list as far as it was drained.
struct Drained {
    list: ListKind,
    limits: DrainLimits,
    entries: Vec<Value>,
    size: Measure,
    cursors: BTreeSet<String>,
}

impl Drained {
    /// Takes a page and returns the cursor of the next one. An empty cursor ends the list as none does: servers
    /// write both.
    fn take(&mut self, mut page: Value) -> Result<Option<String>, McpError> {
        let invalid = self.list.code(
            codes::MCP_CATALOG_SCHEMA_INVALID,
            codes::MCP_CONTENT_CATALOG_INVALID,
        );
        let member = self.list.member();
        let Some(Value::Array(entries)) = page.get_mut(member).map(Value::take) else {
            return Err(self.fault(invalid, &format!("has a page without the array {member:?}")));
        };
        let next = match page.get_mut("nextCursor").map(Value::take) {
            None | Some(Value::Null) => None,
            Some(Value::String(cursor)) if cursor.is_empty() => None,
            Some(Value::String(cursor)) if cursor.len() <= MAX_CURSOR_BYTES => Some(cursor),
            Some(_) => return Err(self.fault(invalid, "has a cursor that is no short text")),
        };
        self.extend(entries)?;
        match next {
            Some(cursor) if !self.cursors.insert(cursor.clone()) => {
                let code = self.list.code(
                    codes::MCP_CATALOG_CURSOR_LOOP,
                    codes::MCP_CONTENT_CURSOR_LOOP,
                );
                Err(self.fault(code, "came back to a cursor it gave before"))
            }
            next => Ok(next),
        }
    }

    fn extend(&mut self, entries: Vec<Value>) -> Result<(), McpError> {
        if self.entries.len() + entries.len() > self.limits.entries {
            let code = self.list.code(
                codes::MCP_CATALOG_TOOL_LIMIT,
                codes::MCP_CONTENT_CATALOG_ENTRY_LIMIT,
            );
            let limit = self.limits.entries;
            return Err(self.fault(code, &format!("has more than {limit} entries")));
        }
        for entry in &entries {
            // Deeper ones are refused one by one when they are admitted.
            let _ = self.size.add(entry, MAX_MESSAGE_DEPTH);
            if self.size.bytes > self.limits.bytes {
                let code = self.list.code(
                    codes::MCP_CATALOG_SCHEMA_BYTES_LIMIT,
                    codes::MCP_CONTENT_CATALOG_BYTE_LIMIT,
                );
                let limit = self.limits.bytes;
                return Err(self.fault(code, &format!("has more than {limit} bytes")));
            }
        }
        self.entries.extend(entries);
        Ok(())
    }

    fn fault(&self, code: ErrorCode, what: &str) -> McpError {
        McpError::new(code, format!("{} {what}", self.list.method())).after_sending()
    }
}

fn is_unknown_method(error: &McpError) -> bool {
    let said = || error.message.to_ascii_lowercase();
    error.rpc_code == Some(METHOD_NOT_FOUND)
        || (error.rpc_code.is_some()
            && ["method not found", "not supported"]
                .iter()
                .any(|words| said().contains(words)))
}
