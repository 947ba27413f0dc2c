//! Areas that look like something: boxes with their border, straight rules, and how boxes nest.

use eyes_evidence::{geometry::PixelRect, raster::Rgb8};

use super::{
    colour::{Colour, pixel},
    component::Component,
    rect::{area, contains, from_edges, grown, holds_centre, share_inside, union},
};
use crate::{
    limits::{
        BORDER_PROBE, LINE_BAND, MAX_BOXES, MAX_RULES, MIN_BOX_SIDE, MIN_RULE_LENGTH,
        MIN_STACK_WIDTH, RULE_THICKNESS, SQUARENESS_DISC,
    },
    text::TextLine,
};

/// A rectangular, rounded or round area of one colour; text and other things may stand on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlatBox {
    /// The area without its border.
    pub rect: PixelRect,
    /// Its colour.
    pub fill: Colour,
    /// The colour of the line around it, where it has one.
    pub border: Option<Colour>,
    /// The colour around it, beyond its border.
    pub around: Colour,
    /// How much of `rect` it covers with its holes filled: 1 for a rectangle, 0.785 for a disc.
    pub squareness: f32,
    /// How much of that has the colour: 1 when nothing stands on it.
    pub solidity: f32,
    /// The smallest box that holds it, as an index of the list of boxes.
    pub parent: Option<usize>,
}

impl FlatBox {
    /// Tells whether it is set off by a border.
    pub(super) const fn outlined(&self) -> bool {
        self.border.is_some()
    }

    /// Tells whether its colour differs from what is around it.
    pub(super) fn filled(&self) -> bool {
        self.fill.distance(self.around) > 8
    }
}

/// A straight line, horizontal or vertical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// Where it is; its short side is its thickness.
    pub rect: PixelRect,
    /// Its colour.
    pub colour: Colour,
    /// Whether it runs from left to right.
    pub horizontal: bool,
}

/// Returns the straight lines, from top to bottom.
pub(super) fn rules(parts: &[Component]) -> Vec<Rule> {
    let rule = |c: &Component| {
        let (w, h) = (c.rect.width, c.rect.height);
        let horizontal = h <= RULE_THICKNESS && w >= MIN_RULE_LENGTH;
        let vertical = w <= RULE_THICKNESS && h >= MIN_RULE_LENGTH;
        ((horizontal || vertical) && c.solidity() > 0.9).then_some(Rule {
            rect: c.rect,
            colour: c.colour,
            horizontal,
        })
    };
    parts.iter().filter_map(rule).take(MAX_RULES).collect()
}

/// Returns the boxes, the largest first, with their nesting.
pub(super) fn boxes(image: &Rgb8, parts: &[Component], lines: &[TextLine]) -> Vec<FlatBox> {
    let mut found: Vec<&Component> = parts.iter().filter(|c| is_box(c)).collect();
    found.sort_by_key(|c| (std::cmp::Reverse(area(c.rect)), c.rect.y, c.rect.x));
    let bands = bands(lines, image.size().height);
    let mut boxes: Vec<FlatBox> = Vec::new();
    for part in found {
        if boxes.len() == MAX_BOXES {
            break;
        }
        let band = (part.rect.y / LINE_BAND) as usize;
        let near = bands[band].iter().map(|&line| &lines[line]);
        if !part_of_letter(part.rect, near) {
            boxes.push(described(image, part));
        }
    }
    stack(&mut boxes);
    nest(&mut boxes);
    boxes
}

/// The lines that reach into each band of [`LINE_BAND`] rows: an area is compared with those at its top
/// only, for what it lies inside reaches there.
fn bands(lines: &[TextLine], height: u32) -> Vec<Vec<usize>> {
    let mut bands = vec![Vec::new(); (height / LINE_BAND + 1) as usize];
    for (nth, line) in lines.iter().enumerate() {
        let r = line.rect;
        // An area may stick out of the line that it mostly lies in.
        let first = r.y.saturating_sub(r.height) / LINE_BAND;
        let last = (r.bottom() / LINE_BAND).min(height / LINE_BAND);
        for band in first..=last {
            if let Some(band) = bands.get_mut(band as usize) {
                band.push(nth);
            }
        }
    }
    bands
}

/// Joins what a highlighted row or a rule over the whole width cuts: boxes of one colour and equal left
/// and right edges, one below the other, become one box more; the pieces stay.
fn stack(boxes: &mut Vec<FlatBox>) {
    let equal = |a: u32, b: u32| a.abs_diff(b) <= 2;
    let sides = |a: PixelRect, b: PixelRect| equal(a.x, b.x) && equal(a.right(), b.right());
    let mut by_place: Vec<usize> = (0..boxes.len()).collect();
    by_place.sort_by_key(|&at| (boxes[at].rect.y, boxes[at].rect.x));
    let in_grid = |at: usize| {
        let r = boxes[at].rect;
        boxes.iter().any(|o| {
            let level = equal(o.rect.y, r.y) && equal(o.rect.height, r.height);
            level && (o.rect.x.abs_diff(r.right()) <= 4 || r.x.abs_diff(o.rect.right()) <= 4)
        })
    };
    let mut joined: Vec<FlatBox> = Vec::new();
    let mut seen = vec![false; boxes.len()];
    for (nth, &first) in by_place.iter().enumerate() {
        if seen[first] || boxes[first].rect.width < MIN_STACK_WIDTH {
            continue;
        }
        let mut whole = boxes[first].rect;
        let mut pieces = vec![first];
        let (mut tallest, mut cover) = (whole.height, 0);
        let (mut end, fill) = (whole.bottom(), boxes[first].fill);
        for &next in &by_place[nth + 1..] {
            let r = boxes[next].rect;
            if r.y > end + RULE_THICKNESS {
                break;
            }
            if !sides(whole, r) || r.y + 2 < end {
                continue;
            }
            end = r.bottom();
            if boxes[next].fill.distance(fill) <= 4 {
                seen[next] = true;
                whole = union(whole, r);
                tallest = tallest.max(r.height);
                pieces.push(next);
            } else {
                cover = cover.max(r.height);
            }
        }
        // Striped rows of a table are all of one height.
        if pieces.len() > 1 && tallest >= 2 * cover && !pieces.iter().any(|&at| in_grid(at)) {
            joined.push(FlatBox {
                rect: whole,
                ..boxes[first]
            });
        }
    }
    boxes.extend(joined);
    boxes.sort_by_key(|b| (std::cmp::Reverse(area(b.rect)), b.rect.y, b.rect.x));
    boxes.truncate(MAX_BOXES);
}

/// Whether an area is a box: neither the thin ring of a border nor a ragged shape.
fn is_box(c: &Component) -> bool {
    let (w, h) = (c.rect.width, c.rect.height);
    if w < MIN_BOX_SIDE || h < MIN_BOX_SIDE || c.squareness() < SQUARENESS_DISC {
        return false;
    }
    let thickness = c.area as f32 / (2 * (w + h)) as f32;
    let ring = thickness <= RULE_THICKNESS as f32 && c.solidity() < 0.5;
    !ring
}

/// Whether an area is the inside of a letter such as O or D, or a thick stroke of one.
fn part_of_letter<'a>(rect: PixelRect, mut lines: impl Iterator<Item = &'a TextLine>) -> bool {
    lines.any(|line| {
        let inside = rect.height <= line.rect.height && share_inside(rect, line.rect) > 0.7;
        inside && !stands_apart(rect, line)
    })
}

/// Whether an area inside the box of a line is no part of its letters: readers draw check boxes and icons
/// into the box of the text beside them.
fn stands_apart(rect: PixelRect, line: &TextLine) -> bool {
    let tall = |percent: u32| rect.height * 100 >= line.rect.height * percent;
    let Some(word) = line.words.iter().find(|w| share_inside(rect, w.rect) > 0.5) else {
        return !line.words.is_empty() && tall(40);
    };
    let letters = word.text.chars().count() as u32;
    if letters == 1 {
        return line.words.len() > 1 && tall(80);
    }
    // A word that is wider than its letters begins with something else.
    let others = || line.words.iter().filter(|w| w.rect != word.rect);
    let other_letters: u32 = others().map(|w| w.text.chars().count() as u32).sum();
    let other_width: u32 = others().map(|w| w.rect.width).sum();
    let at_start = rect.x <= word.rect.x + 4;
    let narrow = word.text.is_ascii() || !line.text.is_ascii();
    if other_letters == 0 || !at_start || !narrow || !tall(50) {
        return false;
    }
    let wide_letters = |text: &str| text.chars().filter(|c| *c >= '\u{2e80}').count() as u32;
    let expected = if wide_letters(&word.text) > 0 {
        letters * line.rect.height
    } else {
        letters * other_width / other_letters
    };
    word.rect.width * 10 >= expected * 10 + rect.width * 9
}

fn described(image: &Rgb8, part: &Component) -> FlatBox {
    let (border, around) = surroundings(image, part.rect, part.colour);
    FlatBox {
        rect: part.rect,
        fill: part.colour,
        border,
        around,
        squareness: part.squareness(),
        solidity: part.solidity(),
        parent: None,
    }
}

/// Looks outwards from the middle of each side: a line of another colour than both the inside and what
/// lies a few pixels further out is a border when at least three sides agree.
fn surroundings(image: &Rgb8, r: PixelRect, fill: Colour) -> (Option<Colour>, Colour) {
    let size = image.size();
    let (mx, my) = (r.x + r.width / 2, r.y + r.height / 2);
    let step = |from: u32, by: i64, end: u32| {
        u32::try_from(i64::from(from) + by)
            .ok()
            .filter(|&v| v < end)
    };
    let probe = |side: usize, distance: u32| -> Option<Colour> {
        let d = i64::from(distance);
        let (x, y) = match side {
            0 => (Some(mx), step(r.y, -d, size.height)),
            1 => (step(r.right() - 1, d, size.width), Some(my)),
            2 => (Some(mx), step(r.bottom() - 1, d, size.height)),
            _ => (step(r.x, -d, size.width), Some(my)),
        };
        Some(pixel(image, x?, y?))
    };
    let mut borders: Vec<Colour> = Vec::new();
    let mut arounds: Vec<Colour> = Vec::new();
    for side in 0..4 {
        let out = probe(side, BORDER_PROBE).unwrap_or(fill);
        arounds.push(out);
        // The colour that differs most from the inside on the way out, and from what comes after it.
        let line = (1..BORDER_PROBE)
            .filter_map(|d| probe(side, d))
            .max_by_key(|c| c.distance(fill).min(c.distance(out)));
        if let Some(line) = line
            && line.distance(fill) > 8
            && line.distance(out) > 8
        {
            borders.push(line);
        }
    }
    let around = most_common(&arounds).unwrap_or(fill);
    let border = most_common(&borders)
        .filter(|common| borders.iter().filter(|b| b.distance(*common) <= 24).count() >= 3);
    (border, around)
}

fn most_common(colours: &[Colour]) -> Option<Colour> {
    let votes = |c: Colour| colours.iter().filter(|o| o.distance(c) <= 8).count();
    colours
        .iter()
        .copied()
        .max_by_key(|&c| (votes(c), std::cmp::Reverse(c)))
}

/// Finds the parent of each box; the list runs from the largest to the smallest.
fn nest(boxes: &mut [FlatBox]) {
    for at in 0..boxes.len() {
        let rect = boxes[at].rect;
        boxes[at].parent = (0..at)
            .rev()
            .find(|&above| contains(boxes[above].rect, rect) && boxes[above].rect != rect);
    }
}

/// Returns for each line the smallest box that holds it.
pub(super) fn homes(boxes: &[FlatBox], lines: &[TextLine]) -> Vec<Option<usize>> {
    let home = |line: &TextLine| {
        (0..boxes.len()).rev().find(|&at| {
            let b = boxes[at].rect;
            holds_centre(b, line.rect) && share_inside(line.rect, grown(b, 2)) > 0.9
        })
    };
    lines.iter().map(home).collect()
}

/// Returns a box with its border.
pub(super) fn outer(b: &FlatBox) -> PixelRect {
    if b.outlined() {
        let r = b.rect;
        from_edges(
            r.x.saturating_sub(1),
            r.y.saturating_sub(1),
            r.right() + 1,
            r.bottom() + 1,
        )
    } else {
        b.rect
    }
}
