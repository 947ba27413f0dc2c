//! Controls: buttons, fields, check boxes, toggles, progress bars, scroll bars.

use eyes_evidence::geometry::PixelRect;

use super::{
    choice::{choice, dotted_ring},
    colour::Colour,
    ray::pill_around,
    rect::{contains, gap_x, gap_y, near},
    scene::Scene,
    shape::{FlatBox, outer},
};
use crate::limits::{
    BUTTON_HEIGHT, FIELD_HEIGHT, LABEL_REACH, MAX_BUTTON_ASPECT, MAX_CONTROLS, SQUARENESS_DISC,
    TOGGLE_HEIGHT,
};

/// What kind of control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ControlKind {
    /// A filled or outlined box with centred text.
    Button,
    /// A small filled box tight around a short text.
    Badge,
    /// A filled or outlined box around one line of running text, such as a chat bubble.
    Note,
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
            Self::Note => "text box",
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
    pub(super) fn new(kind: ControlKind, b: &FlatBox) -> Self {
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

/// Makes a control of a box when its rule fits.
type Finder = fn(&Scene<'_>, usize) -> Option<Control>;

/// Finds the controls and marks their boxes and lines as spoken for.
pub(super) fn controls(scene: &mut Scene<'_>) -> Vec<Control> {
    let mut found = Vec::new();
    // Small things first: a knob belongs to its toggle before anything else is made of it.
    let finders: [Finder; 7] = [
        toggle,
        dotted_ring,
        progress,
        choice,
        text_box,
        list_item,
        scrollbar,
    ];
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
        if contains(area, scene.boxes[other].rect) {
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

/// Tells whether a box is set off from what is around it.
pub(super) fn set_off(b: &FlatBox) -> bool {
    b.outlined() || b.filled()
}

fn toggle(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let knob = &scene.boxes[at];
    let r = knob.rect;
    let disc = near(r.width, r.height, 2) && (SQUARENESS_DISC..0.93).contains(&knob.squareness);
    if !disc || r.height > *TOGGLE_HEIGHT.end() || !scene.texts[at].is_empty() {
        return None;
    }
    let pill = pill_around(scene.image, knob).filter(|p| TOGGLE_HEIGHT.contains(&p.rect.height))?;
    if !scene.lines_in(pill.rect).is_empty() {
        return None;
    }
    let label = toggle_label(scene, pill.rect);
    let mut control = Control::new(ControlKind::Toggle, knob).labelled(scene, label);
    control.rect = pill.rect;
    control.fill = pill.fill;
    control.border = None;
    control.state = Some(if pill.at_right {
        ControlState::On
    } else {
        ControlState::Off
    });
    Some(control)
}

/// The text directly right of a toggle, or left of it on its row; `ON` beside it is its state, no name.
fn toggle_label(scene: &Scene<'_>, pill: PixelRect) -> Option<usize> {
    let names = |l: &usize| !is_state_word(scene.text(*l));
    let close = scene.beside(pill, true, pill.width).filter(names);
    close.or_else(|| {
        let mut from = pill;
        // One caption of the state may stand between the toggle and its name.
        for _ in 0..2 {
            let line = scene
                .beside(from, false, LABEL_REACH)
                .filter(|&l| !scene.box_between(scene.rect(l), pill))
                .filter(|&l| scene.shares_home(l, pill))?;
            if names(&line) {
                return Some(line);
            }
            from = scene.rect(line);
        }
        None
    })
}

fn is_state_word(text: &str) -> bool {
    const WORDS: [&str; 10] = [
        "on",
        "off",
        "yes",
        "no",
        "enabled",
        "disabled",
        "\u{5f00}",
        "\u{5173}",
        "\u{5df2}\u{5f00}\u{542f}",
        "\u{5df2}\u{5173}\u{95ed}",
    ];
    WORDS.contains(&text.to_lowercase().as_str())
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
        .or_else(|| scene.beside(place, false, place.width))
        .or_else(|| scene.beside(place, true, place.width));
    Some(control.labelled(scene, label))
}

/// Buttons, badges, fields and dropdowns: a set-off box of one row with at most one text.
fn text_box(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let b = &scene.boxes[at];
    let r = b.rect;
    if !set_off(b) || r.width < r.height || b.squareness < 0.75 || scene.texts[at].len() > 1 {
        return None;
    }
    // What holds another wide box is a panel.
    if scene.boxes[at + 1..]
        .iter()
        .any(|o| contains(r, o.rect) && o.rect.width * 3 > r.width)
    {
        return None;
    }
    let Some(&line) = scene.texts[at].first() else {
        return empty_field(scene, b);
    };
    let text = scene.rect(line);
    if text.height == 0 || r.height > 5 * text.height || !BUTTON_HEIGHT.contains(&r.height) {
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
    let kind = if is_sentence(scene.text(line)) {
        ControlKind::Note
    } else if tight {
        ControlKind::Badge
    } else {
        ControlKind::Button
    };
    Some(Control::new(kind, b).labelled(scene, Some(line)))
}

/// Running text is no caption of a button: it is long, or ends like a sentence.
fn is_sentence(text: &str) -> bool {
    let chars = text.chars().count();
    let wide = text.chars().filter(|c| *c >= '\u{2e80}').count();
    let ends = text.ends_with(['.', '!', '?', '\u{3002}', '\u{ff01}', '\u{ff1f}']);
    chars + wide > 40 || (ends && (text.split_whitespace().count() > 2 || wide > 7))
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
        .filter(|&l| !scene.box_between(scene.rect(l), field))
        .filter(|&l| scene.shares_home(l, field))
        .map(|l| caption_head(scene, l, field));
    match (above, left) {
        (Some(a), Some(l)) => {
            let (up, aside) = (gap_y(scene.rect(a), field), gap_x(scene.rect(l), field));
            Some(if aside <= up { l } else { a })
        }
        (above, left) => above.or(left),
    }
}

/// The first line of a caption that stands beside `field`: a name, and below it a remark in print that is no
/// larger.
fn caption_head(scene: &Scene<'_>, line: usize, field: PixelRect) -> usize {
    let remark = scene.rect(line);
    let is_head = |other: &usize| {
        let r = scene.rect(*other);
        !scene.used[*other]
            && r.x.abs_diff(remark.x) <= remark.height / 2
            && r.y < remark.y
            && remark.y.saturating_sub(r.bottom()) <= remark.height
            && r.bottom() > field.y
            // Ink without a letter that reaches below the line is lower in print of the same size.
            && r.height * 10 >= remark.height * 7
    };
    (0..scene.used.len())
        .filter(is_head)
        .min_by_key(|other| scene.rect(*other).y)
        .unwrap_or(line)
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

/// A filled row with one text that is not centred: the chosen entry of a menu when entries above or below
/// it begin at the same column, a button when its colour is strong and its text stands away from both
/// ends, otherwise a box with text.
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
    let right = r.right().saturating_sub(text.right());
    // A piece of a larger area of the same colour is not highlighted, it lies between highlights.
    let piece = scene.is_piece(at);
    if !b.filled() || b.outlined() || !row || left >= right || piece {
        return None;
    }
    let entry = |other: usize| {
        let o = scene.rect(other);
        other != line && near(o.x, text.x, 8) && gap_y(o, text) <= 2 * r.height && !contains(r, o)
    };
    let strong = b.fill.distance(b.around) >= 60;
    let kind = if strong && left * 100 >= r.width * 15 && !is_sentence(scene.text(line)) {
        ControlKind::Button
    } else if (0..scene.lines.len()).any(entry) {
        ControlKind::ListItem
    } else {
        ControlKind::Note
    };
    Some(Control::new(kind, b).labelled(scene, Some(line)))
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
