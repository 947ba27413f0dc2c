//! The task of one server: it does what the machine says, one thing after another, and publishes what it knows.

use std::{collections::BTreeSet, future::pending, sync::Arc, time::Duration};

use tokio::{
    sync::{mpsc, oneshot, watch},
    time::{Instant, sleep_until, timeout},
};

use super::{ActorPorts, Command, ResourceUpdate, chronicle::Chronicle};
use crate::{
    codes::{MCP_ADAPTER_CLOSE_FAILED, MCP_CONNECT_FAILED, MCP_CONNECTION_UNHEALTHY},
    config::{Planes, ServerConfig},
    connection::{
        Moment,
        lifecycle::{Effect, Input, Lifecycle, Pong},
        lists::{Drain, Drainer, Lists},
        view::{Health, KeptConnection, ServerView},
    },
    error::McpError,
    limits::{CLOSE_TIMEOUT, CONNECT_HARD_LIMIT, MAX_SUBSCRIPTIONS, PING_TIMEOUT},
    ports::{
        BoxFuture, Connected, ConnectionEvent, McpConnection, McpRequest, PeerInfo, RequestOptions,
    },
};

/// Work under way; dropping it cancels it.
type Work<T> = Option<BoxFuture<'static, T>>;

/// Waits for work; for ever while there is none.
async fn finish<T>(work: &mut Work<T>) -> T {
    match work {
        Some(running) => {
            let result = running.await;
            *work = None;
            result
        }
        None => pending().await,
    }
}

async fn next_event(events: &mut Option<mpsc::Receiver<ConnectionEvent>>) -> ConnectionEvent {
    match events {
        Some(receiver) => receiver.recv().await.unwrap_or(ConnectionEvent::Closed {
            reason: "the connection is gone".to_owned(),
        }),
        None => pending().await,
    }
}

async fn reached(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => pending().await,
    }
}

pub(super) struct Actor {
    config: Arc<ServerConfig>,
    ports: ActorPorts,
    machine: Lifecycle,
    began: Instant,
    publish: watch::Sender<Arc<ServerView>>,
    /// What is held: live, closing, or kept because it could not be closed.
    connection: Option<Arc<dyn McpConnection>>,
    peer: Option<Arc<PeerInfo>>,
    events: Option<mpsc::Receiver<ConnectionEvent>>,
    lists: Lists,
    ready: Planes,
    health: Health,
    checked: Option<Moment>,
    subscriptions: Arc<BTreeSet<String>>,
    chronicle: Chronicle,
    connecting: Work<Result<Connected, McpError>>,
    draining: Work<Drain>,
    pinging: Work<(Result<(), McpError>, Duration)>,
    closing: Work<Result<(), McpError>>,
}

/// Something that the loop woke up for.
enum Woken {
    Command(Option<(Command, oneshot::Sender<()>)>),
    Connected(Result<Connected, McpError>),
    Drained(Drain),
    Pinged(Result<(), McpError>, Duration),
    Closed(Result<(), McpError>),
    Event(ConnectionEvent),
    Timer,
}

impl Actor {
    pub(super) fn new(
        config: Arc<ServerConfig>,
        ports: ActorPorts,
    ) -> (Self, watch::Receiver<Arc<ServerView>>) {
        let lists = Lists::new(&config);
        let machine = Lifecycle::new(!config.enabled);
        let (publish, view) = watch::channel(Arc::new(ServerView {
            config: Arc::clone(&config),
            status: machine.status(),
            busy: false,
            peer: None,
            tools: lists.tools(),
            content: lists.content(),
            ready: Planes::NONE,
            health: Health::default(),
            subscriptions: Arc::default(),
            connection: None,
        }));
        let actor = Self {
            chronicle: Chronicle::new(&ports.audit, &ports.clock),
            config,
            ports,
            machine,
            began: Instant::now(),
            publish,
            connection: None,
            peer: None,
            events: None,
            lists,
            ready: Planes::NONE,
            health: Health::default(),
            checked: None,
            subscriptions: Arc::default(),
            connecting: None,
            draining: None,
            pinging: None,
            closing: None,
        };
        (actor, view)
    }

    pub(super) async fn run(
        mut self,
        mut commands: mpsc::Receiver<(Command, oneshot::Sender<()>)>,
    ) {
        loop {
            let deadline = self.machine.deadline().map(|at| self.began + at);
            let woken = tokio::select! {
                biased;
                command = commands.recv() => Woken::Command(command),
                result = finish(&mut self.closing) => Woken::Closed(result),
                result = finish(&mut self.connecting) => Woken::Connected(result),
                event = next_event(&mut self.events) => Woken::Event(event),
                drain = finish(&mut self.draining) => Woken::Drained(drain),
                (result, took) = finish(&mut self.pinging) => Woken::Pinged(result, took),
                () = reached(deadline) => Woken::Timer,
            };
            let done = match woken {
                Woken::Command(None) => return,
                Woken::Command(Some((command, done))) => {
                    self.command(command).await;
                    Some(done)
                }
                other => {
                    self.happened(other);
                    None
                }
            };
            self.publish();
            if let Some(done) = done {
                // Whoever asked may be gone.
                let _told = done.send(());
            }
        }
    }

    async fn command(&mut self, command: Command) {
        match command {
            Command::Start => self.step(Input::Start),
            Command::Reconnect => self.step(Input::Reconnect),
            Command::Stop => self.step(Input::Stop {
                disabled: !self.config.enabled,
            }),
            Command::Refresh => self.step(Input::Refresh),
            Command::Test(fresh) => {
                let is_fresh = self
                    .checked
                    .is_some_and(|checked| checked + fresh > self.now());
                if !is_fresh {
                    self.step(Input::Test);
                }
            }
            Command::Configure(config) => self.configure(config).await,
            Command::Repin => {
                self.lists.repolicy(&self.config, &self.ports.pins).await;
            }
            Command::Subscription { uri, wanted } => {
                let subscriptions = Arc::make_mut(&mut self.subscriptions);
                if !wanted {
                    subscriptions.remove(&uri);
                } else if subscriptions.len() < MAX_SUBSCRIPTIONS {
                    subscriptions.insert(uri);
                }
            }
        }
    }

    /// Takes other settings. Only what changes the connection itself touches it.
    async fn configure(&mut self, config: Arc<ServerConfig>) {
        if *self.config == *config {
            return;
        }
        let same = self.config.fingerprint() == config.fingerprint();
        let was_enabled = std::mem::replace(&mut self.config, config).enabled;
        self.lists.repolicy(&self.config, &self.ports.pins).await;
        if !self.config.enabled {
            self.step(Input::Stop { disabled: true });
        } else if !was_enabled {
            self.step(Input::Stop { disabled: false });
        } else if !same && self.machine.is_wanted() {
            self.step(Input::Reconnect);
        }
    }

    fn happened(&mut self, woken: Woken) {
        match woken {
            Woken::Connected(Ok(connected)) => self.connected(connected),
            Woken::Connected(Err(error)) => {
                self.chronicle.refused(&self.config, &error);
                let again = error.code.spec().retry == eyes_evidence::code::Retry::Later;
                self.health.last_error = Some(error);
                self.step(Input::ConnectFailed { again });
            }
            Woken::Drained(drain) => self.drained(drain),
            Woken::Pinged(result, took) => self.pinged(result, took),
            Woken::Closed(result) => self.closed(result),
            Woken::Event(event) => self.event(event),
            Woken::Timer => self.step(Input::Timer),
            Woken::Command(_) => {}
        }
    }

    fn connected(&mut self, connected: Connected) {
        let peer = connected.connection.peer().clone();
        self.chronicle.connected(&self.config, &peer);
        if let Some(tokens) = &self.ports.tokens {
            tokens.connected(&self.config);
        }
        let enabled = self.config.planes;
        let offered = Planes {
            tools: peer.tools.is_some(),
            resources: peer.resources.is_some(),
            prompts: peer.prompts.is_some(),
        };
        self.health = Health {
            last_connected_at: Some(self.ports.clock.now()),
            last_checked_at: self.health.last_checked_at.take(),
            ..Health::default()
        };
        self.health
            .unsupported(&self.config, enabled.without(offered));
        self.peer = Some(Arc::new(peer));
        self.connection = Some(connected.connection);
        self.events = Some(connected.events);
        self.ready = Planes::NONE;
        self.step(Input::Connected { enabled, offered });
    }

    fn drained(&mut self, drain: Drain) {
        let taken = self.lists.take(&self.config, drain, &mut self.health);
        self.ready = self.ready.union(taken.read);
        if !taken.read.is_empty() {
            self.alive();
        }
        self.step(Input::Drained(taken.outcome));
    }

    fn pinged(&mut self, result: Result<(), McpError>, took: Duration) {
        // A server that refuses the ping has answered it.
        let alive = match &result {
            Ok(()) => true,
            Err(error) => error.rpc_code.is_some(),
        };
        if alive {
            self.health.latency = Some(took);
            self.alive();
            self.step(Input::Pinged(Pong::Alive));
            return;
        }
        self.health.last_error = result.err();
        self.step(Input::Pinged(Pong::Silent));
    }

    fn alive(&mut self) {
        self.checked = Some(self.now());
        self.health.last_checked_at = Some(self.ports.clock.now());
    }

    fn closed(&mut self, result: Result<(), McpError>) {
        self.chronicle.ended(&self.config, result.as_ref().err());
        let done = match result {
            Ok(()) => {
                self.connection = None;
                self.health.kept = None;
                true
            }
            Err(error) => {
                let attempts = self.health.kept.take().map_or(0, |kept| kept.attempts);
                self.health.kept = Some(KeptConnection {
                    at: self.ports.clock.now(),
                    attempts: attempts + 1,
                    error,
                });
                false
            }
        };
        self.step(Input::Closed { done });
    }

    fn event(&mut self, event: ConnectionEvent) {
        match event {
            ConnectionEvent::ToolsChanged => self.changed(true, false, false),
            ConnectionEvent::ResourcesChanged => self.changed(false, true, false),
            ConnectionEvent::PromptsChanged => self.changed(false, false, true),
            ConnectionEvent::ResourceUpdated { uri } => {
                if self.subscriptions.contains(&uri) {
                    let server = self.config.id.clone();
                    // Nobody may be listening.
                    drop(self.ports.updates.send(ResourceUpdate { server, uri }));
                }
            }
            ConnectionEvent::Closed { reason } => {
                self.events = None;
                let error = McpError::new(MCP_CONNECTION_UNHEALTHY, reason);
                self.chronicle.ended(&self.config, Some(&error));
                self.health.last_error = Some(error);
                self.step(Input::Ended);
            }
        }
    }

    fn changed(&mut self, tools: bool, resources: bool, prompts: bool) {
        self.step(Input::Changed(Planes {
            tools,
            resources,
            prompts,
        }));
    }

    fn now(&self) -> Moment {
        self.began.elapsed()
    }

    fn step(&mut self, input: Input) {
        let effects = self
            .machine
            .step(input, self.now(), self.ports.random.as_ref());
        for effect in effects {
            self.perform(effect);
        }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Connect => {
                self.chronicle.begins();
                self.connecting = Some(self.connect());
            }
            Effect::AbandonConnect => self.connecting = None,
            Effect::Drain {
                planes,
                believe_empty,
            } => {
                let drainer = Drainer {
                    config: Arc::clone(&self.config),
                    connection: self.connection.clone(),
                    pins: Arc::clone(&self.ports.pins),
                    planes,
                    believe_empty,
                    // What was subscribed on another connection is not on this one.
                    subscriptions: if self.ready.is_empty() {
                        Arc::clone(&self.subscriptions)
                    } else {
                        Arc::default()
                    },
                };
                self.draining = Some(Box::pin(drainer.run()));
            }
            Effect::Ping => self.pinging = self.connection.clone().map(ping),
            Effect::Close => {
                self.draining = None;
                self.pinging = None;
                self.events = None;
                self.peer = None;
                self.ready = Planes::NONE;
                self.closing = Some(close(self.connection.clone()));
            }
        }
    }

    fn connect(&self) -> BoxFuture<'static, Result<Connected, McpError>> {
        let connector = Arc::clone(&self.ports.connector);
        let config = Arc::clone(&self.config);
        Box::pin(async move {
            match timeout(CONNECT_HARD_LIMIT, connector.connect(&config)).await {
                Ok(result) => result,
                Err(_) => Err(McpError::new(
                    MCP_CONNECT_FAILED,
                    format!("no connection within {} s", CONNECT_HARD_LIMIT.as_secs()),
                )),
            }
        })
    }

    fn publish(&self) {
        let view = ServerView {
            config: Arc::clone(&self.config),
            status: self.machine.status(),
            busy: self.machine.is_busy(),
            peer: self.peer.clone(),
            tools: self.lists.tools(),
            content: self.lists.content(),
            ready: self.ready,
            health: self.health.clone(),
            subscriptions: Arc::clone(&self.subscriptions),
            connection: self
                .machine
                .is_live()
                .then(|| self.connection.clone())
                .flatten(),
        };
        let before = self.publish.send_replace(Arc::new(view));
        if !self.publish.borrow().offers_same(&before) {
            self.ports.changes.send_modify(|count| *count += 1);
        }
    }
}

fn ping(
    connection: Arc<dyn McpConnection>,
) -> BoxFuture<'static, (Result<(), McpError>, Duration)> {
    Box::pin(async move {
        let began = Instant::now();
        let options = RequestOptions {
            idle: PING_TIMEOUT,
            total: PING_TIMEOUT,
            progress: None,
        };
        let result = connection.request(McpRequest::Ping, options).await;
        (result.map(drop), began.elapsed())
    })
}

fn close(connection: Option<Arc<dyn McpConnection>>) -> BoxFuture<'static, Result<(), McpError>> {
    Box::pin(async move {
        let Some(connection) = connection else {
            return Ok(());
        };
        match timeout(CLOSE_TIMEOUT, connection.close()).await {
            Ok(result) => result,
            Err(_) => Err(McpError::new(
                MCP_ADAPTER_CLOSE_FAILED,
                format!("not closed within {} s", CLOSE_TIMEOUT.as_secs()),
            )),
        }
    })
}
