//! The lines of a ledger.

use serde::{Deserialize, Serialize};

use crate::{
    event::UsageEvent,
    state::{Checkpoint, Missing, UsageState},
};

/// The version of the form, in the first line.
pub(super) const VERSION: u64 = 1;

/// Ends a line that a dying process left unfinished: "the data before are in error" (ASCII, CAN). No line of
/// JSON holds it.
pub(super) const CANCEL: u8 = 0x18;

/// The first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Header {
    /// The version.
    pub(super) usage_ledger: u64,
    /// Bytes of the lines after this one up to which the file was compacted.
    pub(super) compacted_bytes: u64,
}

/// Whatever another version's first line says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnyHeader {
    usage_ledger: u64,
}

/// What the first line tells of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It is a ledger of this version.
    Ours(Header),
    /// It is one of a newer version.
    Newer(u64),
    /// It is something else.
    Other,
}

impl Form {
    /// Judges a first line without its break.
    pub(super) fn of(line: &[u8]) -> Self {
        match serde_json::from_slice::<AnyHeader>(line) {
            Ok(any) if any.usage_ledger > VERSION => Self::Newer(any.usage_ledger),
            Ok(_) => serde_json::from_slice(line).map_or(Self::Other, Self::Ours),
            Err(_) => Self::Other,
        }
    }
}

/// A line after the first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Line {
    Event(UsageEvent),
    /// Events that were lost before they could be written.
    Lost(u64),
    /// What earlier lines added up to.
    Checkpoint(Box<Checkpoint>),
}

/// The same, to write it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum NewLine<'a> {
    Event(&'a UsageEvent),
    Lost(u64),
    Checkpoint(&'a Checkpoint),
}

impl NewLine<'_> {
    /// Appends the line with its break.
    pub(super) fn write_to(&self, out: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        serde_json::to_writer(&mut *out, self)?;
        out.push(b'\n');
        Ok(())
    }
}

/// What the lines after the first add up to.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// What was passed over is missing in it, here and in lines that were compacted since.
    pub(super) state: UsageState,
    /// Lines that stand here and cannot be read.
    pub(super) damaged_here: u64,
}

impl Scan {
    pub(super) fn of(lines: &[u8]) -> Self {
        let mut scan = Self::default();
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            scan.take(line);
        }
        scan
    }

    fn take(&mut self, line: &[u8]) {
        let line = match line.split_last() {
            Some((b'\n', line)) if line.last() != Some(&CANCEL) => line,
            // Cut off, whether someone cancelled it or nobody wrote since; or still being written.
            _ => {
                return self.state.miss(Missing {
                    torn_lines: 1,
                    ..Missing::default()
                });
            }
        };
        let taken = match serde_json::from_slice(line) {
            Ok(Line::Event(event)) => {
                self.state.fold(&event);
                Some(())
            }
            Ok(Line::Lost(lost_events)) => {
                self.state.miss(Missing {
                    lost_events,
                    ..Missing::default()
                });
                Some(())
            }
            Ok(Line::Checkpoint(checkpoint)) => checkpoint.merge_into(&mut self.state),
            Err(_) => None,
        };
        if taken.is_none() {
            self.damaged_here += 1;
            self.state.miss(Missing {
                damaged_lines: 1,
                ..Missing::default()
            });
        }
    }
}
