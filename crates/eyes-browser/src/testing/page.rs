//! A scripted browser as a driver.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use eyes_evidence::{
    digest::Sha256Digest,
    geometry::PixelSize,
    ports::BoxFuture,
    raster::{
        Rgb8,
        encode::{PngEffort, encode_png},
    },
};

use super::{
    script::{Change, PageScript},
    world::{Did, VIEWPORT, World, refuse},
};
use crate::{
    driver::{
        Bounds, Capabilities, Capture, CaptureRequest, Command, DriverError, DriverErrorKind, Node,
        Page, Performed, Point, Query, Scope, Scroll, Settle, Settled, Snapshot,
    },
    limits::MAX_FOUND,
    ports::{BrowserDriver, PageDriver},
};

/// A browser without a browser: pages as a test describes them, with the checks that every driver makes.
///
/// Clones share the browser: a test changes the page with one while a session drives the other.
#[derive(Clone, Default)]
pub struct ScriptedBrowser {
    world: Arc<Mutex<World>>,
}

// Its pages hold what was typed, secrets too.
impl fmt::Debug for ScriptedBrowser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScriptedBrowser")
    }
}

impl ScriptedBrowser {
    /// Makes a browser that knows these pages; every other address is an empty page.
    pub fn new<'a>(site: impl IntoIterator<Item = (&'a str, PageScript)>) -> Self {
        let browser = Self::default();
        let site = site.into_iter().map(|(url, page)| (url.to_owned(), page));
        browser.lock().site = site.collect();
        browser
    }

    fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the page from outside, as its own scripts would.
    ///
    /// # Panics
    /// When nothing is open, or what is changed is not there.
    pub fn apply(&self, change: Change) {
        self.lock()
            .apply(change)
            .expect("the page has what is changed");
    }

    /// Lets something happen while the driver settles the next time.
    pub fn later(&self, change: Change) {
        self.lock().later.push(change);
    }

    /// Makes the next command fail.
    pub fn fail_next(&self, error: DriverError) {
        self.lock().faults.push(error);
    }

    /// Makes the next command take for ever, after it was done.
    pub fn hang_next(&self) {
        self.lock().hang = true;
    }

    /// Ends the browser as a crash does.
    pub fn kill(&self) {
        self.lock().alive = false;
    }

    /// Returns the commands that reached the driver, those that it refused too.
    pub fn commands(&self) -> Vec<Command> {
        self.lock().commands.clone()
    }

    /// Returns which elements were acted on, by what the test calls them.
    pub fn hits(&self) -> Vec<String> {
        self.lock().hits.clone()
    }

    /// Returns the name that an element has now, by what the test calls it.
    pub fn name_of(&self, id: &str) -> Option<String> {
        let mut world = self.lock();
        world.script(id).ok().map(|script| script.name.clone())
    }

    /// Returns how often a browser was started.
    pub fn opened(&self) -> u32 {
        self.lock().opened
    }
}

impl BrowserDriver for ScriptedBrowser {
    fn open(&self) -> BoxFuture<'_, Result<Box<dyn PageDriver>, DriverError>> {
        Box::pin(async {
            self.lock().start();
            Ok(Box::new(self.clone()) as Box<dyn PageDriver>)
        })
    }
}

impl PageDriver for ScriptedBrowser {
    fn capabilities(&self) -> Capabilities {
        Capabilities {
            browser: "Scripted 1".to_owned(),
            protocol: "script",
            unknown: Vec::new(),
        }
    }

    fn is_alive(&self) -> bool {
        self.lock().alive
    }

    fn snapshot<'a>(&'a self, scope: &'a Scope) -> BoxFuture<'a, Result<Snapshot, DriverError>> {
        Box::pin(async { self.lock().snapshot(scope) })
    }

    fn find<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Vec<Node>, DriverError>> {
        Box::pin(async { self.lock().find(query) })
    }

    fn perform<'a>(
        &'a self,
        command: &'a Command,
    ) -> BoxFuture<'a, Result<Performed, DriverError>> {
        Box::pin(async {
            let (performed, hang) = {
                let mut world = self.lock();
                let performed = world.perform(command);
                (performed, std::mem::take(&mut world.hang))
            };
            if hang {
                std::future::pending::<()>().await;
            }
            performed
        })
    }

    fn settle<'a>(&'a self, settle: &'a Settle) -> BoxFuture<'a, Result<Settled, DriverError>> {
        Box::pin(async {
            let settled = {
                let mut world = self.lock();
                if !world.later.is_empty() {
                    let change = world.later.remove(0);
                    world.apply(change)?;
                }
                std::mem::take(&mut world.signs)
            };
            if !settled.any() {
                tokio::time::sleep(settle.first_sign.min(settle.cap)).await;
            }
            Ok(settled)
        })
    }

    fn capture<'a>(
        &'a self,
        request: &'a CaptureRequest,
    ) -> BoxFuture<'a, Result<Capture, DriverError>> {
        Box::pin(async { self.lock().capture(request) })
    }

    fn close(&self) -> BoxFuture<'_, Result<(), DriverError>> {
        Box::pin(async {
            self.lock().alive = false;
            Ok(())
        })
    }
}

impl World {
    pub(super) fn there(&self) -> Did<()> {
        if self.alive {
            Ok(())
        } else {
            refuse(DriverErrorKind::Gone("it was ended".to_owned()))
        }
    }

    fn nodes(&mut self) -> Did<Vec<Node>> {
        let document = self.document()?;
        Ok(document
            .live
            .iter()
            .map(|live| document.node(live))
            .collect())
    }

    fn snapshot(&mut self, scope: &Scope) -> Did<Snapshot> {
        self.there()?;
        let frozen = self.dialog.is_some();
        let mut elements = self.nodes()?;
        let contains = |text: &str| {
            let wanted = scope.find.as_ref().map(|find| find.to_lowercase());
            wanted.is_none_or(|wanted| text.to_lowercase().contains(&wanted))
        };
        elements.retain(|node| {
            let inside = scope.within.is_none_or(|key| key == node.key);
            let touches = scope.region.is_none_or(|region| meets(region, node.bounds));
            node.visible && inside && touches && contains(&node.fingerprint.name) && !frozen
        });
        // A stable sort keeps the order of the document within each part.
        elements.sort_by_key(|node| !node.in_viewport);
        let (total, shown) = (
            elements.len(),
            elements.iter().filter(|n| n.in_viewport).count(),
        );
        elements.truncate(scope.max_elements);
        let tabs = self.tab_list();
        let dialog = self.dialog.as_ref().map(|(dialog, _)| dialog.clone());
        let (chooser, downloads) = (self.chooser.clone(), self.downloads.clone());
        let diagnostics = std::mem::take(&mut self.said);
        let tab = self.tab()?;
        let document = &tab.document;
        let mut text = document.page.text.clone();
        text.retain(|line| contains(line) && !frozen);
        let text_total = text.iter().map(|line| line.chars().count() as u32).sum();
        Ok(Snapshot {
            page: Page {
                tab: tab.id,
                document: document.id,
                url: document.url.clone(),
                title: document.page.title.clone(),
                viewport: VIEWPORT,
                scroll: Scroll {
                    x: 0,
                    y: document.scroll as i64,
                    document_width: u64::from(VIEWPORT.width),
                    document_height: document.height(),
                },
                loaded: true,
            },
            elements,
            element_total: total as u32,
            in_viewport_total: shown as u32,
            text,
            text_total,
            pictorial: document.page.pictorial,
            tabs,
            dialog,
            chooser,
            downloads,
            diagnostics,
            unknown: Vec::new(),
        })
    }

    fn find(&mut self, query: &Query) -> Did<Vec<Node>> {
        self.there()?;
        if let Query::Css(selector) = query
            && !selector.starts_with(['#', '.', 'a'])
        {
            return refuse(DriverErrorKind::Selector(format!("{selector:?} is none")));
        }
        let same = |text: &str, wanted: &str, exact: bool| {
            if exact {
                text == wanted
            } else {
                text.to_lowercase().contains(&wanted.to_lowercase())
            }
        };
        let document = self.document()?;
        let lives = document.live.iter().filter(|live| match query {
            Query::Css(selector) => selector.strip_prefix('#') == Some(&live.script.id),
            Query::Role { role, name, exact } => {
                let wanted = name.as_ref();
                live.script.role == *role
                    && wanted.is_none_or(|name| same(&live.script.name, name, *exact))
            }
            Query::Text { text, exact } => same(&live.script.name, text, *exact),
            Query::Key(key) => live.key == *key,
        });
        let described = lives.map(|live| Node {
            text: Some(live.script.name.clone()),
            ..document.node(live)
        });
        let mut found: Vec<Node> = described.take(MAX_FOUND).collect();
        if let (true, Query::Text { text, exact }) = (found.is_empty(), query) {
            found.extend(document.text_node(text, *exact, &same));
        }
        Ok(found)
    }

    /// Draws the page as one colour that its content decides.
    fn capture(&mut self, request: &CaptureRequest) -> Did<Capture> {
        self.there()?;
        let whole = Bounds {
            x: 0.0,
            y: 0.0,
            width: f64::from(VIEWPORT.width),
            height: f64::from(VIEWPORT.height),
        };
        let region = request.region.unwrap_or(whole);
        let nodes = self.nodes()?;
        let document = self.document()?;
        let content = format!("{:?}{:?}", nodes, document.page.text);
        let digest = Sha256Digest::of(content.as_bytes());
        let [red, green, blue, ..] = *digest.as_bytes();
        let size = PixelSize {
            width: (region.width as u32).max(1),
            height: (region.height as u32).max(1),
        };
        let pixels = [red, green, blue].repeat(size.width as usize * size.height as usize);
        let raster = Rgb8::new(size, pixels).expect("three bytes a pixel");
        let png = encode_png(&raster, PngEffort::Fast).expect("a raster is encoded");
        let secret = nodes.iter().filter(|node| node.flags.secret);
        Ok(Capture {
            png,
            scale: 1.0,
            origin: Point {
                x: region.x,
                y: region.y,
            },
            secrets: secret.map(|node| node.bounds).collect(),
        })
    }
}

fn meets(a: Bounds, b: Bounds) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}
