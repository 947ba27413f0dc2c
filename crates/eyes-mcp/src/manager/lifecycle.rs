//! Start, stop, and changes of the settings.

use std::sync::{Arc, atomic::Ordering};

use futures_util::future::join_all;

use super::{
    Manager,
    snapshot::{CleanupRow, TestReport, cleanup_row, test_report},
};
use crate::{
    codes::{MCP_SERVER_DISABLED, MCP_SERVER_UNKNOWN},
    config::McpConfig,
    connection::{Command, ServerActor, ServerStatus, ServerView},
    error::McpError,
    limits::{CLOSE_ATTEMPTS_AT_STOP, HEALTH_FRESH},
    names::ServerId,
};

impl Manager {
    /// Begins to connect every server that is switched on; they do so side by side.
    ///
    /// A server that fails shows it in its view and tries again on its own. See [`settled`](Self::settled).
    pub async fn start(&self) {
        let _changing = self.inner.changing.lock().await;
        self.inner.running.store(true, Ordering::Release);
        let state = self.inner.state();
        let enabled = state.actors().filter(|actor| actor.view().config.enabled);
        join_all(enabled.map(|actor| actor.tell(Command::Start))).await;
    }

    /// Waits until no server is connecting, closing or reading lists.
    pub async fn settled(&self) {
        let state = self.inner.state();
        join_all(state.all_actors().map(|actor| actor.settled())).await;
    }

    /// Applies other settings.
    ///
    /// Only servers whose connection they change are connected anew; where only policy changed it applies at
    /// once, and servers that did not change keep their connections and tools throughout. Returns once all of
    /// it was begun. Several at once apply one after another.
    pub async fn reconfigure(&self, config: McpConfig) {
        let _changing = self.inner.changing.lock().await;
        self.inner.parts.audit.switch(config.audit);
        let (state, changes) = self
            .inner
            .state()
            .with_config(config, |server| self.inner.spawn(server));
        self.inner.set_state(state);
        let stops = changes.stop.iter();
        join_all(stops.map(|actor| actor.tell(Command::Stop))).await;
        let configures = changes.configure.into_iter();
        join_all(configures.map(|(actor, server)| async move {
            actor.tell(Command::Configure(server)).await;
        }))
        .await;
        if self.inner.is_running() {
            let state = self.inner.state();
            let enabled = state.actors().filter(|actor| actor.view().config.enabled);
            join_all(enabled.map(|actor| actor.tell(Command::Start))).await;
        }
    }

    /// Closes every connection; what cannot be closed is tried again and then named.
    ///
    /// When nothing is returned nothing of any server is left. [`start`](Self::start) begins anew.
    pub async fn stop(&self) -> Vec<CleanupRow> {
        let _changing = self.inner.changing.lock().await;
        self.inner.running.store(false, Ordering::Release);
        let state = self.inner.state();
        let stopped = state.all_actors().map(|actor| stop(actor));
        let views = join_all(stopped).await;
        let kept = views.iter().filter_map(|view| cleanup_row(view));
        kept.collect()
    }

    /// Closes the connection of a server, whatever failed before, and makes a new one.
    ///
    /// Errors: `MCP_SERVER_UNKNOWN`, `MCP_SERVER_DISABLED`; how it went stands in the report.
    pub async fn reconnect(&self, server: &ServerId) -> Result<TestReport, McpError> {
        let actor = self.enabled(server)?;
        actor.tell(Command::Reconnect).await;
        Ok(self.report(actor.settled().await.as_ref()))
    }

    /// Asks a server whether it lives, on its own connection; connects it where there is none.
    ///
    /// Errors: `MCP_SERVER_UNKNOWN`, `MCP_SERVER_DISABLED`.
    pub async fn test(&self, server: &ServerId) -> Result<TestReport, McpError> {
        let actor = self.enabled(server)?;
        let command = if actor.view().is_live() {
            Command::Test(std::time::Duration::ZERO)
        } else {
            Command::Reconnect
        };
        actor.tell(command).await;
        Ok(self.report(actor.settled().await.as_ref()))
    }

    /// Reads the lists of a server again, now.
    ///
    /// Errors: `MCP_SERVER_UNKNOWN`, `MCP_SERVER_DISABLED`.
    pub async fn refresh(&self, server: &ServerId) -> Result<TestReport, McpError> {
        let actor = self.enabled(server)?;
        actor.tell(Command::Refresh).await;
        Ok(self.report(actor.settled().await.as_ref()))
    }

    /// Asks every live server whether it lives, where the last sign of life is older than
    /// [`HEALTH_FRESH`]. Several at once share one ping a server.
    pub async fn check_health(&self) {
        let state = self.inner.state();
        join_all(state.actors().map(|actor| async move {
            actor.tell(Command::Test(HEALTH_FRESH)).await;
            actor.settled().await
        }))
        .await;
    }

    /// Looks at the pins of a server again, after somebody approved or withdrew a definition.
    ///
    /// Errors: `MCP_SERVER_UNKNOWN`.
    pub async fn pins_changed(&self, server: &ServerId) -> Result<(), McpError> {
        self.actor(server)?.tell(Command::Repin).await;
        Ok(())
    }

    pub(super) fn actor(&self, server: &ServerId) -> Result<Arc<ServerActor>, McpError> {
        let state = self.inner.state();
        state.actor(server).cloned().ok_or_else(|| {
            McpError::new(MCP_SERVER_UNKNOWN, format!("no server has the id {server}"))
        })
    }

    fn enabled(&self, server: &ServerId) -> Result<Arc<ServerActor>, McpError> {
        let actor = self.actor(server)?;
        if actor.view().config.enabled {
            return Ok(actor);
        }
        Err(McpError::new(
            MCP_SERVER_DISABLED,
            format!("server {server} is switched off"),
        ))
    }

    fn report(&self, view: &ServerView) -> TestReport {
        let state = self.inner.state();
        let exposed = self.inner.exposures.standard(&state.config, &state.views());
        test_report(view, &exposed)
    }
}

/// Closes one server and tries again what failed, a few times.
async fn stop(actor: &ServerActor) -> Arc<ServerView> {
    let mut view = actor.view();
    for _ in 0..CLOSE_ATTEMPTS_AT_STOP {
        actor.tell(Command::Stop).await;
        view = actor.settled().await;
        if view.status != ServerStatus::CleanupFailed {
            break;
        }
    }
    view
}
