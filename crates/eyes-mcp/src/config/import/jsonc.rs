//! JSON with comments and trailing commas, as hosts let people write it.

/// Puts spaces in place of comments and of commas that stand before a closing bracket; texts stay as they are.
///
/// Every byte keeps its place, so that positions in messages are those of the file.
pub(super) fn plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    // Where a comma stands that nothing but space followed so far.
    let mut comma = None;
    let mut at = 0;
    while at < bytes.len() {
        let end = match bytes[at] {
            b'"' => string_end(bytes, at),
            b'/' => comment_end(bytes, at),
            _ => at + 1,
        };
        let is_comment = bytes[at] == b'/' && end > at + 1;
        if is_comment {
            let blank = |&byte: &u8| {
                if matches!(byte, b'\n' | b'\r') {
                    byte
                } else {
                    b' '
                }
            };
            out.extend(bytes[at..end].iter().map(blank));
        } else {
            match bytes[at] {
                b',' => comma = Some(at),
                b'}' | b']' => {
                    if let Some(place) = comma.take() {
                        out[place] = b' ';
                    }
                }
                byte if byte.is_ascii_whitespace() => {}
                _ => comma = None,
            }
            out.extend_from_slice(&bytes[at..end]);
        }
        at = end;
    }
    // Only whole comments and commas were replaced, by as many spaces.
    String::from_utf8(out).unwrap_or_default()
}

fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut at = open + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Returns where a comment ends; right behind the slash where there is none.
fn comment_end(bytes: &[u8], slash: usize) -> usize {
    let rest = &bytes[slash + 1..];
    match rest.first() {
        Some(b'/') => {
            let line = rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r'));
            line.map_or(bytes.len(), |length| slash + 1 + length)
        }
        Some(b'*') => {
            let close = rest[1..].windows(2).position(|pair| pair == b"*/");
            // One that never ends stays, and is refused as JSON.
            close.map_or(slash + 1, |length| slash + 1 + 1 + length + 2)
        }
        _ => slash + 1,
    }
}
