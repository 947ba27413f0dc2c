//! Scores conventions by how well they explain the boxes of a document.
//!
//! Each figure is the logarithm of a rough likelihood. What decides in practice is containment: one box that
//! cannot lie inside the image weighs as much as a strong habit of the model's family.

use super::{Order, Scale, Spaces, Written, convention, family::Family};
use crate::{
    limits::{BBOX_CLAMP_PIXELS, BBOX_CLAMP_SHARE, MAX_BBOX_EDGE, MIN_CONVENTION_CERTAINTY},
    parse::audit::CoordinateAudit,
};

/// A box that lies outside the image by more than rounding.
const MISS: f64 = -8.0;
/// A box that ends a little outside the image.
const LOOSE: f64 = -1.0;
/// A line of text whose width and height, read as such, also make a corner to the right and below: rare, since
/// lines are thin.
const TEXT_LOOKS_LIKE_CORNERS: f64 = -1.9;
/// The same for other boxes, which are often large.
const BOX_LOOKS_LIKE_CORNERS: f64 = -0.4;
/// A corner that, read as width and height, would still end inside the image: about one in four.
const CORNERS_LOOK_LIKE_EXTENT: f64 = -1.3;
/// A line of text that would be taller than wide: rare.
const TALL_TEXT: f64 = -1.6;
/// Weight of a box for the smaller of two coordinate spaces that both hold all boxes.
const SUPPORT_WEIGHT: f64 = 0.35;
/// Boxes beyond which the smaller space is no more likely: pages are often half empty.
const SUPPORT_BOXES: f64 = 12.0;

const UNIT: [(Scale, Order); 3] = [
    (Scale::Unit, Order::Xywh),
    (Scale::Unit, Order::Xyxy),
    (Scale::Unit, Order::Yxyx),
];
const LARGE: [(Scale, Order); 9] = [
    (Scale::Pixel, Order::Xywh),
    (Scale::Pixel, Order::Xyxy),
    (Scale::Thousand, Order::Xyxy),
    (Scale::Thousand, Order::Xywh),
    (Scale::Thousand, Order::Yxyx),
    (Scale::Pixel, Order::Yxyx),
    (Scale::Resized, Order::Xyxy),
    (Scale::Resized, Order::Xywh),
    (Scale::Resized, Order::Yxyx),
];

/// The best convention of a group of boxes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub(super) best: (Scale, Order),
    pub(super) certainty: f64,
    pub(super) boxes: usize,
    runner_up: Option<(Scale, Order)>,
    /// The order in which the labels of all boxes agree, where they do.
    labelled: Option<Order>,
}

impl Choice {
    pub(super) fn audit(&self) -> CoordinateAudit {
        let named = |(scale, order)| convention(scale, self.labelled.unwrap_or(order));
        let best = named(self.best);
        let ambiguous = self.certainty < MIN_CONVENTION_CERTAINTY;
        CoordinateAudit {
            convention: best,
            certainty: (self.certainty * 1000.0).round() / 1000.0,
            ambiguous,
            runner_up: self
                .runner_up
                .map(named)
                .filter(|other| ambiguous && *other != best),
            ..CoordinateAudit::default()
        }
    }
}

/// Chooses among the conventions of shares (`unit`) or of larger numbers.
pub(super) fn choose(boxes: &[Written], unit: bool, spaces: &Spaces, route: &str) -> Choice {
    let conventions: &[(Scale, Order)] = if unit { &UNIT } else { &LARGE };
    let count = boxes.len();
    if boxes.is_empty() || (unit && plainly_as_asked(boxes, spaces)) {
        return Choice {
            best: conventions[0],
            certainty: 1.0,
            boxes: count,
            runner_up: None,
            labelled: None,
        };
    }
    let family = Family::of(route);
    let labelled = labels(boxes);
    let mut scored: Vec<(f64, (Scale, Order))> = conventions
        .iter()
        .filter(|(scale, _)| *scale != Scale::Resized || spaces.resized.is_some())
        .filter(|(_, order)| labelled.is_none_or(|labelled| labelled == *order))
        .map(|&(scale, order)| {
            let support = (count as f64).min(SUPPORT_BOXES) * SUPPORT_WEIGHT;
            let [w, h] = spaces.extent(scale);
            let space = support * (w * h).ln();
            let fit: f64 = boxes
                .iter()
                .map(|b| likelihood(*b, scale, order, spaces))
                .sum();
            (family.prior(scale, order) + fit - space, (scale, order))
        })
        .collect();
    // A stable sort keeps the order of the table among equals.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let top = scored[0].0;
    let all: f64 = scored.iter().map(|(score, _)| (score - top).exp()).sum();
    Choice {
        best: scored[0].1,
        certainty: 1.0 / all,
        boxes: count,
        runner_up: scored.get(1).map(|(_, convention)| *convention),
        labelled,
    }
}

/// Tells whether shares with width and height lead so far that scoring the rest would not show in the certainty.
///
/// Most documents do as they were asked; this is their way around the full comparison.
fn plainly_as_asked(boxes: &[Written], spaces: &Spaces) -> bool {
    // Least distance to the runner-up whose share, e to the minus lead, rounds to nothing in three digits.
    const LEAD: f64 = 12.0;
    // The best prior of another order among all families.
    let mut lead = 1.5;
    let size = spaces.size;
    for written in boxes {
        let [a, b, c, d] = written.values;
        let inside = a >= 0.0 && b >= 0.0 && a + c <= MAX_BBOX_EDGE && b + d <= MAX_BBOX_EDGE;
        if written.form != super::Form::Unknown || !inside || c <= 0.0 || d <= 0.0 {
            return false;
        }
        // Corners are in order for these numbers, whichever axis comes first, or they are not.
        if c < a || d < b {
            lead -= MISS;
        } else if written.is_text {
            lead += TEXT_LOOKS_LIKE_CORNERS;
        } else {
            lead += BOX_LOOKS_LIKE_CORNERS;
        }
        if written.is_text && d * f64::from(size.height) > c * f64::from(size.width) * 1.2 {
            lead += TALL_TEXT;
        }
    }
    lead > LEAD
}

/// Finds the order in which the labels of all boxes agree.
fn labels(boxes: &[Written]) -> Option<Order> {
    let order = |written: &Written| match written.form {
        super::Form::Unknown => None,
        super::Form::Xywh => Some(Order::Xywh),
        super::Form::Xyxy => Some(Order::Xyxy),
    };
    let first = boxes.first().and_then(order)?;
    boxes
        .iter()
        .all(|written| order(written) == Some(first))
        .then_some(first)
}

fn likelihood(written: Written, scale: Scale, order: Order, spaces: &Spaces) -> f64 {
    let [w, h] = spaces.extent(scale);
    let size = spaces.size;
    let edges = written.edges(order);
    let [left, top, right, bottom] = [edges[0] / w, edges[1] / h, edges[2] / w, edges[3] / h];
    let slack_x = BBOX_CLAMP_SHARE.max(BBOX_CLAMP_PIXELS / f64::from(size.width));
    let slack_y = BBOX_CLAMP_SHARE.max(BBOX_CLAMP_PIXELS / f64::from(size.height));
    let ordered = right >= left && bottom >= top && left <= 1.0 && top <= 1.0;
    if !ordered
        || left < -slack_x
        || top < -slack_y
        || right > 1.0 + slack_x
        || bottom > 1.0 + slack_y
    {
        return MISS;
    }

    let exact = left >= 0.0
        && top >= 0.0
        && right <= MAX_BBOX_EDGE
        && bottom <= MAX_BBOX_EDGE
        && right > left
        && bottom > top;
    let mut score = if exact { 0.0 } else { LOOSE };
    if written.form == super::Form::Unknown {
        score += order_evidence(written, order, [w, h]);
    }
    let [width, height] = [
        (right - left) * f64::from(size.width),
        (bottom - top) * f64::from(size.height),
    ];
    if written.is_text && height > width * 1.2 {
        score += TALL_TEXT;
    }
    score
}

fn order_evidence(written: Written, order: Order, [w, h]: [f64; 2]) -> f64 {
    let [a, b, c, d] = written.values;
    // A box at the origin reads the same both ways.
    if a.abs() < 1e-9 && b.abs() < 1e-9 {
        return 0.0;
    }
    let corners = c > a && d > b;
    match order {
        Order::Xywh if corners && written.is_text => TEXT_LOOKS_LIKE_CORNERS,
        Order::Xywh if corners => BOX_LOOKS_LIKE_CORNERS,
        Order::Xyxy if a + c <= w && b + d <= h => CORNERS_LOOK_LIKE_EXTENT,
        Order::Yxyx if a + c <= h && b + d <= w => CORNERS_LOOK_LIKE_EXTENT,
        _ => 0.0,
    }
}
