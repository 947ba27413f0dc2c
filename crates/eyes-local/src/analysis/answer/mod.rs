//! Answers to questions about text, place, value, colour, number and state: from what was seen, or none.

mod colour;
mod draft;
mod find;
mod phrases;
mod place;
mod question;
mod state;
mod value;

use eyes_evidence::{geometry::NormalizedBbox, raster::Rgb8, record::TargetEvidence};

use self::{
    draft::Draft,
    find::Scope,
    question::{Intent, Question, parse},
};
use super::{Layout, analyze};
use crate::text::TextLine;

/// Answers a question about a picture, or about the part `region` of it.
///
/// English and Chinese phrases for text, place, presence, value, colour, number, state, title and size
/// are understood. Any other question is answered with the statement that this reader cannot answer it
/// and the text of the part; nothing is guessed.
pub fn answer(
    image: &Rgb8,
    lines: &[TextLine],
    question: &str,
    region: Option<NormalizedBbox>,
) -> TargetEvidence {
    let layout = analyze(image, lines);
    reply(&layout, lines, question, region)
}

pub(super) fn reply(
    layout: &Layout,
    lines: &[TextLine],
    question: &str,
    region: Option<NormalizedBbox>,
) -> TargetEvidence {
    let scope = Scope::new(layout, lines, region.map(|r| r.to_pixels(layout.size)));
    let question = parse(question);
    let draft = match question.intent {
        Intent::Colour => colour::colour(&scope, &question),
        Intent::Count => state::count(&scope, &question),
        Intent::State => state::state(&scope, &question),
        Intent::Locate => place::locate(&scope, &question),
        Intent::Presence => place::presence(&scope, &question),
        Intent::Error => value::error(&scope, &question),
        Intent::Title => value::title(&scope, &question),
        Intent::Size => size(&scope),
        Intent::Read => value::read(&scope, &question),
        Intent::Value => value::value(&scope, &question),
        Intent::Other => other(&scope),
    };
    draft.finish()
}

fn size<'a>(scope: &'a Scope<'a>) -> Draft<'a> {
    let size = scope.layout.size;
    let words = format!("The image is {} x {} px.", size.width, size.height);
    let whole = eyes_evidence::geometry::PixelRect {
        x: 0,
        y: 0,
        width: size.width,
        height: size.height,
    };
    Draft::new(scope, words.clone()).saw(words, whole, 1.0)
}

fn other<'a>(scope: &'a Scope<'a>) -> Draft<'a> {
    Draft::unanswered(
        scope,
        "The local reader cannot answer this question.",
        "the local reader answers questions about text, place, value, colour, number and state only; the \
         text of the part asked about is listed",
    )
}

/// Says that something was not found, and lists the text that was looked through.
fn not_found<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let place = if scope.partial {
        "the region"
    } else {
        "the image"
    };
    let words = if question.subject.is_empty() {
        format!("The local reader cannot answer this: it found nothing of that kind in {place}.")
    } else {
        format!(
            "The local reader found nothing in {place} that matches {}.",
            super::compose::quote(&question.subject)
        )
    };
    Draft::unanswered(
        scope,
        &words,
        "it may be there in another form: only text as it was read and things with a plain shape are found",
    )
}
