//! Groups of processes on Unix.
//!
//! A shell leads the group and reads from a pipe that only this process holds. When the pipe closes, because the
//! group is to end or because this process was killed, the shell kills its own group, itself included. It is a
//! member and not reaped before, so the group's id cannot have passed to anybody else: no signal ever leaves the
//! group.

use std::{io, process::Stdio};

use tokio::{
    io::AsyncWriteExt as _,
    process::{Child, ChildStdin, Command},
    sync::watch,
};

use super::guard::{Life, Started};

/// Reads a line: tells the group to end. Reads the end: kills it. Signals that are meant for the others are ignored.
const WATCHDOG: &str = "trap '' TERM HUP INT QUIT PIPE; \
    while read -r _; do kill -s TERM 0; done; kill -s KILL 0";

/// The group; dropping it kills everything in it.
#[derive(Debug)]
pub(super) struct Group {
    orders: ChildStdin,
}

impl Group {
    /// Tells everything in the group to end.
    pub(super) async fn terminate(&mut self) {
        // A pipe without a reader: the watchdog is gone, and everything with it.
        drop(self.orders.write_all(b"\n").await);
    }
}

/// Starts the watchdog and then the program in its group.
pub(super) fn start(mut command: Command) -> io::Result<Started> {
    let mut watchdog = shell()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .env_clear()
        .current_dir("/")
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    let (Some(orders), Some(leader)) = (watchdog.stdin.take(), watchdog.id()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let group = Group { orders };
    let mut server = command
        .stderr(Stdio::piped())
        .process_group(leader as i32)
        .kill_on_drop(true)
        .spawn()?;
    let Some(stderr) = server.stderr.take() else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let process = server.id().unwrap_or_default();
    let (stdin, stdout) = (server.stdin.take(), server.stdout.take());
    let (life, lives) = watch::channel(Life::Running);
    tokio::spawn(supervise(server, watchdog, life));
    Ok(Started {
        stdin,
        stdout,
        stderr,
        process,
        group,
        life: lives,
    })
}

fn shell() -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", WATCHDOG]);
    shell
}

/// Reaps both, whoever ends first.
async fn supervise(mut server: Child, mut watchdog: Child, life: watch::Sender<Life>) {
    let status = tokio::select! {
        status = server.wait() => status.ok(),
        _ = watchdog.wait() => {
            // Without it nothing would end the group when this process is killed.
            drop(server.start_kill());
            server.wait().await.ok()
        }
    };
    life.send_replace(Life::Exited(status));
    drop(watchdog.wait().await);
    life.send_replace(Life::Gone(status));
}
