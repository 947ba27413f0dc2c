//! The settings of one server.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};
use url::Url;

use super::ExposureMode;
use crate::{names::ServerId, policy::Selectors};

/// One server, validated.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerConfig {
    /// Its id; part of every public tool name.
    pub id: ServerId,
    /// Its name for people.
    pub name: String,
    /// Whether it is used.
    pub enabled: bool,
    /// Which of its lists are used.
    pub planes: Planes,
    /// What its tools may do.
    pub risk_policy: RiskPolicy,
    /// Which tools may be used.
    pub tools: Selectors,
    /// Which resources and templates may be read.
    pub resources: Selectors,
    /// Which prompts may be got.
    pub prompts: Selectors,
    /// How long a call waits without a word of the server.
    pub timeout: Duration,
    /// How its tools are exposed, where it says so itself.
    pub exposure: Option<ExposureMode>,
    /// Which of its tools wait until they are approved.
    pub approval: Approval,
    /// How it is reached.
    pub transport: Transport,
}

/// Which lists of a server are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planes {
    /// Tools.
    pub tools: bool,
    /// Resources and their templates.
    pub resources: bool,
    /// Prompts.
    pub prompts: bool,
}

/// Which tools wait until a person approves their definitions.
///
/// The lists come first: what they do not allow is not used, approved or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Approval {
    /// None: every definition counts as approved, a changed one too.
    Never,
    /// Changed ones: the first definition of an allowed tool is trusted and pinned (trust on first use).
    #[default]
    Changed,
    /// New and changed ones.
    All,
}

/// What the tools of a server may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RiskPolicy {
    /// Everything that the lists allow.
    #[default]
    Allow,
    /// Only what the server declares to be read-only.
    ReadOnly,
}

impl RiskPolicy {
    /// Returns the name that settings use: `allow` or `read-only`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::ReadOnly => "read-only",
        }
    }
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq)]
pub enum Transport {
    /// A program on this machine, over its standard streams.
    Stdio(StdioServer),
    /// Streamable HTTP.
    Http(HttpServer),
}

/// A program that is a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StdioServer {
    /// The program: a path or a name to be found.
    pub command: String,
    /// Its arguments; no text among them is a secret.
    pub args: Vec<Argument>,
    /// Where it runs; here where absent.
    pub cwd: Option<PathBuf>,
    /// Variables that it gets besides the usual ones.
    pub env: BTreeMap<String, EnvReference>,
}

/// One argument of a program.
///
/// Other users of the machine may see arguments of a running program; a variable is the better place for a secret
/// wherever the program reads one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// The argument itself.
    Text(String),
    /// A variable that holds the whole argument.
    Reference(EnvReference),
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A server behind an address.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpServer {
    /// The address, without user info and secrets.
    pub url: Url,
    /// Parameters that are appended to the address; their values are secrets.
    pub query: BTreeMap<String, EnvReference>,
    /// Headers that are sent with every request.
    pub headers: BTreeMap<String, EnvReference>,
    /// How it is authorized.
    pub oauth: Option<OAuthSettings>,
    /// Whether private addresses may be reached; link-local ones never.
    pub allow_private: bool,
}

/// A reference to a variable of the host's environment; the value itself never stands in settings.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnvReference {
    /// The variable.
    pub env: String,
}

/// How tokens are had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthSettings {
    /// The flow.
    pub flow: OAuthFlow,
    /// The scope that is asked for, where the settings name one.
    pub scope: Option<String>,
    /// Whether tokens are kept in the system's keyring; in memory only otherwise.
    pub keyring: bool,
}

/// The flow that gives tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OAuthFlow {
    /// Client credentials (RFC 6749, section 4.4).
    ClientCredentials {
        /// The client's id.
        client_id: EnvReference,
        /// What proves it.
        credential: OAuthCredential,
    },
    /// Authorization code with PKCE (OAuth 2.1), by `eyes mcp login`.
    AuthorizationCode {
        /// The client's id, where it was registered before, or the https address of its metadata document.
        client_id: Option<EnvReference>,
        /// The secret of such a client, where it has one.
        client_secret: Option<EnvReference>,
    },
}

/// What proves a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OAuthCredential {
    /// A secret.
    Secret {
        /// The secret.
        secret: EnvReference,
        /// How it is sent; by what the server's metadata offers where absent.
        method: Option<SecretAuthMethod>,
    },
    /// A signed assertion (RFC 7523, `private_key_jwt`).
    PrivateKey {
        /// The private key in PEM.
        key: EnvReference,
        /// `RS256`, `RS384`, `RS512`, `ES256` or `ES384`; by the kind of key where absent.
        algorithm: Option<String>,
        /// The key's id in the client's set, where there is one.
        key_id: Option<String>,
    },
}

/// How a client's secret is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SecretAuthMethod {
    /// In the Authorization header (`client_secret_basic`).
    #[serde(rename = "client_secret_basic")]
    Basic,
    /// In the body (`client_secret_post`).
    #[serde(rename = "client_secret_post")]
    Post,
}
