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
        |config| config.base_url = "http://localhost:11434/v1".to_owned(),
        |config| config.base_url = "http://127.0.0.2/".to_owned(),
        |config| config.base_url = "http://[::1]:8080".to_owned(),
        |config| config.base_url = "https://h/v1/chat/completions?api-version=1".to_owned(),
        |config| {
            config.base_url = "http://192.168.1.5:8000/v1".to_owned();
            config.allow_plain_http = true;
        },
    ];
    for change in good {
        assert_eq!(check(change), Ok(()));
    }
}

const BAD: &[(Change, &str)] = &[
    (|config| config.id = "a/b".to_owned(), "provider id"),
    (
        |config| config.base_url = "ftp://h".to_owned(),
        "neither http nor https",
    ),
    (
        |config| config.base_url = "nonsense".to_owned(),
        "not a URL",
    ),
    (
        |config| config.base_url = "https://u:p@h/".to_owned(),
        "credential",
    ),
    (
        |config| config.base_url = "https://h/?api_key=abcdefgh".to_owned(),
        "credential",
    ),
    (
        |config| config.base_url = "http://192.168.1.5:8000/v1".to_owned(),
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
            config.models = vec![ModelSpec {
                id: "a b".to_owned(),
                input: Vec::new(),
                context_window: None,
                default_max_output: None,
                revision: None,
            }];
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
