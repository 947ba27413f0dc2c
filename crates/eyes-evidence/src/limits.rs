//! Every numeric bound of this crate, with its unit and its reason.

/// Code points in one evidence string; from the published contract.
pub const MAX_TEXT_CHARS: usize = 20_000;
/// Characters in a region id; from the published contract.
pub const MAX_REGION_ID_CHARS: usize = 128;
/// Recognised text entries of one document; from the published contract.
pub const MAX_OCR_ENTRIES: usize = 5_000;
/// Regions of one document; from the published contract.
pub const MAX_REGIONS: usize = 1_000;
/// Objects of one document; from the published contract.
pub const MAX_OBJECTS: usize = 2_000;
/// Attributes of one object; from the published contract.
pub const MAX_ATTRIBUTES: usize = 256;
/// Observations of one targeted document; from the published contract.
pub const MAX_OBSERVATIONS: usize = 2_000;
/// Relations, quantitative facts, uncertainties: entries of each; from the published contract.
pub const MAX_FACTS: usize = 2_000;
/// How far `x + w` or `y + h` may pass 1; absorbs decimal rounding, from the published contract.
pub const BBOX_EDGE_TOLERANCE: f64 = 0.000_001;

// Parsing model text.

/// Bytes of model text that are looked at; four times what a 5,000-entry document takes.
pub const MAX_MODEL_TEXT_BYTES: usize = 16 << 20;
/// Nesting of containers in model text; evidence itself needs 5.
pub const MAX_JSON_DEPTH: usize = 64;
/// Values in one JSON object of model text; the largest valid document has about 650,000.
pub const MAX_JSON_NODES: usize = 1 << 20;
/// Entries kept in each list of an audit; every box of the largest document.
pub const MAX_AUDIT_ENTRIES: usize = 10_000;
/// Characters kept of a value in an audit.
pub const MAX_AUDIT_VALUE_CHARS: usize = 200;
