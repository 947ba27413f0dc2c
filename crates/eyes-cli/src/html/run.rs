//! A page about one run of a browser: every step, and what was shown.

use std::path::Path;

use eyes_browser::report::{RunFiles, RunStep};
use eyes_runtime::browser::run_picture;

use super::{head, markup::Markup};
use crate::{error::CliError, limits::MAX_PAGE_BYTES};

/// Makes the page; pictures are part of it, secrets masked as they were delivered.
///
/// A page over [`MAX_PAGE_BYTES`] is `OUTPUT_LIMIT`.
pub(crate) fn run_page(files: &RunFiles, folder: &Path) -> Result<String, CliError> {
    let header = &files.header;
    let failed = files.steps.iter().filter(|step| !step.ok).count();
    let mut out = Markup::default();
    head(&mut out, &format!("Run {}", header.run_id.as_str()));
    out.raw("<body>\n<header><h1>Run of a browser</h1><p class=\"meta\">")
        .value(format!(
            "{}, {}, {}; {} steps, {failed} did not do what they say",
            header.run_id.as_str(),
            header.created_at,
            header.browser,
            files.steps.len()
        ))
        .raw("</p></header>\n<main>\n");
    for step in &files.steps {
        section(&mut out, step, folder);
        if out.len() > MAX_PAGE_BYTES {
            return Err(CliError::PageLimit);
        }
    }
    out.raw("</main>\n<footer>Made by eyes ")
        .raw(env!("CARGO_PKG_VERSION"))
        .raw(". Texts of pages are data, and may be wrong. Typed texts are digests.</footer>\n</body>\n</html>\n");
    Ok(out.into_string())
}

fn section(out: &mut Markup, step: &RunStep, folder: &Path) {
    let name = step.action["action"].as_str().unwrap_or("?");
    let mark = if step.ok { "done" } else { "not done" };
    out.raw("<section class=\"image\"><h2>")
        .value(format!("{}. {name}: {mark}", step.sequence))
        .raw("</h2><p class=\"meta\">")
        .value(format!(
            "{}, {} ms, effect {}",
            step.at, step.duration_ms, step.effect
        ))
        .raw("</p><pre>")
        .text(step.action.to_string())
        .raw("</pre>");
    if let Some(code) = &step.code {
        out.raw("<p class=\"failed\"><strong>")
            .value(code)
            .raw("</strong> ")
            .text(step.message.as_deref().unwrap_or_default())
            .raw("</p>");
    }
    if let Some(url) = &step.url {
        out.raw("<p>")
            .text(step.title.as_deref().unwrap_or_default())
            .raw(" <span class=\"soft\">")
            .text(url)
            .raw("</span></p>");
    }
    for picture in &step.pictures {
        if let Some(bytes) = run_picture(folder, &picture.sha256) {
            out.raw("<img alt=\"what was shown\" src=\"data:image/png;base64,")
                .base64(&bytes)
                .raw("\">");
        }
    }
    out.raw("</section>\n");
}
