//! A look at the page: every frame's script is asked, and the answers become one.

use std::collections::BTreeMap;

use eyes_evidence::ports::BoxFuture;
use futures_util::future::join_all;
use serde_json::json;
use tokio::time::Instant;

use super::{
    browser::{Browser, Unanswered},
    client::CdpError,
    find::origin,
    world::{DocumentState, TabState},
};
use crate::{
    adapter::script::{self, Collected, Place, Rect},
    driver::{
        Bounds, DocumentId, DriverError, DriverErrorKind, FileChooser, Node, Page, Scope, Scroll,
        Snapshot, Tab, TabId, Unknown, Viewport,
    },
    limits::{FRAME_TIMEOUT, MAX_TABS, SNAPSHOT_TIMEOUT},
};

/// What one document and the frames in it show.
#[derive(Default)]
struct Seen {
    top: Collected,
    elements: Vec<Node>,
    text: Vec<String>,
    total: u32,
    in_view: u32,
    text_total: u32,
    pictorial: f64,
    is_partial: bool,
}

/// The document to look at, and how.
struct Look<'a> {
    scope: &'a Scope,
    place: Place,
    state: DocumentState,
    /// The element to begin with.
    within: Option<u32>,
    /// The part of it that is shown, in its own coordinates; nothing for the main frame.
    view: Option<Rect>,
    time: std::time::Duration,
}

fn rect(bounds: Bounds, (dx, dy): (f64, f64)) -> Rect {
    [bounds.x - dx, bounds.y - dy, bounds.width, bounds.height]
}

impl Look<'_> {
    fn expression(&self) -> String {
        let scope = self.scope;
        let options = json!({
            "max": scope.max_elements, "maxText": scope.max_text_chars, "within": self.within,
            "region": scope.region.map(|region| rect(region, self.place.offset)),
            "find": scope.find, "whole": scope.whole_text, "view": self.view,
        });
        script::call("collect", &[options])
    }
}

impl Browser {
    pub(super) async fn snapshot(&self, scope: &Scope) -> Result<Snapshot, DriverError> {
        let deadline = Instant::now() + SNAPSHOT_TIMEOUT;
        let mut last = None;
        loop {
            self.page_session()?;
            if self.no_dialog().is_err() {
                return Ok(self.standing_still());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(DriverErrorKind::Timeout("a look at the page").into());
            }
            let found = self
                .until(left, |world| {
                    let dialog = world
                        .page()
                        .is_none_or(|(_, tab)| tab.dialog.is_some() || tab.crashed);
                    let main = world.main_document().map(|(id, state)| (id, state.clone()));
                    (dialog || main.is_some()).then_some(main)
                })
                .await;
            let Some(Some((main, state))) = found else {
                continue;
            };
            // A context that says it is gone is waited for once more: the next event tells of the next one.
            if last == Some(main) {
                tokio::task::yield_now().await;
            }
            match self.look_at_page(scope, main, state, left).await {
                Ok(seen) => return Ok(self.assemble(main, seen)),
                Err(Unanswered::Gone) if scope.within.is_some() => {
                    return Err(DriverErrorKind::NodeGone.into());
                }
                Err(Unanswered::Gone) => {
                    last = Some(main);
                    let grace = left.min(FRAME_TIMEOUT);
                    self.until(grace, |world| {
                        (world.main_document().map(|(id, _)| id) != Some(main)).then_some(())
                    })
                    .await;
                }
                Err(Unanswered::Dialog) => {}
                Err(Unanswered::Failed(kind)) => return Err(kind.into()),
            }
        }
    }

    async fn look_at_page(
        &self,
        scope: &Scope,
        main: DocumentId,
        state: DocumentState,
        time: std::time::Duration,
    ) -> Result<Seen, Unanswered> {
        let place = |document, offset, frame| Place {
            document,
            offset,
            frame,
            covered_by: None,
        };
        let look = |scope, place, state, within| Look {
            scope,
            place,
            state,
            within,
            view: None,
            time,
        };
        let origin = place(main, (0.0, 0.0), None);
        let key = match scope.within {
            Some(key) if key.document != main => key,
            within => {
                return self
                    .look(look(scope, origin, state, within.map(|key| key.node)))
                    .await;
            }
        };
        // An element in a frame: where the frame is, and what the page is, come from elsewhere.
        let inner = self.document_of(key).map_err(|_| Unanswered::Gone)?;
        let zero = script::Aim {
            x: 0.0,
            y: 0.0,
            scrolled: false,
        };
        let (at, _) = self
            .to_viewport(&inner, zero, false)
            .await
            .map_err(Unanswered::Failed)?;
        let nothing = Scope {
            max_elements: 0,
            max_text_chars: 0,
            within: None,
            region: None,
            find: None,
            whole_text: false,
        };
        let page = self.collect(&look(&nothing, origin, state, None)).await?;
        let framed = place(key.document, (at.x, at.y), Some(String::new()));
        let mut seen = self
            .look(look(scope, framed, inner, Some(key.node)))
            .await?;
        seen.top = page;
        Ok(seen)
    }

    /// Asks one document; closed shadow roots that it may have are looked up once.
    async fn collect(&self, look: &Look<'_>) -> Result<Collected, Unanswered> {
        let expression = look.expression();
        let first: Collected = self.eval(&look.state, &expression, look.time).await?;
        if first.gone {
            return Err(Unanswered::Gone);
        }
        if first.hosts.is_empty() || !self.adopt(&look.state, &first.hosts).await {
            return Ok(first);
        }
        self.eval(&look.state, &expression, look.time).await
    }

    /// Looks a document and the frames in it over.
    fn look<'a>(&'a self, mut look: Look<'a>) -> BoxFuture<'a, Result<Seen, Unanswered>> {
        Box::pin(async move {
            let mut top = self.collect(&look).await?;
            if look.place.frame.is_some() {
                look.place.frame = Some(origin(&top.url));
            }
            let frames = std::mem::take(&mut top.frames);
            let mut inner = BTreeMap::new();
            let mut is_partial = false;
            if !frames.is_empty() {
                let children = self.children(look.place.document, &look.state).await;
                let looks = children.into_iter().filter_map(|(number, document)| {
                    let frame = frames.iter().find(|frame| frame.n == number)?;
                    let state = self.document(document)?;
                    let [x, y, ..] = frame.b;
                    let (dx, dy) = look.place.offset;
                    let place = Place {
                        document,
                        offset: (dx + x, dy + y),
                        frame: Some(String::new()),
                        covered_by: frame.c.clone().or_else(|| look.place.covered_by.clone()),
                    };
                    let view = frame
                        .p
                        .map_or([0.0; 4], |[px, py, w, h]| [px - x, py - y, w, h]);
                    let inner = Look {
                        scope: look.scope,
                        place,
                        state,
                        within: None,
                        view: Some(view),
                        time: FRAME_TIMEOUT.min(look.time),
                    };
                    Some(async move { (frame.k, self.look(inner).await) })
                });
                for (order, seen) in join_all(looks).await {
                    match seen {
                        Ok(seen) => drop(inner.insert(order, seen)),
                        // It was navigated away, or does not answer.
                        Err(_) => is_partial = true,
                    }
                }
            }
            let mut seen = merge(top, inner, &look);
            seen.is_partial |= is_partial;
            Ok(seen)
        })
    }

    /// Hands closed shadow roots of these elements over to the script; says whether there was any.
    async fn adopt(&self, state: &DocumentState, hosts: &[u32]) -> bool {
        let found = join_all(hosts.iter().map(|host| self.adopt_one(state, *host))).await;
        found.into_iter().any(|found| matches!(found, Ok(true)))
    }

    async fn adopt_one(&self, state: &DocumentState, host: u32) -> Result<bool, CdpError> {
        let session = Some(state.session.as_str());
        drop(self.ask(state, &script::call("asked", &[host])));
        let Ok(object) = self.object(state, host).await else {
            return Ok(false);
        };
        let describe = json!({"objectId": object, "depth": 0, "pierce": true});
        let described = self
            .client
            .call(session, "DOM.describeNode", &describe)
            .await?;
        let roots = described["node"]["shadowRoots"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let Some(root) = roots.iter().find(|root| root["shadowRootType"] == "closed") else {
            self.client.post(
                session,
                "Runtime.releaseObject",
                &json!({"objectId": object}),
            );
            return Ok(false);
        };
        let resolve =
            json!({"backendNodeId": root["backendNodeId"], "executionContextId": state.context});
        let resolved = self
            .client
            .call(session, "DOM.resolveNode", &resolve)
            .await?;
        let adopt = json!({
            "objectId": object,
            "functionDeclaration": "function (root) { __eyes.adopt(this, root); }",
            "arguments": [{"objectId": resolved["object"]["objectId"]}],
        });
        self.client
            .call(session, "Runtime.callFunctionOn", &adopt)
            .await?;
        Ok(true)
    }

    /// Says what is known without asking a page that stands still.
    fn standing_still(&self) -> Snapshot {
        let document = self
            .world()
            .main_document()
            .map_or(DocumentId(0), |(id, _)| id);
        let (width, height) = self.config.viewport;
        let top = Collected {
            view: [f64::from(width), f64::from(height), self.config.scale],
            ..Collected::default()
        };
        self.assemble(
            document,
            Seen {
                top,
                ..Seen::default()
            },
        )
    }

    fn assemble(&self, document: DocumentId, seen: Seen) -> Snapshot {
        let mut world = self.world();
        let tabs = world.tabs.iter().take(MAX_TABS).map(|(id, tab)| Tab {
            id: *id,
            url: tab.url.clone(),
            title: tab.title.clone(),
            opener: tab.opener,
        });
        let tabs = tabs.collect();
        let tab_id = world.page.unwrap_or(TabId(0));
        // Without any tab there is an empty page: the next command tells that the browser is gone.
        let mut none = TabState::default();
        let tab = world.page_mut().unwrap_or(&mut none);
        let [width, height, _] = seen.top.view;
        Snapshot {
            page: page(tab_id, document, &seen.top, tab),
            elements: seen.elements,
            element_total: seen.total,
            in_viewport_total: seen.in_view,
            text: seen.text,
            text_total: seen.text_total,
            pictorial: (seen.pictorial / (width * height).max(1.0)).min(1.0),
            tabs,
            dialog: tab.dialog.as_ref().map(|open| open.dialog.clone()),
            chooser: tab.chooser.as_ref().map(|chooser| FileChooser {
                multiple: chooser.multiple,
            }),
            downloads: self.downloads.list(),
            diagnostics: tab.diagnostics.take(),
            unknown: seen
                .is_partial
                .then_some(Unknown::Frames)
                .into_iter()
                .collect(),
        }
    }
}

/// What the main document is; of one that did not answer what the browser knows.
fn page(tab_id: TabId, document: DocumentId, top: &Collected, tab: &TabState) -> Page {
    let [width, height, scale] = top.view;
    let [x, y, document_width, document_height] = top.scroll;
    let answered = !top.url.is_empty();
    Page {
        tab: tab_id,
        document,
        url: if answered { &top.url } else { &tab.url }.clone(),
        title: if answered { &top.title } else { &tab.title }.clone(),
        viewport: Viewport {
            width: width as u32,
            height: height as u32,
            scale,
        },
        scroll: Scroll {
            x,
            y,
            document_width: document_width.max(0) as u64,
            document_height: document_height.max(0) as u64,
        },
        loaded: top.loaded && !tab.is_loading(),
    }
}

/// Puts what frames show to where the frames are.
fn merge(mut top: Collected, mut inner: BTreeMap<u32, Seen>, look: &Look<'_>) -> Seen {
    let mut seen = Seen {
        total: top.total,
        in_view: top.in_view,
        text_total: top.text_total,
        pictorial: top.pictorial,
        ..Seen::default()
    };
    let mut records: Vec<_> = top
        .elements
        .drain(..)
        .map(|record| (record.k, record.into_node(&look.place)))
        .collect();
    let mut lines: Vec<_> = top
        .text
        .drain(..)
        .map(|(line, order)| (order, line))
        .collect();
    for (order, frame) in &mut inner {
        seen.total += frame.total;
        seen.in_view += frame.in_view;
        seen.text_total += frame.text_total;
        seen.is_partial |= frame.is_partial;
        seen.pictorial += frame.pictorial;
        records.extend(frame.elements.drain(..).map(|node| (*order, node)));
        lines.extend(frame.text.drain(..).map(|line| (*order, line)));
    }
    // Stable: within a frame its own order stays.
    records.sort_by_key(|(order, node)| (!node.in_viewport, *order));
    lines.sort_by_key(|(order, _)| *order);
    seen.elements = records
        .into_iter()
        .map(|(_, node)| node)
        .take(look.scope.max_elements)
        .collect();
    let mut room = look.scope.max_text_chars;
    for (_, line) in lines {
        let length = line.chars().count();
        if room == 0 {
            break;
        }
        seen.text.push(if length > room {
            line.chars().take(room).collect()
        } else {
            line
        });
        room = room.saturating_sub(length);
    }
    seen.top = top;
    seen
}
