//! Values of references, looked up when a connection is made.

use std::{collections::BTreeMap, fmt};

use eyes_evidence::redact::Redactor;
use url::Url;

use super::{
    Argument, EnvReference, HttpServer, OAuthCredential, OAuthFlow, OAuthSettings, ServerConfig,
    StdioServer, Transport,
};
use crate::{codes, error::McpError, ports::SecretSource};

/// A reference and where it stands in a server's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretReference<'a> {
    /// The member, such as `env.GITHUB_TOKEN` or `oauth.clientSecret`.
    pub field: String,
    /// The reference.
    pub reference: &'a EnvReference,
    /// Whether a connection needs it; what belongs to `oauth` is asked for by the flow itself.
    pub connects: bool,
}

impl ServerConfig {
    /// Returns every reference of the server, in the order of its members.
    pub fn references(&self) -> Vec<SecretReference<'_>> {
        let mut found = Vec::new();
        match &self.transport {
            Transport::Stdio(server) => {
                for (index, arg) in server.args.iter().enumerate() {
                    if let Argument::Reference(reference) = arg {
                        found.push(connecting(format!("args[{index}]"), reference));
                    }
                }
                table("env", &server.env, &mut found);
            }
            Transport::Http(server) => {
                table("query", &server.query, &mut found);
                table("headers", &server.headers, &mut found);
                if let Some(oauth) = &server.oauth {
                    of_oauth(oauth, &mut found);
                }
            }
        }
        found
    }
}

fn connecting(field: String, reference: &EnvReference) -> SecretReference<'_> {
    SecretReference {
        field,
        reference,
        connects: true,
    }
}

fn table<'a>(
    member: &str,
    references: &'a BTreeMap<String, EnvReference>,
    found: &mut Vec<SecretReference<'a>>,
) {
    let references = references.iter();
    found.extend(
        references.map(|(name, reference)| connecting(format!("{member}.{name}"), reference)),
    );
}

fn of_oauth<'a>(settings: &'a OAuthSettings, found: &mut Vec<SecretReference<'a>>) {
    let (client_id, credential) = match &settings.flow {
        OAuthFlow::ClientCredentials {
            client_id,
            credential,
        } => {
            let credential = match credential {
                OAuthCredential::Secret { secret, .. } => ("oauth.clientSecret", secret),
                OAuthCredential::PrivateKey { key, .. } => ("oauth.privateKey", key),
            };
            (Some(client_id), Some(credential))
        }
        OAuthFlow::AuthorizationCode {
            client_id,
            client_secret,
        } => {
            let secret = client_secret.as_ref();
            (
                client_id.as_ref(),
                secret.map(|secret| ("oauth.clientSecret", secret)),
            )
        }
    };
    let client_id = client_id.map(|reference| ("oauth.clientId", reference));
    for (field, reference) in client_id.into_iter().chain(credential) {
        found.push(SecretReference {
            field: field.to_owned(),
            reference,
            connects: false,
        });
    }
}

/// The values of a server's references, and a redactor that knows all of them.
///
/// `Debug` shows the names of the variables and no value.
#[derive(Clone)]
pub struct ResolvedSecrets {
    values: BTreeMap<String, String>,
    redactor: Redactor,
}

impl fmt::Debug for ResolvedSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.values.keys()).finish()
    }
}

impl ResolvedSecrets {
    /// Looks up every variable that `server` refers to.
    ///
    /// Errors: `MCP_CREDENTIAL_MISSING`, naming the member and the variable, where one that a connection needs is not
    /// set or empty. One of `oauth` that is missing is left to the flow.
    pub fn of(server: &ServerConfig, source: &dyn SecretSource) -> Result<Self, McpError> {
        let mut values = BTreeMap::new();
        for found in server.references() {
            let variable = &found.reference.env;
            if values.contains_key(variable) {
                continue;
            }
            match source.resolve(variable).filter(|value| !value.is_empty()) {
                Some(value) => {
                    values.insert(variable.clone(), value);
                }
                None if found.connects => {
                    let message = format!(
                        "server {}: {} refers to the variable {variable}, which is not set or empty",
                        server.id, found.field
                    );
                    return Err(McpError::new(codes::MCP_CREDENTIAL_MISSING, message));
                }
                None => {}
            }
        }
        let redactor = Redactor::with_values(values.values());
        Ok(Self { values, redactor })
    }

    /// Returns the redactor that hides every value, and secrets by their form.
    pub const fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// Returns the value of a reference; nothing where the server these were looked up for has no such one.
    pub fn value(&self, reference: &EnvReference) -> Option<&str> {
        self.values.get(&reference.env).map(String::as_str)
    }

    /// Returns the arguments of a program in full.
    pub fn arguments(&self, server: &StdioServer) -> Vec<String> {
        let text = |arg: &Argument| match arg {
            Argument::Text(text) => Some(text.clone()),
            Argument::Reference(reference) => self.value(reference).map(str::to_owned),
        };
        server.args.iter().filter_map(text).collect()
    }

    /// Returns the variables of a program with their values.
    pub fn environment<'a>(
        &'a self,
        server: &'a StdioServer,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.pairs(&server.env)
    }

    /// Returns the headers of an address with their values.
    pub fn headers<'a>(
        &'a self,
        server: &'a HttpServer,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.pairs(&server.headers)
    }

    /// Returns the address with its parameters; it is a secret where there are any.
    pub fn url(&self, server: &HttpServer) -> Url {
        let mut url = server.url.clone();
        if !server.query.is_empty() {
            url.query_pairs_mut()
                .extend_pairs(self.pairs(&server.query));
        }
        url
    }

    fn pairs<'a>(
        &'a self,
        references: &'a BTreeMap<String, EnvReference>,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        references
            .iter()
            .filter_map(|(name, reference)| Some((name.as_str(), self.value(reference)?)))
    }
}
