//! Self-checks: what works here, what does not, and what to do about it.

use std::path::Path;

use eyes_browser::{
    action::{ParseMode, parse},
    codes::BROWSER_LAUNCH_FAILED,
};
use eyes_evidence::{
    atomic::{Staged, sweep_temps},
    code::Coded,
};
use eyes_router::{
    codes::VISION_PROBE_FAILED,
    error::{ProviderError, RouteRefusal, VisionError},
    model::Modality,
    ports::ModelProvider,
    probe::PixelProbe,
    route::Route,
    vision::collect,
};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::{
    browser::{BrowserPlane, BrowserSurroundings},
    data::DataDirectory,
    environment::Environment,
    error::RuntimeError,
    local::{self, LocalEyes},
    settings::{Place, Settings, SettingsError},
};

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CheckOutcome {
    /// It holds.
    Passed,
    /// The settings switch off what it is about, or a check before it failed.
    Skipped,
    /// It does not hold.
    Failed,
}

impl CheckOutcome {
    /// Returns `passed`, `skipped` or `failed`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}

/// One self-check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its stable name.
    pub id: &'static str,
    /// How it ended.
    pub outcome: CheckOutcome,
    /// What was found.
    pub detail: String,
    /// What to do, where it failed.
    pub hint: Option<String>,
}

impl Check {
    fn passed(id: &'static str, detail: impl Into<String>) -> Self {
        Self {
            id,
            outcome: CheckOutcome::Passed,
            detail: detail.into(),
            hint: None,
        }
    }

    fn skipped(id: &'static str, detail: impl Into<String>) -> Self {
        Self {
            outcome: CheckOutcome::Skipped,
            ..Self::passed(id, detail)
        }
    }

    fn failed(id: &'static str, error: &dyn Coded) -> Self {
        let mut detail = format!("[{}] {error}", error.code());
        let mut source = error.source();
        while let Some(cause) = source {
            detail.push_str(": ");
            detail.push_str(&cause.to_string());
            source = cause.source();
        }
        Self {
            outcome: CheckOutcome::Failed,
            hint: Some(error.hint()),
            ..Self::passed(id, detail)
        }
    }
}

/// Runs every check; `settings` is what loading them gave, `data_dir` decides for good settings.
///
/// Nothing is changed but what a normal command would change too: the directory for data is made, and what
/// dead processes left half-written is removed.
pub async fn examine(
    settings: Result<&Settings, &SettingsError>,
    data_dir: Option<&Path>,
) -> Vec<Check> {
    let settings = match settings {
        Ok(settings) => settings,
        Err(error) => return vec![Check::failed("settings", error)],
    };
    let mut checks = vec![match settings.check() {
        Ok(()) => Check::passed("settings", "valid"),
        Err(error) => Check::failed("settings", &error),
    }];
    check_data(settings, data_dir, &mut checks);
    check_local(settings, data_dir, &mut checks).await;
    checks
}

/// Starts the browser without a window, looks at an empty page, and ends it; nothing of the run is kept.
///
/// It needs an executor. A machine without a browser skips it, unless the settings offer the browser to models.
pub async fn examine_browser(
    settings: &Settings,
    data_dir: Option<&Path>,
    environment: &Environment,
) -> Check {
    const ID: &str = "browser";
    let mut settings = settings.clone();
    settings.browser_artifacts_dir = Place::Nowhere;
    settings.browser.browser_headless = Some(true);
    let around = BrowserSurroundings {
        data_dir,
        environment,
    };
    let plane = match BrowserPlane::compose(&settings, around) {
        Ok(plane) => plane,
        Err(error) => return Check::failed(ID, &error),
    };
    let open = parse(
        &json!({"action": "open", "url": "about:blank"}),
        ParseMode::Script,
    );
    let result = match open {
        Ok(request) => {
            plane
                .session
                .run_newest(request, &CancellationToken::new())
                .await
        }
        Err(error) => return Check::failed(ID, &error),
    };
    let closed = plane.session.close().await;
    match (&result.failure, closed) {
        (Some(failure), _)
            if failure.code == BROWSER_LAUNCH_FAILED && !settings.browser.browser_computer_use =>
        {
            Check::skipped(ID, format!("no browser: {}", failure.message))
        }
        (Some(failure), _) => Check {
            outcome: CheckOutcome::Failed,
            hint: Some(failure.hint.clone()),
            ..Check::passed(ID, format!("[{}] {}", failure.code, failure.message))
        },
        (None, Err(error)) => Check::failed(ID, &error),
        (None, Ok(())) => Check::passed(ID, "it starts, opens a page and ends"),
    }
}

fn check_data(settings: &Settings, data_dir: Option<&Path>, checks: &mut Vec<Check>) {
    let data = match DataDirectory::open(data_dir) {
        Ok(data) => data,
        Err(error) => {
            checks.push(Check::failed("data-directory", &error));
            checks.push(Check::skipped("store", "there is no directory for data"));
            return;
        }
    };
    checks.push(match writable(&data) {
        Ok(()) => Check::passed(
            "data-directory",
            format!("{} is private and writable", data.path().display()),
        ),
        Err(error) => Check::failed("data-directory", &error),
    });
    checks.push(if settings.persistent_evidence {
        match verified_store(settings, &data) {
            Ok(detail) => Check::passed("store", detail),
            Err(error) => Check::failed("store", &error),
        }
    } else {
        Check::skipped("store", "switched off by the settings")
    });
}

fn writable(data: &DataDirectory) -> Result<(), RuntimeError> {
    let failed = |source| RuntimeError::DataDirectory { source };
    // Written and dropped: the temporary file goes with the value.
    drop(Staged::write(data.path(), [&b"probe"[..]]).map_err(failed)?);
    sweep_temps(data.path()).map_err(failed)?;
    Ok(())
}

fn verified_store(settings: &Settings, data: &DataDirectory) -> Result<String, RuntimeError> {
    let store = data.evidence(settings.store.bounds())?;
    let (verified, set_aside) = store.verify_all()?;
    Ok(match set_aside.len() {
        0 => format!("{verified} records verified"),
        damaged => format!("{verified} records verified, {damaged} damaged files set aside"),
    })
}

async fn check_local(settings: &Settings, data_dir: Option<&Path>, checks: &mut Vec<Check>) {
    let LocalEyes { provider, route } = match LocalEyes::verified(&settings.local, data_dir) {
        Ok(Some(eyes)) => eyes,
        Ok(None) => {
            let (detail, cause) = if local::built_in().is_ok() {
                (
                    "switched off by the settings",
                    "the local eyes are switched off",
                )
            } else {
                (
                    "not built into this program",
                    "the local eyes are not built in",
                )
            };
            checks.push(Check::skipped("local-eyes", detail));
            checks.push(Check::skipped("pixel-probe", cause));
            return;
        }
        Err(error) => {
            checks.push(Check::failed("local-eyes", &error));
            checks.push(Check::skipped("pixel-probe", "the local eyes do not load"));
            return;
        }
    };
    checks.push(match declared(provider.as_ref(), &route).await {
        Ok(()) => Check::passed(
            "local-eyes",
            format!("{route} can be loaded, its weights are verified"),
        ),
        Err(error) => Check::failed("local-eyes", &error),
    });
    checks.push(match probe(provider.as_ref(), &route).await {
        Ok(true) => Check::passed("pixel-probe", format!("{route} named nine colours")),
        Ok(false) => Check {
            outcome: CheckOutcome::Failed,
            hint: Some(VISION_PROBE_FAILED.spec().hint.to_owned()),
            ..Check::passed(
                "pixel-probe",
                format!("[{VISION_PROBE_FAILED}] {route} named other colours than were shown"),
            )
        },
        Err(error) => Check::failed("pixel-probe", &error),
    });
}

async fn declared(provider: &dyn ModelProvider, route: &Route) -> Result<(), RuntimeError> {
    let failed = |source| provider_error(route, source);
    let models = provider.models().await.map_err(failed)?;
    let sees = |model: &eyes_router::model::ModelSpec| {
        model.id == route.model() && model.input.contains(&Modality::Image)
    };
    if models.iter().any(sees) {
        Ok(())
    } else {
        Err(VisionError::refused(route, RouteRefusal::Unknown).into())
    }
}

/// Shows the built-in picture; its order is fixed, because the local eyes cannot have learnt it.
async fn probe(provider: &dyn ModelProvider, route: &Route) -> Result<bool, RuntimeError> {
    const SEED: u64 = 271_828;
    let probe = PixelProbe::shuffled(SEED);
    let request = probe.request(route)?;
    let stream = provider
        .generate(request)
        .await
        .map_err(|source| provider_error(route, source))?;
    let answer = collect(route, stream).await?;
    Ok(probe.is_answered_by(&answer.text))
}

fn provider_error(route: &Route, source: ProviderError) -> RuntimeError {
    VisionError::provider(route, source).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Executor;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        Executor::new().expect("an executor").block_on(future)
    }

    fn outcomes(checks: &[Check]) -> Vec<(&str, CheckOutcome)> {
        checks.iter().map(|c| (c.id, c.outcome)).collect()
    }

    #[test]
    fn bad_settings_are_told_and_nothing_else_is_tried() {
        let error = Settings::parse("x = 1").expect_err("refused");
        let checks = block_on(examine(Err(&error), None));
        assert_eq!(outcomes(&checks), [("settings", CheckOutcome::Failed)]);
        assert!(checks[0].hint.is_some());
    }

    #[test]
    fn what_is_switched_off_is_skipped() {
        let directory = tempfile::tempdir().expect("a directory");
        let mut settings = Settings::default();
        settings.local.enabled = false;
        settings.persistent_evidence = false;
        let checks = block_on(examine(Ok(&settings), Some(directory.path())));
        assert_eq!(
            outcomes(&checks),
            [
                ("settings", CheckOutcome::Passed),
                ("data-directory", CheckOutcome::Passed),
                ("store", CheckOutcome::Skipped),
                ("local-eyes", CheckOutcome::Skipped),
                ("pixel-probe", CheckOutcome::Skipped),
            ]
        );
    }

    #[test]
    fn no_directory_for_data_is_a_failure_with_advice() {
        let mut settings = Settings::default();
        settings.local.enabled = false;
        let checks = block_on(examine(Ok(&settings), None));
        assert_eq!(checks[1].outcome, CheckOutcome::Failed);
        assert!(
            checks[1]
                .detail
                .starts_with("[DATA_DIRECTORY_UNAVAILABLE] ")
        );
        assert!(checks[1].hint.is_some());
    }
}
