//! Makes the disk fail, or the process die, at a chosen step of the current thread.

use std::{
    cell::Cell,
    fs::File,
    io::{self, Write},
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    Create,
    SyncFile,
    Rename,
    SyncDir,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fault {
    /// The step reports a full disk; the code cleans up as it likes.
    Full,
    /// Nothing happens any more, no clean-up either, as after SIGKILL.
    Kill,
}

thread_local! {
    static PLAN: Cell<Option<(usize, Fault)>> = const { Cell::new(None) };
    static KILLED: Cell<bool> = const { Cell::new(false) };
}

/// Fails at the step after `steps` more; returns whether the fault was reached by `act`.
pub(crate) fn at<T>(steps: usize, fault: Fault, act: impl FnOnce() -> T) -> (T, bool) {
    PLAN.set(Some((steps, fault)));
    let result = act();
    let reached = PLAN.take().is_none();
    KILLED.set(false);
    (result, reached)
}

pub(crate) fn step(_step: Step) -> io::Result<()> {
    if KILLED.get() {
        return Err(io::Error::other("killed"));
    }
    match PLAN.get() {
        Some((0, fault)) => {
            PLAN.set(None);
            KILLED.set(fault == Fault::Kill);
            Err(io::ErrorKind::StorageFull.into())
        }
        Some((left, fault)) => {
            PLAN.set(Some((left - 1, fault)));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Fails after half of the bytes.
pub(crate) fn write(file: &mut File, part: &[u8]) -> io::Result<()> {
    step(Step::Create).inspect_err(|_| {
        let half = &part[..part.len() / 2];
        drop(file.write_all(half));
    })
}

pub(crate) fn killed() -> bool {
    KILLED.get()
}
