use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use url::Url;

use super::*;
use crate::{
    oauth::{AuthorizationCodeTokens, MemoryTokens, PendingLogin, StoredLogin, TokenStore},
    ports::TokenSource as _,
    testing::{Answer, SeenRequest},
};

const BACK: &str = "http://127.0.0.1:9/callback";

fn source_with(
    bench: &Bench,
    client: (Option<&str>, Option<&str>),
    store: Arc<dyn TokenStore>,
) -> Arc<AuthorizationCodeTokens> {
    let client = (client.0.map(variable), client.1.map(variable));
    let flow = OAuthFlow::AuthorizationCode {
        client_id: client.0.clone(),
        client_secret: client.1.clone(),
    };
    let http = bench.http(flow);
    Arc::new(AuthorizationCodeTokens::new(
        &id(),
        &http,
        client,
        &bench.parts,
        store,
    ))
}

fn source(bench: &Bench) -> Arc<AuthorizationCodeTokens> {
    source_with(bench, (None, None), Arc::new(MemoryTokens::default()))
}

/// Does what a browser does: opens the address, and returns the one it is sent to.
async fn browse(url: &Url) -> Url {
    let answer = fetch(url).await;
    let line = answer
        .lines()
        .find_map(|line| line.strip_prefix("location: "));
    Url::parse(line.expect("a redirect")).unwrap()
}

async fn fetch(url: &Url) -> String {
    let address = (url.host_str().unwrap(), url.port().unwrap());
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let target = &url[url::Position::BeforePath..];
    let request = format!("GET {target} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

async fn begin(tokens: &AuthorizationCodeTokens, challenge: Option<&str>) -> PendingLogin {
    let back = Url::parse(BACK).unwrap();
    tokens.begin(&back, challenge).await.unwrap()
}

async fn log_in(tokens: &AuthorizationCodeTokens) {
    let pending = begin(tokens, None).await;
    let callback = browse(pending.url()).await;
    tokens.finish(pending, &callback).await.unwrap();
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    pairs
        .find(|(found, _)| found == name)
        .map(|(_, value)| value.into_owned())
}

fn token_requests(bench: &Bench) -> Vec<SeenRequest> {
    bench.server.seen_at("POST /token")
}

#[tokio::test]
async fn a_login_gives_tokens() {
    let bench = Bench::start().await;
    let tokens = source(&bench);
    let error = tokens.token().await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_LOGIN_MISSING");
    assert_eq!(bench.server.seen(), []);

    bench
        .server
        .resource(&json!({ "scopes_supported": ["read"] }));
    bench
        .server
        .metadata(&json!({ "scopes_supported": ["read", "offline_access"] }));
    let pending = begin(&tokens, None).await;
    assert!(!format!("{pending:?}").contains(pending.state()));
    let url = pending.url().clone();
    assert_eq!(parameter(&url, "client_id").unwrap(), "registered-1");
    assert_eq!(parameter(&url, "response_type").unwrap(), "code");
    assert_eq!(parameter(&url, "code_challenge_method").unwrap(), "S256");
    assert_eq!(parameter(&url, "redirect_uri").unwrap(), BACK);
    assert_eq!(
        parameter(&url, "resource").unwrap(),
        bench.server.at("/mcp")
    );
    assert_eq!(parameter(&url, "scope").unwrap(), "read offline_access");
    let callback = browse(&url).await;
    tokens.finish(pending, &callback).await.unwrap();
    assert_eq!(&*tokens.token().await.unwrap(), "token-1");

    let registration = bench.server.seen_at("POST /register").remove(0);
    let registration: Value = serde_json::from_str(&registration.body).unwrap();
    assert_eq!(registration["redirect_uris"], json!([BACK]));
    assert_eq!(registration["token_endpoint_auth_method"], "none");
    assert_eq!(registration["application_type"], "native");
    let form = token_requests(&bench).remove(0).form();
    assert_eq!(form["client_id"], "registered-1");
    assert_eq!(form["redirect_uri"], BACK);
    assert_eq!(form["resource"], bench.server.at("/mcp"));
    assert!(bench.events.names().contains(&"logged-in".to_owned()));

    tokens.logout().await.unwrap();
    assert_eq!(
        code(&tokens.token().await.unwrap_err()),
        "MCP_OAUTH_LOGIN_MISSING"
    );
}

#[tokio::test]
async fn callbacks_that_are_not_of_this_login_are_refused() {
    let bench = Bench::start().await;
    let tokens = source(&bench);
    for (change, expected) in [
        (vec![("state", Some("other"))], "MCP_OAUTH_LOGIN_FAILED"),
        (vec![("state", None)], "MCP_OAUTH_LOGIN_FAILED"),
        (vec![("code", None)], "MCP_OAUTH_LOGIN_FAILED"),
        (
            vec![("error", Some("access_denied"))],
            "MCP_OAUTH_LOGIN_FAILED",
        ),
        (
            vec![("iss", Some("https://evil.test"))],
            "MCP_OAUTH_ISSUER_MISMATCH",
        ),
        (vec![("iss", None)], "MCP_OAUTH_ISSUER_MISMATCH"),
        // The wrong server's refusal is none of this login.
        (
            vec![("iss", Some("https://evil.test")), ("error", Some("x"))],
            "MCP_OAUTH_ISSUER_MISMATCH",
        ),
    ] {
        let pending = begin(&tokens, None).await;
        let callback = browse(pending.url()).await;
        let mut changed = callback.clone();
        changed.set_query(None);
        for (name, value) in callback.query_pairs() {
            if change.iter().all(|(changed, _)| *changed != name) {
                changed.query_pairs_mut().append_pair(&name, &value);
            }
        }
        for (name, value) in &change {
            if let Some(value) = value {
                changed.query_pairs_mut().append_pair(name, value);
            }
        }
        let error = tokens.finish(pending, &changed).await.unwrap_err();
        assert_eq!(code(&error), expected, "{change:?}: {error}");
    }
    let pending = begin(&tokens, None).await;
    let mut twice = browse(pending.url()).await;
    twice.query_pairs_mut().append_pair("code", "other");
    let error = tokens.finish(pending, &twice).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_LOGIN_FAILED");
    assert_eq!(token_requests(&bench), []);
}

#[tokio::test]
async fn the_issuer_of_the_answer_is_the_same_text() {
    let bench = Bench::start().await;
    bench
        .server
        .metadata(&json!({ "authorization_response_iss_parameter_supported": null }));
    let tokens = source(&bench);
    for (issuer, fits) in [
        (None, true),
        (Some(bench.server.at("")), true),
        (Some(bench.server.at("/")), false),
    ] {
        let pending = begin(&tokens, None).await;
        let mut callback = Url::parse(BACK).unwrap();
        browse(pending.url()).await;
        callback
            .query_pairs_mut()
            .append_pair("state", pending.state())
            .append_pair("code", "code-1")
            .extend_pairs(issuer.iter().map(|issuer| ("iss", issuer)));
        let finished = tokens.finish(pending, &callback).await;
        assert_eq!(finished.is_ok(), fits, "{issuer:?}: {finished:?}");
    }
}

#[tokio::test]
async fn servers_without_the_flow_are_refused() {
    for change in [
        json!({ "code_challenge_methods_supported": ["plain"] }),
        json!({ "response_types_supported": ["token"] }),
        json!({ "authorization_endpoint": null }),
    ] {
        let bench = Bench::start().await;
        bench.server.metadata(&change);
        let back = Url::parse(BACK).unwrap();
        let error = source(&bench).begin(&back, None).await.unwrap_err();
        assert_eq!(code(&error), "MCP_OAUTH_METHOD_UNSUPPORTED", "{change}");
    }
    let bench = Bench::start().await;
    bench
        .server
        .metadata(&json!({ "registration_endpoint": null }));
    let back = Url::parse(BACK).unwrap();
    let error = source(&bench).begin(&back, None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_CREDENTIAL_MISSING");
    bench.server.metadata(&json!({}));
    bench.server.on("POST /register", |_| {
        let words = json!({ "error": "invalid_redirect_uri", "error_description": "no" });
        Answer::json(400, &words)
    });
    let error = source(&bench).begin(&back, None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_FAILED");
    assert!(
        error.message.contains("invalid_redirect_uri: no"),
        "{error}"
    );
}

#[tokio::test]
async fn the_client_is_the_configured_one_where_there_is_one() {
    let bench = Bench::start().await;
    bench
        .variables
        .set("DOCUMENT", "https://client.test/metadata.json");
    let store = || Arc::new(MemoryTokens::default());
    let known = source_with(&bench, (Some("ID"), Some("SECRET")), store());
    log_in(&known).await;
    let request = token_requests(&bench).remove(0);
    assert!(request.headers["authorization"].starts_with("Basic "));
    assert_eq!(bench.server.seen_at("POST /register"), []);

    let described = source_with(&bench, (Some("DOCUMENT"), None), store());
    let pending = begin(&described, None).await;
    assert_eq!(
        parameter(pending.url(), "client_id").unwrap(),
        "registered-1"
    );
    bench
        .server
        .metadata(&json!({ "client_id_metadata_document_supported": true }));
    let pending = begin(&described, None).await;
    let id = parameter(pending.url(), "client_id").unwrap();
    assert_eq!(id, "https://client.test/metadata.json");

    let absent = source_with(&bench, (Some("NOT_SET"), None), store());
    let back = Url::parse(BACK).unwrap();
    let error = absent.begin(&back, None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_CREDENTIAL_MISSING");
}

#[tokio::test]
async fn registered_secrets_are_sent_as_agreed() {
    for (offered, told, in_header) in [
        (json!(["client_secret_basic"]), json!(null), true),
        (json!(["client_secret_post"]), json!(null), false),
        (json!(null), json!("client_secret_post"), false),
    ] {
        let bench = Bench::start().await;
        bench
            .server
            .tokens(json!({ "token_type": "Bearer", "expires_in": 60, "refresh_token": true }));
        bench
            .server
            .metadata(&json!({ "token_endpoint_auth_methods_supported": offered }));
        bench.server.on("POST /register", move |_| {
            let client = json!({
                "client_id": "c", "client_secret": "s", "token_endpoint_auth_method": told,
            });
            Answer::json(201, &client)
        });
        let tokens = source(&bench);
        log_in(&tokens).await;
        bench.clock.pass(60);
        assert_eq!(&*tokens.token().await.unwrap(), "token-2");
        for request in token_requests(&bench) {
            assert_eq!(request.headers.contains_key("authorization"), in_header);
            assert_eq!(request.form().contains_key("client_secret"), !in_header);
        }
    }
}

#[tokio::test]
async fn tokens_are_renewed_and_refresh_tokens_rotate() {
    let bench = Bench::start().await;
    bench
        .server
        .tokens(json!({ "token_type": "Bearer", "expires_in": 60, "refresh_token": true }));
    let store = Arc::new(MemoryTokens::default());
    let tokens = source_with(&bench, (None, None), Arc::<MemoryTokens>::clone(&store));
    log_in(&tokens).await;
    for number in 2..5 {
        bench.clock.pass(60);
        assert_eq!(&*tokens.token().await.unwrap(), &format!("token-{number}"));
    }
    let form = token_requests(&bench).pop().unwrap().form();
    assert_eq!(form["refresh_token"], "refresh-3");
    assert_eq!(form["resource"], bench.server.at("/mcp"));
    assert_eq!(form["client_id"], "registered-1");
    // Another program with the same store goes on without a login.
    let next = source_with(&bench, (None, None), store);
    assert_eq!(&*next.token().await.unwrap(), "token-4");
    // The first one finds what the second renewed.
    bench.clock.pass(60);
    assert_eq!(&*next.token().await.unwrap(), "token-5");
    assert_eq!(&*tokens.token().await.unwrap(), "token-5");
    assert_eq!(token_requests(&bench).len(), 5);
}

#[tokio::test]
async fn a_failed_renewal_loses_nothing() {
    let bench = Bench::start().await;
    let members = json!({ "token_type": "Bearer", "expires_in": 60, "refresh_token": true });
    bench.server.tokens(members.clone());
    let tokens = source(&bench);
    log_in(&tokens).await;
    bench.clock.pass(60);
    bench.server.on("POST /token", |_| Answer::status(502));
    assert_eq!(code(&tokens.token().await.unwrap_err()), "MCP_OAUTH_FAILED");
    bench.server.tokens(members.clone());
    assert_eq!(&*tokens.token().await.unwrap(), "token-2");

    // Some servers want no resource when a token is renewed.
    bench.clock.pass(60);
    bench.server.on("POST /token", |request| {
        match request.form().get("resource") {
            Some(_) => Answer::json(400, &json!({ "error": "invalid_target" })),
            None => Answer::json(
                200,
                &json!({ "access_token": "bare", "token_type": "Bearer", "expires_in": 60 }),
            ),
        }
    });
    assert_eq!(&*tokens.token().await.unwrap(), "bare");

    bench.clock.pass(60);
    bench.server.on("POST /token", |_| {
        Answer::json(400, &json!({ "error": "invalid_grant" }))
    });
    let error = tokens.token().await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_LOGIN_MISSING");
}

/// A store that takes the first login and no other.
#[derive(Debug, Default)]
struct FullStore(MemoryTokens, AtomicU64);

impl TokenStore for FullStore {
    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<StoredLogin>, McpError>> {
        self.0.load(name)
    }

    fn save<'a>(
        &'a self,
        name: &'a str,
        login: &'a StoredLogin,
    ) -> BoxFuture<'a, Result<(), McpError>> {
        if self.1.fetch_add(1, Ordering::Relaxed) == 0 {
            return self.0.save(name, login);
        }
        Box::pin(async { Err(McpError::new(crate::codes::MCP_OAUTH_STORE_FAILED, "full")) })
    }

    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), McpError>> {
        self.0.remove(name)
    }
}

#[tokio::test]
async fn a_renewed_token_that_cannot_be_written_is_used() {
    let bench = Bench::start().await;
    bench
        .server
        .tokens(json!({ "token_type": "Bearer", "expires_in": 60, "refresh_token": true }));
    let tokens = source_with(&bench, (None, None), Arc::new(FullStore::default()));
    log_in(&tokens).await;
    for number in 2..4 {
        bench.clock.pass(60);
        assert_eq!(&*tokens.token().await.unwrap(), &format!("token-{number}"));
    }
    assert!(bench.events.names().contains(&"error".to_owned()));
}

#[tokio::test]
async fn more_scope_needs_a_person_and_keeps_what_was_granted() {
    let bench = Bench::start().await;
    bench
        .server
        .resource(&json!({ "scopes_supported": ["read"] }));
    let tokens = source(&bench);
    log_in(&tokens).await;
    let first = tokens.token().await.unwrap();
    let challenge = "Bearer error=\"insufficient_scope\", scope=\"write\"";
    let error = tokens.refused(&first, Some(challenge)).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_SCOPE_MISSING");
    let pending = begin(&tokens, None).await;
    assert_eq!(parameter(pending.url(), "scope").unwrap(), "read write");
    let callback = browse(pending.url()).await;
    tokens.finish(pending, &callback).await.unwrap();
    assert_eq!(&*tokens.token().await.unwrap(), "token-2");
}

#[tokio::test]
async fn a_server_that_moved_needs_a_new_login() {
    let bench = Bench::start().await;
    let other = LoopbackAuthorization::start().await.unwrap();
    bench
        .server
        .tokens(json!({ "token_type": "Bearer", "refresh_token": true }));
    let tokens = source(&bench);
    log_in(&tokens).await;
    let first = tokens.token().await.unwrap();
    assert_eq!(&*tokens.refused(&first, None).await.unwrap(), "token-2");
    bench
        .server
        .resource(&json!({ "authorization_servers": [other.at("")] }));
    let error = tokens.refused("token-2", None).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_LOGIN_MISSING");
    assert_eq!(token_requests(&bench).len(), 2);
    other.tokens(json!({ "token_type": "Bearer" }));
    log_in(&tokens).await;
    assert_eq!(other.seen_at("POST /register").len(), 1);
    assert_eq!(other.seen_at("POST /token").len(), 1);
}

#[tokio::test]
async fn a_browser_on_this_machine_brings_the_code() {
    let bench = Bench::start().await;
    let tokens = source(&bench);
    let (send, receive) = tokio::sync::oneshot::channel();
    let send = Mutex::new(Some(send));
    let show = move |url: &Url| {
        let sender = send.lock().unwrap().take().unwrap();
        sender.send(url.clone()).unwrap();
    };
    let browser = async {
        let callback = browse(&receive.await.unwrap()).await;
        // An idle connection, and requests that are not the awaited one.
        let address = (callback.host_str().unwrap(), callback.port().unwrap());
        let idle = tokio::net::TcpStream::connect(address).await.unwrap();
        let other = |target: &str| callback.join(target).unwrap();
        for target in [
            "/favicon.ico",
            "/callback?code=x&state=guess",
            "//evil.test/callback",
        ] {
            let mut url = other(target);
            url.set_host(callback.host_str()).unwrap();
            url.set_port(callback.port()).unwrap();
            assert!(fetch(&url).await.starts_with("HTTP/1.1 404 "));
        }
        let page = fetch(&callback).await;
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n"));
        assert!(page.contains("cache-control: no-store") && !page.contains("code-1"));
        drop(idle);
    };
    let (logged_in, ()) = tokio::join!(tokens.login(None, &show), browser);
    logged_in.unwrap();
    assert_eq!(&*tokens.token().await.unwrap(), "token-1");
}

#[tokio::test]
async fn nobody_who_comes_back_ends_the_login() {
    let bench = Bench::start().await;
    let tokens = source(&bench);
    let none = std::time::Duration::ZERO;
    let error = tokens.login_within(none, None, &|_| {}).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_LOGIN_TIMEOUT");
}

#[test]
fn a_stored_login_shows_no_secret_and_comes_back() {
    let text = json!({
        "version": 1, "issuer": "https://a.test", "tokenEndpoint": "https://a.test/token",
        "resource": "https://h.test/mcp", "clientId": "c", "clientSecret": "hidden-1",
        "secretInHeader": true, "accessToken": "hidden-2", "refreshToken": "hidden-3",
        "scope": "a", "expiresAtMs": 5, "lifetimeMs": 3,
    });
    let login: StoredLogin = serde_json::from_value(text.clone()).unwrap();
    assert!(!format!("{login:?} {:?}", login.tokens()).contains("hidden"));
    assert_eq!(serde_json::to_value(&login).unwrap(), text);
}
