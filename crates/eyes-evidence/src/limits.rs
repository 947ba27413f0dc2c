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
