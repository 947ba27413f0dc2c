//! `eyes evidence`: records and raw model text, offline.

mod list;
mod prune;
mod show;

use eyes_evidence::{
    code::Coded,
    digest::Sha256Digest,
    parse::{ParseContext, parse_evidence},
    provenance::EvidenceRecord,
    store::fs::FsStore,
};
use eyes_runtime::{data::kept_evidence, error::RuntimeError};

use super::Context;
use crate::{
    args::{EvidenceCommand, ParseArgs, VerifyArgs},
    error::CliError,
    exit::Exit,
    human,
    input::Input,
    json::{ParseOutput, VerifyOutput, VerifyStoreOutput},
    limits::{MAX_MODEL_TEXT_BYTES, MAX_RECORD_FILE_BYTES},
    report::Failure,
    text::{Tone, safe},
};

pub(super) fn run(
    command: EvidenceCommand,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    match command {
        EvidenceCommand::Show(args) => show::run(&args, context),
        EvidenceCommand::List(args) => list::run(&args, context),
        EvidenceCommand::Prune(args) => prune::run(&args, context),
        EvidenceCommand::Verify(args) => verify(&args, context),
        EvidenceCommand::Parse(args) => parse(&args, context),
    }
}

fn parse(args: &ParseArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let bytes = args.file.read(context.io.stdin, MAX_MODEL_TEXT_BYTES)?;
    // Models write UTF-8; a byte that is not becomes U+FFFD as it would in a streamed answer.
    let text = String::from_utf8_lossy(&bytes);
    let route = args.route.as_ref().map(ToString::to_string);
    let parsed = parse_evidence(
        &text,
        &ParseContext {
            kind: args.kind.into(),
            size: args.size,
            route: route.as_deref(),
        },
    )?;
    if context.is_json() {
        context.print_json(&ParseOutput {
            evidence: &parsed.evidence,
            audit: &parsed.audit,
        })?;
    } else {
        let text = human::evidence(&parsed.evidence, context.out);
        context.print(text.trim_start_matches('\n'))?;
        let heading = context.out.paint(Tone::Heading, "Audit").to_string();
        context.print(&format!("\n{heading}\n"))?;
        let audit = serde_json::to_string_pretty(&parsed.audit).map_err(std::io::Error::from)?;
        for line in audit.lines() {
            context.print(&format!("  {}\n", safe(line)))?;
        }
    }
    context.done()
}

/// Opens the store of the settings.
fn open_store(context: &Context<'_, '_>) -> Result<FsStore, CliError> {
    let settings = context.settings()?;
    let data_dir = context.data_dir(&settings);
    kept_evidence(&settings, data_dir.as_deref())?
        .ok_or_else(|| CliError::CommandLine("the settings keep no evidence".to_owned()))
}

/// Checks every record of the store; damaged files are set aside.
fn verify_store(context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let store = open_store(context)?;
    let (verified, set_aside) = {
        let _writing = context.io.gate.enter();
        store.verify_all().map_err(RuntimeError::from)?
    };
    if context.is_json() {
        let set_aside: Vec<_> = set_aside
            .iter()
            .map(|path| path.to_string_lossy())
            .collect();
        context.print_json(&VerifyStoreOutput {
            ok: set_aside.is_empty(),
            verified,
            set_aside,
        })?;
    } else {
        context.print(&format!(
            "{}    {verified} records of the store\n",
            context.out.paint(Tone::Good, "ok")
        ))?;
        for path in &set_aside {
            context.print(&format!(
                "{}  set aside as {}\n",
                context.out.paint(Tone::Bad, "FAIL"),
                safe(&path.to_string_lossy())
            ))?;
        }
    }
    let exit = if set_aside.is_empty() {
        Exit::Done
    } else {
        Exit::No
    };
    context.finish(exit)
}

fn verify(args: &VerifyArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if args.store {
        return verify_store(context);
    }
    let image = match &args.image {
        None => None,
        Some(input) => {
            let limits = eyes_evidence::image::ImageLimits::default();
            let bytes = input.read(context.io.stdin, limits.max_bytes())?;
            Some(Sha256Digest::of(&bytes))
        }
    };
    let mut worst = Exit::Done;
    for input in &Input::expand(&args.files)? {
        let exit = match input.read(context.io.stdin, MAX_RECORD_FILE_BYTES) {
            Ok(bytes) => verify_file(input, &bytes, image, context)?,
            Err(error) => context.report(&error, None),
        };
        worst = worst.max(exit);
    }
    context.finish(worst)
}

/// Checks one file: one record, or one a line.
fn verify_file(
    input: &Input,
    bytes: &[u8],
    image: Option<Sha256Digest>,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let whole = EvidenceRecord::from_json(bytes);
    let lines = lines(bytes);
    if whole.is_ok() || lines.len() < 2 {
        let result = whole.map_err(CliError::from);
        return verdict(&input.to_string(), result, image, context);
    }
    let mut worst = Exit::Done;
    for (at, line) in lines.into_iter().enumerate() {
        let result = EvidenceRecord::from_json(line).map_err(CliError::from);
        let name = format!("{input}, record {}", at + 1);
        worst = worst.max(verdict(&name, result, image, context)?);
    }
    Ok(worst)
}

/// Returns the lines of a file that hold something.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
        .collect()
}

/// Prints whether one record holds.
fn verdict(
    name: &str,
    record: Result<EvidenceRecord, CliError>,
    image: Option<Sha256Digest>,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let checked = record.and_then(|record| about(&record, image).map(|()| record));
    if context.is_json() {
        let told = checked.as_ref().map_err(Failure::of);
        let output = VerifyOutput::of(name, told.as_ref().map(|record| *record));
        context.print_json(&output)?;
    } else {
        let line = match &checked {
            Ok(record) => format!(
                "{}    {name}  record {}\n",
                context.out.paint(Tone::Good, "ok"),
                record.record_sha256()
            ),
            Err(error) => format!(
                "{}  {name}  [{}] {}\n",
                context.out.paint(Tone::Bad, "FAIL"),
                error.code(),
                safe(&error.chain())
            ),
        };
        context.print(&line)?;
    }
    Ok(if checked.is_ok() {
        Exit::Done
    } else {
        Exit::No
    })
}

fn about(record: &EvidenceRecord, image: Option<Sha256Digest>) -> Result<(), CliError> {
    let recorded = record.source().identity.sha256;
    match image {
        Some(given) if given != recorded => Err(CliError::OtherImage {
            recorded: recorded.to_string(),
            given: given.to_string(),
        }),
        _ => Ok(()),
    }
}
