//! Which servers there are; a value that is replaced as a whole.

use std::sync::Arc;

use crate::{
    config::{McpConfig, ServerConfig},
    connection::{ServerActor, ServerStatus, ServerView},
    names::ServerId,
};

/// Settings and the actors of their servers.
#[derive(Debug)]
pub(super) struct State {
    pub(super) config: Arc<McpConfig>,
    /// In the order of the settings.
    servers: Vec<(ServerId, Arc<ServerActor>)>,
    /// Servers that are in the settings no more and are not closed yet.
    retiring: Vec<(ServerId, Arc<ServerActor>)>,
}

/// What a change of the settings asks of the actors.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Servers that were there before, with their new settings.
    pub(super) configure: Vec<(Arc<ServerActor>, Arc<ServerConfig>)>,
    /// Servers that are gone.
    pub(super) stop: Vec<Arc<ServerActor>>,
}

impl State {
    pub(super) const fn empty(config: Arc<McpConfig>) -> Self {
        Self {
            config,
            servers: Vec::new(),
            retiring: Vec::new(),
        }
    }

    /// Makes the state of other settings. An actor stays that of its server, also one that retires and comes
    /// back: nothing new is started beside it.
    pub(super) fn with_config(
        &self,
        config: McpConfig,
        spawn: impl Fn(Arc<ServerConfig>) -> ServerActor,
    ) -> (Self, Changes) {
        let mut changes = Changes::default();
        let mut servers = Vec::with_capacity(config.servers.len());
        for server in &config.servers {
            let settings = Arc::new(Self::in_force(&config, server));
            let known = self.servers.iter().chain(&self.retiring);
            let known = known.into_iter().find(|(id, _)| *id == server.id);
            let actor = match known {
                Some((_, actor)) => {
                    changes.configure.push((Arc::clone(actor), settings));
                    Arc::clone(actor)
                }
                None => Arc::new(spawn(settings)),
            };
            servers.push((server.id.clone(), actor));
        }
        let mut retiring = Vec::new();
        for (id, actor) in self.servers.iter().chain(&self.retiring) {
            if config.servers.iter().any(|server| server.id == *id) {
                continue;
            }
            changes.stop.push(Arc::clone(actor));
            if !is_over(&actor.view()) {
                retiring.push((id.clone(), Arc::clone(actor)));
            }
        }
        let state = Self {
            config: Arc::new(config),
            servers,
            retiring,
        };
        (state, changes)
    }

    /// A server is used only where all are.
    fn in_force(config: &McpConfig, server: &ServerConfig) -> ServerConfig {
        ServerConfig {
            enabled: server.enabled && config.enabled,
            ..server.clone()
        }
    }

    pub(super) fn actor(&self, server: &ServerId) -> Option<&Arc<ServerActor>> {
        let found = self.servers.iter().find(|(id, _)| id == server);
        found.map(|(_, actor)| actor)
    }

    pub(super) fn actors(&self) -> impl Iterator<Item = &Arc<ServerActor>> {
        self.servers.iter().map(|(_, actor)| actor)
    }

    /// Returns every actor, also those of servers that are gone from the settings.
    pub(super) fn all_actors(&self) -> impl Iterator<Item = &Arc<ServerActor>> {
        let all = self.servers.iter().chain(&self.retiring);
        all.map(|(_, actor)| actor)
    }

    pub(super) fn views(&self) -> Vec<Arc<ServerView>> {
        self.actors().map(|actor| actor.view()).collect()
    }

    /// Returns what is known of servers whose connection could not be closed.
    pub(super) fn kept(&self) -> Vec<Arc<ServerView>> {
        let views = self.all_actors().map(|actor| actor.view());
        views.filter(|view| view.health.kept.is_some()).collect()
    }
}

/// Tells whether nothing of a server is left.
fn is_over(view: &ServerView) -> bool {
    matches!(view.status, ServerStatus::Idle | ServerStatus::Disabled) && !view.busy
}
