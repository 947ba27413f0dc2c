//! Groups of processes on Windows: a job object, which the system ends with the last handle to it.

use std::{io, process::Stdio};

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};
use tokio::{
    process::Command,
    sync::{oneshot, watch},
};

use super::guard::{Life, Started};

/// The group; dropping it kills everything in it.
#[derive(Debug)]
pub(super) struct Group {
    _alive: oneshot::Sender<()>,
}

impl Group {
    /// Windows has no way to ask a program without a window to end.
    #[expect(clippy::unused_async, reason = "the same signature as on Unix")]
    pub(super) async fn terminate(&mut self) {}
}

/// Starts the program in a job of its own.
pub(super) fn start(mut command: Command) -> io::Result<Started> {
    command.stderr(Stdio::piped());
    let mut server = CommandWrap::from(command)
        .wrap(KillOnDrop)
        .wrap(JobObject)
        .spawn()?;
    let Some(stderr) = server.stderr().take() else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let process = server.id().unwrap_or_default();
    let (stdin, stdout) = (server.stdin().take(), server.stdout().take());
    let (alive, dropped) = oneshot::channel();
    let (life, lives) = watch::channel(Life::Running);
    tokio::spawn(supervise(server, dropped, life));
    Ok(Started {
        stdin,
        stdout,
        stderr,
        process,
        group: Group { _alive: alive },
        life: lives,
    })
}

async fn supervise(
    mut server: Box<dyn ChildWrapper>,
    mut dropped: oneshot::Receiver<()>,
    life: watch::Sender<Life>,
) {
    let status = tokio::select! {
        // Only the server itself: waiting for the job would wait for what it left behind.
        status = server.inner_mut().wait() => status.ok(),
        _ = &mut dropped => {
            drop(server.start_kill());
            let status = server.wait().await.ok();
            life.send_replace(Life::Gone(status));
            return;
        }
    };
    life.send_replace(Life::Exited(status));
    drop(dropped.await);
    drop(server.start_kill());
    drop(server.wait().await);
    life.send_replace(Life::Gone(status));
}
