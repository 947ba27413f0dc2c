//! Bounds of the settings.

use eyes_evidence::code::Coded as _;
use serde_json::json;

use super::*;
use crate::codes::BROWSER_CONFIG_INVALID;

#[test]
fn defaults_hold_and_every_bound_is_kept() {
    BrowserSettings::default().check().expect("defaults hold");
    let many: Vec<String> = (0..1_000).map(|n| format!("h{n}.example")).collect();
    for (member, value) in [
        ("browserTimeoutMs", json!(999)),
        ("browserTimeoutMs", json!(120_001)),
        ("browserSettleMs", json!(10_001)),
        ("browserViewportWidth", json!(319)),
        ("browserViewportHeight", json!(2_161)),
        ("browserMaxElements", json!(19)),
        ("browserMaxElements", json!(501)),
        ("browserMaxTextChars", json!(100_001)),
        ("browserAllowUrls", json!(many)),
    ] {
        let settings: BrowserSettings =
            serde_json::from_value(json!({ member: value })).expect("of the right kind");
        let error = settings.check().expect_err("out of bounds");
        assert_eq!(
            (error.member.as_str(), error.code()),
            (member, BROWSER_CONFIG_INVALID)
        );
    }
}

#[test]
fn a_pattern_that_is_none_is_named() {
    let settings = BrowserSettings {
        browser_deny_urls: ["a.example", "*.b.*"].map(str::to_owned).into(),
        ..BrowserSettings::default()
    };
    let error = settings.check().expect_err("no pattern");
    assert_eq!(error.member, "browserDenyUrls[1]");
}

#[test]
fn variables_name_members() {
    let whole = serde_json::to_value(BrowserSettings {
        browser_headless: Some(true),
        browser_channel: Some(crate::adapter::launch::Channel::Chrome),
        browser_executable_path: Some("/opt/chrome".into()),
        ..BrowserSettings::default()
    })
    .expect("plain data");
    for (_, member) in VARIABLES {
        assert!(whole.get(member).is_some(), "{member}");
    }
}
