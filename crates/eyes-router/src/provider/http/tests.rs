use std::{io::Write as _, time::Duration};

use flate2::{Compression, write::GzEncoder};
use serde_json::json;

use super::{
    super::{
        EndpointConfig,
        fixture::{
            FORMS, Form, KEY, client, endpoint, outcome, outcome_of, refusal_of, request, run,
            short,
        },
        openai::{OpenAiConfig, OpenAiProvider},
    },
    *,
};
use crate::{
    error::ProviderError,
    model::GenerateRequest,
    testing::{LoopbackServer, Received, Step, model_provider_contract},
};

#[test]
fn every_form_keeps_the_contract() {
    for form in FORMS {
        let server = LoopbackServer::start(move |received: &Received| {
            if received.method == "GET" {
                let list = json!({"data": [
                    {"id": "seer", "input_modalities": ["text", "image"]},
                    {"id": "no-such-slash/model"},
                ]});
                return vec![Step::reply(200, &[], list.to_string().as_bytes())];
            }
            let body = String::from_utf8_lossy(&received.body).into_owned();
            if body.contains("no-such-model") {
                let error =
                    json!({"error": {"code": "model_not_found", "message": "no such model"}});
                return vec![Step::reply(404, &[], error.to_string().as_bytes())];
            }
            Step::events(form.answer(), 9)
        });
        let provider = form.provider(endpoint(&server.url()));
        run(model_provider_contract(provider.as_ref(), request()));
    }
}

fn refused(
    status: u16,
    headers: &'static [(&'static str, &'static str)],
    body: &str,
) -> ProviderError {
    let body = body.to_owned();
    let server =
        LoopbackServer::start(move |_| vec![Step::reply(status, headers, body.as_bytes())]);
    refusal_of(Form::Chat, endpoint(&server.url()))
}

/// Status and body; code, the provider's own code, whether waiting helps, a part of the message.
type Refusal = (
    u16,
    &'static str,
    &'static str,
    Option<&'static str>,
    bool,
    &'static str,
);

const REFUSALS: &[Refusal] = &[
    (
        401,
        "{\"error\":{\"message\":\"Incorrect API key provided\",\"type\":\"invalid_request_error\",\"code\":\"invalid_api_key\"}}",
        "PROVIDER_CREDENTIAL_INVALID",
        Some("invalid_api_key"),
        false,
        "Incorrect",
    ),
    (403, "no", "PROVIDER_CREDENTIAL_INVALID", None, false, "no"),
    (
        402,
        "{\"error\":{\"message\":\"Insufficient Balance\",\"type\":\"unknown_error\",\"param\":null,\"code\":\"invalid_request_error\"}}",
        "PROVIDER_QUOTA_LIMIT",
        Some("invalid_request_error"),
        false,
        "Balance",
    ),
    (
        429,
        "{\"error\":{\"message\":\"You exceeded your current quota\",\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}}",
        "PROVIDER_QUOTA_LIMIT",
        Some("insufficient_quota"),
        false,
        "quota",
    ),
    (
        429,
        "{\"error\":{\"message\":\"slow down\",\"type\":\"requests\",\"code\":\"rate_limit_exceeded\"}}",
        "PROVIDER_RATE_LIMIT",
        Some("rate_limit_exceeded"),
        true,
        "slow",
    ),
    (
        429,
        "{\"error\":{\"message\":\"busy\",\"type\":\"engine_overloaded_error\"}}",
        "PROVIDER_UNAVAILABLE",
        Some("engine_overloaded_error"),
        true,
        "busy",
    ),
    (429, "", "PROVIDER_RATE_LIMIT", None, true, "status 429"),
    (
        400,
        "{\"error\":{\"code\":\"DataInspectionFailed\",\"message\":\"may contain inappropriate content\"}}",
        "VISION_CONTENT_BLOCKED",
        Some("DataInspectionFailed"),
        false,
        "inappropriate",
    ),
    (
        400,
        "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Your credit balance is too low\"}}",
        "PROVIDER_QUOTA_LIMIT",
        Some("invalid_request_error"),
        false,
        "credit",
    ),
    (
        400,
        "{\"object\":\"error\",\"message\":\"too many images\",\"type\":\"BadRequestError\",\"code\":400}",
        "PROVIDER_REQUEST_INVALID",
        Some("400"),
        false,
        "too many images",
    ),
    (
        404,
        "{\"error\":\"model 'seer' not found\"}",
        "VISION_ROUTE_ERROR",
        None,
        false,
        "not found",
    ),
    (
        413,
        "<html>too large</html>",
        "PROVIDER_REQUEST_INVALID",
        None,
        false,
        "status 413",
    ),
    (
        422,
        "{\"detail\":\"field required\"}",
        "PROVIDER_REQUEST_INVALID",
        None,
        false,
        "field required",
    ),
    (
        500,
        "{\"error\":{\"message\":\"boom\"}}",
        "PROVIDER_UNAVAILABLE",
        None,
        true,
        "boom",
    ),
    (
        503,
        "<!doctype html><h1>503</h1>",
        "PROVIDER_UNAVAILABLE",
        None,
        true,
        "status 503: Service Unavailable",
    ),
    (504, "", "PROVIDER_TIMEOUT", None, true, "status 504"),
    (
        529,
        "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}",
        "PROVIDER_UNAVAILABLE",
        Some("overloaded_error"),
        true,
        "Overloaded",
    ),
    (418, "teapot", "VISION_MODEL_FAILED", None, false, "teapot"),
];

#[test]
fn refusals_have_codes_of_their_own() {
    for (status, body, code, provider_code, is_transient, words) in REFUSALS {
        let error = refused(*status, &[], body);
        assert_eq!(error.code.as_str(), *code, "{status} {body}");
        assert_eq!(error.provider_code.as_deref(), *provider_code, "{body}");
        assert_eq!(error.is_transient(), *is_transient, "{status} {body}");
        assert_eq!(error.status, Some(*status));
        assert!(error.message.contains(words), "{}", error.message);
        assert!(!error.is_broken_stream());
    }
}

#[test]
fn a_refusal_says_how_long_to_wait_and_which_request_it_was() {
    const DATE: (&str, &str) = ("date", "Mon, 30 Nov 2026 14:00:00 GMT");
    for (headers, expected) in [
        (&[("retry-after", "7")][..], Some(7_000)),
        (&[("retry-after", "1.5")], Some(1_500)),
        (
            &[("retry-after", "7"), ("retry-after-ms", "250")],
            Some(250),
        ),
        (
            &[("retry-after", "Mon, 30 Nov 2026 14:01:30 GMT"), DATE],
            Some(90_000),
        ),
        (
            &[("retry-after", "Mon, 30 Nov 2026 13:00:00 GMT"), DATE],
            Some(0),
        ),
        // Without the server's date there is no telling.
        (&[("retry-after", "Mon, 30 Nov 2026 14:01:30 GMT")], None),
        (&[("retry-after", "99999999999999")], Some(86_400_000)),
        (&[("retry-after", "-1")], None),
        (&[("retry-after", "soon")], None),
        (&[("retry-after", "NaN")], None),
        (&[], None),
    ] {
        assert_eq!(
            refused(429, headers, "").retry_after_ms,
            expected,
            "{headers:?}"
        );
    }
    for (headers, body, expected) in [
        (&[("x-request-id", "r-1")][..], "", Some("r-1")),
        (&[("request-id", "r-2")], "", Some("r-2")),
        (
            &[],
            "{\"request_id\":\"r-3\",\"error\":{\"message\":\"m\"}}",
            Some("r-3"),
        ),
        (&[], "", None),
    ] {
        let error = refused(500, headers, body);
        assert_eq!(error.request_id.as_deref(), expected, "{headers:?} {body}");
    }
}

#[test]
fn no_message_shows_the_key() {
    let body = json!({"error": {
        "message": format!("bad key {KEY} in Authorization: Bearer other-secret-value"),
        "code": format!("code-{KEY}"),
    }});
    let body = body.to_string();
    let server = LoopbackServer::start(move |_| {
        vec![Step::reply(401, &[("x-request-id", KEY)], body.as_bytes())]
    });
    let error = refusal_of(Form::Chat, endpoint(&server.url()));
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(KEY), "{shown}");
    assert!(!shown.contains("other-secret-value"), "{shown}");
    assert!(shown.contains("bad key"), "{shown}");
    let config = endpoint("http://127.0.0.1:9");
    let provider = OpenAiProvider::new(OpenAiConfig::new(config), client()).expect("settings");
    assert!(!format!("{provider:?}").contains(KEY));
    // It was sent, though.
    let seen = server.requests().pop().expect("a request");
    assert_eq!(
        seen.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    let agent = seen.header("user-agent").unwrap_or_default();
    assert!(agent.starts_with("DeepSeekEyes/"), "{agent}");
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = LoopbackServer::start(|_| vec![Step::reply(200, &[], b"{}")]);
    let target = format!("{}/v1/chat/completions", elsewhere.url());
    let server =
        LoopbackServer::start(move |_| vec![Step::reply(307, &[("location", &target)], b"")]);
    let error = refusal_of(Form::Chat, endpoint(&server.url()));
    assert_eq!(error.code.as_str(), "PROVIDER_CONFIG_INVALID");
    assert!(
        error.message.contains("/v1/chat/completions"),
        "{}",
        error.message
    );
    assert_eq!(elsewhere.requests(), []);
}

#[test]
fn a_stream_that_is_cut_is_incomplete() {
    for form in FORMS {
        let outcome = outcome_of(form, Step::cut_events(form.half()));
        assert!(
            outcome.contains("text a, INCOMPLETE_STREAM"),
            "{form:?}: {outcome}"
        );
        // A proper end of the body in the middle of the answer is no end of the answer.
        let outcome = outcome_of(form, Step::events(form.half(), 50));
        assert!(
            outcome.contains("text a, INCOMPLETE_STREAM"),
            "{form:?}: {outcome}"
        );
        // Everything but the very last event had come.
        let whole = form.answer();
        let last = whole.trim_end().rfind("\n\n").expect("several events");
        let outcome = outcome_of(form, Step::cut_events(&whole[..last + 2]));
        let expected = if form == Form::Responses {
            "INCOMPLETE_STREAM"
        } else {
            "Stop"
        };
        assert!(outcome.ends_with(expected), "{form:?}: {outcome}");
    }
}

#[test]
fn each_part_of_a_call_has_its_own_time_limit() {
    let head = || Step::chunked_head(200, &[("content-type", "text/event-stream")]);
    let half = || Step::chunk(Form::Chat.half().as_bytes());
    let first_byte = short(|timeouts, short| timeouts.first_byte = short);
    let idle = short(|timeouts, short| timeouts.idle = short);
    let total = short(|timeouts, short| timeouts.total = short);
    for (steps, timeouts, expected, words) in [
        (vec![Step::UntilClosed], first_byte, "", "first byte"),
        (
            vec![head(), Step::UntilClosed],
            first_byte,
            "",
            "first byte",
        ),
        (
            vec![head(), half(), Step::UntilClosed],
            idle,
            "reasoning hm, text a, ",
            "silent",
        ),
        // A comment is a sign of life, and no sign of life lasts for ever.
        (
            vec![head(), half(), Step::flood_of_chunks(b": ping\n\n")],
            total,
            "reasoning hm, text a, ",
            "in all",
        ),
        (vec![Step::UntilClosed], total, "", "no reply within"),
    ] {
        let server = LoopbackServer::start(move |_| steps.clone());
        let mut config = endpoint(&server.url());
        config.timeouts = timeouts;
        let provider = Form::Chat.provider(config);
        let outcome = run(outcome(provider.as_ref(), request()));
        assert_eq!(outcome, format!("{expected}PROVIDER_TIMEOUT"), "{words}");
        server.wait_until_client_closed();
    }
}

#[test]
fn an_answer_that_said_its_end_needs_no_closing_mark() {
    let answer = Form::Chat.answer();
    let (before, _) = answer.split_once("data: [DONE]").expect("a closing mark");
    let before = before.to_owned();
    let server = LoopbackServer::start(move |_| {
        vec![
            Step::chunked_head(200, &[]),
            Step::chunk(before.as_bytes()),
            Step::UntilClosed,
        ]
    });
    let mut config = endpoint(&server.url());
    config.timeouts = short(|timeouts, short| timeouts.idle = short);
    let provider = Form::Chat.provider(config);
    let outcome = run(outcome(provider.as_ref(), request()));
    assert!(outcome.ends_with("usage 9 5 4 0 2, Stop"), "{outcome}");
}

#[test]
fn an_error_is_told_even_when_its_body_never_ends() {
    for rest in [Step::flood_of_chunks(&[b'x'; 4_096]), Step::UntilClosed] {
        let server = LoopbackServer::start(move |_| {
            let head = Step::chunked_head(429, &[("retry-after", "3")]);
            vec![head, Step::chunk(b"slow down "), rest.clone()]
        });
        let mut config = endpoint(&server.url());
        config.timeouts = short(|timeouts, short| timeouts.catalog = short);
        let error = refusal_of(Form::Chat, config);
        assert_eq!(error.code.as_str(), "PROVIDER_RATE_LIMIT");
        assert_eq!(error.retry_after_ms, Some(3_000));
        assert!(error.message.starts_with("slow down"), "{}", error.message);
        assert!(error.message.len() < 600);
        server.wait_until_client_closed();
    }
}

#[test]
fn a_line_without_end_is_refused() {
    let steps = vec![
        Step::chunked_head(200, &[]),
        Step::chunk(Form::Chat.half().as_bytes()),
        Step::chunk(b"data: "),
        Step::flood_of_chunks(&[b'x'; 1 << 20]),
    ];
    assert_eq!(
        outcome_of(Form::Chat, steps),
        "reasoning hm, text a, VISION_OUTPUT_LIMIT"
    );
    let steps = vec![
        Step::chunked_head(200, &[]),
        Step::chunk(b"{\"choices\":[\""),
        Step::flood_of_chunks(&[b'x'; 1 << 20]),
    ];
    assert_eq!(outcome_of(Form::Chat, steps), "VISION_OUTPUT_LIMIT");
}

fn gzip(text: &[u8], times: usize) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..times {
        encoder.write_all(text).expect("memory takes it");
    }
    encoder.finish().expect("memory takes it")
}

fn listing(body: Vec<u8>) -> Result<Vec<String>, ProviderError> {
    let server = LoopbackServer::start(move |_| {
        vec![Step::reply(200, &[("content-encoding", "gzip")], &body)]
    });
    let provider = Form::Chat.provider(endpoint(&server.url()));
    let models = run(provider.models());
    models.map(|models| models.into_iter().map(|model| model.id).collect())
}

#[test]
fn compressed_replies_are_read_within_bounds() {
    let list = json!({"data": [{"id": "seer"}]}).to_string();
    assert_eq!(
        listing(gzip(list.as_bytes(), 1)),
        Ok(vec!["seer".to_owned()])
    );
    let bomb = gzip(&vec![b' '; 1 << 20], 64);
    assert!(bomb.len() < 1 << 20, "{} bytes", bomb.len());
    let error = listing(bomb).expect_err("64 MB are too many");
    assert_eq!(error.code.as_str(), "VISION_OUTPUT_LIMIT");
    let error = listing(b"no gzip at all".to_vec()).expect_err("no gzip");
    assert_eq!(error.code.as_str(), "INCOMPLETE_STREAM");

    let events = gzip(Form::Chat.answer().as_bytes(), 1);
    let headers = [
        ("content-type", "text/event-stream"),
        ("content-encoding", "gzip"),
    ];
    let outcome = outcome_of(Form::Chat, vec![Step::reply(200, &headers, &events)]);
    assert!(outcome.ends_with("Stop"), "{outcome}");
    let bomb = gzip(&vec![b'x'; 1 << 20], 64);
    let outcome = outcome_of(Form::Chat, vec![Step::reply(200, &headers, &bomb)]);
    assert_eq!(outcome, "VISION_OUTPUT_LIMIT");
}

#[test]
fn a_listing_that_is_none_is_told() {
    for (status, body, declared, expected) in [
        (200, "[\"a\"]", false, Ok(1)),
        (200, "not json", false, Err("PROVIDER_RESPONSE_INVALID")),
        (200, "{\"x\":1}", false, Err("PROVIDER_RESPONSE_INVALID")),
        (404, "", false, Err("VISION_ROUTE_ERROR")),
        (404, "", true, Ok(1)),
        (500, "", true, Err("PROVIDER_UNAVAILABLE")),
    ] {
        let server =
            LoopbackServer::start(move |_| vec![Step::reply(status, &[], body.as_bytes())]);
        for form in FORMS {
            let mut config = endpoint(&server.url());
            if declared {
                config.models = vec![seer()];
            }
            let found = run(form.provider(config).models());
            let found = found
                .map(|models| models.len())
                .map_err(|error| error.code.as_str());
            assert_eq!(found, expected, "{form:?} {status} {body}");
        }
    }
    // A closed list asks nobody and knows its models.
    let mut config = endpoint("http://127.0.0.1:9");
    config.list_models = false;
    for form in FORMS {
        assert_eq!(run(form.provider(config.clone()).models()), Ok(Vec::new()));
        let error = refusal_of(form, config.clone());
        assert_eq!(error.code.as_str(), "VISION_ROUTE_ERROR");
    }
}

fn seer() -> crate::model::ModelSpec {
    crate::model::ModelSpec::new("seer", [crate::model::Modality::Image])
}

#[test]
fn a_dropped_stream_stops_the_request() {
    for form in FORMS {
        let server = LoopbackServer::start(move |_| {
            vec![
                Step::chunked_head(200, &[]),
                Step::chunk(form.half().as_bytes()),
                Step::UntilClosed,
            ]
        });
        let provider = form.provider(endpoint(&server.url()));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime");
        let mut stream = runtime
            .block_on(provider.generate(request()))
            .expect("an answer begins");
        let first = runtime.block_on(std::future::poll_fn(|context| {
            stream.as_mut().poll_next(context)
        }));
        assert!(matches!(first, Some(Ok(_))), "{first:?}");
        drop(stream);
        server.wait_until_client_closed();
    }
}

#[test]
fn connections_are_used_again() {
    let body = Form::Chat.answer().as_bytes();
    let server = LoopbackServer::start(|_| vec![Step::reply(200, &[], body)]);
    let http = client();
    let config = OpenAiConfig::new(endpoint(&server.url()));
    let one = OpenAiProvider::new(config.clone(), http.clone()).expect("settings");
    let two = OpenAiProvider::new(config, http).expect("settings");
    run(async {
        for provider in [&one, &two, &one] {
            let outcome = outcome(provider, request()).await;
            assert!(outcome.ends_with("Stop"), "{outcome}");
        }
    });
    assert_eq!((server.requests().len(), server.connections()), (3, 1));
}

#[test]
fn a_host_that_is_not_there_is_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let error = refusal_of(Form::Chat, endpoint(&format!("http://{address}")));
    assert_eq!(error.code.as_str(), "PROVIDER_CONNECT_FAILED");
    assert!(error.is_transient());
    assert_eq!(error.status, None);
}

fn with_http(config: &HttpConfig, endpoint: EndpointConfig, request: GenerateRequest) -> String {
    let http = HttpClient::new(config).expect("a client");
    let provider = OpenAiProvider::new(OpenAiConfig::new(endpoint), http).expect("settings");
    run(outcome(&provider, request))
}

#[test]
fn a_connection_that_stalls_ends_with_the_connect_timeout() {
    // The server takes the connection and never speaks TLS.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let config = HttpConfig {
        connect_timeout: Duration::from_millis(100),
        ..HttpConfig::default()
    };
    let outcome = with_http(&config, endpoint(&format!("https://{address}")), request());
    assert_eq!(outcome, "PROVIDER_CONNECT_FAILED");
    drop(listener);
}

#[test]
fn proxies_are_used_as_set() {
    let proxy = LoopbackServer::start(|_| Step::events(Form::Chat.answer(), 1 << 20));
    let url = Secret::new(proxy.url().replace("http://", "http://user:proxy-pass@"));
    let far = || EndpointConfig {
        allow_plain_http: true,
        ..endpoint("http://models.invalid/v1")
    };
    let config = |proxy: ProxyConfig| HttpConfig {
        proxy,
        ..HttpConfig::default()
    };
    let all = config(ProxyConfig::all(url.clone()));
    let by_scheme = config(ProxyConfig {
        http: Some(url.clone()),
        https: Some(Secret::new("")),
        ..ProxyConfig::default()
    });
    for config in [&all, &by_scheme] {
        let outcome = with_http(config, far(), request());
        assert!(outcome.ends_with("Stop"), "{outcome}");
        let seen = proxy.requests().pop().expect("a request");
        assert_eq!(seen.target, "http://models.invalid/v1/chat/completions");
        assert_eq!(
            seen.header("proxy-authorization"),
            Some("Basic dXNlcjpwcm94eS1wYXNz")
        );
        assert!(!format!("{config:?}").contains("proxy-pass"));
    }
    // Loopback is reached directly.
    let server = LoopbackServer::start(|_| Step::events(Form::Chat.answer(), 1 << 20));
    let before = proxy.requests().len();
    let outcome = with_http(&all, endpoint(&server.url()), request());
    assert!(outcome.ends_with("Stop"), "{outcome}");
    assert_eq!(
        (proxy.requests().len(), server.requests().len()),
        (before, 1)
    );
    for bad in ["ftp://proxy", "http://", "::"] {
        let config = config(ProxyConfig::all(Secret::new(bad)));
        assert_eq!(
            HttpClient::new(&config).map(drop),
            Err(ProviderConfigError::Proxy)
        );
    }
}

#[cfg(target_os = "linux")]
mod certificates {
    //! The server's certificate and its CA are made for these tests and valid for a hundred years.

    use std::{net::TcpListener, sync::Arc, thread};

    use rustls::{
        ServerConfig, ServerConnection, StreamOwned,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    };

    use super::*;

    const CA: &[u8] = include_bytes!("testdata/ca.pem");

    /// Starts a server that answers every connection once; returns its URL.
    fn start() -> String {
        let certificate = CertificateDer::from_pem_slice(include_bytes!("testdata/server.pem"));
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("testdata/server.key.pem"));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.expect("PEM")], key.expect("PEM"))
            .expect("a certificate and its key");
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("https://{}", listener.local_addr().expect("an address"));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let connection = ServerConnection::new(Arc::clone(&config)).expect("TLS");
                let mut stream = StreamOwned::new(connection, stream);
                let body = Form::Chat.answer();
                let reply = format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                );
                // A client that does not trust the certificate is gone by now.
                drop(stream.write_all(reply.as_bytes()));
                drop(stream.flush());
                drop(std::io::copy(&mut stream, &mut std::io::sink()));
            }
        });
        url
    }

    #[test]
    fn are_trusted_when_the_settings_name_their_ca() {
        let url = start();
        let outcome = with_http(&HttpConfig::default(), endpoint(&url), request());
        assert_eq!(outcome, "PROVIDER_CERTIFICATE_INVALID");
        let config = HttpConfig {
            extra_ca: vec![CA.to_vec()],
            ..HttpConfig::default()
        };
        let outcome = with_http(&config, endpoint(&url), request());
        assert!(outcome.ends_with("Stop"), "{outcome}");
    }

    #[test]
    fn that_cannot_be_read_are_refused() {
        for (pem, words) in [
            (&b"no PEM"[..], "no certificate"),
            (
                b"-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n",
                "CA certificate file 1",
            ),
        ] {
            let config = HttpConfig {
                extra_ca: vec![CA.to_vec(), pem.to_vec()],
                ..HttpConfig::default()
            };
            let error = HttpClient::new(&config).expect_err("refused").to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
