use super::{
    super::{
        fixture::{Form, client, endpoint, outcome, request, run},
        openai::{OpenAiConfig, OpenAiProvider},
    },
    *,
};
use crate::testing::{LoopbackServer, Step};

type Change = fn(&mut EndpointConfig);

fn check(change: Change) -> Result<(), String> {
    let mut config = endpoint("https://api.example.com/v1");
    change(&mut config);
    let built = OpenAiProvider::new(OpenAiConfig::new(config), client());
    built.map(drop).map_err(|error| error.to_string())
}

#[test]
fn good_settings_are_taken() {
    let good: [Change; 6] = [
        |_| {},
        |config| "http://localhost:11434/v1".clone_into(&mut config.base_url),
        |config| "http://127.0.0.2/".clone_into(&mut config.base_url),
        |config| "http://[::1]:8080".clone_into(&mut config.base_url),
        |config| "https://h/v1/chat/completions?api-version=1".clone_into(&mut config.base_url),
        |config| {
            "http://192.168.1.5:8000/v1".clone_into(&mut config.base_url);
            config.allow_plain_http = true;
        },
    ];
    for change in good {
        assert_eq!(check(change), Ok(()));
    }
}

const BAD: &[(Change, &str)] = &[
    (|config| "a/b".clone_into(&mut config.id), "provider id"),
    (
        |config| "ftp://h".clone_into(&mut config.base_url),
        "neither http nor https",
    ),
    (
        |config| "nonsense".clone_into(&mut config.base_url),
        "not a URL",
    ),
    (
        |config| "https://u:p@h/".clone_into(&mut config.base_url),
        "credential",
    ),
    (
        |config| "https://h/?api_key=abcdefgh".clone_into(&mut config.base_url),
        "credential",
    ),
    (
        |config| "http://192.168.1.5:8000/v1".clone_into(&mut config.base_url),
        "plain http to 192.168.1.5",
    ),
    (
        |config| config.base_url = format!("https://h/{}", "x".repeat(3_000)),
        "too long",
    ),
    (
        |config| config.key = Some(Secret::new("")),
        "key of provider",
    ),
    (
        |config| config.key = Some(Secret::new("line\n")),
        "key of provider",
    ),
    (
        |config| config.headers = vec![("Host".to_owned(), Secret::new("x"))],
        "header \"Host\"",
    ),
    (
        |config| config.headers = vec![("x y".to_owned(), Secret::new("x"))],
        "header \"x y\"",
    ),
    (
        |config| drop(config.extra_body.insert("model".to_owned(), 1.into())),
        "\"model\"",
    ),
    (
        |config| {
            config.models = vec![ModelSpec::new("a b", [])];
        },
        "\"a b\"",
    ),
];

#[test]
fn bad_settings_are_refused_by_name() {
    for (change, words) in BAD {
        let error = check(*change).expect_err(words);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_pasted_address_leads_to_the_same_place() {
    let server = LoopbackServer::start(|_| Step::events(Form::Chat.answer(), 1 << 20));
    for end in [
        "/v1",
        "/v1/",
        "/v1/chat/completions",
        "/v1/chat/completions?api-version=7",
    ] {
        let provider = Form::Chat.provider(endpoint(&format!("{}{end}", server.url())));
        run(outcome(provider.as_ref(), request()));
        let query = if end.contains('?') {
            "?api-version=7"
        } else {
            ""
        };
        let seen = server.requests().pop().expect("a request");
        assert_eq!(seen.target, format!("/v1/chat/completions{query}"));
    }
}
