//! Starting a server.

use std::path::{Path, PathBuf};

use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio_util::sync::CancellationToken;

#[cfg(unix)]
use super::unix as platform;
#[cfg(windows)]
use super::windows as platform;
use super::{
    ChildGuard, HostEnvironment, ProcessError,
    environment::Environment,
    lookup::{self, Search},
};
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
    let environment = launch.environment.with(resolved.environment(server));
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
    let started = platform::start(command).map_err(|error| ProcessError::StartFailed {
        command: server.command.clone(),
        reason: error.to_string(),
    })?;
    Ok(ChildGuard::watch(started, resolved.redactor().clone()))
}

fn find(server: &StdioServer, environment: &Environment) -> Option<PathBuf> {
    let search = Search {
        directories: environment
            .get("PATH")
            .map(|path| std::env::split_paths(path).collect())
            .unwrap_or_default(),
        extensions: if cfg!(windows) {
            lookup::extensions(environment.get("PATHEXT").and_then(|text| text.to_str()))
        } else {
            Vec::new()
        },
        base: server.cwd.as_deref(),
    };
    search.find(&server.command, &lookup::is_program)
}

fn command(
    program: &Path,
    arguments: &[String],
    server: &StdioServer,
    environment: &Environment,
) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(&environment.variables);
    if let Some(directory) = &server.cwd {
        command.current_dir(directory);
    }
    command
}
