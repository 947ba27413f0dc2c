//! Controls: buttons, fields, check boxes, toggles, progress bars, scroll bars.

use eyes_evidence::geometry::PixelRect;

use super::{
    colour::{Colour, pixel},
    rect::{gap_x, gap_y, middle_x, near},
    scene::Scene,
    shape::{FlatBox, outer},
};
use crate::limits::{
    BUTTON_HEIGHT, CHOICE_SIDE, FIELD_HEIGHT, LABEL_REACH, MAX_BUTTON_ASPECT, MAX_CONTROLS,
    SQUARENESS_DISC, TOGGLE_HEIGHT,
};

/// What kind of control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ControlKind {
    /// A filled or outlined box with centred text.
    Button,
    /// A small filled box tight around a short text.
    Badge,
    /// An outlined box for text, empty or with text at its left.
    Field,
    /// A field with a sign at its right end.
    Dropdown,
    /// A small square beside a text.
    Checkbox,
    /// A small circle beside a text.
    Radio,
    /// A pill with a knob.
    Toggle,
    /// A bar filled from the left.
    Progress,
    /// A highlighted row with text at its left.
    ListItem,
    /// The thumb of a scroll bar.
    Scrollbar,
}

impl ControlKind {
    /// Returns the English name, such as `text field`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Button => "button",
            Self::Badge => "badge",
            Self::Field => "text field",
            Self::Dropdown => "dropdown",
            Self::Checkbox => "checkbox",
            Self::Radio => "radio button",
            Self::Toggle => "toggle",
            Self::Progress => "progress bar",
            Self::ListItem => "highlighted item",
            Self::Scrollbar => "scrollbar",
        }
    }
}

/// What a control shows.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ControlState {
    /// A mark stands in a check box or a radio button.
    Checked,
    /// No mark.
    Unchecked,
    /// A dash stands in a check box.
    Mixed,
    /// The knob is at the right.
    On,
    /// The knob is at the left.
    Off,
    /// The filled share of a progress bar, 0..=1.
    Filled(f32),
}

/// A control.
#[derive(Debug, Clone, PartialEq)]
pub struct Control {
    /// What kind.
    pub kind: ControlKind,
    /// Where it is, with its border.
    pub rect: PixelRect,
    /// The text on it or beside it.
    pub label: Option<String>,
    /// The line of the label, as an index of the lines given.
    pub label_line: Option<usize>,
    /// The text in a field.
    pub value: Option<String>,
    /// The line of the value.
    pub value_line: Option<usize>,
    /// What it shows, where it shows one of several states.
    pub state: Option<ControlState>,
    /// Its colour.
    pub fill: Colour,
    /// The colour of its border, where it has one.
    pub border: Option<Colour>,
}

impl Control {
    fn new(kind: ControlKind, b: &FlatBox) -> Self {
        Self {
            kind,
            rect: outer(b),
            label: None,
            label_line: None,
            value: None,
            value_line: None,
            state: None,
            fill: b.fill,
            border: b.border,
        }
    }

    fn labelled(mut self, scene: &Scene<'_>, line: Option<usize>) -> Self {
        self.label = line.map(|l| scene.text(l).to_owned());
        self.label_line = line;
        self
    }
}

/// Finds the controls and marks their boxes and lines as spoken for.
pub(super) fn controls(scene: &mut Scene<'_>) -> Vec<Control> {
    let mut found = Vec::new();
    // Small things first: a knob belongs to its toggle before anything else is made of it.
    type Finder = fn(&Scene<'_>, usize) -> Option<Control>;
    let finders: [Finder; 6] = [toggle, progress, choice, text_box, list_item, scrollbar];
    for finder in finders {
        for at in 0..scene.boxes.len() {
            if scene.taken[at] || found.len() >= MAX_CONTROLS {
                continue;
            }
            if let Some(control) = finder(scene, at) {
                claim(scene, at, &control);
                found.push(control);
            }
        }
    }
    found.sort_by_key(|c| (c.rect.y, c.rect.x, c.kind));
    found
}

fn claim(scene: &mut Scene<'_>, at: usize, control: &Control) {
    scene.taken[at] = true;
    let area = control.rect;
    for other in 0..scene.boxes.len() {
        if super::rect::contains(area, scene.boxes[other].rect) {
            scene.taken[other] = true;
        }
    }
    for line in [control.label_line, control.value_line]
        .into_iter()
        .flatten()
    {
        scene.used[line] = true;
    }
}

fn set_off(b: &FlatBox) -> bool {
    b.outlined() || b.filled()
}

fn toggle(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let b = &scene.boxes[at];
    let (w, h) = (b.rect.width, b.rect.height);
    let pill = TOGGLE_HEIGHT.contains(&h)
        && w * 10 >= h * 14
        && w * 10 <= h * 34
        && (0.78..=0.98).contains(&b.squareness);
    if !pill || !set_off(b) || !scene.texts[at].is_empty() {
        return None;
    }
    let mut knobs = scene.boxes[at + 1..].iter().filter(|k| {
        let r = k.rect;
        super::rect::share_inside(r, b.rect) > 0.9
            && near(r.width, r.height, 2)
            && r.height * 100 >= h * 45
            && k.squareness < 0.92
            && k.fill.distance(b.fill) > 24
    });
    let knob = knobs.next()?;
    if knobs.next().is_some() {
        return None;
    }
    let (left, right) = (
        knob.rect.x.saturating_sub(b.rect.x),
        b.rect.right().saturating_sub(knob.rect.right()),
    );
    if left.max(right) < 3 * left.min(right).max(1) {
        return None;
    }
    let reach = LABEL_REACH * 3;
    let label = scene
        .beside(b.rect, false, reach)
        .filter(|&l| !scene.box_between(scene.rect(l), b.rect))
        .filter(|&l| gap_x(scene.rect(l), b.rect) <= LABEL_REACH * 3)
        .or_else(|| scene.beside(b.rect, true, LABEL_REACH));
    let right_label = scene.beside(b.rect, true, b.rect.width);
    let mut control = Control::new(ControlKind::Toggle, b).labelled(scene, right_label.or(label));
    control.state = Some(if left > right {
        ControlState::On
    } else {
        ControlState::Off
    });
    Some(control)
}

/// A filled part at the left and the rest of the track directly after it.
fn progress(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let done = &scene.boxes[at];
    let r = done.rect;
    let thin = (6..=32).contains(&r.height);
    if !thin || !scene.texts[at].is_empty() || done.squareness < 0.75 {
        return None;
    }
    let continues = |from: PixelRect, b: &FlatBox| {
        near(b.rect.y, from.y, 2)
            && near(b.rect.height, from.height, 3)
            && b.rect.right() > from.right()
            && b.rect.x + from.height >= from.right()
            && b.rect.x <= from.right() + 3
    };
    let mut rest = scene
        .boxes
        .iter()
        .enumerate()
        .filter(|(_, b)| continues(r, b));
    let (rest_at, track) = rest.next()?;
    let right = track.rect.right();
    let whole = right - r.x;
    let alone = rest.next().is_none()
        && !scene.boxes.iter().any(|b| continues(track.rect, b))
        && !scene
            .boxes
            .iter()
            .any(|b| continues(b.rect, done) && b.rect != r);
    let track_quiet = track.fill.distance(track.around) < done.fill.distance(track.around);
    if !alone
        || !track_quiet
        || whole < 5 * r.height
        || scene.taken[rest_at]
        || !scene.texts[rest_at].is_empty()
        || done.fill.distance(track.fill) < 24
    {
        return None;
    }
    let mut control = Control::new(ControlKind::Progress, done);
    control.rect.width = right.saturating_sub(control.rect.x);
    control.state = Some(ControlState::Filled(r.width as f32 / whole as f32));
    let place = control.rect;
    let label = scene
        .above(place, r.height.max(16))
        .or_else(|| scene.beside(place, false, LABEL_REACH))
        .or_else(|| scene.beside(place, true, LABEL_REACH));
    Some(control.labelled(scene, label))
}

/// Check boxes and radio buttons.
fn choice(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let b = &scene.boxes[at];
    let (w, h) = (b.rect.width, b.rect.height);
    let small = CHOICE_SIDE.contains(&w) && CHOICE_SIDE.contains(&h) && near(w, h, 2);
    if !small
        || scene.texts[at]
            .iter()
            .any(|&l| scene.text(l).chars().count() > 1)
    {
        return None;
    }
    let square = b.squareness > 0.9;
    let disc = (SQUARENESS_DISC..0.88).contains(&b.squareness);
    let mark = scene.marked(b, h.div_ceil(6));
    let centre = pixel(scene.image, middle_x(b.rect), b.rect.y + h / 2);
    let centre_differs = centre.distance(b.fill) > 60;
    let label = scene.beside(b.rect, true, h * 2 + 4);
    // A coloured square without a mark or a border is a legend or a bullet.
    let (kind, state) = if square && (b.outlined() || mark > 0.06) {
        (ControlKind::Checkbox, check_state(scene, b, mark))
    } else if disc && b.outlined() && !(centre_differs && mark < 0.1) {
        (ControlKind::Radio, radio_state(centre_differs))
    } else if disc && !b.outlined() && centre_differs && b.solidity < 0.92 {
        (ControlKind::Radio, ControlState::Checked)
    } else {
        return None;
    };
    let plausible = label.is_some() || (b.outlined() && square && b.solidity > 0.5 && h >= 10);
    if !plausible || !set_off(b) {
        return None;
    }
    let mut control = Control::new(kind, b).labelled(scene, label);
    control.label = label.map(|l| without_mark(scene, l, b.rect));
    control.state = Some(state);
    Some(control)
}

const fn radio_state(centre_differs: bool) -> ControlState {
    if centre_differs {
        ControlState::Checked
    } else {
        ControlState::Unchecked
    }
}

fn check_state(scene: &Scene<'_>, b: &FlatBox, mark: f32) -> ControlState {
    if mark <= 0.06 {
        return ControlState::Unchecked;
    }
    // A dash leaves the upper and the lower third empty.
    let third = b.rect.height / 3;
    let inset = b.rect.height.div_ceil(6);
    let part = |y: u32| FlatBox {
        rect: PixelRect {
            x: b.rect.x + inset,
            y,
            width: b.rect.width.saturating_sub(2 * inset),
            height: third.saturating_sub(inset).max(1),
        },
        ..*b
    };
    let upper = scene.marked(&part(b.rect.y + inset), 0);
    let lower = scene.marked(&part(b.rect.bottom() - third), 0);
    if upper == 0.0 && lower == 0.0 {
        ControlState::Mixed
    } else {
        ControlState::Checked
    }
}

/// The label without the letter that the reader made of the control itself.
fn without_mark(scene: &Scene<'_>, line: usize, control: PixelRect) -> String {
    let line = &scene.lines[line];
    match line.words.split_first() {
        Some((first, rest))
            if !rest.is_empty()
                && first.text.chars().count() == 1
                && super::rect::shared_columns(first.rect, control) > 0 =>
        {
            let words: Vec<&str> = rest.iter().map(|w| w.text.as_str()).collect();
            words.join(" ")
        }
        _ => line.text.trim().to_owned(),
    }
}

/// Buttons, badges, fields and dropdowns: a set-off box of one row with at most one text.
fn text_box(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let b = &scene.boxes[at];
    let r = b.rect;
    if !set_off(b) || r.width < r.height || b.squareness < 0.75 || scene.texts[at].len() > 1 {
        return None;
    }
    let Some(&line) = scene.texts[at].first() else {
        return empty_field(scene, b);
    };
    let text = scene.rect(line);
    if text.height == 0 || r.height > 6 * text.height || !BUTTON_HEIGHT.contains(&r.height) {
        return None;
    }
    let (left, right) = (
        text.x.saturating_sub(r.x),
        r.right().saturating_sub(text.right()),
    );
    let centred = left.abs_diff(right) <= (r.width / 8).max(4);
    let sign = sign_at_right(scene, b, text);
    let label = field_label(scene, r);
    let fits_field = FIELD_HEIGHT.contains(&r.height) && r.width * 10 >= r.height * 25;
    if b.outlined() && fits_field && left <= 2 * text.height + 12 && !(centred && label.is_none()) {
        let snug = left.abs_diff(right) <= 3;
        if !snug || (label.is_some() && r.width > 8 * r.height) {
            let kind = if sign {
                ControlKind::Dropdown
            } else {
                ControlKind::Field
            };
            let mut control = Control::new(kind, b).labelled(scene, label);
            control.value = Some(scene.text(line).to_owned());
            control.value_line = Some(line);
            return Some(control);
        }
    }
    if !centred || r.width > MAX_BUTTON_ASPECT * r.height {
        return None;
    }
    let tight = r.height * 10 < text.height * 19 || r.height < 20;
    let kind = if tight {
        ControlKind::Badge
    } else {
        ControlKind::Button
    };
    Some(Control::new(kind, b).labelled(scene, Some(line)))
}

fn empty_field(scene: &Scene<'_>, b: &FlatBox) -> Option<Control> {
    let r = b.rect;
    let fits = FIELD_HEIGHT.contains(&r.height) && r.width * 10 >= r.height * 25;
    let bare = b.solidity > 0.9 && b.outlined() && fits;
    let label = field_label(scene, r)?;
    bare.then(|| Control::new(ControlKind::Field, b).labelled(scene, Some(label)))
}

/// The text that names a field: directly above it, or left of it on its row.
fn field_label(scene: &Scene<'_>, field: PixelRect) -> Option<usize> {
    let free = |line: &usize| !scene.used[*line];
    let above = scene.above(field, field.height * 2 / 3).filter(free);
    let left = scene
        .beside(field, false, LABEL_REACH)
        .filter(free)
        .filter(|&l| !scene.box_between(scene.rect(l), field));
    match (above, left) {
        (Some(a), Some(l)) => {
            let (up, aside) = (gap_y(scene.rect(a), field), gap_x(scene.rect(l), field));
            Some(if aside <= up { l } else { a })
        }
        (above, left) => above.or(left),
    }
}

/// Whether something small stands near the right end of a field, apart from its text.
fn sign_at_right(scene: &Scene<'_>, b: &FlatBox, text: PixelRect) -> bool {
    let r = b.rect;
    let zone = FlatBox {
        rect: PixelRect {
            x: r.right().saturating_sub(r.height).max(text.right() + 2),
            y: r.y + r.height / 5,
            width: (r.height * 7 / 8).min(r.right().saturating_sub(text.right() + 4)),
            height: r.height * 3 / 5,
        },
        ..*b
    };
    scene.marked(&zone, 0) > 0.02
}

/// A filled row with text at its left, such as the chosen entry of a menu.
fn list_item(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let b = &scene.boxes[at];
    let r = b.rect;
    let &[line] = scene.texts[at].as_slice() else {
        return None;
    };
    let text = scene.rect(line);
    let row = BUTTON_HEIGHT.contains(&r.height)
        && r.height <= 5 * text.height
        && r.width >= 2 * r.height
        && r.width <= scene.image.size().width / 2;
    let left = text.x.saturating_sub(r.x);
    let at_left = left < r.width / 3 && left < r.right().saturating_sub(text.right());
    let plain = b.filled() && !b.outlined() && row && at_left;
    plain.then(|| Control::new(ControlKind::ListItem, b).labelled(scene, Some(line)))
}

/// A thin upright bar at the right edge of what holds it.
fn scrollbar(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let b = &scene.boxes[at];
    let r = b.rect;
    let edge = b
        .parent
        .map_or(scene.image.size().width, |p| scene.boxes[p].rect.right());
    let thumb = (4..=18).contains(&r.width)
        && r.height >= 30
        && r.height >= 3 * r.width
        && b.solidity > 0.95
        && b.fill.chroma() < 24
        && edge.saturating_sub(r.right()) <= 6
        && b.filled();
    thumb.then(|| Control::new(ControlKind::Scrollbar, b))
}
