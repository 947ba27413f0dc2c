//! Several hosts as one.

use std::{collections::BTreeSet, sync::Arc};

use tokio::sync::watch;

use super::{HostedCall, HostedResult, HostedTool, ToolHost};
use crate::{call::RunHandle, codes::MCP_TOOL_UNAVAILABLE, error::McpError, ports::BoxFuture};

/// Several hosts as one; of two tools with one name the earlier host's is there.
#[derive(Debug, Clone, Default)]
pub struct Hosts {
    hosts: Vec<Arc<dyn ToolHost>>,
}

impl Hosts {
    /// Puts hosts together, in this order.
    pub fn new(hosts: Vec<Arc<dyn ToolHost>>) -> Self {
        Self { hosts }
    }
}

impl ToolHost for Hosts {
    fn tools(&self) -> Vec<HostedTool> {
        let mut taken = BTreeSet::new();
        let mut tools = Vec::new();
        for tool in self.hosts.iter().flat_map(|host| host.tools()) {
            if taken.insert(tool.name.clone()) {
                tools.push(tool);
            }
        }
        tools
    }

    fn has_tool(&self, name: &str) -> bool {
        self.hosts.iter().any(|host| host.has_tool(name))
    }

    fn instructions(&self) -> Option<String> {
        let all: Vec<String> = self
            .hosts
            .iter()
            .filter_map(|host| host.instructions())
            .collect();
        (!all.is_empty()).then(|| all.join("\n\n"))
    }

    fn changes(&self) -> Vec<watch::Receiver<u64>> {
        self.hosts.iter().flat_map(|host| host.changes()).collect()
    }

    fn begin_run(&self) -> Option<RunHandle> {
        self.hosts.iter().find_map(|host| host.begin_run())
    }

    fn call_tool(&self, call: HostedCall) -> BoxFuture<'_, Result<HostedResult, McpError>> {
        match self.hosts.iter().find(|host| host.has_tool(&call.name)) {
            Some(host) => host.call_tool(call),
            None => Box::pin(async move {
                let message = format!("there is no tool {:?}", call.name);
                Err(McpError::new(MCP_TOOL_UNAVAILABLE, message))
            }),
        }
    }
}
