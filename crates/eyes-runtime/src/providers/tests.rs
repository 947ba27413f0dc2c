use eyes_evidence::code::Coded;

use super::*;
use crate::{codes, environment::Platform};

fn environment(variables: &[(&str, &str)]) -> Environment {
    let variables = variables.iter().map(|(k, v)| (k.into(), v.into()));
    Environment::new(variables, Platform::Unix)
}

fn made(text: &str, variables: &[(&str, &str)]) -> Result<Providers, RuntimeError> {
    let settings = Settings::parse(text).expect("settings");
    providers(&settings, &environment(variables), &[])
}

fn ids(providers: &Providers) -> Vec<&str> {
    providers.all.iter().map(|provider| provider.id()).collect()
}

const ROUTE: &str = "visionRoutePriority = \"openai/gpt-4.1\"";

#[test]
fn a_route_to_a_well_known_provider_needs_only_its_key() {
    let found = made(ROUTE, &[("OPENAI_API_KEY", "sk-1")]).expect("made");
    assert_eq!(ids(&found), ["openai"]);
    let (provider, model) = &found.declared[0];
    assert_eq!((&**provider, model.id.as_str()), ("openai", "gpt-4.1"));
    assert!(model.input.contains(&Modality::Image));
}

#[test]
fn nothing_is_made_where_no_route_and_no_settings_name_it() {
    let found = made("", &[("OPENAI_API_KEY", "sk-1")]).expect("made");
    assert!(found.all.is_empty() && found.declared.is_empty());
}

#[cfg(feature = "local")]
#[test]
fn a_route_to_the_local_eyes_needs_no_provider_over_the_network() {
    let found = made("visionRoutePriority = \"local/eyes-tiny\"", &[]).expect("made");
    assert!(found.all.is_empty() && found.declared.is_empty());
}

#[test]
fn what_a_named_route_lacks_is_an_error_and_what_another_lacks_a_warning() {
    let error = made(ROUTE, &[]).expect_err("no key");
    assert_eq!(error.code(), codes::PROVIDER_KEY_MISSING);
    assert!(error.to_string().contains("OPENAI_API_KEY"));
    let found = made("[providers.openai]\napiKeyEnv = \"MY_KEY\"", &[]).expect("made");
    assert!(found.all.is_empty());
    assert!(matches!(
        found.left_out[..],
        [ProviderError::KeyMissing { .. }]
    ));
    let error = made("visionProvider = \"nobody\"", &[]).expect_err("unknown");
    assert_eq!(error.code(), codes::PROVIDER_CONFIG_MISSING);
}

/// The usual key of a well-known provider is not sent to another address.
#[test]
fn a_key_goes_only_where_it_belongs() {
    let text = format!("{ROUTE}\n[providers.openai]\nbaseUrl = \"https://proxy.example/v1\"");
    let plan = |variables: &[(&str, &str)]| {
        let settings = Settings::parse(&text).expect("settings");
        let plan = Plan::of(
            "openai",
            &settings.providers["openai"],
            &environment(variables),
        );
        plan.expect("a plan").key.map(|key| key.expose().to_owned())
    };
    assert_eq!(plan(&[("OPENAI_API_KEY", "sk-1")]), None);
}

#[test]
fn a_key_is_read_from_its_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("key");
    std::fs::write(&path, "sk-file\n").expect("written");
    let stated = ProviderSettings {
        api_key_file: Some(path.clone()),
        ..ProviderSettings::default()
    };
    let key = |stated: &ProviderSettings| {
        Plan::of("openai", stated, &environment(&[])).map(|plan| plan.key)
    };
    let found = key(&stated).expect("a plan").expect("a key");
    assert_eq!(found.expose(), "sk-file");
    std::fs::write(&path, vec![b'k'; 20_000]).expect("written");
    assert!(matches!(key(&stated), Err(ProviderError::Length { .. })));
    std::fs::remove_file(&path).expect("removed");
    let Err(error) = key(&stated) else {
        panic!("a key from nowhere");
    };
    assert_eq!(
        RuntimeError::from(error).code(),
        codes::PROVIDER_FILE_UNAVAILABLE
    );
}
