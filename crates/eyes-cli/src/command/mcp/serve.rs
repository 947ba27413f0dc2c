//! `eyes mcp serve`.

use std::{path::Path, sync::Arc};

use eyes_mcp::serve::BearerToken;
use eyes_runtime::{
    Executor, Runtime, Surroundings,
    browser::{BrowserPlane, BrowserSurroundings, BrowserTool},
    data::open_evidence,
    mcp::{McpPlane, McpSurroundings, Serving, serve_http, serve_stdio},
    settings::Settings,
};

use super::{Context, args::ServeArgs};
use crate::{error::CliError, exit::Exit, json::ServeOutput};

pub(super) fn run(args: &ServeArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let settings = context.settings()?;
    let token = token(args, context)?;
    let executor = Executor::new()?;
    executor.block_on(async {
        let (runtime, plane) = parts(args, &settings, context)?;
        if let Some(plane) = &plane {
            // A slow server keeps no client waiting: tools appear as their servers do.
            plane.manager.start().await;
        }
        let data_dir = context.data_dir(&settings);
        let browser = browser(&settings, data_dir.as_deref(), context)?;
        let serving = Serving {
            browser: browser.clone(),
            runtime: Arc::new(runtime),
            store: open_evidence(&settings, data_dir.as_deref())
                .ok()
                .flatten()
                .map(Arc::new),
            plane: plane.as_ref(),
        };
        let served = match args.http {
            None => serve_stdio(&serving).await.map_err(CliError::from),
            Some(port) => http(&serving, port, token, context).await,
        };
        if let Some(plane) = &plane {
            plane.manager.stop().await;
        }
        if let Some(browser) = browser {
            // What cannot be closed ends with this process.
            drop(browser.session().close().await);
        }
        served
    })?;
    context.done()
}

/// The browser, where the settings offer it to models.
fn browser(
    settings: &Settings,
    data_dir: Option<&Path>,
    context: &Context<'_, '_>,
) -> Result<Option<Arc<BrowserTool>>, CliError> {
    if !settings.browser.browser_computer_use {
        return Ok(None);
    }
    let around = BrowserSurroundings {
        data_dir,
        environment: context.environment,
    };
    let plane = BrowserPlane::compose(settings, around)?;
    Ok(Some(Arc::new(BrowserTool::new(plane))))
}

fn token(args: &ServeArgs, context: &Context<'_, '_>) -> Result<Option<BearerToken>, CliError> {
    let Some(variable) = &args.token_env else {
        return Ok(None);
    };
    let value = context
        .environment
        .get(variable)
        .and_then(|value| value.to_str());
    let token = value.and_then(BearerToken::chosen);
    token.map(Some).ok_or_else(|| {
        CliError::CommandLine(format!(
            "the variable {variable} holds no token of 16 visible ASCII characters or more"
        ))
    })
}

fn parts(
    args: &ServeArgs,
    settings: &Settings,
    context: &mut Context<'_, '_>,
) -> Result<(Runtime, Option<McpPlane>), CliError> {
    let data_dir = context.data_dir(settings);
    let runtime = Runtime::compose(
        settings,
        Surroundings {
            data_dir: data_dir.as_deref(),
            environment: context.environment,
            gate: &context.io.gate,
            finals: &[],
        },
    )?;
    for warning in runtime.warnings() {
        context.warn(warning)?;
    }
    if args.only_own || !settings.mcp_settings.mcp_enabled {
        return Ok((runtime, None));
    }
    let surroundings = McpSurroundings {
        data_dir: data_dir.as_deref(),
        environment: context.environment,
        elicitor: None,
    };
    let plane = McpPlane::compose(settings, &surroundings)?;
    for warning in &plane.warnings {
        context.warn(warning)?;
    }
    Ok((runtime, Some(plane)))
}

async fn http(
    serving: &Serving<'_>,
    port: u16,
    token: Option<BearerToken>,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    let is_chosen = token.is_some();
    let (http, token) = serve_http(serving, port, token).await?;
    let output = ServeOutput {
        url: http.url(),
        token: (!is_chosen).then(|| token.reveal()),
    };
    if context.is_json() {
        context.print_json(&output)?;
    } else {
        let shown = output.token.unwrap_or("the one that was chosen");
        context.print(&format!("{}\nbearer token: {shown}\n", output.url))?;
    }
    context.io.stdout.flush()?;
    // Until the person interrupts the program.
    std::future::pending::<()>().await;
    http.stop().await;
    Ok(())
}
