//! Any text is evidence or is refused; what comes out is valid, and reading it again changes nothing.
#![no_main]

use eyes_evidence::{
    geometry::PixelSize,
    parse::{ParseContext, parse_evidence},
    record::{Evidence, EvidenceKind},
};
use libfuzzer_sys::fuzz_target;

const ROUTES: [Option<&str>; 4] =
    [None, Some("opencode/qwen3.7-plus"), Some("google/gemini-3-flash"), Some("moonshot/kimi-k3")];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let context = ParseContext {
        kind: if choice & 1 == 0 { EvidenceKind::Base } else { EvidenceKind::Target },
        size: PixelSize { width: 1 + u32::from(choice) * 16, height: 720 },
        route: ROUTES[usize::from(choice >> 1) % ROUTES.len()],
    };
    let Ok(parsed) = parse_evidence(text, &context) else { return };
    let json = serde_json::to_string(&parsed.evidence).expect("evidence is JSON");
    let again = Evidence::from_json(&json).expect("what was parsed is valid");
    assert_eq!(again, parsed.evidence);
    assert!(parsed.audit.entries_lost <= parsed.audit.entries_total);
    let audit = serde_json::to_string(&parsed.audit).expect("an audit is JSON");
    let audit = serde_json::from_str(&audit).expect("an audit is read back");
    assert_eq!(parsed.audit, audit);
});
