use std::{ffi::OsString, path::Path};

use eyes_system::process::HostEnvironment;

use super::{Channel, Folder, LaunchConfig, Os, candidates, hold, start::arguments, sweep};
use crate::driver::DriverErrorKind;

fn environment(variables: &[(&str, &str)]) -> eyes_system::process::Variables {
    let mut all = HostEnvironment::default().variables();
    for (name, value) in variables {
        all.set(*name, *value);
    }
    all
}

#[test]
fn browsers_are_where_their_installers_put_them() {
    let windows = environment(&[
        ("PROGRAMFILES", r"C:\Program Files"),
        ("LOCALAPPDATA", r"C:\L"),
    ]);
    for (channel, os, first) in [
        (None, Os::Linux, "google-chrome-stable"),
        (Some(Channel::Chromium), Os::Linux, "chromium"),
        (Some(Channel::Edge), Os::Linux, "microsoft-edge-stable"),
        (
            None,
            Os::Mac,
            "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        ),
        (
            Some(Channel::Edge),
            Os::Windows,
            r"C:\Program Files\Microsoft\Edge\Application\msedge.exe",
        ),
        (
            Some(Channel::Chromium),
            Os::Windows,
            r"C:\Program Files\Chromium\Application\chrome.exe",
        ),
    ] {
        let found = candidates(channel, os, &windows);
        assert_eq!(found[0].program, first);
        assert!(channel.is_none_or(|wanted| found.iter().all(|c| c.channel == wanted)));
    }
    assert!(candidates(None, Os::Windows, &environment(&[])).is_empty());
    let own = candidates(
        Some(Channel::Chrome),
        Os::Mac,
        &environment(&[("HOME", "/Users/a")]),
    );
    assert!(
        own[1]
            .program
            .starts_with("/Users/a/Applications/Google Chrome.app/")
    );
}

#[test]
fn the_arguments_say_what_the_settings_say() {
    let mut config = LaunchConfig::new("/f", environment(&[]));
    config.locale = Some("de-DE".to_owned());
    config.sandbox = false;
    config.arguments = vec!["--more".to_owned()];
    let have = arguments(&config, Path::new("/p"));
    for wanted in [
        "--user-data-dir=/p",
        "--remote-debugging-port=0",
        "--headless",
        "--lang=de-DE",
        "--no-sandbox",
        "--more",
        "--window-size=1440,900",
    ] {
        assert!(have.contains(&OsString::from(wanted)), "{wanted}");
    }
    config.headless = false;
    assert!(!arguments(&config, Path::new("/p")).contains(&OsString::from("--headless")));
}

#[test]
fn a_sweep_takes_what_nobody_holds_and_nothing_else() {
    let base = tempfile::tempdir().expect("a directory");
    let held = Folder::make(base.path()).expect("a folder");
    let left = base.path().join("eyes-browser-1-0");
    std::fs::create_dir(&left).expect("a directory");
    std::fs::write(left.join("eyes-owner"), "").expect("a file");
    std::fs::create_dir(left.join("profile")).expect("a directory");
    for other in ["eyes-browser-2-0", "other"] {
        std::fs::create_dir(base.path().join(other)).expect("a directory");
    }
    std::fs::write(base.path().join("other/eyes-owner"), "").expect("a file");
    std::fs::write(base.path().join("eyes-browser-2-0/theirs"), "").expect("a file");
    std::fs::create_dir(base.path().join("eyes-browser-3-0")).expect("a directory");

    assert_eq!(sweep(base.path()), 2);
    assert!(!left.exists() && !base.path().join("eyes-browser-3-0").exists());
    assert!(held.path().exists());
    assert!(base.path().join("eyes-browser-2-0").exists() && base.path().join("other").exists());
    let path = held.path().to_owned();
    drop(held);
    assert!(!path.exists());
    assert_eq!(sweep(&base.path().join("none")), 0);
}

#[test]
fn a_profile_has_one_browser() {
    let base = tempfile::tempdir().expect("a directory");
    let profile = base.path().join("p");
    let first = hold(&profile).expect("it is free");
    let second = hold(&profile).expect_err("it is held");
    assert!(
        matches!(second, DriverErrorKind::ProfileHeld(_)),
        "{second}"
    );
    drop(first);
    hold(&profile).map(drop).expect("it is free again");
}
