use serde_json::{Value, json};
use url::Url;

use super::*;
use crate::{
    oauth::{
        challenge::Challenge,
        discovery::{Authority, discover},
        web::Web,
    },
    ports::TokenSource as _,
    testing::Answer,
};

const ISSUER_PLACE: &str = "GET /.well-known/oauth-authorization-server";

async fn found(bench: &Bench, challenge: Option<&str>) -> Result<Authority, McpError> {
    let flow = OAuthFlow::AuthorizationCode {
        client_id: None,
        client_secret: None,
    };
    let http = bench.http(flow);
    let web = Web::new(bench.parts.transports.for_server(&http), http.url.clone());
    discover(&web, challenge.map(Challenge::parse).as_ref()).await
}

#[tokio::test]
async fn the_places_are_tried_in_their_order() {
    let bench = Bench::start().await;
    let issuer = bench.server.at("/tenant");
    bench.server.on("GET /mcp", |_| Answer::status(405));
    bench
        .server
        .resource(&json!({ "authorization_servers": [issuer] }));
    let document = json!({ "issuer": issuer, "token_endpoint": bench.server.at("/tenant/token") });
    bench
        .server
        .on("GET /tenant/.well-known/openid-configuration", move |_| {
            Answer::json(200, &document)
        });
    let authority = found(&bench, None).await.unwrap();
    // No authorization_endpoint is needed for tokens of the client itself.
    assert_eq!(authority.metadata.authorization_endpoint, None);
    assert_eq!(
        authority.token_endpoint.as_str(),
        bench.server.at("/tenant/token")
    );
    let routes: Vec<String> = bench
        .server
        .seen()
        .into_iter()
        .map(|seen| seen.route)
        .collect();
    assert_eq!(
        routes,
        [
            "GET /mcp",
            "GET /.well-known/oauth-protected-resource/mcp",
            "GET /.well-known/oauth-authorization-server/tenant",
            "GET /.well-known/openid-configuration/tenant",
            "GET /tenant/.well-known/openid-configuration",
        ]
    );
}

#[tokio::test]
async fn a_challenge_names_the_place_and_the_scope() {
    let bench = Bench::start().await;
    let document = json!({
        "resource": bench.server.at(""), "authorization_servers": [bench.server.at("")],
        "scopes_supported": ["published"],
    });
    bench
        .server
        .on("GET /elsewhere", move |_| Answer::json(200, &document));
    let place = bench.server.at("/elsewhere");
    let challenge = format!("Bearer scope=\"a b\", resource_metadata=\"{place}\"");
    let authority = found(&bench, Some(&challenge)).await.unwrap();
    assert_eq!(authority.scopes, ["a", "b"]);
    assert_eq!(authority.resource, bench.server.at(""));
    assert_eq!(bench.server.seen_at("GET /mcp"), []);
    let challenge = "Bearer resource_metadata=\"/elsewhere\"";
    assert_eq!(
        found(&bench, Some(challenge)).await.unwrap().scopes,
        ["published"]
    );
}

#[tokio::test]
async fn a_server_of_2025_03_26_is_its_own_authorization_server() {
    let bench = Bench::start().await;
    bench.server.on("GET /mcp", |_| Answer::status(401));
    bench
        .server
        .on("GET /.well-known/oauth-protected-resource/mcp", |_| {
            Answer::status(404)
        });
    let authority = found(&bench, None).await.unwrap();
    assert_eq!(authority.metadata.issuer.unwrap(), bench.server.at(""));
    assert_eq!(authority.resource, bench.server.at("/mcp"));
    bench.server.on(ISSUER_PLACE, |_| Answer::status(404));
    let authority = found(&bench, None).await.unwrap();
    assert_eq!(authority.metadata.issuer, None);
    assert_eq!(authority.token_endpoint.as_str(), bench.server.at("/token"));
}

async fn refusal(resource: &Value, metadata: &Value) -> &'static str {
    let bench = Bench::start().await;
    bench.server.resource(resource);
    bench.server.metadata(metadata);
    let error = found(&bench, None).await.unwrap_err();
    assert_eq!(bench.server.seen_at("POST /token"), []);
    code(&error)
}

#[tokio::test]
async fn what_a_server_says_wrongly_of_itself_is_refused() {
    let servers = |address: &str| json!({ "authorization_servers": [address] });
    for (change, expected) in [
        (
            json!({ "resource": "https://evil.test/mcp" }),
            "MCP_OAUTH_METADATA_INVALID",
        ),
        (json!({ "resource": null }), "MCP_OAUTH_METADATA_INVALID"),
        (json!({ "resource": "mcp" }), "MCP_OAUTH_METADATA_INVALID"),
        (servers("http://evil.test"), "MCP_ADDRESS_BLOCKED"),
        (servers("https://169.254.169.254"), "MCP_ADDRESS_BLOCKED"),
        (servers("https://10.0.0.1"), "MCP_ADDRESS_BLOCKED"),
    ] {
        assert_eq!(refusal(&change, &json!({})).await, expected, "{change}");
    }
}

#[tokio::test]
async fn what_an_authorization_server_says_wrongly_of_itself_is_refused() {
    let endpoint = |address: &str| json!({ "token_endpoint": address });
    for (change, expected) in [
        (
            json!({ "issuer": "https://evil.test" }),
            "MCP_OAUTH_ISSUER_MISMATCH",
        ),
        (json!({ "issuer": null }), "MCP_OAUTH_METADATA_INVALID"),
        (
            json!({ "token_endpoint": null }),
            "MCP_OAUTH_METADATA_INVALID",
        ),
        (endpoint("http://evil.test/"), "MCP_ADDRESS_BLOCKED"),
        (endpoint("https://u:p@evil.test/"), "MCP_ADDRESS_BLOCKED"),
        (
            json!({ "authorization_endpoint": "file:///x" }),
            "MCP_ADDRESS_BLOCKED",
        ),
    ] {
        assert_eq!(refusal(&json!({}), &change).await, expected, "{change}");
    }
}

#[tokio::test]
async fn credentials_go_to_no_address_that_is_blocked() {
    let bench = Bench::start().await;
    bench
        .server
        .metadata(&json!({ "token_endpoint": "https://169.254.169.254/token" }));
    let tokens = credentials::source(&bench, secret(None));
    let error = tokens.token().await.unwrap_err();
    assert_eq!(code(&error), "MCP_ADDRESS_BLOCKED");
}

#[tokio::test]
async fn redirects_stay_at_their_origin_and_end() {
    let bench = Bench::start().await;
    let document =
        json!({ "issuer": bench.server.at(""), "token_endpoint": bench.server.at("/t") });
    bench
        .server
        .on("GET /moved", move |_| Answer::json(200, &document));
    bench.server.on(ISSUER_PLACE, |_| {
        Answer::status(302).header("location", "/moved")
    });
    found(&bench, None).await.unwrap();
    for target in [
        "http://169.254.169.254/latest",
        "https://169.254.169.254/",
        "http://127.0.0.1:1/",
        "https://evil.test/",
        "",
    ] {
        bench.server.on(ISSUER_PLACE, move |_| match target {
            "" => Answer::status(302),
            target => Answer::status(302).header("location", target),
        });
        let error = found(&bench, None).await.unwrap_err();
        assert_eq!(code(&error), "MCP_ADDRESS_BLOCKED", "{target}");
    }
    bench.server.on(ISSUER_PLACE, |request| {
        Answer::status(302).header("location", request.route.trim_start_matches("GET "))
    });
    let error = found(&bench, None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_DISCOVERY_FAILED");
}

#[tokio::test]
async fn documents_are_bounded_and_outages_told() {
    let bench = Bench::start().await;
    let whole = json!({ "issuer": bench.server.at(""), "x": "x".repeat(1 << 20) });
    bench
        .server
        .on(ISSUER_PLACE, move |_| Answer::json(200, &whole));
    let error = found(&bench, None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_RESPONSE_LIMIT");
    for status in [429, 500, 503] {
        bench
            .server
            .on(ISSUER_PLACE, move |_| Answer::status(status));
        let error = found(&bench, None).await.unwrap_err();
        assert_eq!(code(&error), "MCP_OAUTH_DISCOVERY_FAILED");
        assert!(
            error
                .message
                .ends_with(&format!("answered with status {status}")),
            "{error}"
        );
    }
    bench
        .server
        .on(ISSUER_PLACE, |_| Answer::json(200, &Value::Null));
    let error = found(&bench, None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_DISCOVERY_FAILED");
    assert!(
        error.message.contains("no authorization server publishes"),
        "{error}"
    );
    let place = bench.server.at("/nothing");
    bench
        .server
        .on("GET /nothing", |_| Answer::json(200, &json!([1])));
    let challenge = format!("Bearer resource_metadata=\"{place}\"");
    let error = found(&bench, Some(&challenge)).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_METADATA_INVALID");
}

#[tokio::test]
async fn a_public_server_leads_to_no_machine_of_its_own() {
    let bench = Bench::start().await;
    let mut http = bench.http(OAuthFlow::AuthorizationCode {
        client_id: None,
        client_secret: None,
    });
    http.url = Url::parse("https://mcp.example.com/").unwrap();
    let transport = bench.parts.transports.for_server(&http);
    for target in [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://a.localhost/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://10.1.2.3/",
        "https://192.168.0.1/",
        "https://169.254.169.254/",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://0.0.0.0/",
    ] {
        let request = Request::get(target).body(Vec::new()).unwrap();
        let error = transport.send(request, 1).await.unwrap_err();
        assert_eq!(code(&error), "MCP_ADDRESS_BLOCKED", "{target}");
    }
    http.allow_private = true;
    let web = Web::new(bench.parts.transports.for_server(&http), http.url.clone());
    let local = Url::parse("http://127.0.0.1/").unwrap();
    assert_eq!(code(&web.check(&local).unwrap_err()), "MCP_ADDRESS_BLOCKED");
}
