//! Names of variables for values that stood in a file.

use std::collections::BTreeMap;

use eyes_evidence::redact::{is_secret_header, redact};

use crate::config::{Argument, EnvReference, ServerSettings, reference::is_variable};

/// What a variable stands for.
#[derive(Debug, PartialEq, Eq)]
enum Meaning {
    /// What the host's environment has.
    Theirs,
    /// A value of the file.
    Value(String),
}

/// The variables that are spoken for.
#[derive(Debug, Default)]
pub(super) struct Variables(BTreeMap<String, Meaning>);

impl Variables {
    /// Takes those that the configured servers refer to.
    pub(super) fn new(configured: &[ServerSettings]) -> Self {
        let mut variables = Self::default();
        for server in configured {
            let arguments = server.args.iter().filter_map(|arg| match arg {
                Argument::Reference(reference) => Some(reference),
                Argument::Text(_) => None,
            });
            let oauth = server.oauth.iter().flat_map(|oauth| {
                [&oauth.client_id, &oauth.client_secret, &oauth.private_key]
                    .into_iter()
                    .flatten()
            });
            let tables = [&server.env, &server.query, &server.headers]
                .into_iter()
                .flat_map(BTreeMap::values);
            for reference in arguments.chain(oauth).chain(tables) {
                variables.0.insert(reference.env.clone(), Meaning::Theirs);
            }
        }
        variables
    }

    /// Refers to a variable that the file itself refers to.
    pub(super) fn refer(&mut self, name: &str) -> EnvReference {
        self.0.entry(name.to_owned()).or_insert(Meaning::Theirs);
        EnvReference {
            env: name.to_owned(),
        }
    }

    /// Finds a variable for a value: `label` where that is written like a variable and names a secret, else one that
    /// nothing but this server reads, so that nobody has to set `PATH` or `DEBUG` for everything. Equal secrets share
    /// a variable.
    pub(super) fn hold(&mut self, id: &str, label: &str, value: &str) -> EnvReference {
        let own = owned(id, label);
        let upper = !label.bytes().any(|byte| byte.is_ascii_lowercase());
        let speaks =
            upper && is_variable(label) && is_secret_header(label) && redact(label) == label;
        let names = speaks
            .then(|| label.to_owned())
            .into_iter()
            .chain([own.clone()]);
        let numbered = (2_u64..).map(|number| format!("{own}_{number}"));
        let meaning = Meaning::Value(value.to_owned());
        let name = names
            .chain(numbered)
            .find(|name| self.0.get(name).is_none_or(|held| *held == meaning))
            .unwrap_or(own);
        self.0.insert(name.clone(), meaning);
        EnvReference { env: name }
    }
}

/// Makes the name of a variable that belongs to one server.
fn owned(id: &str, label: &str) -> String {
    let label: String = redact(label).chars().take(64).collect();
    let word = |text: &str| -> String {
        let one = |c: char| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_uppercase()
            } else {
                '_'
            }
        };
        text.trim_matches(|c: char| !c.is_ascii_alphanumeric())
            .chars()
            .map(one)
            .collect()
    };
    format!("MCP_{}_{}", word(id), word(&label))
}
