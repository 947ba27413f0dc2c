//! Secrets in text: found by shape and by value, and replaced by a mark.
//!
//! One detector serves error messages, audit lines, command lines, URLs and header names, so that what is
//! refused in a configuration is also what never reaches a log. Every scan is linear in the text.

mod argv;
mod assign;
mod exact;
mod key;
mod message;
mod pem;
mod scheme;
mod token;
mod url;

use std::borrow::Cow;

pub use argv::detect_secret_argv;
pub use exact::Redactor;
pub use key::is_secret_header;
pub use message::safe_message;
pub use url::url_secrets;

/// What stands in place of a secret.
pub const MARK: &str = "[REDACTED]";
/// What stands in place of a token that was known by its shape alone.
pub const TOKEN_MARK: &str = "[REDACTED_TOKEN]";

/// How a secret was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SecretKind {
    /// A value that was resolved from a reference in this process.
    Exact,
    /// A PEM or PGP private key block.
    PrivateKey,
    /// User info of a URL.
    UserInfo,
    /// The value of a header that carries credentials.
    Header,
    /// What follows `Bearer` or `Basic`.
    Scheme,
    /// The value of a key such as `password`.
    Assignment,
    /// A token known by its prefix.
    Token,
    /// The value of a command-line option such as `--password`.
    Option,
    /// The value of a query parameter.
    Query,
}

/// Where a secret was found; never the secret itself.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The argument with this index, counted from 0.
    Argument(usize),
    /// The user info of a URL.
    UserInfo,
    /// The query or fragment parameter with this name.
    Parameter(String),
    /// The path of a URL.
    Path,
}

/// One secret that was detected.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretMatch {
    /// How it was recognised.
    pub kind: SecretKind,
    /// Where it stands.
    pub place: Place,
}

/// A stretch of text to be replaced, in bytes; both ends are character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: usize,
    end: usize,
    kind: SecretKind,
}

impl Span {
    const fn mark(self) -> &'static str {
        match self.kind {
            SecretKind::Token => TOKEN_MARK,
            _ => MARK,
        }
    }
}

/// Replaces every secret that is known by its shape.
///
/// Private key blocks, user info of URLs, values of credential headers, what follows `Bearer` and `Basic`,
/// values of keys such as `password` become [`MARK`], tokens known by their prefix [`TOKEN_MARK`]. Text
/// without a secret is returned as it is. Applying it twice changes nothing more.
pub fn redact(text: &str) -> Cow<'_, str> {
    replace(text, shape_spans(text))
}

/// Finds secrets by shape, in no particular order.
fn shape_spans(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    pem::find(text, &mut spans);
    url::find_user_info(text, &mut spans);
    assign::find(text, &mut spans);
    scheme::find(text, &mut spans);
    token::find(text, &mut spans);
    spans
}

fn replace(text: &str, mut spans: Vec<Span>) -> Cow<'_, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    // The longest of those that begin together decides the mark.
    spans.sort_unstable_by_key(|span| (span.start, std::cmp::Reverse(span.end), span.kind));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        if span.start < done {
            // Overlap: what sticks out belongs to the mark that is already written.
            done = done.max(span.end);
            continue;
        }
        out.push_str(&text[done..span.start]);
        out.push_str(span.mark());
        done = span.end;
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests;
