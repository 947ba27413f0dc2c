//! `xtask/exceptions.txt`: files that may be longer than the rule, for a reason, until they are not.

use super::Finding;

/// Where the list lies.
pub(super) const PATH: &str = "xtask/exceptions.txt";

/// How far below its limit an excepted file may shrink before the limit must follow, in lines.
const SLACK: usize = 20;

/// One line of the list: `path limit reason`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Exception<'a> {
    pub(super) path: &'a str,
    pub(super) limit: usize,
    pub(super) line: usize,
}

/// Reads the list; a malformed line is a finding.
pub(super) fn parse(text: &str) -> (Vec<Exception<'_>>, Vec<Finding>) {
    let mut exceptions = Vec::new();
    let mut findings = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line_number = at + 1;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let mut parts = line.splitn(3, ' ');
        let path = parts.next().unwrap_or_default();
        let limit = parts.next().and_then(|word| word.parse().ok());
        let reason = parts.next().is_some_and(|reason| !reason.trim().is_empty());
        match limit {
            Some(limit) if reason => exceptions.push(Exception {
                path,
                limit,
                line: line_number,
            }),
            _ => findings.push(Finding::new(
                format!("{PATH}:{line_number}"),
                "want `path limit reason`",
            )),
        }
    }
    (exceptions, findings)
}

impl Exception<'_> {
    /// Holds the file's length against this exception: it may only ever be tightened.
    pub(super) fn check(&self, lines: Option<usize>, rule: usize) -> Option<Finding> {
        let place = format!("{PATH}:{}", self.line);
        let Some(lines) = lines else {
            return Some(Finding::new(
                place,
                format!("{} does not exist; remove the line", self.path),
            ));
        };
        if lines > self.limit {
            let message = format!(
                "{lines} lines; its exception ends at {}; split the file",
                self.limit
            );
            return Some(Finding::new(self.path, message));
        }
        if lines <= rule {
            let message = format!(
                "{} is within the rule of {rule} lines; remove the line",
                self.path
            );
            return Some(Finding::new(place, message));
        }
        (lines + SLACK < self.limit).then(|| {
            Finding::new(
                place,
                format!("{} has {lines} lines; lower the limit to that", self.path),
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_ratchet() {
        let exception = Exception {
            path: "a.rs",
            limit: 600,
            line: 1,
        };
        assert_eq!(exception.check(Some(600), 500), None);
        assert_eq!(exception.check(Some(580), 500), None);
        for bad in [Some(601), Some(579), Some(500), None] {
            assert!(exception.check(bad, 500).is_some(), "{bad:?}");
        }
    }

    #[test]
    fn wants_a_reason() {
        let (good, bad) = parse("# why\na.rs 600 a table\nb.rs 600\nc.rs many x\n");
        assert_eq!(
            good,
            [Exception {
                path: "a.rs",
                limit: 600,
                line: 2
            }]
        );
        assert_eq!(bad.len(), 2);
    }
}
