//! Pages rendered by Chromium, with their lines of text as the browser placed them.

use std::path::Path;

use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
    record::{BaseEvidence, NonEmptyText},
};

use super::{
    super::{
        ControlKind, ControlState, PanelKind, analyze, answer, base_evidence, colour::pixel,
        rect::from_edges,
    },
    canvas::line,
};
use crate::text::{TextLine, TextWord};

fn page(name: &str) -> (Rgb8, Vec<TextLine>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/analysis/tests/pages");
    let decoded = image::open(folder.join(format!("{name}.png")))
        .unwrap()
        .to_rgb8();
    let size = PixelSize {
        width: decoded.width(),
        height: decoded.height(),
    };
    let image = Rgb8::new(size, decoded.into_raw()).unwrap();
    let truth = std::fs::read_to_string(folder.join(format!("{name}.tsv"))).unwrap();
    let lines = truth
        .lines()
        .filter_map(|row| text_line(&image, row))
        .collect();
    (image, lines)
}

/// A row holds the text, the box of the line, and box and text of each word.
fn text_line(image: &Rgb8, row: &str) -> Option<TextLine> {
    let mut fields = row.split('\t');
    let text = fields.next()?;
    let r = ink(image, place(fields.next()?)?)?;
    let words = fields.filter_map(|field| {
        let (at, text) = field.split_once('|')?;
        Some(TextWord {
            text: text.to_owned(),
            rect: ink(image, place(at)?)?,
        })
    });
    Some(line(text, r, words.collect()))
}

fn place(numbers: &str) -> Option<PixelRect> {
    let v: Vec<f64> = numbers.split(',').filter_map(|n| n.parse().ok()).collect();
    let &[x, y, w, h] = v.as_slice() else {
        return None;
    };
    let low = |v: f64| v.max(0.0) as u32;
    Some(from_edges(
        low(x),
        low(y),
        low((x + w).ceil()),
        low((y + h).ceil()),
    ))
}

/// Browsers give the box of the line, readers that of the ink: what differs from the commonest colour.
fn ink(image: &Rgb8, r: PixelRect) -> Option<PixelRect> {
    let r = r.clamp_to(image.size())?;
    let all = || (r.y..r.bottom()).flat_map(move |y| (r.x..r.right()).map(move |x| (x, y)));
    let mut counts = std::collections::BTreeMap::new();
    for (x, y) in all() {
        *counts.entry(pixel(image, x, y)).or_insert(0_u32) += 1;
    }
    let (&ground, _) = counts.iter().max_by_key(|(_, count)| **count)?;
    let strongest = counts.keys().map(|c| c.distance(ground)).max()?;
    let dark = all().filter(|&(x, y)| pixel(image, x, y).distance(ground) > strongest / 4);
    dark.map(|(x, y)| from_edges(x, y, x + 1, y + 1))
        .reduce(super::super::rect::union)
}

fn texts(record: &BaseEvidence) -> Vec<&str> {
    record.ocr.iter().map(|o| o.text.as_str()).collect()
}

#[test]
fn a_settings_page() {
    use ControlKind::{Button, Checkbox, Dropdown, Field, ListItem, Progress, Radio, Toggle};
    let (image, lines) = page("settings");
    let layout = analyze(&image, &lines);
    let found: Vec<_> = layout
        .controls
        .iter()
        .map(|c| (c.kind, c.label.as_deref().unwrap_or(""), c.value.as_deref()))
        .collect();
    let expected = [
        (ListItem, "Models", None),
        (Field, "Provider name", Some("local-eyes")),
        (Field, "Port", Some("8080")),
        (Field, "API base URL", None),
        (Dropdown, "Model", Some("deepseek-v4-flash")),
        (Toggle, "Enable automatic fallback", None),
        (Toggle, "Send anonymous statistics", None),
        (Checkbox, "Redact secrets before sending", None),
        (Checkbox, "Keep images on disk", None),
        (Radio, "Strict mode", None),
        (Radio, "Relaxed mode", None),
        (Progress, "Storage used: 6.4 GB of 10 GB", None),
        (Button, "Save changes", None),
        (Button, "Cancel", None),
    ];
    for control in &expected {
        assert!(
            found.contains(control),
            "{control:?} is missing in {found:?}"
        );
    }
    assert_eq!(found.len(), expected.len(), "{found:?}");
}

#[test]
fn a_settings_page_in_its_states_and_order() {
    let (image, lines) = page("settings");
    let layout = analyze(&image, &lines);
    let states: Vec<_> = layout.controls.iter().filter_map(|c| c.state).collect();
    assert_eq!(
        states[..6],
        [
            ControlState::On,
            ControlState::Off,
            ControlState::Checked,
            ControlState::Unchecked,
            ControlState::Checked,
            ControlState::Unchecked,
        ]
    );
    let ControlState::Filled(part) = states[6] else {
        panic!("the bar has a share, not {:?}", states[6]);
    };
    assert!((part - 0.64).abs() < 0.005, "{part}");
    let kinds: Vec<_> = layout.panels.iter().map(|p| p.kind).collect();
    assert!(
        kinds.contains(&PanelKind::Header) && kinds.contains(&PanelKind::Sidebar),
        "{kinds:?}"
    );
    let record = base_evidence(&image, &lines);
    assert!(
        record
            .summary
            .as_str()
            .contains("Title: \"Vision Settings\""),
        "{}",
        record.summary
    );
    assert_eq!(
        texts(&record)[..10],
        [
            "Vision Settings",
            "admin@example.com",
            "General",
            "Models",
            "Network",
            "Usage",
            "About",
            "Route",
            "Provider name",
            "local-eyes",
        ]
    );
}

#[test]
fn a_sign_in_card() {
    let (image, lines) = page("login");
    let record = base_evidence(&image, &lines);
    let names: Vec<&str> = record.objects.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "text field \"Email \u{90ae}\u{7bb1}\"",
            "text field \"Password \u{5bc6}\u{7801}\"",
            "checkbox \"\u{8bb0}\u{4f4f}\u{6211} Remember me\"",
            "button \"Sign in\"",
        ]
    );
    let password: Vec<&str> = record.objects[1]
        .attributes
        .iter()
        .map(NonEmptyText::as_str)
        .collect();
    assert!(password.contains(&"border #d93025 (red)"), "{password:?}");
    assert!(
        password.contains(&"value is pale, perhaps a placeholder"),
        "{password:?}"
    );
    let said = answer(
        &image,
        &lines,
        "Email \u{662f}\u{4ec0}\u{4e48}\u{ff1f}",
        None,
    );
    assert!(
        said.answer.as_str().contains("mei@example.cn"),
        "{}",
        said.answer
    );
}

#[test]
fn tables_of_three_kinds() {
    let (image, lines) = page("table");
    let layout = analyze(&image, &lines);
    let shapes: Vec<_> = layout
        .tables
        .iter()
        .map(|t| (t.columns(), t.rows.len(), t.ruled, t.header().is_some()))
        .collect();
    assert_eq!(
        shapes,
        [(4, 4, true, true), (3, 5, false, true), (4, 4, false, true)]
    );
    for (question, expect) in [
        (
            "What is the p95 latency of billing?",
            "\"p95 latency\" = \"840 ms\"",
        ),
        (
            "\u{4e0a}\u{6d77}\u{7684} Orders \u{662f}\u{591a}\u{5c11}\u{ff1f}",
            "\"2,310\"",
        ),
        ("What is the COMMAND of postgres?", "postgres main"),
    ] {
        let said = answer(&image, &lines, question, None);
        assert!(
            said.answer.as_str().contains(expect),
            "{question}: {}",
            said.answer
        );
    }
}
