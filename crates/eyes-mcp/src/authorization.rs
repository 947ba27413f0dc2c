//! What is told of a server's authorization, without any token or secret.

use std::fmt;

use eyes_evidence::{code::ErrorCode, provenance::Timestamp};

use crate::names::ServerId;

/// The state of a server's authorization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OAuthStatus {
    /// Nothing was asked for yet.
    #[default]
    Idle,
    /// A token is being acquired.
    Discovering,
    /// There is a token.
    Authenticated,
    /// The server took it.
    Connected,
    /// The token ended.
    Expired,
    /// The last attempt failed.
    Error,
}

impl OAuthStatus {
    /// Returns the name that snapshots use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Discovering => "discovering",
            Self::Authenticated => "authenticated",
            Self::Connected => "connected",
            Self::Expired => "expired",
            Self::Error => "error",
        }
    }
}

/// A failure of the authorization; the message holds no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthFault {
    /// The registry's code.
    pub code: ErrorCode,
    /// What happened.
    pub message: String,
}

/// What is known of a server's authorization.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OAuthHealth {
    /// How it stands.
    pub status: OAuthStatus,
    /// Whether there is a token that was not refused.
    pub authenticated: bool,
    /// When the token ends, in milliseconds since 1970; nothing where it does not say.
    pub token_expires_at_ms: Option<u64>,
    /// The scope that the token has, where it was told or asked for; what is no scope of RFC 6749 is left out.
    pub scope: Option<String>,
    /// Whether the authorization server is known.
    pub discovery_cached: bool,
    /// The last failure, until something succeeds.
    pub last_error: Option<OAuthFault>,
    /// When something happened last.
    pub last_event_at: Option<Timestamp>,
}

/// What happens to a server's authorization.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OAuthEvent {
    /// A token was given.
    TokenAcquired,
    /// A token was renewed with a refresh token.
    TokenRefreshed,
    /// A token ended.
    TokenExpired,
    /// The authorization server was found and is remembered.
    DiscoveryCached,
    /// The server refused a token.
    CredentialsInvalidated,
    /// A person logged in.
    LoggedIn,
    /// The server took a token.
    Connected,
    /// Something failed.
    Failed(OAuthFault),
}

impl OAuthEvent {
    /// Returns the event's name for records.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::TokenAcquired => "token-acquired",
            Self::TokenRefreshed => "token-refreshed",
            Self::TokenExpired => "token-expired",
            Self::DiscoveryCached => "discovery-cached",
            Self::CredentialsInvalidated => "credentials-invalidated",
            Self::LoggedIn => "logged-in",
            Self::Connected => "connected",
            Self::Failed(_) => "error",
        }
    }
}

/// Hears of what happens to authorizations. It never waits.
pub trait OAuthEventSink: fmt::Debug + Send + Sync {
    /// Takes one event of a server.
    fn record(&self, server: &ServerId, event: &OAuthEvent);
}
