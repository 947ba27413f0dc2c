use std::net::SocketAddr;

use eyes_evidence::code::Coded as _;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};
use url::Url;

use super::*;
use crate::codes::{MCP_ADDRESS_BLOCKED, MCP_CONNECT_FAILED, MCP_MESSAGE_SIZE_LIMIT};

const LOCAL: NetPolicy = NetPolicy {
    allow_loopback: true,
    allow_private: false,
};

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

#[test]
fn urls_are_judged_by_scheme_host_and_policy() {
    let private = NetPolicy {
        allow_loopback: false,
        allow_private: true,
    };
    let public = NetPolicy::default();
    let table = [
        (public, "https://example.com/mcp", true),
        (public, "http://example.com/mcp", false),
        (public, "ftp://example.com/", false),
        (public, "https://user@example.com/", false),
        (public, "https://:pw@example.com/", false),
        (public, "http://127.0.0.1:8080/mcp", false),
        (public, "http://localhost/mcp", false),
        (public, "https://10.0.0.1/", false),
        (public, "https://[fd00::1]/", false),
        (private, "https://10.0.0.1/", true),
        (private, "http://10.0.0.1/", false),
        (private, "https://169.254.169.254/", false),
        (private, "https://[::ffff:169.254.169.254]/", false),
        (LOCAL, "http://127.1:8080/mcp", true),
        (LOCAL, "http://2130706433/mcp", true),
        (LOCAL, "http://[::1]/mcp", true),
        (LOCAL, "http://app.localhost./mcp", true),
        (LOCAL, "https://0.0.0.0/", false),
    ];
    for (policy, text, allowed) in table {
        let checked = policy.check_url(&url(text));
        assert_eq!(checked.is_ok(), allowed, "{text}: {checked:?}");
        if let Err(error) = checked {
            assert_eq!(error.code(), MCP_ADDRESS_BLOCKED);
        }
    }
}

#[test]
fn a_url_that_names_this_machine_opens_it_and_no_other_does() {
    let table = [
        ("http://localhost:3000/", true),
        ("http://a.LOCALHOST/", true),
        ("http://127.0.0.9/", true),
        ("https://[::1]/", true),
        ("https://localhost.example.com/", false),
        ("https://notlocalhost/", false),
        ("https://10.0.0.1/", false),
    ];
    for (text, expected) in table {
        let policy = NetPolicy::for_url(&url(text), false);
        assert_eq!(policy.allow_loopback, expected, "{text}");
    }
}

#[test]
fn names_keep_only_the_addresses_that_may_be_reached() {
    let addresses = |list: &[&str]| -> Vec<SocketAddr> {
        let parse = |text: &&str| SocketAddr::new(text.parse().unwrap(), 0);
        list.iter().map(parse).collect()
    };
    let public = NetPolicy::default();
    let mixed = addresses(&["127.0.0.1", "93.184.216.34", "169.254.169.254"]);
    let kept = public.admit("example.com", mixed).unwrap();
    assert_eq!(kept, addresses(&["93.184.216.34"]));
    let rebound = public.admit("example.com", addresses(&["127.0.0.1"]));
    assert!(matches!(
        rebound,
        Err(NetError::Blocked {
            class: AddressClass::Loopback,
            ..
        })
    ));
    let elsewhere = LOCAL.admit("x.localhost", addresses(&["93.184.216.34"]));
    assert!(elsewhere.is_err());
    assert_eq!(public.admit("nowhere.example", Vec::new()), Ok(Vec::new()));
}

/// Answers every connection with the replies in turn, and tells the heads of the requests.
async fn serve(replies: Vec<String>) -> (Url, tokio::task::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let served = tokio::spawn(async move {
        let mut heads = Vec::new();
        for reply in replies {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = vec![0; 4096];
            let read = stream.read(&mut head).await.unwrap();
            heads.push(String::from_utf8_lossy(&head[..read]).into_owned());
            stream.write_all(reply.as_bytes()).await.unwrap();
        }
        heads
    });
    (url(&format!("http://{address}/start")), served)
}

fn reply(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    )
}

async fn get(policy: NetPolicy, url: Url) -> Result<reqwest::Response, NetError> {
    let client = PolicedClient::new(policy, &NetConfig::default(), Redirects::SameOrigin)?;
    let request = client.inner().get(url).build().unwrap();
    client.execute(request).await
}

#[tokio::test]
async fn redirects_are_followed_within_the_origin_only() {
    let (start, served) = serve(vec![
        reply("307 Temporary Redirect", "location: /next\r\n", ""),
        reply("200 OK", "", "here"),
    ])
    .await;
    let response = get(LOCAL, start).await.unwrap();
    assert_eq!(response.url().path(), "/next");
    let body = PolicedClient::read_body(response, 4).await.unwrap();
    assert_eq!(body, b"here");
    assert_eq!(served.await.unwrap().len(), 2);
    for (status, location) in [
        ("307 Temporary Redirect", "http://169.254.169.254/latest"),
        ("308 Permanent Redirect", "http://localhost:1/"),
        ("302 Found", "/next"),
    ] {
        let header = format!("location: {location}\r\n");
        let (start, served) = serve(vec![reply(status, &header, "")]).await;
        let response = get(LOCAL, start).await.unwrap();
        assert!(response.status().is_redirection(), "{status} {location}");
        assert_eq!(served.await.unwrap().len(), 1);
    }
}

#[tokio::test]
async fn bodies_are_bounded_with_and_without_a_length() {
    let body = "x".repeat(65);
    let chunked = format!(
        "HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n41\r\n{body}\r\n0\r\n\r\n"
    );
    for reply in [reply("200 OK", "", &body), chunked] {
        let (start, served) = serve(vec![reply.clone(), reply]).await;
        let response = get(LOCAL, start.clone()).await.unwrap();
        let refused = PolicedClient::read_body(response, 64).await.unwrap_err();
        assert_eq!(refused.code(), MCP_MESSAGE_SIZE_LIMIT);
        let response = get(LOCAL, start).await.unwrap();
        let whole = PolicedClient::read_body(response, 65).await.unwrap();
        assert_eq!(whole.len(), 65);
        served.await.unwrap();
    }
}

#[tokio::test]
async fn what_the_policy_refuses_is_not_connected_to() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let public = NetPolicy::default();
    for host in ["127.0.0.1", "localhost"] {
        let refused = get(public, url(&format!("http://{host}:{port}/"))).await;
        assert_eq!(refused.unwrap_err().code(), MCP_ADDRESS_BLOCKED, "{host}");
    }
    // The resolver is the second line: it also holds for what is sent without the check of the URL.
    let client = PolicedClient::new(public, &NetConfig::default(), Redirects::Never).unwrap();
    let direct = client.inner().get(format!("https://localhost:{port}/"));
    let refused = NetError::from_reqwest(direct.send().await.unwrap_err());
    assert_eq!(refused.code(), MCP_ADDRESS_BLOCKED);
    drop(listener);
    let gone = get(LOCAL, url(&format!("http://127.0.0.1:{port}/secret-path"))).await;
    let gone = gone.unwrap_err();
    assert_eq!(gone.code(), MCP_CONNECT_FAILED);
    assert!(!gone.to_string().contains("secret-path"), "{gone}");
}

#[test]
fn settings_that_cannot_be_used_are_refused() {
    let with = |change: fn(&mut NetConfig)| {
        let mut config = NetConfig::default();
        change(&mut config);
        PolicedClient::new(LOCAL, &config, Redirects::Never).unwrap_err()
    };
    for error in [
        with(|config| config.extra_ca.push(b"nothing".to_vec())),
        with(|config| {
            config
                .extra_ca
                .push(vec![0; crate::limits::MAX_CA_BYTES + 1]);
        }),
        with(|config| {
            config.proxy = Some(ProxyConfig {
                url: "ftp://user:hidden-pw@proxy.example".to_owned(),
                no_proxy: None,
            });
        }),
    ] {
        assert_eq!(error.code(), MCP_CONNECT_FAILED);
        assert!(!error.to_string().contains("hidden-pw"));
    }
}
