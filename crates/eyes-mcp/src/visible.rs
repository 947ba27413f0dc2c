//! Foreign text without what a person does not see.

use crate::names::{Hidden, hidden_kind};

/// Cleans a text of a server for a model: no control or hidden characters, no more than `max_chars`.
///
/// Line feeds and tabs stay, and other white space becomes a space. Text in hidden characters would reach the model
/// and no person.
pub fn clean_text(text: &str, max_chars: usize) -> String {
    let mut out = String::with_capacity(text.len().min(max_chars * 4));
    for (chars, character) in text.chars().filter_map(cleaned).enumerate() {
        if chars == max_chars {
            out.push_str("...");
            break;
        }
        out.push(character);
    }
    out.truncate(out.trim_end().len());
    out
}

/// Cleans a text and makes one line of it.
pub fn clean_line(text: &str, max_chars: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    clean_text(&words.join(" "), max_chars)
}

fn cleaned(character: char) -> Option<char> {
    match (character, hidden_kind(character)) {
        ('\n' | '\t', _) | (_, None) => Some(character),
        (_, Some(Hidden::Blank)) if character.is_whitespace() => Some(' '),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{clean_line, clean_text};

    #[test]
    fn what_nobody_sees_is_taken_out() {
        let cases = [
            ("plain text", "plain text"),
            ("a\u{200b}b\u{202e}c\u{feff}", "abc"),
            ("\u{e0069}\u{e0067}nore", "nore"),
            ("wide\u{3000}space", "wide space"),
            ("one\r\ntwo\u{7}\ttabs", "one\ntwo\ttabs"),
            ("naïve 读取文件 🦀", "naïve 读取文件 🦀"),
        ];
        for (text, expected) in cases {
            assert_eq!(clean_text(text, 100), expected);
        }
        assert_eq!(clean_text("abcdef", 3), "abc...");
        assert_eq!(clean_text("abc", 3), "abc");
        assert_eq!(clean_line(" a\n\n b\tc ", 10), "a b c");
    }
}
