//! The driver with a real browser and pages of our own on loopback.
//!
//! Where no browser is found the tests say so and pass, unless `EYES_LIVE` lists `browser`.

mod actions;
mod cycles;
mod pages;
mod server;
mod surroundings;
mod timings;

use std::{path::PathBuf, sync::Arc, time::Duration};

use eyes_system::process::{HostEnvironment, is_program};
use server::Server;

use crate::{
    adapter::{
        cdp::CdpDriver,
        launch::{LaunchConfig, Os, candidates},
    },
    driver::{
        Button, Command, DriverError, DriverErrorKind, Modifiers, Node, NodeTarget, Performed,
        Query, Scope, Settle, Settled, Snapshot, Spot, TypeMode, TypedText,
    },
    limits::{FIRST_SIGN, QUIET, SETTLE_CAP},
    ports::{BrowserDriver, PageDriver},
};

/// Far beyond what anything here takes; reached only by a defect.
pub(super) const PATIENCE: Duration = Duration::from_mins(1);

fn environment(name: &str) -> Option<String> {
    #[expect(clippy::disallowed_methods, reason = "a test is its own frontend")]
    std::env::var(name).ok()
}

/// A configuration of a browser that is there; where none is, why the test is left out.
pub(super) fn config(folder: impl Into<PathBuf>) -> Option<LaunchConfig> {
    let host = HostEnvironment::of_this_process().variables();
    let search = eyes_system::process::Search::of(&host, None);
    let found = candidates(None, Os::this(), &host)
        .into_iter()
        .any(|candidate| search.find(&candidate.program, &is_program).is_some());
    if !found {
        let listed = environment("EYES_LIVE").unwrap_or_default();
        assert!(
            !listed.split(',').any(|group| group.trim() == "browser"),
            "no browser is found"
        );
        eprintln!("NOT CHECKED: no browser is found");
        return None;
    }
    Some(LaunchConfig::new(folder, host))
}

/// A browser with a server of pages.
pub(super) struct Bench {
    page: Box<dyn PageDriver>,
    server: Server,
    folder: tempfile::TempDir,
}

impl Bench {
    pub(super) async fn open() -> Option<Self> {
        Self::with(|_| {}).await
    }

    pub(super) async fn with(change: impl FnOnce(&mut LaunchConfig)) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a directory");
        let mut config = config(folder.path())?;
        change(&mut config);
        let page = CdpDriver::new(config).open().await.expect("a browser");
        Some(Self {
            page,
            server: Server::start(Arc::new(pages::answer)).await,
            folder,
        })
    }

    pub(super) async fn go(&self, path: &str) -> Snapshot {
        let url = self.server.url(path);
        self.perform(Command::Navigate { url })
            .await
            .expect("the page opens");
        self.settle().await;
        self.look().await
    }

    pub(super) async fn perform(&self, command: Command) -> Result<Performed, DriverError> {
        tokio::time::timeout(PATIENCE, self.page.perform(&command))
            .await
            .expect("in time")
    }

    pub(super) async fn settle(&self) -> Settled {
        let settle = Settle {
            quiet: QUIET,
            first_sign: FIRST_SIGN,
            cap: SETTLE_CAP,
        };
        self.page.settle(&settle).await.expect("it settles")
    }

    pub(super) async fn look(&self) -> Snapshot {
        self.page.snapshot(&scope()).await.expect("a look")
    }

    /// What the page itself saw.
    pub(super) async fn log(&self) -> String {
        let found = self
            .page
            .find(&Query::Css("#log".to_owned()))
            .await
            .expect("it is found");
        found[0].text.clone().unwrap_or_default()
    }

    pub(super) async fn click(&self, node: &Node) -> Result<Performed, DriverError> {
        self.perform(click(node)).await
    }

    /// Clicks, waits, and returns what the page logged.
    pub(super) async fn click_named(&self, name: &str) -> String {
        let look = self.look().await;
        self.click(named(&look, name)).await.expect("it is clicked");
        self.settle().await;
        self.log().await
    }

    pub(super) async fn close(self) {
        self.page.close().await.expect("it closes");
        let left: Vec<_> = std::fs::read_dir(self.folder.path())
            .expect("a folder")
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

pub(super) fn scope() -> Scope {
    Scope {
        max_elements: 200,
        max_text_chars: 2_000,
        within: None,
        region: None,
        find: None,
        whole_text: false,
    }
}

pub(super) fn target(node: &Node) -> NodeTarget {
    NodeTarget {
        key: node.key,
        fingerprint: node.fingerprint.clone(),
    }
}

pub(super) fn spot(node: &Node) -> Spot {
    Spot::Node(target(node))
}

pub(super) fn click(node: &Node) -> Command {
    Command::Click {
        at: spot(node),
        button: Button::Left,
        count: 1,
        modifiers: Modifiers::default(),
    }
}

pub(super) fn typing(node: &Node, text: &str, mode: TypeMode, secret: bool) -> Command {
    Command::Type {
        into: Some(spot(node)),
        text: TypedText::new(text, secret),
        mode,
        submit: false,
    }
}

pub(super) fn named<'a>(look: &'a Snapshot, name: &str) -> &'a Node {
    look.elements
        .iter()
        .find(|node| node.fingerprint.name == name)
        .unwrap_or_else(|| panic!("no element is named {name:?}: {:#?}", look.elements))
}

pub(super) fn refusal(outcome: Result<Performed, DriverError>) -> DriverErrorKind {
    let error = outcome.expect_err("it is refused");
    assert!(!error.began, "{error:?}");
    error.kind
}
