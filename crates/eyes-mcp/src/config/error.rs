//! The error of settings.

use eyes_evidence::{
    code::{Coded, ErrorCode},
    redact::{SecretKind, redact, safe_message},
};

use super::TransportKind;
use crate::{codes, limits::MAX_CONFIG_REASON_CHARS};

/// Settings of servers break a rule; the message names the member and never its value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A member is unknown, of the wrong kind, or breaks a rule of its own.
    #[error("{path}: {reason}")]
    Member {
        /// The member, such as `mcpServers[0].timeoutMs`.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// A member has to be there.
    #[error("{path} is missing")]
    Missing {
        /// The member.
        path: String,
    },
    /// A number is out of bounds.
    #[error("{path} is {value} and has to be {bounds}")]
    Range {
        /// The member.
        path: String,
        /// What stands there.
        value: u64,
        /// What may stand there.
        bounds: String,
    },
    /// A list is too long.
    #[error("{path} has {count} entries, at most {most} are read")]
    Length {
        /// The list.
        path: String,
        /// How many it has.
        count: usize,
        /// How many it may have.
        most: usize,
    },
    /// Two members say the same where they have to differ.
    #[error("{path} is the same as {other}, though they may differ in case")]
    Duplicate {
        /// The later one.
        path: String,
        /// The earlier one.
        other: String,
    },
    /// A member belongs to servers that are reached otherwise.
    #[error("{path} is not for servers with the transport {}", .transport.name())]
    Transport {
        /// The member.
        path: String,
        /// The server's transport.
        transport: TransportKind,
    },
    /// A secret stands where everybody can read it.
    #[error("{path} holds a secret ({}); credentials are named by env references", kind_name(*.kind))]
    Secret {
        /// The member that holds it, such as `mcpServers[0].args[2]`.
        path: String,
        /// How it was recognised.
        kind: SecretKind,
    },
    /// An environment variable of these settings cannot be read.
    #[error("{variable} in the environment {reason}")]
    Variable {
        /// The variable.
        variable: &'static str,
        /// What is wrong.
        reason: &'static str,
    },
}

impl ConfigError {
    /// Makes the error of a member; values that the reason quotes are left out.
    pub(super) fn member(path: impl AsRef<str>, reason: &str) -> Self {
        Self::Member {
            path: redact(path.as_ref()).into_owned(),
            reason: safe_message(&without_value(reason), MAX_CONFIG_REASON_CHARS),
        }
    }
}

/// Takes the text that serde quotes out of its message: a credential may stand where a list belongs.
fn without_value(reason: &str) -> String {
    let wrong = ["invalid type: string ", "invalid value: string "];
    let quoted = wrong.iter().find(|start| reason.starts_with(**start));
    match (quoted, reason.rfind(", expected ")) {
        (Some(start), Some(expected)) => format!("{}{}", start.trim_end(), &reason[expected..]),
        _ => reason.to_owned(),
    }
}

const fn kind_name(kind: SecretKind) -> &'static str {
    match kind {
        SecretKind::PrivateKey => "a private key",
        SecretKind::UserInfo => "user info of a URL",
        SecretKind::Header => "a header with credentials",
        SecretKind::Scheme => "credentials after Bearer or Basic",
        SecretKind::Assignment => "a value under a secret's name",
        SecretKind::Token => "a token of a known form",
        SecretKind::Option => "an option that takes a secret",
        SecretKind::Query => "a parameter that takes a secret",
        _ => "a known value",
    }
}

impl Coded for ConfigError {
    fn code(&self) -> ErrorCode {
        codes::MCP_CONFIG_INVALID
    }

    fn hint(&self) -> String {
        match self {
            Self::Secret { .. } => {
                "put the secret into an environment variable and write {\"env\": \"NAME\"} in env, headers, query, args \
                 or oauth"
                    .to_owned()
            }
            _ => self.code().spec().hint.to_owned(),
        }
    }
}
