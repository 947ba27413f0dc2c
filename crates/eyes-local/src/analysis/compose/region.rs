//! Regions: panels, tables, charts, pictures.

use eyes_evidence::{
    geometry::PixelRect,
    record::{RegionEntry, RegionId},
};

use super::{
    super::{BarChart, Layout, Panel, PanelKind, Table},
    LeftOut,
    wording::{bbox, quote, text},
};
use crate::{limits::MAX_RECORD_REGIONS, text::TextLine};

pub(super) fn regions(
    layout: &Layout,
    lines: &[TextLine],
    left_out: &mut LeftOut,
) -> Vec<RegionEntry> {
    let mut found: Vec<(PixelRect, String)> = Vec::new();
    for panel in &layout.panels {
        found.push((panel.rect, panel_words(panel, lines)));
    }
    for table in &layout.tables {
        found.push((table.rect, table_words(table)));
    }
    for chart in &layout.charts {
        found.push((chart.rect, chart_words(chart)));
    }
    for &picture in &layout.pictures {
        let words =
            "busy area without readable text (photograph, drawing or pattern), not interpreted";
        found.push((picture, words.to_owned()));
    }
    let mut found = left_out.cut("regions", found, MAX_RECORD_REGIONS);
    found.sort_by_key(|(r, _)| (r.y, r.x, std::cmp::Reverse(r.width)));
    let numbered = found.into_iter().zip(1..);
    numbered
        .map(|((rect, words), nth)| RegionEntry {
            id: RegionId::new(format!("r{nth}")).expect("a letter and digits are an id"),
            bbox: bbox(rect, layout.size),
            description: text(&words),
        })
        .collect()
}

pub(super) fn panel_words(panel: &Panel, lines: &[TextLine]) -> String {
    let mut words = panel.kind.name().to_owned();
    if let Some(title) = panel.title {
        let link = if panel.kind == PanelKind::Dialog {
            "with title"
        } else {
            "beginning with"
        };
        words.extend([format!(" {link} {}", quote(&lines[title].text))]);
    }
    words.extend([format!(
        ", {} lines of text, fill {} ({})",
        panel.lines.len(),
        panel.fill,
        panel.fill.name()
    )]);
    if let Some(border) = panel.border {
        words.extend([format!(", border {border}")]);
    }
    words
}

pub(super) fn table_words(table: &Table) -> String {
    let mut words = format!(
        "table {} columns x {} rows",
        table.columns(),
        table.rows.len()
    );
    words.push_str(if table.ruled {
        " with cell boxes"
    } else {
        " without lines, columns told by the position of the text"
    });
    if let Some(header) = table.header() {
        let names: Vec<String> = header.into_iter().map(quote).collect();
        words.extend(["; first row: ".to_owned(), names.join(", ")]);
    }
    words
}

pub(super) fn chart_words(chart: &BarChart) -> String {
    let way = if chart.upright { "upright" } else { "lying" };
    format!("bar chart with {} {way} bars", chart.bars.len())
}
