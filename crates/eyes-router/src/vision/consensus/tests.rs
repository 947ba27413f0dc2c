//! Two models, one picture.

use eyes_evidence::record::Confidence;
use serde_json::json;

use super::*;
use crate::vision::grounding::tests::reader;

fn base(texts: &[(&str, f64)]) -> Evidence {
    let entry = |(text, y): &(&str, f64)| json!({ "text": text, "bbox": [0.1, y, 0.3, 0.02], "confidence": 0.9 });
    let ocr: Vec<_> = texts.iter().map(entry).collect();
    let document = json!({
        "schemaVersion": "deepseekeyes.evidence.v1", "summary": "A form.", "ocr": ocr, "regions": [],
        "objects": [], "relations": [], "quantitativeFacts": [], "uncertainties": [],
    });
    Evidence::from_json(&document.to_string()).expect("valid")
}

fn target(answer: &str) -> Evidence {
    let document = json!({
        "schemaVersion": "deepseekeyes.target.v1", "answer": answer, "observations": [], "ocr": [],
        "uncertainties": [],
    });
    Evidence::from_json(&document.to_string()).expect("valid")
}

fn said(first: &Evidence, second: &Evidence) -> Vec<String> {
    let check = consensus(first, second, reader()).expect("one kind");
    let all = dissent(first, &check);
    all.iter().map(|text| text.as_str().to_owned()).collect()
}

#[test]
fn equal_readings_agree() {
    let reading = base(&[("Name", 0.1), ("\u{43d}\u{435}\u{442} 7", 0.2)]);
    let check = consensus(&reading, &reading, reader()).expect("one kind");
    assert_eq!(
        (check.counts(), check.score.map(Confidence::get)),
        ((2, 2), Some(1.0))
    );
    assert!(said(&reading, &reading).is_empty());
}

#[test]
fn each_disagreement_is_told_once() {
    let first = base(&[("Name", 0.1), ("Total 12", 0.2), ("Cancel", 0.3)]);
    let second = base(&[
        ("Name", 0.1),
        ("Total 72", 0.2),
        ("Cancel", 0.6),
        ("Extra", 0.8),
    ]);
    assert_eq!(
        said(&first, &second),
        [
            "Text \"Total 12\": local/eyes-tiny reads \"Total 72\" there.",
            "Text \"Cancel\": local/eyes-tiny reads it elsewhere, at [0.1000, 0.6000, 0.3000, 0.0200].",
            "Text \"Extra\" is read by local/eyes-tiny only.",
        ]
    );
}

#[test]
fn answers_are_compared_as_texts() {
    for (first, second, agreed) in [
        ("42", "42", true),
        ("42", "The port is 42.", true),
        ("42", "420", false),
        ("The switch is on", "The switch is off", false),
    ] {
        let (one, two) = (target(first), target(second));
        let check = consensus(&one, &two, reader()).expect("one kind");
        assert_eq!(
            check.answer == Some(EntryCheck::Agreed),
            agreed,
            "{first:?} and {second:?}"
        );
        let told = format!("local/eyes-tiny answers: {second}");
        assert_eq!(said(&one, &two).contains(&told), !agreed);
    }
}

#[test]
fn documents_of_two_kinds_are_not_compared() {
    assert_eq!(consensus(&base(&[]), &target("a"), reader()), None);
}
