//! One server of a file.

use std::collections::{BTreeMap, BTreeSet};

use eyes_evidence::redact::{SecretKind, redact, url_secrets};
use serde_json::{Map, Value};
use url::{Url, form_urlencoded};

use super::{
    notice::{ImportNotice, ImportWarning},
    placeholder::{Filled, judge},
    variables::Variables,
};
use crate::{
    config::{
        Argument, EnvReference, ServerSettings, TransportKind,
        argv::{find_secrets, is_bare_option},
        reference::{is_header_name, is_variable},
    },
    limits::{MAX_ARGUMENT_BYTES, MAX_ARGUMENTS, MAX_ENV_REFERENCES},
};

/// Members that hold an address, the surest first.
const ADDRESSES: [&str; 3] = ["httpUrl", "url", "serverUrl"];

/// Programs that pass `-e NAME` on from their own environment.
const CONTAINER_PROGRAMS: [&str; 3] = ["docker", "podman", "nerdctl"];

/// Whether an argument can be the value of an option before it.
fn has_value(arg: &Argument) -> bool {
    matches!(arg, Argument::Text(text) if !text.is_empty() && !text.starts_with('-'))
}

/// A server that is being taken over.
pub(super) struct Entry<'a> {
    members: &'a Map<String, Value>,
    server: ServerSettings,
    variables: &'a mut Variables,
    warnings: Vec<ImportWarning>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(
        members: &'a Map<String, Value>,
        key: &str,
        (id, name): (String, String),
        variables: &'a mut Variables,
    ) -> Self {
        let renamed = id != key;
        let mut entry = Self {
            members,
            server: ServerSettings::new(id, name, TransportKind::Stdio),
            variables,
            warnings: Vec::new(),
        };
        if renamed {
            entry.warn("id", ImportNotice::Renamed);
        }
        entry
    }

    /// Takes everything over that we have a place for; the error says why the server cannot be.
    pub(super) fn take(mut self) -> Result<(ServerSettings, Vec<ImportWarning>), String> {
        let address = ADDRESSES.iter().find(|member| self.text(member).is_some());
        let has_command = self.text("command").is_some();
        match (self.transport()?, has_command, address) {
            (Some(TransportKind::Stdio) | None, true, None)
            | (Some(TransportKind::Stdio), true, _) => {
                self.program()?;
            }
            (Some(TransportKind::StreamableHttp) | None, false, Some(member))
            | (Some(TransportKind::StreamableHttp), true, Some(member)) => self.address(member)?,
            (None, true, Some(_)) => return Err("has both a command and an address".to_owned()),
            _ => return Err("has neither a command nor an address of its transport".to_owned()),
        }
        self.switches();
        self.lists();
        self.leftovers();
        Ok((self.server, self.warnings))
    }

    fn text(&self, member: &str) -> Option<&'a str> {
        self.members
            .get(member)?
            .as_str()
            .filter(|text| !text.trim().is_empty())
    }

    fn warn(&mut self, member: impl AsRef<str>, notice: ImportNotice) {
        self.warnings.push(ImportWarning {
            server: self.server.id.clone(),
            member: redact(member.as_ref()).into_owned(),
            notice,
        });
    }

    /// Reads the transport that the file names.
    fn transport(&self) -> Result<Option<TransportKind>, String> {
        let Some(named) = ["type", "transport", "transportType"]
            .iter()
            .find_map(|member| self.text(member))
        else {
            return Ok(None);
        };
        let word: String = named.chars().filter(char::is_ascii_alphanumeric).collect();
        match word.to_ascii_lowercase().as_str() {
            "stdio" | "local" => Ok(Some(TransportKind::Stdio)),
            "http" | "streamablehttp" | "remote" => Ok(Some(TransportKind::StreamableHttp)),
            "sse" => Err(
                "speaks the transport SSE of 2024-11-05; only Streamable HTTP is spoken".to_owned(),
            ),
            _ => Err("has a transport that is neither stdio nor Streamable HTTP".to_owned()),
        }
    }

    fn program(&mut self) -> Result<(), String> {
        let command = self.text("command").unwrap_or_default().trim();
        if judge(command, false) != Filled::Plain {
            return Err("its command is filled in by its host".to_owned());
        }
        self.server.command = Some(command.to_owned());
        if let Some(cwd) = self.text("cwd") {
            if judge(cwd, false) != Filled::Plain {
                return Err("its folder cwd is filled in by its host".to_owned());
            }
            self.server.cwd = Some(cwd.trim().to_owned());
        }
        self.server.env = self.table("env", is_variable)?;
        self.arguments(command)
    }

    /// Takes a table of texts over, each as a reference.
    fn table(
        &mut self,
        member: &str,
        is_name: fn(&str) -> bool,
    ) -> Result<BTreeMap<String, EnvReference>, String> {
        let mut references = BTreeMap::new();
        let table = match self.members.get(member) {
            None | Some(Value::Null) => return Ok(references),
            Some(Value::Object(table)) => table,
            Some(_) => return Err(format!("{member} is no table")),
        };
        if table.len() > MAX_ENV_REFERENCES {
            return Err(format!(
                "{member} has more than {MAX_ENV_REFERENCES} entries"
            ));
        }
        for (name, value) in table {
            let place = format!("{member}.{name}");
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(_) | Value::Bool(_) => value.to_string(),
                _ => {
                    self.warn(place, ImportNotice::NotTaken);
                    continue;
                }
            };
            if !is_name(name) || redact(name) != name.as_str() {
                self.warn(place, ImportNotice::NotTaken);
            } else if text.is_empty() {
                self.warn(place, ImportNotice::Empty);
            } else {
                let reference = self.reference(&place, name, &text, true)?;
                references.insert(name.clone(), reference);
            }
        }
        Ok(references)
    }

    /// Refers to a variable in place of `text`, and says which one has to be set.
    fn reference(
        &mut self,
        place: &str,
        label: &str,
        text: &str,
        bare: bool,
    ) -> Result<EnvReference, String> {
        let notice: fn(String) -> ImportNotice = match judge(text, bare) {
            Filled::HostOnly(name) => {
                let name: String = redact(&name).chars().take(64).collect();
                return Err(format!(
                    "{} is filled in by its host (${{{name}}})",
                    redact(place)
                ));
            }
            Filled::Variable { name, default } if redact(&name) == name => {
                if default {
                    self.warn(
                        place,
                        ImportNotice::Default {
                            variable: name.clone(),
                        },
                    );
                }
                return Ok(self.variables.refer(&name));
            }
            Filled::Input(_) => |variable| ImportNotice::Asked { variable },
            Filled::Composed => |variable| ImportNotice::Composed { variable },
            Filled::Variable { .. } | Filled::Plain => |variable| ImportNotice::Value { variable },
        };
        let reference = self.variables.hold(&self.server.id, label, text);
        self.warn(place, notice(reference.env.clone()));
        Ok(reference)
    }

    fn arguments(&mut self, command: &str) -> Result<(), String> {
        let list = match self.members.get("args") {
            None | Some(Value::Null) => return Ok(()),
            Some(Value::Array(list)) => list,
            Some(_) => return Err("args is no list".to_owned()),
        };
        if list.len() > MAX_ARGUMENTS {
            return Err(format!("has more than {MAX_ARGUMENTS} arguments"));
        }
        let mut args = Vec::new();
        for (index, value) in list.iter().enumerate() {
            let Some(text) = value
                .as_str()
                .filter(|text| text.len() <= MAX_ARGUMENT_BYTES)
            else {
                return Err(format!("args[{index}] is no text, or too long"));
            };
            args.push(match judge(text, false) {
                Filled::Plain => Argument::Text(text.to_owned()),
                _ => Argument::Reference(self.argument(index, text)?),
            });
        }
        let is_container = |name: &str| CONTAINER_PROGRAMS.contains(&name);
        let container = command
            .rsplit(['/', '\\'])
            .next()
            .is_some_and(|name| is_container(name.trim_end_matches(".exe")));
        // Each pass makes at least one argument a reference, or ends.
        for _ in 0..=args.len() {
            let Some(&(Some(index), kind)) = find_secrets(command, &args).first() else {
                break;
            };
            let Some(Argument::Text(text)) = args.get(index).cloned() else {
                break;
            };
            if container && self.container_variable(index, &text, &mut args)? {
                continue;
            }
            if kind != SecretKind::Option || !is_bare_option(&text) {
                args[index] = Argument::Reference(self.argument(index, &text)?);
                continue;
            }
            // Its value is the next argument; without one it stays, and the rules refuse it.
            let Some(Argument::Text(value)) =
                args.get(index + 1).filter(|next| has_value(next)).cloned()
            else {
                break;
            };
            let place = format!("args[{}]", index + 1);
            let label = text.trim_start_matches('-').to_owned();
            args[index + 1] = Argument::Reference(self.reference(&place, &label, &value, false)?);
        }
        self.server.args = args;
        Ok(())
    }

    /// Replaces a whole argument.
    fn argument(&mut self, index: usize, text: &str) -> Result<EnvReference, String> {
        self.reference(
            &format!("args[{index}]"),
            &format!("arg_{index}"),
            text,
            false,
        )
    }

    /// Turns `-e NAME=VALUE` into `-e NAME` with the variable in the program's own environment.
    fn container_variable(
        &mut self,
        index: usize,
        text: &str,
        args: &mut [Argument],
    ) -> Result<bool, String> {
        let (option, pair) = match text
            .strip_prefix("--env=")
            .or_else(|| text.strip_prefix("-e="))
        {
            Some(pair) => ("--env=", pair),
            None => ("", text),
        };
        let follows = index.checked_sub(1).and_then(|before| args.get(before));
        let passed = !option.is_empty()
            || matches!(follows, Some(Argument::Text(before)) if before == "-e" || before == "--env");
        let Some((name, value)) = pair
            .split_once('=')
            .filter(|(name, _)| passed && is_variable(name))
        else {
            return Ok(false);
        };
        if value.is_empty() || redact(name) != name || self.server.env.contains_key(name) {
            return Ok(false);
        }
        let reference = self.reference(&format!("args[{index}]"), name, value, false)?;
        self.server.env.insert(name.to_owned(), reference);
        args[index] = Argument::Text(format!("{option}{name}"));
        Ok(true)
    }

    fn address(&mut self, member: &str) -> Result<(), String> {
        self.server.transport = TransportKind::StreamableHttp;
        let address = self.text(member).unwrap_or_default().trim();
        let (base, query) = address.split_once('?').unwrap_or((address, ""));
        if judge(base, false) != Filled::Plain {
            return Err("its address is filled in by its host".to_owned());
        }
        let mut kept = Vec::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let is_plain = judge(pair, false) == Filled::Plain;
            if is_plain && url_secrets(&format!("https://host/?{pair}")).is_empty() {
                kept.push(pair);
                continue;
            }
            let decoded = form_urlencoded::parse(pair.as_bytes()).next();
            let (name, value) = decoded.unwrap_or_default();
            let place = format!("{member}?{name}");
            let reference = self.reference(&place, &name, &value, false)?;
            if self
                .server
                .query
                .insert(name.into_owned(), reference)
                .is_some()
            {
                return Err("its address has a parameter with a secret twice".to_owned());
            }
        }
        let question = if kept.is_empty() { "" } else { "?" };
        let url = format!("{base}{question}{}", kept.join("&"));
        if Url::parse(&url).is_ok_and(|url| url.path().trim_end_matches('/').ends_with("/sse")) {
            self.warn(member, ImportNotice::OlderTransport);
        }
        self.server.url = Some(url);
        self.server.headers = self.table("headers", is_header_name)?;
        Ok(())
    }

    fn switches(&mut self) {
        let flag = |member: &str| self.members.get(member).and_then(Value::as_bool);
        self.server.enabled = !flag("disabled").unwrap_or(false) && flag("enabled").unwrap_or(true);
    }

    fn lists(&mut self) {
        self.server.deny_tools = self.tools(&["excludeTools", "disabledTools"]);
        let mut allowed = self.tools(&["includeTools", "enabledTools"]);
        // What is denied is not allowed, here and there.
        let denied: BTreeSet<&str> = self.server.deny_tools.iter().map(String::as_str).collect();
        allowed.retain(|tool| !denied.contains(tool.as_str()));
        if allowed.is_empty() {
            self.warn("allowedTools", ImportNotice::NothingAllowed);
        }
        self.server.allowed_tools = allowed;
    }

    /// Reads lists of tools, each tool once; one that is no list of names is not taken.
    fn tools(&mut self, members: &[&str]) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut tools = Vec::new();
        for member in members {
            let Some(value) = self.members.get(*member) else {
                continue;
            };
            let names = value.as_array().into_iter().flatten().map(Value::as_str);
            let Some(names) = names
                .collect::<Option<Vec<&str>>>()
                .filter(|_| value.is_array())
            else {
                self.warn(member, ImportNotice::NotTaken);
                continue;
            };
            for name in names.into_iter().map(str::trim) {
                if !name.is_empty() && seen.insert(name) {
                    tools.push(name.to_owned());
                }
            }
        }
        tools
    }

    /// Names the members that have no place with us.
    fn leftovers(&mut self) {
        let always = [
            "command",
            "disabled",
            "disabledTools",
            "enabled",
            "enabledTools",
            "excludeTools",
            "includeTools",
            "transport",
            "transportType",
            "type",
        ];
        let transport: &[&str] = match self.server.transport {
            TransportKind::Stdio => &["args", "cwd", "env"],
            TransportKind::StreamableHttp => &["headers", "httpUrl", "serverUrl", "url"],
        };
        for (member, value) in self.members {
            let known = always.contains(&member.as_str()) || transport.contains(&member.as_str());
            let empty = match value {
                Value::Null => true,
                Value::String(text) => text.is_empty(),
                Value::Array(list) => list.is_empty(),
                Value::Object(table) => table.is_empty(),
                _ => false,
            };
            if !known && !empty {
                self.warn(member, ImportNotice::NotTaken);
            }
        }
    }
}
