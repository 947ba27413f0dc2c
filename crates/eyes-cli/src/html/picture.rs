//! The picture with its boxes.

use eyes_evidence::{geometry::NormalizedBbox, provenance::EvidenceRecord};

use super::{
    Subject,
    mark::{Kind, Mark},
    markup::Markup,
};

/// Writes the tools, the picture and the place for a closer look.
pub(super) fn write(out: &mut Markup, section: usize, subject: &Subject<'_>, marks: &[Mark<'_>]) {
    tools(out, marks);
    let size = subject.record.source().identity.size;
    let (width, height) = (size.width.to_string(), size.height.to_string());
    out.raw("<figure><div class=\"pane\"><svg role=\"img\" aria-label=\"")
        .value(format!("{} with the boxes of its evidence", subject.name))
        .raw("\" width=\"")
        .value(&width)
        .raw("\" height=\"")
        .value(&height)
        .raw("\" viewBox=\"0 0 ")
        .value(format!("{width} {height}"))
        .raw("\">");
    original(out, section, subject);
    for mark in by_size(marks) {
        rectangle(out, section, subject.record, mark);
    }
    if let Some(region) = subject.record.region() {
        out.raw("<rect class=\"asked\"");
        place(out, region, subject.record);
        out.raw("/>");
    }
    out.raw("</svg></div></figure><div class=\"lens\" aria-hidden=\"true\"><svg viewBox=\"0 0 1 1\"><use href=\"#picture-")
        .value(section.to_string())
        .raw("\"/></svg><p></p></div>");
}

fn tools(out: &mut Markup, marks: &[Mark<'_>]) {
    out.raw("<div class=\"tools\">");
    for kind in Kind::ALL {
        if marks.iter().any(|mark| mark.kind == kind) {
            out.raw("<label class=\"k-")
                .raw(kind.class())
                .raw("\"><input type=\"checkbox\" checked data-kind=\"")
                .raw(kind.class())
                .raw("\"><span class=\"key\"></span>")
                .raw(match kind {
                    Kind::Observation => "observations",
                    Kind::Text => "text",
                    Kind::Object => "objects",
                    Kind::Region => "regions",
                })
                .raw("</label>");
        }
    }
    out.raw("<button type=\"button\" class=\"size\" aria-pressed=\"false\">Actual size</button>");
    if !marks.is_empty() {
        out.raw("<input type=\"search\" placeholder=\"Find in the lists\" aria-label=\"Find in the lists\">");
    }
    out.raw("</div>");
}

/// Writes the bytes as they were read, or an empty sheet where they are not at hand.
fn original(out: &mut Markup, section: usize, subject: &Subject<'_>) {
    let identity = &subject.record.source().identity;
    let name = match subject.image {
        Some(_) => "<image id=\"picture-",
        None => "<rect class=\"blank\" id=\"picture-",
    };
    out.raw(name)
        .value(section.to_string())
        .raw("\" width=\"")
        .value(identity.size.width.to_string())
        .raw("\" height=\"")
        .value(identity.size.height.to_string());
    if let Some(bytes) = subject.image {
        out.raw("\" href=\"data:")
            .value(identity.media_type.as_str())
            .raw(";base64,")
            .base64(bytes);
    }
    out.raw("\"/>");
}

/// Large boxes first, so that a pointer reaches the small ones inside them.
fn by_size<'a, 'b>(marks: &'b [Mark<'a>]) -> Vec<&'b Mark<'a>> {
    let area = |mark: &Mark<'_>| mark.bbox.width() * mark.bbox.height();
    let mut sorted: Vec<&Mark<'_>> = marks.iter().collect();
    sorted.sort_by(|a, b| area(b).total_cmp(&area(a)));
    sorted
}

fn rectangle(out: &mut Markup, section: usize, record: &EvidenceRecord, mark: &Mark<'_>) {
    out.raw("<rect class=\"b ").raw(mark.kind.class());
    if mark.is_doubtful() {
        out.raw(" doubtful");
    }
    out.raw("\" id=\"b").value(mark.id(section)).raw("\"");
    place(out, mark.bbox, record);
    out.raw("><title>").value(mark.text).raw("</title></rect>");
}

fn place(out: &mut Markup, bbox: NormalizedBbox, record: &EvidenceRecord) {
    let size = record.source().identity.size;
    let (wide, high) = (f64::from(size.width), f64::from(size.height));
    let number = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    out.raw(" x=\"")
        .value(number(bbox.x() * wide))
        .raw("\" y=\"")
        .value(number(bbox.y() * high))
        .raw("\" width=\"")
        .value(number(bbox.width() * wide))
        .raw("\" height=\"")
        .value(number(bbox.height() * high))
        .raw("\"");
}
