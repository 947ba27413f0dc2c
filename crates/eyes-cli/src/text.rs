//! Text from outside on a terminal, and colour.

use std::{
    borrow::Cow,
    fmt::{self, Display, Write as _},
};

/// Returns `text` so that a terminal shows it and does not obey it.
///
/// Control characters, escape sequences, bidirectional controls and invisible format characters are written as
/// `\u{…}`; a line feed or tab becomes a space. What a picture says is data, on a terminal too.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c != ' ' && is_unsafe(c)) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => shown.push(' '),
            c if is_unsafe(c) => {
                write!(shown, "\\u{{{:x}}}", u32::from(c))
                    .expect("writing to a String does not fail");
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Does the same and keeps line feeds and tabs, for texts of several lines.
pub(crate) fn safe_lines(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, '\n' | '\t') || !is_unsafe(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\t']) {
        shown.push_str(&safe(&rest[..at]));
        shown.push_str(&rest[at..=at]);
        rest = &rest[at + 1..];
    }
    shown.push_str(&safe(rest));
    Cow::Owned(shown)
}

/// Tells whether a character can steer a terminal, reorder a line or hide.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            // Soft hyphen, Arabic letter mark, Mongolian vowel separator.
            0xAD | 0x61C | 0x180E
            // Zero width space, marks and joiners are invisible; emoji joiners are lost with them.
            | 0x200B..=0x200F
            // Line and paragraph separators, bidirectional embeddings and overrides.
            | 0x2028..=0x202E
            // Word joiner to bidirectional isolates and deprecated controls.
            | 0x2060..=0x206F
            | 0xFEFF
            // Interlinear annotation.
            | 0xFFF9..=0xFFFB
            // Tags, which can carry hidden text.
            | 0xE0000..=0xE007F
        )
}

/// Colours for one stream; all empty when it is not to be coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Style {
    on: bool,
}

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// A heading.
    Heading,
    /// Beside the point.
    Dim,
    /// Good news.
    Good,
    /// Bad news.
    Bad,
}

impl Style {
    pub(crate) const fn new(on: bool) -> Self {
        Self { on }
    }

    /// Wraps `text`, which is safe already, in the colour of `tone`.
    pub(crate) fn paint<T: Display>(self, tone: Tone, text: T) -> Painted<T> {
        let code = match tone {
            Tone::Heading => "1",
            Tone::Dim => "2",
            Tone::Good => "32",
            Tone::Bad => "1;31",
        };
        Painted {
            code: self.on.then_some(code),
            text,
        }
    }
}

/// Text with its colour.
#[derive(Debug)]
pub(crate) struct Painted<T> {
    code: Option<&'static str>,
    text: T,
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            None => self.text.fmt(f),
            Some(code) => {
                write!(f, "\u{1b}[{code}m")?;
                self.text.fmt(f)?;
                f.write_str("\u{1b}[0m")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shows_what_would_steer_a_terminal() {
        for (text, shown) in [
            ("Settings 设置 é", "Settings 设置 é"),
            ("\u{1b}]0;owned\u{7}", "\\u{1b}]0;owned\\u{7}"),
            ("a\nb\tc", "a b c"),
            ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
            ("a\u{200b}b\u{9b}31m", "a\\u{200b}b\\u{9b}31m"),
        ] {
            assert_eq!(safe(text), shown);
        }
    }

    #[test]
    fn colours_only_when_asked() {
        assert_eq!(Style::new(false).paint(Tone::Bad, "x").to_string(), "x");
        assert_eq!(
            Style::new(true).paint(Tone::Bad, "x").to_string(),
            "\u{1b}[1;31mx\u{1b}[0m"
        );
    }

    proptest! {
        #[test]
        fn safe_text_has_nothing_unsafe(text in any::<String>()) {
            prop_assert!(!safe(&text).chars().any(is_unsafe));
        }
    }
}
