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
/// Largest `x + w` and `y + h` of a box; the part above 1 absorbs decimal rounding, from the published contract.
pub const MAX_BBOX_EDGE: f64 = 1.000_001;

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
/// How many times the length of a text is read at most while looking for an object.
pub const SCAN_BUDGET_FACTOR: usize = 8;
/// Members of a wrapper that are looked into for the document.
pub const MAX_UNWRAP_MEMBERS: usize = 64;
/// Share of a document's entries that may be lost before the document fails.
pub const MAX_LOST_SHARE: f64 = 0.5;
/// Lost entries below which no document fails: a share of so few says little.
pub const MIN_LOST_ENTRIES: u32 = 3;
/// Violations listed in one error.
pub const MAX_VIOLATIONS: usize = 20;
/// How far a box may end outside the image, as a share of its side, and still be cut to fit.
pub const BBOX_CLAMP_SHARE: f64 = 0.02;
/// The same in pixels; models round to whole pixels.
pub const BBOX_CLAMP_PIXELS: f64 = 1.5;
/// Certainty of the chosen box convention below which it is called ambiguous.
pub const MIN_CONVENTION_CERTAINTY: f64 = 0.9;
/// Bytes of one encoded image; a lossless 8K screenshot of dense content stays below it.
pub const MAX_IMAGE_BYTES: u64 = 64 * 1024 * 1024;
/// Pixels along one side of an image; a full-page capture is long, and every accepted format can state more.
pub const MAX_IMAGE_SIDE: u32 = 32_768;
/// Pixels of one image; 8K UHD has 33 million, and hosts of attachments stop at this number.
pub const MAX_IMAGE_PIXELS: u64 = 40_000_000;
/// Bytes of memory that decoding one image may need; covers 40 million pixels in every accepted format.
pub const MAX_IMAGE_MEMORY: u64 = 640 * 1024 * 1024;
/// Least memory bound that can be asked for, bytes; below it decoders cannot hold their own tables.
pub const MIN_IMAGE_MEMORY: u64 = 1024 * 1024;
/// Bytes of a data URL before its payload; media type and parameters are short.
pub const MAX_DATA_URL_PREFIX: usize = 256;
/// Bytes searched for the root element of an SVG or HTML document; prologue and comments may come first.
pub const MARKUP_SNIFF_BYTES: usize = 4096;
/// Characters kept of a decoder's own message; it may quote the file.
pub const MAX_DECODER_MESSAGE_CHARS: usize = 160;
/// Bytes of one tile when a host states nothing; what attachment services accept.
pub const DEFAULT_TILE_BYTES: u64 = 4_750_000;
/// Pixels along one side of a tile when a host states nothing; larger pictures are shrunk by models.
pub const DEFAULT_TILE_SIDE: u32 = 2000;
/// Tiles of one picture when a host states nothing; images that one message may carry.
pub const DEFAULT_TILE_COUNT: u32 = 20;
/// Bytes of all tiles of one picture when a host states nothing; what one message may carry.
pub const DEFAULT_TILE_TOTAL_BYTES: u64 = 100 * 1024 * 1024;
/// Magnification of a small crop at most; beyond it a pixel is a patch and a model sees squares.
pub const MAX_MAGNIFICATION: u32 = 8;
/// Characters of one overlay label; more would cover the picture.
pub const MAX_LABEL_CHARS: usize = 24;

// Canonical JSON.

/// Containers inside one another; the serde writer recurses, and this depth fits a 2 MiB stack.
pub const MAX_CANONICAL_DEPTH: usize = 256;
/// Bytes of foreign JSON text read at once; above any result that is admitted.
pub const MAX_STRICT_JSON_BYTES: usize = 64 << 20;

// Redaction.

/// Bytes of a name that may announce a secret; longer ones are judged by their end.
pub const MAX_SECRET_KEY_BYTES: usize = 64;
/// Characters of a token after its prefix, and of `Basic` credentials; shorter runs are words.
pub const MIN_SECRET_RUN_BYTES: usize = 8;
/// Characters after `Bearer`; RFC 6750 sets no lower bound.
pub const MIN_BEARER_BYTES: usize = 4;
/// Letters of a word after `--password` that is taken for prose when it is all lower case.
pub const MAX_PROSE_WORD_BYTES: usize = 16;
/// Bytes searched for the end of a password with characters that a URL should have encoded.
pub const MAX_LOOSE_USER_INFO_BYTES: usize = 512;
/// Bytes of the label of a PEM block (RFC 7468 labels have below 40).
pub const MAX_PEM_LABEL_BYTES: usize = 64;
/// Bytes of a known value; shorter ones occur in ordinary text by chance.
pub const MIN_EXACT_SECRET_BYTES: usize = 6;
/// Bytes of a known value; certificates and keys fit.
pub const MAX_EXACT_SECRET_BYTES: usize = 16 << 10;
/// Known values of one redactor.
pub const MAX_EXACT_SECRETS: usize = 256;

// Records.

/// Bytes of one record as JSON; four times the longest model text that is read.
pub const MAX_RECORD_BYTES: usize = 64 << 20;
/// Characters of a provider, model or file name; the longest file name of common systems.
pub const MAX_NAME_CHARS: usize = 255;
/// Bytes of a time with nanoseconds and offset, and some to spare.
pub const MAX_TIMESTAMP_BYTES: usize = 40;

// Stores.

/// Records or artifacts that a store keeps unless it is told otherwise.
pub const DEFAULT_STORE_ITEMS: usize = 100_000;
/// Bytes that a store keeps unless it is told otherwise.
pub const DEFAULT_STORE_BYTES: u64 = 2 << 30;
/// Records in one pack; a pack is pruned as a whole.
pub const MAX_PACK_RECORDS: usize = 256;
/// Bytes of records in one pack, unless a single record is longer.
pub const MAX_PACK_BYTES: usize = 8 << 20;
/// Bytes of the index line of a pack; each record takes below 160.
pub const MAX_PACK_INDEX_BYTES: u64 = 64 << 10;
/// Bytes of the file that states the version of a store.
pub const MAX_STORE_MARK_BYTES: u64 = 1 << 10;
/// Copies of one damaged file in quarantine.
pub const MAX_QUARANTINE_NAMES: usize = 1_000;
/// Bytes of one artifact; the largest picture that is admitted, and some to spare.
pub const MAX_ARTIFACT_BYTES: u64 = 256 << 20;
/// Puts of artifacts between two counts of all files; how many another process may add unnoticed.
pub const ARTIFACT_COUNT_INTERVAL: usize = 64;

// States, reports, audit.

/// Characters of a run id; a UUID has 36.
pub const MAX_RUN_ID_CHARS: usize = 64;
/// References listed in each part of a delta; the rest is counted. What a model reads at once.
pub const MAX_DELTA_ENTRIES: usize = 100;
/// Characters shown of a value in a delta.
pub const MAX_DELTA_VALUE_CHARS: usize = 120;
/// Characters of a text in a report or an audit event; the longest error message that is shown.
pub const MAX_REPORT_TEXT_CHARS: usize = 500;
/// Arguments of one call in a report; no action has half as many.
pub const MAX_REPORT_ARGUMENTS: usize = 64;

// Logs.

/// Bytes of one event in a log; an event carries names, codes and digests only.
pub const MAX_LOG_LINE_BYTES: usize = 64 << 10;
/// Bytes of one log file unless it is told otherwise; about 15,000 events.
pub const DEFAULT_LOG_FILE_BYTES: u64 = 8 << 20;
/// Least bytes of one log file that can be asked for; some lines have to fit.
pub const MIN_LOG_FILE_BYTES: u64 = 1 << 10;
/// Files of one log unless it is told otherwise.
pub const DEFAULT_LOG_FILES: usize = 4;
/// Files of one log; each of them is looked for when the log is read.
pub const MAX_LOG_FILES: usize = 64;
/// Broken places that a report on a log lists; a person reads no more.
pub const MAX_LOG_PROBLEMS: usize = 100;
