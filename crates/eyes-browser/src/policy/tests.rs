use super::{Denied, DownloadPolicy, InvalidRule, Rule, UrlPolicy, Where, safe_name};
use crate::limits::MAX_FILE_NAME_CHARS;

fn rules(texts: &[&str]) -> Vec<Rule> {
    texts
        .iter()
        .map(|text| text.parse().expect("a rule"))
        .collect()
}

fn allowed(policy: &UrlPolicy, address: &str) -> bool {
    policy.check(address, Where::Main).is_ok()
}

#[test]
fn rules_name_hosts_ports_schemes_and_paths() {
    for (rule, address, matches) in [
        ("example.com", "https://example.com/", true),
        ("example.com", "https://EXAMPLE.com./x", true),
        ("example.com", "https://www.example.com/", false),
        ("*.example.com", "https://a.b.example.com/", true),
        ("*.example.com", "https://example.com/", true),
        ("*.example.com", "https://badexample.com/", false),
        ("*.example.com", "https://example.com.evil.test/", false),
        ("*", "http://anything.test/", true),
        ("https://*", "http://anything.test/", false),
        ("example.com:8443", "https://example.com:8443/", true),
        ("example.com:443", "https://example.com/", true),
        ("example.com:8443", "https://example.com/", false),
        (
            "https://example.com/docs/",
            "https://example.com/docs/a",
            true,
        ),
        ("https://example.com/docs/", "https://example.com/", false),
        ("[::1]:80", "http://[::1]/", true),
        ("127.0.0.1", "http://2130706433/", true),
        ("example.com", "https://example.com@evil.test/", false),
        ("bücher.example", "https://xn--bcher-kva.example/", true),
    ] {
        let url = address.parse().expect("an address");
        assert_eq!(rules(&[rule])[0].matches(&url), matches, "{rule} {address}");
    }
    for text in ["", "a*b", "*.*.com", "example.com:x", "://x", "a b"] {
        let error = text.parse::<Rule>().expect_err(text);
        assert_eq!(error, InvalidRule(text.to_owned()));
    }
}

#[test]
fn local_schemes_need_permission() {
    let policy = UrlPolicy::default();
    for (address, is_allowed) in [
        ("https://example.com/", true),
        ("http://127.0.0.1:8000/", true),
        ("about:blank", true),
        ("file:///etc/passwd", false),
        ("data:text/html,x", false),
        ("javascript:alert(1)", false),
        ("chrome://settings", false),
        ("view-source:https://example.com/", false),
        ("blob:https://example.com/1", true),
        ("blob:file:///1", false),
        ("example.com", false),
        ("http://169.254.169.254/latest/", false),
    ] {
        assert_eq!(allowed(&policy, address), is_allowed, "{address}");
    }
    assert!(policy.check("data:text/html,x", Where::Frame).is_ok());
    let mut files = policy;
    files.schemes.insert("file".to_owned());
    assert!(allowed(&files, "file:///etc/passwd"));
}

#[test]
fn private_networks_are_a_switch() {
    let policy = UrlPolicy {
        private_networks: false,
        ..UrlPolicy::default()
    };
    for address in [
        "http://localhost/",
        "http://a.localhost./",
        "http://127.1/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://[::ffff:192.168.0.1]/",
        "http://0.0.0.0/",
    ] {
        assert!(
            matches!(
                policy.check(address, Where::Frame),
                Err(Denied::Network { .. })
            ),
            "{address}"
        );
    }
    assert!(policy.needs_addresses() && allowed(&policy, "https://example.com/"));
    let url = "https://example.com/".parse().expect("an address");
    assert!(policy.check_address(&url, [10, 0, 0, 1].into()).is_err());
    assert!(
        policy
            .check_address(&url, [93, 184, 215, 14].into())
            .is_ok()
    );
}

#[test]
fn what_is_denied_stays_denied() {
    let policy = UrlPolicy {
        allow: rules(&["*.example.com", "169.254.169.254"]),
        deny: rules(&["admin.example.com"]),
        ..UrlPolicy::default()
    };
    assert!(allowed(&policy, "https://www.example.com/"));
    assert!(allowed(&policy, "http://169.254.169.254/"));
    let denied = policy.check("https://admin.example.com/", Where::Main);
    assert!(matches!(denied, Err(Denied::Rule { .. })), "{denied:?}");
    let denied = policy.check("https://other.test/", Where::Main);
    assert_eq!(denied, Err(Denied::NotListed("other.test".to_owned())));
}

#[test]
fn names_of_downloads_are_safe_everywhere() {
    for (name, safe) in [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\y.txt", "y.txt"),
        (".bashrc", "bashrc"),
        ("a\u{0}b<c>.txt", "a_b_c_.txt"),
        ("", "download"),
        ("..", "download"),
        ("con", "_con"),
        ("LPT1.txt", "_LPT1.txt"),
        ("console.txt", "console.txt"),
        ("photo\u{202e}gpj.exe", "photo_gpj.exe"),
        ("ü 文.txt", "ü 文.txt"),
    ] {
        assert_eq!(safe_name(name), safe, "{name:?}");
    }
    let long = safe_name(&format!("{}.tar", "x".repeat(500)));
    assert_eq!(long.chars().count(), MAX_FILE_NAME_CHARS);
    assert_eq!(long.rsplit_once('.').expect("an extension").1, "tar");
}

#[test]
fn downloads_have_a_size_and_a_type() {
    let policy = DownloadPolicy {
        max_bytes: 10,
        extensions: ["pdf".to_owned()].into(),
    };
    assert_eq!(policy.refusal("a.PDF", 10), None);
    assert!(
        policy
            .refusal("a.pdf", 11)
            .expect("too large")
            .contains("10 bytes")
    );
    assert!(policy.refusal("a.exe", 0).expect("a type").contains("exe"));
    assert!(policy.refusal("pdf", 0).is_some());
    assert_eq!(DownloadPolicy::default().refusal("a.exe", 1 << 20), None);
}
