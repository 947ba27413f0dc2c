//! The program `eyes`, built here so that the integration tests find it.

use std::process::ExitCode;

fn main() -> ExitCode {
    eyes_cli::main()
}
