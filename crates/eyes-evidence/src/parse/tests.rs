//! What models write, and what a careful person would make of it.

use serde_json::{Value, json};

use super::{
    ParseContext, ParseError, Parsed,
    audit::{Convention, DropReason, RepairAction},
    parse_evidence,
};
use crate::{code::Coded, codes, geometry::PixelSize, record::EvidenceKind};

const FULL_HD: PixelSize = PixelSize {
    width: 1920,
    height: 1080,
};

fn context(kind: EvidenceKind) -> ParseContext<'static> {
    ParseContext {
        kind,
        size: FULL_HD,
        route: Some("openai/gpt-4.1"),
    }
}

fn base(text: &str) -> Result<Parsed, ParseError> {
    parse_evidence(text, &context(EvidenceKind::Base))
}

fn document() -> Value {
    json!({
        "schemaVersion": "deepseekeyes.evidence.v1",
        "summary": "A settings page.",
        "ocr": [
            { "text": "Save", "bbox": [0.1, 0.2, 0.05, 0.02], "confidence": 0.98 },
            { "text": "Cancel", "bbox": [0.2, 0.2, 0.05, 0.02], "confidence": 0.97 },
            { "text": "Language", "bbox": [0.1, 0.4, 0.08, 0.02], "confidence": 0.96 },
            { "text": "24\" monitor {x}", "bbox": [0.1, 0.5, 0.08, 0.02], "confidence": 1.0 },
        ],
        "regions": [{ "id": "r1", "bbox": [0.0, 0.0, 1.0, 0.1], "description": "Header" }],
        "objects": [{ "name": "button", "bbox": [0.1, 0.2, 0.05, 0.02], "attributes": ["blue"] }],
        "relations": ["Save stands left of Cancel"],
        "quantitativeFacts": ["2 buttons"],
        "uncertainties": [],
    })
}

/// The document with one value put in at `pointer`; members are made where they are missing.
fn with(pointer: &str, value: Value) -> Value {
    let mut document = document();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
    match document.pointer_mut(parent).expect("the parent exists") {
        Value::Array(list) => list[name.parse::<usize>().expect("an index")] = value,
        Value::Object(object) => {
            object.insert(name.to_owned(), value);
        }
        other => panic!("{other} has no members"),
    }
    document
}

fn without(pointer: &str) -> Value {
    let mut document = document();
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
    let parent = document.pointer_mut(parent).and_then(Value::as_object_mut);
    parent
        .and_then(|parent| parent.shift_remove(name))
        .expect("the member exists");
    document
}

fn evidence(parsed: &Parsed) -> Value {
    serde_json::to_value(&parsed.evidence).expect("evidence is JSON")
}

fn accepted(document: &Value) -> (Value, Parsed) {
    let parsed = base(&document.to_string()).unwrap_or_else(|error| panic!("{document}: {error}"));
    (evidence(&parsed), parsed)
}

#[test]
fn a_valid_document_passes_unchanged_in_any_wrapping() {
    let plain = document().to_string();
    let wrappings = [
        plain.clone(),
        format!("\u{feff}  {plain}\n"),
        format!("```json\n{plain}\n```"),
        format!("Here is the evidence:\n```json\n{plain}\n```\nLet me know!"),
        format!("[ {plain} ]"),
        format!("The 24\" monitor shows this: {plain}"),
        format!("I see an opening {{ brace here. {plain} And a stray }} after."),
        format!("Use {{\"name\": \"x\" as a template. {plain}"),
        format!("<think>Draft: {{\"summary\":\"draft\",\"ocr\":[]}}</think>{plain}"),
        format!("{{\"evidence\":{plain}}}"),
        format!("{{\"status\":\"ok\",\"result\":{{\"data\":{plain}}}}}"),
        format!("{{\"output\":[{plain}]}}"),
        format!("{{\"summary\":\"first try\",\"ocr\":[]}} Better: {plain}"),
        serde_json::to_string_pretty(&document()).expect("JSON"),
    ];
    for text in wrappings {
        let parsed = base(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(evidence(&parsed), document(), "{text}");
        assert_eq!(parsed.audit.repairs.count, 0, "{text}");
        assert_eq!(parsed.audit.dropped.count, 0, "{text}");
    }
}

#[test]
fn the_last_versioned_document_wins() {
    let mut second = document();
    second["summary"] = json!("second");
    let text = format!(
        "{} {second} {{\"summary\":\"no version\",\"ocr\":[]}}",
        document()
    );
    let parsed = base(&text).expect("valid");
    assert_eq!(evidence(&parsed)["summary"], "second");
    assert_eq!(parsed.audit.extraction.candidates, 3);
}

/// Faults of JSON syntax; each text is read as the document above.
#[test]
fn slips_of_syntax_are_read_over_and_counted() {
    let plain = document().to_string();
    let cases: [(&str, String); 9] = [
        (
            "trailingCommas",
            plain.replace("0.02],", "0.02,],").replace("[]}", "[],}"),
        ),
        ("missingCommas", plain.replace("},{\"text\"", "} {\"text\"")),
        (
            "missingCommas",
            plain.replace(",\"regions\"", "\n\"regions\""),
        ),
        (
            "unescapedQuotes",
            plain.replace("24\\\" monitor", "24\" monitor"),
        ),
        (
            "rawControls",
            plain.replace("A settings page.", "A settings\tpage."),
        ),
        ("badEscapes", plain.replace("Save stands", "\\Save stands")),
        ("bareWords", plain.replace("\"summary\"", "summary")),
        ("closedAtEnd", plain.trim_end_matches('}').to_owned()),
        (
            "duplicateMembers",
            plain.replace("{\"schemaVersion\"", "{\"summary\":1,\"schemaVersion\""),
        ),
    ];
    for (fault, text) in cases {
        assert_ne!(text, plain, "{fault}: the case changes nothing");
        let parsed = base(&text).unwrap_or_else(|error| panic!("{fault}: {error}\n{text}"));
        let mut expected = document();
        if fault == "rawControls" {
            expected["summary"] = json!("A settings\tpage.");
        }
        assert_eq!(evidence(&parsed), expected, "{fault}");
        let syntax = serde_json::to_value(parsed.audit.extraction.syntax).expect("JSON");
        assert!(syntax[fault].as_u64() > Some(0), "{fault}: {syntax}");
    }
}

#[test]
fn python_literals_and_single_quotes_are_read() {
    let text = "{'schemaVersion': 'deepseekeyes.evidence.v1', 'summary': 'It\\'s a page', \
                'ocr': None, 'regions': [], 'objects': [], 'relations': [True],}";
    let parsed = base(text).expect("valid");
    assert_eq!(evidence(&parsed)["summary"], "It's a page");
    assert_eq!(evidence(&parsed)["relations"], json!(["True"]));
}

#[test]
fn a_truncated_tail_loses_only_what_was_unfinished() {
    let plain = document().to_string();
    let start = plain.find("Cancel").expect("there");
    for end in start..plain.len() {
        if !plain.is_char_boundary(end) {
            continue;
        }
        let parsed = base(&plain[..end]).unwrap_or_else(|error| panic!("{end}: {error}"));
        assert!(parsed.audit.extraction.truncated, "{end}");
        let whole = document();
        let cut = evidence(&parsed);
        assert_eq!(cut["summary"], whole["summary"]);
        for list in [
            "ocr",
            "regions",
            "objects",
            "relations",
            "quantitativeFacts",
        ] {
            let (cut, whole) = (cut[list].as_array(), whole[list].as_array());
            let (cut, whole) = (cut.expect("a list"), whole.expect("a list"));
            assert_eq!(cut[..], whole[..cut.len()], "{list} at {end}");
        }
    }
}

#[test]
fn a_cut_summary_is_no_summary() {
    let error = base("{\"schemaVersion\":\"deepseekeyes.evidence.v1\",\"summary\":\"A settings pa");
    assert_eq!(error.expect_err("cut").code(), codes::INVALID_MODEL_OUTPUT);
}

/// Rows of repairs: what the model wrote, what stands there now, what the audit says.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn repairs() {
    use RepairAction as R;
    let rows: Vec<(Value, &str, Value, R)> = vec![
        (
            without("/schemaVersion"),
            "/summary",
            json!("A settings page."),
            R::ContractConstant,
        ),
        (
            with("/schemaVersion", json!(null)),
            "/ocr/0/text",
            json!("Save"),
            R::ContractConstant,
        ),
        (with("/ocr", json!(null)), "/ocr", json!([]), R::EmptyList),
        (without("/objects"), "/objects", json!([]), R::EmptyList),
        (
            with("/relations", json!("one")),
            "/relations",
            json!(["one"]),
            R::SingletonList,
        ),
        (
            with(
                "/regions",
                json!({"id": "a", "bbox": [0, 0, 1, 1], "description": "all"}),
            ),
            "/regions/0/id",
            json!("a"),
            R::SingletonList,
        ),
        (
            with("/ocr/0/confidence", json!("97%")),
            "/ocr/0/confidence",
            json!(0.97),
            R::Number,
        ),
        (
            with("/ocr/0/confidence", json!("0.97")),
            "/ocr/0/confidence",
            json!(0.97),
            R::Number,
        ),
        (
            with("/ocr/0/confidence", json!(97)),
            "/ocr/0/confidence",
            json!(0.97),
            R::Number,
        ),
        (
            with("/ocr/0/confidence", json!("97")),
            "/ocr/0/confidence",
            json!(0.97),
            R::Number,
        ),
        (
            with("/ocr/0/confidence", json!("high")),
            "/ocr/0/confidence",
            json!(0.9),
            R::Number,
        ),
        (
            with("/ocr/0/bbox", json!(["0.1", "20%", "0.05", "0.02"])),
            "/ocr/0/bbox",
            json!([0.1, 0.2, 0.05, 0.02]),
            R::BboxArray,
        ),
        (
            with(
                "/ocr/0/bbox",
                json!({"x": 0.1, "y": 0.2, "width": 0.05, "height": 0.02}),
            ),
            "/ocr/0/bbox",
            json!([0.1, 0.2, 0.05, 0.02]),
            R::BboxArray,
        ),
        (
            with("/ocr/0/bbox", json!([[0.1, 0.2], [0.15, 0.22]])),
            "/ocr/0/bbox",
            json!([0.1, 0.2, 0.05, 0.02]),
            R::BboxArray,
        ),
        (
            with("/ocr/0/bbox", json!("0.1, 0.2, 0.05, 0.02")),
            "/ocr/0/bbox",
            json!([0.1, 0.2, 0.05, 0.02]),
            R::BboxArray,
        ),
        (
            with("/ocr/0/bbox", json!([0.95, 0.2, 0.06, 0.02])),
            "/ocr/0/bbox",
            json!([0.95, 0.2, 0.05, 0.02]),
            R::BboxClamped,
        ),
        (
            with("/ocr/0/bbox", json!([-0.01, 0.2, 0.06, 0.02])),
            "/ocr/0/bbox",
            json!([0.0, 0.2, 0.05, 0.02]),
            R::BboxClamped,
        ),
        (
            with("/ocr/0/bbox", json!([0.1, 0.2, 0.0, 0.02])),
            "/ocr/0/bbox",
            json!([0.1, 0.2, 0.000_520_833, 0.02]),
            R::BboxMinimumExtent,
        ),
        (
            with("/regions/0/id", json!("导航栏")),
            "/regions/0/id",
            json!("r1"),
            R::RegionId,
        ),
        (
            with("/regions/0/id", json!("nav bar")),
            "/regions/0/id",
            json!("r1"),
            R::RegionId,
        ),
        (
            with("/regions/0/id", json!(7)),
            "/regions/0/id",
            json!("7"),
            R::Text,
        ),
        (
            without("/regions/0/id"),
            "/regions/0/id",
            json!("r1"),
            R::RegionId,
        ),
        (
            with("/objects/0/attributes", json!(["a", "b", "a"])),
            "/objects/0/attributes",
            json!(["a", "b"]),
            R::Deduplicated,
        ),
        (
            with(
                "/objects/0/attributes",
                json!({"colour": "blue", "on": true}),
            ),
            "/objects/0/attributes",
            json!(["colour: blue", "on: true"]),
            R::Text,
        ),
        (
            with("/objects/0/attributes", json!("blue")),
            "/objects/0/attributes",
            json!(["blue"]),
            R::SingletonList,
        ),
        (
            without("/objects/0/attributes"),
            "/objects/0/attributes",
            json!([]),
            R::EmptyList,
        ),
        (
            with("/relations/0", json!({"subject": "a", "is": "b"})),
            "/relations/0",
            json!("{\"subject\":\"a\",\"is\":\"b\"}"),
            R::Text,
        ),
        (
            with("/quantitativeFacts/0", json!(42.5)),
            "/quantitativeFacts/0",
            json!("42.5"),
            R::Text,
        ),
        (
            with("/ocr/0/text", json!(404)),
            "/ocr/0/text",
            json!("404"),
            R::Text,
        ),
        (
            with("/ocr/0/text", json!("字".repeat(20_001))),
            "/ocr/0/text",
            json!("字".repeat(20_000)),
            R::TextCut,
        ),
    ];
    for (document, pointer, expected, action) in rows {
        let (evidence, parsed) = accepted(&document);
        assert_eq!(evidence.pointer(pointer), Some(&expected), "{document}");
        let actions: Vec<_> = parsed
            .audit
            .repairs
            .entries
            .iter()
            .map(|r| r.action)
            .collect();
        assert!(actions.contains(&action), "{pointer}: {actions:?}");
        assert_eq!(parsed.audit.entries_lost, 0, "{pointer}");
    }
}

/// Rows of what is left out: the document stays, the audit names the entry.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn drops() {
    use DropReason as D;
    let rows: Vec<(Value, &str, D)> = vec![
        (
            with("/ocr/1/confidence", json!(null)),
            "/ocr/1",
            D::MissingConfidence,
        ),
        (without("/ocr/1/confidence"), "/ocr/1", D::MissingConfidence),
        (
            with("/ocr/1/confidence", json!("certain-ish")),
            "/ocr/1",
            D::InvalidConfidence,
        ),
        (
            with("/ocr/1/confidence", json!(-0.5)),
            "/ocr/1",
            D::InvalidConfidence,
        ),
        (
            with("/ocr/1/confidence", json!(250)),
            "/ocr/1",
            D::InvalidConfidence,
        ),
        (with("/ocr/1/text", json!("")), "/ocr/1", D::Empty),
        (without("/ocr/1/text"), "/ocr/1", D::MissingText),
        (without("/ocr/1/bbox"), "/ocr/1", D::MissingBbox),
        (
            with("/ocr/1/bbox", json!([0.1, 0.2, 0.3])),
            "/ocr/1",
            D::InvalidBbox,
        ),
        (
            with("/ocr/1/bbox", json!([0.9, 0.2, 0.3, 0.1])),
            "/ocr/1",
            D::InvalidBbox,
        ),
        (
            with("/ocr/1/bbox", json!([0, 0, 0, 0])),
            "/ocr/1",
            D::InvalidBbox,
        ),
        (with("/ocr/1/bbox", json!("here")), "/ocr/1", D::InvalidBbox),
        (with("/ocr/1", json!("Cancel")), "/ocr/1", D::WrongType),
        (with("/ocr/1", json!(null)), "/ocr/1", D::Empty),
        (
            with("/ocr/1/language", json!("en")),
            "/ocr/1/language",
            D::UnknownMember,
        ),
        (with("/notes", json!("x")), "/notes", D::UnknownMember),
        (with("/relations/0", json!("")), "/relations/0", D::Empty),
        (
            with("/objects/0/attributes/0", json!("")),
            "/objects/0/attributes/0",
            D::Empty,
        ),
    ];
    for (document, path, reason) in rows {
        let (evidence, parsed) = accepted(&document);
        let dropped = &parsed.audit.dropped.entries;
        assert_eq!(dropped.len(), 1, "{path}: {dropped:?}");
        assert_eq!(
            (dropped[0].path.as_str(), dropped[0].reason),
            (path, reason)
        );
        let whole_entry = path.starts_with("/ocr/") && path.matches('/').count() == 2;
        let kept = if whole_entry { 3 } else { 4 };
        assert_eq!(
            evidence["ocr"].as_array().map(Vec::len),
            Some(kept),
            "{path}"
        );
        assert_eq!(
            parsed.audit.entries_lost,
            u32::from(whole_entry && reason.is_loss()),
            "{path}"
        );
    }
}

#[test]
fn one_bad_entry_of_many_costs_that_entry() {
    for count in [80, 300] {
        let entries: Vec<Value> = (0..count)
            .map(|i| json!({"text": format!("t{i}"), "bbox": [0.1, 0.1, 0.2, 0.05], "confidence": 0.9}))
            .collect();
        let mut document = with("/ocr", json!(entries));
        document["ocr"][40]
            .as_object_mut()
            .expect("an entry")
            .shift_remove("confidence");
        let (evidence, parsed) = accepted(&document);
        assert_eq!(evidence["ocr"].as_array().map(Vec::len), Some(count - 1));
        assert_eq!(parsed.audit.entries_lost, 1);
    }
}

#[test]
fn a_document_fails_when_most_of_it_is_lost() {
    let mut document = document();
    for entry in document["ocr"].as_array_mut().expect("a list") {
        entry
            .as_object_mut()
            .expect("an entry")
            .shift_remove("confidence");
    }
    let error = base(&document.to_string()).expect_err("4 of 6 entries are lost");
    assert_eq!(error.code(), codes::INVALID_VISION_EVIDENCE);
    let text = error.to_string();
    assert!(text.contains("lost 4 of 6 entries"), "{text}");
    assert!(
        text.contains("/ocr/3 was dropped (missing confidence)"),
        "{text}"
    );
    assert_eq!(error.audit().map(|audit| audit.entries_lost), Some(4));
}

#[test]
fn without_its_core_there_is_no_document() {
    let rows = [
        (without("/summary"), "/summary is missing"),
        (with("/summary", json!("")), "/summary is no text"),
        (with("/summary", json!(null)), "/summary is no text"),
        (with("/summary", json!(["a"])), "/summary is no text"),
        (
            with("/schemaVersion", json!("deepseekeyes.evidence.v2")),
            "/schemaVersion is not",
        ),
        (
            with("/schemaVersion", json!("deepseekeyes.target.v1")),
            "/schemaVersion is not",
        ),
    ];
    for (document, message) in rows {
        let error = base(&document.to_string()).expect_err("no core");
        assert_eq!(error.code(), codes::INVALID_VISION_EVIDENCE);
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn text_without_an_object_is_no_output() {
    let deep = format!("{}1{}", "{\"a\":".repeat(20_000), "}".repeat(20_000));
    let arrays = format!("{}{}", "[".repeat(20_000), "]".repeat(20_000));
    for text in [
        "",
        "   ",
        "I cannot see the image.",
        "[1, 2]",
        "}{",
        &deep,
        &arrays,
    ] {
        let error = base(text).expect_err("no object");
        assert_eq!(error.code(), codes::INVALID_MODEL_OUTPUT);
    }
    assert_eq!(base(&deep), Err(ParseError::TooDeep { limit: 64 }));
}

#[test]
fn deep_nesting_beside_a_document_does_not_hide_it() {
    let deep = "{\"a\":".repeat(20_000);
    let parsed = base(&format!("{deep} {}", document())).expect("valid");
    assert_eq!(evidence(&parsed), document());
}

#[test]
fn a_target_document_is_read_alike() {
    let text = "Answer: {\"answer\": \"42\", \"observations\": [{\"fact\": \"The total is 42\", \
                \"bbox_2d\": [0.5, 0.5, 0.1, 0.05], \"confidence\": \"medium\"}], \"ocr\": []}";
    let parsed = parse_evidence(text, &context(EvidenceKind::Target)).expect("valid");
    assert_eq!(
        evidence(&parsed),
        json!({
            "schemaVersion": "deepseekeyes.target.v1",
            "answer": "42",
            "observations": [{"fact": "The total is 42", "bbox": [0.5, 0.5, 0.1, 0.05], "confidence": 0.6}],
            "ocr": [],
            "uncertainties": [],
        })
    );
    let actions: Vec<_> = parsed
        .audit
        .repairs
        .entries
        .iter()
        .map(|r| r.action)
        .collect();
    assert!(actions.contains(&RepairAction::BboxMember), "{actions:?}");
}

#[test]
fn hundredths_are_decided_for_the_document() {
    let mut document = document();
    for (entry, confidence) in document["ocr"]
        .as_array_mut()
        .expect("a list")
        .iter_mut()
        .zip([98, 1, 100, 50])
    {
        entry["confidence"] = json!(confidence);
    }
    let (evidence, _) = accepted(&document);
    let read: Vec<_> = evidence["ocr"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| e["confidence"].as_f64())
        .collect();
    assert_eq!(read, [Some(0.98), Some(0.01), Some(1.0), Some(0.5)]);
}

#[test]
fn the_convention_is_in_the_audit() {
    let (_, parsed) = accepted(&document());
    assert_eq!(
        parsed.audit.coordinates.convention,
        Convention::NormalizedXywh
    );
    assert!(!parsed.audit.coordinates.ambiguous);
}
