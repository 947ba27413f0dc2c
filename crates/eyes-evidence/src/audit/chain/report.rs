//! Following the chain.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    entry::{Link, Placed},
    head::Head,
    read::{Ending, Lines},
};
use crate::{atomic::FileError, digest::Sha256Digest, limits::MAX_LOG_PROBLEMS};

/// What verifying a log found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LogReport {
    /// Files, the oldest first.
    pub files: Vec<PathBuf>,
    /// Lines that are what they were when they were written, as far as the chain tells.
    pub lines: u64,
    /// Lines that are gone because the log is bounded; they are no problem.
    pub dropped: u64,
    /// Lines that a dying process left unfinished, at most [`MAX_LOG_PROBLEMS`]; their events were never
    /// reported as written.
    pub torn: Vec<TornLine>,
    /// How many there are in all.
    pub torn_count: u64,
    /// Places where the chain breaks, in the order of the lines, at most [`MAX_LOG_PROBLEMS`].
    pub problems: Vec<LogProblem>,
    /// How many there are in all.
    pub problem_count: u64,
}

impl LogReport {
    /// Tells whether the chain holds from the first line to the last.
    pub const fn is_intact(&self) -> bool {
        self.problem_count == 0
    }
}

/// An unfinished line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TornLine {
    /// The file.
    pub file: PathBuf,
    /// Its line in the file, counted from 1.
    pub line: u64,
}

/// A place where the chain breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LogProblem {
    /// The file; the newest one where something is missing at the end.
    pub file: PathBuf,
    /// The line in the file, counted from 1.
    pub line: u64,
    /// What is wrong.
    #[serde(flatten)]
    pub reason: LogReason,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LogReason {
    /// It is no line of a log.
    NotAnEntry,
    /// It is not what the line after it, or the head, refers to: it was edited.
    Altered {
        /// Its number.
        number: u64,
    },
    /// Lines before it are gone, or after it where it is the last one.
    Missing {
        /// The first that is gone.
        from: u64,
        /// The last that is gone.
        to: u64,
    },
    /// Its number was passed already: it was moved or repeated.
    OutOfOrder {
        /// Its number.
        number: u64,
    },
    /// It states that something torn stood before it, and that is gone or was edited.
    TornMissing,
    /// The file that states where the chain ends is gone or damaged.
    HeadMissing,
}

/// Follows the chain through the files, the oldest first.
pub(super) fn verify(files: &[PathBuf], head: Option<&Head>) -> Result<LogReport, FileError> {
    let mut walk = Walk::default();
    let mut is_open = false;
    for path in files {
        let mut lines = Lines::of(path)?;
        let mut text = Vec::new();
        let mut line = 0;
        while let Some(ending) = lines.next_into(&mut text)? {
            line += 1;
            is_open = ending == Ending::Open;
            walk.take(Place { file: path, line }, &text);
        }
    }
    if is_open {
        // Nobody wrote after it, so no line could say that it is torn.
        walk.set_apart();
    }
    let none = Place {
        file: files.last().map_or(Path::new(""), PathBuf::as_path),
        line: 0,
    };
    walk.end(none, head);
    let mut report = walk.report;
    report.files = files.to_vec();
    Ok(report)
}

#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    file: &'a Path,
    line: u64,
}

/// The line before the present one.
#[derive(Debug, Clone, Copy)]
struct Before<'a> {
    place: Place<'a>,
    sha256: Sha256Digest,
    /// Where the chain stood before it.
    link: Option<Link>,
    linked: Option<Place<'a>>,
    /// It is an entry.
    is_entry: bool,
    /// Why it would be a problem, unless it turns out to be torn.
    reason: Option<LogReason>,
}

#[derive(Debug, Default)]
struct Walk<'a> {
    report: LogReport,
    /// Where the chain stands; nothing before the first entry.
    link: Option<Link>,
    /// The place of the entry that `link` is.
    linked: Option<Place<'a>>,
    before: Option<Before<'a>>,
    first: Option<First<'a>>,
}

/// The first entry.
#[derive(Debug, Clone, Copy)]
struct First<'a> {
    number: u64,
    place: Place<'a>,
}

impl<'a> Walk<'a> {
    fn problem(&mut self, place: Place<'_>, reason: LogReason) {
        self.report.problem_count += 1;
        if self.report.problems.len() < MAX_LOG_PROBLEMS {
            self.report.problems.push(LogProblem {
                file: place.file.to_owned(),
                line: place.line,
                reason,
            });
        }
    }

    /// Counts the line before as what it is: nothing that comes can make it torn any more.
    fn settle(&mut self) {
        let Some(before) = self.before.take() else {
            return;
        };
        if let Some(reason) = before.reason {
            self.problem(before.place, reason);
        }
        if before.is_entry && before.reason.is_none() {
            self.report.lines += 1;
        }
    }

    /// Makes a line the one before, and counts the one that was.
    fn passes(
        &mut self,
        place: Place<'a>,
        sha256: Sha256Digest,
        is_entry: bool,
        reason: Option<LogReason>,
    ) {
        self.settle();
        self.before = Some(Before {
            place,
            sha256,
            link: self.link,
            linked: self.linked,
            is_entry,
            reason,
        });
    }

    fn take(&mut self, place: Place<'a>, text: &[u8]) {
        let sha256 = Sha256Digest::of(text);
        let Ok(entry) = serde_json::from_slice::<Placed>(text) else {
            self.passes(place, sha256, false, Some(LogReason::NotAnEntry));
            return;
        };
        let mut reason = None;
        if let Some(torn) = entry.torn {
            if self.before.is_some_and(|before| before.sha256 == torn) {
                self.set_apart();
            } else {
                reason = Some(LogReason::TornMissing);
            }
        }
        reason = self.compare(&entry).or(reason);
        self.passes(place, sha256, true, reason);
        let number = entry.number;
        self.first.get_or_insert(First { number, place });
        self.linked = Some(place);
        self.link = Some(Link { number, sha256 });
    }

    /// Takes the line before out of the chain: it is torn.
    fn set_apart(&mut self) {
        let Some(before) = self.before.take() else {
            return;
        };
        self.link = before.link;
        self.linked = before.linked;
        if self.link.is_none() {
            self.first = None;
        }
        self.report.torn_count += 1;
        if self.report.torn.len() < MAX_LOG_PROBLEMS {
            self.report.torn.push(TornLine {
                file: before.place.file.to_owned(),
                line: before.place.line,
            });
        }
    }

    /// Tells what is wrong with an entry; that the one before was edited is noted at once.
    fn compare(&mut self, entry: &Placed) -> Option<LogReason> {
        let Some(link) = self.link else {
            let is_start = entry.number != 1 || entry.previous == Link::START.sha256;
            return (!is_start).then_some(LogReason::Altered { number: 1 });
        };
        if entry.number > link.number + 1 {
            return Some(LogReason::Missing {
                from: link.number + 1,
                to: entry.number - 1,
            });
        }
        if entry.number <= link.number {
            return Some(LogReason::OutOfOrder {
                number: entry.number,
            });
        }
        if entry.previous != link.sha256 {
            self.edited(link.number);
        }
        None
    }

    /// Notes that the entry where the chain stands was edited.
    fn edited(&mut self, number: u64) {
        let reason = LogReason::Altered { number };
        match &mut self.before {
            Some(before) if before.is_entry => {
                before.reason.get_or_insert(reason);
            }
            _ => {
                if let Some(place) = self.linked {
                    self.report.lines = self.report.lines.saturating_sub(1);
                    self.problem(place, reason);
                }
            }
        }
    }

    /// Compares both ends of what is there with what the head states.
    fn end(&mut self, none: Place<'a>, head: Option<&Head>) {
        let (Some(first), Some(last)) = (self.first, self.link) else {
            self.settle();
            if let Some(head) = head {
                let (from, to) = (head.first, head.last.number);
                self.problem(none, LogReason::Missing { from, to });
                self.report.dropped = head.first.saturating_sub(1);
            }
            return;
        };
        let end = self.linked.unwrap_or(none);
        let Some(head) = head else {
            self.settle();
            self.problem(end, LogReason::HeadMissing);
            self.report.dropped = first.number.saturating_sub(1);
            return;
        };
        if last.number == head.last.number && last.sha256 != head.last.sha256 {
            self.edited(last.number);
        }
        self.settle();
        if last.number < head.last.number {
            let (from, to) = (last.number + 1, head.last.number);
            self.problem(end, LogReason::Missing { from, to });
        }
        if first.number > head.first {
            let (from, to) = (head.first, first.number - 1);
            self.problem(first.place, LogReason::Missing { from, to });
        }
        self.report.dropped = first.number.min(head.first).saturating_sub(1);
    }
}
