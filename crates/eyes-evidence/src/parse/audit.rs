//! What was done to a model's text on its way to evidence: nothing is changed or lost without a line here.

use serde::{Deserialize, Serialize};

use crate::{
    geometry::PixelSize,
    limits::{MAX_AUDIT_ENTRIES, MAX_AUDIT_VALUE_CHARS},
};

/// The whole story of one parse; part of the stored record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ParseAudit {
    /// How the JSON object was found in the text.
    pub extraction: ExtractionAudit,
    /// Structural repairs, in document order.
    pub repairs: AuditList<Repair>,
    /// Entries and members that were left out, in document order.
    pub dropped: AuditList<Dropped>,
    /// How boxes were read.
    pub coordinates: CoordinateAudit,
    /// Entries of all lists together, before anything was dropped.
    pub entries_total: u32,
    /// Entries that were lost: said something, but broke the contract beyond repair.
    pub entries_lost: u32,
}

impl ParseAudit {
    /// Returns the audit of a document that was made, not parsed: nothing found, repaired or dropped.
    pub fn untouched() -> Self {
        Self {
            extraction: ExtractionAudit {
                method: ExtractionMethod::Whole,
                candidates: 1,
                truncated: false,
                unwrapped: None,
                syntax: SyntaxRepairs::default(),
            },
            repairs: AuditList::default(),
            dropped: AuditList::default(),
            coordinates: CoordinateAudit::default(),
            entries_total: 0,
            entries_lost: 0,
        }
    }
}

/// A list that counts everything and keeps the first [`MAX_AUDIT_ENTRIES`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "AuditListOf{T}"))]
pub struct AuditList<T> {
    /// How many there were.
    pub count: u32,
    /// The first of them.
    #[cfg_attr(feature = "schema", schemars(length(max = MAX_AUDIT_ENTRIES)))]
    pub entries: Vec<T>,
}

impl<T> Default for AuditList<T> {
    fn default() -> Self {
        Self {
            count: 0,
            entries: Vec::new(),
        }
    }
}

impl<T> AuditList<T> {
    /// Counts `entry`, and keeps it while there is room.
    pub fn push(&mut self, entry: T) {
        self.count = self.count.saturating_add(1);
        if self.entries.len() < MAX_AUDIT_ENTRIES {
            self.entries.push(entry);
        }
    }
}

/// How the JSON object was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExtractionAudit {
    /// Where it stood.
    pub method: ExtractionMethod,
    /// How many objects the text held that could have been the document.
    pub candidates: u32,
    /// The text ended before the object did; what was unfinished is dropped.
    pub truncated: bool,
    /// JSON pointer of the object inside a wrapper.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwrapped: Option<String>,
    /// Faults of JSON syntax that were read over.
    pub syntax: SyntaxRepairs,
}

/// Where the object stood in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ExtractionMethod {
    /// It was the whole text.
    Whole,
    /// It stood among other text.
    Embedded,
}

/// Faults of JSON syntax that were read over, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SyntaxRepairs {
    /// Commas before a closing bracket.
    pub trailing_commas: u32,
    /// Commas missing between two values.
    pub missing_commas: u32,
    /// Quotation marks inside a string that were not escaped.
    pub unescaped_quotes: u32,
    /// Control characters inside a string that were not escaped.
    pub raw_controls: u32,
    /// Escapes that JSON does not know, and lone surrogates; read as U+FFFD or the plain character.
    pub bad_escapes: u32,
    /// Words or numbers that JSON does not know, such as `True` or `.5`.
    pub bare_words: u32,
    /// Members of one object with the same name; the last one counts.
    pub duplicate_members: u32,
    /// Containers closed at the end of a text that was cut off.
    pub closed_at_end: u32,
}

/// One structural repair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Repair {
    /// JSON pointer into the model's document.
    pub path: String,
    /// What was done.
    pub action: RepairAction,
    /// What stood there, as JSON text, cut to [`MAX_AUDIT_VALUE_CHARS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
    /// What stands there now, where it is short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical: Option<serde_json::Value>,
}

/// The closed set of structural repairs. None of them adds anything that the model did not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RepairAction {
    /// `schemaVersion` was absent; the contract's constant was put in.
    ContractConstant,
    /// A list was absent or null.
    EmptyList,
    /// One entry stood where a list is expected.
    SingletonList,
    /// A number was written as text, percentage, 0 to 100, or as one of the words high, medium, low.
    Number,
    /// A box was written as an object, nested pairs or text.
    BboxArray,
    /// A box stood under another name.
    BboxMember,
    /// A box ended a little outside the image.
    BboxClamped,
    /// A box had no width or no height; it got one pixel.
    BboxMinimumExtent,
    /// A region id was absent or not allowed; a free one was given.
    RegionId,
    /// A value that is not text was written as the text it stood as.
    Text,
    /// A text longer than the contract allows was cut.
    TextCut,
    /// An attribute stood twice.
    Deduplicated,
}

/// Something that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dropped {
    /// JSON pointer into the model's document.
    pub path: String,
    /// Why.
    pub reason: DropReason,
    /// What stood there, as JSON text, cut to [`MAX_AUDIT_VALUE_CHARS`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

/// The closed set of reasons to leave something out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DropReason {
    /// The contract knows no such member.
    UnknownMember,
    /// The value is null, an empty text or an empty object: it says nothing.
    Empty,
    /// The value is of a kind that the place does not allow.
    WrongType,
    /// The entry lacks its text, name, fact or description.
    MissingText,
    /// The entry has no box.
    MissingBbox,
    /// The box cannot be a box of this image.
    InvalidBbox,
    /// The entry states no confidence.
    MissingConfidence,
    /// The confidence is no number between 0 and 1.
    InvalidConfidence,
    /// The list is longer than the contract allows.
    ListLimit,
    /// The text ended inside it.
    CutOff,
}

impl DropReason {
    /// Tells whether something that was said is lost by it.
    pub const fn is_loss(self) -> bool {
        !matches!(self, Self::UnknownMember | Self::Empty)
    }
}

/// How boxes were read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CoordinateAudit {
    /// The convention of the whole document.
    pub convention: Convention,
    /// Share of the plausible readings that this one holds, 0..=1; 1 when no other fits.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub certainty: f64,
    /// Another convention fits the numbers nearly as well.
    pub ambiguous: bool,
    /// The convention that fits next best, where one fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<Convention>,
    /// The size of the shrunk picture whose pixels the numbers are, where they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resized: Option<PixelSize>,
    /// Boxes that were converted.
    pub transforms: AuditList<Transform>,
}

impl Default for CoordinateAudit {
    fn default() -> Self {
        Self {
            convention: Convention::NormalizedXywh,
            certainty: 1.0,
            ambiguous: false,
            runner_up: None,
            resized: None,
            transforms: AuditList::default(),
        }
    }
}

/// A way to write a box as four numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Convention {
    /// Shares of the image: left, top, width, height. The contract's own.
    NormalizedXywh,
    /// Shares of the image: left, top, right, bottom.
    NormalizedXyxy,
    /// Shares of the image: top, left, bottom, right.
    NormalizedYxyx,
    /// Thousandths of the image: left, top, width, height.
    #[serde(rename = "thousand-xywh")]
    ThousandXywh,
    /// Thousandths of the image: left, top, right, bottom.
    #[serde(rename = "thousand-xyxy")]
    ThousandXyxy,
    /// Thousandths of the image: top, left, bottom, right.
    #[serde(rename = "thousand-yxyx")]
    ThousandYxyx,
    /// Pixels: left, top, width, height.
    PixelXywh,
    /// Pixels: left, top, right, bottom.
    PixelXyxy,
    /// Pixels: top, left, bottom, right.
    PixelYxyx,
    /// Pixels of the picture as the provider shrank it: left, top, width, height.
    ResizedXywh,
    /// Pixels of the picture as the provider shrank it: left, top, right, bottom.
    ResizedXyxy,
    /// Pixels of the picture as the provider shrank it: top, left, bottom, right.
    ResizedYxyx,
    /// Different boxes of the document follow different conventions.
    Mixed,
}

/// One converted box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Transform {
    /// JSON pointer into the model's document.
    pub path: String,
    /// How the box was read.
    pub convention: Convention,
    /// The four numbers as they stood.
    pub original: [f64; 4],
    /// The box as it is now.
    pub normalized: [f64; 4],
}

/// Cuts a JSON text to what the audit keeps of a value.
pub(crate) fn excerpt(text: &str) -> String {
    // Bytes bound characters.
    if text.len() <= MAX_AUDIT_VALUE_CHARS {
        return text.to_owned();
    }
    match text.char_indices().nth(MAX_AUDIT_VALUE_CHARS) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
    }
}
