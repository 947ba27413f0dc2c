//! The project's own tasks.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program: its output is its purpose"
)]

use std::process::ExitCode;

mod ocr_weights;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match arguments.split_first() {
        Some((task, rest)) if task == "ocr-weights" => ocr_weights::run(rest),
        _ => Err("usage: cargo xtask ocr-weights --verify|--refresh".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
