//! The messages of a session as its host keeps them: images by reference.

use eyes_evidence::{geometry::PixelSize, image::MediaType};

use crate::model::{ContentBlock, Role};

/// An image that the host keeps; its bytes are read only where they are needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// The host's id of the bytes, which never change under it.
    pub id: String,
    /// The format that the host names; what the bytes are is found out when they are read.
    pub media_type: MediaType,
    /// Length of the bytes.
    pub bytes: u64,
    /// Width and height that the host names, where it knows them.
    pub size: Option<PixelSize>,
    /// A file name for people.
    pub name: Option<String>,
}

/// Who put a message into the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The person or the model.
    Direct,
    /// The host or a plugin, beside what was said.
    Injected,
    /// Content of an MCP server that belongs to the tool result before it.
    McpContext,
}

/// One message of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnMessage {
    /// The host's id of the message.
    pub id: Option<String>,
    /// Who put it there.
    pub origin: Origin,
    /// Who speaks; results of tools stand in messages of [`Role::User`].
    pub role: Role,
    /// What is said, in order.
    pub content: Vec<ContentBlock<Attachment>>,
}

impl TurnMessage {
    /// Tells whether a person says this and it is no result of a tool: a user turn, and its task, begins with it.
    pub fn is_task(&self) -> bool {
        self.origin == Origin::Direct
            && self.role == Role::User
            && !self
                .content
                .iter()
                .any(|block| matches!(block, ContentBlock::ToolResult(_)))
    }
}
