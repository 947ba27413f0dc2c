//! Every numeric bound of this crate, with its unit and its reason.

use std::ops::RangeInclusive;

/// Long side in pixels of the copy in which text is looked for at standard detail.
///
/// Twice that costs four times the work and, on screens with ordinary print, finds nothing more.
pub const STANDARD_LONG_SIDE: u32 = 1_920;
/// How many times longer than wide an image is before it counts as a strip of screens.
///
/// A page captured at full length is read at the scale that its short side asks for; shrunk to fit its
/// long side, its print would be unreadable.
pub const STRIP_ASPECT: u32 = 2;
/// Pixels of the copy in which text is looked for, at any detail; bounds time at about 15 CPU seconds.
pub const MAX_SEARCH_PIXELS: u64 = 40_000_000;
/// Side in pixels of the part of a tile that is kept; with its margins it bounds the detector's memory.
pub const TILE_CORE: u32 = 1_280;
/// Pixels around a tile that the detector sees and that are not kept; gives border text its surroundings.
pub const TILE_MARGIN: u32 = 96;
/// Pixels of an image that the detector takes in one piece.
pub const MAX_SINGLE_PASS_PIXELS: u64 = 2_359_296;
/// Text boxes read in one image; the evidence contract keeps 5,000 entries.
pub const MAX_TEXT_BOXES: usize = 5_000;
/// Width of a line over its height before it is read in pieces; bounds the recogniser's input.
pub const MAX_LINE_ASPECT: u32 = 40;
/// Threads a reader starts when its settings name none; more gain little on one screenshot.
pub const MAX_DEFAULT_THREADS: usize = 8;
/// Threads a reader starts at most, whatever its settings say.
pub const MAX_THREADS: usize = 64;
/// Readings that a provider keeps for questions about images that were just read; each is some kilobytes.
pub const MAX_KEPT_READINGS: usize = 8;

// --- Pixel analysis: memory and time -----------------------------------------------------------------

/// Channel levels by which neighbouring pixels of one area may differ; dithering and slow gradients stay
/// below it, a one-pixel border of the faintest usual grey (#f5f5f5 on white) lies above.
pub const COMPONENT_TOLERANCE: u8 = 3;
/// Pixels of the smallest area kept: a stroke of an icon; single specks of smoothed edges are forgotten.
pub const MIN_COMPONENT_AREA: u32 = 4;
/// Areas kept of one picture, the largest of them; a dense page of text has about 30,000.
pub const MAX_COMPONENTS: usize = 60_000;
/// Boxes looked at, the largest first; the densest real table seen has about 1,000 cells.
pub const MAX_BOXES: usize = 3_000;
/// Rows of a band when looking for the lines near a place; a few lines of text.
pub const LINE_BAND: u32 = 64;
/// Side of a tile in pixels when looking for photographs; about one line of text.
pub const TILE: u32 = 16;
/// Slots of the colour table, a power of two; screenshots have up to 20,000 colours.
pub const PALETTE_SLOTS: usize = 1 << 16;
/// Slots tried for one colour before it is left out.
pub const PALETTE_PROBES: usize = 16;
/// Most frequent colours that are merged into the palette.
pub const MAX_PALETTE_CANDIDATES: usize = 4_096;
/// Pixels of one line of text that its colours are measured from.
pub const INK_SAMPLES: u64 = 40_000;
/// Depth of nested panels and columns in the reading order.
pub const MAX_ORDER_DEPTH: usize = 12;

// --- Pixel analysis: what counts as what -------------------------------------------------------------

/// Colours of the palette at most.
pub const MAX_PALETTE: usize = 12;
/// Share of all pixels below which a colour is not reported.
pub const MIN_PALETTE_SHARE: f64 = 0.001;
/// Channel levels within which colours of the palette are one.
pub const PALETTE_MERGE: u8 = 8;
/// Shortest side of a box in pixels.
pub const MIN_BOX_SIDE: u32 = 6;
/// Least share of its rectangle that a box covers: a disc has 0.785, small ones less by smoothing.
pub const SQUARENESS_DISC: f32 = 0.66;
/// Distance in pixels at which what lies around a box is looked at; borders and their smoothing are thinner.
pub const BORDER_PROBE: u32 = 5;
/// Greatest thickness of a rule or a border in pixels.
pub const RULE_THICKNESS: u32 = 4;
/// Least length of a rule in pixels.
pub const MIN_RULE_LENGTH: u32 = 40;
/// Least width in pixels of boxes that are joined when a highlighted row or a rule cuts them.
pub const MIN_STACK_WIDTH: u32 = 100;
/// Rules reported at most.
pub const MAX_RULES: usize = 500;
/// Panels reported at most.
pub const MAX_PANELS: usize = 200;
/// Least width of a panel in pixels.
pub const MIN_PANEL_WIDTH: u32 = 60;
/// Least height of a panel in pixels; a status bar has about 22.
pub const MIN_PANEL_HEIGHT: u32 = 18;
/// Controls reported at most.
pub const MAX_CONTROLS: usize = 400;
/// Height of a button in pixels, from dense tool bars to doubled resolution.
pub const BUTTON_HEIGHT: RangeInclusive<u32> = 14..=120;
/// Greatest width of a button in heights; wider boxes with centred text are banners.
pub const MAX_BUTTON_ASPECT: u32 = 16;
/// Height of a field of one row in pixels.
pub const FIELD_HEIGHT: RangeInclusive<u32> = 16..=110;
/// Side of a check box or radio button in pixels.
pub const CHOICE_SIDE: RangeInclusive<u32> = 8..=44;
/// Height of a toggle in pixels.
pub const TOGGLE_HEIGHT: RangeInclusive<u32> = 10..=72;
/// Columns between a control and the text at its left that names it; settings pages put the control at
/// the far end of the row.
pub const LABEL_REACH: u32 = 900;
/// Pixels between neighbouring cells: the thickness of a rule.
pub const CELL_GAP: u32 = 4;
/// Pixels by which cells of one row or column may differ.
pub const CELL_SLACK: u32 = 2;
/// Tables reported at most.
pub const MAX_TABLES: usize = 24;
/// Least columns of a table without lines; two columns are labels and values.
pub const MIN_BORDERLESS_COLUMNS: usize = 3;
/// Least rows of a table without lines.
pub const MIN_BORDERLESS_ROWS: usize = 3;
/// Share of the cells of a table without lines that have text.
pub const MIN_TABLE_FILL: f32 = 0.6;
/// Least rows on each side of a gutter between columns.
pub const MIN_COLUMN_ROWS: usize = 3;
/// Charts reported at most.
pub const MAX_CHARTS: usize = 12;
/// Least bars of a chart.
pub const MIN_BARS: usize = 3;
/// Chroma of a bar: grey boxes on a line are skeletons and rows, not data.
pub const MIN_BAR_CHROMA: u8 = 40;
/// Share of the range of an axis by which its marks may miss the fitted line.
pub const MAX_AXIS_ERROR: f64 = 0.02;
/// Runs of one colour that begin in a busy tile of 256 pixels; smooth areas have 16 or so.
pub const BUSY_RUNS: u16 = 72;
/// Least tiles on each side of a photograph or drawing.
pub const MIN_PICTURE_TILES: usize = 4;
/// Pictures reported at most.
pub const MAX_PICTURES: usize = 24;
/// Shortest and longest side of an icon in pixels.
pub const ICON_SIDE: (u32, u32) = (10, 48);
/// Pixels between parts of one icon.
pub const ICON_GAP: u32 = 3;
/// Small areas looked at for icons, the largest first.
pub const MAX_ICON_PARTS: usize = 6_000;
/// Icons reported at most.
pub const MAX_ICONS: usize = 200;

// --- Pixel probe -------------------------------------------------------------------------------------

/// Least side of the probe in pixels.
pub const MIN_PROBE_SIDE: u32 = 12;
/// Percent of a cell at each side that is not looked at.
pub const PROBE_MARGIN_PERCENT: u32 = 10;
/// Channel levels by which a pixel may differ from the mean of its cell; lossy compression stays below.
pub const PROBE_SOLID_DISTANCE: u8 = 12;
/// Channel levels by which a cell may differ from its named colour; half the least distance between two.
pub const PROBE_COLOUR_DISTANCE: u8 = 28;

// --- Records -----------------------------------------------------------------------------------------

/// Characters of a summary.
pub const MAX_SUMMARY_CHARS: usize = 1_200;
/// Characters of a text quoted inside a description.
pub const MAX_QUOTE_CHARS: usize = 120;
/// Regions of a record; beyond it a model gains little from more.
pub const MAX_RECORD_REGIONS: usize = 120;
/// Objects of a record.
pub const MAX_RECORD_OBJECTS: usize = 200;
/// Relations of a record.
pub const MAX_RECORD_RELATIONS: usize = 64;
/// Quantitative facts of a record.
pub const MAX_RECORD_FACTS: usize = 96;
/// Uncertainties of one kind that are named one by one.
pub const MAX_NAMED_DOUBTS: usize = 10;
/// Observations of an answer.
pub const MAX_RECORD_OBSERVATIONS: usize = 60;
/// Lines of text listed with an answer.
pub const MAX_ANSWER_LINES: usize = 200;
/// Characters of a question that are looked at; the port's own bound.
pub const MAX_QUESTION_CHARS: usize = 2_000;

// --- Doubt -------------------------------------------------------------------------------------------

/// Contrast ratio below which text may be misread.
pub const POOR_CONTRAST: f64 = 3.0;
/// Contrast ratio below which a grey text in a field may be a placeholder; values are set in full contrast.
pub const PLACEHOLDER_CONTRAST: f64 = 5.0;
/// Contrast ratio below which text misses WCAG 2.2 AA.
pub const LOW_CONTRAST: f64 = 4.5;
/// Confidence below which a line is named as doubtful.
pub const LOW_CONFIDENCE: f32 = 0.85;
/// Height of ink in pixels below which print is tiny.
pub const TINY_PRINT: u32 = 8;
/// Degrees beyond which text counts as turned.
pub const TURNED_DEGREES: f32 = 10.0;
