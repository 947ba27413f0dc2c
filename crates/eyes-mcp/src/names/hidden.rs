//! Characters that are not seen where they stand.

use std::fmt;

/// What kind of unseen character it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Hidden {
    /// A control character (category Cc), the end of a line among them.
    Control,
    /// Turns the direction of what follows (UAX #9).
    Bidi,
    /// Takes no room: joiners, zero width spaces, the byte order mark.
    ZeroWidth,
    /// A tag character, U+E0000 to U+E007F: a whole ASCII text that nobody sees.
    Tag,
    /// A variation selector; 256 of them spell bytes.
    Variation,
    /// Any other one that shows nothing: fillers, blanks, spaces that are not U+0020, separators.
    Blank,
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Control => "a control character",
            Self::Bidi => "a character that turns the direction of text",
            Self::ZeroWidth => "a character without width",
            Self::Tag => "a tag character",
            Self::Variation => "a variation selector",
            Self::Blank => "a character that shows nothing",
        })
    }
}

/// Returns what is hidden of a character; nothing for visible ones and the plain space.
pub const fn hidden_kind(character: char) -> Option<Hidden> {
    Some(match character {
        ' '..='~' => return None,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Hidden::Control,
        '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Hidden::Bidi
        }
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => Hidden::ZeroWidth,
        '\u{e0000}'..='\u{e00ff}' | '\u{e01f0}'..='\u{e0fff}' => Hidden::Tag,
        '\u{180b}'..='\u{180d}'
        | '\u{180f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{e0100}'..='\u{e01ef}' => Hidden::Variation,
        // Default_Ignorable_Code_Point, White_Space and blanks of Unicode 16 that are not above; the last two
        // ranges are interlinear annotations and noncharacters.
        '\u{a0}'
        | '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'..='\u{1160}'
        | '\u{1680}'
        | '\u{17b4}'..='\u{17b5}'
        | '\u{180e}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'..='\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{2061}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3000}'
        | '\u{3164}'
        | '\u{ffa0}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d159}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{fdd0}'..='\u{fdef}' => Hidden::Blank,
        _ if character as u32 & 0xfffe == 0xfffe => Hidden::Blank,
        _ => return None,
    })
}

/// Finds the first hidden character: its byte offset, itself, and its kind.
pub fn hidden_in(text: &str) -> Option<(usize, char, Hidden)> {
    text.char_indices()
        .find_map(|(at, character)| hidden_kind(character).map(|kind| (at, character, kind)))
}

/// Writes foreign text so that all of it is seen: hidden characters as `\u{..}`, at most `max_chars`
/// characters of the text, and `…` where more was there.
pub fn visible(text: &str, max_chars: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max_chars));
    for (count, character) in text.chars().enumerate() {
        if count == max_chars {
            out.push('\u{2026}');
            break;
        }
        if hidden_kind(character).is_some() {
            out.extend(character.escape_unicode());
        } else {
            out.push(character);
        }
    }
    out
}
