//! One line of the log.

use serde::{Deserialize, Serialize, de::IgnoredAny};

use crate::digest::Sha256Digest;

/// Bytes that a line has beside its event, at most: three names, a number of 20 digits, two digests.
pub(super) const FRAME_BYTES: usize = 224;

/// One line: an event and its place in the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "LogEntryOf{T}"))]
pub struct LogEntry<T> {
    /// Its number in the whole log, counted from 1.
    pub number: u64,
    /// SHA-256 of the line before, without its line break; 64 zeros before the first line.
    pub previous: Sha256Digest,
    /// SHA-256 of what stood torn before this line, left by a process that died while it wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub torn: Option<Sha256Digest>,
    /// The event.
    pub event: T,
}

/// A line of which only the place matters.
pub(super) type Placed = LogEntry<IgnoredAny>;

/// What the next line refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) number: u64,
    pub(super) sha256: Sha256Digest,
}

impl Link {
    /// Before the first line.
    pub(super) const START: Self = Self {
        number: 0,
        sha256: Sha256Digest::from_bytes([0; 32]),
    };

    /// Returns the link that a line is, if it is one.
    pub(super) fn of(line: &[u8]) -> Option<Self> {
        let entry: Placed = serde_json::from_slice(line).ok()?;
        Some(Self {
            number: entry.number,
            sha256: Sha256Digest::of(line),
        })
    }
}

/// A line about to be written; the event is JSON without a line break.
pub(super) struct Line<'a> {
    previous: Link,
    torn: Option<Sha256Digest>,
    event: &'a [u8],
}

impl<'a> Line<'a> {
    pub(super) const fn next(previous: Link, torn: Option<Sha256Digest>, event: &'a [u8]) -> Self {
        Self {
            previous,
            torn,
            event,
        }
    }

    /// Appends the line with its break, and returns what the one after it refers to.
    pub(super) fn write_to(&self, out: &mut Vec<u8>) -> Link {
        let start = out.len();
        let number = self.previous.number.saturating_add(1);
        let previous = self.previous.sha256;
        out.extend_from_slice(
            format!("{{\"number\":{number},\"previous\":\"{previous}\"").as_bytes(),
        );
        if let Some(torn) = self.torn {
            out.extend_from_slice(format!(",\"torn\":\"{torn}\"").as_bytes());
        }
        out.extend_from_slice(b",\"event\":");
        out.extend_from_slice(self.event);
        out.push(b'}');
        let sha256 = Sha256Digest::of(&out[start..]);
        out.push(b'\n');
        Link { number, sha256 }
    }
}
