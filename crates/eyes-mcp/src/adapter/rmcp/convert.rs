//! Between this crate's requests and the protocol's.

use rmcp::model::{Implementation, ServerPeerInfo};
use serde_json::{Map, Value, json};

use crate::{
    limits::{MAX_INSTRUCTIONS_CHARS, MAX_PEER_NAME_CHARS},
    ports::{Capability, McpRequest, PeerInfo},
};

/// Returns the `params` of a request.
pub(super) fn params(request: McpRequest) -> Map<String, Value> {
    let members = match request {
        McpRequest::ListTools { cursor }
        | McpRequest::ListResources { cursor }
        | McpRequest::ListResourceTemplates { cursor }
        | McpRequest::ListPrompts { cursor } => {
            cursor.map_or_else(Vec::new, |cursor| vec![("cursor", json!(cursor))])
        }
        McpRequest::CallTool { name, arguments } | McpRequest::GetPrompt { name, arguments } => {
            vec![
                ("name", json!(name)),
                ("arguments", Value::Object(arguments)),
            ]
        }
        McpRequest::ReadResource { uri }
        | McpRequest::Subscribe { uri }
        | McpRequest::Unsubscribe { uri } => vec![("uri", json!(uri))],
        McpRequest::Ping => Vec::new(),
    };
    let named = |(name, value): (&str, Value)| (name.to_owned(), value);
    members.into_iter().map(named).collect()
}

/// Takes what a server says of itself, each text within its bound.
pub(super) fn peer_info(peer: &ServerPeerInfo) -> PeerInfo {
    let capabilities = &peer.capabilities;
    let capability = |list_changed: Option<bool>| Capability {
        list_changed: list_changed == Some(true),
    };
    let unknown = Implementation::new("", "");
    let server = peer.server_info.as_ref().unwrap_or(&unknown);
    let resources = capabilities.resources.as_ref();
    PeerInfo {
        protocol_version: cut(peer.protocol_version.as_str(), MAX_PEER_NAME_CHARS),
        name: cut(&server.name, MAX_PEER_NAME_CHARS),
        version: cut(&server.version, MAX_PEER_NAME_CHARS),
        tools: capabilities
            .tools
            .as_ref()
            .map(|tools| capability(tools.list_changed)),
        resources: resources.map(|resources| capability(resources.list_changed)),
        resource_subscriptions: resources
            .is_some_and(|resources| resources.subscribe == Some(true)),
        prompts: capabilities
            .prompts
            .as_ref()
            .map(|prompts| capability(prompts.list_changed)),
        instructions: peer
            .instructions
            .as_ref()
            .map(|text| cut(text, MAX_INSTRUCTIONS_CHARS)),
    }
}

/// Cuts foreign text.
pub(super) fn cut(text: &str, max: usize) -> String {
    text.chars().take(max).collect()
}
