//! Expressions of URI templates (RFC 6570, section 2.2): what each may stand for.

use super::{
    address::{encoded, is_unreserved},
    template::TemplateFault,
};

/// One unit of an address: a byte as it stands, or, with [`ENCODED`] added, one that is percent-encoded. Bytes
/// beyond ASCII count as encoded, so that both spellings of a text match alike.
pub(super) type Unit = u16;
/// Marks an encoded unit.
const ENCODED: Unit = 0x100;

/// Splits an address into units, each with the byte offset at which it begins.
pub(super) fn units(text: &str) -> Vec<(usize, Unit)> {
    let bytes = text.as_bytes();
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if let Some(decoded) = encoded(&bytes[at..]) {
            units.push((at, ENCODED | Unit::from(decoded)));
            at += 3;
        } else {
            let mark = if byte.is_ascii() { 0 } else { ENCODED };
            units.push((at, mark | Unit::from(byte)));
            at += 1;
        }
    }
    units
}

/// Tells whether a unit goes on with a character that began before it (UTF-8).
pub(super) const fn continues(unit: Unit) -> bool {
    unit >= ENCODED && matches!(unit as u8, 0x80..=0xbf)
}

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Expression {
    /// What stands between the braces.
    pub(super) text: String,
    /// The operator; a space where there is none.
    operator: u8,
    /// Whether several values can stand side by side.
    list: bool,
    /// Characters of the longest expansion behind the prefix, where every variable has a length (`:n`).
    pub(super) most: Option<usize>,
    /// Whether it is one variable without operator and modifier.
    pub(super) simple: bool,
}

impl Expression {
    /// Parses what stands between the braces.
    pub(super) fn parse(text: &str) -> Result<Self, TemplateFault> {
        let fault = || TemplateFault::Expression(text.chars().take(64).collect());
        let operators: &[char] = &['+', '#', '.', '/', ';', '?', '&'];
        let names = text.strip_prefix(operators).unwrap_or(text);
        let operator = if names.len() == text.len() {
            b' '
        } else {
            text.as_bytes()[0]
        };
        let named = matches!(operator, b';' | b'?' | b'&');
        let mut modified = false;
        // Separators stand between the variables.
        let mut most = Some(names.matches(',').count());
        for variable in names.split(',') {
            let (name, length) = match (variable.strip_suffix('*'), variable.split_once(':')) {
                (Some(name), _) => (name, None),
                (None, Some((name, length))) => {
                    let fits = (1..=4).contains(&length.len())
                        && length.bytes().all(|byte| byte.is_ascii_digit());
                    if !fits {
                        return Err(fault());
                    }
                    (name, length.parse().ok())
                }
                (None, None) => (variable, None),
            };
            modified |= name.len() != variable.len();
            let own = if named { name.len() + 1 } else { 0 };
            most = most
                .zip(length)
                .map(|(most, length): (usize, usize)| most + own + length);
            // The hyphen is not in the grammar, but it is in use.
            let in_name = |byte: u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'%')
            };
            if name.is_empty() || !name.bytes().all(in_name) {
                return Err(fault());
            }
        }
        let list = names.contains([',', '*']);
        Ok(Self {
            text: text.to_owned(),
            operator,
            list,
            most,
            simple: operator == b' ' && !list && !modified,
        })
    }

    /// What an expansion begins with, unless it is empty.
    pub(super) const fn prefix(&self) -> Option<Unit> {
        match self.operator {
            b' ' | b'+' => None,
            operator => Some(operator as Unit),
        }
    }

    /// Tells whether so many characters may stand in an expansion, behind the prefix.
    pub(super) fn admits_length(&self, chars: usize) -> bool {
        self.most.is_none_or(|most| chars <= most)
    }

    /// Tells whether a unit may stand in an expansion, behind the prefix.
    pub(super) fn admits(&self, unit: Unit) -> bool {
        let byte = unit as u8;
        if unit >= ENCODED {
            // Where a delimiter may not stand, an encoded one may not either: servers decode before they split.
            return match self.operator {
                b'+' | b'#' => true,
                _ => !matches!(byte, b'/' | b'\\' | b'?' | b'#' | 0..=0x1f | 0x7f),
            };
        }
        is_unreserved(byte)
            || match self.operator {
                b' ' => self.list && matches!(byte, b',' | b'='),
                b'+' | b'#' => b":/?#[]@!$&'()*+,;=".contains(&byte),
                b'/' => matches!(byte, b'/' | b',' | b'='),
                b';' => matches!(byte, b';' | b',' | b'='),
                b'?' | b'&' => matches!(byte, b'&' | b',' | b'='),
                _ => matches!(byte, b',' | b'='),
            }
    }
}
