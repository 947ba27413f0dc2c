//! Starting a server.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
};

use eyes_system::process::{Search, Variables, is_program, spawn};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio_util::sync::CancellationToken;

use super::{ChildGuard, HostEnvironment, ProcessError};
use crate::config::{ResolvedSecrets, StdioServer};

/// What a server is started with besides its settings.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// The variables of the host that it may get.
    pub environment: &'a HostEnvironment,
    /// The values of its references, which are hidden in what it writes to standard error.
    pub resolved: &'a ResolvedSecrets,
}

/// A server that was just started.
#[derive(Debug)]
pub struct Launched {
    /// Its standard input; whoever holds it drops it when [`closing`](Self::closing) is cancelled.
    pub stdin: ChildStdin,
    /// Its standard output.
    pub stdout: ChildStdout,
    /// Cancelled when the connection is being closed.
    pub closing: CancellationToken,
    /// Ends it.
    pub guard: ChildGuard,
}

/// Starts a server in a group of its own.
///
/// It needs a tokio runtime. The environment holds the usual variables and the references of the settings, nothing
/// else. Errors: `MCP_CONNECT_FAILED` for a program or a directory that is not there, and for what the system refuses.
pub fn launch(server: &StdioServer, launch: Launch<'_>) -> Result<Launched, ProcessError> {
    let resolved = launch.resolved;
    let mut environment = launch.environment.variables();
    for (name, value) in resolved.environment(server) {
        environment.set(name, value);
    }
    let arguments = resolved.arguments(server);
    if let Some(directory) = server.cwd.as_ref().filter(|directory| !directory.is_dir()) {
        return Err(ProcessError::DirectoryMissing {
            directory: directory.clone(),
        });
    }
    let program = find(server, &environment).ok_or_else(|| ProcessError::CommandMissing {
        command: server.command.clone(),
    })?;
    let command = command(&program, &arguments, server, &environment);
    let failed = |reason: String| ProcessError::StartFailed {
        command: server.command.clone(),
        reason,
    };
    let spawned =
        spawn(command, resolved.redactor().clone()).map_err(|error| failed(error.to_string()))?;
    let (Some(stdin), Some(stdout)) = (spawned.stdin, spawned.stdout) else {
        return Err(failed("its pipes are missing".to_owned()));
    };
    Ok(Launched {
        stdin,
        stdout,
        closing: spawned.closing,
        guard: spawned.guard,
    })
}

fn find(server: &StdioServer, environment: &Variables) -> Option<PathBuf> {
    Search::of(environment, server.cwd.as_deref()).find(&server.command, &is_program)
}

fn command(
    program: &Path,
    arguments: &[String],
    server: &StdioServer,
    environment: &Variables,
) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(environment.iter())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    if let Some(directory) = &server.cwd {
        command.current_dir(directory);
    }
    command
}
