//! Where a record comes from and what was done to the model's text, for a person.

use std::{collections::BTreeMap, fmt::Display};

use eyes_evidence::{
    parse::audit::{
        AuditList, CoordinateAudit, ExtractionAudit, ExtractionMethod, ParseAudit, SyntaxRepairs,
    },
    provenance::{EvidenceRecord, RecordZoom, TextCheck},
};
use serde_json::{Value, json};

/// One line of a record's origin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Not safe yet for a terminal or a page: names of images and models come from outside.
    pub(crate) value: String,
    pub(crate) is_digest: bool,
}

fn row(name: &'static str, value: &dyn Display) -> Row {
    Row {
        name,
        value: value.to_string(),
        is_digest: false,
    }
}

fn digest(name: &'static str, value: &dyn Display) -> Row {
    Row {
        is_digest: true,
        ..row(name, value)
    }
}

/// Lists the image, the route, what was asked, the digests and the audit.
pub(crate) fn rows(record: &EvidenceRecord) -> Vec<Row> {
    let identity = &record.source().identity;
    let vision = record.vision();
    let size = identity.size;
    let mut rows = vec![
        row(
            "Read by",
            &format_args!("{}/{}", vision.provider, vision.model),
        ),
        row("Sight established by", &vision.validation),
        row("Prompt", &vision.prompt_version),
        row("Created", record.created_at()),
        row("Document", &record.kind().name()),
    ];
    if let Some(question) = record.question() {
        rows.push(row("Question", question));
    }
    if let Some(region) = record.region() {
        let part = region.to_pixels(size);
        rows.push(row(
            "Asked about",
            &format_args!(
                "{} x {} px at left {}, top {}",
                part.width, part.height, part.x, part.y
            ),
        ));
    }
    if let Some(name) = &record.source().name {
        rows.push(row("Image", name));
    }
    rows.push(row(
        "Format",
        &format_args!(
            "{}, {} x {} px, {} bytes",
            identity.media_type, size.width, size.height, identity.bytes
        ),
    ));
    if let Some(orientation) = identity.orientation {
        rows.push(row(
            "Orientation",
            &format_args!("{orientation} by EXIF, not applied"),
        ));
    }
    rows.extend(record.zoom().into_iter().flat_map(zoom));
    rows.extend(checks(record));
    rows.extend(audit(record.audit()));
    rows.extend(digests(record));
    rows
}

fn zoom(zoom: &RecordZoom) -> [Row; 1] {
    let (rect, sent) = (zoom.rect, zoom.sent);
    [row(
        "Shown closer",
        &format_args!(
            "{} x {} px at left {}, top {}, sent as {} x {}",
            rect.width, rect.height, rect.x, rect.y, sent.width, sent.height
        ),
    )]
}

fn digests(record: &EvidenceRecord) -> Vec<Row> {
    let identity = &record.source().identity;
    let mut rows = vec![
        digest("Image SHA-256", &identity.sha256),
        digest("Pixels SHA-256", &identity.pixel_sha256),
    ];
    if let Some(zoom) = record.zoom() {
        rows.push(digest("Crop SHA-256", &zoom.sha256));
        rows.push(digest("Crop pixels SHA-256", &zoom.pixel_sha256));
    }
    rows.push(digest("Record SHA-256", &record.record_sha256()));
    rows
}

fn checks(record: &EvidenceRecord) -> impl Iterator<Item = Row> {
    let named = record.checks().into_iter().flat_map(|checks| {
        [
            ("Local eyes", &checks.grounding),
            ("Second model", &checks.consensus),
        ]
    });
    named.filter_map(|(name, check)| Some(row(name, &agreement(check.as_ref()?))))
}

/// Says how far a second reading agrees.
fn agreement(check: &TextCheck) -> String {
    let (agreed, checked) = check.counts();
    let (provider, model, more) = (&check.provider, &check.model, check.unclaimed.total);
    format!("{agreed} of {checked} texts agree with {provider}/{model}, which read {more} more")
}

fn audit(audit: &ParseAudit) -> Vec<Row> {
    let repairs = counted(&audit.repairs, |repair| name_of(json!(repair.action)));
    let dropped = counted(&audit.dropped, |dropped| name_of(json!(dropped.reason)));
    let mut rows = vec![row("Model text", &extraction(&audit.extraction))];
    let faults = syntax(&audit.extraction.syntax);
    if !faults.is_empty() {
        rows.push(row("Syntax read over", &faults));
    }
    rows.push(row("Repairs", &repairs));
    rows.push(row("Left out", &dropped));
    if audit.entries_total > 0 {
        rows.push(row(
            "Entries",
            &format_args!("{}, {} lost", audit.entries_total, audit.entries_lost),
        ));
    }
    rows.push(row("Coordinates", &coordinates(&audit.coordinates)));
    rows
}

fn extraction(audit: &ExtractionAudit) -> String {
    let mut parts = vec![match audit.method {
        ExtractionMethod::Whole => "the document and nothing else".to_owned(),
        ExtractionMethod::Embedded => format!(
            "the document among other text, {} candidates",
            audit.candidates
        ),
    }];
    parts.extend(audit.unwrapped.as_ref().map(|at| format!("inside {at}")));
    if audit.truncated {
        parts.push("cut off before its end".to_owned());
    }
    parts.join(", ")
}

/// Names the faults that occurred, with their counts.
fn syntax(repairs: &SyntaxRepairs) -> String {
    let Value::Object(members) = json!(repairs) else {
        return String::new();
    };
    let some: Vec<String> = members
        .iter()
        .filter(|(_, count)| count.as_u64() > Some(0))
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    some.join(", ")
}

fn coordinates(audit: &CoordinateAudit) -> String {
    let mut parts = vec![name_of(json!(audit.convention))];
    parts.push(if audit.certainty >= 1.0 {
        "certain".to_owned()
    } else {
        format!("{:.0} % certain", audit.certainty * 100.0)
    });
    if audit.ambiguous {
        parts.push("ambiguous".to_owned());
    }
    if let Some(other) = audit.runner_up {
        parts.push(format!("next best {}", name_of(json!(other))));
    }
    if let Some(size) = audit.resized {
        let (width, height) = (size.width, size.height);
        parts.push(format!("of a picture shrunk to {width} x {height}"));
    }
    if audit.transforms.count > 0 {
        parts.push(format!("{} boxes converted", audit.transforms.count));
    }
    parts.join(", ")
}

/// Counts a list and how often each name occurs in what was kept of it.
fn counted<T>(list: &AuditList<T>, name: impl Fn(&T) -> String) -> String {
    if list.count == 0 {
        return "none".to_owned();
    }
    let mut by_name = BTreeMap::<String, u32>::new();
    for entry in &list.entries {
        *by_name.entry(name(entry)).or_default() += 1;
    }
    let names: Vec<String> = by_name
        .into_iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    format!("{} ({})", list.count, names.join(", "))
}

/// The name by which an enumeration stands in a record.
fn name_of(value: Value) -> String {
    match value {
        Value::String(name) => name,
        other => other.to_string(),
    }
}
