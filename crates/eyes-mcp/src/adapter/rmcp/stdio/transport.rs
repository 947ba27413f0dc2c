//! The transport that the protocol library runs on.

use std::{
    collections::VecDeque,
    fmt,
    future::Future,
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
};

use rmcp::{
    RoleClient,
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::Transport,
};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, BufReader},
    sync::{mpsc, oneshot},
};
use tokio_util::sync::CancellationToken;

use super::{
    Traffic,
    decode::Inbound,
    pending::Pending,
    write::{Outgoing, write},
};
use crate::{
    limits::{STDIO_READ_BYTES, STDIO_WRITE_QUEUE, STDIO_WRITE_STALL},
    wire::{Lines, MessageLimits},
};

/// Messages over the standard streams of a program, within bounds.
///
/// A response that breaks a bound or cannot be decoded fails only its request, with an error that
/// [`fault::from_rpc`](crate::adapter::rmcp::fault::from_rpc) knows; notifications and requests of that kind, and
/// lines that are no messages, are counted and left out. Results of lists, calls and reads are handed on as
/// `ServerResult::CustomResult`, undamaged. A server that does not read for
/// [`STDIO_WRITE_STALL`] fails what is sent, and ends the session.
pub struct StdioTransport {
    reader: BufReader<Pin<Box<dyn AsyncRead + Send>>>,
    lines: Lines,
    inbound: Inbound,
    ready: VecDeque<ServerJsonRpcMessage>,
    outgoing: Option<mpsc::Sender<Outgoing>>,
    broken: CancellationToken,
}

impl fmt::Debug for StdioTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdioTransport")
            .field("traffic", &self.inbound.traffic)
            .finish_non_exhaustive()
    }
}

impl StdioTransport {
    /// Reads from `reader` and writes to `writer` until the end of either, or until `closing`.
    ///
    /// It needs a tokio runtime. Closing the transport writes what waits and closes `writer`; `closing` closes it at
    /// once.
    pub fn over(
        reader: impl AsyncRead + Send + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        closing: CancellationToken,
        limits: MessageLimits,
    ) -> Self {
        let (outgoing, queue) = mpsc::channel(STDIO_WRITE_QUEUE);
        let broken = CancellationToken::new();
        tokio::spawn({
            let broken = broken.clone();
            async move {
                if write(writer, queue, closing, STDIO_WRITE_STALL)
                    .await
                    .is_err()
                {
                    broken.cancel();
                }
            }
        });
        let reader: Pin<Box<dyn AsyncRead + Send>> = Box::pin(reader);
        Self {
            reader: BufReader::with_capacity(STDIO_READ_BYTES, reader),
            lines: Lines::new(limits),
            inbound: Inbound {
                limits,
                pending: Arc::default(),
                traffic: Arc::default(),
            },
            ready: VecDeque::new(),
            outgoing: Some(outgoing),
            broken,
        }
    }

    /// Returns what counts the lines that are not handed on.
    pub fn traffic(&self) -> Arc<Traffic> {
        Arc::clone(&self.inbound.traffic)
    }
}

impl Transport<RoleClient> for StdioTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let pending: &Mutex<Pending> = &self.inbound.pending;
        pending
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .note(&item);
        let line = serde_json::to_vec(&item);
        let outgoing = self.outgoing.clone();
        async move {
            let mut line = line?;
            line.push(b'\n');
            let outgoing = outgoing.ok_or(io::ErrorKind::NotConnected)?;
            let (written, result) = oneshot::channel();
            outgoing
                .send(Outgoing { line, written })
                .await
                .map_err(|_| io::ErrorKind::BrokenPipe)?;
            result.await.map_err(|_| io::ErrorKind::BrokenPipe)?
        }
    }

    /// Returns the next message. A dropped future loses nothing: bytes are taken only when they are cut into lines.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            let read = tokio::select! {
                biased;
                read = self.reader.fill_buf() => read,
                () = self.broken.cancelled() => return None,
            };
            let chunk = match read {
                Ok([]) => return None,
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => return None,
            };
            let pushed = self.lines.push(chunk);
            self.reader.consume(pushed.used);
            if let Some(frame) = pushed.frame {
                self.inbound.take(frame, &mut self.ready);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.outgoing = None;
        Ok(())
    }
}
