//! What may be reached.

use std::net::{IpAddr, SocketAddr};

use url::{Host, Url};

use super::{AddressClass, NetError};

/// Which classes of addresses may be reached.
///
/// Public ones always; link-local, metadata, multicast, unspecified and reserved ones never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NetPolicy {
    /// Whether this machine may be reached.
    pub allow_loopback: bool,
    /// Whether local networks may be reached.
    pub allow_private: bool,
}

impl NetPolicy {
    /// Returns the policy of a configured URL: this machine may be reached exactly when the URL names it.
    pub fn for_url(url: &Url, allow_private: bool) -> Self {
        Self {
            allow_loopback: url.host().is_some_and(|host| is_loopback_host(&host)),
            allow_private,
        }
    }

    /// Returns whether addresses of a class may be reached.
    pub const fn allows(self, class: AddressClass) -> bool {
        match class {
            AddressClass::Public => true,
            AddressClass::Loopback => self.allow_loopback,
            AddressClass::Private => self.allow_private,
            _ => false,
        }
    }

    /// Checks what a URL itself tells: its scheme, and its host where that is an address or names this machine.
    ///
    /// `http` is for this machine only. Names are checked when they are resolved. Errors:
    /// `MCP_ADDRESS_BLOCKED`.
    pub fn check_url(self, url: &Url) -> Result<(), NetError> {
        let host = url
            .host()
            .ok_or_else(|| NetError::url(url, "has no host"))?;
        let is_local = is_loopback_host(&host);
        match url.scheme() {
            "https" => {}
            "http" if is_local => {}
            "http" => return Err(NetError::url(url, "is not https")),
            _ => return Err(NetError::url(url, "is neither https nor http")),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(NetError::url(url, "holds credentials"));
        }
        let class = match host {
            Host::Ipv4(address) => AddressClass::of(IpAddr::V4(address)),
            Host::Ipv6(address) => AddressClass::of(IpAddr::V6(address)),
            Host::Domain(_) if is_local => AddressClass::Loopback,
            Host::Domain(_) => return Ok(()),
        };
        self.check(class, || host.to_string())
    }

    /// Keeps the addresses of a name that may be reached.
    ///
    /// A name of this machine has to be on this machine. Errors: `MCP_ADDRESS_BLOCKED` when none is left.
    pub fn admit(self, name: &str, found: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, NetError> {
        let is_local = is_local_name(name);
        let mut refused = None;
        let mut admitted = Vec::new();
        for address in found {
            let class = AddressClass::of(address.ip());
            if self.allows(class) && (!is_local || class == AddressClass::Loopback) {
                admitted.push(address);
            } else {
                refused = Some(class);
            }
        }
        match refused {
            Some(class) if admitted.is_empty() => Err(NetError::Blocked {
                host: name.to_owned(),
                class,
            }),
            _ => Ok(admitted),
        }
    }

    fn check(self, class: AddressClass, host: impl FnOnce() -> String) -> Result<(), NetError> {
        if self.allows(class) {
            return Ok(());
        }
        Err(NetError::Blocked {
            host: host(),
            class,
        })
    }
}

/// Returns whether a host says itself that it is this machine: a loopback address, `localhost` or `*.localhost`.
pub fn is_loopback_host<S: AsRef<str>>(host: &Host<S>) -> bool {
    match host {
        Host::Domain(name) => is_local_name(name.as_ref()),
        Host::Ipv4(address) => AddressClass::of(IpAddr::V4(*address)) == AddressClass::Loopback,
        Host::Ipv6(address) => AddressClass::of(IpAddr::V6(*address)) == AddressClass::Loopback,
    }
}

/// Names that resolve to this machine and nothing else (RFC 6761, section 6.3).
fn is_local_name(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next().unwrap_or(name);
    last.eq_ignore_ascii_case("localhost")
}
