//! Starting the program and learning where it listens.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use eyes_evidence::{atomic::FileLock, redact::Redactor};
use eyes_system::process::{ChildGuard, is_program, spawn};
use tokio::{process::Command, runtime::Handle, time::timeout};

use super::{Folder, LaunchConfig, Profile, find::find, hold, sweep};
use crate::{driver::DriverErrorKind, limits::LAUNCH_TIMEOUT};

/// The file in which Chromium tells its port and the path of its debugger.
const PORT_FILE: &str = "DevToolsActivePort";
/// How often it is looked for.
const POLL: Duration = Duration::from_millis(5);

/// What would talk to the network, ask questions, or slow a page down that nobody looks at.
const ARGUMENTS: &[&str] = &[
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-smooth-scrolling",
    "--disable-sync",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    // A page that is kept for going back would keep its elements: a document is never shown twice.
    "--disable-features=BackForwardCache,Translate,MediaRouter,OptimizationHints,AcceptCHFrame,PaintHolding,DialMediaRouteProvider",
];

/// A browser that was started; dropping it kills it, and removes its folder once it is gone.
#[derive(Debug)]
pub(crate) struct Running {
    /// Its debugger, `ws://127.0.0.1:PORT/…`.
    pub(crate) debugger: String,
    /// Nothing once it was ended.
    kept: Option<Kept>,
    /// Who removes the folder of one that is dropped.
    runtime: Handle,
}

#[derive(Debug)]
struct Kept {
    guard: ChildGuard,
    /// Our folder, with the profile in it where that is isolated.
    folder: Folder,
    /// Holds a named profile.
    held: Option<FileLock>,
}

impl Running {
    /// Returns our folder.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.kept.as_ref().map(|kept| kept.folder.path())
    }

    /// Waits until it has ended, or ends it, and removes its folder.
    pub(crate) async fn end(mut self) {
        // Given up on the way, it is dropped.
        let ended = match &self.kept {
            Some(kept) => kept.guard.close().await.is_ok(),
            None => return,
        };
        if ended && let Some(kept) = self.kept.take() {
            kept.remove().await;
        }
    }
}

impl Kept {
    /// The folder of one that does not go stays for the next sweep: a browser that still runs would make it anew.
    async fn remove(self) {
        if self.guard.close().await.is_ok() {
            self.folder.remove().await;
        }
        drop(self.held);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take() {
            self.runtime.spawn(async move {
                // A close that is given up kills.
                drop(timeout(Duration::ZERO, kept.guard.close()).await);
                kept.remove().await;
            });
        }
    }
}

/// Starts the first browser that can be.
pub(crate) async fn start(config: &LaunchConfig) -> Result<Running, DriverErrorKind> {
    let base = config.folder.clone();
    drop(tokio::task::spawn_blocking(move || sweep(&base)).await);
    let programs = find(config, &is_program).map_err(DriverErrorKind::Launch)?;
    let mut failures = Vec::new();
    for program in programs {
        match start_program(config, &program).await {
            Err(DriverErrorKind::Launch(why)) => {
                failures.push(format!("{}: {why}", program.display()));
            }
            other => return other,
        }
    }
    Err(DriverErrorKind::Launch(failures.join("; ")))
}

async fn start_program(config: &LaunchConfig, program: &Path) -> Result<Running, DriverErrorKind> {
    let folder = Folder::make(&config.folder)?;
    let (profile, held) = match &config.profile {
        Profile::Isolated => (folder.path().join("profile"), None),
        Profile::Named(profile) => (profile.clone(), Some(hold(profile)?)),
    };
    // One that an earlier browser left would name a port that is somebody else's by now.
    drop(std::fs::remove_file(profile.join(PORT_FILE)));
    let mut command = Command::new(program);
    command
        .args(arguments(config, &profile))
        .env_clear()
        .envs(config.environment.iter())
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let spawned = spawn(command, Redactor::default())
        .map_err(|error| DriverErrorKind::Launch(error.to_string()))?;
    let mut running = Running {
        debugger: String::new(),
        kept: None,
        runtime: Handle::current(),
    };
    let kept = running.kept.insert(Kept {
        guard: spawned.guard,
        folder,
        held,
    });
    let guard = &kept.guard;
    let listens = tokio::select! {
        debugger = timeout(LAUNCH_TIMEOUT, debugger(profile)) => {
            debugger.map_err(|_| DriverErrorKind::Launch(format!("it does not listen: {}", tail(guard))))
        }
        end = guard.exited() => Err(match &config.profile {
            // It handed its address over to the browser that has the profile.
            Profile::Named(named) if end == "exit status: 0" => DriverErrorKind::ProfileHeld(named.display().to_string()),
            _ => DriverErrorKind::Launch(format!("it ended with {end}: {}", tail(guard))),
        }),
    };
    match listens {
        Ok(debugger) => {
            running.debugger = debugger;
            Ok(running)
        }
        Err(error) => {
            running.end().await;
            Err(error)
        }
    }
}

/// The last lines of what it wrote.
fn tail(guard: &ChildGuard) -> String {
    let text = guard.stderr_tail();
    let lines: Vec<&str> = text.lines().rev().take(3).collect();
    lines.into_iter().rev().collect::<Vec<_>>().join(" / ")
}

async fn debugger(profile: PathBuf) -> String {
    loop {
        if let Ok(text) = tokio::fs::read_to_string(profile.join(PORT_FILE)).await
            && let Some((port, path)) = text.split_once('\n')
            && let (Ok(port), true) = (port.trim().parse::<u16>(), path.starts_with('/'))
        {
            return format!("ws://127.0.0.1:{port}{}", path.trim());
        }
        tokio::time::sleep(POLL).await;
    }
}

pub(super) fn arguments(config: &LaunchConfig, profile: &Path) -> Vec<OsString> {
    let (width, height) = config.viewport;
    let mut arguments: Vec<OsString> = ARGUMENTS.iter().map(OsString::from).collect();
    let mut user_data: OsString = "--user-data-dir=".into();
    user_data.push(profile);
    arguments.push(user_data);
    arguments.push("--remote-debugging-port=0".into());
    arguments.push(format!("--window-size={width},{height}").into());
    if config.headless {
        arguments.extend(
            [
                "--headless",
                "--hide-scrollbars",
                "--mute-audio",
                "--disable-gpu",
            ]
            .map(OsString::from),
        );
    }
    if let Some(locale) = &config.locale {
        arguments.push(format!("--lang={locale}").into());
        arguments.push(format!("--accept-lang={locale}").into());
    }
    if !config.sandbox || is_root() {
        arguments.push("--no-sandbox".into());
    }
    arguments.extend(config.arguments.iter().map(OsString::from));
    arguments.push("about:blank".into());
    arguments
}

/// Whether this process is root's on Linux, where Chromium refuses its sandbox.
#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
const fn is_root() -> bool {
    false
}
