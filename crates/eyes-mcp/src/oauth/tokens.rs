//! Tokens in memory.

use std::{fmt, sync::Arc, time::Duration};

use crate::{
    codes,
    error::McpError,
    limits::{MAX_TOKEN_BYTES, TOKEN_EXPIRY_SKEW},
};

/// What an authorization server gave; `Debug` shows no token.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct TokenSet {
    /// The bearer token.
    pub(super) access: Arc<str>,
    /// What renews it.
    pub(super) refresh: Option<Arc<str>>,
    /// The scope that was granted, where it was told or asked for.
    pub(super) scope: Option<String>,
    /// When it ends, in milliseconds since 1970.
    pub(super) expires_at_ms: Option<u64>,
    /// How long it held when it was given, in milliseconds.
    pub(super) lifetime_ms: Option<u64>,
}

impl TokenSet {
    /// Returns whether the token holds for a while yet.
    pub(super) fn fresh(&self, now_ms: u64) -> bool {
        let Some(end) = self.expires_at_ms else {
            return true;
        };
        let half = self.lifetime_ms.map_or(u64::MAX, |life| life / 2);
        let skew = millis(TOKEN_EXPIRY_SKEW).min(half);
        now_ms.saturating_add(skew) < end
    }
}

impl fmt::Debug for TokenSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenSet")
            .field("refresh", &self.refresh.is_some())
            .field("scope", &self.scope)
            .field("expires_at_ms", &self.expires_at_ms)
            .finish_non_exhaustive()
    }
}

/// Returns whole milliseconds; the end of time where they do not fit.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Takes a token as foreign text: it must fit a header (RFC 6750, section 2.1, widened to visible ASCII).
pub(super) fn admit(token: &str, what: &str) -> Result<Arc<str>, McpError> {
    let fits = !token.is_empty()
        && token.len() <= MAX_TOKEN_BYTES
        && token.bytes().all(|byte| byte.is_ascii_graphic());
    if fits {
        Ok(token.into())
    } else {
        Err(McpError::new(
            codes::MCP_OAUTH_TOKEN_INVALID,
            format!(
                "the {what} of {} bytes is empty, longer than {MAX_TOKEN_BYTES} bytes, or not of visible ASCII",
                token.len()
            ),
        ))
    }
}
