//! Every numeric bound of this crate, with its unit and its reason.

/// Characters of a provider id; ids are short names.
pub const MAX_PROVIDER_CHARS: usize = 256;
/// Characters of a model name; hosted names carry paths and tags.
pub const MAX_MODEL_CHARS: usize = 512;
/// Characters of a question; from the published look protocol.
pub const MAX_QUESTION_CHARS: usize = 2_000;
/// Bytes of one answer; ten times the largest document seen, far below a memory risk.
pub const MAX_ANSWER_BYTES: usize = 8 << 20;
/// Bytes of reasoning that are passed over in one answer; it is never kept, but it costs time.
pub const MAX_REASONING_BYTES: usize = 32 << 20;
/// Characters of a base prompt; it is paid for with every image.
pub const MAX_BASE_PROMPT_CHARS: usize = 2_500;
/// Further routes after the first failure, at most.
pub const MAX_FAILOVERS: u32 = 8;
/// Further routes after the first failure, unless configured.
pub const DEFAULT_FAILOVERS: u32 = 2;
/// Output tokens of an overview, unless configured; room for 80 texts and 48 regions.
pub const DEFAULT_BASE_TOKENS: u32 = 16_384;
/// Output tokens of an answer to one question, unless configured.
pub const DEFAULT_TARGET_TOKENS: u32 = 8_192;
/// Characters of a failure's message kept in an attempt.
pub const MAX_ATTEMPT_MESSAGE_CHARS: usize = 500;
/// Pixels of one side of a probe's cell; large enough to survive a provider's scaling.
pub const PROBE_CELL: u32 = 72;
/// Output tokens of a probe's answer; models that reason first need more than the answer's fifty.
pub const MAX_PROBE_TOKENS: u32 = 4_096;
/// Bytes of a probe's answer that are looked at.
pub const MAX_PROBE_ANSWER_BYTES: usize = 64 << 10;
/// Share of the picture that a crop covers at most; a larger one would show what the original shows.
pub const MAX_ZOOM_SHARE: f64 = 0.6;
