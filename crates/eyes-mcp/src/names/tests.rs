use proptest::prelude::*;

use super::*;
use crate::{limits::MAX_PUBLIC_NAME_CHARS, testing::fixture::server_id};

fn public(server: &str, raw: &str) -> String {
    PublicName::of(&server_id(server), raw).to_string()
}

#[test]
fn public_names_agree_with_the_harness() {
    let long = "x".repeat(60);
    let cut = format!("mcp__github__{}_592e2afd36dc", "x".repeat(38));
    for (server, raw, expected) in [
        ("git", "search", "mcp__git__search"),
        ("git", "a b", "mcp__git__a_b_aff728b9a6bb"),
        ("git", "read.file", "mcp__git__read_file_4e0f466da5e7"),
        ("github", long.as_str(), cut.as_str()),
    ] {
        assert_eq!(public(server, raw), expected, "{server} {raw}");
    }
}

#[test]
fn a_name_of_exactly_the_bound_stays_and_one_more_is_shortened() {
    let fits = "x".repeat(MAX_PUBLIC_NAME_CHARS - "mcp__git__".len());
    assert_eq!(public("git", &fits), format!("mcp__git__{fits}"));
    let longer = public("git", &format!("{fits}x"));
    assert_eq!(longer.len(), MAX_PUBLIC_NAME_CHARS);
    assert_ne!(longer, public("git", &format!("{fits}y")));
}

#[test]
fn an_astral_character_counts_as_two() {
    let name = public("git", "a\u{1f600}b");
    assert!(name.starts_with("mcp__git__a__b_"), "{name}");
    assert!(public("git", "a\u{e9}b").starts_with("mcp__git__a_b_"));
}

#[test]
fn the_longest_id_leaves_room_for_the_digest() {
    let id = "s".repeat(32);
    assert_eq!(public(&id, &"t".repeat(300)).len(), MAX_PUBLIC_NAME_CHARS);
}

#[test]
fn raw_names_are_refused_with_a_reason() {
    for (name, reason) in [
        ("", "the name is empty"),
        ("delete\nall", "the name holds U+000A, a control character"),
        (
            "a\u{202e}b",
            "the name holds U+202E, a character that turns the direction of text",
        ),
        (
            "a\u{200b}b",
            "the name holds U+200B, a character without width",
        ),
        ("a\u{e0041}", "the name holds U+E0041, a tag character"),
        ("a\u{fe0f}", "the name holds U+FE0F, a variation selector"),
        (
            "a\u{3164}",
            "the name holds U+3164, a character that shows nothing",
        ),
        (
            "a\u{a0}b",
            "the name holds U+00A0, a character that shows nothing",
        ),
        (
            "a\u{ffff}b",
            "the name holds U+FFFF, a character that shows nothing",
        ),
        ("a\u{7f}", "the name holds U+007F, a control character"),
        (
            &"x".repeat(257),
            "the name has 257 characters, more than 256",
        ),
    ] {
        let fault = check_raw_name(name).unwrap_err();
        assert_eq!(fault.to_string(), reason, "{name:?}");
    }
}

#[test]
fn raw_names_of_any_script_are_taken() {
    for name in [
        "search",
        "a b",
        "read.file",
        "\u{641c}\u{7d22}",
        "na\u{ef}ve",
        "a/b:c",
        &"x".repeat(256),
    ] {
        check_raw_name(name).unwrap();
    }
}

#[test]
fn foreign_text_is_shown_whole_or_cut() {
    assert_eq!(visible("a\nb\u{202e}c", 9), "a\\u{a}b\\u{202e}c");
    assert_eq!(visible("abcdef", 3), "abc\u{2026}");
    assert_eq!(visible("abc", 3), "abc");
}

proptest! {
    #[test]
    fn every_public_name_is_fit_for_model_apis(id in "[A-Za-z0-9_-]{1,32}", raw in "\\PC{0,80}|[a-z_]{1,80}") {
        let name = public(&id, &raw);
        prop_assert!(name.len() <= MAX_PUBLIC_NAME_CHARS);
        prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')));
    }

    #[test]
    fn different_names_stay_different(id in "[a-z]{1,8}", one in "\\PC{1,40}", other in "\\PC{1,40}") {
        prop_assume!(one != other);
        prop_assert_ne!(public(&id, &one), public(&id, &other));
    }
}
