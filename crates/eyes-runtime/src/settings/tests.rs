use std::path::Path;

use eyes_evidence::{code::Coded, schema::generate::check_published};

use super::*;
use crate::{codes, environment::SettingsFile};

fn refusal(text: &str) -> String {
    let error = Settings::parse(text).expect_err("refused");
    assert_eq!(error.code(), codes::SETTINGS_INVALID);
    error.to_string()
}

#[test]
fn an_empty_file_means_the_defaults() {
    let settings = Settings::parse("").expect("defaults");
    assert_eq!(settings, Settings::default());
    assert!(settings.local.enabled && settings.store.enabled);
}

#[test]
fn reads_every_member() {
    let settings = Settings::parse(
        r#"
        dataDir = "/var/eyes"
        [vision]
        routes = ["local/eyes-tiny", "hub/org/model"]
        failovers = 0
        [local]
        enabled = false
        tier = "small"
        detail = "high"
        threads = 2
        [images]
        maxBytes = 1000
        maxSide = 100
        maxPixels = 5000
        [store]
        enabled = false
        maxRecords = 7
        maxBytes = 1048576
        "#,
    )
    .expect("valid");
    assert_eq!(settings.data_dir.as_deref(), Some(Path::new("/var/eyes")));
    assert_eq!(settings.vision.failovers, 0);
    assert_eq!(settings.local.tier, LocalTier::Small);
    assert_eq!(settings.local.detail, LocalDetail::High);
    assert_eq!(settings.images.max_pixels, Some(5000));
}

#[test]
fn refuses_what_it_does_not_know_with_the_path() {
    for (text, path) in [
        ("colour = 1", "colour"),
        ("[local]\ntiers = \"tiny\"", "local.tiers"),
        ("[local]\ntier = \"huge\"", "local.tier"),
        ("[local]\nthreads = 0", "local.threads"),
        ("[local]\nthreads = 65", "local.threads"),
        (
            "[vision]\nroutes = [\"local/a\", \"b\"]",
            "vision.routes[1]",
        ),
        ("[vision]\nroutes = [1]", "vision.routes[0]"),
        ("[vision]\nfailovers = 9", "vision.failovers"),
        ("[images]\nmaxBytes = -1", "images.maxBytes"),
        ("[store]\nmaxRecords = 0", "store.maxRecords"),
        ("[store]\nmaxBytes = 1", "store.maxBytes"),
    ] {
        let message = refusal(text);
        assert!(
            message.starts_with(&format!("setting {path}: ")),
            "{text:?} gives {message:?}"
        );
    }
}

#[test]
fn names_the_line_of_broken_toml() {
    let message = refusal("[local]\n\nenabled = = true");
    assert!(message.contains("line 3"), "{message}");
}

#[test]
fn a_file_that_was_named_has_to_exist() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("none.toml");
    let found = SettingsFile {
        path: path.clone(),
        required: false,
    };
    assert_eq!(
        Settings::load(Some(&found)).expect("defaults"),
        Settings::default()
    );
    let error = Settings::load(Some(&SettingsFile::named(path))).expect_err("refused");
    assert_eq!(error.code(), codes::SETTINGS_UNAVAILABLE);
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/settings/settings.schema.json");
    check_published(&path, &schemars::schema_for!(Settings));
}
