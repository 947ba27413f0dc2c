//! Every numeric bound of this crate, with its unit and its reason.

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
