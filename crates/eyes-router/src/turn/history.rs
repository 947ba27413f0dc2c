//! Where pictures stand in a session, and putting something else in their place: pure.

use std::collections::BTreeMap;

use super::{
    Attachment, TurnMessage,
    marker::{Marker, SessionKey, find},
};
use crate::model::{ContentBlock, ToolResult};

/// The tool whose screenshots come with a description of the screen.
const DESKTOP_TOOL: &str = "computer";
/// Starts that description.
const DESKTOP_STATE: &str = "[DeepSeekEyes desktop state";

/// What stands at a place.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Standing {
    /// The picture itself.
    Image(Attachment),
    /// A marker of this session, and its exact text.
    Marker { marker: Marker, text: String },
}

/// One place of a picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    /// Which message.
    pub(super) message: usize,
    /// Which block, from the outermost inwards.
    path: Vec<usize>,
    /// Which user turn, counted up from the start of the session.
    pub(super) turn: usize,
    /// A tool returned it.
    pub(super) in_result: bool,
    /// The result of an action on the desktop says in words what the screen shows.
    pub(super) has_desktop_state: bool,
    pub(super) standing: Standing,
}

impl Place {
    /// Returns the host's id of the picture.
    pub(super) fn attachment_id(&self) -> &str {
        match &self.standing {
            Standing::Image(attachment) => &attachment.id,
            Standing::Marker { marker, .. } => &marker.image.attachment_id,
        }
    }
}

/// Every place of a session, in its order, and the number of its last user turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Places {
    pub(super) all: Vec<Place>,
    pub(super) last_turn: usize,
}

impl Places {
    /// Finds pictures, and the markers that `key` made.
    pub(super) fn find(messages: &[TurnMessage], key: &SessionKey) -> Self {
        let mut search = Search {
            key,
            tools: BTreeMap::new(),
            places: Self::default(),
            message: 0,
            path: Vec::new(),
            in_result: false,
            has_desktop_state: false,
        };
        for (number, message) in messages.iter().enumerate() {
            if message.is_task() {
                search.places.last_turn += 1;
            }
            search.message = number;
            search.blocks(&message.content);
        }
        search.places
    }

    /// Tells whether a picture itself stands anywhere.
    pub(super) fn has_pictures(&self) -> bool {
        let mut standing = self.all.iter().map(|place| &place.standing);
        standing.any(|standing| matches!(standing, Standing::Image(_)))
    }

    /// Tells whether a place belongs to the running user turn.
    pub(super) fn is_current(&self, place: &Place) -> bool {
        place.turn == self.last_turn
    }
}

struct Search<'a> {
    key: &'a SessionKey,
    /// The tool of each call.
    tools: BTreeMap<&'a str, &'a str>,
    places: Places,
    message: usize,
    path: Vec<usize>,
    in_result: bool,
    has_desktop_state: bool,
}

impl<'a> Search<'a> {
    fn blocks(&mut self, blocks: &'a [ContentBlock<Attachment>]) {
        for (number, block) in blocks.iter().enumerate() {
            self.path.push(number);
            match block {
                ContentBlock::Image(attachment) => {
                    self.note(Standing::Image(attachment.clone()));
                }
                ContentBlock::Text(text) => {
                    if let Some(marker) = find(self.key, text) {
                        let text = text.clone();
                        self.note(Standing::Marker { marker, text });
                    }
                }
                ContentBlock::ToolCall(call) => {
                    self.tools.insert(&call.id, &call.name);
                }
                ContentBlock::ToolResult(result) => self.result(result),
                ContentBlock::Reasoning(_) => {}
            }
            self.path.pop();
        }
    }

    fn result(&mut self, result: &'a ToolResult<Attachment>) {
        let outer = (self.in_result, self.has_desktop_state);
        let named = result.tool_name.as_deref();
        let tool = named.or_else(|| self.tools.get(result.call_id.as_str()).copied());
        self.in_result = true;
        self.has_desktop_state = tool == Some(DESKTOP_TOOL)
            && result.content.iter().any(
                |block| matches!(block, ContentBlock::Text(text) if text.starts_with(DESKTOP_STATE)),
            );
        self.blocks(&result.content);
        (self.in_result, self.has_desktop_state) = outer;
    }

    fn note(&mut self, standing: Standing) {
        self.places.all.push(Place {
            message: self.message,
            path: self.path.clone(),
            turn: self.places.last_turn,
            in_result: self.in_result,
            has_desktop_state: self.has_desktop_state,
            standing,
        });
    }
}

/// Puts `block` at a place of `messages`.
pub(super) fn put(messages: &mut [TurnMessage], place: &Place, block: ContentBlock<Attachment>) {
    let mut blocks = &mut messages[place.message].content;
    let Some((last, way)) = place.path.split_last() else {
        return;
    };
    for step in way {
        let ContentBlock::ToolResult(result) = &mut blocks[*step] else {
            return;
        };
        blocks = &mut result.content;
    }
    blocks[*last] = block;
}
