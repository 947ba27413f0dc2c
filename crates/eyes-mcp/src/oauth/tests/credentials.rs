use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use futures_util::future::join_all;
use ring::{
    rand::SystemRandom,
    signature::{
        ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _,
        UnparsedPublicKey,
    },
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::*;
use crate::{
    config::SecretAuthMethod,
    oauth::{ClientCredentialsTokens, OAuthStatus},
    ports::TokenSource,
    testing::Answer,
};

pub(super) fn source(bench: &Bench, credential: OAuthCredential) -> Arc<ClientCredentialsTokens> {
    let flow = OAuthFlow::ClientCredentials {
        client_id: variable("ID"),
        credential: credential.clone(),
    };
    let http = bench.http(flow);
    let tokens =
        ClientCredentialsTokens::new(&id(), &http, variable("ID"), credential, &bench.parts);
    Arc::new(tokens)
}

#[tokio::test]
async fn a_token_is_kept_until_shortly_before_its_end() {
    let bench = Bench::start().await;
    let tokens = source(&bench, secret(None));
    assert_eq!(tokens.health().status, OAuthStatus::Idle);
    assert_eq!(&*tokens.token().await.unwrap(), "token-1");
    bench.clock.pass(3569);
    assert_eq!(&*tokens.token().await.unwrap(), "token-1");
    bench.clock.pass(1);
    assert_eq!(&*tokens.token().await.unwrap(), "token-2");
    // The authorization server is asked for once.
    assert_eq!(bench.server.seen_at("GET /mcp").len(), 1);
    assert_eq!(bench.server.seen_at("POST /token").len(), 2);
    let health = tokens.health();
    assert_eq!(health.status, OAuthStatus::Authenticated);
    assert!(health.authenticated && health.discovery_cached && health.last_error.is_none());
    let end = bench.clock.unix_ms() + 3_600_000;
    assert_eq!(health.token_expires_at_ms, Some(end));
    assert_eq!(
        bench.events.names(),
        [
            "discovery-cached",
            "token-acquired",
            "token-expired",
            "token-acquired"
        ]
    );
    assert!(!format!("{tokens:?}").contains("token-2"));
}

#[tokio::test]
async fn a_token_that_lives_shortly_is_used_for_half_of_its_life() {
    let bench = Bench::start().await;
    bench
        .server
        .tokens(json!({ "token_type": "bearer", "expires_in": 10 }));
    let tokens = source(&bench, secret(None));
    assert_eq!(&*tokens.token().await.unwrap(), "token-1");
    bench.clock.pass(4);
    assert_eq!(&*tokens.token().await.unwrap(), "token-1");
    bench.clock.pass(1);
    assert_eq!(&*tokens.token().await.unwrap(), "token-2");
}

#[tokio::test]
async fn a_refused_token_is_replaced_once_for_all_who_held_it() {
    let bench = Bench::start().await;
    let tokens = source(&bench, secret(None));
    let first = tokens.token().await.unwrap();
    let renewed = join_all((0..20).map(|_| tokens.refused(&first, Some("Bearer")))).await;
    assert!(
        renewed
            .iter()
            .all(|token| &**token.as_ref().unwrap() == "token-2")
    );
    // Whoever comes late with the old token gets the one that is there.
    assert_eq!(&*tokens.refused(&first, None).await.unwrap(), "token-2");
    assert_eq!(bench.server.seen_at("POST /token").len(), 2);
    assert!(
        bench
            .events
            .names()
            .contains(&"credentials-invalidated".to_owned())
    );
}

#[tokio::test]
async fn twenty_who_wait_make_one_exchange() {
    let bench = Bench::start().await;
    let tokens = source(&bench, secret(None));
    let given = join_all((0..20).map(|_| tokens.token())).await;
    assert!(
        given
            .iter()
            .all(|token| &**token.as_ref().unwrap() == "token-1")
    );
    assert_eq!(bench.server.seen_at("POST /token").len(), 1);
    assert_eq!(bench.server.seen_at("GET /mcp").len(), 1);
}

#[tokio::test]
async fn one_who_gives_up_stops_nobody_else() {
    let bench = Bench::start().await;
    let (asked, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (telling, waiting) = (Arc::clone(&asked), Arc::clone(&go));
    bench.server.on("POST /token", move |_| {
        telling.notify_one();
        let body = json!({ "access_token": "late", "token_type": "Bearer" });
        Answer::json(200, &body).after(&waiting)
    });
    let tokens = source(&bench, secret(None));
    let leaving = tokio::spawn({
        let tokens = Arc::clone(&tokens);
        async move { tokens.token().await }
    });
    asked.notified().await;
    leaving.abort();
    assert!(leaving.await.unwrap_err().is_cancelled());
    go.notify_one();
    assert_eq!(&*tokens.token().await.unwrap(), "late");
    assert_eq!(bench.server.seen_at("POST /token").len(), 1);
}

#[tokio::test]
async fn a_missing_credential_is_told_before_anything_is_asked() {
    let bench = Bench::start().await;
    for (missing, credential) in [
        ("NO_ID", secret(None)),
        ("NO_SECRET", secret(None)),
        ("NO_KEY", key(None)),
    ] {
        let mut credential = credential;
        match &mut credential {
            OAuthCredential::Secret { secret, .. } if missing == "NO_SECRET" => {
                *secret = variable(missing);
            }
            OAuthCredential::PrivateKey { key, .. } => *key = variable(missing),
            OAuthCredential::Secret { .. } => {}
        }
        let client = if missing == "NO_ID" { "NO_ID" } else { "ID" };
        let flow = OAuthFlow::ClientCredentials {
            client_id: variable(client),
            credential: credential.clone(),
        };
        let http = bench.http(flow);
        let tokens =
            ClientCredentialsTokens::new(&id(), &http, variable(client), credential, &bench.parts);
        let error = tokens.token().await.unwrap_err();
        assert_eq!(code(&error), "MCP_OAUTH_CREDENTIAL_MISSING");
        assert!(error.message.contains(missing), "{error}");
        assert_eq!(tokens.health().status, OAuthStatus::Error);
    }
    assert_eq!(bench.server.seen(), []);
}

#[tokio::test]
async fn the_secret_goes_as_settings_or_metadata_say() {
    let basic = Some(SecretAuthMethod::Basic);
    let post = Some(SecretAuthMethod::Post);
    for (offered, forced, in_header) in [
        (json!(null), None, true),
        (
            json!(["client_secret_basic", "client_secret_post"]),
            None,
            true,
        ),
        (json!(["client_secret_post"]), None, false),
        (json!(["client_secret_post"]), basic, true),
        (json!(["client_secret_basic"]), post, false),
    ] {
        let bench = Bench::start().await;
        bench
            .server
            .metadata(&json!({ "token_endpoint_auth_methods_supported": offered }));
        source(&bench, secret(forced)).token().await.unwrap();
        let request = bench.server.seen_at("POST /token").remove(0);
        let form = request.form();
        assert_eq!(form["grant_type"], "client_credentials");
        assert_eq!(form["resource"], bench.server.at("/mcp"));
        assert_eq!(form.get("scope"), None);
        let header = request.headers.get("authorization");
        if in_header {
            let encoded = STANDARD.encode("client-one:secret-of-client-one");
            assert_eq!(header.unwrap(), &format!("Basic {encoded}"));
            assert_eq!(form.get("client_secret"), None);
        } else {
            assert_eq!(header, None);
            assert_eq!(form["client_id"], "client-one");
            assert_eq!(form["client_secret"], "secret-of-client-one");
        }
    }
}

#[tokio::test]
async fn a_server_that_takes_no_such_credential_gets_none() {
    for (offered, credential) in [
        (json!(["private_key_jwt"]), secret(None)),
        (json!(["client_secret_basic"]), key(None)),
    ] {
        let bench = Bench::start().await;
        bench.variables.set("KEY", &p256().0);
        bench
            .server
            .metadata(&json!({ "token_endpoint_auth_methods_supported": offered }));
        let error = source(&bench, credential).token().await.unwrap_err();
        assert_eq!(code(&error), "MCP_OAUTH_METHOD_UNSUPPORTED");
        assert_eq!(bench.server.seen_at("POST /token"), []);
    }
}

fn key(algorithm: Option<&str>) -> OAuthCredential {
    OAuthCredential::PrivateKey {
        key: variable("KEY"),
        algorithm: algorithm.map(str::to_owned),
        key_id: Some("key-1".to_owned()),
    }
}

/// Makes a key of P-256: as PEM, and its public half.
fn p256() -> (String, Vec<u8>) {
    let random = SystemRandom::new();
    let der = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let pair =
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, der.as_ref(), &random).unwrap();
    let text = STANDARD.encode(der.as_ref());
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n");
    (pem, pair.public_key().as_ref().to_vec())
}

#[tokio::test]
async fn an_assertion_is_signed_for_the_issuer_and_for_one_use() {
    let bench = Bench::start().await;
    let (pem, public) = p256();
    bench.variables.set("KEY", &pem);
    let tokens = source(&bench, key(Some("ES256")));
    let first = tokens.token().await.unwrap();
    tokens.refused(&first, None).await.unwrap();
    let mut used = Vec::new();
    for request in bench.server.seen_at("POST /token") {
        let form = request.form();
        assert_eq!(
            form["client_assertion_type"],
            "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        );
        let (signed, signature) = form["client_assertion"].rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &public)
            .verify(signed.as_bytes(), &signature)
            .unwrap();
        let (header, claims) = signed.split_once('.').unwrap();
        let decode = |part: &str| -> Value {
            serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
        };
        assert_eq!(
            decode(header),
            json!({ "alg": "ES256", "typ": "JWT", "kid": "key-1" })
        );
        let claims = decode(claims);
        let now = bench.clock.unix_ms() / 1000;
        assert_eq!(claims["iss"], "client-one");
        assert_eq!(claims["sub"], "client-one");
        assert_eq!(claims["aud"], bench.server.at(""));
        assert_eq!(claims["iat"], now);
        assert_eq!(claims["exp"], now + 60);
        used.push(claims["jti"].to_string());
    }
    assert_eq!(used.len(), 2);
    assert_ne!(used[0], used[1]);
}

#[tokio::test]
async fn keys_that_cannot_sign_are_refused_before_anything_is_asked() {
    let bench = Bench::start().await;
    let (pem, _) = p256();
    for (text, algorithm) in [
        ("no key", None),
        (pem.as_str(), Some("RS256")),
        (pem.as_str(), Some("ES384")),
        (pem.as_str(), Some("none")),
    ] {
        bench.variables.set("KEY", text);
        let error = source(&bench, key(algorithm)).token().await.unwrap_err();
        assert_eq!(code(&error), "MCP_OAUTH_CREDENTIAL_INVALID");
        assert!(!error.message.contains("PRIVATE"), "{error}");
    }
    assert_eq!(bench.server.seen(), []);
}

#[tokio::test]
async fn answers_that_are_no_bearer_token_are_refused() {
    for body in [
        json!({}),
        json!({ "token_type": "Bearer" }),
        json!({ "access_token": "leaked-a" }),
        json!({ "access_token": "", "token_type": "Bearer" }),
        json!({ "access_token": "leaked-a", "token_type": "DPoP" }),
        json!({ "access_token": "leaked-a\r\nx: y", "token_type": "Bearer" }),
        json!({ "access_token": "a".repeat((16 << 10) + 1), "token_type": "Bearer" }),
        json!({ "access_token": "leaked-a", "token_type": "Bearer", "expires_in": "leaked-b" }),
    ] {
        let bench = Bench::start().await;
        bench
            .server
            .on("POST /token", move |_| Answer::json(200, &body));
        let error = source(&bench, secret(None)).token().await.unwrap_err();
        assert_eq!(code(&error), "MCP_OAUTH_TOKEN_INVALID", "{error}");
        assert!(!error.message.contains("leaked"), "{error}");
    }
}

#[tokio::test]
async fn a_refusal_is_told_without_secrets() {
    let bench = Bench::start().await;
    bench.server.on("POST /token", |_| {
        let words = "no client secret-of-client-one here";
        Answer::json(
            401,
            &json!({ "error": "invalid_client", "error_description": words }),
        )
    });
    let tokens = source(&bench, secret(None));
    let error = tokens.token().await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_FAILED");
    assert!(
        error
            .message
            .contains("invalid_client: no client [REDACTED] here"),
        "{error}"
    );
    assert_eq!(tokens.health().last_error.unwrap().message, error.message);
    // The next one who asks tries again.
    bench.server.tokens(json!({ "token_type": "Bearer" }));
    assert_eq!(&*tokens.token().await.unwrap(), "token-1");
    assert_eq!(tokens.health().last_error, None);

    bench.server.on("POST /token", |_| Answer::status(503));
    let error = tokens.refused("token-1", None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_FAILED");
    assert!(
        error.message.ends_with("/token answered with status 503"),
        "{error}"
    );
}

#[tokio::test]
async fn a_refresh_token_is_used_and_does_without() {
    let bench = Bench::start().await;
    let members = json!({ "token_type": "Bearer", "expires_in": 60, "refresh_token": true });
    bench.server.tokens(members);
    let tokens = source(&bench, secret(None));
    tokens.token().await.unwrap();
    bench.clock.pass(60);
    assert_eq!(&*tokens.token().await.unwrap(), "token-2");
    bench.server.tokens(json!({ "token_type": "Bearer" }));
    bench.server.on("POST /token", |request| {
        if request.form()["grant_type"] == "refresh_token" {
            return Answer::json(400, &json!({ "error": "invalid_grant" }));
        }
        Answer::json(
            200,
            &json!({ "access_token": "anew", "token_type": "Bearer" }),
        )
    });
    bench.clock.pass(60);
    assert_eq!(&*tokens.token().await.unwrap(), "anew");
    let grants: Vec<String> = bench
        .server
        .seen_at("POST /token")
        .iter()
        .map(|request| request.form()["grant_type"].clone())
        .collect();
    assert_eq!(
        grants,
        [
            "client_credentials",
            "refresh_token",
            "refresh_token",
            "client_credentials"
        ]
    );
}

#[tokio::test]
async fn more_scope_is_asked_for_once() {
    let bench = Bench::start().await;
    bench
        .server
        .resource(&json!({ "scopes_supported": ["read"] }));
    let tokens = source(&bench, secret(None));
    let first = tokens.token().await.unwrap();
    let challenge = "Bearer error=\"insufficient_scope\", scope=\"write\"";
    let second = tokens.refused(&first, Some(challenge)).await.unwrap();
    let error = tokens.refused(&second, Some(challenge)).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_SCOPE_MISSING");
    let scopes: Vec<Option<String>> = bench
        .server
        .seen_at("POST /token")
        .iter()
        .map(|request| request.form().get("scope").cloned())
        .collect();
    assert_eq!(
        scopes,
        [Some("read".to_owned()), Some("read write".to_owned())]
    );
}

#[tokio::test]
async fn credentials_go_to_the_server_that_took_them_first() {
    let bench = Bench::start().await;
    let other = LoopbackAuthorization::start().await.unwrap();
    let tokens = source(&bench, secret(None));
    let first = tokens.token().await.unwrap();
    bench
        .server
        .resource(&json!({ "authorization_servers": [other.at("")] }));
    let error = tokens.refused(&first, None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_ISSUER_MISMATCH");
    assert_eq!(other.seen_at("POST /token"), []);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_ever() {
    let mut bench = Bench::start().await;
    bench.parts.transports = Arc::new(Silence);
    let error = source(&bench, secret(None)).token().await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_TIMEOUT");
}
