//! Whatever way a browser ends, nothing of it is left.

use std::{collections::BTreeSet, fs, path::Path, process::Stdio};

use tokio::{
    io::{AsyncBufReadExt as _, BufReader},
    process::Command as Program,
};

use super::*;
use crate::{
    adapter::launch::{Profile, sweep},
    limits::CALL_TIMEOUT,
};

/// Processes that name a folder in their arguments.
fn processes(folder: &Path) -> BTreeSet<u32> {
    let name = folder.to_string_lossy().into_owned();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .filter(|process: &u32| {
            let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            *process != std::process::id() && String::from_utf8_lossy(&line).contains(&name)
        })
        .collect()
}

async fn until(what: &str, condition: impl Fn() -> bool) {
    let poll = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, poll).await.is_ok();
    assert!(in_time, "{what}");
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).expect("a folder").next().is_none()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_left_of_browsers_that_are_closed_or_dropped() {
    let folder = tempfile::tempdir().expect("a directory");
    let Some(config) = config(folder.path()) else {
        return;
    };
    for cycle in 0..40 {
        let page = CdpDriver::new(config.clone())
            .open()
            .await
            .expect("a browser");
        assert!(page.is_alive() && !is_empty(folder.path()));
        if cycle % 2 == 0 {
            page.close().await.expect("it closes");
            assert!(!page.is_alive() && is_empty(folder.path()), "cycle {cycle}");
            assert_eq!(processes(folder.path()), BTreeSet::new(), "cycle {cycle}");
        } else {
            drop(page);
        }
    }
    until("every folder goes", || is_empty(folder.path())).await;
    until("every process ends", || processes(folder.path()).is_empty()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_that_is_given_up_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a directory");
    let Some(config) = config(folder.path()) else {
        return;
    };
    for millis in [1, 20, 60, 120, 250, 400] {
        let driver = CdpDriver::new(config.clone());
        drop(tokio::time::timeout(Duration::from_millis(millis), driver.open()).await);
    }
    until("every process ends", || processes(folder.path()).is_empty()).await;
    until("every folder goes", || {
        sweep(folder.path());
        is_empty(folder.path())
    })
    .await;
}

#[tokio::test]
async fn a_browser_that_dies_is_gone() {
    let folder = tempfile::tempdir().expect("a directory");
    let Some(config) = config(folder.path()) else {
        return;
    };
    let page = CdpDriver::new(config).open().await.expect("a browser");
    for process in processes(folder.path()) {
        drop(
            Program::new("kill")
                .args(["-9", &process.to_string()])
                .status()
                .await,
        );
    }
    until("it is noticed", || !page.is_alive()).await;
    let error = tokio::time::timeout(CALL_TIMEOUT, page.snapshot(&scope()))
        .await
        .expect("at once")
        .expect_err("it is gone");
    assert!(matches!(error.kind, DriverErrorKind::Gone(_)), "{error:?}");
    page.close().await.expect("it closes");
    assert!(is_empty(folder.path()));
}

#[tokio::test]
async fn a_named_profile_has_one_browser_and_stays() {
    let folder = tempfile::tempdir().expect("a directory");
    let Some(mut config) = config(folder.path().join("ours")) else {
        return;
    };
    let profile = folder.path().join("profile");
    config.profile = Profile::Named(profile.clone());
    let driver = CdpDriver::new(config);
    let page = driver.open().await.expect("a browser");
    let held = driver.open().await.expect_err("it is held");
    assert!(
        matches!(held.kind, DriverErrorKind::ProfileHeld(_)),
        "{held:?}"
    );
    assert!(page.is_alive());
    page.close().await.expect("it closes");
    assert!(profile.exists() && is_empty(&folder.path().join("ours")));
    let again = driver.open().await.expect("it is free again");
    again.close().await.expect("it closes");
}

#[tokio::test]
async fn a_program_that_is_none_is_an_error() {
    let folder = tempfile::tempdir().expect("a directory");
    let Some(mut config) = config(folder.path()) else {
        return;
    };
    for program in ["/bin/false", "/nonexistent/chromium"] {
        config.program = Some(program.into());
        let error = CdpDriver::new(config.clone())
            .open()
            .await
            .expect_err("it is no browser");
        assert!(
            matches!(&error.kind, DriverErrorKind::Launch(why) if why.contains(program)),
            "{error:?}"
        );
    }
    assert!(is_empty(folder.path()));
}

/// The host of the next test: opens a browser, says so, and waits.
#[tokio::test]
#[ignore = "is run and killed by another test"]
async fn host() {
    let Some(folder) = environment("EYES_TEST_FOLDER") else {
        return;
    };
    let config = config(folder).expect("a browser");
    let page = CdpDriver::new(config).open().await.expect("a browser");
    println!("\nOPEN");
    std::future::pending::<()>().await;
    drop(page);
}

#[tokio::test]
async fn nothing_outlives_a_host_that_is_killed() {
    let folder = tempfile::tempdir().expect("a directory");
    if config(folder.path()).is_none() {
        return;
    }
    for _ in 0..3 {
        let mut host = Program::new(std::env::current_exe().expect("this program"))
            .args([
                "--exact",
                "adapter::cdp::tests::cycles::host",
                "--ignored",
                "--nocapture",
            ])
            .env("EYES_TEST_FOLDER", folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(host.stdout.take().expect("a pipe")).lines();
        while lines.next_line().await.expect("text").expect("more lines") != "OPEN" {}
        assert!(!processes(folder.path()).is_empty());
        host.kill().await.expect("it is killed");
        until("every process ends", || processes(folder.path()).is_empty()).await;
        assert!(!is_empty(folder.path()), "nobody was there to remove it");
        assert_eq!(sweep(folder.path()), 1);
        assert!(is_empty(folder.path()));
    }
}
