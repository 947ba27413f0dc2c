//! Panels: boxes that hold several things, and the tree in which text is read.

use eyes_evidence::geometry::PixelRect;

use super::{
    colour::Colour,
    control::{Control, ControlKind},
    order::{Block, rows_of},
    rect::{area, contains, gap_x, holds_centre, middle_x, middle_y, share_inside},
    scene::Scene,
    shape::outer,
    table::Table,
};
use crate::limits::{MAX_PANELS, MIN_PANEL_HEIGHT, MIN_PANEL_WIDTH};

/// What kind of panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PanelKind {
    /// A bar over the whole width at the top.
    Header,
    /// A bar over the whole width at the bottom.
    Footer,
    /// A column over most of the height at the left or the right.
    Sidebar,
    /// A box in the middle with a button in its lower part.
    Dialog,
    /// Any other box that holds several things.
    Panel,
}

impl PanelKind {
    /// Returns the English name, such as `header bar`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header bar",
            Self::Footer => "footer bar",
            Self::Sidebar => "sidebar",
            Self::Dialog => "dialog",
            Self::Panel => "panel",
        }
    }
}

/// A box that holds several things.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// What kind.
    pub kind: PanelKind,
    /// Where it is.
    pub rect: PixelRect,
    /// Its colour.
    pub fill: Colour,
    /// The colour of its border, where it has one.
    pub border: Option<Colour>,
    /// The line at its top, as an index of the lines given.
    pub title: Option<usize>,
    /// The smallest panel that holds it, as an index of the list of panels.
    pub parent: Option<usize>,
    /// All lines in it, those of panels in it included.
    pub lines: Vec<usize>,
}

/// Finds panels among the boxes that nothing else was made of; the largest first.
pub(super) fn panels(scene: &Scene<'_>, controls: &[Control], tables: &[Table]) -> Vec<Panel> {
    let mut found: Vec<Panel> = Vec::new();
    for at in 0..scene.boxes.len() {
        if found.len() == MAX_PANELS {
            break;
        }
        let b = &scene.boxes[at];
        let r = b.rect;
        if scene.taken[at] || r.width < MIN_PANEL_WIDTH || r.height < MIN_PANEL_HEIGHT {
            continue;
        }
        let same = |p: &Panel| contains(p.rect, r) && area(r) * 100 >= area(p.rect) * 96;
        if is_background(scene, r) || scene.is_piece(at) || found.iter().any(same) {
            continue;
        }
        let lines = scene.lines_in(r);
        let Some(kind) = kind_of(scene, r, &lines, controls) else {
            continue;
        };
        // The body of a table is the table.
        if tables.iter().any(|t| share_inside(r, t.rect) > 0.9) {
            continue;
        }
        found.push(Panel {
            kind,
            rect: outer(b),
            fill: b.fill,
            border: b.border,
            title: None,
            parent: found.iter().rposition(|p| contains(p.rect, r)),
            lines,
        });
    }
    for at in 0..found.len() {
        found[at].title = title_of(scene, &found, at);
    }
    found
}

/// The area on which all else stands is not a panel.
fn is_background(scene: &Scene<'_>, r: PixelRect) -> bool {
    let size = scene.image.size();
    area(r) * 100 >= u64::from(size.width) * u64::from(size.height) * 92
}

fn kind_of(
    scene: &Scene<'_>,
    r: PixelRect,
    lines: &[usize],
    controls: &[Control],
) -> Option<PanelKind> {
    let size = scene.image.size();
    let rows = rows_of(lines, |&l| scene.rect(l)).len();
    let wide = r.width * 100 >= size.width * 92;
    let low = r.height * 100 <= size.height * 18;
    if lines.is_empty() {
        return None;
    }
    if wide && low && r.y * 100 <= size.height * 4 {
        return Some(PanelKind::Header);
    }
    if wide && low && r.bottom() * 100 >= size.height * 96 {
        return Some(PanelKind::Footer);
    }
    let at_side = r.x * 100 <= size.width * 2 || r.right() * 100 >= size.width * 98;
    let tall = r.height * 100 >= size.height * 70 && r.width * 100 <= size.width * 40;
    if at_side && tall && rows >= 2 {
        return Some(PanelKind::Sidebar);
    }
    let inside = |c: &&Control| holds_centre(r, c.rect);
    let bare = |c: &&Control| !lines.iter().any(|&l| holds_centre(c.rect, scene.rect(l)));
    let several = rows + controls.iter().filter(inside).filter(bare).count() >= 2;
    if !several {
        return None;
    }
    let centred = middle_x(r).abs_diff(size.width / 2) * 100 <= size.width * 6
        && middle_y(r).abs_diff(size.height / 2) * 100 <= size.height * 20;
    let share = area(r) as f64 / (f64::from(size.width) * f64::from(size.height));
    let button = controls
        .iter()
        .filter(inside)
        .any(|c| c.kind == ControlKind::Button && (middle_y(c.rect) - r.y) * 100 >= r.height * 55);
    let dialog = centred && (0.03..0.65).contains(&share) && button;
    Some(if dialog {
        PanelKind::Dialog
    } else {
        PanelKind::Panel
    })
}

/// The first line of a panel when nothing but it stands in its row, or when it is the tallest there.
fn title_of(scene: &Scene<'_>, panels: &[Panel], at: usize) -> Option<usize> {
    let free: Vec<usize> = panels[at]
        .lines
        .iter()
        .copied()
        .filter(|&l| !scene.used[l] && scene.lines[l].angle.abs() < 10.0)
        .filter(|&l| {
            let home = panels
                .iter()
                .rposition(|p| holds_centre(p.rect, scene.rect(l)));
            home == Some(at)
                || home.is_some_and(|h| {
                    panels[h].parent == Some(at) && panels[h].kind == PanelKind::Header
                })
        })
        .collect();
    let rows = rows_of(&free, |&l| scene.rect(l));
    let top = rows.first()?;
    let first = *top.first()?;
    let height = |l: usize| scene.rect(l).height;
    let tallest = top.iter().all(|&l| height(l) <= height(first) + 1);
    let apart = top
        .get(1)
        .is_none_or(|&l| gap_x(scene.rect(first), scene.rect(l)) > height(first));
    let r = panels[at].rect;
    let at_top = (scene.rect(first).y.saturating_sub(r.y)) * 2 <= r.height.max(80);
    let short = scene.text(first).chars().count() <= 80;
    (tallest && apart && at_top && short).then_some(first)
}

/// Builds the tree of panels, tables and lines in which the text is read.
pub(super) fn blocks(scene: &Scene<'_>, panels: &[Panel], tables: &[Table]) -> Vec<Block> {
    let mut content: Vec<Vec<Block>> = vec![Vec::new(); panels.len() + 1];
    let mut in_table = vec![false; scene.lines.len()];
    let place = |r: PixelRect| panels.iter().rposition(|p| holds_centre(p.rect, r));
    let slot = |home: Option<usize>| home.map_or(0, |at| at + 1);
    for table in tables {
        let lines: Vec<usize> = table
            .rows
            .iter()
            .flatten()
            .flat_map(|c| c.lines.clone())
            .collect();
        for &line in &lines {
            in_table[line] = true;
        }
        let cells = table.rows.iter().flatten().filter(|c| !c.lines.is_empty());
        let inside = cells.map(|cell| cell_block(scene, &cell.lines)).collect();
        let home = panels
            .iter()
            .rposition(|p| share_inside(table.rect, p.rect) > 0.9);
        content[slot(home)].push(Block {
            rect: table.rect,
            line: None,
            inside,
            by_rows: true,
        });
    }
    for (line, _) in in_table.iter().enumerate().filter(|(_, inside)| !**inside) {
        let r = scene.rect(line);
        content[slot(place(r))].push(Block::line(line, r));
    }
    // Children come after their parents, so a panel is complete when its turn comes from the end.
    for at in (0..panels.len()).rev() {
        let inside = std::mem::take(&mut content[at + 1]);
        if !inside.is_empty() {
            let block = Block {
                rect: panels[at].rect,
                line: None,
                inside,
                by_rows: panels[at].kind == PanelKind::Header,
            };
            content[slot(panels[at].parent)].push(block);
        }
    }
    content.swap_remove(0)
}

/// A cell stands where its first line stands: rows of a table are told by it.
fn cell_block(scene: &Scene<'_>, lines: &[usize]) -> Block {
    let inside: Vec<Block> = lines
        .iter()
        .map(|&l| Block::line(l, scene.rect(l)))
        .collect();
    Block {
        rect: scene.rect(lines[0]),
        line: None,
        inside,
        by_rows: true,
    }
}
