//! Real programs: whatever they do, nothing of them is left.

use std::{fs, process::Stdio, time::Duration};

use eyes_evidence::redact::Redactor;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, BufReader, Lines},
    process::{ChildStdin, ChildStdout, Command},
    time::timeout,
};

use crate::{
    limits::MAX_STDERR_BYTES,
    process::{ChildGuard, Spawned, spawn},
};

/// Far beyond what anything here takes; reached only by a defect.
const PATIENCE: Duration = Duration::from_mins(1);

fn start(script: &str) -> Spawned {
    let mut command = Command::new("sh");
    command
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    spawn(command, Redactor::default()).expect("it starts")
}

/// Reads lines of a program.
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

/// A program and the pipes to it.
struct Server {
    input: ChildStdin,
    output: Output<ChildStdout>,
    guard: ChildGuard,
}

impl Server {
    fn start(script: &str) -> Self {
        Self::of(start(script))
    }

    fn of(spawned: Spawned) -> Self {
        Self {
            input: spawned.stdin.expect("it is piped"),
            output: Output::of(spawned.stdout.expect("it is piped")),
            guard: spawned.guard,
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
async fn a_program_that_follows_the_end_of_input_ends_by_itself() {
    let server = Server::start("cat >/dev/null; exit 7");
    assert_ne!(server.watchdog(), server.guard.process());
    assert_eq!(server.guard.exit(), None);
    let guard = server.close(&[]).await;
    assert_eq!(guard.exit().as_deref(), Some("exit status: 7"));
    assert_eq!(guard.exited().await, "exit status: 7");
    guard.close().await.expect("twice is once");
}

#[tokio::test]
async fn a_program_may_tidy_up_when_it_is_told_to_end() {
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
async fn a_program_behind_a_launcher_ends_with_it() {
    // As `npx` does it: what is started stays between us and the server.
    let mut server =
        Server::start("sh -c 'echo $PPID $$; cat >/dev/null; exec sleep 1000'; exit 1");
    let processes = server.output.processes().await;
    assert_eq!(processes[0], server.guard.process());
    server.close(&processes).await;
}

#[tokio::test]
async fn what_a_program_leaves_behind_ends_with_the_connection() {
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
    assert!(
        tokio::time::timeout(Duration::ZERO, &mut close)
            .await
            .is_err()
    );
    drop(close);
    all_dead(&processes).await;
    server.guard.close().await.expect("it ends");
}

#[tokio::test]
async fn a_program_does_not_outlive_its_watchdog() {
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
