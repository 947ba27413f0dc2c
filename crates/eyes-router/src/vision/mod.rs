//! Evidence acquisition: from an image to a sealed, stored record.

mod answer;
mod prompt;
mod reader;
mod record;
mod request;
#[cfg(test)]
mod tests;
mod zoom;

pub use answer::{Answer, AnswerCollector, collect};
pub use prompt::{PROMPT_VERSION, SYSTEM, base_prompt, example, target_prompt};
pub use reader::{ReadWarning, Reading, VisionReader};
pub use request::{Ask, build_request, checked_question};
pub use zoom::{Zoom, zoom};
