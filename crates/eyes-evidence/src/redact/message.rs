//! Messages that are safe to show: redacted, on one line, and short.

use super::redact;

/// Redacts, turns each run of white space and control characters into one space, and cuts to at most
/// `max` characters, the last of them `…` when something was cut.
pub fn safe_message(text: &str, max: usize) -> String {
    let redacted = redact(text);
    let mut out = String::new();
    let mut length = 0;
    let mut gap = false;
    // Where the text would be cut if one more character came than fits.
    let mut cut = 0;
    for c in redacted.chars() {
        if c.is_whitespace() || c.is_control() {
            gap = length > 0;
            continue;
        }
        for c in gap.then_some(' ').into_iter().chain([c]) {
            if length == max {
                out.truncate(cut);
                out.push_str(if max > 0 { "…" } else { "" });
                return out;
            }
            if length + 1 < max {
                cut = out.len() + c.len_utf8();
            }
            out.push(c);
            length += 1;
        }
        gap = false;
    }
    out
}
