//! What a refusing server says in `WWW-Authenticate` (RFC 9110, section 11.6.1; RFC 6750; RFC 9728).

use crate::limits::MAX_CHALLENGE_BYTES;

/// The parts of a `Bearer` challenge that authorization uses; foreign text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Challenge {
    /// Where the server's metadata are.
    pub(super) resource_metadata: Option<String>,
    /// The scope that the request needs.
    pub(super) scope: Option<String>,
    /// Why the token was refused.
    pub(super) error: Option<String>,
}

impl Challenge {
    /// Reads a header's value, or several joined by commas; of each parameter the first `Bearer` one counts.
    ///
    /// What cannot be read ends the reading; a header over the bound is read as none.
    pub(super) fn parse(header: &str) -> Self {
        let mut challenge = Self::default();
        if header.len() > MAX_CHALLENGE_BYTES {
            return challenge;
        }
        let mut reader = Reader { rest: header };
        let mut bearer = false;
        while let Some(word) = reader.word() {
            if !reader.take('=') {
                bearer = word.eq_ignore_ascii_case("bearer");
                continue;
            }
            let Some(value) = reader.value() else { break };
            if !bearer {
                continue;
            }
            let slot = match word.to_ascii_lowercase().as_str() {
                "resource_metadata" => &mut challenge.resource_metadata,
                "scope" => &mut challenge.scope,
                "error" => &mut challenge.error,
                _ => continue,
            };
            slot.get_or_insert(value);
        }
        challenge
    }

    /// Returns whether the token is good but its scope is not enough (RFC 6750, section 3.1).
    pub(super) fn needs_scope(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Reads the next scheme, parameter name or credential; nothing at the end or before what is none.
    fn word(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start_matches([' ', '\t', ',', '=']);
        self.token()
    }

    fn token(&mut self) -> Option<&'a str> {
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_graphic() || matches!(c, ',' | ';' | '=' | '"'))
            .unwrap_or(self.rest.len());
        let (token, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!token.is_empty()).then_some(token)
    }

    fn take(&mut self, sign: char) -> bool {
        let trimmed = self.rest.trim_start_matches([' ', '\t']);
        let Some(rest) = trimmed.strip_prefix(sign) else {
            return false;
        };
        self.rest = rest;
        true
    }

    /// Reads a token, or a quoted text with its escapes; an empty text for the padding of a credential.
    fn value(&mut self) -> Option<String> {
        if !self.take('"') {
            self.rest = self.rest.trim_start_matches([' ', '\t']);
            return Some(self.token().unwrap_or_default().to_owned());
        }
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.rest = self.rest.get(at + 1..)?;
                    return Some(text);
                }
                '\\' => text.push(characters.next()?.1),
                c => text.push(c),
            }
        }
        None
    }
}
