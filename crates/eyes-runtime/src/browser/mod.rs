//! The browser as the settings name it, and the files of its runs.

mod replay;
mod rules;
#[cfg(test)]
mod tests;
mod tool;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use eyes_browser::{
    adapter::{
        cdp::CdpDriver,
        launch::{LaunchConfig, Profile, sweep},
    },
    config::BrowserSettings,
    limits::MAX_RUN_FILE_BYTES,
    ports::RunLog,
    report::RunFolder,
    session::{Session, SessionParts, SessionSettings},
};
use eyes_evidence::{
    atomic::{private_dir, read_private},
    digest::Sha256Digest,
    ports::RandomSource as _,
    state::RunId,
    store::{StoreBounds, fs::FsArtifacts},
};
use eyes_system::process::{HostEnvironment, Variables};

use self::rules::{ListedVariables, UploadDirs};
pub use self::{
    replay::{ReplayDifference, ReplayReport, replay},
    tool::BrowserTool,
};
use crate::{
    clock::SystemClock,
    data::{BROWSER_PROFILES, BROWSER_RUNS, DataDirectory},
    environment::Environment,
    error::RuntimeError,
    random::SystemRandom,
    settings::{Place, Settings},
};

/// Where pictures of a run are, secrets masked.
const PICTURES: &str = "pictures";
/// Where pictures of a run are as they were taken, nothing masked.
const ORIGINALS: &str = "originals";
/// Where downloads of a run stay.
const DOWNLOADS: &str = "downloads";

/// Variables beside the usual ones that a browser with a window needs.
const DISPLAY: [&str; 4] = [
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "DBUS_SESSION_BUS_ADDRESS",
];

/// A session with a browser, ready to be used; nothing is started yet.
#[derive(Debug)]
pub struct BrowserPlane {
    /// The session.
    pub session: Session,
    /// Its run.
    pub run: RunId,
    /// The folder of the run's files, where they are kept.
    pub folder: Option<PathBuf>,
}

/// What a composition finds around it.
#[derive(Debug, Clone, Copy)]
pub struct BrowserSurroundings<'a> {
    /// Where profiles and runs are.
    pub data_dir: Option<&'a Path>,
    /// The variables of this process.
    pub environment: &'a Environment,
}

impl BrowserPlane {
    /// Composes a session with the browser of `settings`, and removes what killed processes left.
    ///
    /// Errors: those of the settings, `DATA_DIRECTORY_MISSING` and the like where profiles or runs have no place.
    pub fn compose(
        settings: &Settings,
        around: BrowserSurroundings<'_>,
    ) -> Result<Self, RuntimeError> {
        let browser = &settings.browser;
        let data = DataDirectory::open(around.data_dir)?;
        let profiles = data.path().join(BROWSER_PROFILES);
        private_dir(&profiles).map_err(|source| RuntimeError::DataDirectory { source })?;
        sweep(&profiles);
        let run = new_run();
        let folder = run_folder(settings, &data, &run)?.map(Arc::new);
        let mut launch = launch_config(browser, profiles, around.environment)?;
        let mut parts = SessionParts::new(
            run.clone(),
            Arc::new(CdpDriver::new(launch.clone())),
            Arc::new(SystemClock),
            Arc::new(SystemRandom),
        );
        if let Some(folder) = &folder {
            launch.downloads = Some(folder.dir().join(DOWNLOADS));
            parts.driver = Arc::new(CdpDriver::new(launch));
            let originals =
                FsArtifacts::open(folder.dir().join(ORIGINALS), StoreBounds::default())?;
            parts.artifacts = Some(Arc::new(originals));
            parts.log = Some(Arc::clone(folder) as Arc<dyn RunLog>);
        }
        parts.secrets = Arc::new(ListedVariables::new(
            &browser.browser_secret_env,
            around.environment.clone(),
        ));
        parts.uploads = Arc::new(UploadDirs::new(&browser.browser_upload_dirs));
        parts.settings = session_settings(browser);
        Ok(Self {
            session: Session::new(parts),
            run,
            folder: folder.map(|folder| folder.dir().to_path_buf()),
        })
    }
}

fn new_run() -> RunId {
    let id = format!(
        "{:016x}{:016x}",
        SystemRandom.next_u64(),
        SystemRandom.next_u64()
    );
    RunId::new(id).expect("hexadecimal digits are an id")
}

/// Returns the folder of all runs; nothing where none are kept.
pub fn runs_dir(settings: &Settings, data_dir: Option<&Path>) -> Option<PathBuf> {
    match &settings.browser_artifacts_dir {
        Place::Nowhere => None,
        Place::At(path) => Some(path.clone()),
        Place::Usual => data_dir.map(|data| data.join(BROWSER_RUNS)),
    }
}

fn run_folder(
    settings: &Settings,
    data: &DataDirectory,
    run: &RunId,
) -> Result<Option<RunFolder>, RuntimeError> {
    let Some(runs) = runs_dir(settings, Some(data.path())) else {
        return Ok(None);
    };
    private_dir(&runs).map_err(|source| RuntimeError::DataDirectory { source })?;
    RunFolder::create(&runs.join(run.as_str()))
        .map(Some)
        .map_err(|reason| RuntimeError::RunFolder { reason })
}

/// Reads a picture of a step from the folder of its run; nothing where it is not there or not the one.
pub fn run_picture(run: &Path, sha256: &str) -> Option<Vec<u8>> {
    let digest: Sha256Digest = sha256.parse().ok()?;
    let path = run.join(PICTURES).join(format!("{digest}.png"));
    let bytes = read_private(&path, MAX_RUN_FILE_BYTES).ok()?;
    (Sha256Digest::of(&bytes) == digest).then_some(bytes)
}

/// Makes what a browser is started with.
fn launch_config(
    browser: &BrowserSettings,
    profiles: PathBuf,
    environment: &Environment,
) -> Result<LaunchConfig, RuntimeError> {
    let has_display = cfg!(not(target_os = "linux"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| environment.get(name).is_some());
    let mut config = LaunchConfig::new(profiles, variables(environment));
    config.program.clone_from(&browser.browser_executable_path);
    config.channel = browser.browser_channel;
    config.headless = browser.browser_headless.unwrap_or(!has_display);
    config.arguments.clone_from(&browser.browser_arguments);
    config.viewport = (
        browser.browser_viewport_width,
        browser.browser_viewport_height,
    );
    config.locale.clone_from(&browser.browser_locale);
    config.attach.clone_from(&browser.browser_attach);
    config.profile = browser
        .browser_profile
        .clone()
        .map_or(Profile::Isolated, Profile::Named);
    config.sandbox = browser.browser_sandbox;
    config.urls = Arc::new(
        browser
            .urls()
            .map_err(crate::settings::SettingsError::from)?,
    );
    config.files = browser.files();
    Ok(config)
}

/// The usual variables, and what a window needs.
fn variables(environment: &Environment) -> Variables {
    let mut variables = HostEnvironment::from_variables(environment.all()).variables();
    for name in DISPLAY {
        if let Some(value) = environment.get(name) {
            variables.set(name, value);
        }
    }
    variables
}

fn session_settings(browser: &BrowserSettings) -> SessionSettings {
    let mut settings = SessionSettings {
        max_elements: browser.browser_max_elements,
        max_text_chars: browser.browser_max_text_chars,
        timeout: Duration::from_millis(browser.browser_timeout_ms),
        first_sign: Duration::from_millis(browser.browser_settle_ms),
        ..SessionSettings::default()
    };
    settings.pictures.mode = browser.browser_visual_mode;
    settings
}
