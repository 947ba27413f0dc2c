//! Every bound of this crate, in one place, grouped by the module that keeps it.

mod oauth;

use std::time::Duration;

pub use eyes_system::limits::{KILL_WAIT, MAX_STDERR_BYTES};

pub use self::oauth::*;

// names and config

/// Characters of a server's id.
pub const MAX_SERVER_ID_CHARS: usize = 32;
/// Characters of a public tool name; model APIs refuse longer ones.
pub const MAX_PUBLIC_NAME_CHARS: usize = 64;
/// How long a call waits unless the settings say otherwise.
pub const DEFAULT_CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The shortest wait of a call, in milliseconds.
pub const MIN_CALL_TIMEOUT_MS: u64 = 100;
/// The longest wait of a call, in milliseconds: an hour.
pub const MAX_CALL_TIMEOUT_MS: u64 = 3_600_000;
/// Servers in the settings; each is a process or a connection of its own.
pub const MAX_SERVERS: usize = 128;
/// Characters of a server's name for people.
pub const MAX_SERVER_NAME_CHARS: usize = 128;
/// Tools exposed in line unless configured.
pub const DEFAULT_INLINE_TOOLS: u64 = 16;
/// Tools exposed in line at most where they are bounded; model APIs refuse far fewer.
pub const MAX_INLINE_TOOLS: u64 = 1_000;
/// Estimated tokens of schemas in line unless configured.
pub const DEFAULT_SCHEMA_TOKENS: u64 = 12_000;
/// Estimated tokens of schemas in line at least where they are bounded; one usual tool takes half of it.
pub const MIN_SCHEMA_TOKENS: u64 = 256;
/// Estimated tokens of schemas in line at most where they are bounded.
pub const MAX_SCHEMA_TOKENS: u64 = 10_000_000;
/// UTF-16 code units of a result's preview unless configured.
pub const DEFAULT_RESULT_CHARS: u64 = 20_000;
/// UTF-16 code units of a result's preview at least; a shorter one could not say what was left out.
pub const MIN_RESULT_CHARS: u64 = 256;
/// UTF-16 code units of a result's preview at most.
pub const MAX_RESULT_CHARS: u64 = 10_000_000;
/// Calls of one run unless configured.
pub const DEFAULT_CALLS_PER_RUN: u64 = 64;
/// Calls of one run at most where they are bounded.
pub const MAX_CALLS_PER_RUN: u64 = 10_000;
/// Audit events in memory unless configured.
pub const DEFAULT_AUDIT_EVENTS: u64 = 200;
/// Audit events in memory at most; about 5 MB.
pub const MAX_AUDIT_EVENTS: u64 = 10_000;
/// Bytes of kept results unless configured.
pub const DEFAULT_ARTIFACT_BYTES: u64 = 512 << 20;
/// Bytes of kept results at least: one result of the largest size fits.
pub const MIN_ARTIFACT_BYTES: u64 = 64 << 20;
/// Bytes of kept results at most, so that every number in the settings is exact in JSON: 1 TiB.
pub const MAX_ARTIFACT_BYTES: u64 = 1 << 40;
/// Results that are kept at most; more would make the directory slow.
pub const MAX_ARTIFACT_ITEMS: u64 = 1_000_000;
/// Days that a result is kept unless configured.
pub const DEFAULT_ARTIFACT_AGE_DAYS: u64 = 30;
/// Days that a result is kept at most: ten years.
pub const MAX_ARTIFACT_AGE_DAYS: u64 = 3_650;
/// Entries of one list that allows or denies; each is compared with each tool.
pub const MAX_LIST_ENTRIES: usize = 1_000;
/// Bytes of one such entry; it may be a whole URI.
pub const MAX_LIST_ENTRY_BYTES: usize = 2_048;
/// Arguments of a program.
pub const MAX_ARGUMENTS: usize = 256;
/// Bytes of a program's name, of its folder, and of one argument; Windows takes 32,767 characters for all of them.
pub const MAX_ARGUMENT_BYTES: usize = 32 << 10;
/// Variables that a program gets; with headers and parameters below what a redactor keeps.
pub const MAX_ENV_REFERENCES: usize = 128;
/// Headers that are sent with every request.
pub const MAX_HEADER_REFERENCES: usize = 32;
/// Parameters that are appended to an address.
pub const MAX_QUERY_REFERENCES: usize = 16;
/// Bytes of a variable's, header's or parameter's name, of a scope and of a key's id.
pub const MAX_REFERENCE_BYTES: usize = 1_024;
/// Bytes of a server's address; many servers answer 414 to a longer one (RFC 9110, section 4.1).
pub const MAX_URL_BYTES: usize = 8_000;
/// Characters of the reason in an error of settings; it may quote foreign text.
pub const MAX_CONFIG_REASON_CHARS: usize = 300;
/// Bytes of another host's file of servers; some keep their history in it.
pub const MAX_IMPORT_BYTES: usize = 32 << 20;
/// Containers inside one another in such a file.
pub const MAX_IMPORT_DEPTH: usize = 64;

// wire

/// Bytes of one message of a server before it is decoded: four images of the largest size in base64.
pub const MAX_MESSAGE_BYTES: usize = 48 << 20;
/// Containers inside one another in a message; what decodes it stops at 128.
pub const MAX_MESSAGE_DEPTH: usize = 96;
/// Values in one message, so that small ones cannot fill the memory.
pub const MAX_MESSAGE_NODES: usize = 1_000_000;
/// Bytes of one text in a message.
pub const MAX_MESSAGE_STRING_BYTES: usize = 40 << 20;

// adapter

/// Resources whose update waits for whoever listens; more are told as a changed list.
pub const MAX_WAITING_RESOURCE_UPDATES: usize = 256;
/// Characters of the message of an error, as it is shown.
pub const MAX_ERROR_CHARS: usize = 500;
/// Characters of a server's name, version and revision.
pub const MAX_PEER_NAME_CHARS: usize = 256;
/// Characters of what a server tells every model.
pub const MAX_INSTRUCTIONS_CHARS: usize = 32 << 10;
/// Characters of the message of a step of progress.
pub const MAX_PROGRESS_MESSAGE_CHARS: usize = 500;
/// Characters of a foreign name of a method in a message.
pub const MAX_METHOD_CHARS: usize = 64;
/// Bytes of an address of a resource in a notification.
pub const MAX_URI_CHARS: usize = 8 << 10;
/// Bytes of the schema of a question to the person, and of an answer.
pub const MAX_ELICITATION_BYTES: usize = 64 << 10;
/// Fields of a question.
pub const MAX_ELICITATION_FIELDS: usize = 64;
/// Characters of the message of a question.
pub const MAX_ELICITATION_MESSAGE_CHARS: usize = 4096;
/// Questions of one server that are open at once; a person answers one after another.
pub const MAX_OPEN_ELICITATIONS: usize = 1;
/// How often a server may ask for input before its result is given up.
pub const MAX_INPUT_ROUNDS: usize = 8;
/// Requests for input in one round.
pub const MAX_INPUT_REQUESTS: usize = 16;
/// How long a server that wants to be asked again is left alone at first; twice as long each further time.
pub const INPUT_RETRY: Duration = Duration::from_millis(100);
/// How long a cancellation may take to be sent.
pub const CANCEL_TIMEOUT: Duration = Duration::from_secs(5);
/// How long the protocol library may take to end, with the deletion of a session; well below [`CLOSE_TIMEOUT`].
pub const PROTOCOL_CLOSE_TIMEOUT: Duration = Duration::from_secs(8);
/// How long the end of a server's process is waited for, to say how it ended.
pub const EXIT_WAIT: Duration = Duration::from_millis(500);
/// Characters of standard error that explain a failed start.
pub const MAX_START_STDERR_CHARS: usize = 240;
/// Resources of one server that are subscribed to.
pub const MAX_SUBSCRIPTIONS: usize = 256;
/// Attempts in a row to listen to a server's subscriptions.
pub const LISTEN_ATTEMPTS: u32 = 6;
/// Before the second of these attempts; twice as long before each further one.
pub const LISTEN_RETRY: Duration = Duration::from_millis(500);
/// Changes of subscriptions that wait.
pub const LISTEN_WAITING_CHANGES: usize = 16;

// adapter/rmcp/http

/// Bytes of the body of an HTTP error that are looked at.
pub const MAX_HTTP_ERROR_BYTES: usize = 64 << 10;
/// Requests to a server that wait for their answer's head; one that never answers must not hold up a ping.
pub const MAX_HTTP_REQUESTS: usize = 256;
/// The longest pause before a broken stream of events is opened again.
pub const HTTP_RECONNECT_PAUSE: Duration = Duration::from_secs(30);
/// Bytes of a challenge (`WWW-Authenticate`) that are looked at.
pub const MAX_CHALLENGE_BYTES: usize = 8 << 10;

// net

/// How long a connection may take, over all addresses of a host and with TLS.
pub const HTTP_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often an idle connection shows that it is alive.
pub const HTTP_KEEP_ALIVE: Duration = Duration::from_secs(30);
/// Redirects of one request that are followed.
pub const MAX_REDIRECTS: usize = 5;
/// Bytes of one file of additional CA certificates.
pub const MAX_CA_BYTES: usize = 1 << 20;
/// Bytes of a name, an id or a method at the top of a message that are looked at; longer ones are none of ours.
pub const MAX_ENVELOPE_TOKEN_BYTES: usize = 256;
/// Bytes of a line that is no message which are kept to be shown.
pub const MAX_SKIPPED_SAMPLE_BYTES: usize = 512;

// adapter/rmcp/stdio

/// Bytes that are read from a server at once.
pub const STDIO_READ_BYTES: usize = 64 << 10;
/// Messages to a server that wait to be written.
pub const STDIO_WRITE_QUEUE: usize = 64;
/// How long a server may read nothing of what is written to it before the connection is given up.
pub const STDIO_WRITE_STALL: Duration = Duration::from_secs(30);
/// Requests to a server whose responses are awaited; beyond it the oldest is forgotten.
pub const MAX_PENDING_REQUESTS: usize = 4096;

// names and policy

/// Characters of a server's own name of a tool or prompt; the protocol advises 128 (MCP 2025-11-25, tool names).
pub const MAX_RAW_NAME_CHARS: usize = 256;
/// Characters of a glob, so that matching it stays cheap.
pub const MAX_SELECTOR_CHARS: usize = 512;
/// Characters of a foreign name in a message.
pub const MAX_SHOWN_NAME_CHARS: usize = 96;

// catalog

/// Tools of one server.
pub const MAX_CATALOG_TOOLS: usize = 256;
/// UTF-16 code units of the definitions of one server as JSON text.
pub const MAX_CATALOG_CHARS: usize = 1_000_000;
/// UTF-8 bytes of the definitions of one server as JSON text.
pub const MAX_CATALOG_BYTES: usize = 4_000_000;
/// Containers inside one another in one definition.
pub const MAX_CATALOG_DEPTH: usize = 64;
/// Values in the definitions of one server.
pub const MAX_CATALOG_NODES: usize = 100_000;
/// Pages of one list.
pub const MAX_LIST_PAGES: usize = 256;
/// Bytes of a cursor; it is kept until the list ends.
pub const MAX_CURSOR_BYTES: usize = 8_192;
/// How long one list may take, all its pages together.
pub const MAX_DRAIN_TIME: Duration = Duration::from_mins(1);
/// How long one page may take without a word of the server.
pub const MAX_PAGE_IDLE: Duration = Duration::from_secs(30);
/// Resources, templates and prompts of one server together.
pub const MAX_CONTENT_ENTRIES: usize = 256;
/// UTF-16 code units of the content entries of one server as JSON text.
pub const MAX_CONTENT_CHARS: usize = 1_000_000;
/// UTF-8 bytes of the content entries of one server as JSON text.
pub const MAX_CONTENT_BYTES: usize = 4_000_000;

// content

/// Bytes of the address of a resource.
pub const MAX_URI_BYTES: usize = 4_096;
/// Bytes of a URI template.
pub const MAX_TEMPLATE_BYTES: usize = 512;
/// Expressions in a URI template.
pub const MAX_TEMPLATE_EXPRESSIONS: usize = 16;
/// How often an address is decoded in search of dot segments; one that still changes then is refused.
pub const MAX_DECODING_ROUNDS: usize = 4;
/// Characters of one argument of a prompt.
pub const MAX_PROMPT_ARGUMENT_CHARS: usize = 100_000;
/// Characters of a prompt's description in its result.
pub const MAX_PROMPT_DESCRIPTION_CHARS: usize = 100_000;
/// Characters of an address or a name in the line above a block.
pub const MAX_BLOCK_LABEL_CHARS: usize = 2_048;

// pins

/// Pins of one server, those of removed tools among them; a tool beyond them waits for approval.
pub const MAX_PINS_PER_SERVER: usize = 1_024;
/// Bytes of a definition that is kept whole beside its digest; of larger ones there is no diff.
pub const MAX_PINNED_DEFINITION_BYTES: usize = 256 << 10;
/// Bytes of all definitions of one server that are kept whole.
pub const MAX_PINNED_SERVER_BYTES: usize = 8 << 20;
/// Bytes of the file of pins.
pub const MAX_PINS_FILE_BYTES: u64 = 64 << 20;
/// Unreadable files of pins that stand beside the new one.
pub const MAX_PINS_SET_ASIDE: usize = 16;
/// Changes that a diff names.
pub const MAX_DIFF_CHANGES: usize = 64;
/// Characters of a value in a diff.
pub const MAX_DIFF_TEXT_CHARS: usize = 400;
/// Flags of one tool.
pub const MAX_FLAGS_PER_TOOL: usize = 16;
/// Characters around what a flag is about.
pub const MAX_FLAG_EXCERPT_CHARS: usize = 120;
/// Characters of a description above which it is flagged: about a thousand tokens of instructions.
pub const LONG_DESCRIPTION_CHARS: usize = 4_000;

// schema

/// Bytes of a schema as JSON that is compiled or rewritten.
pub const MAX_SCHEMA_BYTES: usize = 1 << 20;
/// Values of such a schema.
pub const MAX_SCHEMA_NODES: usize = 100_000;
/// Containers inside one another in such a schema.
pub const MAX_SCHEMA_DEPTH: usize = 64;
/// Levels of all that a schema refers to, added up: what compiles it goes down by one call a level.
pub const MAX_SCHEMA_REFERENCE_LEVELS: usize = 1_024;
/// Places of a schema that are compiled when every reference stands for what it refers to.
pub const MAX_SCHEMA_PLACES: usize = 200_000;
/// Different patterns of one schema; each is an automaton.
pub const MAX_SCHEMA_PATTERNS: usize = 512;
/// Bytes of a pattern's automaton, and of the cache of its states.
pub const MAX_PATTERN_AUTOMATON_BYTES: usize = 256 << 10;
/// Pairs of a place of the schema and a value that one check may look at.
pub const MAX_CHECK_STEPS: usize = 500_000;
/// Such pairs inside one another; a check goes down by one call each.
pub const MAX_CHECK_DEPTH: usize = 400;
/// Violations that an error names.
pub const MAX_VIOLATIONS: usize = 8;
/// Characters of the pointer of a violation.
pub const MAX_VIOLATION_POINTER_CHARS: usize = 200;
/// Characters of the rule of a violation.
pub const MAX_VIOLATION_RULE_CHARS: usize = 240;
/// Compiled schemas that are kept.
pub const MAX_CACHED_SCHEMAS: usize = 256;
/// Values of a rewritten schema; references to large parts may come often.
pub const MAX_FITTED_NODES: usize = 20_000;
/// Bytes of a rewritten schema as JSON: about 30,000 tokens.
pub const MAX_FITTED_BYTES: usize = 128 << 10;
/// Changes that are noted of one schema.
pub const MAX_FIT_NOTES: usize = 32;

// exposure

/// Characters of a tool's description that a model is sent.
pub const MAX_DESCRIPTION_CHARS: usize = 4_000;
/// Characters of the one line about a tool in the answer of a search.
pub const MAX_SUMMARY_CHARS: usize = 120;
/// Names of required parameters in the answer of a search.
pub const MAX_SUMMARY_PARAMETERS: usize = 12;
/// Characters of the index of capabilities: about 600 tokens.
pub const MAX_INDEX_CHARS: usize = 2_400;
/// Hits of a search, at most.
pub const MAX_SEARCH_HITS: usize = 20;
/// Hits of a search that names no limit; models choose worse among more.
pub const DEFAULT_SEARCH_HITS: usize = 5;
/// Capabilities that are described at once.
pub const MAX_DESCRIBED: usize = 5;
/// Bytes of a schema that is described in full; of a larger one the members are listed.
pub const MAX_DESCRIBED_SCHEMA_BYTES: usize = 64 << 10;
/// Names that are offered for one that is not known.
pub const MAX_CLOSE_NAMES: usize = 5;
/// Hexadecimal digits of a definition's digest that models repeat.
pub const SCHEMA_HASH_DIGITS: usize = 16;
/// Part of a context that definitions in line may take before a catalogue is used: one tenth, as other hosts do.
pub const INLINE_CONTEXT_PART: u64 = 10;
/// Tokens of a definition that the provider keeps back: 166 were counted for 150.
pub const DEFERRED_TOOL_TOKENS: u64 = 2;

// search

/// Characters of a query that are read.
pub const MAX_QUERY_CHARS: usize = 512;
/// Different words of a query that are looked up.
pub const MAX_QUERY_WORDS: usize = 32;
/// Words of one text of a tool that are indexed.
pub const MAX_INDEXED_WORDS: usize = 400;
/// Parameters of one tool that are indexed, those inside others included.
pub const MAX_INDEXED_PARAMETERS: usize = 64;

// results and artifacts

/// Containers around a value of a result; the published bound.
pub const MAX_RESULT_DEPTH: usize = 64;
/// Values of a result; the published bound.
pub const MAX_RESULT_NODES: usize = 50_000;
/// Content blocks of a result; the published bound.
pub const MAX_RESULT_BLOCKS: usize = 4_096;
/// UTF-16 code units of all texts and keys of a result; the published bound.
pub const MAX_RESULT_STRING_UNITS: usize = 16 << 20;
/// Images of a result; the published bound.
pub const MAX_RESULT_IMAGES: usize = 8;
/// Characters of base64 of all images of a result; the published bound.
pub const MAX_RESULT_IMAGE_ENCODED_BYTES: usize = 28 << 20;
/// Bytes of all images of a result; the published bound.
pub const MAX_RESULT_IMAGE_BYTES: usize = 20 << 20;
/// UTF-16 code units kept free for the mark of a cut, its number included.
pub const CUT_MARK_UNITS: usize = 48;
/// Characters of a server's text that describes a block on one line, such as an address.
pub const MAX_DESCRIBED_CHARS: usize = 2_000;
/// How many times longer than structured content a text may be that is compared with it; indented JSON is 3 times.
pub const MAX_DUPLICATE_FACTOR: usize = 8;
/// Characters of a server's or tool's name in a file name; the published bound.
pub const MAX_SAFE_NAME_CHARS: usize = 64;
/// Estimated tokens of the frame of a result; the published figure.
pub const RESULT_FRAME_TOKENS: u64 = 8;
/// Estimated tokens of the frame of a block; the published figure.
pub const RESULT_BLOCK_TOKENS: u64 = 4;
/// Characters of the summary of a deferred message; the published bound.
pub const MAX_DEFERRED_SUMMARY_CHARS: usize = 120;
/// How long artifacts are kept unless the settings say otherwise; a conversation is seldom older.
pub const DEFAULT_ARTIFACT_AGE: Duration = Duration::from_hours(DEFAULT_ARTIFACT_AGE_DAYS * 24);
/// Artifacts unless the settings say otherwise; all of them are listed when room is made.
pub const DEFAULT_ARTIFACT_ITEMS: usize = 10_000;
/// How often old artifacts are looked for.
pub const ARTIFACT_EXPIRY_INTERVAL: Duration = Duration::from_hours(1);
/// Bytes of an artifact that are read at once; more than a preview can show by default.
pub const MAX_ARTIFACT_CHUNK_BYTES: usize = 64 << 10;

// audit

/// Containers around a value of arguments that are hashed; the published bound.
pub const MAX_AUDIT_HASH_DEPTH: usize = 64;
/// Values of arguments that are hashed; the published bound.
pub const MAX_AUDIT_HASH_NODES: usize = 10_000;
/// UTF-16 code units of arguments that are hashed; the published bound.
pub const MAX_AUDIT_HASH_CHARS: usize = 1 << 20;
/// Names of arguments that are shown; the published bound.
pub const MAX_AUDIT_KEYS: usize = 256;
/// UTF-16 code units of the names of arguments that are shown; the published bound.
pub const MAX_AUDIT_KEY_CHARS: usize = 8_192;
/// Characters of a message or a name that is shown in an error or a record; the published bound.
pub const MAX_SHOWN_CHARS: usize = 500;

// connection

/// The longest wait before the first attempt after an end; it doubles with every further one.
pub const RECONNECT_BASE: Duration = Duration::from_millis(500);
/// The longest wait before any attempt.
pub const RECONNECT_CAP: Duration = Duration::from_secs(30);
/// A connection that lived this long ends an outage: waits begin anew.
pub const STABLE_AFTER: Duration = Duration::from_secs(30);
/// Ends and failed attempts within [`CRASH_WINDOW`] after which a server is left alone.
pub const CRASH_ENDS: usize = 10;
/// See [`CRASH_ENDS`].
pub const CRASH_WINDOW: Duration = Duration::from_mins(5);
/// How long a server that crashes in a loop is left alone before one more attempt.
pub const CRASH_COOL_DOWN: Duration = Duration::from_mins(5);
/// How long lists must be quiet before they are read again.
pub const LIST_QUIET: Duration = Duration::from_millis(250);
/// How long a list that changes all the time is left unread at most.
pub const LIST_MAX_DELAY: Duration = Duration::from_secs(2);
/// The least time between two readings of lists that a server asks for; it cannot make the host read all day.
pub const LIST_MIN_INTERVAL: Duration = Duration::from_secs(5);
/// When a list that was suddenly empty is read again before it is believed.
pub const EMPTY_CONFIRM_AFTER: Duration = Duration::from_secs(2);
/// The longest wait before the first further reading of a list that could not be read.
pub const DRAIN_RETRY_BASE: Duration = Duration::from_secs(5);
/// The longest wait before any such reading.
pub const DRAIN_RETRY_CAP: Duration = Duration::from_mins(5);
/// How often a live connection is asked whether it lives.
pub const PING_INTERVAL: Duration = Duration::from_mins(1);
/// How soon it is asked again when it did not answer.
pub const PING_RETRY: Duration = Duration::from_secs(5);
/// How long an answer to a ping may take.
pub const PING_TIMEOUT: Duration = Duration::from_secs(10);
/// Unanswered pings in a row after which a connection counts as dead.
pub const PING_MISSES: u32 = 2;
/// How young the last sign of life may be to stand for a new one.
pub const HEALTH_FRESH: Duration = Duration::from_secs(30);
/// How long a close may take before it counts as failed; children get about 4 s of it.
pub const CLOSE_TIMEOUT: Duration = Duration::from_secs(15);
/// When a close that failed is tried again on its own.
pub const CLOSE_RETRY: Duration = Duration::from_secs(30);
/// How long making a connection and shaking hands may take whatever the settings say; packages may be
/// downloaded in it.
pub const CONNECT_HARD_LIMIT: Duration = Duration::from_mins(5);
/// Commands that wait for one server.
pub const ACTOR_QUEUE: usize = 64;

// manager

/// Updates of resources that wait for a listener.
pub const RESOURCE_UPDATES: usize = 256;
/// How often a close that fails is tried when everything stops.
pub const CLOSE_ATTEMPTS_AT_STOP: usize = 3;
/// How many times the settings' wait without a word a call may take while progress is told.
pub const CALL_TOTAL_FACTOR: u32 = 20;
/// However much progress is told, no call takes longer, unless the settings' wait itself is longer.
pub const CALL_TOTAL_CAP: Duration = Duration::from_hours(1);

// serve

/// Bytes of one line of a client over standard streams.
pub const MAX_SERVED_LINE_BYTES: usize = 8 << 20;
/// Bytes of one request of a client over HTTP.
pub const MAX_SERVED_BODY_BYTES: usize = 8 << 20;
/// Tools on one page of the list.
pub const SERVED_TOOLS_PER_PAGE: usize = 250;
/// Steps of progress of one call that wait for a slow client; newer ones are left out.
pub const SERVED_PROGRESS_QUEUE: usize = 32;
/// Sessions of clients over HTTP at a time.
pub const MAX_SERVED_SESSIONS: usize = 64;
/// How long a session of a client over HTTP lives without a request.
pub const SERVED_SESSION_IDLE: Duration = Duration::from_mins(15);
/// Connections of clients over HTTP at a time.
pub const MAX_SERVED_CONNECTIONS: usize = 128;
/// How long a client may take to send the head of a request.
pub const SERVED_HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The pause after a connection could not be taken.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long requests under way may take to end when the server does.
pub const SERVED_GRACE: Duration = Duration::from_secs(5);
/// Characters of a bearer token that somebody chose; shorter ones can be guessed.
pub const MIN_TOKEN_CHARS: usize = 16;
