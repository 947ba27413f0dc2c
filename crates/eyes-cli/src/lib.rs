//! The command `eyes`: arguments in, evidence out.
//!
//! Data goes to standard output and everything else to standard error. [`run`] does the work of one invocation
//! and touches nothing but what it is given; [`main`] gives it the process.

mod args;
pub mod codes;
mod command;
mod error;
pub mod exit;
mod html;
mod human;
mod input;
mod io;
mod json;
pub mod limits;
mod output;
mod overlay;
mod process;
mod progress;
mod provenance;
mod report;
mod text;

use std::ffi::OsString;

use args::Cli;
use clap::Parser as _;
pub use exit::Exit;
use eyes_evidence::code::Coded as _;
use eyes_runtime::environment::Environment;
pub use io::{Io, Terminals};
pub use process::main;

/// Does the work of one invocation; `args` begins with the program's name.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    io: &mut Io<'_>,
    environment: &Environment,
) -> Exit {
    let args: Vec<OsString> = args.into_iter().collect();
    match Cli::try_parse_from(&args) {
        Ok(cli) => {
            let mut context = command::Context::new(&cli.global, io, environment);
            match command::run(cli.command, &mut context) {
                Ok(exit) => exit,
                Err(error) => context.report(&error, None),
            }
        }
        Err(error) => match report::command_line(&error, &args, io, environment) {
            Ok(exit) => exit,
            Err(error) if error.is_broken_pipe() => Exit::Done,
            Err(error) => Exit::from(error.code().spec().category),
        },
    }
}
