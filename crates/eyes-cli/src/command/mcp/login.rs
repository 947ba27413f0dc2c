//! `eyes mcp login`.

use std::slice;

use eyes_mcp::names::ServerId;
use eyes_runtime::Executor;

use super::{Context, Wanted, args::LoginArgs, compose, refused, report_broken};
use crate::{error::CliError, exit::Exit};

pub(super) fn run(args: &LoginArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let wanted = Wanted::These(slice::from_ref(&args.server));
    let exit = Executor::new()?.block_on(async {
        let plane = compose(&wanted, context)?;
        let id: ServerId = args
            .server
            .parse()
            .expect("a configured server has this id");
        let config = plane.manager.config();
        let server = config.servers.iter().find(|server| server.id == id);
        let tokens = server.and_then(|server| plane.tokens.login(server));
        let Some(tokens) = tokens else {
            let message = format!(
                "server {id} has no oauth with the flow authorization-code: nobody logs in to it"
            );
            return Err(CliError::CommandLine(message));
        };
        let (told, addresses) = std::sync::mpsc::channel();
        let show = move |url: &url::Url| drop(told.send(url.to_string()));
        let mut login = std::pin::pin!(tokens.login(None, &show));
        let done = futures_util::future::poll_fn(|wake| {
            let polled = login.as_mut().poll(wake);
            while let Ok(url) = addresses.try_recv() {
                // Standard error may be closed; the login can still end by itself.
                drop(writeln!(context.io.stderr, "open this address: {url}"));
            }
            polled
        });
        done.await.map_err(refused)?;
        plane.manager.start().await;
        plane.manager.settled().await;
        let broken = report_broken(&plane.manager, &id, context);
        plane.manager.stop().await;
        if broken.is_none() {
            context.print(&format!("logged in to {id}\n"))?;
        }
        Ok(broken.unwrap_or(Exit::Done))
    })?;
    context.finish(exit)
}
