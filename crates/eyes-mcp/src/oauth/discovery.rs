//! From a server to its authorization server.

use url::Url;

use super::{
    challenge::Challenge,
    metadata::{
        ResourceMetadata, ServerMetadata, canonical_resource, covers, issuer_places,
        resource_places, same_issuer,
    },
    web::{Web, shown},
};
use crate::{codes, error::McpError, limits::MAX_AUTHORIZATION_SERVERS};

/// Where tokens for a server come from; every address in it was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Authority {
    /// The name under which tokens for the server are asked for (RFC 8707).
    pub(super) resource: String,
    /// The scope of the challenge, else the scopes that the server publishes; empty where neither says any.
    pub(super) scopes: Vec<String>,
    /// What the authorization server publishes.
    pub(super) metadata: ServerMetadata,
    /// Where tokens are asked for.
    pub(super) token_endpoint: Url,
}

/// Finds the authorization server; without a challenge the server is asked for one first.
///
/// Errors: `MCP_OAUTH_DISCOVERY_FAILED`, `MCP_OAUTH_METADATA_INVALID`, `MCP_OAUTH_ISSUER_MISMATCH`,
/// `MCP_ADDRESS_BLOCKED`, `MCP_OAUTH_RESPONSE_LIMIT`, `MCP_OAUTH_TIMEOUT`.
pub(super) async fn discover(
    web: &Web,
    challenge: Option<&Challenge>,
) -> Result<Authority, McpError> {
    let probed = match challenge {
        Some(_) => None,
        None => web.probe().await?,
    };
    let challenge = challenge.or(probed.as_ref());
    let advertised = challenge.and_then(|challenge| challenge.resource_metadata.as_deref());
    let resource = match advertised {
        Some(place) => match advertised_metadata(web, place).await? {
            None => guessed_metadata(web).await?,
            found => found,
        },
        None => guessed_metadata(web).await?,
    };
    let asked = challenge.and_then(|challenge| challenge.scope.as_deref());
    let published = resource
        .as_ref()
        .and_then(|found| found.scopes_supported.clone());
    let scopes = match asked {
        Some(scope) if !scope.trim().is_empty() => {
            scope.split_whitespace().map(str::to_owned).collect()
        }
        _ => published.unwrap_or_default(),
    };
    let name = resource.as_ref().and_then(|found| found.resource.clone());
    let metadata = match resource {
        Some(resource) => named_server(web, &resource).await?,
        None => own_server(web).await?,
    };
    let token_endpoint = endpoints(web, &metadata)?;
    Ok(Authority {
        resource: name.unwrap_or_else(|| canonical_resource(&web.server)),
        scopes,
        metadata,
        token_endpoint,
    })
}

/// Reads the document that the server itself named: what is wrong with it is an error.
async fn advertised_metadata(web: &Web, place: &str) -> Result<Option<ResourceMetadata>, McpError> {
    let url = web.server.join(place).map_err(|_| {
        let message = "the resource_metadata of the challenge is no address";
        McpError::new(codes::MCP_OAUTH_METADATA_INVALID, message)
    })?;
    match web.json::<ResourceMetadata>(&url).await? {
        None => Ok(None),
        Some(Err(fault)) => Err(invalid(
            &url,
            &format!("is no metadata of a resource {fault}"),
        )),
        Some(Ok(found)) => admit_resource(web, &url, found).map(Some),
    }
}

/// Reads the documents at the places where they should be; what is no such document is not there.
async fn guessed_metadata(web: &Web) -> Result<Option<ResourceMetadata>, McpError> {
    for (index, place) in resource_places(&web.server).iter().enumerate() {
        let Some(Ok(found)) = web.json::<ResourceMetadata>(place).await? else {
            continue;
        };
        if found.resource.is_none() && found.authorization_servers.is_none() {
            continue;
        }
        match admit_resource(web, place, found) {
            Ok(found) => return Ok(Some(found)),
            // The exact place speaks of this server alone; the origin's may speak of a neighbour.
            Err(error) if index == 0 => return Err(error),
            Err(_) => {}
        }
    }
    Ok(None)
}

fn admit_resource(
    web: &Web,
    place: &Url,
    found: ResourceMetadata,
) -> Result<ResourceMetadata, McpError> {
    let Some(resource) = &found.resource else {
        return Err(invalid(place, "names no resource"));
    };
    match Url::parse(resource) {
        Ok(url) if covers(&url, &web.server) => Ok(found),
        Ok(url) => Err(invalid(
            place,
            &format!("speaks of {}, not of {}", shown(&url), shown(&web.server)),
        )),
        Err(_) => Err(invalid(place, "names a resource that is no address")),
    }
}

/// Asks the authorization servers that the resource names; the first with a document counts.
async fn named_server(web: &Web, resource: &ResourceMetadata) -> Result<ServerMetadata, McpError> {
    let named = resource
        .authorization_servers
        .as_deref()
        .unwrap_or_default();
    for name in named.iter().take(MAX_AUTHORIZATION_SERVERS) {
        let Ok(issuer) = Url::parse(name) else {
            continue;
        };
        web.check(&issuer)?;
        for place in issuer_places(&issuer) {
            if let Some(found) = server_metadata(web, &place, name).await? {
                return Ok(found);
            }
        }
    }
    if named.is_empty() {
        return own_server(web).await;
    }
    let names: Vec<String> = named
        .iter()
        .take(MAX_AUTHORIZATION_SERVERS)
        .map(|name| name.chars().take(128).collect())
        .collect();
    Err(McpError::new(
        codes::MCP_OAUTH_DISCOVERY_FAILED,
        format!(
            "no authorization server publishes its metadata: {}",
            names.join(", ")
        ),
    ))
}

/// The revision 2025-03-26, which knows no metadata of resources: the server's origin is the authorization server,
/// with three paths by convention where it publishes nothing.
async fn own_server(web: &Web) -> Result<ServerMetadata, McpError> {
    let mut origin = web.server.clone();
    origin.set_path("");
    origin.set_query(None);
    for place in issuer_places(&origin) {
        if let Some(found) = server_metadata(web, &place, origin.as_str()).await? {
            return Ok(found);
        }
    }
    let endpoint = |path: &str| {
        let mut url = origin.clone();
        url.set_path(path);
        Some(url)
    };
    Ok(ServerMetadata {
        authorization_endpoint: endpoint("/authorize"),
        token_endpoint: endpoint("/token"),
        registration_endpoint: endpoint("/register"),
        ..ServerMetadata::default()
    })
}

async fn server_metadata(
    web: &Web,
    place: &Url,
    issuer: &str,
) -> Result<Option<ServerMetadata>, McpError> {
    let found = match web.json::<ServerMetadata>(place).await? {
        None | Some(Err(_)) => return Ok(None),
        Some(Ok(found)) => found,
    };
    match &found.issuer {
        Some(own) if same_issuer(own, issuer) => Ok(Some(found)),
        Some(own) => Err(McpError::new(
            codes::MCP_OAUTH_ISSUER_MISMATCH,
            format!(
                "{} speaks for {:?}, not for {:?}",
                shown(place),
                own.chars().take(128).collect::<String>(),
                issuer.chars().take(128).collect::<String>()
            ),
        )),
        None => Err(invalid(place, "names no issuer")),
    }
}

/// Checks every endpoint and returns where tokens are asked for.
fn endpoints(web: &Web, metadata: &ServerMetadata) -> Result<Url, McpError> {
    let optional = [
        &metadata.authorization_endpoint,
        &metadata.registration_endpoint,
    ];
    for endpoint in optional.into_iter().flatten() {
        web.check(endpoint)?;
    }
    let Some(endpoint) = &metadata.token_endpoint else {
        return Err(McpError::new(
            codes::MCP_OAUTH_METADATA_INVALID,
            "the authorization server names no token_endpoint",
        ));
    };
    web.check(endpoint)?;
    Ok(endpoint.clone())
}

fn invalid(place: &Url, fault: &str) -> McpError {
    McpError::new(
        codes::MCP_OAUTH_METADATA_INVALID,
        format!("the document at {} {fault}", shown(place)),
    )
}
