//! Provider-neutral requests, models and stream events.

use std::sync::Arc;

use eyes_evidence::{
    geometry::NormalizedBbox,
    image::{ImageIdentity, MediaType},
};
pub use eyes_usage::tokens::TokenUsage;
use serde_json::Value;

/// What a model accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Modality {
    /// Text.
    Text,
    /// Images.
    Image,
}

/// A model as its provider declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSpec {
    /// The provider's name of the model.
    pub id: String,
    /// What it accepts; a model without [`Modality::Image`] never looks.
    pub input: Vec<Modality>,
    /// Tokens of context, where declared.
    pub context_window: Option<u32>,
    /// Output tokens when a request names none, where declared.
    pub default_max_output: Option<u32>,
    /// Changes whenever the same request would be answered otherwise, where the provider knows; a stored
    /// answer of another revision is not reused.
    pub revision: Option<String>,
}

impl ModelSpec {
    /// Names a model and what it accepts; nothing else is declared.
    pub fn new(id: impl Into<String>, input: impl Into<Vec<Modality>>) -> Self {
        Self {
            id: id.into(),
            input: input.into(),
            context_window: None,
            default_max_output: None,
            revision: None,
        }
    }
}

/// An image as it is handed to a model: the original bytes and their identity.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageInput {
    /// The encoded bytes, never altered.
    pub bytes: Arc<[u8]>,
    /// Which image it is.
    pub identity: ImageIdentity,
}

impl ImageInput {
    /// Returns the format.
    pub fn media_type(&self) -> MediaType {
        self.identity.media_type
    }
}

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// The caller.
    User,
    /// The model.
    Assistant,
}

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Its name, unique in one request.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The provider's id of the call; its result names it.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// The arguments as JSON text, as the model wrote them: they may be no JSON at all.
    pub arguments: String,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult<I = ImageInput> {
    /// The id of the call.
    pub call_id: String,
    /// The tool, where the caller knows it.
    pub tool_name: Option<String>,
    /// Whether the call failed.
    pub is_error: bool,
    /// What the tool returned: texts and images.
    pub content: Vec<ContentBlock<I>>,
}

/// A model's thoughts before an answer; never evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reasoning {
    /// The thoughts.
    pub text: String,
    /// The provider's seal on them: some accept their own thoughts back only with it.
    pub signature: Option<String>,
}

/// One part of a message; `I` is how images stand in it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock<I = ImageInput> {
    /// Text.
    Text(String),
    /// The model's reasoning.
    Reasoning(Reasoning),
    /// An image.
    Image(I),
    /// A call that the model asked for.
    ToolCall(ToolCall),
    /// What a call came to.
    ToolResult(ToolResult<I>),
}

/// One message; `I` is how images stand in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Message<I = ImageInput> {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order.
    pub content: Vec<ContentBlock<I>>,
}

/// What the request is for; deterministic readers follow it, language models follow the messages.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Task {
    /// An overview of the whole image.
    Base,
    /// One question, about a part of the image where a region is given.
    Target {
        /// The question, 1 to 2,000 characters.
        question: String,
        /// The part of the image that is asked about.
        region: Option<NormalizedBbox>,
    },
    /// The pixel probe: the names of a 3x3 grid of solid colours.
    Probe,
    /// The final answer of a turn; only language models give one.
    Answer,
}

/// A request to a model.
#[derive(Debug, Clone)]
pub struct GenerateRequest {
    /// The provider's name of the model.
    pub model: String,
    /// The system text.
    pub system: Option<String>,
    /// The messages, oldest first.
    pub messages: Vec<Message>,
    /// Output tokens at most; the provider's default where absent.
    pub max_output_tokens: Option<u32>,
    /// Sampling temperature.
    pub temperature: Option<f32>,
    /// What the request is for.
    pub task: Task,
    /// Tools that the model may call.
    pub tools: Arc<[ToolSpec]>,
}

/// Why a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinishReason {
    /// The model said all it had to say.
    Stop,
    /// The output budget ran out.
    MaxTokens,
    /// The model waits for the results of its tool calls.
    ToolCalls,
}

/// One event of a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamEvent {
    /// More of the answer.
    TextDelta(String),
    /// More of the model's reasoning; never evidence.
    ReasoningDelta(String),
    /// The provider's seal on the reasoning so far, see [`Reasoning::signature`].
    ReasoningSignature(String),
    /// A call that the model asks for, whole.
    ToolCall(ToolCall),
    /// Tokens used; sums of the whole call, the last one counts.
    Usage(TokenUsage),
    /// The answer is complete; the last event of a good stream.
    Finish(FinishReason),
}
