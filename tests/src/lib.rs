//! The integration harness: the program `eyes` as a user starts it, in a home of its own.

pub mod live;
pub mod mcp;
mod program;

use std::{
    ffi::OsStr,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

pub use program::program;
use serde_json::Value;
use tempfile::TempDir;

/// A program with a directory for data, a home and nothing else of this machine.
#[derive(Debug)]
pub struct Eyes {
    program: PathBuf,
    home: TempDir,
}

impl Eyes {
    /// Takes the program's path, `env!("CARGO_BIN_EXE_eyes")` in a test.
    ///
    /// # Panics
    ///
    /// Panics when no temporary directory can be made.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            home: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    /// Returns a path in the home.
    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.home.path().join(name)
    }

    /// Writes a file in the home and returns its path.
    ///
    /// # Panics
    ///
    /// Panics when the file cannot be written.
    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("the file is written");
        path
    }

    /// Returns the command, ready for arguments; the working directory is the home.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env_clear()
            .env("HOME", self.home.path())
            .env("APPDATA", self.path("AppData"))
            .env("LOCALAPPDATA", self.path("LocalAppData"))
            .env("EYES_DATA_DIR", self.path("data"))
            .current_dir(self.home.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs with arguments.
    ///
    /// # Panics
    ///
    /// Panics when the program cannot be started.
    pub fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ran {
        let output = self.command().args(args).output();
        Ran::of(&output.expect("the program starts"))
    }

    /// Runs with arguments and standard input.
    ///
    /// # Panics
    ///
    /// Panics when the program cannot be started.
    pub fn run_with<A: AsRef<OsStr>>(
        &self,
        args: impl IntoIterator<Item = A>,
        stdin: &[u8],
    ) -> Ran {
        let mut child = self
            .command()
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        let bytes = stdin.to_vec();
        let writer = std::thread::spawn(move || {
            // A program that refuses early closes its input; that is for the test to judge.
            drop(pipe.write_all(&bytes));
        });
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("the writer ends");
        Ran::of(&output)
    }
}

/// What one run gave.
#[derive(Debug, Clone)]
pub struct Ran {
    /// The exit code; nothing after a signal.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Ran {
    /// Takes what a process gave.
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Checks the exit code.
    ///
    /// # Panics
    ///
    /// Panics with everything the program said when the code is another one.
    #[must_use]
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Returns each line of standard output as JSON.
    ///
    /// # Panics
    ///
    /// Panics when a line is not JSON.
    pub fn json(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("a line of JSON");
        self.stdout.lines().map(parse).collect()
    }

    /// Returns the error object of the first line of standard error.
    ///
    /// # Panics
    ///
    /// Panics when the line is not JSON.
    pub fn json_error(&self) -> Value {
        let line = self.stderr.lines().next().unwrap_or_default();
        serde_json::from_str(line).expect("a line of JSON")
    }
}

/// Returns a file of `tests/fixtures`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name)
}
