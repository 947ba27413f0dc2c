use eyes_evidence::record::{BaseEvidence, NonEmptyText};

use super::{
    super::base_evidence,
    canvas::{BLUE, Canvas, GRAY, INK, WHITE, line, rect},
};
use crate::limits::{MAX_RECORD_RELATIONS, MAX_SUMMARY_CHARS};

fn record(canvas: &Canvas) -> BaseEvidence {
    base_evidence(&canvas.image(), &canvas.lines)
}

fn doubts(record: &BaseEvidence) -> Vec<&str> {
    record
        .uncertainties
        .iter()
        .map(NonEmptyText::as_str)
        .collect()
}

fn has(list: &[&str], part: &str) -> bool {
    list.iter().any(|text| text.contains(part))
}

#[test]
fn a_dialog_is_described() {
    let mut c = Canvas::new(800, 500, GRAY);
    c.fill(rect(220, 150, 360, 200), WHITE);
    c.text(240, 170, "Upload failed", INK)
        .text(240, 210, "No answer after 30 s", INK);
    c.fill(rect(470, 300, 90, 34), BLUE)
        .text(498, 312, "Retry", WHITE);
    c.fill(rect(350, 300, 90, 34), GRAY)
        .text(378, 312, "Close", INK);
    let record = record(&c);
    let summary = record.summary.as_str();
    assert!(summary.contains("a screen with a dialog"), "{summary}");
    assert!(summary.contains("Title: \"Upload failed\""), "{summary}");
    assert_eq!(summary.matches("untrusted").count(), 1);
    assert_eq!(record.regions[0].id.as_str(), "r1");
    assert!(
        record.regions[0]
            .description
            .as_str()
            .starts_with("dialog with title \"Upload failed\"")
    );
    let names: Vec<&str> = record.objects.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["button \"Close\"", "button \"Retry\""]);
    let relations: Vec<&str> = record.relations.iter().map(NonEmptyText::as_str).collect();
    assert!(
        has(&relations, "button \"Retry\" is right of button \"Close\""),
        "{relations:?}"
    );
    let facts: Vec<&str> = record
        .quantitative_facts
        .iter()
        .map(NonEmptyText::as_str)
        .collect();
    assert!(has(&facts, "30 s in \"No answer after 30 s\""), "{facts:?}");
    assert!(has(&facts, "image size: 800 x 500 px"));
}

#[test]
fn a_chart_is_told_with_the_unit_of_its_title() {
    let mut c = Canvas::new(500, 400, WHITE);
    c.text(40, 20, "Latency (ms)", INK);
    for (nth, (label, height)) in (0..).zip([("eu-west", 120), ("us-east", 75), ("asia", 140)]) {
        let (x, top) = (100 + nth * 100, 300 - height);
        c.fill(rect(x, top, 50, height), BLUE)
            .text(x, 310, label, INK);
        c.text(x + 14, top - 16, &height.to_string(), INK);
    }
    let record = record(&c);
    let facts: Vec<&str> = record
        .quantitative_facts
        .iter()
        .map(NonEmptyText::as_str)
        .collect();
    assert!(has(&facts, "chart 1: eu-west is 120 ms"), "{facts:?}");
    assert!(
        has(
            &facts,
            "highest value is asia at 140 ms; lowest value is us-east at 75 ms"
        ),
        "{facts:?}"
    );
}

#[test]
fn doubts_are_named() {
    let mut c = Canvas::new(300, 200, WHITE);
    c.text(20, 20, "faint text", super::super::Colour([215, 215, 215]));
    c.text(0, 50, "cut at the left", INK);
    c.text(20, 80, "much more ...", INK);
    c.text(20, 110, "turned", INK).text(20, 140, "unsure", INK);
    c.lines[3].angle = 90.0;
    c.lines[4].confidence = 0.6;
    let record = record(&c);
    let doubts = doubts(&record);
    for part in [
        "no language model looked at this image",
        "low contrast 1.4",
        "\"cut at the left\" touches the left edge",
        "\"much more ...\" ends with an ellipsis",
        "turned by 90 degrees: \"turned\"",
        "low confidence 0.60: \"unsure\"",
    ] {
        assert!(has(&doubts, part), "{part}: {doubts:?}");
    }
}

#[test]
fn text_is_reported_up_to_the_bound_and_the_rest_is_counted() {
    let mut c = Canvas::new(400, 200, WHITE);
    for nth in 0..5_040_u32 {
        let r = rect(nth % 90 * 4, nth / 90 * 3, 3, 2);
        c.lines.push(line(&format!("word {nth}"), r, Vec::new()));
    }
    let record = record(&c);
    assert_eq!(record.ocr.len(), 5_000);
    assert!(has(&doubts(&record), "40 more lines of text are left out"));
    assert!(record.summary.as_str().chars().count() <= MAX_SUMMARY_CHARS);
}

#[test]
fn what_is_left_out_is_counted() {
    let mut c = Canvas::new(600, 2_000, WHITE);
    for row in 0..80 {
        for column in 0..3 {
            let (x, y) = (20 + column * 121, 20 + row * 24);
            c.outline(rect(x, y, 122, 25), GRAY, WHITE);
            c.text(x + 8, y + 8, &format!("c{row}x{column}"), INK);
        }
    }
    let record = record(&c);
    assert_eq!(record.relations.len(), MAX_RECORD_RELATIONS);
    assert_eq!(record.ocr.len(), 240);
    assert!(has(&doubts(&record), "more relations are left out"));
}

#[test]
fn a_text_longer_than_the_contract_becomes_several_entries() {
    let mut c = Canvas::new(100, 40, WHITE);
    let long = "\u{5b57}".repeat(20_001);
    c.lines.push(line(&long, rect(5, 5, 80, 10), Vec::new()));
    let record = record(&c);
    let lengths: Vec<usize> = record
        .ocr
        .iter()
        .map(|o| o.text.as_str().chars().count())
        .collect();
    assert_eq!(lengths, [20_000, 1]);
}

#[test]
fn a_blank_picture_is_said_to_be_blank() {
    let record = record(&Canvas::new(64, 48, BLUE));
    assert!(
        record.summary.as_str().contains("an area of one colour"),
        "{}",
        record.summary
    );
    assert!(has(&doubts(&record), "no text was found"));
    assert!(record.ocr.is_empty() && record.objects.is_empty());
}
