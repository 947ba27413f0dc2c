//! How a document's boxes are to be read.
//!
//! Models write boxes as shares of the image, as thousandths or as pixels, with width and height or with the
//! opposite corner, `x` first or `y` first;
//! pixels may be those of the picture as the provider shrank it. One box alone often fits several conventions, so the decision is
//! made for the document: each convention is scored by how well it explains all boxes ([`score`]), on top of
//! what is known of the model's family ([`family`]). Labels such as `x2` settle the order of their own box.
//! Boxes within 0..=1 and larger ones are two groups, decided separately.

mod family;
mod score;

use crate::{
    geometry::{NormalizedBbox, PixelSize},
    limits::{BBOX_CLAMP_PIXELS, BBOX_CLAMP_SHARE, MAX_BBOX_EDGE},
    parse::audit::{Convention, CoordinateAudit},
};

/// What the labels of a box say of the order of its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Nothing: it is a bare list.
    Unknown,
    /// Left, top, width, height.
    Xywh,
    /// Left, top, right, bottom.
    Xyxy,
}

/// The unit of the four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Unit,
    Thousand,
    Pixel,
    /// Pixels of the picture as the provider shrinks it before the model looks.
    Resized,
}

/// The order of the four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Xywh,
    Xyxy,
    Yxyx,
}

pub(super) const fn convention(scale: Scale, order: Order) -> Convention {
    match (scale, order) {
        (Scale::Unit, Order::Xywh) => Convention::NormalizedXywh,
        (Scale::Unit, Order::Xyxy) => Convention::NormalizedXyxy,
        (Scale::Unit, Order::Yxyx) => Convention::NormalizedYxyx,
        (Scale::Thousand, Order::Xywh) => Convention::ThousandXywh,
        (Scale::Thousand, Order::Xyxy) => Convention::ThousandXyxy,
        (Scale::Thousand, Order::Yxyx) => Convention::ThousandYxyx,
        (Scale::Pixel, Order::Xywh) => Convention::PixelXywh,
        (Scale::Pixel, Order::Xyxy) => Convention::PixelXyxy,
        (Scale::Pixel, Order::Yxyx) => Convention::PixelYxyx,
        (Scale::Resized, Order::Xywh) => Convention::ResizedXywh,
        (Scale::Resized, Order::Xyxy) => Convention::ResizedXyxy,
        (Scale::Resized, Order::Yxyx) => Convention::ResizedYxyx,
    }
}

/// A box as it was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    pub(crate) values: [f64; 4],
    pub(crate) form: Form,
    /// It is the box of a line of text: wide and thin.
    pub(crate) is_text: bool,
}

impl Written {
    fn is_unit(&self) -> bool {
        self.values
            .iter()
            .all(|v| v.abs() <= 1.0 + BBOX_CLAMP_SHARE)
    }

    /// Returns left, top, right, bottom; labels go before `order`.
    pub(super) fn edges(&self, order: Order) -> [f64; 4] {
        let [a, b, c, d] = self.values;
        match (self.form, order) {
            (Form::Xywh, _) | (Form::Unknown, Order::Xywh) => [a, b, a + c, b + d],
            (Form::Xyxy, _) | (Form::Unknown, Order::Xyxy) => [a, b, c, d],
            (Form::Unknown, Order::Yxyx) => [b, a, d, c],
        }
    }

    const fn order(&self, order: Order) -> Order {
        match self.form {
            Form::Xywh => Order::Xywh,
            Form::Xyxy => Order::Xyxy,
            Form::Unknown => order,
        }
    }
}

/// The spaces that the numbers may be meant in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spaces {
    /// The picture's own size.
    pub(super) size: PixelSize,
    /// The size to which the provider shrinks it, where it is known to.
    pub(super) resized: Option<PixelSize>,
}

impl Spaces {
    fn new(size: PixelSize, route: &str) -> Self {
        Self {
            size,
            resized: family::resized(route, size),
        }
    }

    /// Returns the extent of a coordinate space along x and y.
    pub(super) fn extent(&self, scale: Scale) -> [f64; 2] {
        let sides = |size: PixelSize| [f64::from(size.width), f64::from(size.height)];
        match scale {
            Scale::Unit => [1.0, 1.0],
            Scale::Thousand => [1000.0, 1000.0],
            Scale::Pixel => sides(self.size),
            Scale::Resized => sides(self.resized.unwrap_or(self.size)),
        }
    }
}

/// The decision for one document.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    unit: (Scale, Order),
    large: (Scale, Order),
    spaces: Spaces,
}

/// One box after the decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Placed {
    pub(crate) bbox: NormalizedBbox,
    pub(crate) convention: Convention,
    /// It was cut at the image's edge.
    pub(crate) clamped: bool,
    /// It had no width or no height.
    pub(crate) grown: bool,
}

impl Plan {
    /// Decides for all boxes of a document; fills everything of the audit but the transforms.
    pub(crate) fn decide(
        boxes: impl Iterator<Item = Written>,
        size: PixelSize,
        route: Option<&str>,
    ) -> (Self, CoordinateAudit) {
        let route = route.unwrap_or_default();
        // One of the two holds all boxes as a rule.
        let all = boxes.size_hint().0;
        let (mut unit, mut large) = (Vec::new(), Vec::new());
        for written in boxes {
            let group = if written.is_unit() {
                &mut unit
            } else {
                &mut large
            };
            if group.is_empty() {
                group.reserve(all);
            }
            group.push(written);
        }
        let spaces = Spaces::new(size, route);
        let unit = score::choose(&unit, true, &spaces, route);
        let large = score::choose(&large, false, &spaces, route);
        let plan = Self {
            unit: unit.best,
            large: large.best,
            spaces,
        };
        let mut audit = match (unit.boxes > 0, large.boxes > 0) {
            (_, false) => unit.audit(),
            (false, true) => large.audit(),
            (true, true) => CoordinateAudit {
                convention: Convention::Mixed,
                certainty: unit.certainty.min(large.certainty),
                // Small numbers among large ones may be shares or very small boxes.
                ambiguous: true,
                runner_up: None,
                ..CoordinateAudit::default()
            },
        };
        audit.resized = spaces
            .resized
            .filter(|_| large.boxes > 0 && large.best.0 == Scale::Resized);
        (plan, audit)
    }

    /// Reads one box; nothing when it cannot be a box of this image.
    pub(crate) fn place(&self, written: Written) -> Option<Placed> {
        let (scale, order) = if written.is_unit() {
            self.unit
        } else {
            self.large
        };
        let chosen = convention(scale, written.order(order));
        if chosen == Convention::NormalizedXywh {
            let [x, y, w, h] = written.values;
            if let Ok(bbox) = NormalizedBbox::new(x, y, w, h) {
                return Some(Placed {
                    bbox,
                    convention: chosen,
                    clamped: false,
                    grown: false,
                });
            }
        }
        self.fit(written.edges(order), scale, chosen)
    }

    fn fit(&self, edges: [f64; 4], scale: Scale, convention: Convention) -> Option<Placed> {
        let [w, h] = self.spaces.extent(scale);
        let pixel = self.spaces.extent(Scale::Pixel);
        // An all-zero box is a placeholder, not a place.
        if edges == [0.0; 4] {
            return None;
        }
        let (left, right, cut_x, grown_x) = axis(edges[0] / w, edges[2] / w, pixel[0])?;
        let (top, bottom, cut_y, grown_y) = axis(edges[1] / h, edges[3] / h, pixel[1])?;
        let [x, y] = [round(left), round(top)];
        let bbox = NormalizedBbox::new(
            x,
            y,
            round(right - left).min(1.0),
            round(bottom - top).min(1.0),
        );
        Some(Placed {
            bbox: bbox.ok()?,
            convention,
            clamped: cut_x || cut_y,
            grown: grown_x || grown_y,
        })
    }
}

/// Fits one axis of a box, as shares of the image, into 0..=1.
fn axis(low: f64, high: f64, pixels: f64) -> Option<(f64, f64, bool, bool)> {
    let slack = BBOX_CLAMP_SHARE.max(BBOX_CLAMP_PIXELS / pixels);
    if !(low >= -slack && high <= 1.0 + slack && low <= 1.0 && high >= low) {
        return None;
    }
    let clamped = low < 0.0 || high > MAX_BBOX_EDGE;
    let (mut low, mut high) = (low.clamp(0.0, 1.0), high.clamp(0.0, 1.0));
    let grown = round(high - low) <= 0.0;
    if grown {
        let pixel = 1.0 / pixels;
        high = (low + pixel).min(1.0);
        low = low.min(1.0 - pixel).max(0.0);
    }
    Some((low, high, clamped, grown))
}

/// Rounds to the 9 decimals that a converted box keeps.
fn round(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests;
