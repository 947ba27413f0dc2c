//! The pieces without a network.

use proptest::prelude::*;
use serde_json::json;
use url::Url;

use super::*;
use crate::{
    config::{Planes, RiskPolicy, ServerConfig, Transport},
    oauth::{
        TokenRegistry,
        assertion::SigningKey,
        challenge::Challenge,
        metadata::{canonical_resource, covers, same_issuer},
        scope::Scopes,
        web::shown,
    },
    ports::TokenSources as _,
};

#[test]
fn challenges_are_read_as_they_are_written() {
    let of = |resource: Option<&str>, scope: Option<&str>, error: Option<&str>| Challenge {
        resource_metadata: resource.map(str::to_owned),
        scope: scope.map(str::to_owned),
        error: error.map(str::to_owned),
    };
    for (header, expected) in [
        ("", of(None, None, None)),
        ("Bearer", of(None, None, None)),
        ("bearer scope=a", of(None, Some("a"), None)),
        (
            "Bearer realm=\"x, scope=\\\"y\\\"\", scope=\"a b\"",
            of(None, Some("a b"), None),
        ),
        (
            "Bearer scope = \"a\" , error=insufficient_scope",
            of(None, Some("a"), Some("insufficient_scope")),
        ),
        (
            "Basic scope=\"no\", Bearer scope=\"yes\"",
            of(None, Some("yes"), None),
        ),
        (
            "Negotiate YWJj==, Bearer error=\"invalid_token\"",
            of(None, None, Some("invalid_token")),
        ),
        ("Bearer scope=\"a\", scope=\"b\"", of(None, Some("a"), None)),
        ("Bearer scope=\"open", of(None, None, None)),
        ("DPoP error=\"x\"", of(None, None, None)),
        (
            "Bearer xscope=\"a\", resource_metadata=\"https://h/p?q=1\"",
            of(Some("https://h/p?q=1"), None, None),
        ),
    ] {
        assert_eq!(Challenge::parse(header), expected, "{header}");
    }
    let long = format!("Bearer scope=\"{}\"", "a".repeat(9000));
    assert_eq!(Challenge::parse(&long), Challenge::default());
}

proptest! {
    #[test]
    fn any_header_is_read_without_harm(header in ".{0,200}") {
        let first = Challenge::parse(&header);
        prop_assert_eq!(&first, &Challenge::parse(&header));
    }

    #[test]
    fn quoted_values_come_back(value in "[ -~]{0,40}") {
        let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
        let read = Challenge::parse(&format!("Bearer realm=\"{quoted}\", scope=\"{quoted}\""));
        prop_assert_eq!(read.scope.as_deref(), Some(value.as_str()));
    }
}

#[test]
fn issuers_are_compared_as_text() {
    for (left, right, same) in [
        ("https://a.test", "https://a.test", true),
        ("https://a.test/", "https://a.test", true),
        ("https://a.test/x/", "https://a.test/x", false),
        ("https://a.test:443", "https://a.test", false),
        ("https://A.test", "https://a.test", false),
        ("https://a.test?", "https://a.test", false),
        ("", "/", false),
    ] {
        assert_eq!(same_issuer(left, right), same, "{left} {right}");
    }
}

#[test]
fn a_resource_covers_its_paths() {
    let server = Url::parse("https://h.test/a/b").unwrap();
    for (resource, expected) in [
        ("https://h.test/a/b", true),
        ("https://h.test/a", true),
        ("https://h.test/a/", true),
        ("https://h.test", true),
        ("https://h.test/a/b/c", false),
        ("https://h.test/a/bc", false),
        ("https://h.test/A", false),
        ("http://h.test/a/b", false),
        ("https://h.test:444/a/b", false),
        ("https://other.test/a/b", false),
        ("https://h.test/a/b#f", false),
    ] {
        assert_eq!(
            covers(&Url::parse(resource).unwrap(), &server),
            expected,
            "{resource}"
        );
    }
    let sibling = Url::parse("https://h.test/ab").unwrap();
    assert!(!covers(&Url::parse("https://h.test/a").unwrap(), &sibling));
}

#[test]
fn addresses_are_named_without_what_they_carry() {
    for (url, resource, text) in [
        ("https://h.test/", "https://h.test", "https://h.test/"),
        (
            "https://h.test/mcp?k=v#f",
            "https://h.test/mcp?k=v",
            "https://h.test/mcp",
        ),
        (
            "https://u:p@h.test/mcp/",
            "https://u:p@h.test/mcp/",
            "https://h.test/mcp/",
        ),
    ] {
        let url = Url::parse(url).unwrap();
        assert_eq!(canonical_resource(&url), resource);
        assert_eq!(shown(&url), text);
    }
}

#[test]
fn scopes_are_sets_in_order() {
    let scopes = Scopes::parse(" b  a b ").unwrap();
    assert_eq!(scopes.to_parameter().unwrap(), "b a");
    let union = scopes.union(&Scopes::parse("c a").unwrap()).unwrap();
    assert_eq!(union.to_parameter().unwrap(), "b a c");
    assert_eq!(Scopes::parse("").unwrap().to_parameter(), None);
    let published = [
        "x y".to_owned(),
        "ok".to_owned(),
        "q\"".to_owned(),
        "ok".to_owned(),
    ];
    assert_eq!(Scopes::of(&published).to_parameter().unwrap(), "ok");
    let many: Vec<String> = (0..257).map(|number| format!("s{number}")).collect();
    let error = Scopes::parse(&many.join(" ")).unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_METADATA_INVALID");
}

/// A key that was made for this test.
const RSA_2048: &str = include_str!("rsa-2048.pem");

#[test]
fn rsa_keys_sign_with_every_digest() {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use ring::signature::{
        KeyPair as _, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384,
        RSA_PKCS1_2048_8192_SHA512, RsaKeyPair, UnparsedPublicKey,
    };
    use rustls::pki_types::{PrivatePkcs1KeyDer, pem::PemObject as _};

    use crate::oauth::assertion::Claims;

    let der = PrivatePkcs1KeyDer::from_pem_slice(RSA_2048.as_bytes()).unwrap();
    let pair = RsaKeyPair::from_der(der.secret_pkcs1_der()).unwrap();
    for (name, check) in [
        (Some("RS256"), &RSA_PKCS1_2048_8192_SHA256),
        (Some("RS384"), &RSA_PKCS1_2048_8192_SHA384),
        (Some("RS512"), &RSA_PKCS1_2048_8192_SHA512),
        (None, &RSA_PKCS1_2048_8192_SHA256),
    ] {
        let key = SigningKey::from_pem(RSA_2048, name).unwrap();
        let claims = Claims {
            client: "c",
            audience: "https://a.test",
            key_id: None,
        };
        let text = key
            .sign(&claims, &FixedClock, &CountingRandom::default())
            .unwrap();
        let (signed, signature) = text.rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        UnparsedPublicKey::new(check, pair.public_key().as_ref())
            .verify(signed.as_bytes(), &signature)
            .unwrap();
    }
    assert!(SigningKey::from_pem(RSA_2048, Some("ES256")).is_err());
}

fn config(http: HttpServer) -> ServerConfig {
    ServerConfig {
        id: id(),
        name: "One".to_owned(),
        enabled: true,
        planes: Planes {
            tools: true,
            resources: false,
            prompts: false,
        },
        risk_policy: RiskPolicy::Allow,
        tools: crate::policy::Selectors::default(),
        resources: crate::policy::Selectors::default(),
        prompts: crate::policy::Selectors::default(),
        timeout: std::time::Duration::from_secs(1),
        exposure: None,
        approval: crate::config::Approval::default(),
        transport: Transport::Http(http),
    }
}

#[tokio::test]
async fn one_source_serves_every_use_of_a_server() {
    let bench = Bench::start().await;
    let flow = OAuthFlow::ClientCredentials {
        client_id: variable("ID"),
        credential: secret(None),
    };
    let server = config(bench.http(flow.clone()));
    let registry = TokenRegistry::new(bench.parts.clone());
    let first = registry.for_server(&server).unwrap();
    let second = registry.for_server(&server).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    assert!(registry.login(&server).is_none());
    first.token().await.unwrap();
    assert!(registry.health(&server).unwrap().authenticated);
    registry.connected(&server);
    assert_eq!(
        registry.health(&server).unwrap().status,
        crate::oauth::OAuthStatus::Connected
    );

    let mut renamed = server.clone();
    renamed.name = "Other".to_owned();
    registry.retain(std::slice::from_ref(&renamed));
    assert!(Arc::ptr_eq(&first, &registry.for_server(&server).unwrap()));

    let mut rescoped = bench.http(flow);
    rescoped.oauth.as_mut().unwrap().scope = Some("a".to_owned());
    let rescoped = config(rescoped);
    let other = registry.for_server(&rescoped).unwrap();
    assert!(!Arc::ptr_eq(&first, &other));
    registry.retain(&[rescoped]);
    assert!(!Arc::ptr_eq(&first, &registry.for_server(&server).unwrap()));

    let mut plain = bench.http(OAuthFlow::AuthorizationCode {
        client_id: None,
        client_secret: None,
    });
    plain.oauth = None;
    let plain = config(plain);
    assert!(registry.for_server(&plain).is_none() && registry.health(&plain).is_none());
}

#[tokio::test]
async fn a_keyring_that_is_not_there_is_not_replaced() {
    let bench = Bench::start().await;
    let mut http = bench.http(OAuthFlow::AuthorizationCode {
        client_id: None,
        client_secret: None,
    });
    http.oauth.as_mut().unwrap().keyring = true;
    let registry = TokenRegistry::new(bench.parts.clone());
    let error = registry
        .for_server(&config(http))
        .unwrap()
        .token()
        .await
        .unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_STORE_UNAVAILABLE");
    assert_eq!(json!(bench.events.names()), json!(["error"]));
}
