//! Words without quotation marks: numbers, literals, and what models write for them.

use super::value::{Kind, Node, PLAIN_DIGITS};

/// Bytes of words without quotation marks.
const BARE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        table[byte] =
            value.is_ascii_alphanumeric() || matches!(value, b'-' | b'+' | b'.' | b'_' | b'%');
        byte += 1;
    }
    table
};

pub(super) fn is_bare(byte: u8) -> bool {
    BARE[byte as usize]
}

/// Reads a JSON number without sign and exponent; nothing when the word at `start` is another one.
#[inline]
pub(super) fn plain_decimal(bytes: &[u8], start: usize) -> Option<Node> {
    let mut whole = 0_u32;
    let mut digits = |mut at: usize| {
        while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 {
                break;
            }
            // More digits than fit are told by their count.
            whole = whole.wrapping_mul(10).wrapping_add(u32::from(digit));
            at += 1;
        }
        at
    };
    let point = digits(start);
    if point == start || (bytes[start] == b'0' && point > start + 1) {
        return None;
    }
    let mut end = point;
    let mut decimals = 0;
    if bytes.get(point) == Some(&b'.') {
        end = digits(point + 1);
        decimals = end - point - 1;
        if decimals == 0 {
            return None;
        }
    }
    if bytes.get(end).is_none_or(|next| is_bare(*next)) {
        return None;
    }
    let mut node = Node::leaf(Kind::Number, start, end);
    if point - start + decimals <= PLAIN_DIGITS {
        node.flag = decimals as u8;
        node.link = whole;
    }
    Some(node)
}

pub(super) fn starts_value(byte: u8) -> bool {
    is_bare(byte) || matches!(byte, b'"' | b'\'' | b'{' | b'[')
}

/// Sorts a word that is no JSON literal.
pub(super) fn odd_word(word: &[u8]) -> Kind {
    match word {
        b"None" | b"NULL" | b"Null" | b"undefined" | b"nil" => Kind::Null,
        b"True" | b"TRUE" | b"False" | b"FALSE" => Kind::Bool,
        [b'-' | b'+' | b'.' | b'0'..=b'9', ..] => Kind::Number,
        _ => Kind::Bare,
    }
}

/// The grammar of RFC 8259, section 6.
pub(super) fn is_json_number(word: &[u8]) -> bool {
    let digits = |from: usize| {
        word[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let mut at = usize::from(word.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || (whole > 1 && word[at] == b'0') {
        return false;
    }
    at += whole;
    if word.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return false;
        }
        at += 1 + fraction;
    }
    if let Some(b'e' | b'E') = word.get(at) {
        at += 1;
        at += usize::from(matches!(word.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return false;
        }
        at += exponent;
    }
    at == word.len()
}
