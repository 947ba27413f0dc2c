//! Work on its own thread, seen as a stream of events.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    thread,
};

use eyes_router::{
    error::ProviderError,
    model::{FinishReason, StreamEvent},
    ports::EventStream,
};
use futures_core::Stream;

use super::internal;
use crate::abort::AbortFlag;

/// What the working thread and the stream share.
#[derive(Default)]
struct Shared {
    result: Option<Result<String, ProviderError>>,
    waker: Option<Waker>,
}

/// Starts `work` on its own thread and returns its answer as a stream.
///
/// Dropping the stream raises the flag that `work` is given.
pub(super) fn spawn(
    work: impl FnOnce(&AbortFlag) -> Result<String, ProviderError> + Send + 'static,
) -> Result<EventStream, ProviderError> {
    let shared = Arc::new(Mutex::new(Shared::default()));
    let abort = AbortFlag::new();
    let (seen, flag) = (Arc::clone(&shared), abort.clone());
    let body = move || {
        // A stream without an end would hang its reader: a panic becomes a failure.
        let result = catch_unwind(AssertUnwindSafe(|| work(&flag)))
            .unwrap_or_else(|_| Err(internal("the local reader stopped unexpectedly")));
        let waker = {
            let mut shared = seen.lock().unwrap_or_else(PoisonError::into_inner);
            shared.result = Some(result);
            shared.waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    };
    // The thread ends on its own; nobody waits for it.
    drop(
        thread::Builder::new()
            .name("eyes-local".to_owned())
            .spawn(body)
            .map_err(|error| internal(format!("no thread could be started: {error}")))?,
    );
    Ok(Box::pin(JobStream {
        shared,
        abort,
        state: State::Working,
    }))
}

/// How far the stream was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Working,
    Answered,
    Ended,
}

/// The events of one job: the whole answer as one piece of text, then the end.
struct JobStream {
    shared: Arc<Mutex<Shared>>,
    abort: AbortFlag,
    state: State,
}

impl Stream for JobStream {
    type Item = Result<StreamEvent, ProviderError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.state {
            State::Ended => return Poll::Ready(None),
            State::Answered => {
                self.state = State::Ended;
                return Poll::Ready(Some(Ok(StreamEvent::Finish(FinishReason::Stop))));
            }
            State::Working => {}
        }
        let result = {
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            if shared.result.is_none() {
                shared.waker = Some(context.waker().clone());
            }
            shared.result.take()
        };
        match result {
            None => Poll::Pending,
            Some(Ok(text)) => {
                self.state = State::Answered;
                Poll::Ready(Some(Ok(StreamEvent::TextDelta(text))))
            }
            Some(Err(error)) => {
                self.state = State::Ended;
                Poll::Ready(Some(Err(error)))
            }
        }
    }
}

impl Drop for JobStream {
    fn drop(&mut self) {
        self.abort.abort();
    }
}
