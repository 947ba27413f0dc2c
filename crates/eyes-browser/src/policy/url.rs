//! Which addresses a page may come from.

use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr},
};

use ::url::{Host, Url};
use eyes_system::address::AddressClass;

use super::Rule;

/// Which document an address is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// The page's own.
    Main,
    /// That of a frame in it.
    Frame,
}

/// Which addresses may be opened, by the caller, by links, by scripts, and by redirects, in pages and frames.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPolicy {
    /// Only these; all where empty.
    pub allow: Vec<Rule>,
    /// Never these, whatever is allowed.
    pub deny: Vec<Rule>,
    /// Whether this machine and local networks may be opened.
    ///
    /// Link-local addresses, where clouds keep credentials, need a rule in `allow` in any case.
    pub private_networks: bool,
    /// Schemes beside `http` and `https` that may be opened, such as `file`.
    pub schemes: BTreeSet<String>,
}

impl Default for UrlPolicy {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            deny: Vec::new(),
            private_networks: true,
            schemes: BTreeSet::new(),
        }
    }
}

/// An address is not allowed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Denied {
    /// It is no absolute address.
    #[error("{0:?} is no absolute address, such as https://example.com/")]
    Invalid(String),
    /// Its scheme is none that may be opened.
    #[error("addresses with {0}: may not be opened")]
    Scheme(String),
    /// A rule forbids it.
    #[error("the rule {rule} forbids {host}")]
    Rule {
        /// The rule.
        rule: String,
        /// The host of the address.
        host: String,
    },
    /// No rule allows it.
    #[error("no rule allows {0}")]
    NotListed(String),
    /// It is on this machine or a local network.
    #[error("{host} is in a {class} network, which may not be opened")]
    Network {
        /// The host of the address.
        host: String,
        /// What kind of network.
        class: AddressClass,
    },
}

impl UrlPolicy {
    /// Checks an address as it is written; a name is not looked up.
    pub fn check(&self, address: &str, place: Where) -> Result<Url, Denied> {
        let url = Url::parse(address.trim())
            .map_err(|_| Denied::Invalid(address.chars().take(100).collect()))?;
        let scheme = url.scheme();
        match scheme {
            "http" | "https" => {}
            "about" => return Ok(url),
            // What a page made itself stays with the page; as a page of its own it has no address to judge by.
            "data" | "blob" if place == Where::Frame => return Ok(url),
            "blob" => {
                self.check(url.path(), place)?;
                return Ok(url);
            }
            _ if self.schemes.contains(scheme) => return Ok(url),
            _ => return Err(Denied::Scheme(scheme.to_owned())),
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        if let Some(rule) = self.deny.iter().find(|rule| rule.matches(&url)) {
            return Err(Denied::Rule {
                rule: rule.to_string(),
                host,
            });
        }
        let listed = self.allow.iter().any(|rule| rule.matches(&url));
        if !self.allow.is_empty() && !listed {
            return Err(Denied::NotListed(host));
        }
        let address = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            Some(Host::Domain(name)) if is_loopback_name(name) => {
                Some(IpAddr::V4(Ipv4Addr::LOCALHOST))
            }
            _ => None,
        };
        if let Some(address) = address {
            self.check_network(&host, address, listed)?;
        }
        Ok(url)
    }

    /// Checks the address that a host's name led to.
    pub fn check_address(&self, url: &Url, address: IpAddr) -> Result<(), Denied> {
        let listed = self.allow.iter().any(|rule| rule.matches(url));
        self.check_network(url.host_str().unwrap_or_default(), address, listed)
    }

    fn check_network(&self, host: &str, address: IpAddr, listed: bool) -> Result<(), Denied> {
        let class = AddressClass::of(address);
        let allowed = match class {
            AddressClass::Public => true,
            AddressClass::LinkLocal => listed,
            _ => self.private_networks,
        };
        if allowed {
            return Ok(());
        }
        Err(Denied::Network {
            host: host.to_owned(),
            class,
        })
    }

    /// Returns whether names have to be looked up to enforce it.
    pub const fn needs_addresses(&self) -> bool {
        !self.private_networks
    }
}

/// `localhost` and everything below it (RFC 6761, 6.3).
fn is_loopback_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name == "localhost" || name.ends_with(".localhost")
}
