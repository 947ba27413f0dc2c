//! Classes of addresses.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// What an address is for (IANA special-purpose address registries, RFC 6890).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AddressClass {
    /// Anywhere on the Internet.
    Public,
    /// This machine: 127.0.0.0/8, `::1`.
    Loopback,
    /// A local network: RFC 1918, unique local IPv6 (RFC 4193), shared addresses of carriers (RFC 6598).
    Private,
    /// One link, where clouds put what describes a machine and holds its credentials: 169.254.0.0/16, `fe80::/10`,
    /// and the other addresses of such services.
    LinkLocal,
    /// No address: 0.0.0.0/8, `::`.
    Unspecified,
    /// Many receivers, or all.
    Multicast,
    /// For examples, measurements, tunnels and the future.
    Reserved,
}

impl fmt::Display for AddressClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Public => "public",
            Self::Loopback => "loopback",
            Self::Private => "private",
            Self::LinkLocal => "link-local or metadata",
            Self::Unspecified => "unspecified",
            Self::Multicast => "multicast",
            Self::Reserved => "reserved",
        })
    }
}

/// Services of clouds outside the link-local range: Alibaba, Azure, Oracle.
const METADATA_V4: [Ipv4Addr; 3] = [
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
/// The service of AWS over IPv6.
const METADATA_V6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254);

impl AddressClass {
    /// Returns the class of an address; one that carries an IPv4 address has that one's.
    ///
    /// Carriers are IPv4-mapped and IPv4-compatible addresses (RFC 4291), NAT64 (RFC 6052) and 6to4 (RFC 3056).
    pub fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => of_v4(address),
            IpAddr::V6(address) => of_v6(address),
        }
    }
}

fn of_v4(address: Ipv4Addr) -> AddressClass {
    let [a, b, c, _] = address.octets();
    if METADATA_V4.contains(&address) || address.is_link_local() {
        return AddressClass::LinkLocal;
    }
    match (a, b, c) {
        (0, ..) => AddressClass::Unspecified,
        (127, ..) => AddressClass::Loopback,
        (10, ..) | (172, 16..=31, _) | (192, 168, _) | (100, 64..=127, _) => AddressClass::Private,
        (224..=239, ..) => AddressClass::Multicast,
        (192, 0, 0 | 2)
        | (192, 88, 99)
        | (198, 18..=19, _)
        | (198, 51, 100)
        | (203, 0, 113)
        | (240.., ..) => AddressClass::Reserved,
        _ => AddressClass::Public,
    }
}

fn of_v6(address: Ipv6Addr) -> AddressClass {
    if address.is_unspecified() {
        return AddressClass::Unspecified;
    }
    if address.is_loopback() {
        return AddressClass::Loopback;
    }
    if address == METADATA_V6 {
        return AddressClass::LinkLocal;
    }
    match address.segments() {
        // IPv4-compatible, IPv4-mapped, and the same behind the translation of RFC 2765.
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
        | [0x2002, high, low, ..] => of_v4(joined(high, low)),
        [0xfe80..=0xfebf, ..] => AddressClass::LinkLocal,
        [0xfc00..=0xfdff | 0xfec0..=0xfeff, ..] => AddressClass::Private,
        [0xff00..=0xffff, ..] => AddressClass::Multicast,
        // Global unicast is 2000::/3; in it are protocol assignments (with Teredo), documentation and nothing else.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => AddressClass::Reserved,
        [0x2000..=0x3fff, ..] => AddressClass::Public,
        _ => AddressClass::Reserved,
    }
}

fn joined(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

#[cfg(test)]
mod tests;
