//! Convex hulls and the rectangles around them.

use super::super::frame::{Frame, Point};

/// A rectangle at any angle, within 45 degrees of upright.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::engine) struct TiltedRect {
    /// Its middle.
    pub(in crate::engine) center: Point,
    /// Unit vector along its width; points to the right.
    pub(in crate::engine) axis: Point,
    /// Extent along the axis.
    pub(in crate::engine) width: f32,
    /// Extent across the axis.
    pub(in crate::engine) height: f32,
}

impl TiltedRect {
    /// Makes an upright rectangle from its edges.
    pub(in crate::engine) fn upright(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self {
            center: [f32::midpoint(left, right), f32::midpoint(top, bottom)],
            axis: [1.0, 0.0],
            width: right - left,
            height: bottom - top,
        }
    }

    /// Returns how far the rectangle rises or falls over its longer side, in pixels.
    pub(in crate::engine) fn drift(&self) -> f32 {
        self.axis[1].abs() * self.width.max(self.height)
    }

    /// Returns the rectangle with `margin` more on each side.
    pub(in crate::engine) fn grown(&self, margin: f32) -> Self {
        Self {
            width: self.width + 2.0 * margin,
            height: self.height + 2.0 * margin,
            ..*self
        }
    }

    /// Returns the rectangle in an image that is (`x`, `y`) times as large.
    pub(in crate::engine) fn scaled(&self, x: f32, y: f32) -> Self {
        let stretched = [self.axis[0] * x, self.axis[1] * y];
        let length = stretched[0].hypot(stretched[1]);
        let across = (self.axis[1] * x).hypot(self.axis[0] * y);
        Self {
            center: [self.center[0] * x, self.center[1] * y],
            axis: [stretched[0] / length, stretched[1] / length],
            width: self.width * length,
            height: self.height * across,
        }
    }

    /// Returns the frame of its own pixels.
    pub(in crate::engine) fn frame(&self) -> Frame {
        let down = [-self.axis[1], self.axis[0]];
        let (w, h) = (self.width / 2.0, self.height / 2.0);
        Frame {
            origin: [
                self.center[0] - self.axis[0] * w - down[0] * h,
                self.center[1] - self.axis[1] * w - down[1] * h,
            ],
            right: self.axis,
            down,
        }
    }

    /// Returns its corners, clockwise from its own top left.
    pub(in crate::engine) fn corners(&self) -> [Point; 4] {
        self.frame().corners([0.0, 0.0, self.width, self.height])
    }
}

fn turn(a: Point, b: Point, c: Point) -> f32 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns the convex hull of points sorted by row and then column, without its collinear points.
///
/// Andrew's monotone chain, which is linear on sorted points; walks the hull in one direction.
pub(in crate::engine) fn convex_hull(sorted: &[Point]) -> Vec<Point> {
    if sorted.len() < 3 {
        return sorted.to_vec();
    }
    let mut hull: Vec<Point> = Vec::new();
    let mut chain = |points: &mut dyn Iterator<Item = &Point>, floor: usize| {
        for &point in points {
            while hull.len() >= floor + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
        hull.len()
    };
    let half = chain(&mut sorted.iter(), 0);
    chain(&mut sorted.iter().rev(), half);
    hull
}

/// Returns the rectangle of least area around a convex hull (one side lies on a side of the hull).
pub(in crate::engine) fn min_area_rect(hull: &[Point]) -> Option<TiltedRect> {
    let first = *hull.first()?;
    let mut best: Option<(f32, TiltedRect)> = None;
    let edges = hull.iter().zip(hull.iter().cycle().skip(1));
    for axis in edges.filter_map(|(a, b)| side_axis(*a, *b)) {
        let rect = rect_along(hull, first, axis);
        let area = rect.width * rect.height;
        // A hair of tolerance keeps the first of equal rectangles, whatever the rounding.
        if best.as_ref().is_none_or(|(least, _)| area < least * 0.9999) {
            best = Some((area, rect));
        }
    }
    best.map(|(_, rect)| rect)
}

/// Returns the unit vector of a side, turned by quarters until it is within 45 degrees of the right.
fn side_axis(a: Point, b: Point) -> Option<Point> {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = dx.hypot(dy);
    if length <= 0.0 {
        return None;
    }
    let (dx, dy) = (dx / length, dy / length);
    Some(match (dx.abs() >= dy.abs(), dx > 0.0, dy > 0.0) {
        (true, true, _) => [dx, dy],
        (true, false, _) => [-dx, -dy],
        (false, _, true) => [dy, -dx],
        (false, _, false) => [-dy, dx],
    })
}

fn rect_along(hull: &[Point], first: Point, axis: Point) -> TiltedRect {
    let mut spans = [[0.0_f32; 2]; 2];
    for point in hull {
        let (dx, dy) = (point[0] - first[0], point[1] - first[1]);
        let along = [dx * axis[0] + dy * axis[1], dy * axis[0] - dx * axis[1]];
        for (span, value) in spans.iter_mut().zip(along) {
            span[0] = span[0].min(value);
            span[1] = span[1].max(value);
        }
    }
    let [u, v] = spans;
    let (mid_u, mid_v) = (f32::midpoint(u[0], u[1]), f32::midpoint(v[0], v[1]));
    TiltedRect {
        center: [
            first[0] + axis[0] * mid_u - axis[1] * mid_v,
            first[1] + axis[1] * mid_u + axis[0] * mid_v,
        ],
        axis,
        width: u[1] - u[0],
        height: v[1] - v[0],
    }
}

/// Returns how far a detected core is grown on each side to hold the whole line.
///
/// The detector marks a shrunken core of each line. Offsetting by `area * ratio / perimeter` undoes that
/// (Liao et al., Real-time Scene Text Detection with Differentiable Binarization, 2020); for a rectangle
/// the offset polygon is a rectangle again.
pub(in crate::engine) fn unclip_margin(width: f32, height: f32, ratio: f32) -> f32 {
    width * height * ratio / (2.0 * (width + height))
}
