//! The pure parts here; with real programs in `programs`.

#[cfg(target_os = "linux")]
mod programs;

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    path::{Path, PathBuf},
};

use eyes_evidence::code::Coded as _;
use tokio::sync::watch;

use super::{
    environment::HostEnvironment,
    guard::{Life, removed},
    lookup::{Search, extensions},
    stderr::{StderrRing, printable},
    *,
};
use crate::{
    codes::{MCP_ADAPTER_CLOSE_FAILED, MCP_CONNECT_FAILED},
    config::EnvReference,
    limits::{MAX_STDERR_BYTES, STDERR_CUT_BYTES},
    ports::SecretSource,
};

#[derive(Debug, Default)]
pub(super) struct Variables(pub(super) BTreeMap<&'static str, &'static str>);

impl SecretSource for Variables {
    fn resolve(&self, variable: &str) -> Option<String> {
        self.0.get(variable).map(|value| (*value).to_owned())
    }
}

fn reference(variable: &str) -> EnvReference {
    EnvReference {
        env: variable.to_owned(),
    }
}

fn host(variables: &[(&str, &str)], windows: bool) -> HostEnvironment {
    HostEnvironment::select(
        variables
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value))),
        windows,
    )
}

fn names(environment: &HostEnvironment) -> BTreeSet<String> {
    let all = environment.with(std::iter::empty());
    all.variables
        .into_keys()
        .map(|name| name.into_string().expect("text"))
        .collect()
}

#[test]
fn only_usual_variables_are_handed_on() {
    let variables = [
        ("PATH", "/usr/bin"),
        ("HOME", "/home/a"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("XDG_CACHE_HOME", "/c"),
        ("https_proxy", "http://proxy.example:3128"),
        ("HTTP_PROXY", "http://user:pw@proxy.example:3128"),
        ("no_proxy", "localhost,.example"),
        ("OPENAI_API_KEY", "sk-1"),
        ("AWS_SECRET_ACCESS_KEY", "x"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("NODE_OPTIONS", "--require /tmp/x.js"),
        ("LD_PRELOAD", "/tmp/x.so"),
        ("SHELL", "() { :; }"),
        ("TERM", ""),
        ("Path", "C:\\tools"),
        ("SystemRoot", "C:\\Windows"),
    ];
    let expected = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(
        names(&host(&variables, false)),
        expected(&[
            "PATH",
            "HOME",
            "LC_ALL",
            "XDG_CACHE_HOME",
            "https_proxy",
            "no_proxy"
        ]),
    );
    assert_eq!(
        names(&host(&variables, true)),
        expected(&["PATH", "Path", "SystemRoot", "https_proxy", "no_proxy"]),
    );
    // No value is shown.
    let shown = format!("{:?}", host(&variables, false));
    assert!(
        shown.contains("HOME") && !shown.contains("/home/a"),
        "{shown}"
    );
}

#[test]
fn a_servers_own_variables_win() {
    let environment = host(&[("PATH", "/usr/bin"), ("HOME", "/home/a")], false);
    let own = [("TOKEN", "t0ken-value"), ("PATH", "/p")];
    let all = environment.with(own.into_iter());
    let text = |name: &str| all.get(name).and_then(|value| value.to_str());
    assert_eq!(
        (text("TOKEN"), text("PATH"), text("HOME")),
        (Some("t0ken-value"), Some("/p"), Some("/home/a")),
    );
}

fn find(command: &str, search: &Search<'_>, there: &[&str]) -> Option<String> {
    let there: Vec<PathBuf> = there.iter().map(PathBuf::from).collect();
    search
        .find(command, &|path: &Path| {
            there.iter().any(|known| known == path)
        })
        .map(|path| path.to_string_lossy().into_owned())
}

#[test]
fn programs_are_found_by_name_and_by_path() {
    let search = Search {
        directories: ["relative", "", "/a", "/b"].map(PathBuf::from).into(),
        extensions: Vec::new(),
        base: None,
    };
    let there = [
        "relative/npx",
        "/b/npx",
        "/a/node",
        "/b/node",
        "./run",
        "sub/run",
        "/x y/run",
    ];
    for (command, found) in [
        ("npx", Some("/b/npx")),
        ("node", Some("/a/node")),
        ("/x y/run", Some("/x y/run")),
        ("./run", Some("./run")),
        ("sub/run", Some("sub/run")),
        ("run", None),
        ("", None),
        ("a\\b", None),
    ] {
        assert_eq!(
            find(command, &search, &there).as_deref(),
            found,
            "{command}"
        );
    }
    let elsewhere = Search {
        base: Some(Path::new("/project")),
        ..search
    };
    assert_eq!(
        find("./run", &elsewhere, &["/project/./run"]).as_deref(),
        Some("/project/./run")
    );
    assert_eq!(
        find("/b/npx", &elsewhere, &there).as_deref(),
        Some("/b/npx")
    );
}

#[test]
fn launchers_of_windows_are_found_through_pathext() {
    let search = Search {
        directories: vec!["/nodejs".into(), "/python".into()],
        extensions: extensions(Some(".COM;.EXE;.BAT;.CMD; ;x")),
        base: None,
    };
    assert_eq!(search.extensions, extensions(None));
    let there = [
        "/nodejs/npx",
        "/nodejs/npx.cmd",
        "/nodejs/node.exe",
        "/python/uvx.exe",
        "/python/npx.exe",
    ];
    for (command, found) in [
        ("npx", Some("/nodejs/npx.cmd")),
        ("npx.cmd", Some("/nodejs/npx.cmd")),
        ("node", Some("/nodejs/node.exe")),
        ("node.exe", Some("/nodejs/node.exe")),
        ("NPX.CMD", None),
        ("uvx", Some("/python/uvx.exe")),
        ("/nodejs/npx", Some("/nodejs/npx.cmd")),
        ("pip", None),
    ] {
        assert_eq!(
            find(command, &search, &there).as_deref(),
            found,
            "{command}"
        );
    }
    assert_eq!(extensions(Some(".PY")), [".PY"]);
}

async fn ring(bytes: &[u8]) -> StderrRing {
    let ring = StderrRing::default();
    ring.drain(bytes).await;
    ring
}

#[tokio::test]
async fn the_newest_of_standard_error_is_kept() {
    assert_eq!(ring(b"one\ntwo \xff\n").await.text(), "one\ntwo \u{fffd}\n");
    let whole = vec![b'x'; MAX_STDERR_BYTES];
    assert_eq!(ring(&whole).await.text().len(), MAX_STDERR_BYTES);

    // The first line may begin inside a secret.
    let lines: Vec<String> = (0..20_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let text = ring(lines.concat().as_bytes()).await.text();
    assert!(text.len() <= MAX_STDERR_BYTES && text.len() > MAX_STDERR_BYTES - 20);
    assert!(text.starts_with("line ") && text.ends_with("line 19999\n"));

    let one_line = vec![b'y'; 3 * MAX_STDERR_BYTES];
    assert_eq!(
        ring(&one_line).await.text().len(),
        MAX_STDERR_BYTES - STDERR_CUT_BYTES
    );
}

#[test]
fn nothing_steers_the_terminal() {
    for (text, shown) in [
        ("\u{1b}[31mred\u{1b}[0m\tx\n", "red\tx\n"),
        ("\u{1b}]0;title\u{7}after", "after"),
        ("\u{1b}]8;;http://x\u{1b}\\link", "link"),
        ("a\rb\u{8}\u{0}c\u{9b}d", "abcd"),
        ("\u{1b}", ""),
        ("\u{1b}[", ""),
        ("\u{1b}[?25\u{1b}[1mz", "z"),
        ("ü文", "ü文"),
    ] {
        assert_eq!(printable(text), shown, "{text:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_cannot_be_killed_is_reported() {
    let (_life, lives) = watch::channel(Life::Exited(None));
    let error = removed(4711, lives).await.expect_err("it is still there");
    assert_eq!(error.code(), MCP_ADAPTER_CLOSE_FAILED);
    assert!(error.to_string().contains("4711"));
    assert_eq!(
        crate::error::McpError::from(error).code,
        MCP_ADAPTER_CLOSE_FAILED
    );
}

#[test]
fn what_cannot_be_started_has_one_code() {
    for error in [
        ProcessError::CommandMissing {
            command: "npx".to_owned(),
        },
        ProcessError::DirectoryMissing {
            directory: "/none".into(),
        },
        ProcessError::StartFailed {
            command: "npx".to_owned(),
            reason: "no memory".to_owned(),
        },
    ] {
        assert_eq!(error.code(), MCP_CONNECT_FAILED);
    }
}
