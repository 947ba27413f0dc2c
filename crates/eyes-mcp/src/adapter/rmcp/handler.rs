//! What a server tells and asks on its own.
#![expect(deprecated, reason = "servers of older revisions still ask for roots")]

use std::sync::Arc;

use rmcp::{
    ClientHandler, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, CustomRequest, CustomResult, ElicitRequestParams,
        ElicitResult, ElicitationCapability, ErrorCode, ErrorData, FormElicitationCapability,
        Implementation, ListRootsResult, ProgressNotificationParam,
        ResourceUpdatedNotificationParam,
    },
    service::{NotificationContext, RequestContext},
};
use serde_json::Value;

use super::{convert::cut, elicit::Questions, progress::ProgressRegistry};
use crate::{
    event_queue::EventQueue,
    limits::{MAX_METHOD_CHARS, MAX_URI_CHARS},
    ports::ConnectionEvent,
};

/// Hands events and progress on, and answers what a server may ask.
///
/// Announced is what is configured: forms of elicitation where somebody answers them. Sampling and roots are not
/// there, and whatever else is asked is an unknown method.
#[derive(Debug)]
pub(super) struct Handler {
    pub(super) events: EventQueue,
    pub(super) progress: Arc<ProgressRegistry>,
    pub(super) questions: Option<Arc<Questions>>,
}

impl Handler {
    async fn ask(&self, params: &Value) -> Result<Value, ErrorData> {
        match &self.questions {
            Some(questions) => Ok(questions.ask(params).await),
            None => Err(unknown_method("elicitation/create")),
        }
    }
}

fn unknown_method(method: &str) -> ErrorData {
    let method = cut(method, MAX_METHOD_CHARS);
    ErrorData::new(
        ErrorCode::METHOD_NOT_FOUND,
        format!("the client has no method {method:?}"),
        None,
    )
}

fn internal(error: &serde_json::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.questions.is_some() {
            let form = FormElicitationCapability::new().with_schema_validation(true);
            capabilities.elicitation = Some(ElicitationCapability::new().with_form(form));
        }
        let program = Implementation::new("deepseek-eyes", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, program)
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        Err(unknown_method("roots/list"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let params = serde_json::to_value(&request).map_err(|error| internal(&error))?;
        let answer = self.ask(&params).await?;
        serde_json::from_value(answer).map_err(|error| internal(&error))
    }

    /// Forms that the protocol library does not know as such come here, and everything else that is unknown.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        if request.method != "elicitation/create" {
            return Err(unknown_method(&request.method));
        }
        let params = request.params.unwrap_or_default();
        Ok(CustomResult::new(self.ask(&params).await?))
    }

    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.progress.take(params).await;
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.events.push(ConnectionEvent::ToolsChanged);
    }

    async fn on_resource_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.events.push(ConnectionEvent::ResourcesChanged);
    }

    async fn on_prompt_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.events.push(ConnectionEvent::PromptsChanged);
    }

    async fn on_resource_updated(
        &self,
        params: ResourceUpdatedNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        updated(&self.events, params.uri);
    }
}

/// Tells an updated resource; an address that is too long to be one of ours is not told.
pub(super) fn updated(events: &EventQueue, uri: String) {
    if uri.len() <= MAX_URI_CHARS {
        events.push(ConnectionEvent::ResourceUpdated { uri });
    }
}
