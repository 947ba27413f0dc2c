//! Settings and tools for tests, with nothing in them but what a test says.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::Value;

use crate::{
    catalog::CatalogTool,
    config::{Approval, Planes, RiskPolicy, ServerConfig, StdioServer, Transport},
    definition::ToolDefinition,
    names::ServerId,
    policy::Selectors,
};

/// Makes the id of a server.
///
/// # Panics
///
/// When the text is none.
pub fn server_id(id: &str) -> ServerId {
    id.parse().expect("the id of a test is one")
}

/// Makes a server over standard streams with every list in use and every glob allowed.
///
/// # Panics
///
/// When `id` is none.
pub fn server(id: &str) -> ServerConfig {
    let everything = Selectors {
        allow: vec!["*".to_owned()],
        deny: Vec::new(),
    };
    ServerConfig {
        id: server_id(id),
        name: id.to_owned(),
        enabled: true,
        planes: Planes {
            tools: true,
            resources: true,
            prompts: true,
        },
        risk_policy: RiskPolicy::Allow,
        tools: everything.clone(),
        resources: everything.clone(),
        prompts: everything,
        timeout: Duration::from_secs(30),
        exposure: None,
        approval: Approval::Changed,
        transport: Transport::Stdio(StdioServer {
            command: "server".to_owned(),
            args: Vec::new(),
            cwd: None,
            env: BTreeMap::new(),
        }),
    }
}

/// Makes globs.
pub fn selectors(allow: &[&str], deny: &[&str]) -> Selectors {
    let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect();
    Selectors {
        allow: owned(allow),
        deny: owned(deny),
    }
}

/// Makes a tool of a server from an object of `tools/list`.
///
/// # Panics
///
/// When the object defines none.
pub fn tool(server: &str, whole: Value) -> Arc<CatalogTool> {
    let definition = ToolDefinition::parse(whole).expect("the definition of a test is one");
    Arc::new(CatalogTool::new(&server_id(server), definition))
}
