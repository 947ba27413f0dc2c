//! Real programs: whatever they do, nothing of them is left.

use std::{collections::BTreeMap, fs, path::Path, process::Stdio, time::Duration};

use eyes_evidence::code::Coded as _;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader, Lines},
    process::{ChildStdin, ChildStdout, Command},
    time::timeout,
};

use super::{Variables, reference};
use crate::{
    codes::MCP_CONNECT_FAILED,
    config::{Argument, ResolvedSecrets, ServerConfig, StdioServer, Transport},
    limits::MAX_STDERR_BYTES,
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

    /// Reads the ids of processes that a script prints in one line.
    async fn processes(&mut self) -> Vec<u32> {
        let line = self.line().await.expect("a line");
        line.split(' ')
            .map(|id| id.parse().expect("an id"))
            .collect()
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
async fn a_server_may_tidy_up_when_it_is_told_to_end() {
    let dir = tempfile::tempdir().expect("a directory");
    let note = dir.path().join("note");
    let mut server = Server::start(&format!(
        "trap 'echo tidy >{}; exit 0' TERM; echo $$; while :; do sleep 1000; done",
        note.display()
    ));
    server.output.processes().await;
    server.close(&[]).await;
    assert_eq!(fs::read_to_string(note).expect("a note"), "tidy\n");
}

#[tokio::test]
async fn neither_end_of_input_nor_a_signal_saves_anybody() {
    let stubborn = "trap '' TERM HUP INT; while :; do sleep 1000; done";
    let mut server = Server::start(&format!(
        "sh -c \"{stubborn}\" & child=$!; sleep 1000 </dev/null >/dev/null 2>&1 & echo $child $!; {stubborn}"
    ));
    let others = server.output.processes().await;
    assert!(!others.iter().any(|&process| is_dead(process)));
    let guard = server.close(&others).await;
    assert!(guard.exit().expect("it ended").contains("signal: 9"));
}

#[tokio::test]
async fn a_server_behind_a_launcher_ends_with_it() {
    // As `npx` does it: what is started stays between us and the server.
    let mut server =
        Server::start("sh -c 'echo $PPID $$; cat >/dev/null; exec sleep 1000'; exit 1");
    let processes = server.output.processes().await;
    assert_eq!(processes[0], server.guard.process());
    server.close(&processes).await;
}

#[tokio::test]
async fn what_a_server_leaves_behind_ends_with_the_connection() {
    let mut server = Server::start("sleep 1000 & echo $!; exit 0");
    let left = server.output.processes().await;
    assert_eq!(
        timeout(PATIENCE, server.guard.exited())
            .await
            .expect("in time"),
        "exit status: 0"
    );
    assert!(!is_dead(left[0]));
    timeout(PATIENCE, server.guard.close())
        .await
        .expect("in time")
        .expect("it ends");
    all_dead(&left).await;
}

#[tokio::test]
async fn dropping_kills() {
    let mut server =
        Server::start("trap '' TERM; sleep 1000 & echo $$ $!; while :; do sleep 1000; done");
    let mut processes = server.output.processes().await;
    processes.push(server.watchdog());
    drop(server);
    until("every process is gone and taken away", || {
        is_dead(processes[1]) && [0, 2].iter().all(|&at| state(processes[at]).is_none())
    })
    .await;
}

#[tokio::test]
async fn a_close_that_is_given_up_kills() {
    let mut server = Server::start("trap '' TERM; echo $$; while :; do sleep 1000; done");
    let processes = server.output.processes().await;
    let mut close = Box::pin(server.guard.close());
    assert!(futures_util::poll!(&mut close).is_pending());
    drop(close);
    all_dead(&processes).await;
    server.guard.close().await.expect("it ends");
}

#[tokio::test]
async fn a_server_does_not_outlive_its_watchdog() {
    let server = Server::start("exec sleep 1000");
    let watchdog = server.watchdog();
    let status = Command::new("kill")
        .args(["-s", "KILL", &watchdog.to_string()])
        .status();
    assert!(status.await.expect("kill runs").success());
    let end = timeout(PATIENCE, server.guard.exited())
        .await
        .expect("in time");
    assert!(end.contains("signal: 9"), "{end}");
    server.guard.close().await.expect("it ends");
}

#[tokio::test]
async fn a_flood_on_standard_error_stops_nobody() {
    let mut server = Server::start(
        "head -c 5000000 /dev/zero | tr '\\0' e >&2; echo >&2; echo last words >&2; echo done; cat >/dev/null",
    );
    assert_eq!(server.output.line().await.as_deref(), Some("done"));
    let guard = &server.guard;
    until("the rest arrives", || {
        guard.stderr_tail().ends_with("last words\n")
    })
    .await;
    assert!(guard.stderr_tail().len() <= MAX_STDERR_BYTES);
    server.close(&[]).await;
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

/// The host of the next test: starts a server that ignores everything, says which processes there are, and waits.
#[tokio::test]
#[ignore = "is run and killed by another test"]
async fn host() {
    let mut server = Server::start(
        "trap '' TERM HUP INT; sleep 1000 </dev/null >/dev/null 2>&1 & echo $$ $!; while :; do sleep 1000; done",
    );
    let processes = server.output.processes().await;
    println!(
        "PROCESSES\n{} {} {}",
        processes[0],
        processes[1],
        server.watchdog()
    );
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn nothing_outlives_a_host_that_is_killed() {
    let mut host = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "process::tests::programs::host",
            "--ignored",
            "--nocapture",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("it starts");
    let mut output = Output::of(host.stdout.take().expect("a pipe"));
    while !output
        .line()
        .await
        .expect("more lines")
        .ends_with("PROCESSES")
    {}
    let processes = output.processes().await;
    assert!(!processes.iter().any(|&process| is_dead(process)));
    host.kill().await.expect("it is killed");
    all_dead(&processes).await;
}
