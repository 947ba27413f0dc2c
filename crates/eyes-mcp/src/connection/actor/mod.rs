//! The handle of a server's task: commands go in, views come out.

mod chronicle;
mod task;

use std::{sync::Arc, time::Duration};

use tokio::{
    runtime::Handle,
    sync::{broadcast, mpsc, oneshot, watch},
};
use tokio_util::task::AbortOnDropHandle;

use self::task::Actor;
use super::view::ServerView;
use crate::{
    audit::McpAudit,
    config::ServerConfig,
    limits::ACTOR_QUEUE,
    names::ServerId,
    pins::PinStore,
    ports::{Clock, McpConnector, RandomSource, TokenSources},
};

/// What every actor needs from outside.
#[derive(Debug, Clone)]
pub(crate) struct ActorPorts {
    pub(crate) connector: Arc<dyn McpConnector>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn RandomSource>,
    pub(crate) pins: Arc<dyn PinStore>,
    pub(crate) audit: Arc<McpAudit>,
    pub(crate) tokens: Option<Arc<dyn TokenSources>>,
    pub(crate) updates: broadcast::Sender<ResourceUpdate>,
    pub(crate) changes: Arc<watch::Sender<u64>>,
}

/// A resource that somebody subscribed to changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceUpdate {
    /// The server.
    pub server: ServerId,
    /// The resource.
    pub uri: String,
}

/// Something that is wanted of an actor.
#[derive(Debug)]
pub(crate) enum Command {
    /// Connect, unless that is so.
    Start,
    /// Connect anew, whatever failed before.
    Reconnect,
    /// Close and stay closed.
    Stop,
    /// Take other settings; what they do not touch stays.
    Configure(Arc<ServerConfig>),
    /// Read the lists now.
    Refresh,
    /// Ping now, unless the last sign of life is younger than this.
    Test(Duration),
    /// Look at the pins again.
    Repin,
    /// Subscribe to this resource again on every connection, or no longer.
    Subscription { uri: String, wanted: bool },
}

/// The handle of an actor. Dropping it ends the actor and everything it holds.
#[derive(Debug)]
pub(crate) struct ServerActor {
    commands: mpsc::Sender<(Command, oneshot::Sender<()>)>,
    view: watch::Receiver<Arc<ServerView>>,
    _task: AbortOnDropHandle<()>,
}

impl ServerActor {
    pub(crate) fn spawn(config: Arc<ServerConfig>, ports: ActorPorts, runtime: &Handle) -> Self {
        let (commands, queue) = mpsc::channel(ACTOR_QUEUE);
        let (actor, view) = Actor::new(config, ports);
        let task = runtime.spawn(actor.run(queue));
        Self {
            commands,
            view,
            _task: AbortOnDropHandle::new(task),
        }
    }

    /// Returns what is known now.
    pub(crate) fn view(&self) -> Arc<ServerView> {
        Arc::clone(&self.view.borrow())
    }

    /// Gives a command and returns once it was begun; what it began shows in the view.
    pub(crate) async fn tell(&self, command: Command) {
        let (done, begun) = oneshot::channel();
        // An actor that is gone has nothing left to do; its view says how it ended.
        if self.commands.send((command, done)).await.is_ok() {
            drop(begun.await);
        }
    }

    /// Waits until nothing is under way, and returns what is known then.
    pub(crate) async fn settled(&self) -> Arc<ServerView> {
        let mut view = self.view.clone();
        match view.wait_for(|view| !view.busy).await {
            Ok(settled) => Arc::clone(&settled),
            Err(_) => self.view(),
        }
    }
}
