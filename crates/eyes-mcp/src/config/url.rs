//! Addresses of servers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use eyes_evidence::redact::{SecretKind, url_secrets};
use url::{Host, Url};

use super::ConfigError;
use crate::limits::MAX_URL_BYTES;

/// Checks an address; `http` is for this machine only, and a private one has to be allowed.
///
/// Names are judged when they are resolved; here are only those that every resolver keeps on this machine.
pub(super) fn check(path: &str, text: &str, allow_private: bool) -> Result<Url, ConfigError> {
    let refuse = |reason: &str| Err(ConfigError::member(path, reason));
    let text = text.trim();
    if text.len() > MAX_URL_BYTES {
        return refuse("an address has at most 8,000 bytes");
    }
    let Ok(url) = Url::parse(text) else {
        return refuse("is no URL with scheme and host");
    };
    let plain = match url.scheme() {
        "http" => true,
        "https" => false,
        _ => return refuse("the scheme has to be https, or http on this machine"),
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(secret(path, SecretKind::UserInfo));
    }
    if let Some(found) = url_secrets(url.as_str()).first() {
        return Err(secret(path, found.kind));
    }
    if url.fragment().is_some() {
        return refuse("a fragment is never sent");
    }
    let reach = match url.host() {
        None => return refuse("has no host"),
        Some(Host::Domain(name)) => reach_of_name(name),
        Some(Host::Ipv4(address)) => reach(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => reach(IpAddr::V6(address)),
    };
    match reach {
        Reach::Nobody => refuse("a link-local, unspecified or multicast address is no server's"),
        Reach::Private if !allow_private => refuse("a private address needs allowPrivate"),
        Reach::Private | Reach::Public if plain => {
            refuse("http is for this machine only; use https")
        }
        _ => Ok(url),
    }
}

fn secret(path: &str, kind: SecretKind) -> ConfigError {
    ConfigError::Secret {
        path: path.to_owned(),
        kind,
    }
}

/// Who answers at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// This machine.
    Loopback,
    /// A machine of the same network.
    Private,
    /// Any machine.
    Public,
    /// No server, or the keeper of a cloud machine's secrets.
    Nobody,
}

fn reach_of_name(name: &str) -> Reach {
    let name = name.strip_suffix('.').unwrap_or(name);
    // RFC 6761, section 6.3: these names stay on this machine.
    if name == "localhost" || name.ends_with(".localhost") {
        Reach::Loopback
    } else {
        Reach::Public
    }
}

fn reach(address: IpAddr) -> Reach {
    match address {
        IpAddr::V4(address) => reach_v4(address),
        IpAddr::V6(address) if address.is_loopback() => Reach::Loopback,
        IpAddr::V6(address) => match embedded_v4(address) {
            Some(inner) => reach_v4(inner),
            None if address.is_unicast_link_local()
                || address.is_unspecified()
                || address.is_multicast() =>
            {
                Reach::Nobody
            }
            None if address.is_unique_local() => Reach::Private,
            None => Reach::Public,
        },
    }
}

fn reach_v4(address: Ipv4Addr) -> Reach {
    let [first, second, ..] = address.octets();
    if address.is_loopback() {
        Reach::Loopback
    } else if address.is_link_local()
        || address.is_multicast()
        || address.is_broadcast()
        || first == 0
    {
        Reach::Nobody
    } else if address.is_private() || (first == 100 && (64..128).contains(&second)) {
        // 100.64.0.0/10 is shared within a provider's network (RFC 6598).
        Reach::Private
    } else {
        Reach::Public
    }
}

/// Returns the IPv4 address inside a mapped, compatible or translated one (RFC 4291, 2.5.5; RFC 6052, 2.1).
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let segments = address.segments();
    let [.., high, low] = segments;
    let embeds = match segments[..6] {
        [0, 0, 0, 0, 0, 0] => high != 0,
        [0, 0, 0, 0, 0, 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => true,
        _ => false,
    };
    embeds.then(|| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
}
