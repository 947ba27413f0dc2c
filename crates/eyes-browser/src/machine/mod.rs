//! The pure part: from a state and an action to a command, or to a refusal.
//!
//! A [`Command`] comes out of [`Machine::commit`] alone, which takes a [`Draft`] of the newest state and spends that
//! state: a second action on it is stale, whatever became of the first.

mod command;
mod refusal;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use eyes_evidence::{
    digest::Sha256Digest,
    provenance::Timestamp,
    state::{RunId, StateId, StateLine, Surface},
};
pub use refusal::Refusal;

pub use self::command::Resolved;
use crate::{
    action::{Action, Ref, TabAction, Target},
    driver::{Bounds, Command, Node, NodeTarget, Point, Query, Snapshot, Spot},
    secret::KnownSecrets,
    state::{self, BrowserState, PictureSpace, RefBook, Seen},
};

/// What proves a state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proof {
    /// SHA-256 of the picture's file.
    pub sha256: Sha256Digest,
    /// SHA-256 of its pixels.
    pub pixel_sha256: Sha256Digest,
    /// The picture's size and scale, where it was delivered.
    pub delivered: Option<PictureSpace>,
}

/// The newest state, and the elements of its refs.
#[derive(Debug, Clone)]
struct Newest {
    state: BrowserState,
    nodes: BTreeMap<Ref, NodeTarget>,
    spent: bool,
}

/// The states of one session.
#[derive(Debug, Clone)]
pub struct Machine {
    line: StateLine,
    refs: RefBook,
    newest: Option<Newest>,
}

/// How one target of an action is found.
#[derive(Debug, Clone, PartialEq)]
pub enum Aim {
    /// It is known.
    Known(Spot),
    /// It has to be looked for.
    Search {
        /// What is looked for.
        query: Query,
        /// Which of several.
        nth: Option<u32>,
    },
}

/// An action that is grounded in the newest state, or needs none; good for one [`commit`](Machine::commit).
#[derive(Debug)]
pub struct Draft {
    state: Option<StateId>,
    aims: Vec<Aim>,
}

impl Draft {
    /// Returns how its targets are found, in the order of the action.
    pub fn aims(&self) -> &[Aim] {
        &self.aims
    }
}

impl Machine {
    /// Begins a run.
    pub fn new(run: RunId) -> Self {
        Self {
            line: StateLine::new(Surface::Browser, run),
            refs: RefBook::default(),
            newest: None,
        }
    }

    /// Returns the newest state, spent or not.
    pub fn newest(&self) -> Option<&BrowserState> {
        self.newest.as_ref().map(|newest| &newest.state)
    }

    /// Returns the element of a ref of the newest state.
    pub fn node(&self, reference: Ref) -> Result<&NodeTarget, Refusal> {
        let newest = self
            .newest
            .as_ref()
            .ok_or(Refusal::RefNotFound(reference))?;
        newest
            .nodes
            .get(&reference)
            .ok_or(Refusal::RefNotFound(reference))
    }

    /// Names the elements of a snapshot and takes secrets out of it.
    pub fn see(&mut self, snapshot: Snapshot, secrets: &KnownSecrets, scoped: bool) -> Seen {
        state::observe(snapshot, &mut self.refs, secrets, scoped)
    }

    /// Makes what was seen the newest state; every earlier one is stale from now on.
    ///
    /// Elements that were known before stay known where this look did not list all of the same document.
    pub fn note(&mut self, seen: Seen, proof: Option<Proof>, at: Timestamp) -> &BrowserState {
        let Seen { page, mut nodes } = seen;
        let evidence = proof.map_or_else(|| digest(&page), |proof| proof.sha256);
        let (sequence, state_id) = self.line.observe(&evidence, &page.url);
        let partial = page.scoped
            || page.dialog.is_some()
            || page.elements.len() < page.element_total as usize;
        if let Some(before) = self.newest.take()
            && partial
            && before.state.page.document == page.document
        {
            for (reference, node) in before.nodes {
                nodes.entry(reference).or_insert(node);
            }
        }
        let state = BrowserState {
            state_id,
            sequence,
            observed_at: at,
            evidence_sha256: evidence,
            pixel_sha256: proof.map(|proof| proof.pixel_sha256),
            page,
            picture: proof.and_then(|proof| proof.delivered),
        };
        let newest = self.newest.insert(Newest {
            state,
            nodes,
            spent: false,
        });
        &newest.state
    }

    /// Names elements that a search found, so that the next action can name them.
    pub fn remember(&mut self, found: &[Node]) -> Vec<Ref> {
        let name = |node: &Node| {
            let reference = self.refs.name(node.key);
            if let Some(newest) = &mut self.newest {
                newest.nodes.insert(reference, state::target(node));
            }
            reference
        };
        found.iter().map(name).collect()
    }

    /// Spends the newest state without a command: the browser is gone, or another hand moved it.
    pub fn spend(&mut self) {
        if let Some(newest) = &mut self.newest {
            newest.spent = true;
        }
    }

    /// Accepts the id of the newest state that was not acted on, and no other.
    pub fn check(&self, given: &StateId) -> Result<(), Refusal> {
        self.line.check(given)?;
        match &self.newest {
            Some(newest) if !newest.spent => Ok(()),
            _ => Err(Refusal::Spent(*given)),
        }
    }

    /// Checks an action against the newest state, and tells how its targets are found.
    pub fn plan(&self, action: &Action, given: Option<&StateId>) -> Result<Draft, Refusal> {
        match given {
            Some(given) => self.check(given)?,
            None if action.needs_state() => return Err(Refusal::Ungrounded),
            None => {}
        }
        self.circumstances(action)?;
        let targets = command::targets(action);
        let aims = targets.into_iter().map(|target| self.aim(target));
        Ok(Draft {
            state: given.copied(),
            aims: aims.collect::<Result<_, _>>()?,
        })
    }

    /// Checks that the state has what the action is about: a dialog, a chooser, a tab.
    fn circumstances(&self, action: &Action) -> Result<(), Refusal> {
        let Some(page) = self.newest().map(|state| &state.page) else {
            return Ok(());
        };
        match (action, &page.dialog) {
            (Action::Dialog { .. }, None) => return Err(Refusal::NothingOpen("dialog")),
            (Action::Dialog { .. } | Action::Tabs(_) | Action::Close, _) | (_, None) => {}
            (action, Some(dialog)) if action.name().mutates() => {
                return Err(Refusal::DialogOpen(dialog.message.clone()));
            }
            _ => {}
        }
        match action {
            // Where choosers cannot be seen, the driver decides.
            Action::Upload { target: None, .. }
                if page.chooser.is_none()
                    && !page.unknown.contains(&crate::driver::Unknown::FileChooser) =>
            {
                Err(Refusal::NothingOpen("file chooser"))
            }
            Action::Tabs(TabAction::Switch(tab) | TabAction::Close(tab))
                if !page.tabs.iter().any(|known| known.id == *tab) =>
            {
                Err(Refusal::NoTab(*tab))
            }
            _ => Ok(()),
        }
    }

    /// Tells how a target is found.
    pub fn aim(&self, target: &Target) -> Result<Aim, Refusal> {
        match target {
            Target::Ref(reference) => {
                let node = self.node(*reference)?.clone();
                Ok(Aim::Known(Spot::Node(node)))
            }
            Target::Search { query, nth } => Ok(Aim::Search {
                query: query.clone(),
                nth: *nth,
            }),
            Target::Point(point) => self.point(*point).map(|at| Aim::Known(Spot::Point(at))),
        }
    }

    /// Maps a point of the delivered picture to the viewport.
    fn point(&self, point: Point) -> Result<Point, Refusal> {
        let picture = self.newest().and_then(|state| state.picture);
        let picture = picture.ok_or(Refusal::NoPicture)?;
        let inside = point.x < f64::from(picture.width) && point.y < f64::from(picture.height);
        if !inside {
            return Err(Refusal::OutOfBounds {
                x: point.x as i64,
                y: point.y as i64,
                width: picture.width,
                height: picture.height,
            });
        }
        Ok(Point {
            x: point.x / picture.scale,
            y: point.y / picture.scale,
        })
    }

    /// Maps a part of the delivered picture to the viewport; without a picture it is one of the viewport already.
    pub fn region(&self, region: Bounds) -> Result<Bounds, Refusal> {
        let Some(state) = self.newest() else {
            return Ok(region);
        };
        let view = state.page.viewport;
        let (width, height, scale) = state
            .picture
            .map_or((view.width, view.height, 1.0), |picture| {
                (picture.width, picture.height, picture.scale)
            });
        if region.x >= f64::from(width) || region.y >= f64::from(height) {
            return Err(Refusal::OutOfBounds {
                x: region.x as i64,
                y: region.y as i64,
                width,
                height,
            });
        }
        Ok(Bounds {
            x: region.x / scale,
            y: region.y / scale,
            width: region.width.min(f64::from(width) - region.x) / scale,
            height: region.height.min(f64::from(height) - region.y) / scale,
        })
    }

    /// Takes the one element that a search was for.
    ///
    /// Of several, the only one that is visible; of several of these, the `nth` of all, else none.
    pub fn choose(
        &mut self,
        query: &Query,
        nth: Option<u32>,
        found: &[Node],
    ) -> Result<NodeTarget, Refusal> {
        let what = || {
            Target::Search {
                query: query.clone(),
                nth,
            }
            .describe()
        };
        if let Some(nth) = nth {
            let node = found.get(nth.saturating_sub(1) as usize);
            return node
                .map(state::target)
                .ok_or_else(|| Refusal::NoMatch(what()));
        }
        let visible: Vec<&Node> = found.iter().filter(|node| node.visible).collect();
        match (visible.as_slice(), found) {
            ([only], _) => Ok(state::target(only)),
            ([], [only]) => Ok(state::target(only)),
            ([], []) => Err(Refusal::NoMatch(what())),
            _ => Err(self.ambiguous(what(), found)),
        }
    }

    fn ambiguous(&mut self, what: String, found: &[Node]) -> Refusal {
        const LISTED: usize = 8;
        let first = found.get(..LISTED).unwrap_or(found);
        let refs = self.remember(first);
        let list = refs.iter().zip(first).map(|(reference, node)| {
            let print = &node.fingerprint;
            let name = state::quoted(&print.name, 40);
            format!("{reference} {} {name}", state::plain(&print.role, 20))
        });
        Refusal::Ambiguous {
            what,
            count: found.len(),
            list: list.collect::<Vec<_>>().join(", "),
        }
    }

    /// Turns a draft into the command for the driver, and spends the state.
    ///
    /// The draft is checked again: between plan and commit the page was searched, and nothing else may have happened.
    pub fn commit(
        &mut self,
        draft: &Draft,
        action: &Action,
        resolved: Resolved,
    ) -> Result<Command, Refusal> {
        if let Some(state) = &draft.state {
            self.check(state)?;
        } else if action.needs_state() {
            return Err(Refusal::Ungrounded);
        }
        let command = command::build(action, resolved)?;
        self.spend();
        Ok(command)
    }
}

fn digest(page: &state::PageState) -> Sha256Digest {
    // A state has no map with keys that are no texts: writing it cannot fail.
    Sha256Digest::of(&serde_json::to_vec(page).unwrap_or_default())
}
