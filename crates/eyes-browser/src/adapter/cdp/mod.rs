//! Chromium and its kin, over the Chrome `DevTools` Protocol.
//!
//! One connection, with a session of the protocol for each tab and each frame in a process of its own. What the
//! browser tells is taken into one picture of it as it comes; a look at the page is one script call a frame.

mod browser;
mod capture;
mod client;
mod download;
mod events;
mod find;
mod frames;
mod input;
mod judge;
mod keys;
mod navigate;
mod open;
mod perform;
mod settle;
mod snapshot;
mod typing;
mod world;

use std::sync::Arc;

use browser::Browser;
use eyes_evidence::ports::BoxFuture;

use super::launch::LaunchConfig;
use crate::{
    driver::{
        Capabilities, Capture, CaptureRequest, Command, DriverError, Node, Performed, Query, Scope,
        Settle, Settled, Snapshot,
    },
    ports::{BrowserDriver, PageDriver},
};

/// Starts Chromium browsers, or attaches to one that runs.
#[derive(Debug, Clone)]
pub struct CdpDriver {
    config: LaunchConfig,
}

impl CdpDriver {
    /// Takes what to start, and how.
    pub const fn new(config: LaunchConfig) -> Self {
        Self { config }
    }
}

impl BrowserDriver for CdpDriver {
    fn open(&self) -> BoxFuture<'_, Result<Box<dyn PageDriver>, DriverError>> {
        Box::pin(async {
            let page = open::open(&self.config).await?;
            Ok(Box::new(page) as Box<dyn PageDriver>)
        })
    }
}

/// One browser and its tabs.
#[derive(Debug)]
pub(crate) struct CdpPage {
    browser: Arc<Browser>,
    /// Nothing where the browser is not ours, and once it was closed.
    started: std::sync::Mutex<Option<open::Started>>,
    capabilities: Capabilities,
    /// Folders and processes of a driver that is dropped are removed by the runtime that it was made in.
    runtime: tokio::runtime::Handle,
}

impl PageDriver for CdpPage {
    fn capabilities(&self) -> Capabilities {
        self.capabilities.clone()
    }

    fn is_alive(&self) -> bool {
        self.browser.is_alive()
    }

    fn snapshot<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Snapshot, DriverError>> {
        Box::pin(self.browser.snapshot(scope))
    }

    fn find<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Node>, DriverError>> {
        Box::pin(self.browser.find(query))
    }

    fn perform<'a>(
        &'a self,
        command: &'a Command,
    ) -> BoxFuture<'a, Result<Performed, DriverError>> {
        Box::pin(self.browser.perform(command))
    }

    fn settle<'a>(&'a self, settle: &'a Settle) -> BoxFuture<'a, Result<Settled, DriverError>> {
        Box::pin(self.browser.settle(settle))
    }

    fn capture<'a>(
        &'a self,
        request: &'a CaptureRequest,
    ) -> BoxFuture<'a, Result<Capture, DriverError>> {
        Box::pin(self.browser.capture(request))
    }

    fn close(&self) -> BoxFuture<'_, Result<(), DriverError>> {
        Box::pin(open::close(self))
    }
}

impl Drop for CdpPage {
    fn drop(&mut self) {
        open::abandon(self);
    }
}

#[cfg(test)]
mod tests;
