//! Which addresses may be opened and which files may be downloaded; pure rules, enforced by drivers and session.

mod download;
mod rule;
mod url;

pub use download::{DownloadPolicy, safe_name};
pub use rule::{InvalidRule, Rule};

pub use self::url::{Denied, UrlPolicy, Where};

#[cfg(test)]
mod tests;
