//! Eyes as a server.

use std::sync::Arc;

use eyes_evidence::store::fs::FsStore;
use eyes_mcp::{
    adapter::rmcp::server::{self, HttpServeOptions, HttpServing},
    serve::{BearerToken, Hosts, ServerIdentity, ServersHost, ToolHost},
};
use tokio_util::sync::CancellationToken;

use super::{EyesTools, McpPlane};
use crate::{browser::BrowserTool, error::RuntimeError, random::SystemRandom, runtime::Runtime};

/// What is offered: Eyes' own tools, and those of the configured servers.
#[derive(Debug)]
pub struct Serving<'a> {
    /// What looks.
    pub runtime: Arc<Runtime>,
    /// Where records are kept.
    pub store: Option<Arc<FsStore>>,
    /// The browser, where it is offered.
    pub browser: Option<Arc<BrowserTool>>,
    /// The configured servers, where they are offered too.
    pub plane: Option<&'a McpPlane>,
}

impl Serving<'_> {
    fn host(&self) -> Arc<dyn ToolHost> {
        let own = EyesTools::new(Arc::clone(&self.runtime), self.store.clone());
        let mut hosts: Vec<Arc<dyn ToolHost>> = vec![Arc::new(own)];
        hosts.extend(self.browser.clone().map(|browser| browser as _));
        let servers = self.plane.map(|plane| plane.manager.clone());
        hosts.extend(servers.map(|manager| Arc::new(ServersHost::new(manager)) as _));
        Arc::new(Hosts::new(hosts))
    }
}

fn identity() -> ServerIdentity {
    ServerIdentity {
        name: "deepseekeyes".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// Serves the client on standard input and output until it goes.
///
/// Nothing else may write to standard output meanwhile. Errors: `MCP_SERVE_FAILED`.
pub async fn serve_stdio(serving: &Serving<'_>) -> Result<(), RuntimeError> {
    let stop = CancellationToken::new();
    Ok(server::serve_stdio(serving.host(), identity(), stop).await?)
}

/// Serves clients on 127.0.0.1 that know the token; without one a fresh one is made, and returned.
///
/// Dropping the server ends it. Errors: `MCP_SERVE_FAILED`.
pub async fn serve_http(
    serving: &Serving<'_>,
    port: u16,
    token: Option<BearerToken>,
) -> Result<(HttpServing, BearerToken), RuntimeError> {
    let token = token.unwrap_or_else(|| BearerToken::generate(&SystemRandom));
    let options = HttpServeOptions {
        port,
        token: token.clone(),
    };
    let http = HttpServing::start(serving.host(), identity(), options).await?;
    Ok((http, token))
}
