//! `eyes evidence list`.

use eyes_evidence::{
    provenance::EvidenceRecord,
    record::Evidence,
    store::{EvidenceListing as _, EvidenceStore as _},
};
use eyes_runtime::error::RuntimeError;

use super::{Context, open_store};
use crate::{
    args::ListArgs,
    error::CliError,
    exit::Exit,
    human::source_line,
    json::ListedOutput,
    limits::LISTED_SUMMARY_CHARS,
    text::{Tone, safe},
};

pub(super) fn run(args: &ListArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let store = open_store(context)?;
    let newest = store
        .newest(args.limit as usize)
        .map_err(RuntimeError::from)?;
    let mut worst = Exit::Done;
    for digest in newest {
        let found = {
            // Reading may set a damaged pack aside, which is a write.
            let _whole = context.io.gate.enter();
            store.find(&digest)
        };
        match found {
            Ok(Some(record)) => line(&record, context)?,
            // Pruned by another process meanwhile.
            Ok(None) => {}
            Err(error) => {
                let error = CliError::from(RuntimeError::from(error));
                worst = worst.max(context.report(&error, None));
            }
        }
    }
    context.finish(worst)
}

fn line(record: &EvidenceRecord, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    if context.is_json() {
        return context.print_json(&ListedOutput::from(record));
    }
    let vision = record.vision();
    let route = format!("{}/{}", vision.provider, vision.model);
    let name = record.source().name.as_ref();
    let said = match record.evidence() {
        Evidence::Base(base) => base.summary.as_str(),
        Evidence::Target(target) => target.answer.as_str(),
    };
    let digest = record.record_sha256().to_string();
    let digest = context.out.paint(Tone::Heading, &digest[..12]).to_string();
    let image = match name {
        Some(name) => safe(name.as_str()).into_owned(),
        None => source_line(&record.source().identity),
    };
    let route = context.out.paint(Tone::Dim, safe(&route)).to_string();
    context.print(&format!(
        "{digest}  {:6}  {}  {image}  {route}  {}\n",
        record.kind().name(),
        record.created_at(),
        beginning(said)
    ))
}

/// Returns the first words on one line.
fn beginning(text: &str) -> String {
    let text = safe(text);
    match text.char_indices().nth(LISTED_SUMMARY_CHARS) {
        None => text.into_owned(),
        Some((end, _)) => format!("{}\u{2026}", text[..end].trim_end()),
    }
}
