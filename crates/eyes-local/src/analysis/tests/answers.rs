use eyes_evidence::{geometry::NormalizedBbox, record::TargetEvidence};

use super::{
    super::{Colour, answer},
    canvas::{BLUE, Canvas, GRAY, GREEN, INK, WHITE, rect},
};

fn page() -> Canvas {
    let mut c = Canvas::new(800, 600, WHITE);
    c.text(20, 20, "Server settings", INK);
    c.text(20, 61, "Port", INK);
    c.outline(rect(120, 50, 260, 32), GRAY, WHITE)
        .text(130, 61, "8080", INK);
    c.text(20, 111, "\u{7528}\u{6237}\u{540d}", INK);
    c.outline(rect(120, 100, 260, 32), GRAY, WHITE)
        .text(130, 111, "admin", INK);
    c.outline(rect(20, 150, 14, 14), GRAY, WHITE)
        .text(42, 152, "Keep files", INK);
    c.text(20, 193, "Fallback", INK)
        .pill(rect(320, 186, 44, 24), GREEN);
    c.pill(rect(342, 188, 20, 20), WHITE);
    c.text(20, 240, "Version: 4.2.1", INK);
    c.text(20, 270, "Error code: ERR_TIMED_OUT", Colour([200, 0, 0]));
    c.text(20, 300, "Memory", INK).text(320, 300, "12 GB", INK);
    for (row, cells) in (0..).zip([["Host", "State"], ["alpha", "up"], ["beta", "down"]]) {
        for (column, text) in (0..).zip(cells) {
            let (x, y) = (420 + column * 120, 350 + row * 30);
            c.outline(rect(x, y, 121, 31), GRAY, WHITE)
                .text(x + 10, y + 10, text, INK);
        }
    }
    c.fill(rect(20, 540, 90, 34), BLUE)
        .text(51, 552, "Save", WHITE);
    c.outline(rect(130, 540, 90, 34), GRAY, WHITE)
        .text(169, 552, "\u{53d6}\u{6d88}", INK);
    c
}

fn ask(question: &str, region: Option<NormalizedBbox>) -> TargetEvidence {
    let page = page();
    answer(&page.image(), &page.lines, question, region)
}

/// Checks that the answer has a text and rests on a fact.
fn answered(question: &str, expect: &str) {
    let said = ask(question, None);
    assert!(
        said.answer.as_str().contains(expect) && !said.observations.is_empty(),
        "{question}: {} / {:?}",
        said.answer,
        said.observations
    );
}

#[test]
fn questions_in_english_are_answered() {
    for (question, expect) in [
        ("What is the value of Port?", "\"8080\""),
        ("what's the port set to", "\"8080\""),
        ("What is the version?", "4.2.1"),
        ("How much is Memory?", "12 GB"),
        (
            "Where is the Save button?",
            "button \"Save\" is at x 20..110, y 540..574 px (lower left)",
        ),
        ("Is there a Save button?", "Yes: button \"Save\""),
        (
            "Is there a \"Server settings\" heading?",
            "Yes: text \"Server settings\"",
        ),
        ("What colour is the Save button?", "blue (#1a73e8)"),
        (
            "What color is the text of the Save button?",
            "white (#ffffff)",
        ),
        ("What is the background color?", "white (#ffffff)"),
        ("How many buttons are there?", "2 found: button \"Save\""),
        (
            "How many rows does the table have?",
            "2 rows below its head",
        ),
        ("How many columns are in the table?", "2 columns"),
        (
            "Is Keep files checked?",
            "No: the checkbox \"Keep files\" is not checked",
        ),
        (
            "Is the Fallback toggle on?",
            "Yes: the toggle \"Fallback\" is on",
        ),
        (
            "Is Fallback turned off?",
            "No: the toggle \"Fallback\" is on",
        ),
        ("What is the error code?", "ERR_TIMED_OUT"),
        ("What is the state of beta?", "down"),
        ("What is the size of the image?", "800 x 600 px"),
        ("What does the button say?", "Save"),
    ] {
        answered(question, expect);
    }
}

#[test]
fn questions_in_chinese_are_answered() {
    for (question, expect) in [
        (
            "\u{7528}\u{6237}\u{540d}\u{662f}\u{4ec0}\u{4e48}\u{ff1f}",
            "\"admin\"",
        ),
        (
            "\u{7528}\u{6237}\u{540d}\u{7684}\u{503c}\u{662f}\u{591a}\u{5c11}",
            "\"admin\"",
        ),
        ("Port \u{662f}\u{591a}\u{5c11}\u{ff1f}", "\"8080\""),
        (
            "\u{53d6}\u{6d88}\u{6309}\u{94ae}\u{5728}\u{54ea}\u{91cc}\u{ff1f}",
            "button \"\u{53d6}\u{6d88}\" is at x 130..220",
        ),
        (
            "\u{6709}\u{6ca1}\u{6709}\u{201c}\u{53d6}\u{6d88}\u{201d}\u{6309}\u{94ae}\u{ff1f}",
            "Yes: button",
        ),
        (
            "Save \u{6309}\u{94ae}\u{662f}\u{4ec0}\u{4e48}\u{989c}\u{8272}\u{ff1f}",
            "blue",
        ),
        (
            "\u{6709}\u{51e0}\u{4e2a}\u{6309}\u{94ae}\u{ff1f}",
            "2 found",
        ),
        (
            "\u{8868}\u{683c}\u{6709}\u{51e0}\u{884c}\u{ff1f}",
            "2 rows below its head",
        ),
        (
            "\u{9519}\u{8bef}\u{4ee3}\u{7801}\u{662f}\u{4ec0}\u{4e48}\u{ff1f}",
            "ERR_TIMED_OUT",
        ),
        (
            "Keep files \u{662f}\u{5426}\u{52fe}\u{9009}\u{ff1f}",
            "not checked",
        ),
        (
            "\u{56fe}\u{7247}\u{5c3a}\u{5bf8}\u{662f}\u{591a}\u{5c11}",
            "800 x 600",
        ),
    ] {
        answered(question, expect);
    }
}

#[test]
fn a_region_bounds_what_is_read() {
    let lower = NormalizedBbox::new(0.0, 0.85, 1.0, 0.15).unwrap();
    let said = ask("What does it say?", Some(lower));
    assert_eq!(said.answer.as_str(), "Save\n\u{53d6}\u{6d88}");
    assert_eq!(said.ocr.len(), 2);
    let said = ask("Where is Port?", Some(lower));
    assert!(
        said.answer.as_str().contains("nothing in the region"),
        "{}",
        said.answer
    );
}

#[test]
fn what_was_not_seen_is_not_answered() {
    for (question, expect) in [
        ("Who is the person in the photo?", "cannot answer"),
        ("Is this design beautiful?", "cannot answer"),
        ("What should I click next to be happy?", "cannot answer"),
        ("What is the value of Timeout?", "found nothing"),
        (
            "Is there a Delete button?",
            "No, as far as this reader sees",
        ),
        ("What colour is the Delete button?", "found nothing"),
        ("Is the Save button enabled?", "cannot tell"),
        (
            "\u{8fd9}\u{5f20}\u{56fe}\u{597d}\u{770b}\u{5417}",
            "cannot answer",
        ),
    ] {
        let said = ask(question, None);
        assert!(
            said.answer.as_str().contains(expect),
            "{question}: {}",
            said.answer
        );
        assert!(
            said.uncertainties.len() >= 2,
            "{question}: a reason is given"
        );
        assert!(!said.ocr.is_empty(), "{question}: the text is listed");
    }
}

#[test]
fn names_are_matched_as_whole_words() {
    let said = ask("Where is \"ave\"?", None);
    assert!(
        said.answer.as_str().contains("found nothing"),
        "{}",
        said.answer
    );
}

#[test]
fn an_empty_picture_is_answered() {
    let blank = Canvas::new(40, 30, BLUE);
    for question in [
        "what does it say?",
        "how many buttons?",
        "",
        "\u{ff1f}",
        "what color?",
        "\"\"",
    ] {
        let said = answer(&blank.image(), &[], question, None);
        assert!(said.ocr.is_empty(), "{question}");
    }
    let said = answer(&blank.image(), &[], "what is the background colour?", None);
    assert!(
        said.answer.as_str().contains("blue (#1a73e8) on 100 %"),
        "{}",
        said.answer
    );
}
