//! Subscriptions of revision 2026-07-28 (`subscriptions/listen`).

use std::{collections::BTreeSet, time::Duration};

use rmcp::{
    RoleClient,
    model::{ServerNotification, SubscriptionFilter},
    service::{Peer, Subscription},
};
use serde_json::{Value, json};
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use super::{failure::Failures, handler::updated};
use crate::{
    codes::{MCP_CONNECTION_UNHEALTHY, MCP_REQUEST_FAILED},
    error::McpError,
    event_queue::EventQueue,
    limits::{LISTEN_ATTEMPTS, LISTEN_RETRY, LISTEN_WAITING_CHANGES, MAX_SUBSCRIPTIONS},
    ports::{ConnectionEvent, PeerInfo},
};

/// Changes what a connection listens to.
#[derive(Debug)]
struct Change {
    uri: String,
    listen: bool,
    done: oneshot::Sender<Result<(), McpError>>,
}

/// The one subscription of a connection: to the lists that change, and to the resources that were asked for.
#[derive(Debug)]
pub(super) struct Listener {
    changes: mpsc::Sender<Change>,
}

impl Listener {
    /// Starts listening until `stop`; a server that does not take subscriptions is left alone.
    pub(super) fn start(
        peer: Peer<RoleClient>,
        info: &PeerInfo,
        events: EventQueue,
        failures: Failures,
        stop: CancellationToken,
    ) -> Self {
        let (changes, received) = mpsc::channel(LISTEN_WAITING_CHANGES);
        let listening = Listening {
            peer,
            events,
            failures,
            filter: lists(info),
            uris: BTreeSet::new(),
            subscription: None,
        };
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = listening.run(received) => {}
            }
        });
        Self { changes }
    }

    /// Listens to a resource, or no longer; the result is that of `resources/subscribe`.
    ///
    /// Errors: `MCP_REQUEST_FAILED` when the server does not take it.
    pub(super) async fn change(&self, uri: String, listen: bool) -> Result<Value, McpError> {
        let gone = || McpError::new(MCP_CONNECTION_UNHEALTHY, "the connection is closed");
        let (done, told) = oneshot::channel();
        let change = Change { uri, listen, done };
        self.changes.send(change).await.map_err(|_| gone())?;
        told.await.map_err(|_| gone())??;
        Ok(json!({}))
    }
}

/// What tells when it changes is listened to.
fn lists(info: &PeerInfo) -> SubscriptionFilter {
    let mut filter = SubscriptionFilter::new();
    let changes = |capability: Option<crate::ports::Capability>| {
        capability
            .is_some_and(|capability| capability.list_changed)
            .then_some(true)
    };
    filter.tools_list_changed = changes(info.tools);
    filter.resources_list_changed = changes(info.resources);
    filter.prompts_list_changed = changes(info.prompts);
    filter
}

struct Listening {
    peer: Peer<RoleClient>,
    events: EventQueue,
    failures: Failures,
    filter: SubscriptionFilter,
    uris: BTreeSet<String>,
    subscription: Option<Subscription>,
}

impl Listening {
    async fn run(mut self, mut changes: mpsc::Receiver<Change>) {
        let mut failed = 0;
        if self.wants_any() && self.open().await.is_err() {
            failed = 1;
        }
        loop {
            let is_due = self.subscription.is_none() && self.wants_any();
            tokio::select! {
                change = changes.recv() => {
                    let Some(change) = change else { return };
                    self.apply(change).await;
                }
                ended = next(&mut self.subscription, &self.events) => {
                    if ended {
                        self.subscription = None;
                    }
                }
                () = sleep(pause(failed)), if is_due && failed < LISTEN_ATTEMPTS => {
                    match self.open().await {
                        Ok(()) => {
                            failed = 0;
                            self.missed();
                        }
                        Err(_) => failed += 1,
                    }
                }
            }
        }
    }

    fn wants_any(&self) -> bool {
        let lists = [
            self.filter.tools_list_changed,
            self.filter.resources_list_changed,
            self.filter.prompts_list_changed,
        ];
        lists.contains(&Some(true)) || !self.uris.is_empty()
    }

    /// Opens a subscription to all that is wanted, in place of the one before.
    async fn open(&mut self) -> Result<(), McpError> {
        let mut filter = self.filter.clone();
        if !self.uris.is_empty() {
            filter.resource_subscriptions = Some(self.uris.iter().cloned().collect());
        }
        let opened = self.peer.listen(filter).await;
        let opened = opened.map_err(|error| self.failures.request(&error))?;
        // The old one goes only now, so that nothing is missed in between.
        if let Some(mut before) = self.subscription.replace(opened) {
            drop(before.cancel().await);
        }
        Ok(())
    }

    async fn apply(&mut self, change: Change) {
        let Change { uri, listen, done } = change;
        let result = if listen {
            self.add(uri).await
        } else {
            self.remove(&uri).await
        };
        // Who asked may have gone.
        drop(done.send(result));
    }

    async fn add(&mut self, uri: String) -> Result<(), McpError> {
        let refused = |message: &str| McpError::new(MCP_REQUEST_FAILED, message);
        if self.uris.len() >= MAX_SUBSCRIPTIONS {
            return Err(refused("too many resources are subscribed to"));
        }
        if !self.uris.insert(uri.clone()) {
            return Ok(());
        }
        let opened = self.open().await;
        let taken = self.subscription.as_ref().is_some_and(|subscription| {
            let uris = subscription.acknowledged().resource_subscriptions.as_ref();
            uris.is_some_and(|uris| uris.contains(&uri))
        });
        if opened.is_err() || !taken {
            self.uris.remove(&uri);
        }
        opened?;
        if taken {
            return Ok(());
        }
        Err(refused("the server does not take the subscription"))
    }

    async fn remove(&mut self, uri: &str) -> Result<(), McpError> {
        if !self.uris.remove(uri) {
            return Ok(());
        }
        if self.wants_any() {
            return self.open().await;
        }
        if let Some(mut subscription) = self.subscription.take() {
            drop(subscription.cancel().await);
        }
        Ok(())
    }

    /// Tells that anything may have changed while nobody listened.
    fn missed(&self) {
        let lists = [
            (
                self.filter.tools_list_changed,
                ConnectionEvent::ToolsChanged,
            ),
            (
                self.filter.resources_list_changed,
                ConnectionEvent::ResourcesChanged,
            ),
            (
                self.filter.prompts_list_changed,
                ConnectionEvent::PromptsChanged,
            ),
        ];
        for (listened, event) in lists {
            if listened == Some(true) {
                self.events.push(event);
            }
        }
        for uri in &self.uris {
            self.events
                .push(ConnectionEvent::ResourceUpdated { uri: uri.clone() });
        }
    }
}

fn pause(failed: u32) -> Duration {
    LISTEN_RETRY * 2_u32.saturating_pow(failed)
}

/// Hands one notification on; waits for ever without a subscription. Tells whether the subscription ended.
async fn next(subscription: &mut Option<Subscription>, events: &EventQueue) -> bool {
    let Some(subscription) = subscription else {
        return std::future::pending().await;
    };
    match subscription.next().await {
        Ok(Some(ServerNotification::ToolListChangedNotification(_))) => {
            events.push(ConnectionEvent::ToolsChanged);
        }
        Ok(Some(ServerNotification::ResourceListChangedNotification(_))) => {
            events.push(ConnectionEvent::ResourcesChanged);
        }
        Ok(Some(ServerNotification::PromptListChangedNotification(_))) => {
            events.push(ConnectionEvent::PromptsChanged);
        }
        Ok(Some(ServerNotification::ResourceUpdatedNotification(update))) => {
            updated(events, update.params.uri);
        }
        Ok(Some(_)) => {}
        Ok(None) | Err(_) => return true,
    }
    false
}
