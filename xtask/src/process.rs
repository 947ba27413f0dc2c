//! Running other programs.

use std::{
    env,
    ffi::{OsStr, OsString},
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Command, Stdio},
};

use crate::{Failure, Outcome};

/// Which stream of a program is read along.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// A program about to be run.
#[derive(Debug)]
pub(crate) struct Program {
    command: Command,
    shown: String,
}

impl Program {
    /// Names the program, by path or to be found on the search path.
    pub(crate) fn new(name: &str) -> Self {
        let mut command = Command::new(name);
        command.stdin(Stdio::null());
        let shown = Path::new(name).file_name().map_or_else(
            || name.to_owned(),
            |last| last.to_string_lossy().into_owned(),
        );
        Self { command, shown }
    }

    /// Adds arguments.
    pub(crate) fn args(mut self, arguments: &[&str]) -> Self {
        for argument in arguments {
            self.command.arg(argument);
            self.shown.push(' ');
            self.shown.push_str(argument);
        }
        self
    }

    /// Sets an environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Sets the folder to run in.
    pub(crate) fn directory(mut self, path: &Path) -> Self {
        self.command.current_dir(path);
        self
    }

    /// Runs it with this terminal's output and fails when it does.
    pub(crate) fn run(mut self) -> Outcome {
        let status = self
            .command
            .status()
            .map_err(|error| self.not_started(&error))?;
        if status.success() {
            Ok(())
        } else {
            Err(self.ended(&status.to_string()))
        }
    }

    /// Runs it and returns what it printed on standard output.
    pub(crate) fn capture(mut self) -> Outcome<String> {
        let output = self
            .command
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| self.not_started(&error))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(self.ended(&format!("{}: {}", output.status, said.trim())))
    }

    /// Runs it, passes one of its streams on line by line, and returns the lines that `keep` picks.
    ///
    /// On failure the picked lines are lost with the run; the person has seen them pass by.
    pub(crate) fn run_keeping(
        mut self,
        stream: Stream,
        keep: fn(&str) -> bool,
    ) -> Outcome<Vec<String>> {
        match stream {
            Stream::Output => self.command.stdout(Stdio::piped()),
            Stream::Error => self.command.stderr(Stdio::piped()),
        };
        let mut child = self
            .command
            .spawn()
            .map_err(|error| self.not_started(&error))?;
        let mut kept = Vec::new();
        let piped: Option<Box<dyn Read>> = match stream {
            Stream::Output => child
                .stdout
                .take()
                .map(|pipe| Box::new(pipe) as Box<dyn Read>),
            Stream::Error => child
                .stderr
                .take()
                .map(|pipe| Box::new(pipe) as Box<dyn Read>),
        };
        for line in piped
            .into_iter()
            .flat_map(|pipe| BufReader::new(pipe).lines())
            .map_while(Result::ok)
        {
            eprintln!("{line}");
            if keep(&line) {
                kept.push(line);
            }
        }
        let status = child.wait().map_err(|error| self.not_started(&error))?;
        if status.success() {
            Ok(kept)
        } else {
            Err(self.ended(&status.to_string()))
        }
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("cannot run `{}`: {error}", self.shown))
    }

    fn ended(&self, how: &str) -> Failure {
        Failure::new(format!("`{}` failed ({how})", self.shown))
    }
}

/// Returns whether a program of this name lies on the search path or in `first`.
pub(crate) fn is_installed(name: &str, first: &Path) -> bool {
    let paths: OsString = env::var_os("PATH").unwrap_or_default();
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    std::iter::once(first.to_owned())
        .chain(env::split_paths(&paths))
        .any(|folder| folder.join(&file).is_file())
}

/// Returns whether this run is an unattended one, where a skipped check must not pass unseen.
pub(crate) fn is_unattended() -> bool {
    env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}
