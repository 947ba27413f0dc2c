//! Servers from the files of other hosts.
//!
//! Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Gemini CLI and many others keep their servers as JSON under
//! `mcpServers` or `servers`, some of them with comments. Their files hold secrets as they are; here each becomes the
//! name of a variable, and a warning says which one to set. The result depends on the file alone.

mod entry;
mod identity;
mod jsonc;
mod notice;
mod placeholder;
#[cfg(test)]
mod tests;
mod variables;

use eyes_evidence::{
    canonical::{StrictLimits, parse_strict_within},
    code::{Coded, ErrorCode},
    redact::safe_message,
};
pub use notice::{ImportNotice, ImportWarning, RefusedServer};
use serde_json::{Map, Value};

use self::{entry::Entry, identity::Identities, variables::Variables};
use super::{ServerConfig, ServerSettings};
use crate::{
    codes,
    limits::{
        DEFAULT_CALL_TIMEOUT, MAX_CONFIG_REASON_CHARS, MAX_IMPORT_BYTES, MAX_IMPORT_DEPTH,
        MAX_SERVER_NAME_CHARS, MAX_SERVERS,
    },
};

/// What was taken from a file, and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Import {
    /// The servers in our form, each valid, in the order of the file.
    pub servers: Vec<ServerSettings>,
    /// What to do and what to know, in the order of the servers.
    pub warnings: Vec<ImportWarning>,
    /// The servers that cannot be taken over.
    pub refused: Vec<RefusedServer>,
}

impl Import {
    /// Returns the document with the member `mcpServers`.
    ///
    /// # Panics
    /// Never: settings are plain data.
    pub fn to_document(&self) -> Map<String, Value> {
        let servers = serde_json::to_value(&self.servers).expect("settings are plain data");
        Map::from_iter([("mcpServers".to_owned(), servers)])
    }

    fn refuse(&mut self, key: &str, reason: String) {
        self.refused.push(RefusedServer {
            name: safe_message(key, MAX_SERVER_NAME_CHARS),
            reason,
        });
    }
}

/// Nothing can be taken from a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file is too long.
    #[error("the file has {0} bytes, at most {MAX_IMPORT_BYTES} are read")]
    Length(usize),
    /// The text is not JSON, comments and trailing commas aside.
    #[error("the file is not valid JSON: {0}")]
    Syntax(String),
    /// There is no table of servers.
    #[error("the file has no {0}")]
    Shape(&'static str),
}

impl Coded for ImportError {
    fn code(&self) -> ErrorCode {
        codes::MCP_IMPORT_INVALID
    }
}

/// Takes the servers from the text of another host's file.
///
/// `configured` are the servers that are there already: ids, names and variables of the new ones differ from theirs.
/// Errors: `MCP_IMPORT_INVALID` where the text is too long, no JSON, or has no servers.
pub fn import(text: &str, configured: &[ServerSettings]) -> Result<Import, ImportError> {
    if text.len() > MAX_IMPORT_BYTES {
        return Err(ImportError::Length(text.len()));
    }
    let plain = jsonc::plain(text.strip_prefix('\u{FEFF}').unwrap_or(text));
    let limits = StrictLimits {
        max_bytes: MAX_IMPORT_BYTES,
        max_depth: MAX_IMPORT_DEPTH,
    };
    let document = parse_strict_within(plain.as_bytes(), limits)
        .map_err(|error| {
            ImportError::Syntax(safe_message(&error.to_string(), MAX_CONFIG_REASON_CHARS))
        })?
        .value;
    let Value::Object(document) = document else {
        return Err(ImportError::Shape("object at the top"));
    };
    let mut import = Import::default();
    refuse_of_projects(&document, &mut import);
    let empty = Map::new();
    let table = match servers(&document) {
        Some(table) => table,
        None if !import.refused.is_empty() => &empty,
        None => return Err(ImportError::Shape("table mcpServers or servers")),
    };
    let identities = Identities::new(configured);
    let mut variables = Variables::new(configured);
    let room = MAX_SERVERS.saturating_sub(configured.len());
    let keys = || table.keys().take(room);
    for ((key, value), (id, name)) in table.iter().zip(identities.of(keys())) {
        let entry = match value {
            Value::Object(members) => taken(Entry::new(members, key, (id, name), &mut variables)),
            _ => Err("is no object".to_owned()),
        };
        match entry {
            Ok((server, warnings)) => {
                import.servers.push(server);
                import.warnings.extend(warnings);
            }
            Err(reason) => import.refuse(key, reason),
        }
    }
    for key in table.keys().skip(room) {
        import.refuse(key, format!("more than {MAX_SERVERS} servers are not used"));
    }
    Ok(import)
}

/// Takes one server over, unless our rules refuse it.
fn taken(entry: Entry<'_>) -> Result<(ServerSettings, Vec<ImportWarning>), String> {
    let (server, warnings) = entry.take()?;
    ServerConfig::from_settings(&server, "server", DEFAULT_CALL_TIMEOUT)
        .map_err(|error| error.to_string())?;
    Ok((server, warnings))
}

/// Finds the table of servers at the places where hosts have it.
fn servers(document: &Map<String, Value>) -> Option<&Map<String, Value>> {
    ["mcpServers", "servers"]
        .iter()
        .find_map(|member| document.get(*member))
        .or_else(|| document.get("mcp")?.get("servers"))
        .and_then(Value::as_object)
}

/// Names the servers that Claude Code keeps for single folders.
fn refuse_of_projects(document: &Map<String, Value>, import: &mut Import) {
    let projects = document.get("projects").and_then(Value::as_object);
    for project in projects.into_iter().flat_map(Map::values) {
        let servers = project.get("mcpServers").and_then(Value::as_object);
        for key in servers.into_iter().flat_map(Map::keys) {
            let reason = "belongs to a single project; import a file that has it at the top";
            import.refuse(key, reason.to_owned());
        }
    }
}
