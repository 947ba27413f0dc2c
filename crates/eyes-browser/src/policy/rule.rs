//! Patterns of addresses.

use std::{fmt, str::FromStr};

use url::{Host, Url};

/// A pattern of addresses: `example.com` (it and nothing below), `*.example.com` (it and everything below), `*`, each
/// optionally with a scheme before (`https://`), a port (`:8443`) and the beginning of a path (`/docs/`) after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    text: String,
    scheme: Option<String>,
    host: HostRule,
    port: Option<u16>,
    path: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostRule {
    Any,
    /// A name with everything below it.
    Below(String),
    /// As the URL Standard writes it: lower case, Punycode, IPv6 in brackets.
    Exactly(String),
}

/// A pattern is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is no pattern of addresses: write `example.com`, `*.example.com` or `https://example.com:8443/path`"
)]
pub struct InvalidRule(pub String);

impl FromStr for Rule {
    type Err = InvalidRule;

    fn from_str(text: &str) -> Result<Self, InvalidRule> {
        let invalid = || InvalidRule(text.to_owned());
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, text),
        };
        if scheme.as_ref().is_some_and(|scheme| {
            scheme.is_empty()
                || !scheme
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
        }) {
            return Err(invalid());
        }
        let (authority, path) = match rest.find('/') {
            Some(at) => (&rest[..at], Some(rest[at..].to_owned())),
            None => (rest, None),
        };
        let (name, port) = match authority.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => {
                (name, Some(port.parse().map_err(|_| invalid())?))
            }
            _ => (authority, None),
        };
        let host = match name.strip_prefix("*.") {
            _ if name == "*" => HostRule::Any,
            Some(below) => HostRule::Below(host(below).ok_or_else(invalid)?),
            None => HostRule::Exactly(host(name).ok_or_else(invalid)?),
        };
        Ok(Self {
            text: text.to_owned(),
            scheme,
            host,
            port,
            path,
        })
    }
}

fn host(name: &str) -> Option<String> {
    if name.contains('*') {
        return None;
    }
    Host::parse(name).ok().map(|host| host.to_string())
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Rule {
    /// Returns whether an address is one of these.
    pub fn matches(&self, url: &Url) -> bool {
        let Some(have) = url.host_str() else {
            return false;
        };
        // A dot at the end names the same host.
        let have = have.strip_suffix('.').unwrap_or(have);
        let host = match &self.host {
            HostRule::Any => true,
            HostRule::Exactly(name) => have == name,
            HostRule::Below(name) => {
                have == name
                    || have
                        .strip_suffix(name.as_str())
                        .is_some_and(|rest| rest.ends_with('.'))
            }
        };
        host && self
            .scheme
            .as_ref()
            .is_none_or(|scheme| scheme == url.scheme())
            && self
                .port
                .is_none_or(|port| url.port_or_known_default() == Some(port))
            && self
                .path
                .as_ref()
                .is_none_or(|path| url.path().starts_with(path.as_str()))
    }
}
