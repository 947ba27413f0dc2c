//! One turn: the final model answers, and what it sees are images as evidence.
//!
//! A [`TurnEngine`] takes the whole session as its host keeps it, decides how pictures reach the final model, lets
//! them be read where evidence must stand for them, and streams the answer. What decides is pure: where pictures
//! stand, which of them stand in full, what a marker is and what an answer asks for.

mod answer;
mod booking;
mod control;
mod engine;
mod error;
mod history;
mod images;
mod look;
mod looks;
mod marker;
mod message;
mod outgoing;
mod placement;
mod present;
mod request;
mod rounds;
mod run;
mod session;
#[cfg(test)]
mod tests;
mod work;

pub use answer::Listener;
pub use engine::{Looked, TurnEngine, TurnPorts};
pub use error::{AttachmentError, TurnError, TurnFailure};
pub use look::{LOOK_TOOL, LookFault, LookRequest, look_tool};
pub use marker::MarkerKey;
pub use message::{Attachment, Origin, TurnMessage};
pub use request::{
    Compaction, LookReport, Replacement, SeenImage, TurnKind, TurnReport, TurnRequest,
};
