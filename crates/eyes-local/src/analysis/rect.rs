//! Arithmetic on pixel rectangles.

use eyes_evidence::geometry::PixelRect;

/// Builds a rectangle from its edges; `right` and `bottom` are exclusive.
pub(super) const fn from_edges(left: u32, top: u32, right: u32, bottom: u32) -> PixelRect {
    PixelRect {
        x: left,
        y: top,
        width: right.saturating_sub(left),
        height: bottom.saturating_sub(top),
    }
}

/// Returns the number of pixels.
pub(super) const fn area(r: PixelRect) -> u64 {
    r.width as u64 * r.height as u64
}

/// Returns how many columns two rectangles share.
pub(super) fn shared_columns(a: PixelRect, b: PixelRect) -> u32 {
    a.right().min(b.right()).saturating_sub(a.x.max(b.x))
}

/// Returns how many rows two rectangles share.
pub(super) fn shared_rows(a: PixelRect, b: PixelRect) -> u32 {
    a.bottom().min(b.bottom()).saturating_sub(a.y.max(b.y))
}

/// Returns which share of `inner` lies inside `outer`, 0 for an empty `inner`.
pub(super) fn share_inside(inner: PixelRect, outer: PixelRect) -> f32 {
    let shared = u64::from(shared_columns(inner, outer)) * u64::from(shared_rows(inner, outer));
    let whole = area(inner);
    if whole == 0 {
        0.0
    } else {
        shared as f32 / whole as f32
    }
}

/// Tells whether `inner` lies inside `outer`, edges included.
pub(super) fn contains(outer: PixelRect, inner: PixelRect) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && inner.right() <= outer.right()
        && inner.bottom() <= outer.bottom()
}

/// Tells whether the centre of `inner` lies inside `outer`.
pub(super) fn holds_centre(outer: PixelRect, inner: PixelRect) -> bool {
    let (x, y) = (middle_x(inner), middle_y(inner));
    x >= outer.x && x < outer.right() && y >= outer.y && y < outer.bottom()
}

/// Returns the smallest rectangle around both.
pub(super) fn union(a: PixelRect, b: PixelRect) -> PixelRect {
    from_edges(
        a.x.min(b.x),
        a.y.min(b.y),
        a.right().max(b.right()),
        a.bottom().max(b.bottom()),
    )
}

/// Returns the smallest rectangle around all; nothing for an empty list.
pub(super) fn union_all(rects: impl IntoIterator<Item = PixelRect>) -> Option<PixelRect> {
    rects.into_iter().reduce(union)
}

/// Returns the rectangle grown by `by` on each side; the right and bottom edges may leave the image.
pub(super) const fn grown(r: PixelRect, by: u32) -> PixelRect {
    from_edges(
        r.x.saturating_sub(by),
        r.y.saturating_sub(by),
        r.right().saturating_add(by),
        r.bottom().saturating_add(by),
    )
}

/// Returns the middle column.
pub(super) const fn middle_x(r: PixelRect) -> u32 {
    r.x + r.width / 2
}

/// Returns the middle row.
pub(super) const fn middle_y(r: PixelRect) -> u32 {
    r.y + r.height / 2
}

/// Returns the columns between two rectangles, 0 when they share one.
pub(super) fn gap_x(a: PixelRect, b: PixelRect) -> u32 {
    b.x.saturating_sub(a.right())
        .max(a.x.saturating_sub(b.right()))
}

/// Returns the rows between two rectangles, 0 when they share one.
pub(super) fn gap_y(a: PixelRect, b: PixelRect) -> u32 {
    b.y.saturating_sub(a.bottom())
        .max(a.y.saturating_sub(b.bottom()))
}

/// Tells whether two lengths or positions differ by at most `slack`.
pub(super) const fn near(a: u32, b: u32, slack: u32) -> bool {
    a.abs_diff(b) <= slack
}

/// Returns the median, 0 for an empty list.
pub(super) fn median(mut values: Vec<u32>) -> u32 {
    let middle = values.len() / 2;
    if values.is_empty() {
        return 0;
    }
    *values.select_nth_unstable(middle).1
}
