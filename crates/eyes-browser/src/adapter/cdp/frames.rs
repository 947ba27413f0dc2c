//! Frames in frames: which element one is in, and where a point of it is in the viewport.

use futures_util::future::join_all;
use serde_json::json;

use super::{browser::Browser, world::DocumentState};
use crate::{
    adapter::script::{self, Aim},
    driver::{DocumentId, DriverErrorKind, Point},
    limits::MAX_FRAMES,
};

impl Browser {
    /// Returns the frames right in a document that have documents: number of the element, and document.
    pub(super) async fn children(
        &self,
        parent: DocumentId,
        state: &DocumentState,
    ) -> Vec<(u32, DocumentId)> {
        let frames: Vec<(String, DocumentId)> = {
            let world = self.world();
            let Some(tab) = world.tabs.get(&state.tab) else {
                return Vec::new();
            };
            let children = tab
                .frames
                .iter()
                .filter(|(_, frame)| frame.parent.as_deref() == Some(state.frame.as_str()));
            children
                .filter_map(|(id, frame)| Some((id.clone(), frame.document?)))
                .take(MAX_FRAMES)
                .collect()
        };
        let owners = frames.into_iter().map(|(frame, document)| async move {
            let number = self.owner(parent, state, &frame).await?;
            Some((number, document))
        });
        join_all(owners).await.into_iter().flatten().collect()
    }

    /// Returns the number of the element that a frame is in.
    async fn owner(&self, parent: DocumentId, state: &DocumentState, frame: &str) -> Option<u32> {
        let known = {
            let world = self.world();
            world.tabs.get(&state.tab)?.frames.get(frame)?.owner
        };
        if let Some((document, number)) = known
            && document == parent
        {
            return Some(number);
        }
        let session = Some(state.session.as_str());
        let owner = self
            .client
            .call(session, "DOM.getFrameOwner", &json!({"frameId": frame}))
            .await
            .ok()?;
        let node =
            json!({"backendNodeId": owner["backendNodeId"], "executionContextId": state.context});
        let object = self
            .client
            .call(session, "DOM.resolveNode", &node)
            .await
            .ok()?;
        let ask = json!({
            "objectId": object["object"]["objectId"], "returnByValue": true,
            "functionDeclaration": "function () { return __eyes.number(this); }",
        });
        let answer = self
            .client
            .call(session, "Runtime.callFunctionOn", &ask)
            .await
            .ok()?;
        let number = answer["result"]["value"].as_u64()? as u32;
        let mut world = self.world();
        world.tabs.get_mut(&state.tab)?.frames.get_mut(frame)?.owner = Some((parent, number));
        Some(number)
    }

    /// Returns where a point of a document is in the viewport.
    ///
    /// With `check` every frame on the way must be what is hit there; it is scrolled into view.
    pub(super) async fn to_viewport(
        &self,
        state: &DocumentState,
        aim: Aim,
        check: bool,
    ) -> Result<(Point, bool), DriverErrorKind> {
        let mut at = Point { x: aim.x, y: aim.y };
        let mut scrolled = aim.scrolled;
        let mut frame = state.frame.clone();
        for _ in 0..MAX_FRAMES {
            let parent = {
                let world = self.world();
                let tab = world
                    .tabs
                    .get(&state.tab)
                    .ok_or(DriverErrorKind::NodeGone)?;
                if frame == tab.main {
                    return Ok((at, scrolled));
                }
                let parent = tab
                    .frames
                    .get(&frame)
                    .and_then(|frame| frame.parent.clone());
                let parent = parent.ok_or(DriverErrorKind::NodeGone)?;
                let document = tab.frames.get(&parent).and_then(|frame| frame.document);
                let document = document.ok_or(DriverErrorKind::NodeGone)?;
                let state = world
                    .documents
                    .get(&document)
                    .cloned()
                    .ok_or(DriverErrorKind::NodeGone)?;
                (document, state)
            };
            let owner = self.owner(parent.0, &parent.1, &frame).await;
            let owner = owner.ok_or(DriverErrorKind::NodeGone)?;
            let place = script::call("place", &(owner, at.x, at.y, check));
            let placed: Aim = self.try_call(&parent.1, &place).await?;
            at = Point {
                x: placed.x,
                y: placed.y,
            };
            scrolled |= placed.scrolled;
            frame.clone_from(&parent.1.frame);
        }
        Err(DriverErrorKind::NodeGone)
    }
}
