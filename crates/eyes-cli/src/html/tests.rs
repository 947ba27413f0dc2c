use eyes_evidence::{
    digest::Sha256Digest,
    geometry::{NormalizedBbox, PixelSize},
    image::{ImageIdentity, MediaType},
    parse::audit::ParseAudit,
    provenance::{
        EntryCheck, Finding, RecordChecks, RecordParts, RecordSource, RouteName, TextCheck,
        Timestamp, VisionRoute,
    },
    record::{
        BaseEvidence, Bounded, Confidence, NonEmptyText, ObjectEntry, OcrEntry, RegionEntry,
        RegionId, UniqueTexts,
    },
    state::Counted,
    testing::sample_record,
};
use proptest::prelude::*;

use super::*;

/// What would end an element, an attribute or a script, steer a reader or hide.
const HOSTILE: &str =
    "</script><script>alert(1)</script>\" onload='x' &lt; <!-- ]]> \u{202e}gpj.exe\u{200b}\r\nnext";

fn text(text: &str) -> NonEmptyText {
    NonEmptyText::new(text).expect("not empty")
}

/// A record that says `said` everywhere it can.
#[expect(clippy::too_many_lines, reason = "one record with every part")]
fn saying(said: &str) -> EvidenceRecord {
    let bbox = NormalizedBbox::new(0.1, 0.2, 0.3, 0.4).expect("inside");
    let sure = |value| Confidence::new(value).expect("a share");
    let entry = |confidence| OcrEntry {
        text: text(said),
        bbox,
        confidence: sure(confidence),
    };
    let list = || Bounded::new(vec![text(said)]).expect("one");
    let name = |name: &str| RouteName::new(name).expect("a name");
    let evidence = BaseEvidence {
        summary: text(said),
        ocr: Bounded::new(vec![entry(0.95), entry(0.4)]).expect("two"),
        regions: Bounded::new(vec![RegionEntry {
            id: RegionId::new("r1").expect("an id"),
            bbox,
            description: text(said),
        }])
        .expect("one"),
        objects: Bounded::new(vec![ObjectEntry {
            name: text(said),
            bbox,
            attributes: UniqueTexts::new(vec![text(said)]).expect("one"),
        }])
        .expect("one"),
        relations: list(),
        quantitative_facts: list(),
        uncertainties: list(),
    };
    let identity = ImageIdentity {
        sha256: Sha256Digest::of(b"image"),
        pixel_sha256: Sha256Digest::of(b"pixels"),
        media_type: MediaType::Png,
        bytes: 5,
        size: PixelSize {
            width: 200,
            height: 100,
        },
        orientation: None,
    };
    EvidenceRecord::seal(RecordParts {
        created_at: Timestamp::new("2026-01-31T23:59:59Z").expect("RFC 3339"),
        source: RecordSource {
            identity,
            name: Some(name("a \"b\" <i>.png")),
        },
        vision: VisionRoute {
            provider: name("p<b>"),
            model: name("m\"x"),
            prompt_version: name("1"),
            validation: name("metadata"),
        },
        zoom: None,
        checks: Some(RecordChecks {
            grounding: Some(TextCheck {
                provider: name("q\"<"),
                model: name("n>"),
                score: Some(sure(0.5)),
                entries: Bounded::new(vec![
                    EntryCheck::Agreed,
                    EntryCheck::Differs { text: text(said) },
                ])
                .expect("two"),
                answer: None,
                unclaimed: Counted {
                    total: 1,
                    entries: vec![entry(0.9)],
                },
            }),
            consensus: None,
        }),
        finding: Finding::Base(evidence),
        audit: ParseAudit::untouched(),
    })
    .expect("a record")
}

fn page(name: &str, record: &EvidenceRecord, image: Option<&[u8]>) -> String {
    let mut page = Page::default();
    page.add(&Subject {
        name,
        record,
        image,
    })
    .expect("within bounds");
    page.finish()
}

/// Checks that the page has the tags of a page of harmless texts, in the same order.
fn assert_same_tags(html: &str, harmless: &str) {
    assert_eq!(tags(html), tags(harmless));
}

/// Lists element names; marks for hidden characters are content.
fn tags(html: &str) -> Vec<&str> {
    let unmarked = html.split('<').skip(1);
    let mut marks = 0;
    let mut found = Vec::new();
    for part in unmarked {
        if part.starts_with("span class=\"hid\"") {
            marks += 1;
        } else if part.starts_with("/span") && marks > 0 {
            marks -= 1;
        } else {
            let end = part.find([' ', '>', '\n']).unwrap_or(part.len());
            found.push(&part[..end]);
        }
    }
    found
}

#[test]
fn nothing_that_was_read_becomes_markup() {
    let hostile = page(HOSTILE, &saying(HOSTILE), Some(b"image"));
    let harmless = page("name", &saying("text"), Some(b"image"));
    assert_same_tags(&hostile, &harmless);
    assert_eq!(hostile.matches("<script>").count(), 1);
    for absent in ["alert(1)<", "\u{202e}", "\u{200b}", "onload='x'"] {
        assert!(!hostile.contains(absent), "{absent:?} stands there");
    }
    assert!(hostile.contains("<span class=\"hid\">U+202E</span>gpj.exe"));
    assert!(hostile.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
    assert!(hostile.contains("\nnext"), "line breaks stay");
}

#[test]
fn a_page_is_alone_and_its_policy_names_what_it_runs() {
    let html = page("name", &saying("text"), Some(b"image"));
    let policy = html
        .split_once("Content-Security-Policy\" content=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(policy, _)| policy)
        .expect("a policy");
    assert!(policy.starts_with("default-src 'none'; img-src data:; style-src 'sha256-"));
    assert!(!policy.contains("unsafe"), "{policy}");
    // Neither addresses nor attributes that a policy by digest forbids.
    for absent in [
        "http://",
        "https://",
        " style=\"",
        " onclick",
        "url(",
        "@import",
    ] {
        assert!(!html.contains(absent), "{absent} stands there");
    }
    let between = |start: &str, end: &str| {
        let rest = html.split_once(start).expect("it begins").1;
        rest.split_once(end).expect("it ends").0
    };
    assert_eq!(between("<script>", "</script>"), SCRIPT);
    assert_eq!(between("<style>", "</style>"), STYLE);
    assert!(html.contains("data:image/png;base64,aW1hZ2U=\""));
}

#[test]
fn shows_boxes_doubts_and_provenance() {
    let record = saying("text");
    let html = page("name", &record, Some(b"image"));
    assert!(html.contains(
        "<rect class=\"b text\" id=\"b1-text-1\" x=\"20\" y=\"20\" width=\"60\" height=\"40\">"
    ));
    assert!(html.contains("<rect class=\"b text doubtful\" id=\"b1-text-2\""));
    assert!(html.contains("<li class=\"e doubtful\" tabindex=\"-1\" data-box=\"b1-text-2\">"));
    for expected in [
        "Uncertain",
        "Facts",
        "Relations",
        "40\u{a0}% sure",
        "metadata",
        "<span class=\"against\">q&quot;&lt;/n&gt; reads: text</span>",
        "Read only by q&quot;&lt;/n&gt;",
        "1 of 2 texts agree with q&quot;&lt;/n&gt;, which read 1 more",
        "normalized-xywh, certain",
        &record.record_sha256().to_string(),
        &record.source().identity.sha256.to_string(),
    ] {
        assert!(html.contains(expected), "{expected} is missing");
    }
}

#[test]
fn an_answer_has_its_question_and_a_record_needs_no_image() {
    let html = page("record", &sample_record(1, "a"), None);
    for expected in [
        "what does it say?",
        "answer a",
        "<rect class=\"blank\" id=\"picture-1\"",
    ] {
        assert!(html.contains(expected), "{expected} is missing");
    }
    assert!(!html.contains("data:image"));
}

#[test]
fn several_images_have_contents_and_failures_are_told() {
    let mut page = Page::default();
    for (name, record) in [
        ("one", sample_record(1, "a")),
        ("two", sample_record(2, "a")),
    ] {
        let subject = Subject {
            name,
            record: &record,
            image: None,
        };
        page.add(&subject).expect("within bounds");
    }
    let error = CliError::CommandLine("a <b> failure".to_owned());
    page.fail("three<", &error);
    let html = page.finish();
    for expected in [
        "<title>Evidence of 2 images</title>",
        "<a href=\"#image-2\">two</a>",
        "<strong>three&lt;</strong>: a &lt;b&gt; failure <span class=\"soft\">COMMAND_LINE_INVALID</span>",
    ] {
        assert!(html.contains(expected), "{expected} is missing");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_text_is_content(said in "\\PC{0,20}[<>&\"'/=a-z\\u{0}-\\u{1f}\\u{202a}-\\u{202e}]{1,40}") {
        let html = page(&said, &saying(&said), None);
        assert_same_tags(&html, &page("name", &saying("text"), None));
    }
}
