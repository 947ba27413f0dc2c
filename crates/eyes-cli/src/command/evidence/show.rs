//! `eyes evidence show`.

use std::sync::Arc;

use eyes_evidence::{
    image::{AdmittedImage, ImageLimits, admit},
    provenance::EvidenceRecord,
    store::{EvidenceListing as _, EvidenceStore as _},
};
use eyes_runtime::error::RuntimeError;

use super::{Context, about, lines, open_store};
use crate::{
    args::ShowArgs,
    error::CliError,
    exit::Exit,
    html::{Page, Subject},
    human,
    input::Input,
    limits::{MAX_RECORD_FILE_BYTES, MIN_DIGEST_DIGITS},
    output::write_file,
    overlay::overlay_png,
    text::safe,
};

/// Hexadecimal digits of a whole digest.
const DIGEST_DIGITS: usize = 64;

pub(super) fn run(args: &ShowArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    if args.record == Input::Stdin && args.image == Some(Input::Stdin) {
        let message = "standard input cannot be both the record and the image";
        return Err(CliError::CommandLine(message.to_owned()));
    }
    let record = find(&args.record, context)?;
    let image = match &args.image {
        Some(input) => Some(image_of(&record, input, context)?),
        None => None,
    };
    if let Some(path) = &args.html {
        let name = name_of(&record, args.image.as_ref());
        let mut page = Page::default();
        page.add(&Subject {
            name: &name,
            record: &record,
            image: image.as_ref().map(|image| &image.bytes()[..]),
        })?;
        write_file(path, page.finish().as_bytes(), &context.io.gate)?;
    }
    if let (Some(path), Some(image)) = (&args.overlay, &image) {
        let png = overlay_png(image.raster(), record.evidence())?;
        write_file(path, &png, &context.io.gate)?;
    }
    if context.is_json() {
        context.print(&record.to_json()?)?;
        context.print("\n")?;
    } else {
        let text = human::record(&record, context.out);
        context.print(&text)?;
    }
    context.done()
}

/// Finds the record: a file of this name, else the digits of a digest.
fn find(input: &Input, context: &mut Context<'_, '_>) -> Result<Arc<EvidenceRecord>, CliError> {
    let name = input.path().and_then(|path| {
        let digits = path.to_str()?;
        let is_digest = !path.exists() && digits.bytes().all(|b| b.is_ascii_hexdigit());
        is_digest.then(|| digits.to_ascii_lowercase())
    });
    if let Some(digits) = name {
        return stored(&digits, context);
    }
    let bytes = input.read(context.io.stdin, MAX_RECORD_FILE_BYTES)?;
    let record = match EvidenceRecord::from_json(&bytes) {
        Err(_)
            if lines(&bytes).len() > 1 && EvidenceRecord::from_json(lines(&bytes)[0]).is_ok() =>
        {
            return Err(CliError::RecordName {
                name: input.to_string(),
                reason: "holds several records; save one of its lines as a file",
            });
        }
        record => record?,
    };
    Ok(Arc::new(record))
}

fn stored(digits: &str, context: &Context<'_, '_>) -> Result<Arc<EvidenceRecord>, CliError> {
    let refuse = |reason| CliError::RecordName {
        name: digits.to_owned(),
        reason,
    };
    if digits.len() < MIN_DIGEST_DIGITS {
        return Err(refuse("has fewer than 6 digits, and is no file"));
    }
    if digits.len() > DIGEST_DIGITS {
        return Err(refuse("has more digits than a digest, and is no file"));
    }
    let store = open_store(context)?;
    let found = store
        .beginning_with(digits, 2)
        .map_err(RuntimeError::from)?;
    let record = match found[..] {
        [] => None,
        [digest] => {
            // Reading may set a damaged pack aside, which is a write.
            let _whole = context.io.gate.enter();
            store.find(&digest).map_err(RuntimeError::from)?
        }
        _ => return Err(refuse("begins several digests")),
    };
    record.ok_or_else(|| CliError::NoRecord {
        digits: digits.to_owned(),
    })
}

/// Reads and admits the image, and checks that the record is about it.
fn image_of(
    record: &EvidenceRecord,
    input: &Input,
    context: &mut Context<'_, '_>,
) -> Result<AdmittedImage, CliError> {
    let limits = ImageLimits::default();
    let bytes = input.read(context.io.stdin, limits.max_bytes())?;
    let image = admit(bytes, &limits).map_err(RuntimeError::from)?;
    about(record, Some(image.identity().sha256))?;
    Ok(image)
}

fn name_of(record: &EvidenceRecord, image: Option<&Input>) -> String {
    match (image, &record.source().name) {
        (Some(input), _) => input.to_string(),
        (None, Some(name)) => safe(name.as_str()).into_owned(),
        (None, None) => format!("record {:.12}", record.record_sha256().to_string()),
    }
}
