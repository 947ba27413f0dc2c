//! One actor a server: its connection, its health and its catalogue.
//!
//! `lifecycle` decides, the actor does; every server has its own, so that a slow one delays nobody. What an
//! actor knows is a [`ServerView`], replaced as a whole, which callers read without waiting.

mod actor;
mod backoff;
mod debounce;
mod lifecycle;
mod lists;
mod planes;
mod policed;
mod status;
mod view;

pub use actor::ResourceUpdate;
pub(crate) use actor::{ActorPorts, Command, ServerActor};
pub use policed::PolicedTools;
pub use status::ServerStatus;
pub use view::{Health, KeptConnection, ServerView};

/// A time as the time since an actor began.
type Moment = std::time::Duration;
