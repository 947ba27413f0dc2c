//! Starting, attaching, closing.

use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::watch,
    time::timeout,
};

use super::{
    CdpPage,
    browser::Browser,
    client::{Client, Event},
    download::Downloads,
    events::{Reaction, auto_attach, set_up},
    world::World,
};
use crate::{
    adapter::launch::{self, Folder, LaunchConfig, Running},
    driver::{Capabilities, DriverError, DriverErrorKind, Unknown},
    limits::{CALL_TIMEOUT, LAUNCH_TIMEOUT},
};

/// What has to end with the driver.
#[derive(Debug)]
pub(super) struct Started {
    running: Option<Running>,
    /// Ours in a browser that is not.
    folder: Option<Folder>,
}

pub(super) async fn open(config: &LaunchConfig) -> Result<CdpPage, DriverError> {
    let (debugger, started) = if let Some(address) = &config.attach {
        let debugger = resolve(address).await.map_err(DriverErrorKind::Launch)?;
        let folder = Some(Folder::make(&config.folder)?);
        (
            debugger,
            Started {
                running: None,
                folder,
            },
        )
    } else {
        let running = launch::start(config).await?;
        let debugger = running.debugger.clone();
        (
            debugger,
            Started {
                running: Some(running),
                folder: None,
            },
        )
    };
    // From here on the driver's own end takes everything down, however far the rest gets.
    let ours = started.running.as_ref().and_then(Running::folder);
    let folder = ours.or(started.folder.as_ref().map(Folder::path));
    let keep = folder
        .map(|folder| folder.join("downloads"))
        .unwrap_or_default();
    let browser = connect(config, &debugger, &keep).await;
    let mut page = match browser {
        Ok(browser) => CdpPage {
            browser,
            started: Mutex::new(Some(started)),
            capabilities: Capabilities {
                browser: String::new(),
                protocol: "cdp",
                unknown: config.attach.iter().map(|_| Unknown::Downloads).collect(),
            },
            runtime: tokio::runtime::Handle::current(),
        },
        Err(kind) => {
            end(started).await;
            return Err(kind.into());
        }
    };
    page.capabilities.browser = begin(&page.browser).await?;
    Ok(page)
}

type Shared = Arc<OnceLock<Weak<Browser>>>;

async fn connect(
    config: &LaunchConfig,
    debugger: &str,
    keep: &std::path::Path,
) -> Result<Arc<Browser>, DriverErrorKind> {
    let world = Arc::new(Mutex::new(World::new(config.attach.is_none())));
    let (moved, changes) = watch::channel(0);
    let shared: Shared = Arc::default();
    let handler = {
        let (shared, world) = (Arc::clone(&shared), Arc::clone(&world));
        let moves = AtomicU64::new(0);
        move |event: Event| {
            let reaction = world
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(&event);
            if let (Some(reaction), Some(browser)) =
                (reaction, shared.get().and_then(Weak::upgrade))
            {
                browser.react(reaction);
            }
            moved.send_replace(moves.fetch_add(1, Ordering::Relaxed));
        }
    };
    let client = timeout(LAUNCH_TIMEOUT, Client::connect(debugger, handler)).await;
    let client = client
        .map_err(|_| DriverErrorKind::Launch("its debugger does not answer".to_owned()))?
        .map_err(DriverErrorKind::Launch)?;
    let browser = Arc::new(Browser {
        client,
        world,
        changes,
        config: config.clone(),
        downloads: Arc::new(Downloads::new(
            keep,
            config.downloads.clone(),
            config.files.clone(),
        )),
        held: Mutex::default(),
    });
    // The first event comes after the first request, which is below.
    drop(shared.set(Arc::downgrade(&browser)));
    Ok(browser)
}

/// Has the first tab of ours, and returns the browser's name.
async fn begin(browser: &Arc<Browser>) -> Result<String, DriverErrorKind> {
    let client = &browser.client;
    let version = client.start(None, "Browser.getVersion", &json!({}));
    let discover = client.start(
        None,
        "Target.setDiscoverTargets",
        &json!({"discover": true}),
    );
    if browser.config.attach.is_some() {
        discover.get().await?;
        let made = client
            .call(None, "Target.createTarget", &json!({"url": "about:blank"}))
            .await?;
        let target = json!({"targetId": made["targetId"], "flatten": true});
        client.call(None, "Target.attachToTarget", &target).await?;
    } else {
        browser
            .downloads
            .prepare()
            .map_err(DriverErrorKind::Launch)?;
        let downloads = json!({
            "behavior": "allowAndName", "eventsEnabled": true,
            "downloadPath": browser.downloads.incoming(),
        });
        client.post(None, "Browser.setDownloadBehavior", &downloads);
        client
            .call(None, "Target.setAutoAttach", &auto_attach())
            .await?;
    }
    let product = version.get().await?["product"]
        .as_str()
        .unwrap_or("Chromium")
        .replace('/', " ");
    let ready = browser
        .until(LAUNCH_TIMEOUT, |world| world.main_document().map(|_| ()))
        .await;
    ready
        .ok_or_else(|| DriverErrorKind::Launch("its first tab does not become ready".to_owned()))?;
    Ok(product.replace("Headless", ""))
}

impl Browser {
    /// Does what an event asks for; never waits.
    fn react(self: &Arc<Self>, reaction: Reaction) {
        match reaction {
            Reaction::SetUp { session, is_page } => self.set_up(session, is_page),
            Reaction::Attach { target } => {
                let params = json!({"targetId": target, "flatten": true});
                self.client.post(None, "Target.attachToTarget", &params);
            }
            Reaction::Judge { session, params } => self.judge(session, params),
            Reaction::Arrived {
                tab,
                session,
                url,
                address,
            } => self.arrived(tab, &session, &url, &address),
            Reaction::Download { begins, params } => self.download(begins, &params),
        }
    }

    fn set_up(self: &Arc<Self>, session: String, is_page: bool) {
        for (method, params) in set_up(is_page) {
            self.client.post(Some(&session), method, &params);
        }
        if is_page && self.config.attach.is_none() {
            let (width, height) = self.config.viewport;
            let metrics = json!({"width": width, "height": height, "deviceScaleFactor": self.config.scale, "mobile": false});
            self.client.post(
                Some(&session),
                "Emulation.setDeviceMetricsOverride",
                &metrics,
            );
        }
        let tree = self
            .client
            .start(Some(&session), "Page.getFrameTree", &json!({}));
        self.client.post(
            Some(&session),
            "Runtime.runIfWaitingForDebugger",
            &json!({}),
        );
        let browser = Arc::downgrade(self);
        tokio::spawn(async move {
            let Ok(tree) = tree.get().await else { return };
            if let Some(browser) = browser.upgrade()
                && let Some((_, tab)) = browser.world().tab_of_session(Some(&session))
            {
                tab.graft(&tree["frameTree"]);
            }
        });
    }
}

/// Finds the debugger of a browser that runs: a `ws:` address, or a port or `host:port` that tells it.
async fn resolve(address: &str) -> Result<String, String> {
    if address.starts_with("ws://") {
        return Ok(address.to_owned());
    }
    let bare = address
        .strip_prefix("http://")
        .unwrap_or(address)
        .trim_end_matches('/');
    let authority = match bare.parse::<u16>() {
        Ok(port) => format!("127.0.0.1:{port}"),
        Err(_) => bare.to_owned(),
    };
    let asked = timeout(CALL_TIMEOUT, version_of(&authority)).await;
    let version = asked.map_err(|_| format!("{authority} does not answer"))??;
    let debugger = version["webSocketDebuggerUrl"].as_str();
    debugger
        .map(str::to_owned)
        .ok_or_else(|| format!("{authority} is no debugger of a browser"))
}

/// Bytes of the answer of `/json/version`, which is about 500.
const MAX_VERSION_BYTES: u64 = 64 << 10;

/// Reads `/json/version`: one small answer of a server on this machine, which ends the connection after it.
async fn version_of(authority: &str) -> Result<Value, String> {
    let says = |error: std::io::Error| format!("{authority}: {error}");
    let mut stream = TcpStream::connect(authority).await.map_err(says)?;
    let request =
        format!("GET /json/version HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(says)?;
    let mut answer = Vec::new();
    let mut bounded = stream.take(MAX_VERSION_BYTES);
    while let Ok(read) = bounded.read_buf(&mut answer).await {
        if let Some(value) = body(&answer) {
            return Ok(value);
        }
        if read == 0 {
            break;
        }
    }
    Err(format!("{authority} is no debugger of a browser"))
}

fn body(answer: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(answer).ok()?;
    serde_json::from_str(text.split_once("\r\n\r\n")?.1).ok()
}

/// How long tabs in a browser that is not ours may take to close.
const LEAVE: Duration = Duration::from_secs(2);

pub(super) async fn close(page: &CdpPage) -> Result<(), DriverError> {
    let started = page
        .started
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let Some(started) = started else {
        return Ok(());
    };
    let browser = &page.browser;
    browser.release_keys();
    if started.running.is_some() {
        browser.client.post(None, "Browser.close", &json!({}));
    } else {
        leave(browser).await;
    }
    end(started).await;
    browser.client.closed().cancel();
    Ok(())
}

/// Closes our tabs in a browser that is not ours.
async fn leave(browser: &Browser) {
    let targets: Vec<String> = {
        let world = browser.world();
        world.tabs.values().map(|tab| tab.target.clone()).collect()
    };
    let close = |target: &String| {
        let target = json!({"targetId": target});
        browser.client.start(None, "Target.closeTarget", &target)
    };
    for reply in targets.iter().map(close).collect::<Vec<_>>() {
        drop(reply.within(LEAVE).await);
    }
}

async fn end(started: Started) {
    if let Some(running) = started.running {
        running.end().await;
    }
    if let Some(folder) = started.folder {
        folder.remove().await;
    }
}

/// Kills at once what was started, and removes its folder when it is gone.
pub(super) fn abandon(page: &CdpPage) {
    let started = page
        .started
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let Some(started) = started else {
        return;
    };
    let browser = Arc::clone(&page.browser);
    page.runtime.spawn(async move {
        if started.running.is_none() {
            leave(&browser).await;
        }
        browser.client.closed().cancel();
        // What runs is killed, and its folder goes after it.
        drop(started.running);
        if let Some(folder) = started.folder {
            folder.remove().await;
        }
    });
}
