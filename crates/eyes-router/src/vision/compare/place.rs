//! Lines by their place.

use eyes_evidence::{geometry::NormalizedBbox, record::OcrEntry};

/// Lines in the order of the middle of their height.
#[derive(Debug)]
pub(super) struct Places {
    lines: Vec<Line>,
    /// Half the height of the highest line.
    reach: f64,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    at: usize,
    bbox: NormalizedBbox,
    x: f64,
    y: f64,
}

/// The lines that a box may be about, in reading order.
#[derive(Debug, Default)]
pub(super) struct Near {
    /// Their middle lies in the box.
    pub(super) covered: Vec<usize>,
    /// The middle of the box lies in them, theirs not in the box.
    pub(super) around: Vec<usize>,
}

fn middle(bbox: &NormalizedBbox) -> (f64, f64) {
    (
        bbox.x() + bbox.width() / 2.0,
        bbox.y() + bbox.height() / 2.0,
    )
}

/// Tells whether a value lies in a span that is widened by `slack` on both sides.
fn spans(start: f64, length: f64, slack: f64, value: f64) -> bool {
    (start - slack..=start + length + slack).contains(&value)
}

impl Places {
    pub(super) fn of(entries: &[OcrEntry]) -> Self {
        let mut lines: Vec<Line> = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| {
                let (x, y) = middle(&entry.bbox);
                let bbox = entry.bbox;
                Line { at, bbox, x, y }
            })
            .collect();
        let text = |line: &Line| entries[line.at].text.as_str();
        lines.sort_by(|a, b| {
            let place = a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x));
            // Also where two stand in one place the order of the entries makes no difference.
            place.then_with(|| text(a).cmp(text(b)))
        });
        let reach = lines
            .iter()
            .map(|line| line.bbox.height())
            .fold(0.0, f64::max)
            / 2.0;
        Self { lines, reach }
    }

    /// Finds the lines that belong to a box, which may be some way off.
    pub(super) fn near(&self, bbox: &NormalizedBbox) -> Near {
        let (x, y) = middle(bbox);
        let slack = 2.0 * self.reach + bbox.height();
        let first = self.lines.partition_point(|line| line.y < bbox.y() - slack);
        let end = self
            .lines
            .partition_point(|line| line.y <= bbox.y() + bbox.height() + slack);
        let mut covered = Vec::new();
        let mut around = Vec::new();
        for line in &self.lines[first..end] {
            // Half a line is what boxes of models are off; lines are further apart.
            let half = line.bbox.height().min(bbox.height()) / 2.0;
            if spans(bbox.x(), bbox.width(), half, line.x)
                && spans(bbox.y(), bbox.height(), half, line.y)
            {
                covered.push(*line);
            } else if spans(line.bbox.x(), line.bbox.width(), half, x)
                && spans(line.bbox.y(), line.bbox.height(), half, y)
            {
                around.push(line.at);
            }
        }
        let covered = in_reading_order(covered);
        Near { covered, around }
    }
}

/// Puts lines of one row, which come in the order of their middle, from left to right.
fn in_reading_order(mut lines: Vec<Line>) -> Vec<usize> {
    let mut start = 0;
    while let Some(&first) = lines.get(start) {
        let row = lines[start..]
            .iter()
            .take_while(|line| {
                line.y - first.y <= first.bbox.height().min(line.bbox.height()) / 2.0
            })
            .count();
        lines[start..start + row].sort_by(|a, b| a.x.total_cmp(&b.x));
        start += row;
    }
    lines.into_iter().map(|line| line.at).collect()
}
