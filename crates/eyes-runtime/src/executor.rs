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

#[cfg(test)]
mod tests {
    use std::{io, time::Duration};

    use eyes_evidence::code::Coded;

    use super::*;

    #[test]
    fn has_timers_and_room_for_blocking_work() {
        let executor = Executor::new().expect("an executor");
        let answer = executor.block_on(async {
            let work = tokio::task::spawn_blocking(|| 7);
            tokio::time::timeout(Duration::from_mins(1), work).await
        });
        let answer = answer.expect("in time").expect("no panic");
        assert_eq!(answer, 7);
    }

    #[test]
    fn a_refusal_of_the_system_has_a_code() {
        let source = io::Error::from(io::ErrorKind::OutOfMemory);
        let error = RuntimeError::Executor { source };
        assert_eq!(error.code().as_str(), "EXECUTOR_UNAVAILABLE");
        assert!(error.hint().contains("file handles"));
    }
}
