//! Check boxes and radio buttons, and the words that name them.

use eyes_evidence::geometry::PixelRect;

use super::{
    colour::pixel,
    control::{Control, ControlKind, ControlState, set_off},
    ray::ring_around,
    rect::{gap_x, middle_x, near, shared_rows},
    scene::Scene,
    shape::FlatBox,
};
use crate::{
    limits::{CHOICE_SIDE, SQUARENESS_DISC},
    text::TextWord,
};

/// A dot inside a ring.
pub(super) fn dotted_ring(scene: &Scene<'_>, at: usize) -> Option<Control> {
    let dot = &scene.boxes[at];
    let r = dot.rect;
    let disc = near(r.width, r.height, 1) && (SQUARENESS_DISC..0.9).contains(&dot.squareness);
    if !disc || r.width > *CHOICE_SIDE.end() / 2 {
        return None;
    }
    let ring = ring_around(scene.image, dot).filter(|ring| CHOICE_SIDE.contains(&ring.width))?;
    let (line, label) = choice_label(scene, ring)?;
    let mut control = Control::new(ControlKind::Radio, dot);
    control.label_line = Some(line);
    control.label = Some(label);
    control.rect = ring;
    control.border = None;
    control.state = Some(ControlState::Checked);
    Some(control)
}

/// Check boxes and radio buttons.
pub(super) fn choice(scene: &Scene<'_>, at: usize) -> Option<Control> {
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
    let label = choice_label(scene, b.rect);
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
    let mut control = Control::new(kind, b);
    control.label_line = label.as_ref().map(|(line, _)| *line);
    control.label = label.map(|(_, text)| text);
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

/// The words right of a check box or a radio button, as far as they stand together: several choices may
/// share one line, and the reader may have taken the control itself for a letter.
fn choice_label(scene: &Scene<'_>, control: PixelRect) -> Option<(usize, String)> {
    let reach = 2 * control.height + 4;
    let candidates = scene.lines.iter().enumerate().filter_map(|(nth, line)| {
        let level = shared_rows(line.rect, control) * 2 >= line.rect.height.min(control.height);
        if !level || line.rect.right() <= control.right() {
            return None;
        }
        let whole = [TextWord {
            text: line.text.trim().to_owned(),
            rect: line.rect,
        }];
        let words = if line.words.is_empty() {
            &whole[..]
        } else {
            &line.words[..]
        };
        let after = words.iter().position(|w| {
            let covers = w.rect.x <= control.x + 2 && w.text.chars().count() > 1;
            w.rect.right() > control.right() + 2 && (covers || w.rect.x + 3 >= control.right())
        })?;
        let gap = words[after].rect.x.saturating_sub(control.right());
        let break_at = (line.rect.height * 3 / 2).max(20);
        let end = words[after..]
            .windows(2)
            .position(|pair| gap_x(pair[0].rect, pair[1].rect) > break_at)
            .map_or(words.len(), |at| after + at + 1);
        let text: Vec<&str> = words[after..end].iter().map(|w| w.text.as_str()).collect();
        (gap <= reach).then(|| (gap, nth, text.join(" ")))
    });
    candidates
        .min_by_key(|(gap, nth, _)| (*gap, *nth))
        .map(|(_, nth, text)| (nth, text))
}
