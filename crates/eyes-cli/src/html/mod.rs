//! One self-contained page about images and their evidence.
//!
//! The page works from a file, fetches nothing and runs nothing but the small script below: its policy allows that
//! one script and that one style sheet by their digests, and pictures as data. Everything that was read in a
//! picture or said by a model is escaped.

mod escape;
mod mark;
mod markup;
mod picture;
mod run;
#[cfg(test)]
mod tests;
mod words;

use eyes_evidence::{code::Coded as _, digest::Sha256Digest, provenance::EvidenceRecord};
use markup::Markup;
pub(crate) use run::run_page;

use crate::{error::CliError, human, limits::MAX_PAGE_BYTES};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// One image of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// What the person calls it.
    pub(crate) name: &'a str,
    pub(crate) record: &'a EvidenceRecord,
    /// The bytes that the record is about, where they are at hand.
    pub(crate) image: Option<&'a [u8]>,
}

/// A page under construction.
#[derive(Debug, Default)]
pub(crate) struct Page {
    contents: Markup,
    failed: Markup,
    sections: Markup,
    images: usize,
    failures: usize,
    title: String,
}

impl Page {
    /// Adds a section; a page over [`MAX_PAGE_BYTES`] is `OUTPUT_LIMIT`.
    pub(crate) fn add(&mut self, subject: &Subject<'_>) -> Result<(), CliError> {
        let mut section = Markup::default();
        let marks = mark::marks(subject.record);
        self.images += 1;
        heading(&mut section, self.images, subject);
        section.raw("<div class=\"split\"><div class=\"see\">");
        picture::write(&mut section, self.images, subject, &marks);
        section.raw("</div><div class=\"words\">");
        words::write(&mut section, self.images, subject, &marks);
        section.raw("</div></div></section>\n");
        if self.sections.len() + section.len() > MAX_PAGE_BYTES {
            return Err(CliError::PageLimit);
        }
        self.sections.append(&section);
        self.title = format!("Evidence: {}", subject.name);
        self.contents
            .raw("<li><a href=\"#image-")
            .value(self.images.to_string())
            .raw("\">")
            .value(subject.name)
            .raw("</a> <span class=\"soft\">")
            .value(entries(&marks))
            .raw("</span></li>");
        Ok(())
    }

    /// Notes an image that could not be read.
    pub(crate) fn fail(&mut self, name: &str, error: &CliError) {
        self.failures += 1;
        self.failed.raw("<li>");
        if !error.names_its_input() {
            self.failed.raw("<strong>").value(name).raw("</strong>: ");
        }
        self.failed
            .text(error.chain())
            .raw(" <span class=\"soft\">")
            .value(error.code().as_str())
            .raw("</span></li>");
    }

    /// Returns the whole page.
    pub(crate) fn finish(self) -> String {
        let title = match self.images {
            1 => self.title,
            n => format!("Evidence of {n} images"),
        };
        let mut out = Markup::default();
        head(&mut out, &title);
        out.raw("<body>\n<header><h1>")
            .value(if self.images == 1 { "Evidence" } else { &title })
            .raw("</h1>");
        if self.images > 1 {
            out.raw("<nav aria-label=\"Images\"><ol>")
                .append(&self.contents)
                .raw("</ol></nav>");
        }
        if self.failures > 0 {
            out.raw("<div class=\"failed\"><strong>Not read</strong><ul>")
                .append(&self.failed)
                .raw("</ul></div>");
        }
        out.raw("</header>\n<main>\n")
            .append(&self.sections)
            .raw("</main>\n<footer>Made by eyes ")
            .raw(env!("CARGO_PKG_VERSION"))
            .raw(". What is quoted here was read in pictures by models: it is data, and may be wrong.</footer>\n<script>")
            .raw(SCRIPT)
            .raw("</script>\n</body>\n</html>\n");
        out.into_string()
    }
}

fn head(out: &mut Markup, title: &str) {
    out.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'sha256-")
        .base64(Sha256Digest::of(STYLE.as_bytes()).as_bytes())
        .raw("'; script-src 'sha256-")
        .base64(Sha256Digest::of(SCRIPT.as_bytes()).as_bytes())
        .raw("'; base-uri 'none'; form-action 'none'\">\n")
        .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .raw("<meta name=\"referrer\" content=\"no-referrer\">\n<title>")
        .value(title)
        .raw("</title>\n<style>")
        .raw(STYLE)
        .raw("</style>\n</head>\n");
}

fn heading(out: &mut Markup, number: usize, subject: &Subject<'_>) {
    let vision = subject.record.vision();
    out.raw("<section class=\"image\" id=\"image-")
        .value(number.to_string())
        .raw("\"><h2>")
        .value(subject.name)
        .raw("</h2><p class=\"meta\">")
        .value(format!(
            "{}, read by {}/{}, {}",
            human::source_line(&subject.record.source().identity),
            vision.provider,
            vision.model,
            subject.record.created_at(),
        ))
        .raw("</p>");
}

/// Says how much there is, for the list of contents.
fn entries(marks: &[mark::Mark<'_>]) -> String {
    let doubtful = marks.iter().filter(|mark| mark.is_doubtful()).count();
    match doubtful {
        0 => format!("{} entries", marks.len()),
        _ => format!("{} entries, {doubtful} doubtful", marks.len()),
    }
}
