use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{
    codes,
    config::RiskPolicy,
    definition::Annotations,
    pins::PinState,
    testing::fixture::{selectors, server, tool},
};

#[test]
fn globs_match_whole_texts_and_every_character() {
    for (glob, text, expected) in [
        ("", "", true),
        ("", "a", false),
        ("*", "", true),
        ("*", "a\nb", true),
        ("?", "\n", true),
        ("?", "", false),
        ("?", "\u{1f600}", true),
        ("a*c", "abbbc", true),
        ("a*c", "abbb", false),
        ("a*b*c", "a-b-b-c", true),
        ("**a", "ba", true),
        ("*a?", "aaab", true),
        ("*?*", "", false),
        ("a.c", "abc", false),
        ("Delete*", "delete", false),
        ("[ab]", "a", false),
    ] {
        assert_eq!(glob_matches(glob, text), expected, "{glob:?} {text:?}");
    }
}

/// Every possibility, tried one after the other.
fn naive(glob: &[char], text: &[char]) -> bool {
    match (glob.first(), text.first()) {
        (None, None) => true,
        (Some('*'), _) => (0..=text.len()).any(|taken| naive(&glob[1..], &text[taken..])),
        (Some('?'), Some(_)) => naive(&glob[1..], &text[1..]),
        (Some(wanted), Some(found)) if wanted == found => naive(&glob[1..], &text[1..]),
        _ => false,
    }
}

proptest! {
    #[test]
    fn globs_agree_with_the_naive_reference(glob in "[ab*?\n]{0,8}", text in "[ab\n]{0,8}") {
        let glob_chars: Vec<char> = glob.chars().collect();
        let text_chars: Vec<char> = text.chars().collect();
        prop_assert_eq!(glob_matches(&glob, &text), naive(&glob_chars, &text_chars));
    }
}

fn decided(allow: &[&str], deny: &[&str], name: &str) -> Decision {
    let mut settings = server("srv");
    settings.name = "Shown".to_owned();
    settings.tools = selectors(allow, deny);
    let tool = tool("srv", json!({"name": name, "inputSchema": {}}));
    decide(&settings, &tool, PinState::Approved)
}

#[test]
fn tools_are_selected_by_six_names() {
    for glob in [
        "read.file",
        "srv/read.file",
        "Shown/read.*",
        "mcp__srv__read_file_*",
        "srv/mcp__srv__*",
        "Shown/mcp__srv__*",
        "*",
    ] {
        assert_eq!(
            decided(&[glob], &[], "read.file"),
            Decision::Allowed,
            "{glob}"
        );
        let denied = decided(&["*"], &[glob], "read.file");
        assert_eq!(denied.blocked(), Some(BlockedReason::Denylist), "{glob}");
    }
    for glob in ["read", "other/read.file", "SRV/read.file"] {
        let decision = decided(&[glob], &[], "read.file");
        assert_eq!(
            decision.blocked(),
            Some(BlockedReason::NotAllowlisted),
            "{glob}"
        );
    }
}

#[test]
fn without_an_allow_glob_nothing_is_allowed() {
    let decision = decided(&[], &[], "read");
    assert_eq!(decision.blocked(), Some(BlockedReason::NotAllowlisted));
}

#[test]
fn a_glob_beyond_the_bound_denies_and_never_allows() {
    let long = "*".repeat(MAX_SELECTOR_CHARS + 1);
    assert!(!decided(&[&long], &[], "read").is_allowed());
    let denied = decided(&["*"], &[&long], "read");
    assert_eq!(denied.blocked(), Some(BlockedReason::Denylist));
    assert!(decided(&[&"*".repeat(MAX_SELECTOR_CHARS)], &[], "read").is_allowed());
}

#[test]
fn w4_an_end_of_line_does_not_evade_a_deny_glob() {
    let decision = decided(&["*"], &["delete*"], "delete\nall");
    assert_eq!(decision.blocked(), Some(BlockedReason::Denylist));
}

#[test]
fn the_order_is_deny_allow_risk_pin() {
    let mut settings = server("srv");
    settings.risk_policy = RiskPolicy::ReadOnly;
    let write = tool(
        "srv",
        json!({"name": "write", "inputSchema": {}, "annotations": {"readOnlyHint": false}}),
    );
    let read = tool(
        "srv",
        json!({"name": "read", "inputSchema": {}, "annotations": {"readOnlyHint": true}}),
    );
    let reason = |settings: &ServerConfig, tool, pin| decide(settings, tool, pin).blocked();

    settings.tools = selectors(&[], &["*"]);
    assert_eq!(
        reason(&settings, &write, PinState::New),
        Some(BlockedReason::Denylist)
    );
    settings.tools = selectors(&[], &[]);
    assert_eq!(
        reason(&settings, &write, PinState::New),
        Some(BlockedReason::NotAllowlisted)
    );
    settings.tools = selectors(&["*"], &[]);
    assert_eq!(
        reason(&settings, &write, PinState::New),
        Some(BlockedReason::RiskPolicyReadOnly)
    );
    for (pin, expected) in [
        (PinState::New, Some(BlockedReason::NotApproved)),
        (PinState::Changed, Some(BlockedReason::Changed)),
        (PinState::Removed, Some(BlockedReason::Removed)),
        (PinState::Approved, None),
    ] {
        assert_eq!(reason(&settings, &read, pin), expected);
    }
    settings.risk_policy = RiskPolicy::Allow;
    assert_eq!(reason(&settings, &write, PinState::Approved), None);
}

#[test]
fn risk_follows_the_hints() {
    for (destructive, read_only, expected) in [
        (Some(true), Some(true), Risk::Destructive),
        (Some(false), Some(true), Risk::Read),
        (None, Some(true), Risk::Read),
        (Some(false), Some(false), Risk::Write),
        (Some(false), None, Risk::UnknownWrite),
        (None, None, Risk::UnknownWrite),
    ] {
        let hints = Annotations {
            read_only_hint: read_only,
            destructive_hint: destructive,
            ..Annotations::default()
        };
        assert_eq!(Risk::of(hints), expected);
        assert_eq!(Risk::of(hints).requires_approval(), expected != Risk::Read);
    }
}

#[test]
fn reasons_have_names_and_codes() {
    for (reason, name, code) in [
        (
            BlockedReason::Denylist,
            "denylist",
            codes::MCP_TOOL_NOT_ALLOWED,
        ),
        (
            BlockedReason::NotAllowlisted,
            "not-allowlisted",
            codes::MCP_TOOL_NOT_ALLOWED,
        ),
        (
            BlockedReason::RiskPolicyReadOnly,
            "risk-policy-read-only",
            codes::MCP_TOOL_RISK_BLOCKED,
        ),
        (
            BlockedReason::NotApproved,
            "not-approved",
            codes::MCP_TOOL_NOT_APPROVED,
        ),
        (
            BlockedReason::Changed,
            "changed",
            codes::MCP_TOOL_NOT_APPROVED,
        ),
        (
            BlockedReason::Removed,
            "removed",
            codes::MCP_TOOL_UNAVAILABLE,
        ),
    ] {
        assert_eq!(reason.as_str(), name);
        assert_eq!(reason.code(), code);
    }
    for reason in [
        BlockedReason::DuplicatePublicName,
        BlockedReason::MaxTools,
        BlockedReason::SchemaTokenBudget,
        BlockedReason::SchemaUnfit,
        BlockedReason::RegistryConflict,
    ] {
        assert_eq!(reason.code(), codes::MCP_TOOL_NOT_ALLOWED);
        assert_eq!(
            serde_json::to_value(reason).unwrap(),
            json!(reason.as_str())
        );
    }
}
