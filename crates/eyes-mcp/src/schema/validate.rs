//! Checking values against the server's own schema.

use jsonschema::Validator;
use serde_json::{Map, Value};

use super::{
    cost::is_affordable,
    document::Document,
    pattern::{options, skip_unmatchable},
    violation::Violation,
};
use crate::{codes, error::McpError, limits::MAX_VIOLATIONS};

/// A pattern that is not checked, because no engine of linear time matches it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The pattern, as the schema has it.
    pub pattern: String,
}

/// A schema, compiled.
///
/// JSON Schema 2020-12, or the older dialect that `$schema` names. Formats are not asserted. References end inside
/// the schema; cycles of them are fine.
#[derive(Debug)]
pub struct ArgumentSchema {
    document: Document,
    validator: Validator,
    skipped: Vec<Skipped>,
}

impl ArgumentSchema {
    /// Compiles a schema.
    ///
    /// Errors: `MCP_TOOL_SCHEMA_LIMIT` when it is larger, deeper or costlier than the bounds,
    /// `MCP_TOOL_SCHEMA_UNSUPPORTED` when it refers to a schema elsewhere or a part has an `$id` that references
    /// could mean, `MCP_TOOL_SCHEMA_INVALID` when it is no schema. A tool with such a schema cannot be called.
    pub fn compile(schema: &Map<String, Value>) -> Result<Self, McpError> {
        let mut document = Document::of(schema)?;
        let skipped = skip_unmatchable(&mut document.root, document.draft)?;
        let validator = options(document.draft)
            .build(&document.root)
            .map_err(|error| {
                McpError::new(
                    codes::MCP_TOOL_SCHEMA_INVALID,
                    format!("the schema is none: {}", Violation::of(&error)),
                )
            })?;
        Ok(Self {
            document,
            validator,
            skipped: skipped
                .into_iter()
                .map(|pattern| Skipped { pattern })
                .collect(),
        })
    }

    /// Returns the patterns that are left to the server to check.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Checks the arguments of a call.
    ///
    /// Errors: `MCP_TOOL_ARGUMENTS_INVALID`, whose message names where and which rules, never the values;
    /// `MCP_TOOL_ARGUMENTS_LIMIT` when the check would cost too much.
    pub fn check(&self, arguments: &Map<String, Value>) -> Result<(), McpError> {
        let violations = self.violations(&Value::Object(arguments.clone()))?;
        if violations.is_empty() {
            return Ok(());
        }
        let listed: Vec<String> = violations.iter().map(Violation::to_string).collect();
        Err(McpError::new(
            codes::MCP_TOOL_ARGUMENTS_INVALID,
            format!("the arguments do not fit: {}", listed.join("; ")),
        ))
    }

    /// Returns what of a value does not fit, at most [`MAX_VIOLATIONS`] of it.
    ///
    /// Structured content is checked with it against the output schema: what does not fit is worth a warning, and
    /// the result is kept. Errors: `MCP_TOOL_ARGUMENTS_LIMIT`.
    pub fn violations(&self, value: &Value) -> Result<Vec<Violation>, McpError> {
        if !is_affordable(&self.document, value) {
            return Err(McpError::new(
                codes::MCP_TOOL_ARGUMENTS_LIMIT,
                "checking the value against the schema would cost too much",
            ));
        }
        if self.validator.is_valid(value) {
            return Ok(Vec::new());
        }
        let mut violations: Vec<Violation> = self
            .validator
            .iter_errors(value)
            .take(MAX_VIOLATIONS)
            .map(|error| Violation::of(&error))
            .collect();
        violations.dedup();
        Ok(violations)
    }
}
