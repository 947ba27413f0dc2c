//! What looks dangerous in a definition. A flag takes nothing away that is approved; a grave one keeps a definition
//! from being approved unseen.

mod phrase;
mod shadow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
pub use shadow::shadowing;

use super::diff::push_token;
use crate::{
    definition::ToolDefinition,
    limits::{
        LONG_DESCRIPTION_CHARS, MAX_CATALOG_DEPTH, MAX_DIFF_TEXT_CHARS, MAX_FLAG_EXCERPT_CHARS,
        MAX_FLAGS_PER_TOOL,
    },
    names::{Hidden, hidden_kind, visible},
};

/// What kind of thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FlagKind {
    /// Characters that a reader does not see.
    HiddenText,
    /// Words that tell the model what to do besides calling the tool.
    Instruction,
    /// The name of a file that holds secrets.
    SecretFile,
    /// An address on the network.
    Address,
    /// A description longer than any tool needs.
    LongText,
    /// The name of another server's tool.
    Shadowing,
}

impl FlagKind {
    /// Returns its name in output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HiddenText => "hidden-text",
            Self::Instruction => "instruction",
            Self::SecretFile => "secret-file",
            Self::Address => "address",
            Self::LongText => "long-text",
            Self::Shadowing => "shadowing",
        }
    }

    /// Tells whether a definition with such a flag is only approved by somebody who says that they saw it.
    ///
    /// Addresses and long texts are common in honest descriptions; they are shown and ask for nothing.
    pub const fn is_grave(self) -> bool {
        match self {
            Self::HiddenText | Self::Instruction | Self::SecretFile | Self::Shadowing => true,
            Self::Address | Self::LongText => false,
        }
    }
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Flag {
    /// What it is.
    pub kind: FlagKind,
    /// Where in the definition (JSON pointer, RFC 6901).
    pub pointer: String,
    /// The text around it, bounded, hidden characters written as `\u{..}`.
    pub excerpt: String,
}

/// Searches every text of a definition, keys included; at most
/// [`MAX_FLAGS_PER_TOOL`](crate::limits::MAX_FLAGS_PER_TOOL) flags, at most one of a kind in one text.
pub fn flags(definition: &ToolDefinition) -> Vec<Flag> {
    let mut search = Search::default();
    search.members(&definition.rest, MAX_CATALOG_DEPTH);
    search.member("inputSchema", &definition.input_schema);
    if let Some(schema) = &definition.output_schema {
        search.member("outputSchema", schema);
    }
    search.found
}

#[derive(Default)]
struct Search {
    pointer: String,
    found: Vec<Flag>,
}

impl Search {
    fn member(&mut self, name: &str, schema: &Map<String, Value>) {
        push_token(&mut self.pointer, name);
        self.members(schema, MAX_CATALOG_DEPTH);
        self.pointer.clear();
    }

    fn members(&mut self, members: &Map<String, Value>, left: usize) {
        let here = self.pointer.len();
        for (key, value) in members {
            push_token(&mut self.pointer, key);
            if let Some((at, _)) = hidden_text(key) {
                self.push(FlagKind::HiddenText, key, at);
            }
            self.value(value, left);
            self.pointer.truncate(here);
        }
    }

    /// Definitions are not deeper than `left` where they were admitted; what is, is not searched.
    fn value(&mut self, value: &Value, left: usize) {
        if self.found.len() >= MAX_FLAGS_PER_TOOL || left == 0 {
            return;
        }
        match value {
            Value::String(text) => self.text(text),
            Value::Object(members) => self.members(members, left - 1),
            Value::Array(entries) => {
                let here = self.pointer.len();
                for (at, entry) in entries.iter().enumerate() {
                    push_token(&mut self.pointer, &at.to_string());
                    self.value(entry, left - 1);
                    self.pointer.truncate(here);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if let Some((at, _)) = hidden_text(text) {
            self.push(FlagKind::HiddenText, text, at);
        }
        if text.len() > LONG_DESCRIPTION_CHARS && text.chars().nth(LONG_DESCRIPTION_CHARS).is_some()
        {
            self.push(FlagKind::LongText, text, 0);
        }
        if text.len() < phrase::SHORTEST {
            return;
        }
        let folded = phrase::fold(text);
        for (kind, at) in [
            (FlagKind::Instruction, phrase::instruction(&folded)),
            (FlagKind::SecretFile, phrase::secret_file(&folded)),
            (FlagKind::Address, phrase::address(&folded)),
        ] {
            if let Some(at) = at {
                self.push(kind, &folded, at);
            }
        }
    }

    fn push(&mut self, kind: FlagKind, text: &str, at: usize) {
        // Dialects and identifiers of schemas are written as addresses and are none.
        let names_a_schema = || {
            ["/$schema", "/$id"]
                .iter()
                .any(|end| self.pointer.ends_with(end))
        };
        if kind == FlagKind::Address && names_a_schema() {
            return;
        }
        if self.found.len() < MAX_FLAGS_PER_TOOL {
            self.found.push(Flag {
                kind,
                pointer: visible(&self.pointer, MAX_DIFF_TEXT_CHARS),
                excerpt: excerpt(text, at),
            });
        }
    }
}

/// Cuts out what stands around a byte offset, a quarter of it before.
fn excerpt(text: &str, at: usize) -> String {
    let start = text[..at]
        .char_indices()
        .rev()
        .nth(MAX_FLAG_EXCERPT_CHARS / 4)
        .map_or(0, |(start, _)| start);
    visible(&text[start..], MAX_FLAG_EXCERPT_CHARS)
}

/// Finds the first hidden character that has no business in prose.
///
/// Line ends, tabs and wide spaces have; joiners and variation selectors have between or behind characters beyond
/// ASCII, where scripts and emoji need them.
fn hidden_text(text: &str) -> Option<(usize, char)> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return None;
    }
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        let expected = match hidden_kind(character) {
            None => true,
            Some(Hidden::Control) => matches!(character, '\t' | '\n' | '\r'),
            Some(Hidden::ZeroWidth) => {
                matches!(character, '\u{200c}' | '\u{200d}') && !before.is_ascii()
            }
            Some(Hidden::Variation) => {
                matches!(character, '\u{fe0e}' | '\u{fe0f}')
                    && (!before.is_ascii() || matches!(before, '0'..='9' | '#' | '*'))
            }
            Some(Hidden::Blank) => matches!(
                character,
                '\u{a0}' | '\u{ad}' | '\u{2000}'
                    ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
            ),
            Some(_) => false,
        };
        if !expected {
            return Some((at, character));
        }
        before = character;
    }
    None
}
