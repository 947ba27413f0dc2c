//! Where the futures of this workspace run in a program that is not asynchronous itself.

use std::future::Future;

use crate::error::RuntimeError;

/// Runs futures on the calling thread, with timers and blocking work of their own.
#[derive(Debug)]
pub struct Executor(tokio::runtime::Runtime);

impl Executor {
    /// Makes one; the system's refusal is `EXECUTOR_UNAVAILABLE`.
    pub fn new() -> Result<Self, RuntimeError> {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map(Self)
            .map_err(|source| RuntimeError::Executor { source })
    }

    /// Waits for `future`.
    ///
    /// # Panics
    ///
    /// When called from a future.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.0.block_on(future)
    }
}
