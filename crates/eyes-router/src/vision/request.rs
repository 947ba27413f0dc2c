//! Building the request for one reading; pure.

use eyes_evidence::{geometry::NormalizedBbox, record::EvidenceKind};

use super::prompt::{SYSTEM, base_prompt, target_prompt};
use crate::{
    config::VisionConfig,
    error::VisionError,
    limits::MAX_QUESTION_CHARS,
    model::{ContentBlock, GenerateRequest, ImageInput, Message, Role, VisionTask},
    route::Route,
};

/// What is asked about one image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ask<'a> {
    /// An overview.
    Base,
    /// One question.
    Target {
        /// The question, checked by [`checked_question`].
        question: &'a str,
        /// The part of the image that is asked about.
        region: Option<NormalizedBbox>,
    },
}

impl Ask<'_> {
    /// Returns which document answers.
    pub const fn kind(&self) -> EvidenceKind {
        match self {
            Self::Base => EvidenceKind::Base,
            Self::Target { .. } => EvidenceKind::Target,
        }
    }

    /// Returns the part of the image that is asked about; nothing means the whole.
    pub const fn region(&self) -> Option<NormalizedBbox> {
        match *self {
            Self::Base => None,
            Self::Target { region, .. } => region,
        }
    }

    fn task(&self) -> VisionTask {
        match *self {
            Self::Base => VisionTask::Base,
            Self::Target { question, region } => VisionTask::Target {
                question: question.to_owned(),
                region,
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

/// Builds the request of `ask` about `image` for `route`.
pub fn build_request(
    route: &Route,
    image: &ImageInput,
    ask: &Ask<'_>,
    config: &VisionConfig,
) -> GenerateRequest {
    let (text, max_output_tokens) = match *ask {
        Ask::Base => (base_prompt(&image.identity), config.base_max_tokens),
        Ask::Target { question, region } => (
            target_prompt(&image.identity, question, region),
            config.target_max_tokens,
        ),
    };
    GenerateRequest {
        model: route.model().to_owned(),
        system: Some(SYSTEM.to_owned()),
        messages: vec![Message {
            role: Role::User,
            content: vec![ContentBlock::Image(image.clone()), ContentBlock::Text(text)],
        }],
        max_output_tokens,
        temperature: Some(0.0),
        task: ask.task(),
    }
}
