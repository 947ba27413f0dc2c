//! What was seen, in words: the column beside the picture.

use eyes_evidence::record::{Evidence, NonEmptyText};

use super::{
    Subject,
    mark::{Kind, Mark},
    markup::Markup,
};
use crate::provenance;

/// Writes everything that a record says.
pub(super) fn write(out: &mut Markup, section: usize, subject: &Subject<'_>, marks: &[Mark<'_>]) {
    match subject.record.evidence() {
        Evidence::Base(base) => {
            said(out, "Summary", None, &base.summary);
            list(out, "Uncertain", "card warn", &base.uncertainties);
            lists(out, section, marks);
            list(out, "Facts", "card", &base.quantitative_facts);
            list(out, "Relations", "card", &base.relations);
        }
        Evidence::Target(target) => {
            said(out, "Answer", subject.record.question(), &target.answer);
            list(out, "Uncertain", "card warn", &target.uncertainties);
            lists(out, section, marks);
        }
    }
    unclaimed(out, subject);
    origin(out, subject);
}

/// Lists what only second readings have.
fn unclaimed(out: &mut Markup, subject: &Subject<'_>) {
    let checks = subject.record.checks().into_iter();
    for check in checks.flat_map(|checks| checks.grounding.iter().chain(&checks.consensus)) {
        if check.unclaimed.entries.is_empty() {
            continue;
        }
        out.raw("<div class=\"card warn\"><h3>Read only by ")
            .value(format!("{}/{}", check.provider, check.model))
            .raw(" <span class=\"count\">")
            .value(check.unclaimed.total.to_string())
            .raw("</span></h3><ul class=\"facts\">");
        for entry in &check.unclaimed.entries {
            out.raw("<li dir=\"auto\">")
                .text(entry.text.as_str())
                .raw("</li>");
        }
        out.raw("</ul></div>");
    }
}

fn said(
    out: &mut Markup,
    title: &'static str,
    question: Option<&NonEmptyText>,
    text: &NonEmptyText,
) {
    out.raw("<div class=\"card\"><h3>").raw(title).raw("</h3>");
    if let Some(question) = question {
        out.raw("<p class=\"say asks\" dir=\"auto\">")
            .text(question.as_str())
            .raw("</p>");
    }
    out.raw("<p class=\"say\" dir=\"auto\">")
        .text(text.as_str())
        .raw("</p></div>");
}

fn heading(out: &mut Markup, title: &'static str, count: usize) {
    out.raw("<h3>")
        .raw(title)
        .raw(" <span class=\"count\">")
        .value(count.to_string())
        .raw("</span></h3>");
}

fn list(out: &mut Markup, title: &'static str, class: &'static str, entries: &[NonEmptyText]) {
    if entries.is_empty() {
        return;
    }
    out.raw("<div class=\"").raw(class).raw("\">");
    heading(out, title, entries.len());
    out.raw("<ul class=\"facts\">");
    for entry in entries {
        out.raw("<li dir=\"auto\">")
            .text(entry.as_str())
            .raw("</li>");
    }
    out.raw("</ul></div>");
}

fn lists(out: &mut Markup, section: usize, marks: &[Mark<'_>]) {
    for kind in Kind::ALL {
        let of_kind: Vec<&Mark<'_>> = marks.iter().filter(|mark| mark.kind == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        out.raw("<div class=\"card\">");
        heading(out, kind.title(), of_kind.len());
        out.raw("<ol class=\"list\">");
        for mark in of_kind {
            entry(out, section, mark);
        }
        out.raw("</ol></div>");
    }
}

fn entry(out: &mut Markup, section: usize, mark: &Mark<'_>) {
    out.raw(if mark.is_doubtful() {
        "<li class=\"e doubtful\" tabindex=\"-1\" data-box=\"b"
    } else {
        "<li class=\"e\" tabindex=\"-1\" data-box=\"b"
    })
    .value(mark.id(section))
    .raw("\"><span class=\"n\">")
    .value(mark.number.to_string())
    .raw("</span><span class=\"v\" dir=\"auto\">")
    .text(mark.text);
    if !mark.more.is_empty() {
        out.raw(" <span class=\"more\">")
            .text(mark.more.join(", "))
            .raw("</span>");
    }
    for dispute in &mark.disputes {
        out.raw("<br><span class=\"against\">")
            .text(dispute)
            .raw("</span>");
    }
    out.raw("</span>");
    if let Some(confidence) = mark.confidence {
        // Rounded down: only certainty is 100 %.
        let percent = (confidence.get() * 100.0).floor();
        out.raw("<span class=\"sure\">")
            .value(format!("{percent}\u{a0}% sure"))
            .raw("</span>");
    }
    out.raw("</li>");
}

fn origin(out: &mut Markup, subject: &Subject<'_>) {
    out.raw("<details class=\"card\" open><summary>Provenance and audit</summary><dl>");
    for row in provenance::rows(subject.record) {
        out.raw("<dt>")
            .raw(row.name)
            .raw("</dt><dd")
            .raw(if row.is_digest {
                " class=\"hash\">"
            } else {
                " dir=\"auto\">"
            })
            .text(&row.value)
            .raw("</dd>");
    }
    out.raw("</dl></details>");
}
