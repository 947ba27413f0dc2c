use super::AddressClass;

#[test]
fn every_address_has_its_class() {
    use AddressClass::{LinkLocal, Loopback, Multicast, Private, Public, Reserved, Unspecified};
    let table = [
        ("93.184.216.34", Public),
        ("2606:2800:220:1::1", Public),
        ("127.0.0.1", Loopback),
        ("127.255.255.254", Loopback),
        ("::1", Loopback),
        ("::ffff:127.0.0.1", Loopback),
        ("::127.0.0.1", Loopback),
        ("64:ff9b::127.0.0.1", Loopback),
        ("10.1.2.3", Private),
        ("172.16.0.1", Private),
        ("172.31.255.255", Private),
        ("172.32.0.1", Public),
        ("192.168.1.1", Private),
        ("100.64.0.1", Private),
        ("100.128.0.1", Public),
        ("::ffff:10.0.0.1", Private),
        ("64:ff9b::192.168.0.1", Private),
        ("2002:a00:1::", Private),
        ("fc00::1", Private),
        ("fdff::1", Private),
        ("fec0::1", Private),
        ("169.254.169.254", LinkLocal),
        ("::ffff:169.254.169.254", LinkLocal),
        ("64:ff9b::169.254.169.254", LinkLocal),
        ("fe80::1", LinkLocal),
        ("febf::1", LinkLocal),
        ("fd00:ec2::254", LinkLocal),
        ("100.100.100.200", LinkLocal),
        ("168.63.129.16", LinkLocal),
        ("192.0.0.192", LinkLocal),
        ("0.0.0.0", Unspecified),
        ("0.1.2.3", Unspecified),
        ("::", Unspecified),
        ("224.0.0.1", Multicast),
        ("ff02::1", Multicast),
        ("255.255.255.255", Reserved),
        ("240.0.0.1", Reserved),
        ("192.0.2.1", Reserved),
        ("198.51.100.7", Reserved),
        ("203.0.113.9", Reserved),
        ("198.18.0.1", Reserved),
        ("2001:db8::1", Reserved),
        ("2001::1", Reserved),
        ("3fff::1", Reserved),
        ("64:ff9b:1::1", Reserved),
        ("100::1", Reserved),
        ("4000::1", Reserved),
    ];
    for (address, class) in table {
        assert_eq!(
            AddressClass::of(address.parse().unwrap()),
            class,
            "{address}"
        );
    }
}
