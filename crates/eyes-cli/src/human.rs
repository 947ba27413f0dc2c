//! Evidence for a person on a terminal.

use std::fmt::{Display, Write as _};

use eyes_evidence::{
    geometry::NormalizedBbox,
    image::{ImageIdentity, MediaType},
    provenance::EvidenceRecord,
    record::{BaseEvidence, Confidence, Evidence, NonEmptyText, OcrEntry, TargetEvidence},
};
use eyes_router::vision::Reading;

use crate::{
    limits::DOUBT_BELOW,
    provenance,
    text::{Style, Tone, safe},
};

/// Renders one reading; `name` is safe for a terminal.
pub(crate) fn reading(name: &str, reading: &Reading, style: Style) -> String {
    let mut page = Page::new(style);
    let origin = if reading.is_cached() { "stored, " } else { "" };
    let source = source_line(&reading.record.source().identity);
    let route = reading.route.to_string();
    page.line(format_args!(
        "{} {}",
        style.paint(Tone::Heading, name),
        style.paint(
            Tone::Dim,
            format_args!("{source}, {origin}read by {}", safe(&route))
        )
    ));
    page.evidence(reading.record.evidence());
    page.text
}

/// Renders a stored record with everything that is known of its origin.
pub(crate) fn record(record: &EvidenceRecord, style: Style) -> String {
    let mut page = Page::new(style);
    let digest = record.record_sha256().to_string();
    let vision = record.vision();
    let origin = format!(
        "{}, read by {}/{}, {}",
        source_line(&record.source().identity),
        vision.provider,
        vision.model,
        record.created_at()
    );
    page.line(format_args!(
        "{} {}",
        style.paint(Tone::Heading, format_args!("record {}", &digest[..12])),
        style.paint(Tone::Dim, safe(&origin))
    ));
    page.evidence(record.evidence());
    page.heading("Provenance and audit", None);
    for row in provenance::rows(record) {
        let name = style
            .paint(Tone::Dim, format!("{:20}", row.name))
            .to_string();
        page.line(format_args!("  {name}  {}", safe(&row.value)));
    }
    page.text
}

/// Renders an evidence document.
pub(crate) fn evidence(document: &Evidence, style: Style) -> String {
    let mut page = Page::new(style);
    page.evidence(document);
    page.text
}

pub(crate) fn source_line(image: &ImageIdentity) -> String {
    let format = match image.media_type {
        MediaType::Png => "PNG",
        MediaType::Jpeg => "JPEG",
        MediaType::Webp => "WebP",
        MediaType::Gif => "GIF",
        MediaType::Bmp => "BMP",
        _ => "image",
    };
    format!("{}x{} {format}", image.size.width, image.size.height)
}

/// Text under construction.
struct Page {
    text: String,
    style: Style,
}

impl Page {
    const fn new(style: Style) -> Self {
        Self {
            text: String::new(),
            style,
        }
    }

    fn line(&mut self, line: impl Display) {
        writeln!(self.text, "{line}").expect("writing to a String does not fail");
    }

    fn heading(&mut self, title: &str, count: Option<usize>) {
        let count = count.map(|count| format!(" ({count})")).unwrap_or_default();
        let title = self
            .style
            .paint(Tone::Heading, format_args!("{title}{count}"))
            .to_string();
        self.line("");
        self.line(title);
    }

    fn evidence(&mut self, document: &Evidence) {
        match document {
            Evidence::Base(base) => self.base(base),
            Evidence::Target(target) => self.target(target),
        }
    }

    fn base(&mut self, base: &BaseEvidence) {
        self.heading("Summary", None);
        self.paragraph(&base.summary);
        self.ocr(&base.ocr);
        if !base.objects.is_empty() {
            self.heading("Objects", Some(base.objects.len()));
            for object in &base.objects {
                let attributes: Vec<_> =
                    object.attributes.iter().map(|a| safe(a.as_str())).collect();
                let name = safe(object.name.as_str());
                if attributes.is_empty() {
                    self.placed(object.bbox, name);
                } else {
                    let attributes = self
                        .style
                        .paint(Tone::Dim, attributes.join(", "))
                        .to_string();
                    self.placed(object.bbox, format_args!("{name}  {attributes}"));
                }
            }
        }
        if !base.regions.is_empty() {
            self.heading("Regions", Some(base.regions.len()));
            for region in &base.regions {
                let id = self.style.paint(Tone::Dim, region.id.as_str()).to_string();
                let description = safe(region.description.as_str());
                self.placed(region.bbox, format_args!("{description}  {id}"));
            }
        }
        self.list("Facts", &base.quantitative_facts);
        self.list("Relations", &base.relations);
        self.list("Uncertain", &base.uncertainties);
    }

    fn target(&mut self, target: &TargetEvidence) {
        self.heading("Answer", None);
        self.paragraph(&target.answer);
        if !target.observations.is_empty() {
            self.heading("Observations", Some(target.observations.len()));
            for observation in &target.observations {
                let doubt = self.doubt(observation.confidence);
                let fact = safe(observation.fact.as_str());
                self.placed(observation.bbox, format_args!("{fact}{doubt}"));
            }
        }
        self.ocr(&target.ocr);
        self.list("Uncertain", &target.uncertainties);
    }

    fn ocr(&mut self, entries: &[OcrEntry]) {
        if entries.is_empty() {
            return;
        }
        self.heading("Text", Some(entries.len()));
        self.line(
            self.style
                .paint(Tone::Dim, "  from top  from left")
                .to_string(),
        );
        for entry in entries {
            let doubt = self.doubt(entry.confidence);
            let text = safe(entry.text.as_str());
            self.placed(entry.bbox, format_args!("{text}{doubt}"));
        }
    }

    /// Prints where the box begins, in percent of height and width, and what is there.
    fn placed(&mut self, bbox: NormalizedBbox, what: impl Display) {
        let place = format!("  {:7.1}%  {:8.1}%", bbox.y() * 100.0, bbox.x() * 100.0);
        let place = self.style.paint(Tone::Dim, place).to_string();
        self.line(format_args!("{place}  {what}"));
    }

    fn doubt(&self, confidence: Confidence) -> String {
        if confidence.get() >= DOUBT_BELOW {
            return String::new();
        }
        let percent = (confidence.get() * 100.0).round();
        self.style
            .paint(Tone::Dim, format_args!("  ({percent}% sure)"))
            .to_string()
    }

    /// Keeps the line breaks of a longer text.
    fn paragraph(&mut self, text: &NonEmptyText) {
        for line in text.as_str().lines() {
            let line = safe(line);
            self.line(format_args!("  {}", line.trim_end()));
        }
    }

    fn list(&mut self, title: &str, entries: &[NonEmptyText]) {
        if entries.is_empty() {
            return;
        }
        self.heading(title, Some(entries.len()));
        for entry in entries {
            self.line(format_args!("  - {}", safe(entry.as_str())));
        }
    }
}
