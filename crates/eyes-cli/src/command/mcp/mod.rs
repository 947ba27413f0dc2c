//! `eyes mcp`: servers of MCP, and being one.

mod approve;
pub(crate) mod args;
mod call;
mod import;
mod lists;
mod login;
mod pins;
mod serve;
mod servers;

use eyes_evidence::audit::AuditSink as _;
use eyes_mcp::{
    config::McpConfig,
    error::McpError,
    manager::{Manager, ServerStatus},
    names::ServerId,
};
use eyes_runtime::{
    Executor,
    error::RuntimeError,
    mcp::{McpPlane, McpSurroundings},
};

use self::args::McpCommand;
use super::Context;
use crate::{error::CliError, exit::Exit};

pub(super) fn run(command: &McpCommand, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match command {
        McpCommand::List => servers::list(context),
        McpCommand::Test(args) => servers::test(args, context),
        McpCommand::Tools(args) => lists::tools(args, context),
        McpCommand::Resources(args) => lists::resources(args, context),
        McpCommand::Prompts(args) => lists::prompts(args, context),
        McpCommand::Call(args) => call::run(args, context),
        McpCommand::Approve(args) => approve::approve(args, context),
        McpCommand::Diff(args) => pins::diff(args, context),
        McpCommand::Login(args) => login::run(args, context),
        McpCommand::Serve(args) => serve::run(args, context),
        McpCommand::Import(args) => import::run(args, context),
    }
}

/// Which servers a command works with.
enum Wanted<'a> {
    /// Every one that is switched on.
    Enabled,
    /// These, switched on or not.
    These(&'a [String]),
}

impl<'a> Wanted<'a> {
    /// Takes the ids that a command names; every server that is switched on where it names none.
    const fn named(ids: &'a [String]) -> Self {
        match ids {
            [] => Self::Enabled,
            ids => Self::These(ids),
        }
    }
}

/// Starts servers, lets `work` use them, and ends them whatever came of it.
///
/// A person who names servers here wants them, so `mcpEnabled` is not asked.
fn with_servers<T, W>(
    wanted: &Wanted<'_>,
    context: &mut Context<'_, '_>,
    work: W,
) -> Result<T, CliError>
where
    W: AsyncFnOnce(&McpPlane, &mut Context<'_, '_>) -> Result<T, CliError>,
{
    let executor = Executor::new()?;
    let (done, left, lost) = executor.block_on(async {
        let plane = compose(wanted, context)?;
        for warning in &plane.warnings {
            context.warn(warning)?;
        }
        plane.manager.start().await;
        plane.manager.settled().await;
        let done = work(&plane, context).await;
        let left = plane.manager.stop().await;
        Ok::<_, CliError>((done, left, plane.audit.lost()))
    })?;
    warn_lost(lost, context)?;
    for row in left {
        let message = format!(
            "server {} did not end: {}",
            row.server_id, row.error.message
        );
        context.warn(&eyes_router::vision::ReadWarning {
            code: eyes_mcp::codes::MCP_ADAPTER_CLOSE_FAILED,
            message,
        })?;
    }
    done
}

/// Says how many events the audit could not keep.
fn warn_lost(lost: u64, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    if lost == 0 {
        return Ok(());
    }
    context.warn(&eyes_router::vision::ReadWarning {
        code: eyes_evidence::codes::FILE_WRITE_FAILED,
        message: format!("the audit of MCP servers could not keep {lost} events"),
    })
}

fn compose(wanted: &Wanted<'_>, context: &Context<'_, '_>) -> Result<McpPlane, CliError> {
    let mut settings = context.settings()?;
    settings.mcp_settings.mcp_enabled = true;
    if let Wanted::These(ids) = wanted {
        let config = settings.mcp().map_err(RuntimeError::from)?;
        for id in *ids {
            check_known(&config, id)?;
        }
        for server in &mut settings.mcp_settings.mcp_servers {
            server.enabled = ids.contains(&server.id);
        }
    }
    let data_dir = context.data_dir(&settings);
    let surroundings = McpSurroundings {
        data_dir: data_dir.as_deref(),
        environment: context.environment,
        elicitor: None,
    };
    Ok(McpPlane::compose(&settings, &surroundings)?)
}

/// Refuses the id of no configured server.
fn check_known(config: &McpConfig, id: &str) -> Result<(), CliError> {
    if config.servers.iter().any(|server| server.id.as_str() == id) {
        return Ok(());
    }
    let message = format!("no server has the id {id}");
    Err(refused(McpError::new(
        eyes_mcp::codes::MCP_SERVER_UNKNOWN,
        message,
    )))
}

fn refused(error: McpError) -> CliError {
    CliError::Runtime(RuntimeError::Mcp(error))
}

/// Reports what keeps a server that was started from being used; nothing for one that works.
fn report_broken(manager: &Manager, id: &ServerId, context: &mut Context<'_, '_>) -> Option<Exit> {
    let view = manager.view(id)?;
    if view.status == ServerStatus::Connected {
        return None;
    }
    let health = &view.health;
    let errors = [
        &health.last_error,
        &health.tools_error,
        &health.resources_error,
        &health.prompts_error,
    ];
    let Some(error) = errors.into_iter().find_map(Clone::clone) else {
        return Some(Exit::Unavailable);
    };
    Some(context.report(&refused(error), Some(id.as_str())))
}
