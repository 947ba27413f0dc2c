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
/// Output tokens of a probe's answer at most, where a model states a larger default.
pub const MAX_PROBE_MODEL_TOKENS: u32 = 16_384;
/// Grids shown to one model before the probe fails; a lucky guess of two grids is as good as impossible.
pub const PROBE_TRIES: u32 = 2;
/// Milliseconds for which a passed probe counts, unless configured: seven days.
pub const DEFAULT_PROBE_TTL_MS: u64 = 604_800_000;
/// Milliseconds for which a passed probe counts, at least: a minute.
pub const MIN_PROBE_TTL_MS: u64 = 60_000;
/// Milliseconds for which a passed probe counts, at most: ninety days.
pub const MAX_PROBE_TTL_MS: u64 = 7_776_000_000;
/// Milliseconds for which a list of models is fresh, unless configured.
pub const DEFAULT_HEALTH_TTL_MS: u64 = 60_000;
/// Milliseconds for which a list of models is fresh, at least.
pub const MIN_HEALTH_TTL_MS: u64 = 1_000;
/// Milliseconds for which a list of models is fresh, at most: an hour.
pub const MAX_HEALTH_TTL_MS: u64 = 3_600_000;
/// Milliseconds until a failed listing is tried again, where the list's own time is longer.
pub const CATALOGUE_RETRY_MS: u64 = 10_000;
/// Milliseconds for which a reading waits for lists of routes that are not next; the next one is always waited for.
pub const CATALOGUE_PATIENCE_MS: u64 = 3_000;
/// Models of one provider's list that are kept; the largest public catalogue has about a thousand.
pub const MAX_LISTED_MODELS: usize = 10_000;
/// Milliseconds for which a circuit stays open, unless configured.
pub const DEFAULT_COOLDOWN_MS: u64 = 30_000;
/// Milliseconds for which a circuit stays open, at most, whatever a provider asks for: an hour.
pub const MAX_COOLDOWN_MS: u64 = 3_600_000;
/// Consecutive route faults that open a circuit, unless configured; one may be chance.
pub const DEFAULT_FAILURE_THRESHOLD: u32 = 2;
/// Consecutive route faults that open a circuit, at most.
pub const MAX_FAILURE_THRESHOLD: u32 = 10;
/// Routes whose health is kept; the longest unchanged goes first.
pub const MAX_HEALTH_ROUTES: usize = 256;
/// Milliseconds after which an unchanged circuit is forgotten: a day.
pub const HEALTH_EXPIRY_MS: u64 = 86_400_000;
/// Bytes of the file of route health; 256 routes with the longest names stay below.
pub const MAX_HEALTH_FILE_BYTES: u64 = 2 << 20;
/// Faults of the file of route health that wait to be reported; more say nothing new.
pub const MAX_HEALTH_WARNINGS: usize = 8;
/// Images of one turn that are read at once, unless configured.
pub const DEFAULT_CONCURRENCY: usize = 4;
/// Images of one turn that are read at once, at most.
pub const MAX_CONCURRENCY: usize = 16;
/// Milliseconds of one operation, unless configured; a reasoning model may think for minutes.
pub const DEFAULT_TIME_BUDGET_MS: u64 = 300_000;
/// Milliseconds of one operation, at least.
pub const MIN_TIME_BUDGET_MS: u64 = 1_000;
/// Milliseconds of one operation, at most: an hour.
pub const MAX_TIME_BUDGET_MS: u64 = 3_600_000;
/// Tokens of one operation, at least; less leaves no room for one image.
pub const MIN_TOKEN_BUDGET: u64 = 1_024;
/// Tokens of one operation, at most.
pub const MAX_TOKEN_BUDGET: u64 = 10_000_000;
/// Output tokens below which a call is not worth making.
pub const MIN_OUTPUT_TOKENS: u32 = 256;
/// Output tokens of an overview, at least, where configured.
pub const MIN_BASE_TOKENS: u32 = 512;
/// Output tokens of an answer to one question, at least, where configured.
pub const MIN_TARGET_TOKENS: u32 = 256;
/// Times that one route is asked again in one reading after it said that it is busy.
pub const MAX_BUSY_RETRIES: u32 = 2;
/// Milliseconds of the first wait before a busy route is asked again; doubled each time, jittered to 50..=100 %.
pub const BUSY_BACKOFF_MS: u64 = 1_000;
/// Milliseconds that a reading waits for one busy route at most; asked to wait longer, it takes the next route.
pub const MAX_BUSY_WAIT_MS: u64 = 15_000;
/// Characters of the reader's request that go along with an overview; as many as a question may have.
pub const MAX_FOCUS_CHARS: usize = 2_000;
/// Share of the counted entries that a cut-off answer may have lost.
pub const MAX_CUT_OFF_LOST_SHARE: f64 = 0.05;
/// Bytes of one line of an event stream; a whole answer of [`MAX_ANSWER_BYTES`] fits, escaped as JSON.
pub const MAX_SSE_LINE_BYTES: usize = 16 << 20;
/// Bytes of data of one event of a stream, for the same reason.
pub const MAX_SSE_EVENT_BYTES: usize = 16 << 20;
/// Bytes of a reply that comes as one JSON document, after decompression.
pub const MAX_WHOLE_REPLY_BYTES: usize = 16 << 20;
/// Bytes of one streamed reply, after decompression; events are many times larger than what they carry.
pub const MAX_STREAM_BYTES: u64 = 256 << 20;
/// Bytes of one page of a provider's list of models; the longest known has 2 MB.
pub const MAX_CATALOG_BYTES: usize = 16 << 20;
/// Models of one provider; the longest known list has 600.
pub const MAX_CATALOG_MODELS: usize = 8_192;
/// Pages of one provider's list of models.
pub const MAX_CATALOG_PAGES: usize = 32;
/// Bytes of an error's body that are looked at.
pub const MAX_ERROR_BODY_BYTES: usize = 64 << 10;
/// Characters of a provider's message that are kept.
pub const MAX_PROVIDER_MESSAGE_CHARS: usize = 500;
/// Characters of a provider's own code and of its request id.
pub const MAX_PROVIDER_TOKEN_CHARS: usize = 128;
/// Milliseconds of a provider's wish to wait that are passed on: one day.
pub const MAX_RETRY_AFTER_MS: u64 = 24 * 60 * 60 * 1_000;
/// Bytes of a base URL.
pub const MAX_URL_BYTES: usize = 2_048;
/// Bytes of a key; cloud tokens have up to 4 KB.
pub const MAX_KEY_BYTES: usize = 8 << 10;
/// Headers of its own that a provider's settings may add.
pub const MAX_EXTRA_HEADERS: usize = 32;
/// Bytes of additional CA certificates; a complete public bundle has 250 KB.
pub const MAX_CA_BYTES: usize = 1 << 20;
/// Seconds until a connection stands, unless configured; all addresses of a host share them.
pub const DEFAULT_CONNECT_SECONDS: u64 = 15;
/// Seconds until the first byte of a reply's body, unless configured; a model may be loaded first.
pub const DEFAULT_FIRST_BYTE_SECONDS: u64 = 600;
/// Seconds of silence inside a reply, unless configured; models reason without a word for minutes.
pub const DEFAULT_IDLE_SECONDS: u64 = 300;
/// Seconds of one whole reply, unless configured.
pub const DEFAULT_TOTAL_SECONDS: u64 = 1_800;
/// Seconds of one listing of models, unless configured; nobody reasons there.
pub const DEFAULT_CATALOG_SECONDS: u64 = 30;
/// Seconds between signs of life on an open connection, so that silence is told from a lost peer.
pub const KEEP_ALIVE_SECONDS: u64 = 30;
/// Seconds until an unused connection is closed; below what most gateways allow.
pub const POOL_IDLE_SECONDS: u64 = 55;
/// Output tokens of a Messages request, where neither the request nor the model names any: the form needs a number.
pub const DEFAULT_MESSAGES_TOKENS: u32 = 8_192;
/// Milliseconds that the end of a body may come after the end of its answer, for the connection to be kept.
pub const MAX_TRAILER_MS: u64 = 1_000;
/// Attempts that wait to be written, at most; more than every route of a hundred readings at once.
pub const MAX_ATTEMPT_QUEUE: usize = 4_096;
/// Attempts that are written at once; below 128 KiB.
pub const MAX_ATTEMPT_BATCH: usize = 256;
/// Seconds of silence between the end of an answer and the closing mark of its stream, which some servers omit.
pub const MAX_CLOSING_SECONDS: u64 = 5;

// Comparing two readings of one picture.

/// Characters of a text up to which no slip of recognition is allowed.
pub const EXACT_TEXT_CHARS: usize = 4;
/// Characters of a text for one more slip.
pub const TEXT_CHARS_PER_EDIT: usize = 12;
/// Slips in one text, however long.
pub const MAX_TEXT_EDITS: usize = 16;
/// Characters of a text that is looked for outside its box; shorter ones stand in many places.
pub const MIN_MISPLACED_CHARS: usize = 4;
/// Lines in one box; a box with more is about no text in particular.
pub const MAX_LINES_IN_BOX: usize = 200;
/// Steps of all comparisons of two documents; below a second, and ten times what 5,000 usual entries take.
pub const MAX_COMPARISON_WORK: usize = 200_000_000;
/// Characters of a text that a check or an uncertainty shows.
pub const MAX_CHECK_TEXT_CHARS: usize = 200;
/// Disagreements told in words; what a model reads at once.
pub const MAX_CHECK_UNCERTAINTIES: usize = 50;
/// Pixels of a box's height below which the local eyes are not asked; print of half that size is a guess.
pub const MIN_GROUNDING_HEIGHT: f64 = 8.0;
/// Confidence of the local eyes below which a text that differs proves nothing.
pub const MIN_GROUNDING_CONFIDENCE: f64 = 0.6;
/// Routes that are tried for a second opinion; each costs a call.
pub const MAX_SECOND_ROUTES: usize = 2;

// The context of an automation turn, and the answer to it.

/// Estimated tokens of an automation turn's request, unless configured.
pub const DEFAULT_AUTOMATION_CONTEXT_TOKENS: u64 = 32_768;
/// Estimated tokens of an automation turn's request, at least, where there is a limit; one state of a page fits.
pub const MIN_AUTOMATION_CONTEXT_TOKENS: u64 = 4_096;
/// Parts of the room for older steps that go at once; a cut stays while the newest part fills.
pub const CONTEXT_CHUNKS: u64 = 4;
/// Calls of the model for one task, unless configured.
pub const DEFAULT_AUTOMATION_CALLS: u32 = 32;
/// Sessions whose calls are counted at once.
pub const MAX_GUARDED_SESSIONS: usize = 1_024;
/// Tokens between a request and its answer, at least; a rough estimate of a small window.
pub const MIN_WINDOW_MARGIN: u64 = 256;
/// Tokens between a request and its answer, at most.
pub const MAX_WINDOW_MARGIN: u64 = 8_192;
/// Pixels of one token of an image, as Anthropic publishes it.
pub const IMAGE_PIXELS_PER_TOKEN: u64 = 750;
/// Tokens of one image at most; larger ones are scaled down by those who take them.
pub const MAX_IMAGE_TOKENS: u64 = 4_784;
/// Tokens around one message: marks of its role and of its end.
pub const MESSAGE_FRAME_TOKENS: u64 = 4;
/// Tokens around one call of a tool; DeepSeek V4 writes one argument with 40, V3 any number with 11.
pub const CALL_FRAME_TOKENS: u64 = 40;
/// Tokens around one result of a tool.
pub const RESULT_FRAME_TOKENS: u64 = 8;
/// Tokens around one tool's specification.
pub const TOOL_FRAME_TOKENS: u64 = 16;
/// Bytes of a text that is looked at as a marker; full evidence of the largest answer fits.
pub const MAX_MARKER_BYTES: usize = 2 * MAX_ANSWER_BYTES;
/// Bytes of a control message: a question of the longest kind in escapes, and its frame.
pub const MAX_CONTROL_BYTES: usize = 16 << 10;
/// Sessions that one engine remembers; those beyond are found again from their messages.
pub const MAX_SESSIONS: usize = 64;
/// Images of one session that are remembered; older ones are found again from the messages and the store.
pub const MAX_SESSION_IMAGES: usize = 256;
/// Answers to questions of one session that are remembered.
pub const MAX_SESSION_ANSWERS: usize = 256;
/// Rereads of one round; more at once is a model that lost its way.
pub const MAX_LOOKS_AT_ONCE: usize = 4;
/// Rounds of looking again in one turn, unless configured.
pub const DEFAULT_CLARIFICATIONS: u32 = 3;
/// Rounds of looking again in one turn, at most.
pub const MAX_CLARIFICATIONS: u32 = 8;
/// Estimated tokens of pictures in a session, unless configured: some fifteen dense screenshots.
pub const DEFAULT_EVIDENCE_CONTEXT_TOKENS: u64 = 64_000;
/// Estimated tokens of pictures in a session, at least: one plain picture.
pub const MIN_EVIDENCE_CONTEXT_TOKENS: u64 = 1_024;
/// Calls of the final model for one task, at most.
pub const MAX_AUTOMATION_CALLS: u32 = 10_000;
/// Pointers that stay, unless configured.
pub const DEFAULT_HISTORY_IMAGES: usize = 8;
/// Pointers that stay, at most.
pub const MAX_HISTORY_IMAGES: usize = 32;
/// Characters of the summary in a pointer, unless configured.
pub const DEFAULT_SUMMARY_CHARS: usize = 320;
/// Characters of the summary in a pointer, at least.
pub const MIN_SUMMARY_CHARS: usize = 64;
/// Characters of the summary in a pointer, at most.
pub const MAX_SUMMARY_CHARS: usize = 2_000;
// Answers that call tools.

/// Tool calls of one answer; OpenAI takes as many tools, and models call a dozen at once.
pub const MAX_TOOL_CALLS: usize = 128;
/// Bytes of all tool calls of one answer: a model writes them as it writes text.
pub const MAX_TOOL_CALL_BYTES: usize = MAX_ANSWER_BYTES;
/// Bytes of one seal on reasoning: 128,000 tokens, encrypted and in base64, stay below a megabyte.
pub const MAX_SEAL_BYTES: usize = 4 << 20;
