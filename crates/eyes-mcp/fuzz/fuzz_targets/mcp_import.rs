//! Whatever is taken from another host's file is valid with us, and the same each time.
#![no_main]

use eyes_mcp::config::{McpConfig, McpSettings, import::import};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(taken) = import(text, &[]) else {
        return;
    };
    let settings = McpSettings::from_document(taken.to_document()).expect("our form");
    assert_eq!(settings.mcp_servers, taken.servers);
    McpConfig::from_settings(&settings).expect("valid together");
    assert_eq!(import(text, &[]).as_ref(), Ok(&taken));
    let more = import(text, &taken.servers).expect("a second time");
    let both = McpSettings {
        mcp_servers: taken.servers.into_iter().chain(more.servers).collect(),
        ..McpSettings::default()
    };
    McpConfig::from_settings(&both).expect("valid beside one another");
});
