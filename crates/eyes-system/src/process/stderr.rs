//! What a program writes to standard error: always read, so that it never waits for us; the newest of it kept.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use tokio::io::{AsyncRead, AsyncReadExt as _};

use crate::limits::{MAX_STDERR_BYTES, STDERR_CUT_BYTES};

/// The newest bytes of standard error.
#[derive(Debug, Default)]
pub(super) struct StderrRing(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    bytes: VecDeque<u8>,
    /// Whether older bytes were thrown away.
    cut: bool,
}

impl StderrRing {
    /// Reads to the end.
    pub(super) async fn drain(&self, mut from: impl AsyncRead + Unpin) {
        let mut chunk = vec![0; 8 << 10];
        loop {
            match from.read(&mut chunk).await {
                Ok(0) | Err(_) => return,
                Ok(read) => self.push(&chunk[..read]),
            }
        }
    }

    fn push(&self, new: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new_kept = &new[new.len().saturating_sub(MAX_STDERR_BYTES)..];
        let surplus = (kept.bytes.len() + new_kept.len()).saturating_sub(MAX_STDERR_BYTES);
        kept.cut |= surplus > 0 || new_kept.len() < new.len();
        kept.bytes.drain(..surplus);
        kept.bytes.extend(new_kept);
    }

    /// Returns what is kept as text: invalid UTF-8 replaced, control characters other than ends of lines and
    /// tabs taken out with the terminal sequences they begin.
    ///
    /// Where older bytes are gone the first line is left out: it may begin inside a secret, which nothing would
    /// recognise.
    pub(super) fn text(&self) -> String {
        let bytes: Vec<u8> = {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let start = if kept.cut {
                let line = kept.bytes.iter().position(|&byte| byte == b'\n');
                line.map_or(STDERR_CUT_BYTES.min(kept.bytes.len()), |end| end + 1)
            } else {
                0
            };
            kept.bytes.range(start..).copied().collect()
        };
        printable(&String::from_utf8_lossy(&bytes))
    }
}

/// Takes out what would steer a terminal (ECMA-48) and every other control character.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\u{1b}' => match chars.peek() {
                Some('[') => {
                    chars.next();
                    while chars
                        .next_if(|c| ('\u{20}'..='\u{3f}').contains(c))
                        .is_some()
                    {}
                    chars.next_if(|c| ('\u{40}'..='\u{7e}').contains(c));
                }
                Some(']') => {
                    chars.next();
                    while chars.next_if(|c| !c.is_control()).is_some() {}
                }
                _ => {
                    chars.next_if(|c| ('\u{40}'..='\u{5f}').contains(c));
                }
            },
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
