//! Events of a connection on their way to whoever listens: bounded, and equal ones that wait are one.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, mpsc};

use crate::{limits::MAX_WAITING_RESOURCE_UPDATES, ports::ConnectionEvent};

/// The sending end of a connection's events.
#[derive(Debug, Clone)]
pub(crate) struct EventQueue {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    woken: Notify,
}

/// What was not handed over yet.
#[derive(Debug, Default)]
struct Waiting {
    tools: bool,
    resources: bool,
    prompts: bool,
    updated: BTreeSet<String>,
    end: End,
}

/// Nothing is taken once the end was told.
#[derive(Debug, Default, PartialEq)]
enum End {
    #[default]
    Open,
    Waiting(String),
    HandedOver,
}

impl Waiting {
    fn next(&mut self) -> Option<ConnectionEvent> {
        if std::mem::take(&mut self.tools) {
            return Some(ConnectionEvent::ToolsChanged);
        }
        if std::mem::take(&mut self.resources) {
            return Some(ConnectionEvent::ResourcesChanged);
        }
        if std::mem::take(&mut self.prompts) {
            return Some(ConnectionEvent::PromptsChanged);
        }
        if let Some(uri) = self.updated.pop_first() {
            return Some(ConnectionEvent::ResourceUpdated { uri });
        }
        match std::mem::replace(&mut self.end, End::HandedOver) {
            End::Waiting(reason) => Some(ConnectionEvent::Closed { reason }),
            other => {
                self.end = other;
                None
            }
        }
    }
}

impl EventQueue {
    /// Makes both ends; needs a runtime, whose task hands the events over until the end was told.
    pub(crate) fn new() -> (Self, mpsc::Receiver<ConnectionEvent>) {
        let (sender, receiver) = mpsc::channel(1);
        let queue = Self {
            shared: Arc::new(Shared::default()),
        };
        drop(tokio::spawn(hand_over(Arc::clone(&queue.shared), sender)));
        (queue, receiver)
    }

    /// Takes an event; one that equals another that waits is that one.
    ///
    /// Updates of more resources than are kept become one [`ConnectionEvent::ResourcesChanged`].
    pub(crate) fn push(&self, event: ConnectionEvent) {
        let mut waiting = self.shared.lock();
        if waiting.end != End::Open {
            return;
        }
        match event {
            ConnectionEvent::ToolsChanged => waiting.tools = true,
            ConnectionEvent::ResourcesChanged => waiting.resources = true,
            ConnectionEvent::PromptsChanged => waiting.prompts = true,
            ConnectionEvent::ResourceUpdated { uri } => {
                waiting.updated.insert(uri);
                if waiting.updated.len() > MAX_WAITING_RESOURCE_UPDATES {
                    waiting.updated.clear();
                    waiting.resources = true;
                }
            }
            ConnectionEvent::Closed { reason } => waiting.end = End::Waiting(reason),
        }
        drop(waiting);
        self.shared.woken.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn hand_over(shared: Arc<Shared>, sender: mpsc::Sender<ConnectionEvent>) {
    loop {
        // The place is taken first, so that what waits for it can still be merged.
        let Ok(place) = sender.reserve().await else {
            return;
        };
        let event = loop {
            let next = shared.lock().next();
            if let Some(event) = next {
                break event;
            }
            tokio::select! {
                () = shared.woken.notified() => {}
                () = sender.closed() => return,
            }
        };
        let is_last = matches!(event, ConnectionEvent::Closed { .. });
        place.send(event);
        if is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn drain(mut events: mpsc::Receiver<ConnectionEvent>) -> Vec<ConnectionEvent> {
        let mut seen = Vec::new();
        while let Some(event) = events.recv().await {
            seen.push(event);
        }
        seen
    }

    #[tokio::test]
    async fn equal_waiting_events_are_one_and_the_end_is_last() {
        let (queue, events) = EventQueue::new();
        let closed = |reason: &str| ConnectionEvent::Closed {
            reason: reason.into(),
        };
        for _ in 0..3 {
            queue.push(ConnectionEvent::PromptsChanged);
            queue.push(ConnectionEvent::ToolsChanged);
        }
        queue.push(closed("gone"));
        queue.push(closed("again"));
        queue.push(ConnectionEvent::ResourcesChanged);
        let expected = [
            ConnectionEvent::ToolsChanged,
            ConnectionEvent::PromptsChanged,
            closed("gone"),
        ];
        assert_eq!(drain(events).await, expected);
    }

    #[tokio::test]
    async fn too_many_updated_resources_become_a_changed_list() {
        let (queue, events) = EventQueue::new();
        for number in 0..=MAX_WAITING_RESOURCE_UPDATES {
            queue.push(ConnectionEvent::ResourceUpdated {
                uri: format!("memo://{number}"),
            });
        }
        queue.push(ConnectionEvent::Closed {
            reason: String::new(),
        });
        let seen = drain(events).await;
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[0], ConnectionEvent::ResourcesChanged);
    }
}
