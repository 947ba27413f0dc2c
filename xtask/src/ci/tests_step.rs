//! The tests, by cargo-nextest where it is installed and by `cargo test` elsewhere.

use super::{Remarks, live::Live};
use crate::{
    Outcome, Workspace,
    process::{Stream, is_installed},
};

/// Runs every test and keeps the runner's closing lines for the end of the output.
pub(super) fn run(workspace: &Workspace) -> Outcome<Remarks> {
    let live = Live::prepare(workspace)?;
    let (command, stream, keep): (&[&str], Stream, fn(&str) -> bool) =
        if is_installed("cargo-nextest", &workspace.tools()) {
            let command = &["nextest", "run", "--workspace", "--all-features"];
            (command, Stream::Error, |line| {
                line.trim_start().starts_with("Summary [")
            })
        } else {
            let command = &[
                "test",
                "--workspace",
                "--all-features",
                "--lib",
                "--bins",
                "--tests",
            ];
            (command, Stream::Output, |line| {
                line.starts_with("test result: ")
            })
        };
    let closing = live
        .announce(workspace.cargo(command))
        .run_keeping(stream, keep)?;
    let mut remarks = vec![live.verify()?];
    remarks.extend(closing);
    Ok(Remarks(remarks))
}
