//! Every numeric bound of this crate, with its unit and its reason.

use std::time::Duration;

// state

/// Elements of a state at most, whatever the settings say.
pub const MAX_ELEMENTS: usize = 500;
/// Elements of a state where the settings say nothing.
pub const DEFAULT_ELEMENTS: usize = 200;
/// Characters of page text at most, whatever the settings say.
pub const MAX_TEXT_CHARS: usize = 100_000;
/// Characters of page text where the settings say nothing: about what a viewport shows.
pub const DEFAULT_TEXT_CHARS: usize = 2_000;
/// Bytes of a rendered state: no single result fills a context window.
pub const MAX_STATE_BYTES: usize = 64 << 10;
/// Bytes of a rendered state where the settings say nothing.
pub const DEFAULT_STATE_BYTES: usize = 16 << 10;
/// Bytes of a rendered state at least: what the page is, and how to ask for more of it.
pub const MIN_STATE_BYTES: usize = 2 << 10;
/// Characters of an accessible name.
pub const MAX_NAME_CHARS: usize = 120;
/// Characters of a value.
pub const MAX_VALUE_CHARS: usize = 200;
/// Characters of an address that is shown.
pub const MAX_URL_CHARS: usize = 2_000;
/// Characters of a link's address in a state.
pub const MAX_HREF_CHARS: usize = 200;
/// Options of a select that are shown.
pub const MAX_OPTIONS: usize = 20;
/// Characters of one option.
pub const MAX_OPTION_CHARS: usize = 60;
/// Characters of a title.
pub const MAX_TITLE_CHARS: usize = 200;
/// Tabs that are listed.
pub const MAX_TABS: usize = 30;
/// Downloads that are listed, the newest.
pub const MAX_DOWNLOADS: usize = 20;
/// Lines of the console, and failed requests, that one state shows.
pub const MAX_DIAGNOSTICS: usize = 10;
/// Characters of such a line.
pub const MAX_DIAGNOSTIC_CHARS: usize = 300;
/// Characters of a dialog's message.
pub const MAX_DIALOG_CHARS: usize = 1_000;

// action

/// Characters of an action's arguments as JSON.
pub const MAX_ACTION_BYTES: usize = 256 << 10;
/// Characters of a text to type.
pub const MAX_TYPED_CHARS: usize = 100_000;
/// Characters of a selector or a text to find.
pub const MAX_QUERY_CHARS: usize = 1_000;
/// Steps of a batch.
pub const MAX_BATCH_STEPS: usize = 50;
/// Files of an upload.
pub const MAX_UPLOAD_FILES: usize = 20;
/// Elements that one query returns.
pub const MAX_FOUND: usize = 20;
/// How long a caller may let an action wait.
pub const MAX_ACTION_TIMEOUT: Duration = Duration::from_mins(2);
/// How long an action waits where the settings say nothing.
pub const DEFAULT_ACTION_TIMEOUT: Duration = Duration::from_secs(15);

// driver

/// How long one look at a page may take.
pub const SNAPSHOT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long one frame may take to answer; the others do not wait for it.
pub const FRAME_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes of one message of a browser: a picture of a large screen in base64.
pub const MAX_MESSAGE_BYTES: usize = 96 << 20;
/// Possible hosts of closed shadow roots that one look asks for: pages of hundreds of empty boxes exist.
pub const MAX_HOSTS: usize = 100;
/// Frames of a page that are looked into.
pub const MAX_FRAMES: usize = 50;
/// Requests of a tab that are followed at the same time; the oldest is forgotten.
pub const MAX_IN_FLIGHT: usize = 500;
/// Messages to a browser that wait to be sent.
pub const MAX_OUTGOING: usize = 4_096;
/// How long a browser may take to answer a message that does not wait for a page.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// How long an address may take until its document begins.
pub const NAVIGATION_TIMEOUT: Duration = Duration::from_mins(1);
/// How long a page may take to be printed or drawn.
pub const RENDER_TIMEOUT: Duration = Duration::from_secs(30);
/// Bytes of a download where the settings say nothing.
pub const DEFAULT_DOWNLOAD_BYTES: u64 = 256 << 20;
/// Characters of a download's name: what every file system takes, with room for a number.
pub const MAX_FILE_NAME_CHARS: usize = 120;
/// How long a browser may take to start.
pub const LAUNCH_TIMEOUT: Duration = Duration::from_secs(30);

// settle

/// Without change for so long is calm.
pub const QUIET: Duration = Duration::from_millis(50);
/// How long to wait for a first sign that an action had an effect.
pub const FIRST_SIGN: Duration = Duration::from_millis(600);
/// How long a page may go on moving before it is looked at anyway.
pub const SETTLE_CAP: Duration = Duration::from_secs(5);
/// How long an action of waiting for a time waits where it says nothing.
pub const DEFAULT_WAIT: Duration = Duration::from_secs(1);
/// Characters of a path of a file to upload.
pub const MAX_PATH_CHARS: usize = 4_096;

// secret

/// Secrets that one session keeps apart from the texts it shows.
pub const MAX_KNOWN_SECRETS: usize = 64;
/// Bytes of a secret that is only removed where it stands alone as a word.
pub const SHORT_SECRET_BYTES: usize = 5;

// refs

/// Elements whose refs are remembered; beyond, those that are not shown are forgotten.
pub const MAX_KEPT_REFS: usize = 20_000;
/// How long to wait for a first sign where the driver saw the effect itself, or where there often is none.
pub const SHORT_SIGN: Duration = Duration::from_millis(30);
/// How long an assertion that does not hold is looked at again, where its call says no less.
pub const ASSERT_TIMEOUT: Duration = Duration::from_secs(5);
/// The shortest time between two looks at a condition.
pub const MIN_POLL: Duration = Duration::from_millis(20);
/// The longest time between two looks at a condition.
pub const MAX_POLL: Duration = Duration::from_millis(250);

// report

/// Events, assertions and pictures of one run that its report lists.
pub const MAX_EVENTS: usize = 10_000;

// config

/// Milliseconds that an action may take, at least.
pub const MIN_TIMEOUT_MS: u64 = 1_000;
/// Milliseconds that an action may take, at most.
pub const MAX_TIMEOUT_MS: u64 = 120_000;
/// Milliseconds to wait for a first sign, at most.
pub const MAX_FIRST_SIGN_MS: u64 = 10_000;
/// Width and height of a viewport in CSS pixels, at least.
pub const MIN_VIEWPORT: (u32, u32) = (320, 240);
/// Width and height of a viewport in CSS pixels, at most.
pub const MAX_VIEWPORT: (u32, u32) = (3_840, 2_160);
/// Elements of a state at most, the least that the settings may say.
pub const MIN_ELEMENTS: usize = 20;
/// Characters of page text at most, the least that the settings may say.
pub const MIN_TEXT_CHARS: usize = 200;
/// Entries of one list of the settings.
pub const MAX_LISTED: usize = 200;
/// Bytes of one file of a run that are read.
pub const MAX_RUN_FILE_BYTES: u64 = 256 << 20;
