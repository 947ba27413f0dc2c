use serde_json::json;

use super::{
    super::fixture::{FORMS, Form, client, endpoint, outcome_of, request, told},
    *,
};
use crate::{
    model::{Message, Modality, Role},
    provider::fixture::run,
    testing::{LoopbackServer, Step},
};

fn provider(change: impl FnOnce(&mut OpenAiConfig)) -> OpenAiProvider {
    let mut config = OpenAiConfig::new(endpoint("http://127.0.0.1:9/v1"));
    change(&mut config);
    OpenAiProvider::new(config, client()).expect("settings")
}

#[test]
fn asks_in_chat_completions() {
    let mut asked = request();
    asked.messages.push(Message {
        role: Role::Assistant,
        content: vec![crate::model::ContentBlock::Text("Hm.".to_owned())],
    });
    let provider = provider(|config| {
        config.detail = Some(ImageDetail::High);
        config
            .endpoint
            .extra_body
            .insert("enable_thinking".to_owned(), false.into());
    });
    let (path, body) = provider.body(&asked);
    assert_eq!(path, "chat/completions");
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n", "detail": "high"}});
    let mut content = vec![json!({"type": "text", "text": "What?"}), image];
    if asked.messages[0]
        .content
        .first()
        .is_some_and(|block| matches!(block, crate::model::ContentBlock::Image(_)))
    {
        content.reverse();
    }
    assert_eq!(
        Value::Object(body),
        json!({
            "model": "seer",
            "messages": [
                {"role": "system", "content": "Look."},
                {"role": "user", "content": content},
                {"role": "assistant", "content": "Hm."},
            ],
            "max_tokens": 64,
            "temperature": 0.2,
            "stream": true,
            "stream_options": {"include_usage": true},
            "enable_thinking": false,
        })
    );
}

#[test]
fn asks_in_responses() {
    let provider = provider(|config| {
        config.wire = WireForm::Responses;
        config.endpoint.omit_temperature = true;
    });
    let (path, mut body) = provider.body(&request());
    assert_eq!(path, "responses");
    let content = body["input"][0]["content"].take();
    let mut kinds: Vec<_> = content.as_array().into_iter().flatten().cloned().collect();
    kinds.sort_by_key(|part| part["type"].to_string());
    assert_eq!(
        kinds,
        [
            json!({"type": "input_image", "image_url": "data:image/png;base64,cG5n"}),
            json!({"type": "input_text", "text": "What?"}),
        ]
    );
    assert_eq!(
        Value::Object(body),
        json!({
            "model": "seer",
            "instructions": "Look.",
            "input": [{"role": "user", "content": null}],
            "store": false,
            "max_output_tokens": 64,
            "stream": true,
        })
    );
}

#[test]
fn names_the_bound_of_the_output_as_the_host_wants_it() {
    for (url, name, expected) in [
        (
            "https://api.openai.com/v1",
            MaxTokensName::ByHost,
            "max_completion_tokens",
        ),
        (
            "https://eyes.openai.azure.com/openai/v1",
            MaxTokensName::ByHost,
            "max_completion_tokens",
        ),
        (
            "https://openrouter.ai/api/v1",
            MaxTokensName::ByHost,
            "max_tokens",
        ),
        (
            "https://api.openai.com/v1",
            MaxTokensName::MaxTokens,
            "max_tokens",
        ),
        (
            "http://localhost:8000/v1",
            MaxTokensName::MaxCompletionTokens,
            "max_completion_tokens",
        ),
    ] {
        let provider = provider(|config| {
            url.clone_into(&mut config.endpoint.base_url);
            config.max_tokens_name = name;
            config.include_usage = false;
        });
        let (_, body) = provider.body(&request());
        assert_eq!(body.get(expected), Some(&json!(64)), "{url}");
        assert!(!body.contains_key("stream_options"));
    }
}

#[test]
fn sends_reasoning_back_to_the_hosts_that_want_it() {
    let mut asked = request();
    asked.messages.push(Message {
        role: Role::Assistant,
        content: vec![
            crate::model::ContentBlock::Reasoning(crate::model::Reasoning {
                text: "hm".to_owned(),
                signature: None,
            }),
            crate::model::ContentBlock::Text("Hm.".to_owned()),
        ],
    });
    for (url, expected) in [
        ("https://api.deepseek.com", Some("hm")),
        ("https://api.deepseek.com/beta", Some("hm")),
        ("https://api.moonshot.ai/v1", Some("hm")),
        ("https://api.moonshot.cn/v1", Some("hm")),
        ("https://api.kimi.com/coding/v1", Some("hm")),
        ("https://api.notdeepseek.com/v1", None),
        ("https://api.deepseek.com.example.org/v1", None),
        ("https://openrouter.ai/api/v1", None),
        ("http://127.0.0.1:9/v1", None),
    ] {
        let provider = provider(|config| url.clone_into(&mut config.endpoint.base_url));
        let (_, body) = provider.body(&asked);
        let found = body["messages"][2].get("reasoning_content");
        assert_eq!(found.and_then(Value::as_str), expected, "{url}");
    }
}

const CHAT: &[(&str, &str)] = &[
    // Usage in the last chunk with a choice, as DeepSeek sends it; comments as OpenRouter sends them.
    (
        ": PROCESSING\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2,\"prompt_cache_hit_tokens\":1}}\n\ndata: [DONE]\n\n",
        "text a, usage 3 2 1 0 0, Stop",
    ),
    // Usage inside the choice, as Moonshot sends it.
    (
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\",\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2,\"cached_tokens\":1}}]}\n\ndata: [DONE]\n\n",
        "text a, usage 3 2 1 0 0, MaxTokens",
    ),
    // The reason is missing, the closing mark is there.
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n",
        "text a, Stop",
    ),
    // The closing mark has no blank line, or is missing behind the reason.
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]",
        "text a, Stop",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n",
        "text a, Stop",
    ),
    // Nothing but the closing mark is no answer.
    ("data: [DONE]\n\n", "INCOMPLETE_STREAM"),
    ("", "INCOMPLETE_STREAM"),
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
        "text a, INCOMPLETE_STREAM",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"choices\":[{\"del",
        "text a, INCOMPLETE_STREAM",
    ),
    // The same words under both names count once.
    (
        "data: {\"choices\":[{\"delta\":{\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]},\"finish_reason\":\"eos\"}]}\n\n",
        "reasoning hm, text a, Stop",
    ),
    // A second choice is not listened to.
    (
        "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"z\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n",
        "text a, Stop",
    ),
    // Errors inside the stream.
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":{\"code\":502,\"message\":\"upstream\"},\"choices\":[{\"delta\":{},\"finish_reason\":\"error\"}]}\n\n",
        "text a, PROVIDER_UNAVAILABLE (502)",
    ),
    (
        "event: error\ndata: {\"message\":\"slow down\",\"code\":\"rate_limit_exceeded\"}\n\n",
        "PROVIDER_RATE_LIMIT (rate_limit_exceeded)",
    ),
    (
        "data: {\"error\":\"out of memory\"}\n\n",
        "VISION_MODEL_FAILED",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"content_filter\"}]}\n\n",
        "text a, VISION_CONTENT_BLOCKED",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"refusal\":\"I can\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"refusal\":\"not\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "VISION_CONTENT_BLOCKED",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"insufficient_system_resource\"}]}\n\n",
        "text a, PROVIDER_UNAVAILABLE (server_error)",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"abort\"}]}\n\n",
        "text a, INCOMPLETE_STREAM",
    ),
    (
        "data: not json\n\ndata: [DONE]\n\n",
        "PROVIDER_RESPONSE_INVALID",
    ),
    ("<html>Sign in</html>", "PROVIDER_RESPONSE_INVALID"),
    // Whole answers to a streaming request.
    (
        "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"a\",\"reasoning_content\":\"hm\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}",
        "reasoning hm, text a, usage 3 2 0 0 0, Stop",
    ),
    (
        " \n{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"no\"}}",
        "PROVIDER_REQUEST_INVALID (invalid_request_error)",
    ),
    ("{\"object\":\"other\"}", "PROVIDER_RESPONSE_INVALID"),
    ("{\"choices\":[{\"mess", "PROVIDER_RESPONSE_INVALID"),
    ("{\"choices\":[]}", "INCOMPLETE_STREAM"),
];

#[test]
fn reads_chat_completions_as_servers_send_them() {
    for (stream, expected) in CHAT {
        for piece in [1_000_000, 7] {
            let outcome = outcome_of(Form::Chat, Step::events(stream, piece));
            assert_eq!(&outcome, expected, "{stream}");
        }
    }
}

const RESPONSES: &[(&str, &str)] = &[
    (
        "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\ndata: {\"type\":\"response.incomplete\",\"response\":{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"}}}\n\n",
        "text a, MaxTokens",
    ),
    (
        "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\ndata: {\"type\":\"response.incomplete\",\"response\":{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"content_filter\"}}}\n\n",
        "text a, VISION_CONTENT_BLOCKED",
    ),
    (
        "data: {\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":{\"code\":\"server_error\",\"message\":\"boom\"}}}\n\n",
        "PROVIDER_UNAVAILABLE (server_error)",
    ),
    (
        "event: error\ndata: {\"type\":\"error\",\"code\":\"insufficient_quota\",\"message\":\"pay\"}\n\n",
        "PROVIDER_QUOTA_LIMIT (insufficient_quota)",
    ),
    (
        "data: {\"type\":\"response.refusal.delta\",\"delta\":\"no\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
        "VISION_CONTENT_BLOCKED",
    ),
    (
        "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n",
        "text a, INCOMPLETE_STREAM",
    ),
    // No pieces before the end, and no stream at all.
    (
        "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"a\"}]}]}}\n\n",
        "text a, Stop",
    ),
    (
        "{\"object\":\"response\",\"status\":\"completed\",\"error\":null,\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"text\":\"hm\"}]},{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"a\"}]}],\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}",
        "usage 3 2 0 0 0, reasoning hm, text a, Stop",
    ),
    ("{\"status\":\"queued\"}", "PROVIDER_RESPONSE_INVALID"),
];

#[test]
fn reads_responses_as_servers_send_them() {
    for (stream, expected) in RESPONSES {
        let outcome = outcome_of(Form::Responses, Step::events(stream, 11));
        assert_eq!(&outcome, expected, "{stream}");
    }
}

#[test]
fn every_form_gives_the_same_events() {
    for form in FORMS {
        let outcome = outcome_of(form, Step::events(form.answer(), 5));
        // Only one form signs what was thought.
        let (usage, rest): (Vec<&str>, Vec<&str>) = outcome
            .split(", ")
            .filter(|event| *event != "signature c2ln")
            .partition(|event| event.starts_with("usage"));
        assert_eq!(
            rest,
            ["reasoning hm", "text a", "text b", "Stop"],
            "{form:?}"
        );
        let reasoning = if form == Form::Messages { 0 } else { 2 };
        assert_eq!(
            usage.last().copied(),
            Some(format!("usage 9 5 4 0 {reasoning}").as_str()),
            "{form:?}"
        );
    }
}

#[test]
fn reads_lists_of_models_as_servers_give_them() {
    let body = json!({"object": "list", "data": [
        {"id": "plain"},
        {"id": "router/seer", "context_length": 131_072, "architecture": {"input_modalities": ["text", "image"]}, "top_provider": {"max_completion_tokens": 8_192}},
        {"id": "old-router", "architecture": {"modality": "text->text"}},
        {"id": "vllm", "max_model_len": 32_768},
        {"id": "mistral", "capabilities": {"vision": true}},
        {"id": "moonshot", "context_length": 262_144, "supports_image_in": true},
        {"id": "llama.cpp", "capabilities": ["completion", "multimodal"], "meta": {"n_ctx_train": 4_096}},
        {"id": "declared"},
        {"id": "plain"},
        {"id": "has space"},
        {"name": "named"},
        7,
    ]});
    let server =
        LoopbackServer::start(move |_| vec![Step::reply(200, &[], body.to_string().as_bytes())]);
    let mut config = endpoint(&format!("{}/v1/", server.url()));
    let declared = |id: &str| ModelSpec {
        context_window: Some(1_000),
        ..ModelSpec::new(id, [Modality::Text, Modality::Image])
    };
    config.models = vec![declared("declared"), declared("unlisted")];
    let provider = OpenAiProvider::new(OpenAiConfig::new(config), client()).expect("settings");
    let models = run(provider.models()).expect("a list");
    assert_eq!(
        told(&models),
        [
            ("plain", false, None, None),
            ("router/seer", true, Some(131_072), Some(8_192)),
            ("old-router", false, None, None),
            ("vllm", false, Some(32_768), None),
            ("mistral", true, None, None),
            ("moonshot", true, Some(262_144), None),
            ("llama.cpp", true, Some(4_096), None),
            ("declared", true, Some(1_000), None),
            ("named", false, None, None),
            ("unlisted", true, Some(1_000), None),
        ]
    );
    let seen = server.requests();
    assert_eq!(
        (seen[0].method.as_str(), seen[0].target.as_str()),
        ("GET", "/v1/models")
    );
}
