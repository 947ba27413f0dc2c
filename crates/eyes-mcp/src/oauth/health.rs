//! Keeps what is known of a server's authorization.

use std::sync::{Arc, Mutex, PoisonError};

use super::{scope::Scopes, tokens::TokenSet};
pub use crate::authorization::{OAuthEvent, OAuthEventSink, OAuthFault, OAuthHealth, OAuthStatus};
use crate::{error::McpError, names::ServerId, ports::Clock};

/// What is known of a token besides the token.
#[derive(Debug, Default)]
pub(super) struct Granted {
    expires_at_ms: Option<u64>,
    scope: Option<String>,
}

impl Granted {
    pub(super) fn of(tokens: &TokenSet) -> Self {
        let scope = tokens.scope.as_deref().map(Scopes::parse);
        Self {
            expires_at_ms: tokens.expires_at_ms,
            scope: scope.and_then(|scopes| scopes.ok()?.to_parameter()),
        }
    }
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

    /// Tells that there is a token, for how long and for what.
    pub(super) fn acquired(&self, event: &OAuthEvent, granted: Granted) {
        self.change(|health| {
            health.token_expires_at_ms = granted.expires_at_ms;
            health.scope = granted.scope;
        });
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
