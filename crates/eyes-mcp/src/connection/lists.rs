//! The lists of one server: read side by side, admitted, and kept until newer ones are.

use std::{collections::BTreeSet, sync::Arc};

use eyes_evidence::code::{Category, Coded as _, Retry};
use serde_json::Value;

use super::{
    lifecycle::Drained,
    policed::{PinStates, PolicedTools},
    view::Health,
};
use crate::{
    catalog::{Belief, ContentCatalog, DrainLimits, ListKind, ToolCatalog, believe, drain},
    codes::{MCP_CONNECTION_UNHEALTHY, MCP_PIN_STORE_FAILED},
    config::{Planes, ServerConfig},
    error::McpError,
    limits::{MAX_DRAIN_TIME, MAX_PAGE_IDLE},
    pins::{PinStore, observe},
    ports::{McpConnection, McpRequest, RequestOptions},
};

/// What is known of a server's lists.
pub(super) struct Lists {
    tools: Arc<PolicedTools>,
    content: Arc<ContentCatalog>,
    listed: Listed,
}

/// Content as it was listed; resources and prompts share one budget and are admitted together.
#[derive(Clone, Default)]
struct Listed {
    resources: Vec<Value>,
    templates: Vec<Value>,
    prompts: Vec<Value>,
}

/// One reading of lists that is to be done.
pub(super) struct Drainer {
    pub(super) config: Arc<ServerConfig>,
    pub(super) connection: Option<Arc<dyn McpConnection>>,
    pub(super) pins: Arc<dyn PinStore>,
    pub(super) planes: Planes,
    pub(super) believe_empty: Planes,
    pub(super) subscriptions: Arc<BTreeSet<String>>,
}

/// What one reading gave.
pub(super) struct Drain {
    believe_empty: Planes,
    tools: Option<Result<PolicedTools, McpError>>,
    resources: Option<Result<[Vec<Value>; 2], McpError>>,
    prompts: Option<Result<Vec<Value>, McpError>>,
}

/// What became of a reading.
#[derive(Debug, Default)]
pub(super) struct Taken {
    pub(super) read: Planes,
    pub(super) outcome: Drained,
}

impl Drainer {
    pub(super) async fn run(self) -> Drain {
        let (tools, resources, prompts) =
            tokio::join!(self.tools(), self.resources(), self.prompts());
        Drain {
            believe_empty: self.believe_empty,
            tools,
            resources,
            prompts,
        }
    }

    async fn tools(&self) -> Option<Result<PolicedTools, McpError>> {
        if !self.planes.tools {
            return None;
        }
        let admitted = async {
            let listed = self.list(ListKind::Tools).await?;
            let catalog = Arc::new(ToolCatalog::admit(&self.config, listed)?);
            let pins = look_at_pins(&self.config, &catalog, &self.pins).await?;
            Ok(PolicedTools::new(&self.config, catalog, Arc::new(pins)))
        };
        Some(admitted.await)
    }

    async fn resources(&self) -> Option<Result<[Vec<Value>; 2], McpError>> {
        if !self.planes.resources {
            return None;
        }
        self.subscribe().await;
        let both = async {
            let resources = self.list(ListKind::Resources).await?;
            let templates = self.list(ListKind::ResourceTemplates).await?;
            Ok([resources, templates])
        };
        Some(both.await)
    }

    async fn prompts(&self) -> Option<Result<Vec<Value>, McpError>> {
        if !self.planes.prompts {
            return None;
        }
        Some(self.list(ListKind::Prompts).await)
    }

    async fn list(&self, list: ListKind) -> Result<Vec<Value>, McpError> {
        drain(self.connection()?, list, DrainLimits::of(list)).await
    }

    fn connection(&self) -> Result<&dyn McpConnection, McpError> {
        self.connection.as_deref().ok_or_else(|| {
            McpError::new(
                MCP_CONNECTION_UNHEALTHY,
                "no connection is there to read from",
            )
        })
    }

    /// Subscribes again to what was subscribed to on the connection before.
    async fn subscribe(&self) {
        for uri in self.subscriptions.iter() {
            let Ok(connection) = self.connection() else {
                return;
            };
            let request = McpRequest::Subscribe { uri: uri.clone() };
            let options = RequestOptions {
                idle: MAX_PAGE_IDLE,
                total: MAX_DRAIN_TIME,
                progress: None,
            };
            // A resource that is gone has no updates; the others still have.
            drop(connection.request(request, options).await);
        }
    }
}

impl Lists {
    /// Starts with nothing.
    ///
    /// # Panics
    ///
    /// Never: an empty list breaks no bound.
    pub(super) fn new(config: &ServerConfig) -> Self {
        let tools = ToolCatalog::admit(config, Vec::new()).expect("an empty list breaks no bound");
        let content = ContentCatalog::admit(config, Vec::new(), Vec::new(), Vec::new());
        let pins = Arc::new(PinStates::new());
        Self {
            tools: Arc::new(PolicedTools::new(config, Arc::new(tools), pins)),
            content: Arc::new(content.expect("empty lists break no bound")),
            listed: Listed::default(),
        }
    }

    pub(super) fn tools(&self) -> Arc<PolicedTools> {
        Arc::clone(&self.tools)
    }

    pub(super) fn content(&self) -> Arc<ContentCatalog> {
        Arc::clone(&self.content)
    }

    /// Applies other settings to what is known; nothing is asked of the server.
    pub(super) async fn repolicy(&mut self, config: &Arc<ServerConfig>, pins: &Arc<dyn PinStore>) {
        let catalog = Arc::clone(self.tools.catalog());
        // Pins that cannot be read leave the states as they were: nothing becomes allowed by a fault.
        let states = match look_at_pins(config, &catalog, pins).await {
            Ok(states) => Arc::new(states),
            Err(_) => Arc::clone(self.tools.pins()),
        };
        let tools = PolicedTools::new(config, catalog, states);
        if !self.tools.same_as(&tools) {
            self.tools = Arc::new(tools);
        }
    }

    /// Takes what a reading gave, and writes down what failed.
    pub(super) fn take(
        &mut self,
        config: &ServerConfig,
        mut drain: Drain,
        health: &mut Health,
    ) -> Taken {
        let mut taken = Taken::default();
        let believe_empty = drain.believe_empty;
        if let Some(tools) = drain.tools.take() {
            self.take_tools(config, tools, believe_empty.tools, (health, &mut taken));
        }
        self.take_content(config, drain, health, &mut taken);
        taken
    }

    fn take_tools(
        &mut self,
        config: &ServerConfig,
        tools: Result<PolicedTools, McpError>,
        believe_empty: bool,
        (health, taken): (&mut Health, &mut Taken),
    ) {
        match tools {
            Ok(tools) => {
                health.tools_error = None;
                taken.read.tools = true;
                let before = self.tools.catalog().tools.len();
                let now = tools.catalog().tools.len();
                match believe(before, now, believe_empty) {
                    Belief::Doubted => taken.outcome.doubted.tools = true,
                    // What is the same stays the same object: nothing that was made of it is made again.
                    Belief::Believed if self.tools.same_as(&tools) => {}
                    Belief::Believed => self.tools = Arc::new(tools),
                }
            }
            Err(error) => {
                taken.outcome.failed.tools = true;
                taken.outcome.retry.tools = is_passing(&error);
                if is_rejection(&error) {
                    self.tools = Self::new(config).tools;
                }
                health.tools_error = Some(error);
            }
        }
    }

    fn take_content(
        &mut self,
        config: &ServerConfig,
        drain: Drain,
        health: &mut Health,
        taken: &mut Taken,
    ) {
        let mut listed = self.listed.clone();
        let mut planes = Planes::NONE;
        match drain.resources {
            Some(Ok([resources, templates])) => {
                let before = listed.resources.len() + listed.templates.len();
                let now = resources.len() + templates.len();
                taken.read.resources = true;
                health.resources_error = None;
                match believe(before, now, drain.believe_empty.resources) {
                    Belief::Doubted => taken.outcome.doubted.resources = true,
                    Belief::Believed => {
                        (listed.resources, listed.templates) = (resources, templates);
                        planes.resources = true;
                    }
                }
            }
            Some(Err(error)) => {
                taken.outcome.failed.resources = true;
                taken.outcome.retry.resources = is_passing(&error);
                health.resources_error = Some(error);
            }
            None => {}
        }
        match drain.prompts {
            Some(Ok(prompts)) => {
                taken.read.prompts = true;
                health.prompts_error = None;
                match believe(
                    listed.prompts.len(),
                    prompts.len(),
                    drain.believe_empty.prompts,
                ) {
                    Belief::Doubted => taken.outcome.doubted.prompts = true,
                    Belief::Believed => {
                        listed.prompts = prompts;
                        planes.prompts = true;
                    }
                }
            }
            Some(Err(error)) => {
                taken.outcome.failed.prompts = true;
                taken.outcome.retry.prompts = is_passing(&error);
                health.prompts_error = Some(error);
            }
            None => {}
        }
        if !planes.is_empty() {
            self.admit_content(config, listed, planes, (health, taken));
        }
    }

    /// Admits all content together; what breaks the budget rejects what was just read.
    fn admit_content(
        &mut self,
        config: &ServerConfig,
        listed: Listed,
        planes: Planes,
        (health, taken): (&mut Health, &mut Taken),
    ) {
        let Listed {
            resources,
            templates,
            prompts,
        } = listed.clone();
        match ContentCatalog::admit(config, resources, templates, prompts) {
            Ok(content) => {
                if *self.content != content {
                    self.content = Arc::new(content);
                }
                self.listed = listed;
            }
            Err(error) => {
                let empty = Self::new(config);
                (self.content, self.listed) = (empty.content, empty.listed);
                taken.read = taken.read.without(planes);
                taken.outcome.failed = taken.outcome.failed.union(planes);
                if planes.resources {
                    health.resources_error = Some(error.clone());
                }
                if planes.prompts {
                    health.prompts_error = Some(error);
                }
            }
        }
    }
}

/// Tells whether another try may succeed on its own.
fn is_passing(error: &McpError) -> bool {
    error.code.spec().retry == Retry::Later
}

/// Tells whether the list itself was bad; then nothing of it is used, and nothing of the one before either.
fn is_rejection(error: &McpError) -> bool {
    error.code.spec().category == Category::Rejected
}

/// Compares tools with what was approved, and keeps what is new; the store may be a file.
async fn look_at_pins(
    config: &Arc<ServerConfig>,
    catalog: &Arc<ToolCatalog>,
    pins: &Arc<dyn PinStore>,
) -> Result<PinStates, McpError> {
    let (config, catalog, pins) = (Arc::clone(config), Arc::clone(catalog), Arc::clone(pins));
    let look = move || observe(pins.as_ref(), &config, &catalog.tools);
    match tokio::task::spawn_blocking(look).await {
        Ok(Ok(observation)) => Ok(observation.states),
        Ok(Err(error)) => Err(McpError::new(error.code(), error.to_string())),
        Err(_) => Err(McpError::new(
            MCP_PIN_STORE_FAILED,
            "the pins could not be looked at",
        )),
    }
}
