//! Tables: grids of boxes, and columns of text without lines.

use eyes_evidence::geometry::PixelRect;

use super::{
    order::{rows_of, sort_reading},
    rect::{from_edges, holds_centre, median, middle_y, near, union_all},
    scene::Scene,
};
use crate::limits::{
    CELL_GAP, CELL_SLACK, MAX_TABLES, MIN_BORDERLESS_COLUMNS, MIN_BORDERLESS_ROWS, MIN_TABLE_FILL,
};

/// One cell of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// Its text, lines joined by a space; empty for an empty cell.
    pub text: String,
    /// Its lines, as indices of the lines given.
    pub lines: Vec<usize>,
}

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Where it is.
    pub rect: PixelRect,
    /// Whether lines or boxes divide its cells.
    pub ruled: bool,
    /// Rows from top to bottom, each with one cell a column.
    pub rows: Vec<Vec<Cell>>,
    /// Top and bottom of each row.
    pub row_spans: Vec<(u32, u32)>,
    /// Left and right of each column.
    pub column_spans: Vec<(u32, u32)>,
}

impl Table {
    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.column_spans.len()
    }

    /// Returns the rectangle of a cell.
    pub fn cell_rect(&self, row: usize, column: usize) -> Option<PixelRect> {
        let (top, bottom) = *self.row_spans.get(row)?;
        let (left, right) = *self.column_spans.get(column)?;
        Some(from_edges(left, top, right, bottom))
    }

    /// Returns the texts of the first row when it can be the head of the table: every cell has letters,
    /// most have no digits, and there is a row below it.
    pub fn header(&self) -> Option<Vec<&str>> {
        let first = self.rows.first().filter(|_| self.rows.len() > 1)?;
        let words = |c: &Cell| c.text.chars().any(char::is_alphabetic);
        let digits = |c: &&Cell| c.text.chars().any(|c| c.is_ascii_digit());
        let numbered = first.iter().filter(digits).count();
        (first.iter().all(words) && numbered * 2 <= first.len())
            .then(|| first.iter().map(|c| c.text.as_str()).collect())
    }
}

/// Finds the tables and marks their boxes and lines as spoken for.
pub(super) fn ruled_tables(scene: &mut Scene<'_>) -> Vec<Table> {
    let groups = grids(scene);
    let mut tables = Vec::new();
    for group in groups {
        if tables.len() == MAX_TABLES {
            break;
        }
        let Some(table) = grid_table(scene, &group) else {
            continue;
        };
        for at in 0..scene.boxes.len() {
            if super::rect::contains(table.rect, scene.boxes[at].rect) {
                scene.taken[at] |= group.binary_search(&at).is_ok();
            }
        }
        for cell in table.rows.iter().flatten() {
            for &line in &cell.lines {
                scene.used[line] = true;
            }
        }
        tables.push(table);
    }
    tables.sort_by_key(|t| (t.rect.y, t.rect.x));
    tables
}

/// Groups boxes that touch, save for a thin line, in one row or one column of equal extent.
fn grids(scene: &Scene<'_>) -> Vec<Vec<usize>> {
    let boxes = scene.boxes;
    let mut group: Vec<usize> = (0..boxes.len()).collect();
    let mut by_place: Vec<usize> = (0..boxes.len()).filter(|&at| !scene.taken[at]).collect();
    by_place.sort_by_key(|&at| (boxes[at].rect.y, boxes[at].rect.x));
    for (nth, &a) in by_place.iter().enumerate() {
        let ra = boxes[a].rect;
        for &b in &by_place[nth + 1..] {
            let rb = boxes[b].rect;
            if rb.y > ra.bottom() + CELL_GAP {
                break;
            }
            let in_row = near(ra.y, rb.y, CELL_SLACK)
                && near(ra.height, rb.height, CELL_SLACK)
                && (near(rb.x, ra.right() + CELL_GAP / 2, CELL_GAP / 2)
                    || near(ra.x, rb.right() + CELL_GAP / 2, CELL_GAP / 2));
            let in_column = near(ra.x, rb.x, CELL_SLACK)
                && near(ra.width, rb.width, CELL_SLACK)
                && near(rb.y, ra.bottom() + CELL_GAP / 2, CELL_GAP / 2);
            if in_row || in_column {
                let (ga, gb) = (top_of(&group, a), top_of(&group, b));
                group[ga.max(gb)] = ga.min(gb);
            }
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
    for &at in &by_place {
        members[top_of(&group, at)].push(at);
    }
    members.retain(|m| m.len() >= 4);
    for m in &mut members {
        m.sort_unstable();
    }
    members
}

fn top_of(group: &[usize], mut at: usize) -> usize {
    while group[at] != at {
        at = group[at];
    }
    at
}

/// Distinct positions, those within [`CELL_SLACK`] taken as one.
fn positions(mut values: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    values.sort_unstable();
    let mut out: Vec<(u32, u32)> = Vec::new();
    for (start, end) in values {
        match out.last_mut() {
            // The narrowest box tells where a column ends: a wider one spans several.
            Some(last) if near(last.0, start, CELL_SLACK + 1) => last.1 = last.1.min(end),
            _ => out.push((start, end)),
        }
    }
    out
}

fn grid_table(scene: &Scene<'_>, group: &[usize]) -> Option<Table> {
    let rects = || group.iter().map(|&at| scene.boxes[at].rect);
    let column_spans = positions(rects().map(|r| (r.x, r.right())).collect());
    let row_spans = positions(rects().map(|r| (r.y, r.bottom())).collect());
    let (columns, rows) = (column_spans.len(), row_spans.len());
    // Most places of a grid have their own box; scattered boxes do not.
    if columns < 2 || rows < 2 || group.len() * 10 < columns * rows * 6 {
        return None;
    }
    let rect = union_all(rects())?;
    let table = filled(scene, rect, row_spans, column_spans, true);
    let with_text = table.rows.iter().flatten().filter(|c| !c.text.is_empty());
    (with_text.count() * 4 >= columns * rows).then_some(table)
}

/// Puts the lines inside `rect` into cells.
fn filled(
    scene: &Scene<'_>,
    rect: PixelRect,
    row_spans: Vec<(u32, u32)>,
    column_spans: Vec<(u32, u32)>,
    ruled: bool,
) -> Table {
    let mut rows = vec![vec![Cell::default(); column_spans.len()]; row_spans.len()];
    for line in scene.lines_in(rect) {
        let r = scene.rect(line);
        let row = row_spans.iter().rposition(|&(top, _)| top <= middle_y(r));
        // A line that reaches over several columns belongs to the one in which it begins.
        let start = r.x + r.height.min(r.width) / 2;
        let column = column_spans.iter().rposition(|&(left, _)| left <= start);
        if let (Some(row), Some(column)) = (row, column) {
            rows[row][column].lines.push(line);
        }
    }
    for cell in rows.iter_mut().flatten() {
        sort_reading(&mut cell.lines, |&l| scene.rect(l));
        let texts: Vec<&str> = cell.lines.iter().map(|&l| scene.text(l)).collect();
        cell.text = texts.join(" ");
    }
    Table {
        rect,
        ruled,
        rows,
        row_spans,
        column_spans,
    }
}

/// Finds tables without lines among the unused text of one area: rows one below the other at an even
/// pitch whose texts leave the same gutters free.
pub(super) fn borderless_tables(scene: &mut Scene<'_>, area: &[usize]) -> Vec<Table> {
    let free: Vec<usize> = area.iter().copied().filter(|&l| !scene.used[l]).collect();
    let rows = rows_of(&free, |&l| scene.rect(l));
    let mut tables = Vec::new();
    let mut at = 0;
    while at < rows.len() && tables.len() < MAX_TABLES {
        let end = stretch(scene, &rows, at);
        if let Some(table) = text_table(scene, &rows[at..end]) {
            for &line in rows[at..end].iter().flatten() {
                scene.used[line] = true;
            }
            tables.push(table);
            at = end;
        } else {
            at += 1;
        }
    }
    tables
}

/// Returns the end of the longest run of rows from `at` that share at least two gutters.
fn stretch(scene: &Scene<'_>, rows: &[Vec<usize>], at: usize) -> usize {
    let row_rect = |row: &[usize]| union_all(row.iter().map(|&l| scene.rect(l)));
    let mut shared: Option<Vec<(u32, u32)>> = None;
    let mut head: Option<u32> = None;
    let mut pitch: Option<u32> = None;
    let mut before: Option<PixelRect> = None;
    for (nth, row) in rows.iter().enumerate().skip(at) {
        let (Some(rect), true) = (row_rect(row), row.len() >= 2) else {
            return nth;
        };
        if let Some(before) = before {
            let step = middle_y(rect).saturating_sub(middle_y(before));
            // The head of a table may stand further from the first row than the rows from each other.
            let even = match (pitch, head) {
                (Some(pitch), _) => step * 10 <= pitch * 16 + 40 && pitch * 10 <= step * 16 + 40,
                (None, Some(head)) => head <= 3 * step && step * 10 <= head * 16 + 40,
                (None, None) => true,
            };
            if !even || step > 6 * rect.height.max(before.height) {
                return nth;
            }
            if head.is_some() {
                pitch = pitch.or(Some(step));
            }
            head = head.or(Some(step));
        }
        let common = match &shared {
            None => gutters(scene, row),
            Some(shared) => meet(shared, &free(scene, row), rect.height),
        };
        if common.len() + 1 < MIN_BORDERLESS_COLUMNS {
            return nth;
        }
        shared = Some(common);
        before = Some(rect);
    }
    rows.len()
}

/// The free columns between the texts of one row, wider than a word space.
fn gutters(scene: &Scene<'_>, row: &[usize]) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    for pair in row.windows(2) {
        let (left, right) = (scene.rect(pair[0]), scene.rect(pair[1]));
        if right.x > left.right() + left.height.min(right.height) * 2 / 3 {
            out.push((left.right(), right.x));
        }
    }
    out
}

/// The free columns of one row with those before its first and after its last text: a cell may be empty.
fn free(scene: &Scene<'_>, row: &[usize]) -> Vec<(u32, u32)> {
    let mut out = gutters(scene, row);
    if let (Some(&first), Some(&last)) = (row.first(), row.last()) {
        out.push((0, scene.rect(first).x));
        out.push((scene.rect(last).right(), u32::MAX));
    }
    out
}

fn meet(a: &[(u32, u32)], b: &[(u32, u32)], height: u32) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    for &(al, ar) in a {
        for &(bl, br) in b {
            let (l, r) = (al.max(bl), ar.min(br));
            if r > l + height / 2 {
                out.push((l, r));
            }
        }
    }
    out
}

fn text_table(scene: &Scene<'_>, rows: &[Vec<usize>]) -> Option<Table> {
    if rows.len() < MIN_BORDERLESS_ROWS {
        return None;
    }
    let first = rows.first()?;
    let shared = rows
        .iter()
        .skip(1)
        .fold(gutters(scene, first), |shared, row| {
            meet(&shared, &free(scene, row), scene.rect(row[0]).height)
        });
    let rect = union_all(rows.iter().flatten().map(|&l| scene.rect(l)))?;
    let mut column_spans = Vec::new();
    let mut left = rect.x;
    for &(start, end) in &shared {
        column_spans.push((left, start));
        left = end;
    }
    column_spans.push((left, rect.right()));
    let row_spans = rows
        .iter()
        .filter_map(|row| union_all(row.iter().map(|&l| scene.rect(l))))
        .map(|r| (r.y, r.bottom()))
        .collect();
    let table = filled(scene, rect, row_spans, column_spans, false);
    let cells = table.rows.len() * table.columns();
    let with_text = table
        .rows
        .iter()
        .flatten()
        .filter(|c| !c.text.is_empty())
        .count();
    let one_line = median(
        table
            .rows
            .iter()
            .flatten()
            .map(|c| c.lines.len() as u32)
            .collect(),
    );
    let full = with_text as f32 >= MIN_TABLE_FILL * cells as f32;
    (full && one_line <= 1 && aligned(scene, &table)).then_some(table)
}

/// Whether the texts of each column share their left edge, their right edge or their centre: in running
/// text and in source code they do not.
fn aligned(scene: &Scene<'_>, table: &Table) -> bool {
    let edges: [fn(PixelRect) -> u32; 3] = [|r| r.x, |r| r.right(), |r| r.x + r.width / 2];
    (0..table.columns()).all(|column| {
        let cells = table.rows.iter().map(|row| &row[column]);
        let rects: Vec<PixelRect> = cells
            .filter_map(|c| c.lines.first().map(|&l| scene.rect(l)))
            .collect();
        let slack = median(rects.iter().map(|r| r.height).collect()) * 2 / 3;
        edges.iter().any(|edge| {
            let middle = median(rects.iter().map(|&r| edge(r)).collect());
            let off = rects
                .iter()
                .filter(|&&r| !near(edge(r), middle, slack.max(3)));
            off.count() * 5 <= rects.len()
        })
    })
}

/// Returns the table whose area holds the centre of a rectangle.
pub(super) fn table_of(tables: &[Table], rect: PixelRect) -> Option<usize> {
    tables.iter().position(|t| holds_centre(t.rect, rect))
}
