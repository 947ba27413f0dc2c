//! Any document is settings of servers or is refused; settings written out read back the same.
#![no_main]

use eyes_mcp::config::{McpConfig, McpSettings};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(Value::Object(document)) = serde_json::from_str(text) else {
        return;
    };
    let Ok(settings) = McpSettings::from_document(document) else {
        return;
    };
    let again = McpSettings::from_document(settings.to_document()).expect("settings are their document");
    assert_eq!(again, settings);
    let Ok(config) = McpConfig::from_settings(&settings) else {
        return;
    };
    for server in &config.servers {
        assert_eq!(server.fingerprint(), server.fingerprint());
        assert!(server.references().len() <= 1 << 10);
    }
});
