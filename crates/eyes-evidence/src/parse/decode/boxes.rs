//! Boxes as models write them: lists, objects with many names, corner pairs, text.

use super::scalar::{number, number_text};
use crate::parse::{
    coordinates::Form,
    json::{Kind, Value},
};

/// Names under which models put a box.
pub(super) const BOX_NAMES: [&str; 7] = [
    "bbox",
    "box",
    "bbox_2d",
    "box_2d",
    "bounding_box",
    "boundingBox",
    "bounds",
];

/// Four numbers and what their labels say of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RawBox {
    pub(super) values: [f64; 4],
    pub(super) form: Form,
    /// Written in another way than as a list of four numbers.
    pub(super) converted: bool,
}

/// Members of a box object that are looked at.
const MAX_LABELS: usize = 16;

/// Objects with four names; the labels settle the order of the numbers.
const LABELS: [([&str; 4], Form); 9] = [
    (["x", "y", "width", "height"], Form::Xywh),
    (["x", "y", "w", "h"], Form::Xywh),
    (["left", "top", "width", "height"], Form::Xywh),
    (["x1", "y1", "x2", "y2"], Form::Xyxy),
    (["x_min", "y_min", "x_max", "y_max"], Form::Xyxy),
    (["xmin", "ymin", "xmax", "ymax"], Form::Xyxy),
    (["left", "top", "right", "bottom"], Form::Xyxy),
    (["x0", "y0", "x1", "y1"], Form::Xyxy),
    (["xMin", "yMin", "xMax", "yMax"], Form::Xyxy),
];

/// Reads four numbers; nothing when the value is no box.
pub(super) fn read(value: Value<'_, '_>) -> Option<RawBox> {
    match value.kind() {
        Kind::Array => list(value),
        Kind::Object => labelled(value),
        Kind::Plain => written(value.raw()),
        _ => None,
    }
}

fn list(value: Value<'_, '_>) -> Option<RawBox> {
    let mut elements = value.elements();
    let mut values = [0.0; 4];
    let mut converted = false;
    for slot in &mut values {
        let element = elements.next()?;
        let Some(numeric) = number(element) else {
            return corners(value);
        };
        *slot = numeric.value;
        converted |= numeric.converted;
    }
    elements.next().is_none().then_some(RawBox {
        values,
        form: Form::Unknown,
        converted,
    })
}

/// Two opposite corners, or the four corners of a quadrilateral.
fn corners(value: Value<'_, '_>) -> Option<RawBox> {
    let mut points = [[0.0; 2]; 4];
    let mut count = 0;
    for element in value.elements() {
        let point = points.get_mut(count)?;
        let mut pair = element.elements();
        *point = [number(pair.next()?)?.value, number(pair.next()?)?.value];
        if pair.next().is_some() {
            return None;
        }
        count += 1;
    }
    if count != 2 && count != 4 {
        return None;
    }
    let points = &points[..count];
    let low = |axis: usize| points.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
    let high = |axis: usize| {
        points
            .iter()
            .map(|p| p[axis])
            .fold(f64::NEG_INFINITY, f64::max)
    };
    Some(RawBox {
        values: [low(0), low(1), high(0), high(1)],
        form: Form::Xyxy,
        converted: true,
    })
}

fn labelled(value: Value<'_, '_>) -> Option<RawBox> {
    let members: Vec<_> = value.members().take(MAX_LABELS).collect();
    LABELS.iter().find_map(|(names, form)| {
        let mut values = [0.0; 4];
        for (slot, name) in values.iter_mut().zip(names) {
            let (_, member) = members.iter().rev().find(|(found, _)| found == name)?;
            *slot = number(*member)?.value;
        }
        Some(RawBox {
            values,
            form: *form,
            converted: true,
        })
    })
}

/// `"0.1, 0.2, 0.3, 0.4"`, with or without brackets.
fn written(text: &str) -> Option<RawBox> {
    let inner = text
        .trim()
        .trim_start_matches(['[', '('])
        .trim_end_matches([']', ')']);
    let mut parts = inner.split([',', ' ']).filter(|part| !part.is_empty());
    let mut values = [0.0; 4];
    for slot in &mut values {
        *slot = number_text(parts.next()?)?.value;
    }
    parts.next().is_none().then_some(RawBox {
        values,
        form: Form::Unknown,
        converted: true,
    })
}
