//! What `eyes mcp` prints.

use eyes_mcp::{
    call::CallOutcome,
    config::{ServerConfig, Transport},
    manager::snapshot::{ResourceRow, SnapshotToolRow, TestReport},
    pins::{Change, Flag},
};
use serde::Serialize;
use serde_json::Value;

/// `eyes mcp list`: one configured server.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ServerOutput<'a> {
    /// Its id.
    pub(crate) server_id: &'a str,
    /// Its name for people.
    pub(crate) name: &'a str,
    /// Whether it is used.
    pub(crate) enabled: bool,
    /// `stdio` or `streamable-http`.
    pub(crate) transport: &'static str,
    /// The program, or the address without its query.
    pub(crate) target: String,
}

impl<'a> ServerOutput<'a> {
    pub(crate) fn of(server: &'a ServerConfig, plane_enabled: bool) -> Self {
        let (transport, target) = match &server.transport {
            Transport::Stdio(stdio) => ("stdio", stdio.command.clone()),
            Transport::Http(http) => {
                let mut url = http.url.clone();
                url.set_query(None);
                ("streamable-http", url.to_string())
            }
        };
        Self {
            server_id: server.id.as_str(),
            name: &server.name,
            enabled: server.enabled && plane_enabled,
            transport,
            target,
        }
    }
}

/// `eyes mcp test`: what one server offers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub(crate) struct TestOutput(pub(crate) TestReport);

/// `eyes mcp tools`: one tool.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolOutput<'a> {
    /// Its server.
    pub(crate) server_id: &'a str,
    /// What is known of it.
    #[serde(flatten)]
    pub(crate) tool: &'a SnapshotToolRow,
    /// The whole definition as the server gave it, where one tool was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) definition: Option<Value>,
}

/// `eyes mcp resources` and `eyes mcp prompts`: one entry.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContentOutput<'a> {
    /// Its server.
    pub(crate) server_id: &'a str,
    /// `resource`, `template` or `prompt`.
    pub(crate) kind: &'static str,
    /// The entry, and whether it may be used.
    #[serde(flatten)]
    pub(crate) entry: &'a ResourceRow,
}

/// `eyes mcp call`, a resource that was read, a prompt that was got.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct CallOutput {
    /// Whether the tool called its result an error.
    pub(crate) is_error: bool,
    /// The result, in the form `deepseekeyes.mcp-result.v1`.
    pub(crate) result: Value,
}

impl CallOutput {
    pub(crate) fn of(outcome: &CallOutcome) -> Self {
        Self {
            is_error: outcome.is_error,
            result: outcome.result.to_json(),
        }
    }
}

/// `eyes mcp approve`: what was approved.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct ApproveOutput<'a> {
    /// The server.
    pub(crate) server_id: &'a str,
    /// The tools, by the server's own names.
    pub(crate) approved: Vec<String>,
    /// What looks dangerous in these and in those that were left for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) flagged: Vec<FlaggedTool>,
}

/// A tool with what looks dangerous in it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct FlaggedTool {
    /// The server's own name of the tool.
    pub(crate) tool: String,
    /// Whether it was approved all the same.
    pub(crate) approved: bool,
    /// What was found.
    pub(crate) flags: Vec<Flag>,
}

/// `eyes mcp diff`: a tool whose definition waits for approval, is gone, or was trusted and looks dangerous.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct DiffOutput<'a> {
    /// The server.
    pub(crate) server_id: &'a str,
    /// The server's own name of the tool.
    pub(crate) tool: &'a str,
    /// `new`, `changed`, `removed` or `approved`.
    pub(crate) state: &'static str,
    /// What is different from the approved definition.
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub(crate) changes: Vec<Change>,
    /// What looks dangerous in the definition as it is now.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) flags: &'a [Flag],
}

/// `eyes mcp serve --http`: where it serves.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct ServeOutput<'a> {
    /// The address for clients.
    pub(crate) url: String,
    /// What they send as `Authorization: Bearer`; absent where the caller named it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) token: Option<&'a str>,
}
