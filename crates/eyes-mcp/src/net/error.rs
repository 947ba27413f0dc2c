//! What can go wrong on the network.

use std::error::Error;

use eyes_evidence::code::{Coded, ErrorCode};
use url::Url;

use super::AddressClass;
use crate::{
    codes::{MCP_ADDRESS_BLOCKED, MCP_CONNECT_FAILED, MCP_MESSAGE_SIZE_LIMIT},
    error::McpError,
};

/// A request was refused by policy, or failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The address is of a class that may not be reached.
    #[error("{host} is a {class} address")]
    Blocked {
        /// The host.
        host: String,
        /// What it is.
        class: AddressClass,
    },
    /// The URL may not be used.
    #[error("the URL of {host} {reason}")]
    Url {
        /// The host, or the scheme where there is none.
        host: String,
        /// Why.
        reason: &'static str,
    },
    /// The client cannot be made.
    #[error("the network cannot be used: {reason}")]
    Setup {
        /// Why.
        reason: String,
    },
    /// The body of a reply is larger than is read.
    #[error("the body of the reply has more than {max} bytes")]
    TooLarge {
        /// Bytes that are read.
        max: usize,
    },
    /// The request failed.
    #[error("the request failed: {reason}")]
    Failed {
        /// Why; nothing of the URL but its host.
        reason: String,
    },
}

impl NetError {
    pub(super) fn url(url: &Url, reason: &'static str) -> Self {
        Self::Url {
            host: url.host_str().unwrap_or(url.scheme()).to_owned(),
            reason,
        }
    }

    /// Takes apart what the HTTP library says.
    ///
    /// A refusal by policy deep inside it comes out as itself. No URL is told: its path may be a secret.
    pub fn from_reqwest(error: reqwest::Error) -> Self {
        let error = error.without_url();
        let mut reason = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            if let Some(refusal) = inner.downcast_ref::<Self>() {
                return refusal.clone();
            }
            reason.push_str(": ");
            reason.push_str(&inner.to_string());
            cause = inner.source();
        }
        Self::Failed { reason }
    }
}

impl Coded for NetError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Blocked { .. } | Self::Url { .. } => MCP_ADDRESS_BLOCKED,
            Self::TooLarge { .. } => MCP_MESSAGE_SIZE_LIMIT,
            Self::Setup { .. } | Self::Failed { .. } => MCP_CONNECT_FAILED,
        }
    }
}

impl From<NetError> for McpError {
    fn from(error: NetError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}
