//! Any text is settings or is refused; settings written out read back the same.
#![no_main]

use eyes_runtime::settings::Settings;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for settings in [Settings::parse(text), Settings::parse_json(text)]
        .into_iter()
        .flatten()
    {
        let again = Settings::from_document(settings.to_document()).expect("settings are valid");
        assert_eq!(again, settings);
    }
});
