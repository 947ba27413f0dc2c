//! What an import tells.

use std::fmt;

/// Something to do or to know after an import; it never holds a value of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportWarning {
    /// The id that the server has now.
    pub server: String,
    /// The member of the file, such as `env.GITHUB_TOKEN` or `args[2]`.
    pub member: String,
    /// What about it.
    pub notice: ImportNotice,
}

/// What there is to do or to know.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImportNotice {
    /// A value stood in the file.
    Value {
        /// The variable that has to be set to it.
        variable: String,
    },
    /// A value was put together from variables.
    Composed {
        /// The variable that has to be set to the whole.
        variable: String,
    },
    /// The host asks a person for the value.
    Asked {
        /// The variable that has to be set to it.
        variable: String,
    },
    /// The host has a value where a variable is not set.
    Default {
        /// The variable, which has to be set now.
        variable: String,
    },
    /// The value is empty, which a variable cannot be here.
    Empty,
    /// The member is not taken over.
    NotTaken,
    /// The id is not the name in the file.
    Renamed,
    /// No tool is allowed until `allowedTools` says so.
    NothingAllowed,
    /// The address looks like one of the older transport, which is not spoken here.
    OlderTransport,
}

impl fmt::Display for ImportWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "server {}: ", self.server)?;
        let member = &self.member;
        match &self.notice {
            ImportNotice::Value { variable } => {
                write!(
                    f,
                    "{member} stood in the file; set the variable {variable} to it, and remove it there"
                )
            }
            ImportNotice::Composed { variable } => {
                write!(
                    f,
                    "{member} is put together from variables; set the variable {variable} to the whole"
                )
            }
            ImportNotice::Asked { variable } => {
                write!(
                    f,
                    "{member} is asked for by its host; set the variable {variable} to it"
                )
            }
            ImportNotice::Default { variable } => {
                write!(
                    f,
                    "{member} has a default in the file, which is not taken over; set the variable {variable}"
                )
            }
            ImportNotice::Empty => write!(f, "{member} is empty and not taken over"),
            ImportNotice::NotTaken => write!(f, "{member} is not taken over"),
            ImportNotice::Renamed => write!(
                f,
                "the name in the file is no id here; it stays the name for people"
            ),
            ImportNotice::NothingAllowed => {
                write!(
                    f,
                    "no tool is allowed yet; list those that may be used in allowedTools"
                )
            }
            ImportNotice::OlderTransport => {
                write!(
                    f,
                    "{member} looks like one of the transport SSE of 2024-11-05; only Streamable HTTP is spoken"
                )
            }
        }
    }
}

/// A server that cannot be taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedServer {
    /// Its name in the file, redacted and bounded.
    pub name: String,
    /// Why not; no value of the file.
    pub reason: String,
}
