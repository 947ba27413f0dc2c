use eyes_evidence::image::MediaType;
use proptest::{collection::vec, prelude::*};
use serde_json::json;

use super::*;
use crate::{
    model::{Role, ToolCall, ToolResult},
    turn::Origin,
};

fn message(content: Vec<ContentBlock<Attachment>>) -> TurnMessage {
    TurnMessage {
        id: None,
        origin: Origin::Direct,
        role: Role::User,
        content,
    }
}

#[test]
fn an_image_weighs_by_its_pixels_within_bounds() {
    for (width, height, expected) in [
        (1, 1, 1),
        (1000, 1000, 1334),
        (1920, 1080, 2765),
        (5120, 2880, 4784),
        (u32::MAX, u32::MAX, 4784),
    ] {
        assert_eq!(image_tokens(Some(PixelSize { width, height })), expected);
    }
    assert_eq!(image_tokens(None), 4784);
}

#[test]
fn every_part_of_a_request_counts() {
    let image = Attachment {
        id: "a".to_owned(),
        media_type: MediaType::Png,
        bytes: 10,
        size: None,
        name: None,
    };
    let text = "The quick brown fox jumps over the lazy dog.";
    let result = ToolResult {
        call_id: "c1".to_owned(),
        tool_name: None,
        is_error: false,
        content: vec![
            ContentBlock::Text(text.to_owned()),
            ContentBlock::Image(image),
        ],
    };
    let call = ToolCall {
        id: "c1".to_owned(),
        name: "computer".to_owned(),
        arguments: "{}".to_owned(),
    };
    let messages = [
        message(vec![ContentBlock::ToolCall(call)]),
        message(vec![ContentBlock::ToolResult(result)]),
    ];
    let called =
        MESSAGE_FRAME_TOKENS + CALL_FRAME_TOKENS + text_tokens("computer") + text_tokens("{}");
    let returned =
        MESSAGE_FRAME_TOKENS + RESULT_FRAME_TOKENS + text_tokens(text) + MAX_IMAGE_TOKENS;
    assert_eq!(message_tokens(&messages[0]), called);
    assert_eq!(message_tokens(&messages[1]), returned);
    let tool = ToolSpec {
        name: "computer".to_owned(),
        description: text.to_owned(),
        parameters: json!({"type": "object", "properties": {"x": {"type": "integer"}}}),
    };
    let schema = tool.parameters.to_string();
    let tools =
        TOOL_FRAME_TOKENS + text_tokens("computer") + text_tokens(text) + text_tokens(&schema);
    assert_eq!(tools_tokens(std::slice::from_ref(&tool)), tools);
    let system = MESSAGE_FRAME_TOKENS + text_tokens(text);
    assert_eq!(
        request_tokens(Some(text), &[tool], &messages).0,
        system + tools + called + returned
    );
    assert_eq!(request_tokens(None, &[], &[]).0, 0);
}

#[test]
fn the_table_has_every_class() {
    let mut seen = [false; table::CLASSES];
    for class in table::CLASS {
        seen[usize::from(class)] = true;
    }
    // The second and the third digit of a group are found while counting.
    let missing: Vec<usize> = (0..table::CLASSES).filter(|&class| !seen[class]).collect();
    assert_eq!(missing, [table::DIGIT + 1, table::DIGIT + 2]);
    let largest = table::ROOTS.iter().max().copied().unwrap();
    assert!((80..=90).contains(&largest), "{largest}");
}

#[test]
fn known_counts_come_out() {
    // What DeepSeek's tokenizer counts; short texts are off by a token or two.
    for (text, tokens) in [
        ("", 0),
        ("1234567890", 4),
        ("中国人民", 1),
        ("我们的世界", 2),
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("fn main() { println!(\"Hello, world!\"); }", 12),
    ] {
        let estimate = text_tokens(text);
        assert!(
            estimate.abs_diff(tokens) <= 2,
            "{text}: {estimate}, {tokens}"
        );
    }
}

proptest! {
    #[test]
    fn a_text_in_pieces_counts_like_the_whole(parts in vec(".{0,12}", 0..8)) {
        let mut counter = Counter::new();
        for part in &parts {
            counter.feed(part.as_bytes());
        }
        prop_assert_eq!(counter.tokens(), text_tokens(&parts.concat()));
    }

    #[test]
    fn a_longer_text_never_counts_less(text in ".{0,200}", more in ".{0,20}") {
        let longer = format!("{text}{more}");
        prop_assert!(text_tokens(&longer) >= text_tokens(&text));
        prop_assert!(text_tokens(&longer) <= 2 * longer.len() as u64);
    }
}
