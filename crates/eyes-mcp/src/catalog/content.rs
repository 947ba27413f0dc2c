//! Admission of the resources, templates and prompts of one server.

use std::{collections::BTreeSet, fmt::Display, io};

use serde::Serialize;
use serde_json::{Map, Value};

use super::tool::RefusedEntry;
use crate::{
    codes,
    config::ServerConfig,
    content::UriTemplate,
    definition::kind,
    error::McpError,
    limits::{MAX_CONTENT_BYTES, MAX_CONTENT_CHARS, MAX_CONTENT_ENTRIES, MAX_URI_BYTES},
    names::{ServerId, check_raw_name, hidden_in},
};

/// One generation of what a server offers to be read.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentCatalog {
    /// Whose it is.
    pub server: ServerId,
    /// The resources, in the order in which the server lists them.
    pub resources: Vec<Resource>,
    /// The templates of more resources.
    pub templates: Vec<ResourceTemplate>,
    /// The prompts.
    pub prompts: Vec<Prompt>,
    /// What was not admitted.
    pub refused: Vec<RefusedEntry>,
}

/// A resource that a server lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// Its name; the address where the server gives none.
    pub name: String,
    /// What else is said of it.
    #[serde(flatten)]
    pub about: ContentAbout,
}

/// A template of addresses.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ResourceTemplate {
    /// The template (RFC 6570), parsed.
    pub uri_template: UriTemplate,
    /// Its name; the template where the server gives none.
    pub name: String,
    /// What else is said of it.
    #[serde(flatten)]
    pub about: ContentAbout,
}

/// What a server says of a resource or template besides what it is; foreign text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ContentAbout {
    /// A title for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its media type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Whom it is meant for: `user`, `assistant`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub audience: Vec<String>,
    /// How important it is, by the server's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<f64>,
    /// When it last changed, by the server's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
}

/// A prompt that a server lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    /// Its name.
    pub name: String,
    /// A title for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its arguments.
    pub arguments: Vec<PromptArgument>,
}

/// An argument of a prompt; its value is a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PromptArgument {
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it must be given.
    pub required: bool,
}

impl ContentCatalog {
    /// Admits what a server listed.
    ///
    /// What is wrong with one entry refuses that entry, `MCP_CONTENT_CATALOG_INVALID` or
    /// `MCP_RESOURCE_TEMPLATE_INVALID`. Errors reject all of it: `MCP_CONTENT_CATALOG_ENTRY_LIMIT`,
    /// `MCP_CONTENT_CATALOG_CHAR_LIMIT`, `MCP_CONTENT_CATALOG_BYTE_LIMIT`.
    pub fn admit(
        server: &ServerConfig,
        resources: Vec<Value>,
        templates: Vec<Value>,
        prompts: Vec<Value>,
    ) -> Result<Self, McpError> {
        let entries = resources.len() + templates.len() + prompts.len();
        if entries > MAX_CONTENT_ENTRIES {
            return Err(McpError::new(
                codes::MCP_CONTENT_CATALOG_ENTRY_LIMIT,
                format!(
                    "server {} lists {entries} entries, above {MAX_CONTENT_ENTRIES}",
                    server.id
                ),
            ));
        }
        let mut refused = Vec::new();
        let catalog = Self {
            resources: admit_each(resources, "uri", resource, &mut refused),
            templates: admit_each(templates, "uriTemplate", template, &mut refused),
            prompts: admit_each(prompts, "name", prompt, &mut refused),
            server: server.id.clone(),
            refused,
        };
        catalog.check_size()?;
        Ok(catalog)
    }

    /// Returns how many entries there are.
    pub fn len(&self) -> usize {
        self.resources.len() + self.templates.len() + self.prompts.len()
    }

    /// Tells whether nothing is offered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn check_size(&self) -> Result<(), McpError> {
        let mut size = TextSize::default();
        // Writing into a counter cannot fail; were it to, the size would only be too small.
        for written in [
            serde_json::to_writer(&mut size, &self.resources),
            serde_json::to_writer(&mut size, &self.templates),
            serde_json::to_writer(&mut size, &self.prompts),
        ] {
            drop(written);
        }
        let (code, found, limit, of) = if size.chars > MAX_CONTENT_CHARS {
            let code = codes::MCP_CONTENT_CATALOG_CHAR_LIMIT;
            (code, size.chars, MAX_CONTENT_CHARS, "characters")
        } else if size.bytes > MAX_CONTENT_BYTES {
            let code = codes::MCP_CONTENT_CATALOG_BYTE_LIMIT;
            (code, size.bytes, MAX_CONTENT_BYTES, "bytes")
        } else {
            return Ok(());
        };
        Err(McpError::new(
            code,
            format!("server {} lists {found} {of}, above {limit}", self.server),
        ))
    }
}

/// Counts JSON text as it is written.
#[derive(Default)]
struct TextSize {
    chars: usize,
    bytes: usize,
}

impl io::Write for TextSize {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.bytes += text.len();
        // UTF-16 code units: one a character, two an astral one, whose first byte is 0xf0 or above.
        self.chars += text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        self.chars += text.iter().filter(|&&byte| byte >= 0xf0).count();
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Why an entry is refused.
struct Fault(eyes_evidence::code::ErrorCode, String);

fn invalid(reason: impl Display) -> Fault {
    Fault(codes::MCP_CONTENT_CATALOG_INVALID, format!("{reason}"))
}

fn admit_each<T>(
    listed: Vec<Value>,
    identity: &'static str,
    admit: fn(&str, &Map<String, Value>) -> Result<T, Fault>,
    refused: &mut Vec<RefusedEntry>,
) -> Vec<T> {
    let mut admitted = Vec::with_capacity(listed.len());
    let mut taken = BTreeSet::new();
    for entry in listed {
        let said = entry.get(identity).and_then(Value::as_str).unwrap_or("");
        let one = match &entry {
            Value::Object(_) if said.is_empty() => Err(invalid(format_args!("no {identity}"))),
            Value::Object(members) if taken.insert(said.to_owned()) => admit(said, members),
            Value::Object(_) => Err(invalid("listed twice")),
            other => Err(invalid(format_args!("the entry is {}", kind(Some(other))))),
        };
        match one {
            Ok(one) => admitted.push(one),
            Err(Fault(code, reason)) => refused.push(RefusedEntry::new(said, code, reason)),
        }
    }
    admitted
}

fn resource(uri: &str, members: &Map<String, Value>) -> Result<Resource, Fault> {
    if uri.len() > MAX_URI_BYTES {
        return Err(invalid("the address is too long"));
    }
    if let Some((_, character, kind)) = hidden_in(uri) {
        let code = u32::from(character);
        return Err(invalid(format_args!(
            "the address holds U+{code:04X}, {kind}"
        )));
    }
    Ok(Resource {
        uri: uri.to_owned(),
        name: text(members, "name")?.unwrap_or_else(|| uri.to_owned()),
        about: about(members)?,
    })
}

fn template(said: &str, members: &Map<String, Value>) -> Result<ResourceTemplate, Fault> {
    let uri_template = UriTemplate::parse(said)
        .map_err(|fault| Fault(codes::MCP_RESOURCE_TEMPLATE_INVALID, fault.to_string()))?;
    Ok(ResourceTemplate {
        uri_template,
        name: text(members, "name")?.unwrap_or_else(|| said.to_owned()),
        about: about(members)?,
    })
}

fn prompt(name: &str, members: &Map<String, Value>) -> Result<Prompt, Fault> {
    check_raw_name(name).map_err(invalid)?;
    let mut arguments = Vec::new();
    match members.get("arguments") {
        None | Some(Value::Null) => {}
        Some(Value::Array(listed)) => {
            for argument in listed {
                arguments.push(prompt_argument(argument)?);
            }
        }
        other => {
            return Err(invalid(format_args!("the arguments are {}", kind(other))));
        }
    }
    Ok(Prompt {
        name: name.to_owned(),
        title: text(members, "title")?,
        description: text(members, "description")?,
        arguments,
    })
}

fn prompt_argument(listed: &Value) -> Result<PromptArgument, Fault> {
    let Value::Object(members) = listed else {
        return Err(invalid("an argument is no object"));
    };
    let name = text(members, "name")?.ok_or_else(|| invalid("an argument has no name"))?;
    check_raw_name(&name).map_err(invalid)?;
    Ok(PromptArgument {
        name,
        description: text(members, "description")?,
        required: members.get("required") == Some(&Value::Bool(true)),
    })
}

fn about(members: &Map<String, Value>) -> Result<ContentAbout, Fault> {
    let hints = members.get("annotations");
    let hint = |name| hints.and_then(|hints| hints.get(name));
    let audience = hint("audience").and_then(Value::as_array);
    Ok(ContentAbout {
        title: text(members, "title")?,
        description: text(members, "description")?,
        mime_type: text(members, "mimeType")?,
        size: members.get("size").and_then(Value::as_u64),
        audience: audience
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|whom| matches!(*whom, "user" | "assistant"))
            .take(2)
            .map(ToOwned::to_owned)
            .collect(),
        priority: hint("priority").and_then(Value::as_f64),
        last_modified: hint("lastModified")
            .and_then(Value::as_str)
            .map(ToOwned::to_owned),
    })
}

fn text(members: &Map<String, Value>, name: &str) -> Result<Option<String>, Fault> {
    match members.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        other => Err(invalid(format_args!("{name} is {}", kind(other)))),
    }
}
