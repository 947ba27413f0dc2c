//! What every measuring program does at its start and its end.

use std::{
    io::{self, Write as _},
    process::ExitCode,
};

/// Runs a program with its arguments: its text goes to standard output, its failure to standard error.
pub fn program(run: impl FnOnce(&[String]) -> Result<String, String>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(text) if io::stdout().write_all(text.as_bytes()).is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            drop(io::stderr().write_all(format!("error: {failure}\n").as_bytes()));
            ExitCode::FAILURE
        }
    }
}
