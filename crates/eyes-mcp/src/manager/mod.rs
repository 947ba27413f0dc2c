//! All servers together: lifecycle, snapshot and the guarded path of a call.
//!
//! Every server has an actor of its own, so nothing here waits for one server on behalf of another. What is
//! known of all of them is read without waiting.

mod book;
mod call;
mod content;
mod exposed;
mod lifecycle;
mod redactors;
mod route;
mod session;
pub mod snapshot;
mod state;

use std::sync::{
    Arc, PoisonError, RwLock,
    atomic::{AtomicBool, Ordering},
};

use tokio::{
    runtime::Handle,
    sync::{broadcast, watch},
};

pub use self::{
    content::{PROMPT_TOOL, PromptCall, RESOURCE_TOOL, ResourceRead},
    session::{McpSession, SessionAnswer, SessionOptions},
    snapshot::TestReport,
};
use self::{
    exposed::ExposureCache,
    redactors::Redactors,
    snapshot::{Snapshot, SnapshotInput},
    state::State,
};
pub use crate::connection::{ResourceUpdate, ServerStatus, ServerView};
use crate::{
    audit::McpAudit,
    call::RunHandle,
    config::McpConfig,
    connection::ActorPorts,
    limits::RESOURCE_UPDATES,
    names::ServerId,
    pins::PinStore,
    ports::{
        CallAuthorizer, Clock, McpConnector, RandomSource, SecretSource, TokenSources, UsageSink,
    },
    result::ResultArtifacts,
    schema::SchemaCache,
};

/// What the servers need from outside.
#[derive(Debug, Clone)]
pub struct ManagerParts {
    /// Makes connections.
    pub connector: Arc<dyn McpConnector>,
    /// Resolves references, so that their values can be hidden in results and errors.
    pub secrets: Arc<dyn SecretSource>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance, for waits.
    pub random: Arc<dyn RandomSource>,
    /// Keeps what happened; switched on and off by the settings.
    pub audit: Arc<McpAudit>,
    /// Knows the authorizations of servers.
    pub tokens: Option<Arc<dyn TokenSources>>,
    /// Keeps what calls cost.
    pub usage: Arc<dyn UsageSink>,
    /// Keeps whole results.
    pub artifacts: Option<Arc<ResultArtifacts>>,
    /// Keeps which definitions are approved.
    pub pins: Arc<dyn PinStore>,
    /// Asked before each call leaves; without one every call that policy allows may leave.
    pub authorizer: Option<Arc<dyn CallAuthorizer>>,
    /// Where the servers' tasks run.
    pub runtime: Handle,
}

/// All servers: start and stop, settings, what is known, and calls.
///
/// Clones are the same servers. When the last one is dropped every connection ends at once;
/// [`stop`](Self::stop) ends them gracefully.
#[derive(Debug, Clone)]
pub struct Manager {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    parts: ManagerParts,
    state: RwLock<Arc<State>>,
    /// Held by what changes the set of servers; calls and reads never wait for it.
    changing: tokio::sync::Mutex<()>,
    running: AtomicBool,
    schemas: SchemaCache,
    exposures: ExposureCache,
    redactors: Redactors,
    updates: broadcast::Sender<ResourceUpdate>,
    /// Counts changes of what there is to be used.
    changes: Arc<watch::Sender<u64>>,
}

impl Manager {
    /// Makes the servers of these settings; nothing is started.
    pub fn new(config: McpConfig, parts: ManagerParts) -> Self {
        let (updates, _) = broadcast::channel(RESOURCE_UPDATES);
        parts.audit.switch(config.audit);
        let inner = Inner {
            state: RwLock::new(Arc::new(State::empty(Arc::new(config.clone())))),
            changing: tokio::sync::Mutex::new(()),
            running: AtomicBool::new(false),
            schemas: SchemaCache::new(),
            exposures: ExposureCache::default(),
            redactors: Redactors::default(),
            updates,
            changes: Arc::new(watch::Sender::new(0)),
            parts,
        };
        let state = State::empty(Arc::new(config.clone()));
        let (state, _) = state.with_config(config, |server| inner.spawn(server));
        inner.set_state(state);
        Self {
            inner: Arc::new(inner),
        }
    }

    /// Returns the settings in force.
    pub fn config(&self) -> Arc<McpConfig> {
        Arc::clone(&self.inner.state().config)
    }

    /// Returns what is known of every server, in the order of the settings; it never waits.
    pub fn views(&self) -> Vec<Arc<ServerView>> {
        self.inner.state().views()
    }

    /// Returns what is known of one server.
    pub fn view(&self, server: &ServerId) -> Option<Arc<ServerView>> {
        Some(self.inner.state().actor(server)?.view())
    }

    /// Returns everything that is known, as JSON has it; it never waits.
    pub fn snapshot(&self) -> Snapshot {
        let state = self.inner.state();
        let views = state.views();
        let exposed = self.inner.exposures.standard(&state.config, &views);
        snapshot::build(&SnapshotInput {
            config: &state.config,
            views: &views,
            kept: state.kept(),
            exposed: &exposed,
            audit: self.inner.parts.audit.events(),
            tokens: self.inner.parts.tokens.as_deref(),
            now: self.inner.parts.clock.now(),
        })
    }

    /// Begins a run with a session of its own: its calls are counted together, and their records and usage say that
    /// they belong together.
    pub fn begin_run(&self) -> RunHandle {
        let random = &self.inner.parts.random;
        let words = [(); 2].map(|()| format!("{:016x}", random.next_u64()));
        RunHandle::of_session(&words.concat())
    }

    /// Returns what tells that tools, resources or prompts came, went or changed, or that policy did.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.inner.changes.subscribe()
    }

    /// Returns updates of resources that somebody subscribed to.
    ///
    /// A receiver that is slower than [`RESOURCE_UPDATES`] updates misses the oldest and is told so.
    pub fn resource_updates(&self) -> broadcast::Receiver<ResourceUpdate> {
        self.inner.updates.subscribe()
    }
}

impl Inner {
    fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn set_state(&self, state: State) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }

    fn is_running(&self) -> bool {
        self.running.load(Ordering::Acquire)
    }

    fn spawn(&self, server: Arc<crate::config::ServerConfig>) -> crate::connection::ServerActor {
        let ports = ActorPorts {
            connector: Arc::clone(&self.parts.connector),
            clock: Arc::clone(&self.parts.clock),
            random: Arc::clone(&self.parts.random),
            pins: Arc::clone(&self.parts.pins),
            audit: Arc::clone(&self.parts.audit),
            tokens: self.parts.tokens.clone(),
            updates: self.updates.clone(),
            changes: Arc::clone(&self.changes),
        };
        crate::connection::ServerActor::spawn(server, ports, &self.parts.runtime)
    }
}

#[cfg(test)]
mod tests;
