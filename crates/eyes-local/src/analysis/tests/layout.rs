use eyes_evidence::{geometry::PixelSize, raster::Rgb8};

use super::{
    super::{Colour, ControlKind, ControlState, Layout, PanelKind, analyze, probe_cells},
    canvas::{BLUE, Canvas, GRAY, GREEN, INK, WHITE, rect},
};

fn look(canvas: &Canvas) -> Layout {
    analyze(&canvas.image(), &canvas.lines)
}

fn order(canvas: &Canvas) -> Vec<&str> {
    let texts = look(canvas).order;
    texts
        .iter()
        .map(|&l| canvas.lines[l].text.as_str())
        .collect()
}

type Seen<'a> = (
    ControlKind,
    Option<&'a str>,
    Option<&'a str>,
    Option<ControlState>,
);

/// Kind, label, value and state of each control.
fn controls(layout: &Layout) -> Vec<Seen<'_>> {
    layout
        .controls
        .iter()
        .map(|c| (c.kind, c.label.as_deref(), c.value.as_deref(), c.state))
        .collect()
}

#[test]
fn fields_and_buttons_have_labels_values_and_colours() {
    let mut c = Canvas::new(600, 400, WHITE);
    c.text(20, 31, "Name", INK);
    c.outline(rect(120, 20, 260, 32), GRAY, WHITE)
        .text(130, 31, "local", INK);
    c.text(20, 81, "Port", INK)
        .outline(rect(120, 70, 260, 32), GRAY, WHITE);
    c.fill(rect(20, 340, 90, 34), BLUE)
        .text(51, 352, "Save", WHITE);
    c.outline(rect(130, 340, 90, 34), GRAY, WHITE)
        .text(154, 352, "Cancel", INK);
    let layout = look(&c);
    assert_eq!(
        controls(&layout),
        [
            (ControlKind::Field, Some("Name"), Some("local"), None),
            (ControlKind::Field, Some("Port"), None, None),
            (ControlKind::Button, Some("Save"), None, None),
            (ControlKind::Button, Some("Cancel"), None, None),
        ]
    );
    assert_eq!(layout.controls[2].fill, BLUE);
    assert_eq!(layout.controls[3].border, Some(GRAY));
}

#[test]
fn a_remark_below_the_name_of_a_field_is_not_its_name() {
    let mut c = Canvas::new(700, 200, WHITE);
    c.text(20, 63, "Default folder", INK)
        .text(20, 79, "Leave it empty to use home", GRAY);
    c.outline(rect(400, 62, 260, 32), GRAY, WHITE)
        .text(410, 73, "reports", INK);
    assert_eq!(
        controls(&look(&c)),
        [(
            ControlKind::Field,
            Some("Default folder"),
            Some("reports"),
            None
        )]
    );
}

#[test]
fn check_boxes_and_toggles_have_a_state() {
    let mut c = Canvas::new(600, 300, WHITE);
    c.outline(rect(20, 120, 14, 14), GRAY, WHITE)
        .text(42, 122, "Keep files", INK);
    c.outline(rect(20, 150, 14, 14), BLUE, BLUE)
        .text(42, 152, "Send reports", INK);
    for i in 0..3 {
        c.fill(rect(22 + i, 156 + i, 2, 2), WHITE);
    }
    for i in 0..7 {
        c.fill(rect(24 + i, 159 - i, 2, 2), WHITE);
    }
    c.text(20, 193, "Fallback", INK)
        .pill(rect(320, 186, 44, 24), GREEN);
    c.pill(rect(342, 188, 20, 20), WHITE);
    c.text(20, 233, "Tracing", INK)
        .pill(rect(320, 226, 44, 24), GRAY);
    c.pill(rect(322, 228, 20, 20), WHITE);
    assert_eq!(
        controls(&look(&c)),
        [
            (
                ControlKind::Checkbox,
                Some("Keep files"),
                None,
                Some(ControlState::Unchecked)
            ),
            (
                ControlKind::Checkbox,
                Some("Send reports"),
                None,
                Some(ControlState::Checked)
            ),
            (
                ControlKind::Toggle,
                Some("Fallback"),
                None,
                Some(ControlState::On)
            ),
            (
                ControlKind::Toggle,
                Some("Tracing"),
                None,
                Some(ControlState::Off)
            ),
        ]
    );
}

#[test]
fn a_caption_of_the_state_is_not_the_name_of_a_toggle() {
    let mut c = Canvas::new(600, 100, WHITE);
    c.text(20, 37, "Route checks", INK)
        .text(280, 37, "ON", GREEN);
    c.pill(rect(320, 30, 44, 24), GREEN)
        .pill(rect(342, 32, 20, 20), WHITE);
    assert_eq!(
        controls(&look(&c)),
        [(
            ControlKind::Toggle,
            Some("Route checks"),
            None,
            Some(ControlState::On)
        )]
    );
}

#[test]
fn a_filled_row_is_an_entry_a_button_or_a_box() {
    let pale = Colour([230, 240, 255]);
    let mut c = Canvas::new(600, 300, WHITE);
    for (row, text) in (0..).zip(["General", "Models", "About"]) {
        if row == 1 {
            c.fill(rect(0, 20 + row * 30, 200, 30), pale);
        }
        c.text(16, 30 + row * 30, text, INK);
    }
    c.fill(rect(300, 40, 200, 40), BLUE)
        .text(350, 55, "View logs", WHITE);
    c.fill(rect(300, 200, 260, 40), pale)
        .text(310, 215, "A remark", INK);
    assert_eq!(
        controls(&look(&c)),
        [
            (ControlKind::Button, Some("View logs"), None, None),
            (ControlKind::ListItem, Some("Models"), None, None),
            (ControlKind::Note, Some("A remark"), None, None),
        ]
    );
}

#[test]
fn a_striped_table_keeps_its_head_and_its_rows() {
    let mut c = Canvas::new(600, 400, WHITE);
    c.fill(rect(20, 20, 520, 40), Colour([20, 30, 60]));
    for (column, text) in (0..).zip(["Host", "State", "Load"]) {
        c.text(40 + column * 160, 35, text, WHITE);
    }
    for row in 0..6 {
        let y = 70 + row * 26;
        if row % 2 == 0 {
            c.fill(rect(20, y, 520, 26), Colour([244, 246, 250]));
        }
        for column in 0..3 {
            c.text(40 + column * 160, y + 8, &format!("r{row}c{column}"), INK);
        }
    }
    let layout = look(&c);
    let [table] = layout.tables.as_slice() else {
        panic!("one table expected, {:?}", layout.tables);
    };
    assert_eq!((table.columns(), table.rows.len()), (3, 7));
    assert_eq!(table.header(), Some(vec!["Host", "State", "Load"]));
}

#[test]
fn radio_buttons_show_their_dot() {
    let mut c = Canvas::new(400, 120, WHITE);
    for (x, chosen) in [(20, true), (160, false)] {
        c.pill(rect(x, 30, 17, 17), if chosen { BLUE } else { GRAY });
        c.pill(rect(x + 2, 32, 13, 13), WHITE);
        if chosen {
            c.pill(rect(x + 5, 35, 7, 7), BLUE);
        }
        c.text(x + 26, 33, if chosen { "Strict" } else { "Relaxed" }, INK);
    }
    assert_eq!(
        controls(&look(&c)),
        [
            (
                ControlKind::Radio,
                Some("Strict"),
                None,
                Some(ControlState::Checked)
            ),
            (
                ControlKind::Radio,
                Some("Relaxed"),
                None,
                Some(ControlState::Unchecked)
            ),
        ]
    );
}

#[test]
fn a_progress_bar_tells_its_share() {
    let mut c = Canvas::new(500, 120, WHITE);
    c.text(40, 30, "Storage", INK);
    c.fill(rect(40, 50, 400, 12), Colour([224, 227, 232]))
        .fill(rect(40, 50, 100, 12), BLUE);
    assert_eq!(
        controls(&look(&c)),
        [(
            ControlKind::Progress,
            Some("Storage"),
            None,
            Some(ControlState::Filled(0.25))
        )]
    );
}

#[test]
fn a_sentence_in_a_box_is_no_button() {
    let mut c = Canvas::new(600, 120, WHITE);
    let text = "The nightly build is green again.";
    c.fill(rect(40, 30, 300, 36), GREEN).text(58, 43, text, INK);
    assert_eq!(
        controls(&look(&c)),
        [(ControlKind::Note, Some(text), None, None)]
    );
}

fn grid(c: &mut Canvas, ruled: bool) {
    let rows = [
        ["Host", "State", "Load"],
        ["alpha", "up", "0.4"],
        ["beta", "down", ""],
        ["gamma", "up", "2.1"],
    ];
    for (row, cells) in (0..).zip(rows) {
        for (column, text) in (0..).zip(cells) {
            let (x, y) = (30 + column * 120, 30 + row * 30);
            if ruled {
                c.outline(rect(x, y, 121, 31), GRAY, WHITE);
            }
            if !text.is_empty() {
                c.text(x + 10, y + 10, text, INK);
            }
        }
    }
}

#[test]
fn tables_are_found_with_and_without_lines() {
    for ruled in [true, false] {
        let mut c = Canvas::new(500, 300, WHITE);
        grid(&mut c, ruled);
        let layout = look(&c);
        let [table] = layout.tables.as_slice() else {
            panic!("one table expected, {:?}", layout.tables);
        };
        assert_eq!(
            (table.columns(), table.rows.len(), table.ruled),
            (3, 4, ruled)
        );
        assert_eq!(table.header(), Some(vec!["Host", "State", "Load"]));
        let texts: Vec<&str> = table.rows[2].iter().map(|c| c.text.as_str()).collect();
        assert_eq!(texts, ["beta", "down", ""]);
        assert_eq!(layout.controls, [], "cells are no buttons");
    }
}

#[test]
fn scattered_text_is_no_table() {
    let mut c = Canvas::new(600, 300, WHITE);
    for (row, (a, b)) in (0..).zip([(30, 250), (90, 310), (30, 380), (140, 260)]) {
        c.text(30, 30 + row * 24, "1", INK);
        c.text(30 + a, 30 + row * 24, "let value", INK)
            .text(30 + b, 30 + row * 24, "there", INK);
    }
    assert_eq!(look(&c).tables, []);
}

#[test]
fn a_bar_chart_is_read_with_its_axis() {
    let mut c = Canvas::new(500, 400, WHITE);
    for (value, label) in (0..).zip(["0", "50", "100", "150"]) {
        c.text(20, 295 - value * 50, label, INK);
    }
    for (nth, (label, height)) in (0..).zip([("Mon", 120), ("Tue", 75), ("Wed", 140)]) {
        let x = 100 + nth * 100;
        c.fill(rect(x, 300 - height, 50, height), BLUE)
            .text(x + 14, 310, label, INK);
    }
    c.text(114, 165, "120", INK);
    let layout = look(&c);
    let [chart] = layout.charts.as_slice() else {
        panic!("one chart expected");
    };
    let read: Vec<_> = chart
        .bars
        .iter()
        .map(|b| {
            (
                b.label.as_deref(),
                b.value.as_deref(),
                b.estimate.map(f64::round),
            )
        })
        .collect();
    assert_eq!(
        read,
        [
            (Some("Mon"), Some("120"), Some(120.0)),
            (Some("Tue"), None, Some(75.0)),
            (Some("Wed"), None, Some(140.0)),
        ]
    );
}

#[test]
fn equal_boxes_on_a_line_are_no_chart() {
    let mut c = Canvas::new(500, 200, WHITE);
    for nth in 0..4 {
        c.fill(rect(40 + nth * 100, 60, 60, 40), BLUE);
    }
    assert_eq!(look(&c).charts, []);
}

#[test]
fn columns_are_read_one_after_the_other() {
    let mut c = Canvas::new(1000, 300, WHITE);
    c.text(40, 20, "A heading that runs over the whole width of the page and some more of it so that it is long enough", INK);
    for row in 0..4 {
        c.text(
            40,
            60 + row * 20,
            &format!("left column of running text {row}"),
            INK,
        );
        c.text(
            540,
            60 + row * 20,
            &format!("right column of running text {row}"),
            INK,
        );
    }
    c.text(40, 200, "footer", INK);
    let read = order(&c);
    let first: Vec<String> = read.iter().map(|t| t.chars().take(5).collect()).collect();
    assert_eq!(
        first,
        [
            "A hea", "left ", "left ", "left ", "left ", "right", "right", "right", "right",
            "foote"
        ]
    );
}

#[test]
fn labels_and_values_are_read_row_by_row() {
    let mut c = Canvas::new(600, 200, WHITE);
    for (row, (label, value)) in (0..).zip([
        ("Name", "eyes"),
        ("Port", "8080"),
        ("Mode", "fast"),
        ("Size", "12"),
    ]) {
        c.text(30, 30 + row * 24, label, INK)
            .text(300, 30 + row * 24, value, INK);
    }
    assert_eq!(
        order(&c),
        ["Name", "eyes", "Port", "8080", "Mode", "fast", "Size", "12"]
    );
}

#[test]
fn cards_side_by_side_are_read_one_by_one() {
    let mut c = Canvas::new(800, 300, Colour([235, 235, 240]));
    for (x, name, height) in [(20, "one", 200), (300, "two", 120)] {
        c.outline(rect(x, 30, 240, height), GRAY, WHITE);
        for row in 0..2 {
            c.text(x + 20, 50 + row * 40, &format!("{name} {row}"), INK);
        }
    }
    assert_eq!(order(&c), ["one 0", "one 1", "two 0", "two 1"]);
}

#[test]
fn a_conversation_is_read_from_top_to_bottom() {
    let mut c = Canvas::new(800, 400, WHITE);
    for row in 0..5 {
        let x = if row % 2 == 0 { 40 } else { 500 };
        c.text(x, 30 + row * 60, &format!("message {row}"), INK);
    }
    assert_eq!(
        order(&c),
        [
            "message 0",
            "message 1",
            "message 2",
            "message 3",
            "message 4"
        ]
    );
}

#[test]
fn a_dialog_has_a_title_and_a_button() {
    let mut c = Canvas::new(800, 500, Colour([60, 64, 80]));
    c.fill(rect(220, 150, 360, 200), WHITE);
    c.text(240, 170, "Delete file?", INK)
        .text(240, 210, "This cannot be undone.", INK);
    c.fill(rect(470, 300, 90, 34), BLUE)
        .text(495, 312, "Delete", WHITE);
    let layout = look(&c);
    let [panel] = layout.panels.as_slice() else {
        panic!("one panel expected, {:?}", layout.panels);
    };
    assert_eq!(panel.kind, PanelKind::Dialog);
    assert_eq!(
        panel.title.map(|l| c.lines[l].text.as_str()),
        Some("Delete file?")
    );
}

#[test]
fn contrast_is_measured_against_the_box_under_the_text() {
    let mut c = Canvas::new(300, 100, WHITE);
    c.fill(rect(20, 20, 120, 34), BLUE)
        .text(40, 32, "Save", WHITE);
    c.text(20, 70, "faint", Colour([220, 220, 220]));
    let styles = look(&c).styles;
    assert_eq!((styles[0].foreground, styles[0].background), (WHITE, BLUE));
    assert!((styles[0].contrast - 4.51).abs() < 0.05, "{:?}", styles[0]);
    assert!(styles[1].contrast < 1.5, "{:?}", styles[1]);
}

#[test]
fn noise_is_a_picture_and_not_text() {
    let mut c = Canvas::new(400, 300, WHITE);
    let mut state = 1_u32;
    for y in 64..208 {
        for x in 64..240 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            c.put(
                x,
                y,
                Colour([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8]),
            );
        }
    }
    let layout = look(&c);
    assert_eq!(layout.pictures, [rect(64, 64, 176, 144)]);
}

fn probe(colours: [[u8; 3]; 9], noise: u8) -> Rgb8 {
    let side = 216;
    let mut pixels = Vec::new();
    for y in 0..side {
        for x in 0..side {
            let cell = colours[(y / 72 * 3 + x / 72) as usize];
            let shift = if (x + y) % 2 == 0 { noise } else { 0 };
            pixels.extend(cell.map(|c| c.saturating_add(shift)));
        }
    }
    let size = PixelSize {
        width: side,
        height: side,
    };
    Rgb8::new(size, pixels).unwrap()
}

const PROBE: [[u8; 3]; 9] = [
    [15, 15, 15],
    [220, 20, 60],
    [0, 150, 70],
    [245, 245, 245],
    [30, 90, 220],
    [125, 125, 125],
    [210, 50, 180],
    [0, 190, 200],
    [245, 205, 30],
];

#[test]
fn the_probe_is_named_or_refused() {
    let names = [
        "black", "red", "green", "white", "blue", "gray", "magenta", "cyan", "yellow",
    ];
    assert_eq!(probe_cells(&probe(PROBE, 0)), Some(names));
    assert_eq!(
        probe_cells(&probe(PROBE, 8)),
        Some(names),
        "lossy compression"
    );
    assert_eq!(probe_cells(&probe(PROBE, 60)), None, "cells are not solid");
    let mut odd = PROBE;
    odd[4] = [90, 60, 30];
    assert_eq!(
        probe_cells(&probe(odd, 0)),
        None,
        "no named colour is near brown"
    );
    assert_eq!(
        probe_cells(&Canvas::new(9, 9, WHITE).image()),
        None,
        "too small"
    );
}

#[test]
fn colours_have_plain_names() {
    for (rgb, name) in [
        ([0, 0, 0], "black"),
        ([255, 255, 255], "white"),
        ([128, 128, 128], "gray"),
        ([26, 115, 232], "blue"),
        ([230, 240, 255], "light blue"),
        ([31, 42, 68], "dark blue"),
        ([52, 168, 83], "green"),
        ([211, 47, 47], "red"),
        ([242, 142, 43], "orange"),
        ([245, 205, 30], "yellow"),
        ([0, 190, 200], "cyan"),
        ([128, 0, 128], "magenta"),
        ([120, 70, 20], "brown"),
    ] {
        let colour = Colour(rgb);
        assert_eq!(colour.name(), name, "{colour}");
    }
}
