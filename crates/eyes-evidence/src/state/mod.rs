//! States that browser and desktop share: their identity, whether one is the newest, and what changed.

mod delta;

use std::{fmt, str::FromStr};

pub use delta::{Counted, FieldChange, GroupDelta, ItemChange, Items, StateDelta};
use serde::{Deserialize, Serialize};

use crate::{
    code::{Coded, ErrorCode},
    codes,
    digest::Sha256Digest,
    limits::MAX_RUN_ID_CHARS,
};

/// What is being operated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// A web page.
    Browser,
    /// Windows of the operating system.
    Desktop,
}

impl Surface {
    /// Returns what a state id of this surface begins with.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Browser => "browser-state:",
            Self::Desktop => "desktop-state:",
        }
    }
}

/// The identity of one run: 1 to [`MAX_RUN_ID_CHARS`] characters of `A-Za-z0-9_-`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(Box<str>);

/// The text is no state id or run id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IdError {
    /// A run id is empty, too long, or has another character.
    #[error("a run id is 1 to {MAX_RUN_ID_CHARS} characters of A-Z a-z 0-9 _ -")]
    Run,
    /// A state id is not a known prefix with a digest.
    #[error("a state id is browser-state: or desktop-state: and 64 hexadecimal digits")]
    State,
}

impl RunId {
    /// Checks length and characters.
    pub fn new(id: impl Into<Box<str>>) -> Result<Self, IdError> {
        let id = id.into();
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if id.is_empty() || id.len() > MAX_RUN_ID_CHARS || !id.bytes().all(allowed) {
            return Err(IdError::Run);
        }
        Ok(Self(id))
    }

    /// Returns the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RunId {
    type Error = IdError;

    fn try_from(id: String) -> Result<Self, IdError> {
        Self::new(id)
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> Self {
        id.0.into()
    }
}

/// The identity of one observation; prints as `browser-state:` or `desktop-state:` and 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct StateId {
    surface: Surface,
    digest: Sha256Digest,
}

impl StateId {
    /// Computes the id: SHA-256 over run id, sequence number in decimal, hexadecimal digest of the picture,
    /// and place (URL or platform), with a NUL between them.
    pub fn of(run: &RunId, sequence: u64, picture: &Sha256Digest, place: Place<'_>) -> Self {
        let (surface, place) = match place {
            Place::Url(url) => (Surface::Browser, url),
            Place::Platform(platform) => (Surface::Desktop, platform),
        };
        let text = format!("{}\0{sequence}\0{picture}\0{place}", run.as_str());
        Self {
            surface,
            digest: Sha256Digest::of(text.as_bytes()),
        }
    }

    /// Returns the surface it belongs to.
    pub const fn surface(&self) -> Surface {
        self.surface
    }
}

/// Where an observation was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// The address of a page.
    Url(&'a str),
    /// The platform of a desktop, such as `linux`.
    Platform(&'a str),
}

impl fmt::Display for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.surface.prefix(), self.digest)
    }
}

impl FromStr for StateId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        [Surface::Browser, Surface::Desktop]
            .into_iter()
            .find_map(|surface| {
                let digest = text.strip_prefix(surface.prefix())?.parse().ok()?;
                Some(Self { surface, digest })
            })
            .ok_or(IdError::State)
    }
}

impl TryFrom<String> for StateId {
    type Error = IdError;

    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<StateId> for String {
    fn from(id: StateId) -> Self {
        id.to_string()
    }
}

/// The newest observation of one run.
#[derive(Debug, Clone)]
pub struct StateLine {
    surface: Surface,
    run: RunId,
    newest: Option<(u64, StateId)>,
}

/// Proof that an action is grounded in the newest state.
///
/// It borrows the line, so no newer state can be observed while it lives.
#[derive(Debug)]
pub struct Fresh<'a> {
    line: &'a StateLine,
    sequence: u64,
}

impl Fresh<'_> {
    /// Returns the sequence number of the newest state.
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    /// Returns the run.
    pub const fn run(&self) -> &RunId {
        &self.line.run
    }
}

impl StateLine {
    /// Begins a run without an observation.
    pub const fn new(surface: Surface, run: RunId) -> Self {
        Self {
            surface,
            run,
            newest: None,
        }
    }

    /// Notes an observation and returns its sequence number, counted from 1, and its id.
    ///
    /// Ids of every earlier observation are stale from now on. `place` is the URL or the platform.
    pub fn observe(&mut self, picture: &Sha256Digest, place: &str) -> (u64, StateId) {
        let sequence = self.newest.map_or(0, |(sequence, _)| sequence) + 1;
        let place = match self.surface {
            Surface::Browser => Place::Url(place),
            Surface::Desktop => Place::Platform(place),
        };
        let id = StateId::of(&self.run, sequence, picture, place);
        self.newest = Some((sequence, id));
        (sequence, id)
    }

    /// Returns the id of the newest observation.
    pub fn newest(&self) -> Option<StateId> {
        self.newest.map(|(_, id)| id)
    }

    /// Accepts the id of the newest observation and no other.
    ///
    /// Before the first observation the error is `BROWSER_STATE_MISSING` or `DESKTOP_STATE_MISSING`, for any
    /// other id `STALE_BROWSER_STATE` or `STALE_DESKTOP_STATE`.
    pub fn check(&self, given: &StateId) -> Result<Fresh<'_>, StateError> {
        match self.newest {
            Some((sequence, newest)) if newest == *given => Ok(Fresh {
                line: self,
                sequence,
            }),
            Some((_, newest)) => Err(StateError::Stale {
                surface: self.surface,
                received: *given,
                newest,
            }),
            None => Err(StateError::Missing {
                surface: self.surface,
            }),
        }
    }
}

/// An action is not grounded in the newest state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// Nothing was observed yet.
    #[error("nothing was observed yet")]
    Missing {
        /// What was to be operated.
        surface: Surface,
    },
    /// Another state is the newest.
    #[error("state {received} is not the newest, {newest} is")]
    Stale {
        /// What was to be operated.
        surface: Surface,
        /// The id that came.
        received: StateId,
        /// The id that would be accepted.
        newest: StateId,
    },
}

impl Coded for StateError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Missing {
                surface: Surface::Browser,
            } => codes::BROWSER_STATE_MISSING,
            Self::Missing {
                surface: Surface::Desktop,
            } => codes::DESKTOP_STATE_MISSING,
            Self::Stale {
                surface: Surface::Browser,
                ..
            } => codes::STALE_BROWSER_STATE,
            Self::Stale {
                surface: Surface::Desktop,
                ..
            } => codes::STALE_DESKTOP_STATE,
        }
    }
}

#[cfg(test)]
mod tests;
