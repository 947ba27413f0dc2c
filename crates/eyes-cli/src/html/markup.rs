//! HTML under construction: what is not written here as a constant is escaped.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::escape;

/// A piece of HTML.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

impl Markup {
    /// Appends markup of this program.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text as content of an element.
    pub(super) fn text(&mut self, text: impl AsRef<str>) -> &mut Self {
        escape::content(&mut self.0, text.as_ref());
        self
    }

    /// Appends text inside a quoted attribute or a title.
    pub(super) fn value(&mut self, text: impl AsRef<str>) -> &mut Self {
        escape::attribute(&mut self.0, text.as_ref());
        self
    }

    /// Appends bytes as base64 (RFC 4648, section 4).
    pub(super) fn base64(&mut self, bytes: &[u8]) -> &mut Self {
        STANDARD.encode_string(bytes, &mut self.0);
        self
    }

    /// Appends another piece.
    pub(super) fn append(&mut self, other: &Self) -> &mut Self {
        self.0.push_str(&other.0);
        self
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}
