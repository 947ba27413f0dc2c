//! One token for everybody who asks: kept, renewed in time, acquired once however many wait.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_util::{
    FutureExt as _,
    future::{BoxFuture as Boxed, Shared},
};

use super::{
    challenge::Challenge,
    health::{Granted, Monitor, OAuthEvent},
    tokens::TokenSet,
};
use crate::{
    codes,
    error::McpError,
    limits::OAUTH_ACQUIRE_TIMEOUT,
    ports::{BoxFuture, TokenSource},
};

/// Why a token is acquired.
#[derive(Debug, Clone, Default)]
pub(super) struct Need {
    /// The tokens before, where there were any; they stay on record until new ones are there.
    pub(super) previous: Option<TokenSet>,
    /// Whether the server refused the token before.
    pub(super) refused: bool,
    /// What the server said when it refused.
    pub(super) challenge: Option<Challenge>,
}

/// Acquires tokens.
pub(super) trait Acquire: fmt::Debug + Send + Sync {
    /// Acquires tokens; told apart by whether a refresh token gave them.
    fn acquire(&self, need: Need) -> BoxFuture<'_, Result<(TokenSet, OAuthEvent), McpError>>;
}

/// The tokens of one authorization.
#[derive(Debug, Clone)]
pub(super) struct TokenCell {
    core: Arc<Core>,
}

type Flight = Shared<Boxed<'static, Result<Arc<str>, McpError>>>;

struct Core {
    acquire: Arc<dyn Acquire>,
    monitor: Arc<Monitor>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tokens: Option<TokenSet>,
    refused: bool,
    flight: Option<(u64, Flight)>,
    flights: u64,
}

impl fmt::Debug for Core {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Core")
            .field("acquire", &self.acquire)
            .field("monitor", &self.monitor)
            .finish_non_exhaustive()
    }
}

/// Has the tokens of one authorization in a cell.
pub(super) trait Celled: fmt::Debug + Send + Sync {
    fn cell(&self) -> &TokenCell;
}

impl<T: Celled> TokenSource for T {
    fn token(&self) -> BoxFuture<'_, Result<Arc<str>, McpError>> {
        Box::pin(self.cell().token())
    }

    fn refused<'a>(
        &'a self,
        token: &'a str,
        challenge: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Arc<str>, McpError>> {
        Box::pin(self.cell().refused(token, challenge))
    }
}

impl TokenCell {
    pub(super) fn new(acquire: Arc<dyn Acquire>, monitor: Arc<Monitor>) -> Self {
        let state = Mutex::default();
        Self {
            core: Arc::new(Core {
                acquire,
                monitor,
                state,
            }),
        }
    }

    /// Returns a token that holds for a while yet.
    pub(super) async fn token(&self) -> Result<Arc<str>, McpError> {
        let flight = {
            let mut state = self.core.state();
            if let Some(access) = state.usable(self.core.monitor.now_ms()) {
                return Ok(access);
            }
            if state.flight.is_none() && state.tokens.is_some() && !state.refused {
                self.core.monitor.tell(&OAuthEvent::TokenExpired);
            }
            self.core.join(&mut state, None)
        };
        flight.await
    }

    /// Returns a token that is newer than the refused one.
    pub(super) async fn refused(
        &self,
        token: &str,
        challenge: Option<&str>,
    ) -> Result<Arc<str>, McpError> {
        let flight = {
            let mut state = self.core.state();
            let usable = state.usable(self.core.monitor.now_ms());
            if let Some(access) = usable.filter(|access| **access != *token) {
                return Ok(access);
            }
            if state.flight.is_none() {
                state.refused = true;
                self.core.monitor.tell(&OAuthEvent::CredentialsInvalidated);
            }
            self.core.join(&mut state, challenge.map(Challenge::parse))
        };
        flight.await
    }

    /// Takes tokens that were had otherwise.
    pub(super) fn install(&self, tokens: TokenSet, event: &OAuthEvent) {
        let granted = Granted::of(&tokens);
        self.core.state().set(tokens);
        self.core.monitor.acquired(event, granted);
    }

    /// Forgets the tokens.
    pub(super) fn clear(&self) {
        self.core.state().tokens = None;
    }
}

impl State {
    fn usable(&self, now_ms: u64) -> Option<Arc<str>> {
        let tokens = self.tokens.as_ref().filter(|_| !self.refused)?;
        tokens.fresh(now_ms).then(|| Arc::clone(&tokens.access))
    }

    fn set(&mut self, tokens: TokenSet) {
        self.tokens = Some(tokens);
        self.refused = false;
    }
}

impl Core {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins the exchange that runs, or starts one.
    ///
    /// It is a task of its own: an authorization server that rotates refresh tokens has rotated them even when
    /// nobody waits any more, and the answer must not be lost.
    fn join(self: &Arc<Self>, state: &mut State, challenge: Option<Challenge>) -> Flight {
        if let Some((_, flight)) = &state.flight {
            return flight.clone();
        }
        let need = Need {
            previous: state.tokens.clone(),
            refused: state.refused,
            challenge,
        };
        state.flights += 1;
        let landing = Landing {
            core: Arc::clone(self),
            flight: state.flights,
        };
        let task = tokio::spawn(async move { landing.core.run(need).await });
        let ended = || McpError::new(codes::MCP_OAUTH_FAILED, "the exchange was ended early");
        let flight = async move { task.await.unwrap_or_else(|_| Err(ended())) };
        let flight = flight.boxed().shared();
        state.flight = Some((state.flights, flight.clone()));
        flight
    }

    async fn run(&self, need: Need) -> Result<Arc<str>, McpError> {
        self.monitor.discovering();
        let acquired =
            tokio::time::timeout(OAUTH_ACQUIRE_TIMEOUT, self.acquire.acquire(need)).await;
        let acquired = acquired.unwrap_or_else(|_| {
            let seconds = OAUTH_ACQUIRE_TIMEOUT.as_secs();
            Err(McpError::new(
                codes::MCP_OAUTH_TIMEOUT,
                format!("no token came within {seconds} s"),
            ))
        });
        match acquired {
            Ok((tokens, event)) => {
                let access = Arc::clone(&tokens.access);
                let granted = Granted::of(&tokens);
                let mut state = self.state();
                state.set(tokens);
                state.flight = None;
                drop(state);
                self.monitor.acquired(&event, granted);
                Ok(access)
            }
            Err(error) => {
                self.monitor.failed(&error);
                Err(error)
            }
        }
    }
}

/// Ends a flight with its task, however that ends.
struct Landing {
    core: Arc<Core>,
    flight: u64,
}

impl Drop for Landing {
    fn drop(&mut self) {
        let mut state = self.core.state();
        if state
            .flight
            .as_ref()
            .is_some_and(|(flight, _)| *flight == self.flight)
        {
            state.flight = None;
        }
    }
}
