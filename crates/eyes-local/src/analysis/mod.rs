//! Deterministic analysis of pixels: colours, boxes, controls, tables, charts and reading order.
//!
//! Nothing here is learned and nothing is guessed: a thing is reported when its shape says what it is.
//! [`analyze`] returns the structure itself; [`base_evidence`] and [`answer`] put it into the words of
//! the evidence contract.

mod answer;
mod busy;
mod chart;
mod choice;
mod colour;
mod component;
mod compose;
mod control;
mod ink;
mod order;
mod palette;
mod panel;
mod probe;
mod ray;
mod rect;
mod scene;
mod shape;
mod table;

#[cfg(test)]
mod tests;

pub use answer::answer;
pub use busy::Icon;
pub use chart::{Bar, BarChart};
pub use colour::Colour;
pub use compose::base_evidence;
pub use control::{Control, ControlKind, ControlState};
use eyes_evidence::{
    geometry::{PixelRect, PixelSize},
    raster::Rgb8,
};
pub use ink::LineStyle;
pub use palette::{Swatch, Theme};
pub use panel::{Panel, PanelKind};
pub use probe::probe_cells;
pub use shape::Rule;
pub use table::{Cell, Table};

use crate::text::TextLine;

/// The structure of one picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Width and height.
    pub size: PixelSize,
    /// The prevailing colours by falling share; at least one.
    pub palette: Vec<Swatch>,
    /// Whether the prevailing colour is light or dark.
    pub theme: Theme,
    /// Colours and contrast of each line, in the order of the lines given.
    pub styles: Vec<LineStyle>,
    /// The lines in reading order, as indices of the lines given.
    pub order: Vec<usize>,
    /// Boxes that hold several things, the largest first.
    pub panels: Vec<Panel>,
    /// Buttons, fields and other controls, from top to bottom.
    pub controls: Vec<Control>,
    /// Tables, from top to bottom.
    pub tables: Vec<Table>,
    /// Bar charts, from top to bottom.
    pub charts: Vec<BarChart>,
    /// Straight lines, from top to bottom.
    pub rules: Vec<Rule>,
    /// Small things that are not text, from top to bottom.
    pub icons: Vec<Icon>,
    /// Areas that look like a photograph or a drawing, from top to bottom.
    pub pictures: Vec<PixelRect>,
    /// Whether the picture has more areas of one colour than were looked at.
    pub crowded: bool,
}

/// Analyses a picture and the text read from it.
///
/// Takes time in proportion to the pixels, and memory bounded by the constants of [`crate::limits`].
pub fn analyze(image: &Rgb8, lines: &[TextLine]) -> Layout {
    let palette = palette::palette(image);
    let parts = component::components(image);
    let styles = ink::styles(image, lines);
    let boxes = shape::boxes(image, &parts.list, lines);
    let mut scene = scene::Scene::new(image, lines, &boxes);
    let mut tables = table::ruled_tables(&mut scene);
    let charts = chart::bar_charts(&mut scene);
    let controls = control::controls(&mut scene);
    let panels = panel::panels(&scene, &controls, &tables);
    for area in areas(&scene, &panels) {
        tables.extend(table::borderless_tables(&mut scene, &area));
    }
    tables.sort_by_key(|t| (t.rect.y, t.rect.x));
    let order = order::reading_order(panel::blocks(&scene, &panels, &tables));
    let pictures = busy::pictures(&scene, &parts);
    let icons = busy::icons(&scene, &parts.list, &controls, &pictures);
    Layout {
        size: image.size(),
        theme: Theme::of(palette.first().map_or(Colour([255; 3]), |s| s.colour)),
        palette,
        order,
        panels,
        controls,
        tables,
        charts,
        rules: shape::rules(&parts.list),
        icons,
        pictures,
        crowded: parts.dropped > 0 || boxes.len() >= crate::limits::MAX_BOXES,
        styles,
    }
}

/// The lines directly in each panel, and those in none.
fn areas(scene: &scene::Scene<'_>, panels: &[Panel]) -> Vec<Vec<usize>> {
    let mut areas = vec![Vec::new(); panels.len() + 1];
    for line in 0..scene.lines.len() {
        let home = panels
            .iter()
            .rposition(|p| rect::holds_centre(p.rect, scene.rect(line)));
        areas[home.map_or(panels.len(), |at| at)].push(line);
    }
    areas
}
