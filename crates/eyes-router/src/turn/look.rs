//! What the final model may ask about a picture.

use eyes_evidence::{digest::Sha256Digest, geometry::NormalizedBbox};
use serde_json::{Value, json};

use crate::{limits::MAX_QUESTION_CHARS, model::ToolSpec, vision::checked_question};

/// The name of the tool that looks again; the published one.
pub const LOOK_TOOL: &str = "deepseekeyes_look";

/// One question about one picture of the session.
#[derive(Debug, Clone, PartialEq)]
pub struct LookRequest {
    /// SHA-256 of the original bytes.
    pub image_sha256: Sha256Digest,
    /// The question, 1 to 2,000 characters, without white space at its ends.
    pub question: String,
    /// The part of the picture that it is about; the whole where absent.
    pub region: Option<NormalizedBbox>,
}

/// Why a request is not one; each is `INVALID_VISION_REQUEST`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LookFault {
    /// It is no JSON object.
    #[error("the request is not one JSON object")]
    NotJson,
    /// The image is not named by its digest.
    #[error("imageSha256 is not 64 lower-case hexadecimal digits")]
    Digest,
    /// The question is missing, empty or too long.
    #[error("question is not a text of 1 to {MAX_QUESTION_CHARS} characters")]
    Question,
    /// The region is not a part of the picture.
    #[error("region is not x, y, width and height in shares of the picture, inside it")]
    Region,
}

impl LookRequest {
    /// Reads the arguments of the tool or the inside of a control message; members that are not known are
    /// passed over.
    pub fn from_json(text: &str) -> Result<Self, LookFault> {
        let value: Value = serde_json::from_str(text.trim()).map_err(|_| LookFault::NotJson)?;
        let object = value.as_object().ok_or(LookFault::NotJson)?;
        let member = |name: &str| object.get(name).filter(|value| !value.is_null());
        let image_sha256 = member("imageSha256")
            .and_then(Value::as_str)
            .and_then(|text| text.parse().ok())
            .ok_or(LookFault::Digest)?;
        let question = member("question")
            .and_then(Value::as_str)
            .ok_or(LookFault::Question)?;
        let question = checked_question(question).map_err(|_| LookFault::Question)?;
        let region = member("region").map(region).transpose()?;
        Ok(Self {
            image_sha256,
            question: question.to_owned(),
            region,
        })
    }

    /// Returns what makes two questions equal: letters in one case, white space collapsed.
    pub(super) fn key(&self) -> LookKey {
        let words: Vec<String> = self
            .question
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        LookKey {
            image_sha256: self.image_sha256,
            question: words.join(" "),
            region: self
                .region
                .map(|region| <[f64; 4]>::from(region).map(f64::to_bits)),
        }
    }
}

/// What makes two questions equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LookKey {
    pub(super) image_sha256: Sha256Digest,
    question: String,
    region: Option<[u64; 4]>,
}

fn region(value: &Value) -> Result<NormalizedBbox, LookFault> {
    let side = |name: &str| {
        let number = value.get(name).and_then(Value::as_f64);
        number.ok_or(LookFault::Region)
    };
    let (x, y) = (side("x")?, side("y")?);
    let (width, height) = (side("width")?, side("height")?);
    NormalizedBbox::new(x, y, width, height).map_err(|_| LookFault::Region)
}

/// Returns the look tool as the model is offered it.
pub fn look_tool() -> ToolSpec {
    let share = json!({"type": "number", "minimum": 0, "maximum": 1});
    ToolSpec {
        name: LOOK_TOOL.to_owned(),
        description: "Looks again at a picture of this conversation and answers one precise question about it. \
                      The original pixels are read again, a region is enlarged. Not needed for what the \
                      evidence says already."
            .to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {
                "imageSha256": {
                    "type": "string",
                    "pattern": "^[0-9a-f]{64}$",
                    "description": "The picture, as its evidence names it.",
                },
                "question": {"type": "string", "minLength": 1, "maxLength": MAX_QUESTION_CHARS},
                "region": {
                    "type": "object",
                    "description": "The part to enlarge, in shares of the picture from its upper left corner.",
                    "properties": {"x": share, "y": share, "width": share, "height": share},
                    "required": ["x", "y", "width", "height"],
                    "additionalProperties": false,
                },
            },
            "required": ["imageSha256", "question"],
            "additionalProperties": false,
        }),
    }
}
