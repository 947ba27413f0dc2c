//! Relations between things, and facts with a number in them.

use super::{
    super::{
        BarChart, Control, ControlKind, ControlState, Layout, Table,
        chart::number,
        order::rows_of,
        rect::{gap_x, gap_y, holds_centre},
        table::table_of,
    },
    LeftOut,
    object::{control_name, fills_its_box},
    quantity::quantities,
    wording::{quote, share},
};
use crate::{limits::MAX_RECORD_FACTS, text::TextLine};

/// Returns which label belongs to what, what stands beside what, and the rows of tables.
pub(super) fn relations(layout: &Layout, lines: &[TextLine]) -> Vec<String> {
    let mut out = Vec::new();
    for control in &layout.controls {
        out.extend(label_relation(control));
    }
    out.extend(neighbours(&layout.controls));
    for control in &layout.controls {
        let home = layout
            .panels
            .iter()
            .rposition(|p| holds_centre(p.rect, control.rect));
        if let Some((at, title)) = home.and_then(|at| Some((at, layout.panels[at].title?))) {
            out.push(format!(
                "{} is in the {} {}",
                control_name(control),
                layout.panels[at].kind.name(),
                quote(&lines[title].text)
            ));
        }
    }
    for (table, nth) in layout.tables.iter().zip(1..) {
        out.extend(table_rows(table, nth));
    }
    out.extend(pairs(layout, lines).into_iter().map(|(label, value)| {
        format!(
            "{} stands left of {}",
            quote(&lines[label].text),
            quote(&lines[value].text)
        )
    }));
    out
}

fn label_relation(control: &Control) -> Option<String> {
    let label = quote(control.label.as_ref()?);
    let named = match control.kind {
        ControlKind::Field | ControlKind::Dropdown => match &control.value {
            Some(value) => format!("{} with value {}", control.kind.name(), quote(value)),
            None => format!("empty {}", control.kind.name()),
        },
        ControlKind::Checkbox
        | ControlKind::Radio
        | ControlKind::Toggle
        | ControlKind::Progress => control.kind.name().to_owned(),
        _ => return None,
    };
    Some(format!("label {label} belongs to the {named}"))
}

fn neighbours(controls: &[Control]) -> Vec<String> {
    let buttons: Vec<&Control> = controls
        .iter()
        .filter(|c| c.kind == ControlKind::Button)
        .collect();
    let rows = rows_of(&buttons, |c| c.rect);
    let pairs = rows.iter().flat_map(|row| row.windows(2));
    pairs
        .map(|pair| {
            format!(
                "{} is right of {}",
                control_name(pair[1]),
                control_name(pair[0])
            )
        })
        .collect()
}

fn table_rows(table: &Table, nth: usize) -> Vec<String> {
    let header = table.header();
    let skip = usize::from(header.is_some());
    let row_words = |(at, row): (usize, &Vec<super::super::Cell>)| {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.text.is_empty())
            .map(|(column, cell)| match &header {
                Some(header) => format!("{} = {}", quote(header[column]), quote(&cell.text)),
                None => quote(&cell.text),
            })
            .collect();
        format!("table {nth} row {}: {}", at + 1, cells.join("; "))
    };
    table
        .rows
        .iter()
        .enumerate()
        .skip(skip)
        .map(row_words)
        .collect()
}

/// Returns label and value where a row outside tables and controls has exactly two texts.
pub(in super::super) fn pairs(layout: &Layout, lines: &[TextLine]) -> Vec<(usize, usize)> {
    let spoken_for = |line: usize| {
        let r = lines[line].rect;
        table_of(&layout.tables, r).is_some()
            || layout.charts.iter().any(|c| holds_centre(c.rect, r))
            || layout
                .controls
                .iter()
                .filter(|c| {
                    fills_its_box(c) || !matches!(c.kind, ControlKind::Badge | ControlKind::Note)
                })
                .any(|c| c.label_line == Some(line) || c.value_line == Some(line))
    };
    let mut groups: Vec<Vec<usize>> = vec![Vec::new(); layout.panels.len() + 1];
    for line in (0..lines.len()).filter(|&l| !spoken_for(l)) {
        let home = layout
            .panels
            .iter()
            .rposition(|p| holds_centre(p.rect, lines[line].rect));
        groups[home.map_or(0, |at| at + 1)].push(line);
    }
    let rows = groups
        .iter()
        .flat_map(|group| rows_of(group, |&l| lines[l].rect));
    rows.filter_map(|row| match row.as_slice() {
        &[label, value] => {
            let (a, b) = (lines[label].rect, lines[value].rect);
            let name = &lines[label].text;
            let short = name.chars().count() <= 40 && name.chars().any(char::is_alphabetic);
            (short && gap_x(a, b) > a.height / 2 && gap_x(a, b) < layout.size.width / 2)
                .then_some((label, value))
        }
        _ => None,
    })
    .collect()
}

/// Returns sizes, counts, values of charts and controls, and numbers of the text with their unit.
pub(super) fn facts(layout: &Layout, lines: &[TextLine], left_out: &mut LeftOut) -> Vec<String> {
    let mut out = vec![
        format!(
            "image size: {} x {} px",
            layout.size.width, layout.size.height
        ),
        colours(layout),
        format!("lines of text: {}", lines.len()),
    ];
    out.extend(counts(layout));
    for (table, nth) in layout.tables.iter().zip(1..) {
        out.push(format!(
            "table {nth}: {} columns x {} rows{}",
            table.columns(),
            table.rows.len(),
            if table.header().is_some() {
                ", first row is the head"
            } else {
                ""
            }
        ));
    }
    for (chart, nth) in layout.charts.iter().zip(1..) {
        out.extend(chart_facts(layout, lines, chart, nth));
    }
    for control in &layout.controls {
        if let Some(ControlState::Filled(part)) = control.state {
            out.push(format!(
                "{}: {} filled",
                control_name(control),
                share(f64::from(part))
            ));
        }
        if let Some(value) = control.value.as_ref().filter(|v| number(v).is_some()) {
            out.push(format!("{} = {value}", control_name(control)));
        }
    }
    out.extend(numbers_in_text(layout, lines));
    left_out.cut("quantitative facts", out, MAX_RECORD_FACTS)
}

/// Says what each bar measures, and which are the highest and the lowest.
fn chart_facts(layout: &Layout, lines: &[TextLine], chart: &BarChart, nth: usize) -> Vec<String> {
    let unit = chart_unit(layout, lines, chart);
    let with_unit = |value: &str| match &unit {
        Some(unit) if value.chars().all(|c| !c.is_alphabetic() && c != '%') => {
            format!("{value} {unit}")
        }
        _ => value.to_owned(),
    };
    let mut out = Vec::new();
    let mut measured: Vec<(f64, String, String)> = Vec::new();
    for (bar, at) in chart.bars.iter().zip(1..) {
        let name = bar
            .label
            .as_deref()
            .map_or_else(|| format!("bar {at}"), plain);
        let value = match (&bar.value, bar.estimate) {
            (Some(value), _) => with_unit(value),
            (None, Some(estimate)) => format!("about {}", with_unit(&format!("{estimate:.1}"))),
            (None, None) => format!("{} px long", bar.rect.height.max(bar.rect.width)),
        };
        let by_axis = match (&bar.value, bar.estimate) {
            (Some(_), Some(estimate)) => format!(" (about {estimate:.1} by the axis)"),
            (None, Some(_)) => " by the axis".to_owned(),
            _ => String::new(),
        };
        out.push(format!("chart {nth}: {name} is {value}{by_axis}"));
        let size = bar.value.as_deref().and_then(number).or(bar.estimate);
        measured.extend(size.map(|size| (size, name, value)));
    }
    if measured.len() == chart.bars.len() {
        measured.sort_by(|a, b| b.0.total_cmp(&a.0));
        if let (Some((_, high, top)), Some((_, low, least))) = (measured.first(), measured.last()) {
            out.push(format!(
                "chart {nth}: highest value is {high} at {top}; lowest value is {low} at {least}"
            ));
        }
    }
    out
}

/// A short label of letters, digits and dashes reads as a name without quotes; any other is quoted.
fn plain(label: &str) -> String {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ' ');
    if label.chars().count() <= 24 && label.chars().all(name) {
        label.to_owned()
    } else {
        quote(label)
    }
}

/// The unit that stands in brackets in the nearest text above a chart or beside it, as in `Latency (ms)`.
fn chart_unit(layout: &Layout, lines: &[TextLine], chart: &BarChart) -> Option<String> {
    let bracketed = |line: &TextLine| {
        let (_, after) = line.text.split_once(['(', '\u{ff08}', '['])?;
        let (unit, _) = after.split_once([')', '\u{ff09}', ']'])?;
        let with_number = quantities(&format!("1 {}", unit.trim()));
        (!with_number.is_empty()).then(|| unit.trim().to_owned())
    };
    let home = |r| layout.panels.iter().rposition(|p| holds_centre(p.rect, r));
    let near = lines.iter().filter(|l| home(l.rect) == home(chart.rect));
    near.filter_map(|l| {
        let away = gap_x(l.rect, chart.rect) + gap_y(l.rect, chart.rect);
        bracketed(l).map(|unit| (away, unit))
    })
    .min_by_key(|(away, _)| *away)
    .map(|(_, unit)| unit)
}

fn colours(layout: &Layout) -> String {
    let named = layout
        .palette
        .iter()
        .take(8)
        .map(|s| format!("{} ({}) {}", s.colour, s.colour.name(), share(s.share)));
    format!(
        "prevailing colours: {}",
        named.collect::<Vec<_>>().join(", ")
    )
}

fn counts(layout: &Layout) -> Vec<String> {
    let mut kinds: Vec<(ControlKind, usize)> = Vec::new();
    for control in &layout.controls {
        match kinds.iter_mut().find(|(kind, _)| *kind == control.kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((control.kind, 1)),
        }
    }
    kinds.sort_unstable();
    let mut out: Vec<String> = kinds
        .into_iter()
        .map(|(kind, count)| format!("count of {}: {count}", kind.name()))
        .collect();
    if !layout.icons.is_empty() {
        out.push(format!("count of icon: {}", layout.icons.len()));
    }
    out
}

/// Numbers with a unit, with the text they stand in; and numbers beside a label.
fn numbers_in_text(layout: &Layout, lines: &[TextLine]) -> Vec<String> {
    let mut out = Vec::new();
    for (label, value) in pairs(layout, lines) {
        if number(&lines[value].text).is_some() {
            out.push(format!(
                "{}: {}",
                quote(&lines[label].text),
                lines[value].text.trim()
            ));
        }
    }
    for &line in &layout.order {
        if table_of(&layout.tables, lines[line].rect).is_some() {
            continue;
        }
        let found = quantities(&lines[line].text);
        let whole = found.len() == 1 && found[0] == lines[line].text.trim();
        if !found.is_empty() && !whole {
            out.push(format!(
                "{} in {}",
                found.join(", "),
                quote(&lines[line].text)
            ));
        }
    }
    out
}
