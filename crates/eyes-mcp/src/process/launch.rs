//! Starting a server.

use std::path::{Path, PathBuf};

use eyes_evidence::redact::Redactor;
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
use crate::{
    config::{Argument, StdioServer},
    ports::SecretSource,
};

/// What a server is started with besides its settings.
#[derive(Debug, Clone, Copy)]
pub struct Launch<'a> {
    /// The variables of the host that it may get.
    pub environment: &'a HostEnvironment,
    /// Where the values of its references come from.
    pub secrets: &'a dyn SecretSource,
    /// Hides secrets in what it writes to standard error, besides the values of its references.
    pub redactor: &'a Redactor,
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
/// else. Errors: `MCP_CREDENTIAL_MISSING` with member and variable; `MCP_CONNECT_FAILED` for a program or a
/// directory that is not there, and for what the system refuses.
pub fn launch(server: &StdioServer, launch: Launch<'_>) -> Result<Launched, ProcessError> {
    let mut environment = launch
        .environment
        .with_references(&server.env, launch.secrets)?;
    let arguments = arguments(server, launch.secrets, &mut environment.values)?;
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
    let values = Redactor::with_values(&environment.values);
    Ok(ChildGuard::watch(
        started,
        [values, launch.redactor.clone()],
    ))
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

/// Returns the arguments in full, and adds the values of references among them to `values`.
fn arguments(
    server: &StdioServer,
    secrets: &dyn SecretSource,
    values: &mut Vec<String>,
) -> Result<Vec<String>, ProcessError> {
    let resolved = |(index, argument): (usize, &Argument)| match argument {
        Argument::Text(text) => Ok(text.clone()),
        Argument::Reference(reference) => {
            let value = secrets
                .resolve(&reference.env)
                .filter(|value| !value.is_empty())
                .ok_or_else(|| ProcessError::CredentialMissing {
                    field: format!("args[{index}]"),
                    variable: reference.env.clone(),
                })?;
            values.push(value.clone());
            Ok(value)
        }
    };
    server.args.iter().enumerate().map(resolved).collect()
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
