//! Admission of the tools of one server.

use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

use eyes_evidence::{code::ErrorCode, digest::Sha256Digest};
use serde_json::Value;

use super::{
    measure::Measure,
    tool::{CatalogTool, RefusedTool},
};
use crate::{
    codes,
    config::ServerConfig,
    definition::{DefinitionFault, ToolDefinition},
    error::McpError,
    limits::{
        MAX_CATALOG_BYTES, MAX_CATALOG_CHARS, MAX_CATALOG_DEPTH, MAX_CATALOG_NODES,
        MAX_CATALOG_TOOLS,
    },
    names::{PublicName, ServerId, check_raw_name},
};

/// One generation of the tools of a server.
#[derive(Debug, Clone)]
pub struct ToolCatalog {
    /// Whose it is.
    pub server: ServerId,
    /// The tools, in the order in which the server lists them.
    pub tools: Vec<Arc<CatalogTool>>,
    /// What was not admitted.
    pub refused: Vec<RefusedTool>,
    /// The size of everything that was listed.
    pub measure: Measure,
    digest: OnceLock<Sha256Digest>,
}

impl ToolCatalog {
    /// Admits what a server listed.
    ///
    /// What is wrong with one tool refuses that tool: `MCP_CATALOG_SCHEMA_INVALID`,
    /// `MCP_CATALOG_SCHEMA_DEPTH_LIMIT`, `MCP_CATALOG_NAME_INVALID`, `MCP_CATALOG_TASK_UNSUPPORTED`, and of two
    /// with one public name the later one, `MCP_CATALOG_DUPLICATE_TOOL`. Errors reject all of it:
    /// `MCP_CATALOG_TOOL_LIMIT`, `MCP_CATALOG_SCHEMA_CHARS_LIMIT`, `MCP_CATALOG_SCHEMA_BYTES_LIMIT`,
    /// `MCP_CATALOG_SCHEMA_NODES_LIMIT`.
    pub fn admit(server: &ServerConfig, listed: Vec<Value>) -> Result<Self, McpError> {
        if listed.len() > MAX_CATALOG_TOOLS {
            return Err(over(
                codes::MCP_CATALOG_TOOL_LIMIT,
                server,
                (listed.len(), MAX_CATALOG_TOOLS, "tools"),
            ));
        }
        let mut catalog = Self {
            server: server.id.clone(),
            tools: Vec::with_capacity(listed.len()),
            refused: Vec::new(),
            measure: Measure::default(),
            digest: OnceLock::new(),
        };
        let mut taken: BTreeSet<PublicName> = BTreeSet::new();
        for whole in listed {
            let depth = catalog.measure.add(&whole, MAX_CATALOG_DEPTH);
            check_budgets(server, &catalog.measure)?;
            if let Err(error) = depth {
                let name = whole.get("name").and_then(Value::as_str).unwrap_or("");
                catalog.refused.push(RefusedTool::new(
                    name,
                    codes::MCP_CATALOG_SCHEMA_DEPTH_LIMIT,
                    error,
                ));
                continue;
            }
            match admit_one(&server.id, whole, &mut taken) {
                Ok(tool) => catalog.tools.push(Arc::new(tool)),
                Err(refused) => catalog.refused.push(refused),
            }
        }
        Ok(catalog)
    }

    /// Returns the digest of the generation: tools and order. Equal digests need no new exposure.
    pub fn digest(&self) -> Sha256Digest {
        *self.digest.get_or_init(|| {
            let digests: Vec<Sha256Digest> = self.tools.iter().map(|tool| tool.digest()).collect();
            Sha256Digest::of_parts(digests.iter().map(|digest| digest.as_bytes().as_slice()))
        })
    }

    /// Tells whether another generation offers the same tools in the same order.
    pub fn same_as(&self, other: &Self) -> bool {
        self.tools.len() == other.tools.len() && self.digest() == other.digest()
    }

    /// Finds a tool by its public name or by its server's own.
    pub fn find(&self, name: &str) -> Option<&Arc<CatalogTool>> {
        self.tools
            .iter()
            .find(|tool| tool.public_name.as_str() == name)
            .or_else(|| self.tools.iter().find(|tool| tool.definition.name == name))
    }
}

fn admit_one(
    server: &ServerId,
    whole: Value,
    taken: &mut BTreeSet<PublicName>,
) -> Result<CatalogTool, RefusedTool> {
    let said = whole.get("name").and_then(Value::as_str).unwrap_or("");
    if !said.is_empty()
        && let Err(fault) = check_raw_name(said)
    {
        return Err(RefusedTool::new(
            said,
            codes::MCP_CATALOG_NAME_INVALID,
            fault,
        ));
    }
    let said = said.to_owned();
    let definition = ToolDefinition::parse(whole).map_err(|fault| {
        let code = match fault {
            DefinitionFault::TaskRequired => codes::MCP_CATALOG_TASK_UNSUPPORTED,
            DefinitionFault::Member { member: "name", .. } => codes::MCP_CATALOG_NAME_INVALID,
            _ => codes::MCP_CATALOG_SCHEMA_INVALID,
        };
        RefusedTool::new(&said, code, fault)
    })?;
    check_raw_name(&definition.name)
        .map_err(|fault| RefusedTool::new("", codes::MCP_CATALOG_NAME_INVALID, fault))?;
    let tool = CatalogTool::new(server, definition);
    if !taken.insert(tool.public_name.clone()) {
        return Err(RefusedTool::new(
            &said,
            codes::MCP_CATALOG_DUPLICATE_TOOL,
            format_args!("an earlier tool is {} too", tool.public_name),
        ));
    }
    Ok(tool)
}

/// Checks characters before bytes before values.
fn check_budgets(server: &ServerConfig, measure: &Measure) -> Result<(), McpError> {
    let Measure {
        chars,
        bytes,
        nodes,
    } = *measure;
    for (code, found) in [
        (
            codes::MCP_CATALOG_SCHEMA_CHARS_LIMIT,
            (chars, MAX_CATALOG_CHARS, "characters"),
        ),
        (
            codes::MCP_CATALOG_SCHEMA_BYTES_LIMIT,
            (bytes, MAX_CATALOG_BYTES, "bytes"),
        ),
        (
            codes::MCP_CATALOG_SCHEMA_NODES_LIMIT,
            (nodes, MAX_CATALOG_NODES, "values"),
        ),
    ] {
        if found.0 > found.1 {
            return Err(over(code, server, found));
        }
    }
    Ok(())
}

fn over(
    code: ErrorCode,
    server: &ServerConfig,
    (found, limit, of): (usize, usize, &str),
) -> McpError {
    McpError::new(
        code,
        format!(
            "server {} lists {found} {of} or more, above {limit}",
            server.id
        ),
    )
}
