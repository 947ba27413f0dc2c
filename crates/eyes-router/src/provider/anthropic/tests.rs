use serde_json::json;

use super::{
    super::fixture::{Form, KEY, client, endpoint, outcome, outcome_of, request, run, told},
    *,
};
use crate::{
    provider::Secret,
    testing::{LoopbackServer, Step},
};

#[test]
fn asks_in_messages() {
    let server = LoopbackServer::start(|_| Step::events(Form::Messages.answer(), 64));
    for (base, key_placement, header, value) in [
        ("", None, "x-api-key", KEY.to_owned()),
        (
            "/anthropic/v1",
            Some(KeyPlacement::Bearer),
            "authorization",
            format!("Bearer {KEY}"),
        ),
    ] {
        let mut config = AnthropicConfig::new(endpoint(&format!("{}{base}", server.url())));
        if let Some(placement) = key_placement {
            config.endpoint.key_placement = placement;
        }
        config
            .endpoint
            .headers
            .push(("anthropic-beta".to_owned(), Secret::new("x-2026")));
        let provider = AnthropicProvider::new(config, client()).expect("settings");
        run(outcome(&provider, request()));
        let seen = server.requests().pop().expect("a request");
        let target = if base.is_empty() {
            "/v1/messages".to_owned()
        } else {
            format!("{base}/messages")
        };
        assert_eq!(seen.target, target);
        assert_eq!(seen.header(header), Some(value.as_str()));
        assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
        assert_eq!(seen.header("anthropic-beta"), Some("x-2026"));
        let mut body: Value = serde_json::from_slice(&seen.body).expect("JSON");
        let content = body["messages"][0]["content"].take();
        let mut parts: Vec<_> = content.as_array().into_iter().flatten().cloned().collect();
        parts.sort_by_key(|part| part["type"].to_string());
        assert_eq!(
            parts,
            [
                json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "cG5n"}}),
                json!({"type": "text", "text": "What?"}),
            ]
        );
        assert_eq!(
            body,
            json!({
                "model": "seer",
                "max_tokens": 64,
                "system": "Look.",
                "messages": [{"role": "user", "content": null}],
                "stream": true,
                "temperature": 0.2,
            })
        );
    }
}

#[test]
fn always_names_a_bound_of_the_output() {
    let server = LoopbackServer::start(|_| Step::events(Form::Messages.answer(), 64));
    let mut config = AnthropicConfig::new(endpoint(&server.url()));
    let mut asked = request();
    asked.max_output_tokens = None;
    for declared in [None, Some(777)] {
        config.endpoint.models = vec![ModelSpec {
            default_max_output: declared,
            ..ModelSpec::new("seer", [Modality::Text, Modality::Image])
        }];
        let provider = AnthropicProvider::new(config.clone(), client()).expect("settings");
        run(outcome(&provider, asked.clone()));
        let body = server.requests().pop().expect("a request").body;
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(
            body["max_tokens"],
            declared.unwrap_or(DEFAULT_MESSAGES_TOKENS)
        );
    }
}

#[test]
fn refuses_a_format_that_the_form_does_not_know() {
    let server = LoopbackServer::start(|_| Step::events(Form::Messages.answer(), 64));
    let provider = Form::Messages.provider(endpoint(&server.url()));
    let mut asked = request();
    for block in asked.messages.iter_mut().flat_map(|m| &mut m.content) {
        if let ContentBlock::Image(image) = block {
            image.identity.media_type = MediaType::Bmp;
        }
    }
    let outcome = run(outcome(provider.as_ref(), asked));
    assert_eq!(outcome, "PROVIDER_REQUEST_INVALID");
    assert_eq!(server.requests(), []);
}

#[test]
fn keeps_unsigned_thoughts_for_the_hosts_that_want_them() {
    for (url, setting, expected) in [
        ("https://api.anthropic.com", ThinkingReturn::ByHost, false),
        ("https://api.anthropic.com", ThinkingReturn::All, true),
        (
            "https://api.deepseek.com/anthropic",
            ThinkingReturn::ByHost,
            true,
        ),
        (
            "https://api.deepseek.com/anthropic",
            ThinkingReturn::Signed,
            false,
        ),
        (
            "https://api.moonshot.ai/anthropic",
            ThinkingReturn::ByHost,
            true,
        ),
    ] {
        let mut config = AnthropicConfig::new(endpoint(url));
        config.thinking = setting;
        let provider = AnthropicProvider::new(config, client()).expect("settings");
        assert_eq!(provider.unsigned_thinking, expected, "{url} {setting:?}");
    }
}

const MESSAGES: &[(&str, &str)] = &[
    // Usage is counted in parts; the last event counts.
    (
        "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,\"cache_creation_input_tokens\":10,\"cache_read_input_tokens\":20,\"output_tokens\":1}}}\n\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"},\"usage\":{\"output_tokens\":7}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
        "usage 33 1 20 10 0, text a, usage 33 7 20 10 0, MaxTokens",
    ),
    // The reason is there, the closing event is not.
    (
        "data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"text\",\"text\":\"a\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"stop_sequence\"}}\n\n",
        "text a, Stop",
    ),
    // Names of events alone, without `type` in the data.
    (
        "event: content_block_delta\ndata: {\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\nevent: message_stop\ndata: {}\n\n",
        "text a, Stop",
    ),
    (
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\n",
        "text a, INCOMPLETE_STREAM",
    ),
    (
        "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"a\"}}\n\nevent: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
        "text a, PROVIDER_UNAVAILABLE (overloaded_error)",
    ),
    (
        "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"}}\n\n",
        "VISION_CONTENT_BLOCKED",
    ),
    (
        "{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":\"redacted_thinking\",\"data\":\"xx\"},{\"type\":\"text\",\"text\":\"a\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}",
        "reasoning hm, signature redacted_thinking:xx, text a, usage 3 2 0 0 0, Stop",
    ),
    (
        "{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"boom\"},\"request_id\":\"req_1\"}",
        "PROVIDER_UNAVAILABLE (api_error)",
    ),
];

#[test]
fn reads_messages_as_servers_send_them() {
    for (stream, expected) in MESSAGES {
        let outcome = outcome_of(Form::Messages, Step::events(stream, 13));
        assert_eq!(&outcome, expected, "{stream}");
    }
}

#[test]
fn lists_models_page_by_page() {
    let server = LoopbackServer::start(|request| {
        let page = if request.target.contains("after_id=one") {
            json!({"data": [{"type": "model", "id": "two", "capabilities": {"image_input": {"supported": false}}}], "has_more": false, "last_id": "two"})
        } else {
            json!({"data": [{"type": "model", "id": "one", "max_input_tokens": 200_000, "max_tokens": 64_000}], "has_more": true, "last_id": "one"})
        };
        vec![Step::reply(200, &[], page.to_string().as_bytes())]
    });
    let mut config = AnthropicConfig::official("claude");
    config.endpoint.base_url = server.url();
    let provider = AnthropicProvider::new(config, client()).expect("settings");
    let models = run(provider.models()).expect("a list");
    assert_eq!(
        told(&models),
        [
            ("one", true, Some(200_000), Some(64_000)),
            ("two", false, None, None),
        ]
    );
}
