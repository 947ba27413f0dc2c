//! Sets of scopes (RFC 6749, section 3.3).

use std::fmt;

use crate::{codes, error::McpError, limits::MAX_SCOPES};

/// Scopes in the order in which they came, each once.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Scopes(Vec<String>);

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.0.join(" ").chars().take(128).collect();
        fmt::Debug::fmt(&text, f)
    }
}

impl Scopes {
    /// Reads a `scope` parameter.
    ///
    /// Errors: `MCP_OAUTH_METADATA_INVALID` for too many.
    pub(super) fn parse(text: &str) -> Result<Self, McpError> {
        Self::default().with(text.split_whitespace())
    }

    /// Takes a published list; what is no scope, or too much, is left out.
    pub(super) fn of(list: &[String]) -> Self {
        let mut scopes = Self::default();
        for scope in list.iter().take(MAX_SCOPES) {
            if is_scope(scope) && !scopes.holds(scope) {
                scopes.0.push(scope.clone());
            }
        }
        scopes
    }

    /// Adds the scopes of another set.
    pub(super) fn union(self, other: &Self) -> Result<Self, McpError> {
        self.with(other.0.iter().map(String::as_str))
    }

    /// Adds one scope.
    pub(super) fn and(self, scope: &str) -> Result<Self, McpError> {
        self.with([scope])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the `scope` parameter; nothing for no scope.
    pub(super) fn to_parameter(&self) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.join(" "))
    }

    fn with<'a>(mut self, scopes: impl IntoIterator<Item = &'a str>) -> Result<Self, McpError> {
        for scope in scopes {
            if !is_scope(scope) || self.holds(scope) {
                continue;
            }
            if self.0.len() >= MAX_SCOPES {
                return Err(McpError::new(
                    codes::MCP_OAUTH_METADATA_INVALID,
                    format!("more than {MAX_SCOPES} scopes are asked for"),
                ));
            }
            self.0.push(scope.to_owned());
        }
        Ok(self)
    }

    fn holds(&self, scope: &str) -> bool {
        self.0.iter().any(|own| own == scope)
    }
}

/// RFC 6749, section 3.3: visible ASCII but `"` and `\`.
fn is_scope(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'))
}
