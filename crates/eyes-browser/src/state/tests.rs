//! What a state says, how long it is, and that a page cannot forge its lines.

use eyes_evidence::{ports::Clock as _, state::RunId, testing::FixedClock};
use proptest::prelude::*;

use super::*;
use crate::{
    driver::{
        Diagnostics, Fingerprint, Node, NodeKey, Page, Scroll, Snapshot, Tab, TabId, Tristate,
        Viewport,
    },
    limits::{DEFAULT_STATE_BYTES, MIN_STATE_BYTES},
    machine::Machine,
    secret::KnownSecrets,
};

fn node(number: u32, role: &str, name: &str) -> Node {
    Node {
        key: NodeKey {
            document: DocumentId(1),
            node: number,
        },
        fingerprint: Fingerprint {
            tag: "input".to_owned(),
            role: role.to_owned(),
            name: name.to_owned(),
            kind: String::new(),
        },
        value: (role == "textbox").then(String::new),
        value_chars: None,
        flags: Flags::default(),
        bounds: Bounds::default(),
        in_viewport: number < 150,
        covered_by: None,
        href: None,
        options: Vec::new(),
        frame: None,
        text: None,
        visible: true,
    }
}

fn snapshot(elements: Vec<Node>, text: Vec<String>) -> Snapshot {
    let url = "http://127.0.0.1:8123/page-200.html".to_owned();
    Snapshot {
        page: Page {
            tab: TabId(1),
            document: DocumentId(1),
            url: url.clone(),
            title: "Bench 200".to_owned(),
            viewport: Viewport {
                width: 1440,
                height: 900,
                scale: 1.0,
            },
            scroll: Scroll::default(),
            loaded: true,
        },
        element_total: elements.len() as u32,
        in_viewport_total: elements.iter().filter(|node| node.in_viewport).count() as u32,
        elements,
        text_total: text.iter().map(|line| line.chars().count() as u32).sum(),
        text,
        pictorial: 0.0,
        tabs: vec![Tab {
            id: TabId(1),
            url,
            title: "Bench 200".to_owned(),
            opener: None,
        }],
        dialog: None,
        chooser: None,
        downloads: Vec::new(),
        diagnostics: Diagnostics::default(),
        unknown: Vec::new(),
    }
}

/// The elements and the text of a page of the bench with 200 elements, as a collector describes them.
fn bench() -> Snapshot {
    let mut elements = Vec::new();
    let mut text = vec![
        "Bench page with 200 interactive elements".to_owned(),
        "idle".to_owned(),
    ];
    for i in 0..200_u32 {
        let (odd, column) = (i / 5 % 2 == 1, i % 5);
        let mut element = match (odd, column) {
            (false, 0..=3) => node(i, "button", &format!("Action {i}")),
            (false, _) | (true, 0) => node(i, "link", &format!("Open section {i}")),
            (true, 1 | 2) => node(i, "textbox", &format!("Field {i}")),
            (true, 3) => node(i, "checkbox", &format!("Option {i}")),
            (true, _) => node(i, "combobox", &format!("Plan {i}")),
        };
        if element.fingerprint.role == "checkbox" {
            element.flags.checked = Some(Tristate::False);
        }
        if element.fingerprint.role == "combobox" {
            element.value = Some("Basic".to_owned());
            element.options = vec!["Basic".to_owned(), "Pro".to_owned()];
        }
        elements.push(element);
        if column == 4 && text.len() < 34 {
            text.push(format!(
                "Row {} Description for row {}, plain text",
                i / 5,
                i / 5
            ));
        }
    }
    snapshot(elements, text)
}

fn machine() -> Machine {
    Machine::new(RunId::new("run-1").unwrap())
}

fn note(machine: &mut Machine, snapshot: Snapshot) -> BrowserState {
    let seen = machine.see(snapshot, &KnownSecrets::default(), false);
    machine.note(seen, None, FixedClock.now()).clone()
}

const DETAIL: Detail = Detail {
    max_bytes: DEFAULT_STATE_BYTES,
    rich: false,
};

#[test]
fn two_hundred_elements_are_less_than_nine_thousand_characters() {
    let state = note(&mut machine(), bench());
    let text = render_full(&state, DETAIL);
    assert!(
        text.chars().count() < 9_000,
        "{} characters",
        text.chars().count()
    );
    for line in [
        "e1 button \"Action 0\"",
        "e7 textbox \"Field 6\" =\"\"",
        "e9 checkbox \"Option 8\" unchecked",
        "e10 combobox \"Plan 9\" =\"Basic\" of \"Basic\"|\"Pro\"",
        "elements 200, 150 in view:",
        "not in view:",
        "| idle",
    ] {
        assert!(text.lines().any(|l| l == line), "{line} in {text}");
    }
    assert_eq!(
        text.lines()
            .filter(|line| line.starts_with('e') && line.contains('"'))
            .count(),
        200
    );
}

#[test]
fn the_budget_holds_and_says_how_much_is_left_out() {
    let state = note(&mut machine(), bench());
    for max_bytes in [MIN_STATE_BYTES, 3_000, 5_000] {
        let text = render_full(
            &state,
            Detail {
                max_bytes,
                rich: true,
            },
        );
        assert!(text.len() <= max_bytes, "{} of {max_bytes}", text.len());
        assert!(
            text.contains(" more elements: observe with region, ref or find"),
            "{text}"
        );
        assert!(text.contains("| Bench page"), "text has its share: {text}");
    }
}

#[test]
fn refs_are_never_given_twice() {
    let mut machine = machine();
    let first = note(
        &mut machine,
        snapshot(
            vec![node(1, "button", "A"), node(2, "button", "B")],
            Vec::new(),
        ),
    );
    let mut other = snapshot(vec![node(1, "button", "A")], Vec::new());
    other.page.document = DocumentId(2);
    for node in &mut other.elements {
        node.key.document = DocumentId(2);
    }
    let second = note(&mut machine, other);
    let third = note(
        &mut machine,
        snapshot(
            vec![node(2, "button", "B"), node(3, "link", "C")],
            Vec::new(),
        ),
    );
    let refs = |state: &BrowserState| -> Vec<String> {
        state
            .page
            .elements
            .iter()
            .map(|e| e.reference.to_string())
            .collect()
    };
    assert_eq!(
        (refs(&first), refs(&second), refs(&third)),
        (
            vec!["e1".to_owned(), "e2".to_owned()],
            vec!["e3".to_owned()],
            vec!["e2".to_owned(), "e4".to_owned()]
        )
    );
    assert!(StateChange::between(&first, &second).is_none());
    assert!(
        machine.node(crate::action::Ref(3)).is_err(),
        "of another document"
    );
}

#[test]
fn only_what_changed_is_told() {
    let mut machine = machine();
    let before = note(&mut machine, bench());
    let mut next = bench();
    next.elements[6].value = Some("Ada".to_owned());
    next.elements[8].flags.checked = Some(Tristate::True);
    next.elements[0].flags.disabled = true;
    next.elements[1].covered_by = Some("div \"Cookies\"".to_owned());
    next.elements.remove(2);
    next.elements.push(node(900, "button", "New"));
    next.text[1] = "clicked btn-3".to_owned();
    let after = note(&mut machine, next);
    let change = StateChange::between(&before, &after).unwrap();
    let text = render_change(&after, &change, DETAIL);
    let told: Vec<&str> = text.lines().skip(4).collect();
    assert_eq!(
        told,
        [
            "~ e1 button \"Action 0\" now disabled",
            "~ e2 button \"Action 1\" covered \"\" -> \"div \\\"Cookies\\\"\"",
            "~ e7 textbox \"Field 6\" value \"\" -> \"Ada\"",
            "~ e9 checkbox \"Option 8\" now checked",
            "+ e201 button \"New\"",
            "- e3 gone",
            "+ | clicked btn-3",
            "- 1 lines of text",
        ],
        "{text}"
    );
    assert!(change.is_visible());
    let mut focus = bench();
    focus.elements[0].flags.focused = true;
    let focused = note(&mut machine, focus);
    let change = StateChange::between(&before, &focused).unwrap();
    assert!(
        !change.is_empty() && !change.is_visible(),
        "the focus alone is no effect"
    );
}

#[test]
fn the_json_form_has_boxes_and_all_fields() {
    let state = note(&mut machine(), bench());
    let json = serde_json::to_value(&state).unwrap();
    assert_eq!(json["elements"][8]["ref"], "e9");
    assert_eq!(json["elements"][8]["checked"], "false");
    assert!(json["elements"][8]["box"]["width"].is_number());
    assert_eq!(
        (&json["tab"], &json["tabs"][0]["id"]),
        (&"t1".into(), &"t1".into())
    );
    #[cfg(feature = "schema")]
    {
        let schema =
            serde_json::to_value(schemars::schema_for!(crate::session::StepResult)).unwrap();
        assert!(schema["properties"]["state"].is_object());
    }
}

proptest! {
    #[test]
    fn a_page_cannot_forge_a_line(name in "\\PC{0,12}[\n\r\u{85}\u{2028}\u{b}\0\"\\\\]?\\PC{0,30}", text in "(?s).{0,40}") {
        let mut element = node(1, &name, &name);
        element.value = Some(text.clone());
        element.covered_by = Some(name.clone());
        element.href = Some(text.clone());
        element.frame = Some(name.clone());
        element.options = vec![name.clone()];
        let mut snapshot = snapshot(vec![element], vec![text.clone()]);
        snapshot.page.title.clone_from(&name);
        snapshot.page.url.clone_from(&text);
        let state = note(&mut machine(), snapshot);
        let rendered = render_full(&state, Detail { max_bytes: DEFAULT_STATE_BYTES, rich: true });
        // state, url, title, view, elements, frame, the element, and perhaps two lines of text.
        prop_assert!((8..=9).contains(&rendered.lines().count()), "{}", rendered);
        let broken = rendered.contains(['\r', '\0', '\u{85}', '\u{2028}', '\u{202e}']);
        prop_assert!(!broken);
        let quoted = quoted(&name, 40);
        let back: Result<String, _> = serde_json::from_str(&quoted);
        let escaped = quoted.contains("\\u{");
        prop_assert!(escaped || back.is_ok(), "{}", quoted);
    }
}
