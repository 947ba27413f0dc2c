//! Bar charts: boxes of one base line and different length, with the texts that name and measure them.

use eyes_evidence::geometry::PixelRect;

use super::{
    colour::Colour,
    rect::{gap_x, gap_y, middle_x, middle_y, near, shared_columns, shared_rows, union_all},
    scene::Scene,
};
use crate::limits::{MAX_AXIS_ERROR, MAX_CHARTS, MIN_BAR_CHROMA, MIN_BARS};

/// One bar.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Where it is.
    pub rect: PixelRect,
    /// Its colour.
    pub fill: Colour,
    /// The text at its foot.
    pub label: Option<String>,
    /// The text at its end, as it stands there.
    pub value: Option<String>,
    /// What the axis says at its end, where the marks of the axis fit a straight line.
    pub estimate: Option<f64>,
}

/// A bar chart.
#[derive(Debug, Clone, PartialEq)]
pub struct BarChart {
    /// The bars and their texts.
    pub rect: PixelRect,
    /// Whether the bars stand upright.
    pub upright: bool,
    /// The bars, from left to right or from top to bottom.
    pub bars: Vec<Bar>,
}

/// Finds bar charts and marks their boxes and lines as spoken for.
pub(super) fn bar_charts(scene: &mut Scene<'_>) -> Vec<BarChart> {
    let mut charts = Vec::new();
    for upright in [true, false] {
        for group in bar_groups(scene, upright) {
            if charts.len() < MAX_CHARTS {
                charts.push(chart(scene, &group, upright));
            }
        }
    }
    charts.sort_by_key(|c: &BarChart| (c.rect.y, c.rect.x));
    charts
}

/// Length and thickness of a bar.
const fn extent(r: PixelRect, upright: bool) -> (u32, u32) {
    if upright {
        (r.height, r.width)
    } else {
        (r.width, r.height)
    }
}

/// The coordinate of the foot of a bar.
const fn foot(r: PixelRect, upright: bool) -> u32 {
    if upright { r.bottom() } else { r.x }
}

/// Groups of at least [`MIN_BARS`] coloured boxes of equal thickness on one base line, apart from each
/// other, with different lengths: a row of buttons has one length.
fn bar_groups(scene: &Scene<'_>, upright: bool) -> Vec<Vec<usize>> {
    let boxes = scene.boxes;
    let candidate = |&at: &usize| {
        let b = &boxes[at];
        !scene.taken[at]
            && b.squareness > 0.93
            && b.fill.chroma() >= MIN_BAR_CHROMA
            && b.filled()
            && scene.texts[at].len() <= 1
    };
    let mut open: Vec<usize> = (0..boxes.len()).filter(candidate).collect();
    open.sort_by_key(|&at| {
        let r = boxes[at].rect;
        (foot(r, upright), r.x, r.y)
    });
    let mut groups = Vec::new();
    let mut rest = open;
    while let Some(&first) = rest.first() {
        let base = boxes[first].rect;
        let thick = extent(base, upright).1;
        let (mut group, others): (Vec<usize>, Vec<usize>) = rest.iter().partition(|&&at| {
            let r = boxes[at].rect;
            near(foot(r, upright), foot(base, upright), 2)
                && near(extent(r, upright).1, thick, (thick / 6).max(2))
                && boxes[at].parent == boxes[first].parent
        });
        rest = others;
        group.sort_by_key(|&at| {
            if upright {
                boxes[at].rect.x
            } else {
                boxes[at].rect.y
            }
        });
        if is_chart(scene, &group, upright) {
            groups.push(group);
        }
    }
    groups
}

fn is_chart(scene: &Scene<'_>, group: &[usize], upright: bool) -> bool {
    let lengths = || {
        group
            .iter()
            .map(|&at| extent(scene.boxes[at].rect, upright).0)
    };
    let (Some(longest), Some(shortest)) = (lengths().max(), lengths().min()) else {
        return false;
    };
    let apart = group.windows(2).all(|pair| {
        let (a, b) = (scene.boxes[pair[0]].rect, scene.boxes[pair[1]].rect);
        if upright {
            shared_columns(a, b) == 0
        } else {
            shared_rows(a, b) == 0
        }
    });
    group.len() >= MIN_BARS && apart && (longest - shortest) * 20 >= longest
}

fn chart(scene: &mut Scene<'_>, group: &[usize], upright: bool) -> BarChart {
    let rects: Vec<PixelRect> = group.iter().map(|&at| scene.boxes[at].rect).collect();
    let axis = upright.then(|| axis(scene, &rects)).flatten();
    let mut bars = Vec::new();
    let mut around: Vec<PixelRect> = rects.clone();
    for &at in group {
        let b = scene.boxes[at];
        let (label, value) = (
            at_foot(scene, b.rect, upright),
            at_end(scene, b.rect, upright),
        );
        for line in [label, value].into_iter().flatten() {
            scene.used[line] = true;
            around.push(scene.rect(line));
        }
        scene.taken[at] = true;
        let text = |line: Option<usize>| line.map(|l| scene.text(l).to_owned());
        bars.push(Bar {
            rect: b.rect,
            fill: b.fill,
            label: text(label),
            value: text(value),
            estimate: axis.map(|(slope, start)| slope * f64::from(b.rect.y) + start),
        });
    }
    BarChart {
        rect: union_all(around).unwrap_or(rects[0]),
        upright,
        bars,
    }
}

/// Whether a text is a number, perhaps with a sign, a unit or a currency.
pub(super) fn number(text: &str) -> Option<f64> {
    let kept: String = text.chars().filter(|c| !matches!(c, ',' | ' ')).collect();
    let start = kept.find(|c: char| c.is_ascii_digit())?;
    let sign = kept[..start].ends_with(['-', '\u{2212}']);
    let digits: String = kept[start..]
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let other = kept.chars().filter(|c| c.is_alphabetic()).count();
    let value: f64 = digits.trim_end_matches('.').parse().ok()?;
    (other <= 3).then_some(if sign { -value } else { value })
}

fn at_foot(scene: &Scene<'_>, bar: PixelRect, upright: bool) -> Option<usize> {
    let fits = |&line: &usize| {
        let r = scene.rect(line);
        if upright {
            r.y + 2 >= bar.bottom()
                && gap_y(bar, r) <= 3 * r.height
                && near(middle_x(r), middle_x(bar), (bar.width / 2).max(r.height))
        } else {
            r.right() <= bar.x + 2
                && gap_x(bar, r) <= 12 * r.height
                && shared_rows(r, bar) * 2 >= r.height.min(bar.height)
        }
    };
    (0..scene.lines.len())
        .filter(|l| !scene.used[*l])
        .filter(fits)
        .min_by_key(|&l| gap_x(bar, scene.rect(l)) + gap_y(bar, scene.rect(l)))
}

fn at_end(scene: &Scene<'_>, bar: PixelRect, upright: bool) -> Option<usize> {
    let fits = |&line: &usize| {
        let r = scene.rect(line);
        if upright {
            let aside = near(middle_x(r), middle_x(bar), (bar.width / 2).max(r.height));
            let on_top = r.bottom() <= bar.y + 3 && gap_y(bar, r) <= 2 * r.height;
            let inside = r.y >= bar.y && r.bottom() <= bar.bottom();
            aside && (on_top || inside)
        } else {
            let level = shared_rows(r, bar) * 2 >= r.height.min(bar.height);
            let after = r.x + 3 >= bar.right() && gap_x(bar, r) <= 3 * r.height;
            let inside = r.x >= bar.x && r.right() <= bar.right();
            level && (after || inside)
        }
    };
    (0..scene.lines.len())
        .filter(|&l| !scene.used[l] && number(scene.text(l)).is_some())
        .filter(fits)
        .min_by_key(|&l| gap_x(bar, scene.rect(l)) + gap_y(bar, scene.rect(l)))
}

/// Fits the numbers left of the bars to a straight line of value over row; returns slope and start.
fn axis(scene: &Scene<'_>, bars: &[PixelRect]) -> Option<(f64, f64)> {
    let whole = union_all(bars.iter().copied())?;
    let marks: Vec<(f64, f64)> = (0..scene.lines.len())
        .filter_map(|line| {
            let r = scene.rect(line);
            let beside = r.right() <= whole.x
                && gap_x(whole, r) <= 8 * r.height + whole.width / 4
                && middle_y(r) + 4 * r.height >= whole.y.saturating_sub(whole.height / 2)
                && middle_y(r) <= whole.bottom() + r.height;
            let centre = f64::from(r.y) + f64::from(r.height) / 2.0;
            // A mark of an axis begins with its number.
            let mark =
                |c: char| c.is_ascii_digit() || "+-.$\u{2212}\u{20ac}\u{a3}\u{a5}".contains(c);
            let beside = beside && scene.text(line).starts_with(mark);
            beside.then_some((centre, number(scene.text(line))?))
        })
        .collect();
    let n = marks.len() as f64;
    if marks.len() < 3 {
        return None;
    }
    let (sy, sv) = marks
        .iter()
        .fold((0.0, 0.0), |(a, b), (y, v)| (a + y, b + v));
    let (my, mv) = (sy / n, sv / n);
    let (mut syy, mut syv) = (0.0, 0.0);
    for (y, v) in &marks {
        syy += (y - my) * (y - my);
        syv += (y - my) * (v - mv);
    }
    let slope = syv / syy;
    let start = mv - slope * my;
    let range = marks.iter().map(|m| m.1).fold(f64::MIN, f64::max)
        - marks.iter().map(|m| m.1).fold(f64::MAX, f64::min);
    let straight = marks
        .iter()
        .all(|(y, v)| (slope * y + start - v).abs() <= MAX_AXIS_ERROR * range);
    (range > 0.0 && slope.is_finite() && straight).then_some((slope, start))
}
