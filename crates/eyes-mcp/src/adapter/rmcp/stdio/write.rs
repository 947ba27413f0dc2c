//! Writing to a server: one task, so that a caller who gives up never leaves half a message behind.

use std::{io, time::Duration};

use tokio::{
    io::{AsyncWrite, AsyncWriteExt as _},
    sync::{mpsc, oneshot},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

/// A message to be written, and who waits for it.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) line: Vec<u8>,
    pub(super) written: oneshot::Sender<io::Result<()>>,
}

/// A message could not be written; its sender knows why.
#[derive(Debug)]
pub(super) struct Broken;

/// Writes messages until nobody sends any more, until `closing`, or until the server stops reading.
///
/// The stream is closed at the end. After a message that was written in part nothing can follow, so the first failure
/// is the end, and is returned.
pub(super) async fn write(
    mut to: impl AsyncWrite + Unpin,
    mut queue: mpsc::Receiver<Outgoing>,
    closing: CancellationToken,
    stall: Duration,
) -> Result<(), Broken> {
    let work = async {
        while let Some(Outgoing { line, written }) = queue.recv().await {
            let result = write_line(&mut to, &line, stall).await;
            let failed = result.is_err();
            // Where nobody waits for it any more it is written all the same.
            drop(written.send(result));
            if failed {
                return Err(Broken);
            }
        }
        Ok(())
    };
    tokio::select! {
        biased;
        () = closing.cancelled() => Ok(()),
        end = work => end,
    }
}

/// Writes one line; the time starts anew with each piece that the server takes.
async fn write_line(
    to: &mut (impl AsyncWrite + Unpin),
    line: &[u8],
    stall: Duration,
) -> io::Result<()> {
    let mut rest = line;
    while !rest.is_empty() {
        let taken = timeout(stall, to.write(rest))
            .await
            .map_err(|_| stalled())??;
        if taken == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        rest = &rest[taken..];
    }
    timeout(stall, to.flush()).await.map_err(|_| stalled())?
}

fn stalled() -> io::Error {
    io::Error::new(
        io::ErrorKind::TimedOut,
        "the server does not read what is sent to it",
    )
}
