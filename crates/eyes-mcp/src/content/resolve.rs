//! What may be read: policy first, then matching, over every template that has a say.

use serde_json::{Map, Value};

use super::{
    address::{has_dot_segment, spellings},
    template::{TemplateMatch, Variable},
};
use crate::{
    catalog::{ContentCatalog, Prompt, ResourceTemplate},
    codes,
    config::ServerConfig,
    definition::kind,
    error::McpError,
    limits::{MAX_PROMPT_ARGUMENT_CHARS, MAX_SHOWN_NAME_CHARS, MAX_URI_BYTES},
    names::{hidden_in, visible},
    policy::{Candidates, decide_selected},
};

/// A resource that may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedResource {
    /// Its address, as it is sent.
    pub uri: String,
    /// The first allowed template that it matches; nothing where the address itself is listed and allowed.
    pub template: Option<String>,
    /// What the expressions of that template stand for.
    pub variables: Vec<Variable>,
}

/// A prompt that may be got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedPrompt {
    /// Its name.
    pub name: String,
    /// Its arguments, each declared and a text.
    pub arguments: Map<String, Value>,
}

/// What the globs say of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Denied,
    Allowed,
    Unlisted,
}

impl ContentCatalog {
    /// Decides whether an address may be read.
    ///
    /// The globs are asked before anything is matched: a template that they neither allow nor deny is tried only for
    /// an address that they allow themselves. A deny glob on the address, in any of its spellings, or on any
    /// template that it matches, denies; one that allows the address or a matching template allows. A template with
    /// an expression beyond `{variable}` is allowed only where it stands among the allow globs as it is written.
    ///
    /// Errors, in this order: `MCP_CONTENT_INPUT_INVALID`, `MCP_RESOURCES_DISABLED`, `MCP_RESOURCE_UNKNOWN`,
    /// `MCP_RESOURCE_NOT_ALLOWED`.
    pub fn resolve_resource(
        &self,
        server: &ServerConfig,
        uri: &str,
    ) -> Result<ResolvedResource, McpError> {
        check_address(uri)?;
        if !server.planes.resources {
            return Err(McpError::new(
                codes::MCP_RESOURCES_DISABLED,
                format!("resources of server {} are switched off", server.id),
            ));
        }
        let globs = &server.resources;
        let spelled = spellings(uri);
        let spelled: Vec<&str> = spelled.iter().map(String::as_str).collect();
        let uri_denied = globs.denies(&Candidates::of(server, &spelled));
        let uri_allowed = allows_address(server, uri);
        let listed = self.resources.iter().any(|resource| resource.uri == uri);

        let mut denied = uri_denied;
        let mut matched = false;
        let mut by: Option<(&ResourceTemplate, TemplateMatch)> = None;
        for template in &self.templates {
            let standing = standing(server, template);
            if standing == Standing::Unlisted && !uri_allowed {
                continue;
            }
            let Some(found) = template.uri_template.matches(uri) else {
                continue;
            };
            matched = true;
            denied |= standing == Standing::Denied;
            if standing == Standing::Allowed && by.is_none() {
                by = Some((template, found));
            }
        }
        if !listed && !matched {
            return Err(McpError::new(
                codes::MCP_RESOURCE_UNKNOWN,
                format!(
                    "server {} has no resource {} that may be read",
                    server.id,
                    shown(uri)
                ),
            ));
        }
        if denied || !(uri_allowed || by.is_some()) {
            return Err(McpError::new(
                codes::MCP_RESOURCE_NOT_ALLOWED,
                format!(
                    "resource {} of server {} is not allowed",
                    shown(uri),
                    server.id
                ),
            ));
        }
        let by = if listed && uri_allowed { None } else { by };
        Ok(ResolvedResource {
            uri: uri.to_owned(),
            template: by
                .as_ref()
                .map(|(template, _)| template.uri_template.as_str().to_owned()),
            variables: by.map_or_else(Vec::new, |(_, found)| found.variables),
        })
    }

    /// Decides whether a prompt may be got with these arguments.
    ///
    /// Errors, in this order: `MCP_CONTENT_INPUT_INVALID` (no name), `MCP_PROMPTS_DISABLED`, `MCP_PROMPT_UNKNOWN`,
    /// `MCP_PROMPT_NOT_ALLOWED`, `MCP_CONTENT_INPUT_INVALID` (arguments that are no object),
    /// `MCP_PROMPT_ARGUMENT_INVALID`, `MCP_PROMPT_ARGUMENT_REQUIRED`.
    pub fn resolve_prompt(
        &self,
        server: &ServerConfig,
        name: &str,
        arguments: Option<&Value>,
    ) -> Result<ResolvedPrompt, McpError> {
        if name.is_empty() {
            return Err(McpError::new(
                codes::MCP_CONTENT_INPUT_INVALID,
                "name is empty",
            ));
        }
        let fault = |code, what: &str| {
            let name = shown(name);
            McpError::new(
                code,
                format!("prompt {name} of server {} {what}", server.id),
            )
        };
        if !server.planes.prompts {
            return Err(McpError::new(
                codes::MCP_PROMPTS_DISABLED,
                format!("prompts of server {} are switched off", server.id),
            ));
        }
        let Some(prompt) = self.prompts.iter().find(|prompt| prompt.name == name) else {
            return Err(fault(codes::MCP_PROMPT_UNKNOWN, "does not exist"));
        };
        let names = Candidates::of_content(server, name);
        if !decide_selected(&server.prompts, &names).is_allowed() {
            return Err(fault(codes::MCP_PROMPT_NOT_ALLOWED, "is not allowed"));
        }
        let nothing = Map::new();
        let given = match arguments {
            None | Some(Value::Null) => &nothing,
            Some(Value::Object(given)) => given,
            Some(other) => {
                let what = format!(
                    "was given {} for arguments, not an object",
                    kind(Some(other))
                );
                return Err(fault(codes::MCP_CONTENT_INPUT_INVALID, &what));
            }
        };
        if let Some(what) = undeclared(prompt, given) {
            return Err(fault(codes::MCP_PROMPT_ARGUMENT_INVALID, &what));
        }
        let missing = prompt
            .arguments
            .iter()
            .find(|argument| argument.required && !given.contains_key(&argument.name));
        if let Some(argument) = missing {
            let what = format!("needs the argument {}", shown(&argument.name));
            return Err(fault(codes::MCP_PROMPT_ARGUMENT_REQUIRED, &what));
        }
        Ok(ResolvedPrompt {
            name: name.to_owned(),
            arguments: given.clone(),
        })
    }
}

fn standing(server: &ServerConfig, template: &ResourceTemplate) -> Standing {
    let names = Candidates::of_content(server, template.uri_template.as_str());
    let globs = &server.resources;
    if globs.denies(&names) {
        Standing::Denied
    } else if globs.allows_literally(&names)
        || (template.uri_template.is_simple() && globs.allows(&names))
    {
        Standing::Allowed
    } else {
        Standing::Unlisted
    }
}

/// A wildcard speaks of a path; an address that leads out of it must be allowed as it is written.
fn allows_address(server: &ServerConfig, uri: &str) -> bool {
    let names = Candidates::of_content(server, uri);
    if has_dot_segment(uri) {
        server.resources.allows_literally(&names)
    } else {
        server.resources.allows(&names)
    }
}

fn check_address(uri: &str) -> Result<(), McpError> {
    let what = if uri.is_empty() {
        "uri is empty".to_owned()
    } else if uri.len() > MAX_URI_BYTES {
        format!("uri has {} bytes, more than {MAX_URI_BYTES}", uri.len())
    } else if let Some((_, character, kind)) = hidden_in(uri) {
        format!("uri holds U+{:04X}, {kind}", u32::from(character))
    } else {
        return Ok(());
    };
    Err(McpError::new(codes::MCP_CONTENT_INPUT_INVALID, what))
}

/// Says what is wrong with the first argument that is not declared, no text, or too long.
fn undeclared(prompt: &Prompt, given: &Map<String, Value>) -> Option<String> {
    given.iter().find_map(|(name, value)| {
        let declared = prompt
            .arguments
            .iter()
            .any(|argument| argument.name == *name);
        match value {
            _ if !declared => Some(format!("has no argument {}", shown(name))),
            Value::String(text)
                if text.len() > MAX_PROMPT_ARGUMENT_CHARS
                    && text.chars().count() > MAX_PROMPT_ARGUMENT_CHARS =>
            {
                let name = shown(name);
                Some(format!(
                    "was given more than {MAX_PROMPT_ARGUMENT_CHARS} characters for {name}"
                ))
            }
            Value::String(_) => None,
            other => {
                let (name, kind) = (shown(name), kind(Some(other)));
                Some(format!("was given {kind} for {name}, not a text"))
            }
        }
    })
}

fn shown(text: &str) -> String {
    format!("{:?}", visible(text, MAX_SHOWN_NAME_CHARS))
}
