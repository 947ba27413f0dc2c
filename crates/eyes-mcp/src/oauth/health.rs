//! What is known of a server's authorization, without any token or secret.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use eyes_evidence::{code::ErrorCode, provenance::Timestamp};

use crate::{error::McpError, names::ServerId, ports::Clock};

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

/// Keeps the health of one authorization and tells its events.
#[derive(Debug)]
pub(super) struct Monitor {
    server: ServerId,
    clock: Arc<dyn Clock>,
    events: Option<Arc<dyn OAuthEventSink>>,
    health: Mutex<OAuthHealth>,
}

impl Monitor {
    pub(super) fn new(
        server: ServerId,
        clock: Arc<dyn Clock>,
        events: Option<Arc<dyn OAuthEventSink>>,
    ) -> Self {
        Self {
            server,
            clock,
            events,
            health: Mutex::default(),
        }
    }

    pub(super) fn health(&self) -> OAuthHealth {
        self.health
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.clock.unix_ms()
    }

    pub(super) fn discovering(&self) {
        self.change(|health| health.status = OAuthStatus::Discovering);
    }

    pub(super) fn failed(&self, error: &McpError) {
        self.tell(&OAuthEvent::Failed(OAuthFault {
            code: error.code,
            message: error.message.clone(),
        }));
    }

    /// Tells that there is a token that holds until `expires_at_ms`.
    pub(super) fn acquired(&self, event: &OAuthEvent, expires_at_ms: Option<u64>) {
        self.change(|health| health.token_expires_at_ms = expires_at_ms);
        self.tell(event);
    }

    pub(super) fn tell(&self, event: &OAuthEvent) {
        let now = self.clock.now();
        self.change(|health| {
            health.last_event_at = Some(now);
            apply(health, event);
        });
        if let Some(events) = &self.events {
            events.record(&self.server, event);
        }
    }

    fn change(&self, change: impl FnOnce(&mut OAuthHealth)) {
        change(&mut self.health.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn apply(health: &mut OAuthHealth, event: &OAuthEvent) {
    match event {
        OAuthEvent::TokenAcquired | OAuthEvent::TokenRefreshed | OAuthEvent::LoggedIn => {
            health.status = OAuthStatus::Authenticated;
            health.authenticated = true;
            health.last_error = None;
        }
        OAuthEvent::Connected => health.status = OAuthStatus::Connected,
        OAuthEvent::TokenExpired => {
            health.status = OAuthStatus::Expired;
            health.authenticated = false;
        }
        OAuthEvent::CredentialsInvalidated => health.authenticated = false,
        OAuthEvent::DiscoveryCached => health.discovery_cached = true,
        OAuthEvent::Failed(fault) => {
            health.status = OAuthStatus::Error;
            health.last_error = Some(fault.clone());
        }
    }
}
