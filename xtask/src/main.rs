//! The project's own tasks: `cargo xtask help` lists them.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program: its output is its purpose"
)]

use std::process::ExitCode;

mod bench;
mod ci;
mod cross;
mod docs;
mod failure;
mod fuzz;
mod ocr_weights;
mod process;
mod release;
mod schema;
mod tidy;
mod tree;
mod workspace;

use failure::{Failure, Outcome};
use workspace::Workspace;

const HELP: &str = "\
Usage: cargo xtask TASK

  tidy                        Check layers, sizes, names, the code registry and committed copies
  registry [--write]          Compare schemas/error-codes.json with the crates' codes.rs, or derive it
  ci [--fast]                 Run everything that must pass before a change lands
  cross [TARGET...]           Check every crate for Windows and macOS from this machine
  schema [--check|--write]    Compare or rewrite the schemas that are generated from Rust types
  docs [--check|--write]      Compare or rewrite the generated documents
  bench NAME [ARG...]         Run the benchmark program bench_NAME in release mode
  ocr-weights --verify|--refresh
                              Compare the committed weights with their sums, or derive them again
  fuzz [--seconds N] [NAME]   Run the fuzz targets, each for N seconds (default 60)
  release check               Fail on a changed crate with neither a new version nor a changelog entry
  help                        Print this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[&str]) -> Outcome {
    let workspace = Workspace::locate()?;
    match words {
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        ["tidy"] => tidy::run(&workspace),
        ["registry"] => tidy::registry::run(&workspace, Write::No),
        ["registry", "--write"] => tidy::registry::run(&workspace, Write::Yes),
        ["ci"] => ci::run(&workspace, ci::Extent::Full),
        ["ci", "--fast"] => ci::run(&workspace, ci::Extent::Fast),
        ["cross", targets @ ..] => cross::run(&workspace, targets),
        ["schema"] | ["schema", "--check"] => schema::run(&workspace, Write::No),
        ["schema", "--write"] => schema::run(&workspace, Write::Yes),
        ["docs"] | ["docs", "--check"] => docs::run(&workspace, Write::No),
        ["docs", "--write"] => docs::run(&workspace, Write::Yes),
        ["bench", name, arguments @ ..] => bench::run(&workspace, name, arguments),
        ["fuzz", arguments @ ..] => fuzz::run(&workspace, arguments),
        ["ocr-weights", arguments @ ..] => {
            let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
            ocr_weights::run(&arguments).map_err(Failure::new)
        }
        ["release", "check"] => release::check(&workspace),
        other => Err(Failure::new(format!(
            "`{}` is no task; `cargo xtask help` lists them",
            other.join(" ")
        ))),
    }
}

/// Whether a task may rewrite committed files or only compares them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Write {
    /// Compare only.
    No,
    /// Rewrite what differs.
    Yes,
}
