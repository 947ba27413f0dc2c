//! The documents of discovery (RFC 9728, section 2; RFC 8414, section 2; `OpenID` Connect Discovery 1.0).

use serde::Deserialize;
use url::Url;

/// What a server publishes of its authorization.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct ResourceMetadata {
    pub(super) resource: Option<String>,
    #[serde(default)]
    pub(super) authorization_servers: Option<Vec<String>>,
    #[serde(default)]
    pub(super) scopes_supported: Option<Vec<String>>,
}

/// What an authorization server publishes; only what is used here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct ServerMetadata {
    pub(super) issuer: Option<String>,
    pub(super) authorization_endpoint: Option<Url>,
    pub(super) token_endpoint: Option<Url>,
    pub(super) registration_endpoint: Option<Url>,
    pub(super) scopes_supported: Option<Vec<String>>,
    pub(super) response_types_supported: Option<Vec<String>>,
    pub(super) code_challenge_methods_supported: Option<Vec<String>>,
    pub(super) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
    #[serde(default)]
    pub(super) client_id_metadata_document_supported: bool,
}

impl ServerMetadata {
    /// Returns whether a list of the document names something; an absent list decides nothing.
    pub(super) fn offers(list: Option<&Vec<String>>, name: &str) -> Option<bool> {
        list.map(|list| list.iter().any(|item| item == name))
    }
}

/// Returns where a server's metadata may be, the more exact place first (RFC 9728, section 3.1).
pub(super) fn resource_places(server: &Url) -> Vec<Url> {
    let path = server.path().trim_matches('/');
    let mut places = Vec::new();
    if !path.is_empty() {
        places.push(placed(
            server,
            &format!("/.well-known/oauth-protected-resource/{path}"),
        ));
    }
    places.push(placed(server, "/.well-known/oauth-protected-resource"));
    places
}

/// Returns where an issuer's metadata may be, in the order of the protocol's revision 2025-11-25.
pub(super) fn issuer_places(issuer: &Url) -> Vec<Url> {
    const OAUTH: &str = "/.well-known/oauth-authorization-server";
    const OPENID: &str = "/.well-known/openid-configuration";
    let path = issuer.path().trim_matches('/');
    if path.is_empty() {
        return vec![placed(issuer, OAUTH), placed(issuer, OPENID)];
    }
    vec![
        placed(issuer, &format!("{OAUTH}/{path}")),
        placed(issuer, &format!("{OPENID}/{path}")),
        placed(issuer, &format!("/{path}{OPENID}")),
    ]
}

fn placed(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    url.set_path(path);
    url
}

/// Returns whether two issuers are the same: the same text, but for a slash that ends an address without a path.
///
/// RFC 8414, section 3.3, wants the same text; parsing an address adds that slash, so it cannot be told apart.
pub(super) fn same_issuer(left: &str, right: &str) -> bool {
    fn bare(issuer: &str) -> &str {
        match issuer.strip_suffix('/') {
            Some(bare) if Url::parse(bare).is_ok_and(|url| url.path() == "/") => bare,
            _ => issuer,
        }
    }
    bare(left) == bare(right)
}

/// Returns whether `resource` names the server or something that the server is part of
/// (RFC 9728, section 3.3; a parent path is what the protocol's own clients accept).
pub(super) fn covers(resource: &Url, server: &Url) -> bool {
    if resource.origin() != server.origin() || resource.fragment().is_some() {
        return false;
    }
    let (parent, path) = (resource.path(), server.path());
    path == parent
        || path
            .strip_prefix(parent)
            .is_some_and(|rest| parent.ends_with('/') || rest.starts_with('/'))
}

/// Returns the name of the server as a resource where it publishes none (RFC 8707, section 2).
pub(super) fn canonical_resource(server: &Url) -> String {
    let mut url = server.clone();
    url.set_fragment(None);
    let text = url.to_string();
    match text.strip_suffix('/') {
        Some(bare) if url.path() == "/" && url.query().is_none() => bare.to_owned(),
        _ => text,
    }
}
