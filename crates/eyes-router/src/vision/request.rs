//! Building the request for one reading; pure.

use std::sync::Arc;

use eyes_evidence::{geometry::NormalizedBbox, record::EvidenceKind};

use super::{
    prompt::{SYSTEM, base_prompt, target_prompt},
    zoom::Zoom,
};
use crate::{
    config::VisionConfig,
    error::VisionError,
    limits::{MAX_FOCUS_CHARS, MAX_QUESTION_CHARS},
    model::{ContentBlock, GenerateRequest, ImageInput, Message, Role, Task},
    route::Route,
};

/// What is asked about one image.
#[derive(Debug, Clone, PartialEq)]
pub enum Ask {
    /// An overview.
    Base {
        /// The reader's request, which the overview should serve, bounded by [`focus`].
        focus: Option<Arc<str>>,
    },
    /// One question.
    Target {
        /// The question, checked by [`checked_question`].
        question: Arc<str>,
        /// The part of the image that is asked about.
        region: Option<NormalizedBbox>,
    },
}

impl Ask {
    /// Asks for an overview that serves the reader's request, where there is one.
    pub fn base(request: Option<&str>) -> Self {
        Self::Base {
            focus: request.and_then(focus).map(Arc::from),
        }
    }

    /// Asks one question; out of bounds it is `INVALID_VISION_REQUEST`.
    pub fn target(question: &str, region: Option<NormalizedBbox>) -> Result<Self, VisionError> {
        Ok(Self::Target {
            question: checked_question(question)?.into(),
            region,
        })
    }

    /// Returns which document answers.
    pub const fn kind(&self) -> EvidenceKind {
        match self {
            Self::Base { .. } => EvidenceKind::Base,
            Self::Target { .. } => EvidenceKind::Target,
        }
    }

    /// Returns the part of the image that is asked about; nothing means the whole.
    pub const fn region(&self) -> Option<NormalizedBbox> {
        match *self {
            Self::Base { .. } => None,
            Self::Target { region, .. } => region,
        }
    }

    /// Returns the question, or the request that an overview serves.
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::Base { focus } => focus.as_deref(),
            Self::Target { question, .. } => Some(question),
        }
    }

    fn task(&self) -> Task {
        match self {
            Self::Base { .. } => Task::Base,
            Self::Target { question, region } => Task::Target {
                question: question.to_string(),
                region: *region,
            },
        }
    }
}

/// Removes white space at both ends and checks that 1 to [`MAX_QUESTION_CHARS`] characters are left.
pub fn checked_question(question: &str) -> Result<&str, VisionError> {
    let question = question.trim();
    // Bytes bound characters, so a short text needs no count.
    if question.is_empty() || question.len() > MAX_QUESTION_CHARS {
        let chars = question.chars().count();
        if chars == 0 || chars > MAX_QUESTION_CHARS {
            return Err(VisionError::Question { chars });
        }
    }
    Ok(question)
}

/// Removes white space at both ends of a reader's request and cuts it to [`MAX_FOCUS_CHARS`]; nothing is left
/// of an empty one.
///
/// Unlike a question it only guides, so a long one is no fault.
pub fn focus(request: &str) -> Option<&str> {
    let request = request.trim();
    let end = request
        .char_indices()
        .nth(MAX_FOCUS_CHARS)
        .map_or(request.len(), |(end, _)| end);
    let cut = request[..end].trim_end();
    (!cut.is_empty()).then_some(cut)
}

/// What one reading sends, and what is needed to understand the answer.
#[derive(Debug, Clone)]
pub struct ReadPlan {
    /// The request.
    pub request: GenerateRequest,
    /// The crop that goes along, and the way back from it.
    pub zoom: Option<Zoom>,
}

/// Plans the reading of `image` by `route`, with the crop of the region where there is one.
pub fn plan(
    route: &Route,
    image: &ImageInput,
    ask: &Ask,
    config: &VisionConfig,
    zoom: Option<Zoom>,
) -> ReadPlan {
    ReadPlan {
        request: build_request(route, image, ask, config, zoom.as_ref()),
        zoom,
    }
}

/// Builds the request of `ask` about `image` for `route`, with the crop of the region where there is one.
pub fn build_request(
    route: &Route,
    image: &ImageInput,
    ask: &Ask,
    config: &VisionConfig,
    zoom: Option<&Zoom>,
) -> GenerateRequest {
    let (text, max_output_tokens) = match ask {
        Ask::Base { focus } => (
            base_prompt(&image.identity, focus.as_deref()),
            config.base_max_tokens(),
        ),
        Ask::Target { question, region } => (
            target_prompt(&image.identity, question, *region, zoom),
            config.target_max_tokens(),
        ),
    };
    let pictures = std::iter::once(image).chain(zoom.map(Zoom::image));
    let mut content: Vec<ContentBlock> = pictures.cloned().map(ContentBlock::Image).collect();
    content.push(ContentBlock::Text(text));
    GenerateRequest {
        model: route.model().to_owned(),
        system: Some(SYSTEM.to_owned()),
        messages: vec![Message {
            role: Role::User,
            content,
        }],
        max_output_tokens,
        temperature: Some(0.0),
        task: ask.task(),
        tools: Arc::default(),
    }
}
