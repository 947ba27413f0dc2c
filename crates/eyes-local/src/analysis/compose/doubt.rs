//! What could not be seen, or is doubtful.

use super::{
    super::{ControlKind, Layout, rect::holds_centre},
    LeftOut,
    wording::quote,
};
use crate::{
    limits::{
        LOW_CONFIDENCE, LOW_CONTRAST, MAX_NAMED_DOUBTS, POOR_CONTRAST, TINY_PRINT, TURNED_DEGREES,
    },
    text::TextLine,
};

/// Says what every reading by this crate leaves open.
pub(in super::super) const NO_MODEL: &str = "no language model looked at this image: text, shapes and \
     colours are measured, their meaning is not interpreted";

pub(super) fn doubts(layout: &Layout, lines: &[TextLine], left_out: &LeftOut) -> Vec<String> {
    let mut out = vec![NO_MODEL.to_owned()];
    if lines.is_empty() {
        out.push("no text was found".to_owned());
    }
    out.extend(text_doubts(layout, lines, &layout.order));
    if !layout.icons.is_empty() {
        out.push(format!(
            "{} icons are located but not interpreted",
            layout.icons.len()
        ));
    }
    if !layout.pictures.is_empty() {
        out.push(format!(
            "{} busy areas (photographs, drawings or patterns) are not interpreted; text inside them may be missed",
            layout.pictures.len()
        ));
    }
    if layout
        .controls
        .iter()
        .any(|c| c.kind == ControlKind::Toggle)
    {
        out.push("a toggle is called on when its knob is at the right".to_owned());
    }
    if layout.tables.iter().any(|t| !t.ruled) {
        out.push("columns of tables without lines are told by the position of the text".to_owned());
    }
    if layout.crowded {
        out.push(
            "the picture has more small areas than were looked at; small things may be missing"
                .to_owned(),
        );
    }
    let rest = left_out.0.iter();
    out.extend(
        rest.map(|(what, count)| format!("{count} more {what} are left out of this record")),
    );
    out
}

/// Doubts on the lines `which`: at most [`MAX_NAMED_DOUBTS`] of a kind by name, the rest counted.
pub(in super::super) fn text_doubts(
    layout: &Layout,
    lines: &[TextLine],
    which: &[usize],
) -> Vec<String> {
    type Doubt = fn(&Layout, &[TextLine], usize) -> Option<String>;
    let kinds: [(Doubt, &str); 5] = [
        (poor_contrast, "lines of text with a contrast below 3:1"),
        (turned, "turned lines of text"),
        (cut_off, "lines of text that may be cut off"),
        (shortened, "lines of text shortened by an ellipsis"),
        (unsure, "lines of text read with low confidence"),
    ];
    let mut out = Vec::new();
    for (doubt, what) in kinds {
        let mut found = which.iter().filter_map(|&line| doubt(layout, lines, line));
        out.extend(found.by_ref().take(MAX_NAMED_DOUBTS));
        let more = found.count();
        if more > 0 {
            out.push(format!("{more} more {what}"));
        }
    }
    let weak =
        |&&line: &&usize| (POOR_CONTRAST..LOW_CONTRAST).contains(&layout.styles[line].contrast);
    let weak = which.iter().filter(weak).count();
    if weak > 0 {
        out.push(format!(
            "lines of text with a contrast between 3:1 and 4.5:1: {weak}"
        ));
    }
    let tiny = |&&line: &&usize| lines[line].rect.height < TINY_PRINT;
    let tiny = which.iter().filter(tiny).count();
    if tiny > 0 {
        out.push(format!(
            "lines of text less than {TINY_PRINT} px high, which may be misread: {tiny}"
        ));
    }
    out
}

fn poor_contrast(layout: &Layout, lines: &[TextLine], line: usize) -> Option<String> {
    let style = layout.styles[line];
    (style.contrast < POOR_CONTRAST).then(|| {
        format!(
            "low contrast {:.2}:1 (text {} on {}): {} may be misread",
            style.contrast,
            style.foreground,
            style.background,
            quote(&lines[line].text)
        )
    })
}

fn turned(_: &Layout, lines: &[TextLine], line: usize) -> Option<String> {
    let line = &lines[line];
    let angle = line.angle.rem_euclid(360.0);
    let off = angle.min(360.0 - angle);
    (off > TURNED_DEGREES).then(|| {
        format!(
            "turned by {angle:.0} degrees: {} may be misread",
            quote(&line.text)
        )
    })
}

/// Text that reaches the edge of the picture or runs over the edge of its panel.
fn cut_off(layout: &Layout, lines: &[TextLine], line: usize) -> Option<String> {
    let r = lines[line].rect;
    let quoted = quote(&lines[line].text);
    let edges = [
        (r.x == 0, "left"),
        (r.right() >= layout.size.width, "right"),
        (r.y == 0, "top"),
        (r.bottom() >= layout.size.height, "bottom"),
    ];
    if let Some((_, side)) = edges.iter().find(|(touches, _)| *touches) {
        return Some(format!(
            "{quoted} touches the {side} edge of the image and may be cut off"
        ));
    }
    let panel = layout
        .panels
        .iter()
        .rev()
        .find(|p| holds_centre(p.rect, r))?;
    let over = r.right() >= panel.rect.right() || r.x <= panel.rect.x;
    over.then(|| format!("{quoted} reaches the edge of its panel and may be cut off"))
}

fn shortened(_: &Layout, lines: &[TextLine], line: usize) -> Option<String> {
    let text = lines[line].text.trim();
    let shortened =
        text.chars().count() > 3 && (text.ends_with('\u{2026}') || text.ends_with("..."));
    shortened.then(|| {
        format!(
            "{} ends with an ellipsis: the rest is not in the image",
            quote(text)
        )
    })
}

fn unsure(_: &Layout, lines: &[TextLine], line: usize) -> Option<String> {
    let line = &lines[line];
    (line.confidence < LOW_CONFIDENCE).then(|| {
        format!(
            "low confidence {:.2}: {}",
            line.confidence,
            quote(&line.text)
        )
    })
}
