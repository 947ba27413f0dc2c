//! Objects: controls, bars, icons.

use eyes_evidence::record::{NonEmptyText, ObjectEntry, UniqueTexts};

use super::{
    super::{
        Control, ControlKind, ControlState, Icon, Layout,
        rect::{gap_x, shared_rows},
    },
    LeftOut,
    wording::{bbox, quote, share, text},
};
use crate::{
    limits::{MAX_RECORD_OBJECTS, PLACEHOLDER_CONTRAST},
    text::TextLine,
};

pub(super) fn objects(
    layout: &Layout,
    lines: &[TextLine],
    left_out: &mut LeftOut,
) -> Vec<ObjectEntry> {
    let mut out: Vec<ObjectEntry> = layout
        .controls
        .iter()
        .map(|c| control_object(layout, c))
        .collect();
    for bar in layout.charts.iter().flat_map(|c| &c.bars) {
        let label = bar.label.as_deref().map(quote).unwrap_or_default();
        let mut attributes = vec![format!("fill {} ({})", bar.fill, bar.fill.name())];
        attributes.extend(bar.value.as_ref().map(|v| format!("value {}", quote(v))));
        attributes.push(format!("size {}x{} px", bar.rect.width, bar.rect.height));
        out.push(ObjectEntry {
            name: text(format!("bar {label}").trim_end()),
            bbox: bbox(bar.rect, layout.size),
            attributes: unique(attributes),
        });
    }
    out.extend(layout.icons.iter().map(|i| icon_object(layout, lines, *i)));
    left_out.cut("objects", out, MAX_RECORD_OBJECTS)
}

/// Returns the name of a control, such as `button "Save"`.
pub(in super::super) fn control_name(control: &Control) -> String {
    match &control.label {
        Some(label) => format!("{} {}", control.kind.name(), quote(label)),
        None => control.kind.name().to_owned(),
    }
}

/// Returns what a control shows, such as `checked` or `64 % filled`.
pub(in super::super) fn state_words(state: ControlState) -> String {
    match state {
        ControlState::Checked => "checked".to_owned(),
        ControlState::Unchecked => "not checked".to_owned(),
        ControlState::Mixed => "partly checked (dash)".to_owned(),
        ControlState::On => "on".to_owned(),
        ControlState::Off => "off".to_owned(),
        ControlState::Filled(part) => format!("{} filled", share(f64::from(part))),
    }
}

fn control_object(layout: &Layout, control: &Control) -> ObjectEntry {
    let mut attributes = Vec::new();
    if let Some(state) = control.state {
        attributes.push(state_words(state));
    }
    if matches!(control.kind, ControlKind::Field | ControlKind::Dropdown) {
        attributes.push(match &control.value {
            Some(value) => format!("value {}", quote(value)),
            None => "empty".to_owned(),
        });
    }
    attributes.push(format!("fill {} ({})", control.fill, control.fill.name()));
    if let Some(border) = control.border {
        attributes.push(format!("border {border} ({})", border.name()));
    }
    let on_it = match control.kind {
        ControlKind::Button | ControlKind::Badge | ControlKind::Note | ControlKind::ListItem => {
            control.label_line
        }
        _ => control.value_line,
    };
    if let Some(line) = on_it {
        let style = layout.styles[line];
        let colour = style.foreground;
        attributes.push(format!("text {colour} ({})", colour.name()));
        if control.value_line.is_some()
            && colour.chroma() < 24
            && style.contrast < PLACEHOLDER_CONTRAST
        {
            attributes.push("value is pale, perhaps a placeholder".to_owned());
        }
    }
    if fills_its_box(control) {
        attributes.push("may be an icon read as a letter".to_owned());
    }
    attributes.push(format!(
        "size {}x{} px",
        control.rect.width, control.rect.height
    ));
    ObjectEntry {
        name: text(&control_name(control)),
        bbox: bbox(control.rect, layout.size),
        attributes: unique(attributes),
    }
}

/// Whether a badge is nothing but one letter in a square or a disc: icons are read like that.
pub(super) fn fills_its_box(control: &Control) -> bool {
    let r = control.rect;
    let one = control
        .label
        .as_ref()
        .is_some_and(|l| l.chars().count() == 1);
    control.kind == ControlKind::Badge && one && r.width.abs_diff(r.height) <= 2
}

/// An icon is named by what stands beside it: what it shows is not known.
fn icon_object(layout: &Layout, lines: &[TextLine], icon: Icon) -> ObjectEntry {
    let beside = lines
        .iter()
        .filter(|l| {
            shared_rows(l.rect, icon.rect) * 2 >= l.rect.height.min(icon.rect.height)
                && gap_x(l.rect, icon.rect) <= 2 * icon.rect.width.max(l.rect.height)
        })
        .min_by_key(|l| (gap_x(l.rect, icon.rect), l.rect.x));
    let mut attributes = vec![
        format!("colour {} ({})", icon.colour, icon.colour.name()),
        format!("size {}x{} px", icon.rect.width, icon.rect.height),
    ];
    if let Some(line) = beside {
        let side = if line.rect.x >= icon.rect.x {
            "left"
        } else {
            "right"
        };
        attributes.push(format!("{side} of {}", quote(&line.text)));
    }
    ObjectEntry {
        name: text("icon, not interpreted"),
        bbox: bbox(icon.rect, layout.size),
        attributes: unique(attributes),
    }
}

fn unique(attributes: Vec<String>) -> UniqueTexts {
    let mut texts: Vec<NonEmptyText> = Vec::new();
    for attribute in attributes {
        let attribute = text(&attribute);
        if !texts.contains(&attribute) {
            texts.push(attribute);
        }
    }
    UniqueTexts::new(texts).expect("a handful of distinct texts")
}
