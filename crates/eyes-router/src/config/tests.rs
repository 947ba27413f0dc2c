use super::*;

fn settings(json: &str) -> VisionSettings {
    serde_json::from_str(json).expect("settings")
}

#[test]
fn the_defaults_are_within_their_ranges_and_survive_json() {
    let defaults = VisionSettings::default();
    assert_eq!(settings("{}"), defaults);
    let json = serde_json::to_string(&defaults).expect("plain data");
    assert_eq!(settings(&json), defaults);
    let config = VisionConfig::from_settings(defaults).expect("valid");
    assert_eq!(
        (config.base_max_tokens(), config.target_max_tokens()),
        (Some(16_384), Some(8_192))
    );
    assert_eq!(config.token_budget(), None);
}

#[test]
fn refuses_what_is_out_of_range_and_names_it() {
    for (json, expected) in [
        (
            r#"{"visionFailoverAttempts":9}"#,
            "visionFailoverAttempts is 9, not 0 to 8",
        ),
        (
            r#"{"visionHealthTtlMs":999}"#,
            "visionHealthTtlMs is 999, not 1000 to 3600000",
        ),
        (
            r#"{"visionFailureCooldownMs":3600001}"#,
            "visionFailureCooldownMs is 3600001, not 0 to 3600000",
        ),
        (
            r#"{"visionFailureThreshold":0}"#,
            "visionFailureThreshold is 0, not 1 to 10",
        ),
        (
            r#"{"visionConcurrency":17}"#,
            "visionConcurrency is 17, not 1 to 16",
        ),
        (
            r#"{"visionTimeBudgetMs":5}"#,
            "visionTimeBudgetMs is 5, not 1000 to 3600000 or 0",
        ),
        (
            r#"{"visionTokenBudget":5}"#,
            "visionTokenBudget is 5, not 1024 to 10000000 or 0",
        ),
        (
            r#"{"baseMaxTokens":511}"#,
            "baseMaxTokens is 511, not 512 to 4294967295 or 0",
        ),
        (
            r#"{"visionModel":"m"}"#,
            "visionModel is set and visionProvider is not",
        ),
        (
            r#"{"visionProvider":"a/b"}"#,
            "visionProvider and visionModel: a provider id is 1 to 256 printable characters without space or slash",
        ),
    ] {
        let error = VisionConfig::from_settings(settings(json)).expect_err(json);
        assert_eq!(error.to_string(), expected);
        assert_eq!(error.code(), codes::VISION_SETTING_INVALID);
    }
    for zero in [
        r#"{"visionTimeBudgetMs":0}"#,
        r#"{"visionTokenBudget":0}"#,
        r#"{"baseMaxTokens":0}"#,
        r#"{"targetMaxTokens":0}"#,
        r#"{"visionFailureCooldownMs":0}"#,
    ] {
        assert!(
            VisionConfig::from_settings(settings(zero)).is_ok(),
            "{zero}"
        );
    }
}

#[test]
fn refuses_unknown_members_and_texts_that_name_no_route() {
    for json in [
        r#"{"visionRoutes":[]}"#,
        r#"{"visionRoutePriority":["model"]}"#,
    ] {
        assert!(
            serde_json::from_str::<VisionSettings>(json).is_err(),
            "{json}"
        );
    }
}
