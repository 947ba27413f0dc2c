//! Real programs: whatever they do, nothing of them is left.

use std::{collections::BTreeMap, fs, path::Path, time::Duration};

use eyes_evidence::code::Coded as _;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader, Lines},
    process::{ChildStdin, ChildStdout},
    time::timeout,
};

use super::{Variables, reference};
use crate::{
    codes::MCP_CONNECT_FAILED,
    config::{Argument, ResolvedSecrets, ServerConfig, StdioServer, Transport},
    process::{ChildGuard, HostEnvironment, Launch, Launched, ProcessError, launch},
    testing::fixture,
};

/// Far beyond what anything here takes; reached only by a defect.
const PATIENCE: Duration = Duration::from_mins(1);

fn shell(script: &str) -> StdioServer {
    StdioServer {
        command: "sh".to_owned(),
        args: vec![
            Argument::Text("-c".to_owned()),
            Argument::Text(script.to_owned()),
        ],
        cwd: None,
        env: BTreeMap::new(),
    }
}

fn start_with(server: &StdioServer, secrets: &Variables) -> Result<Launched, ProcessError> {
    let config = ServerConfig {
        transport: Transport::Stdio(server.clone()),
        ..fixture::server("program")
    };
    let resolved = ResolvedSecrets::of(&config, secrets).expect("all are set");
    launch(
        server,
        Launch {
            environment: &HostEnvironment::of_this_process(),
            resolved: &resolved,
        },
    )
}

/// Reads lines of a server.
struct Output<R>(Lines<BufReader<R>>);

impl<R: AsyncRead + Unpin> Output<R> {
    fn of(from: R) -> Self {
        Self(BufReader::new(from).lines())
    }

    async fn line(&mut self) -> Option<String> {
        timeout(PATIENCE, self.0.next_line())
            .await
            .expect("in time")
            .expect("text")
    }
}

/// The state of a process and its group; nothing where there is none any more.
fn state(process: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?.chars().next()?;
    Some((state, fields.nth(1)?.parse().ok()?))
}

/// Whether a process runs no more; whose child it was takes it away.
fn is_dead(process: u32) -> bool {
    state(process).is_none_or(|(state, _)| matches!(state, 'Z' | 'X'))
}

async fn until(what: &str, condition: impl Fn() -> bool) {
    let poll = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(timeout(PATIENCE, poll).await.is_ok(), "{what}");
}

async fn all_dead(processes: &[u32]) {
    until("every process ends", || {
        processes.iter().all(|&process| is_dead(process))
    })
    .await;
}

/// A server and the pipes to it.
struct Server {
    input: ChildStdin,
    output: Output<ChildStdout>,
    guard: ChildGuard,
}

impl Server {
    fn start(script: &str) -> Self {
        let launched = start_with(&shell(script), &Variables::default()).expect("it starts");
        Self::of(launched)
    }

    fn of(launched: Launched) -> Self {
        Self {
            input: launched.stdin,
            output: Output::of(launched.stdout),
            guard: launched.guard,
        }
    }

    /// The watchdog leads the group.
    fn watchdog(&self) -> u32 {
        state(self.guard.process()).expect("it runs").1
    }

    /// Closes; our own children are taken away then, and the others are dead.
    async fn close(self, others: &[u32]) -> ChildGuard {
        let own = [self.guard.process(), self.watchdog()];
        drop(self.input);
        timeout(PATIENCE, self.guard.close())
            .await
            .expect("in time")
            .expect("it ends");
        for process in own {
            assert_eq!(state(process), None, "no zombie is left");
        }
        all_dead(others).await;
        self.guard
    }
}

#[tokio::test]
async fn a_server_that_follows_the_end_of_input_ends_by_itself() {
    let server = Server::start("cat >/dev/null; exit 7");
    assert_ne!(server.watchdog(), server.guard.process());
    assert_eq!(server.guard.exit(), None);
    let guard = server.close(&[]).await;
    assert_eq!(guard.exit().as_deref(), Some("exit status: 7"));
    assert_eq!(guard.exited().await, "exit status: 7");
    guard.close().await.expect("twice is once");
}

#[tokio::test]
async fn secrets_are_hidden_in_what_a_server_says() {
    let mut server = shell("echo \"token $TOKEN and $1\" >&2; echo $TOKEN $HOME; cat >/dev/null");
    server
        .args
        .extend(["x", "password=hunter2hunter2"].map(|text| Argument::Text(text.to_owned())));
    server.env.insert("TOKEN".to_owned(), reference("MY_TOKEN"));
    let secrets = Variables(BTreeMap::from([("MY_TOKEN", "zanzibar-plain-words")]));
    let mut server = Server::of(start_with(&server, &secrets).expect("it starts"));
    let line = server.output.line().await.expect("a line");
    assert!(line.starts_with("zanzibar-plain-words"), "{line}");
    let guard = &server.guard;
    until("it is read", || guard.stderr_tail().ends_with('\n')).await;
    assert_eq!(
        guard.stderr_tail(),
        "token [REDACTED] and password=[REDACTED]\n"
    );
    server.close(&[]).await;
}

#[tokio::test]
async fn what_is_not_there_is_named_before_anything_is_started() {
    let dir = tempfile::tempdir().expect("a directory");
    let plain = dir.path().join("plain");
    fs::write(&plain, "no program").expect("a file");
    let broken = dir.path().join("broken");
    fs::write(&broken, "#!/none/such/interpreter\n").expect("a file");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&broken, mode).expect("it may run");
    let named = |command: &Path| StdioServer {
        command: command.to_string_lossy().into_owned(),
        ..shell("")
    };
    let mut elsewhere = shell("");
    elsewhere.cwd = Some(dir.path().join("none"));
    for (server, code, words) in [
        (
            named(Path::new("no-such-program")),
            MCP_CONNECT_FAILED,
            "no-such-program",
        ),
        (named(&plain), MCP_CONNECT_FAILED, "plain"),
        (named(&broken), MCP_CONNECT_FAILED, "could not be started"),
        (elsewhere, MCP_CONNECT_FAILED, "none"),
    ] {
        let error = start_with(&server, &Variables::default()).expect_err("it is not there");
        assert_eq!(error.code(), code);
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[tokio::test]
async fn a_server_runs_where_it_is_told_to() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::create_dir(dir.path().join("bin")).expect("a directory");
    let program = dir.path().join("bin/server");
    fs::write(&program, "#!/bin/sh\npwd\ncat >/dev/null\n").expect("a program");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&program, mode).expect("it may run");
    let server = StdioServer {
        command: "bin/server".to_owned(),
        cwd: Some(dir.path().to_owned()),
        ..shell("")
    };
    let mut server = Server::of(start_with(&server, &Variables::default()).expect("it starts"));
    let place = fs::canonicalize(dir.path()).expect("it is there");
    assert_eq!(server.output.line().await.as_deref(), place.to_str());
    server.close(&[]).await;
}
