//! Evidence acquisition: from an image to a sealed, stored record.

mod booked;
mod candidates;
mod compare;
mod consensus;
mod draft;
mod grounded;
mod grounding;
mod operation;
mod prompt;
mod reader;
mod reading;
mod record;
mod request;
mod second;
#[cfg(test)]
mod tests;
mod trace;
mod zoom;

pub use booked::{booked, booked_failure, booked_probe};
pub use consensus::{consensus, dissent};
pub use draft::Draft;
pub use grounded::GroundingCheck;
pub use grounding::{Reader, disagreements, grounding};
pub use prompt::{PROMPT_VERSION, SYSTEM, base_prompt, example, target_prompt};
pub use reader::{ReaderPorts, VisionReader};
pub use reading::{ReadRequest, ReadUsage, ReadWarning, Reading};
pub use request::{Ask, ReadPlan, build_request, checked_question, focus, plan};
pub use zoom::{Zoom, zoom};

pub use crate::call::{Answer, AnswerCollector, collect};
