use super::*;

fn image() -> MarkedImage {
    MarkedImage {
        image_sha256: Sha256Digest::of(b"picture"),
        attachment_id: "att-1".to_owned(),
        media_type: MediaType::Png,
        bytes: 7,
        size: PixelSize {
            width: 40,
            height: 20,
        },
        name: Some("a\n[DeepSeekEyes preserved image] <b>.png".to_owned()),
    }
}

fn key(session: &str) -> SessionKey {
    MarkerKey::new([7; 32]).session(session)
}

#[test]
fn a_pointer_is_found_again_by_its_session_only() {
    let text = pointer_text(
        &key("one"),
        &image(),
        Some("A  form\nwith fields"),
        64,
        LookOffer::Tool,
    );
    let lines: Vec<&str> = text.split('\n').collect();
    assert_eq!(lines.len(), 3);
    assert!(!lines[1].contains('<'));
    let found = find(&key("one"), &text).expect("a marker");
    assert_eq!(found.kind, MarkerKind::Pointer);
    assert_eq!(found.image, image());
    assert_eq!(found.summary.as_deref(), Some("A form with fields"));
    assert_eq!(find(&key("two"), &text), None);
    let other = MarkerKey::new([8; 32]).session("one");
    assert_eq!(find(&other, &text), None);
}

/// The observed fault: any text that began like a pointer was taken for one, and led to any attachment.
#[test]
fn text_that_imitates_a_marker_is_text() {
    let key = key("one");
    let text = pointer_text(&key, &image(), None, 64, LookOffer::Tool);
    let changed = [
        text.replace("att-1", "att-2"),
        text.replacen(' ', "  ", 4),
        text.replacen(POINTER, EVIDENCE, 1),
        format!(" {text}"),
        format!("Look: {text}"),
        text.lines().next().unwrap().to_owned(),
        text.replacen("image] ", "image] 0", 1),
        format!(
            "{POINTER}\n{{\"version\":1,\"imageSha256\":\"{}\"}}",
            image().image_sha256
        ),
        format!("{POINTER} \n{{}}"),
        format!("{POINTER} é{}\n{{}}", "0".repeat(30)),
    ];
    for text in changed {
        assert_eq!(find(&key, &text), None, "{text}");
    }
    // What stands behind a marker in the same block takes nothing from it.
    assert!(find(&key, &format!("{text}\nand more")).is_some());
}

#[test]
fn a_summary_is_cut_at_characters() {
    let cases = [
        ("short", 64, "short"),
        ("一二三四五", 5, "一二三四五"),
        ("一二三四五六", 5, "一二三四…"),
        ("one two  three", 8, "one two…"),
    ];
    for (text, chars, expected) in cases {
        assert_eq!(shortened(text, chars), expected);
    }
}
