//! Conversations with tools in each wire form: what is sent, and what replies become.

use std::sync::Arc;

use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};

use super::{
    anthropic::{AnthropicConfig, AnthropicProvider, ThinkingReturn},
    fixture::{FORMS, Form, client, endpoint, outcome, outcome_of, request, run},
    openai::{OpenAiConfig, OpenAiProvider, ReasoningReturn, WireForm},
};
use crate::{
    limits::MAX_TOOL_CALLS,
    model::{
        ContentBlock, GenerateRequest, Message, Reasoning, Role, ToolCall, ToolResult, ToolSpec,
    },
    testing::{LoopbackServer, Step},
};

fn text(text: &str) -> ContentBlock {
    ContentBlock::Text(text.to_owned())
}

fn thoughts(text: &str, signature: Option<&str>) -> ContentBlock {
    ContentBlock::Reasoning(Reasoning {
        text: text.to_owned(),
        signature: signature.map(str::to_owned),
    })
}

fn call(id: &str, arguments: &str) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall {
        id: id.to_owned(),
        name: "look".to_owned(),
        arguments: arguments.to_owned(),
    })
}

fn result(id: &str, is_error: bool, content: Vec<ContentBlock>) -> ContentBlock {
    ContentBlock::ToolResult(ToolResult {
        call_id: id.to_owned(),
        tool_name: Some("look".to_owned()),
        is_error,
        content,
    })
}

fn user(content: Vec<ContentBlock>) -> Message {
    Message {
        role: Role::User,
        content,
    }
}

fn assistant(content: Vec<ContentBlock>) -> Message {
    Message {
        role: Role::Assistant,
        content,
    }
}

fn image() -> ContentBlock {
    let content = &request().messages[0].content;
    let is_image = |block: &&ContentBlock| matches!(block, ContentBlock::Image(_));
    content.iter().find(is_image).expect("an image").clone()
}

/// Two calls at once, of which one fails; what came between their results; an answer; the next question.
fn conversation() -> GenerateRequest {
    let tool = |name: &str, description: &str, parameters| ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters,
    };
    GenerateRequest {
        messages: vec![
            user(vec![text("Read both.")]),
            assistant(vec![
                thoughts("hm", Some("c2ln")),
                text("Looking."),
                call("a", "{\"image\": 1}"),
                call("b.2", "{\"image\": "),
            ]),
            user(vec![result("a", false, vec![text("OPEN"), image()])]),
            user(vec![text("By the way.")]),
            user(vec![result("b.2", true, vec![])]),
            assistant(vec![text("One says OPEN."), thoughts("done?", None)]),
            user(vec![text("And"), text("\n"), text("below?")]),
            assistant(vec![]),
        ],
        tools: Arc::from([
            tool(
                "look",
                "Looks again.",
                json!({"type": "object", "properties": {"image": {"type": "integer"}}}),
            ),
            tool("stop", "", Value::Null),
        ]),
        temperature: None,
        ..request()
    }
}

/// Makes the body of a request.
type Encode = Box<dyn Fn(&GenerateRequest) -> Value>;

fn openai(change: impl FnOnce(&mut OpenAiConfig)) -> Encode {
    let mut config = OpenAiConfig::new(endpoint("http://127.0.0.1:9/v1"));
    change(&mut config);
    let provider = OpenAiProvider::new(config, client()).expect("settings");
    Box::new(move |request| provider.body(request).1.into())
}

fn responses() -> Encode {
    openai(|config| config.wire = WireForm::Responses)
}

fn anthropic(thinking: ThinkingReturn) -> Encode {
    let mut config = AnthropicConfig::new(endpoint("http://127.0.0.1:9"));
    config.thinking = thinking;
    let provider = AnthropicProvider::new(config, client()).expect("settings");
    Box::new(move |request| provider.body(request).into())
}

#[test]
fn a_conversation_goes_out_in_chat_completions() {
    let body = openai(|_| {})(&conversation());
    assert_eq!(
        body["messages"],
        json!([
            {"role": "system", "content": "Look."},
            {"role": "user", "content": "Read both."},
            {"role": "assistant", "content": "Looking.", "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{\"image\": 1}"}},
                {"id": "b.2", "type": "function", "function": {"name": "look", "arguments": "{\"arguments\":\"{\\\"image\\\": \"}"}},
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "OPEN\n\n[image 1]"},
            {"role": "tool", "tool_call_id": "b.2", "content": "Error"},
            {"role": "user", "content": [
                {"type": "text", "text": "[image 1]"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}},
                {"type": "text", "text": "By the way."},
            ]},
            {"role": "assistant", "content": "One says OPEN."},
            {"role": "user", "content": "And\n\nbelow?"},
        ])
    );
    assert_eq!(
        body["tools"],
        json!([
            {"type": "function", "function": {
                "name": "look",
                "description": "Looks again.",
                "parameters": {"type": "object", "properties": {"image": {"type": "integer"}}},
            }},
            {"type": "function", "function": {
                "name": "stop",
                "parameters": {"type": "object", "properties": {}},
            }},
        ])
    );
}

#[test]
fn a_conversation_goes_out_in_responses() {
    let body = responses()(&conversation());
    assert_eq!(
        body["input"],
        json!([
            {"role": "user", "content": [{"type": "input_text", "text": "Read both."}]},
            {"role": "assistant", "content": [{"type": "output_text", "text": "Looking."}]},
            {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{\"image\": 1}"},
            {"type": "function_call", "call_id": "b.2", "name": "look", "arguments": "{\"arguments\":\"{\\\"image\\\": \"}"},
            {"type": "function_call_output", "call_id": "a", "output": [
                {"type": "input_text", "text": "OPEN"},
                {"type": "input_image", "image_url": "data:image/png;base64,cG5n"},
            ]},
            {"type": "function_call_output", "call_id": "b.2", "output": "Error"},
            {"role": "user", "content": [{"type": "input_text", "text": "By the way."}]},
            {"role": "assistant", "content": [{"type": "output_text", "text": "One says OPEN."}]},
            {"role": "user", "content": [
                {"type": "input_text", "text": "And"},
                {"type": "input_text", "text": "below?"},
            ]},
        ])
    );
    assert_eq!(
        body["tools"],
        json!([
            {
                "type": "function",
                "name": "look",
                "description": "Looks again.",
                "parameters": {"type": "object", "properties": {"image": {"type": "integer"}}},
                "strict": false,
            },
            {
                "type": "function",
                "name": "stop",
                "parameters": {"type": "object", "properties": {}},
                "strict": false,
            },
        ])
    );
}

#[test]
fn a_conversation_goes_out_in_messages() {
    let body = anthropic(ThinkingReturn::ByHost)(&conversation());
    // The name of the id `b.2`, whose dot the form refuses.
    let renamed = body["messages"][1]["content"][3]["id"].clone();
    let plain = renamed.as_str().expect("an id");
    assert!(plain.len() == 37 && plain.starts_with("call_"), "{plain}");
    assert_eq!(
        body["messages"],
        json!([
            {"role": "user", "content": [{"type": "text", "text": "Read both."}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
                {"type": "text", "text": "Looking."},
                {"type": "tool_use", "id": "a", "name": "look", "input": {"image": 1}},
                {"type": "tool_use", "id": renamed, "name": "look", "input": {"arguments": "{\"image\": "}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": [
                    {"type": "text", "text": "OPEN"},
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "cG5n"}},
                ]},
                {"type": "tool_result", "tool_use_id": renamed, "is_error": true, "content": [
                    {"type": "text", "text": "Error"},
                ]},
                {"type": "text", "text": "By the way."},
            ]},
            {"role": "assistant", "content": [{"type": "text", "text": "One says OPEN."}]},
            {"role": "user", "content": [
                {"type": "text", "text": "And"},
                {"type": "text", "text": "below?"},
            ]},
        ])
    );
    assert_eq!(
        body["tools"],
        json!([
            {
                "name": "look",
                "description": "Looks again.",
                "input_schema": {"type": "object", "properties": {"image": {"type": "integer"}}},
            },
            {"name": "stop", "input_schema": {"type": "object", "properties": {}}},
        ])
    );
}

#[test]
fn results_without_content_and_calls_without_words() {
    let mut asked = conversation();
    asked.messages = vec![
        assistant(vec![call("a", "")]),
        user(vec![result("a", false, vec![text(" ")])]),
    ];
    let chat = openai(|_| {})(&asked);
    assert_eq!(
        chat["messages"]
            .as_array()
            .map(|messages| messages[1..].to_vec()),
        Some(vec![
            json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}},
            ]}),
            json!({"role": "tool", "tool_call_id": "a", "content": ""}),
        ])
    );
    let responses = responses()(&asked);
    assert_eq!(
        responses["input"],
        json!([
            {"type": "function_call", "call_id": "a", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": ""},
        ])
    );
    let messages = anthropic(ThinkingReturn::Signed)(&asked);
    assert_eq!(
        messages["messages"],
        json!([
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "look", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]},
        ])
    );
}

#[test]
fn a_failed_result_with_an_image_says_that_it_failed() {
    let mut asked = conversation();
    asked.messages = vec![
        assistant(vec![call("a", "{}")]),
        user(vec![result("a", true, vec![image()])]),
    ];
    let body = responses()(&asked);
    assert_eq!(
        body["input"][1]["output"],
        json!([
            {"type": "input_text", "text": "Error:"},
            {"type": "input_image", "image_url": "data:image/png;base64,cG5n"},
        ])
    );
}

/// What stands in place of reasoning in each of the assistant's messages of [`conversation`].
fn members(body: &Value, name: &str) -> Vec<Option<String>> {
    let messages = body["messages"].as_array().into_iter().flatten();
    let own = messages.filter(|message| message["role"] == "assistant");
    own.map(|message| message.get(name)?.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn reasoning_goes_back_in_chat_completions_where_the_server_wants_it() {
    let some = |text: &str| Some(text.to_owned());
    for (setting, name, expected) in [
        (ReasoningReturn::ByHost, "reasoning_content", [None, None]),
        (ReasoningReturn::Never, "reasoning_content", [None, None]),
        (
            ReasoningReturn::ReasoningContent,
            "reasoning_content",
            [some("hm"), some(" ")],
        ),
        (ReasoningReturn::ReasoningContent, "reasoning", [None, None]),
        (ReasoningReturn::Reasoning, "reasoning", [some("hm"), None]),
        (
            ReasoningReturn::Reasoning,
            "reasoning_content",
            [None, None],
        ),
    ] {
        let body = openai(|config| config.reasoning = setting)(&conversation());
        assert_eq!(members(&body, name), expected, "{setting:?}");
    }
    // Without tools nothing is made up.
    let mut asked = conversation();
    asked.tools = Arc::default();
    asked.messages = vec![
        user(vec![text("a")]),
        assistant(vec![text("b")]),
        user(vec![text("c")]),
    ];
    let wanted = |config: &mut OpenAiConfig| config.reasoning = ReasoningReturn::ReasoningContent;
    let body = openai(wanted)(&asked);
    assert_eq!(members(&body, "reasoning_content"), [None]);
}

#[test]
fn thoughts_go_back_in_messages_where_they_are_taken() {
    let asked = || GenerateRequest {
        messages: vec![
            assistant(vec![
                thoughts("signed", Some("c2ln")),
                thoughts("", Some("redacted_thinking:eA==")),
                thoughts("bare", None),
                thoughts("foreign", Some("encrypted_content:Z0FB")),
                call("a", "{}"),
            ]),
            user(vec![result("a", false, vec![text("OPEN")])]),
        ],
        ..conversation()
    };
    let signed = json!({"type": "thinking", "thinking": "signed", "signature": "c2ln"});
    let redacted = json!({"type": "redacted_thinking", "data": "eA=="});
    let bare = |text: &str| json!({"type": "thinking", "thinking": text});
    let call = json!({"type": "tool_use", "id": "a", "name": "look", "input": {}});
    for (setting, expected) in [
        (ThinkingReturn::Signed, vec![&signed, &redacted, &call]),
        (
            ThinkingReturn::All,
            vec![&signed, &redacted, &bare("bare"), &bare("foreign"), &call],
        ),
    ] {
        let body = anthropic(setting)(&asked());
        assert_eq!(
            body["messages"][0]["content"],
            json!(expected),
            "{setting:?}"
        );
    }
    let body = responses()(&asked());
    assert_eq!(
        body["input"][0],
        json!({
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": "foreign"}],
            "encrypted_content": "Z0FB",
        })
    );
    assert_eq!(body["input"][1]["type"], "function_call");
}

#[test]
fn calls_come_last_in_messages_only_where_text_follows_them() {
    for (content, expected) in [
        (
            vec![call("a", "{}"), text("Looking.")],
            vec!["text", "tool_use"],
        ),
        (
            vec![
                call("a", "{}"),
                thoughts("hm", Some("c2ln")),
                call("b", "{}"),
            ],
            vec!["tool_use", "thinking", "tool_use"],
        ),
    ] {
        let mut asked = conversation();
        asked.messages = vec![assistant(content)];
        let body = anthropic(ThinkingReturn::Signed)(&asked);
        let blocks = body["messages"][0]["content"].as_array().expect("blocks");
        let kinds: Vec<_> = blocks.iter().map(|block| &block["type"]).collect();
        assert_eq!(kinds, expected);
    }
}

#[test]
fn members_about_tools_go_with_tools_only() {
    for (tools, expected) in [(true, json!("required")), (false, Value::Null)] {
        let mut asked = conversation();
        if !tools {
            asked.tools = Arc::default();
        }
        let change = |config: &mut OpenAiConfig| {
            let extra = &mut config.endpoint.extra_body;
            extra.insert("tool_choice".to_owned(), "required".into());
            extra.insert("seed".to_owned(), 7.into());
        };
        let body = openai(change)(&asked);
        assert_eq!(body["tool_choice"], expected);
        assert_eq!(body["seed"], 7);
        assert_eq!(body.get("tools").is_some(), tools);
    }
}

#[test]
fn the_tools_of_a_request_are_its_own() {
    for form in FORMS {
        let mut endpoint = endpoint("http://127.0.0.1:9/v1");
        endpoint.extra_body.insert("tools".to_owned(), json!([]));
        let refused = match form {
            Form::Messages => {
                AnthropicProvider::new(AnthropicConfig::new(endpoint), client()).err()
            }
            _ => OpenAiProvider::new(OpenAiConfig::new(endpoint), client()).err(),
        };
        assert!(refused.is_some(), "{form:?}");
    }
}

/// Blocks of every kind.
fn blocks() -> Vec<ContentBlock> {
    vec![
        text("words"),
        text(" "),
        image(),
        thoughts("hm", Some("c2ln")),
        thoughts("hm", Some("encrypted_content:Z0FB")),
        call("a", "{}"),
        call("b:1", "half"),
        result("a", true, vec![text("words"), image()]),
    ]
}

/// Providers keep what they read before; they know it again only by the same bytes at the start.
#[test]
fn what_went_out_goes_out_again() {
    let wanted = |config: &mut OpenAiConfig| config.reasoning = ReasoningReturn::ReasoningContent;
    let forms = [
        (openai(|_| {}), "messages"),
        (openai(wanted), "messages"),
        (responses(), "input"),
        (anthropic(ThinkingReturn::All), "messages"),
    ];
    let start = GenerateRequest {
        messages: vec![user(vec![text("words")])],
        ..conversation()
    };
    let said = || vec(select(blocks()), 0..4);
    proptest!(|(turns in vec((said(), said()), 1..5))| {
        let mut request = start.clone();
        let mut before = [const { Vec::new() }; 4];
        for (mut said, mut told) in turns {
            for ((encode, name), before) in forms.iter().zip(&mut before) {
                let sent = encode(&request)[name].as_array().cloned().expect("messages");
                prop_assert!(sent.starts_with(before), "{before:?} {sent:?}");
                *before = sent;
            }
            said.insert(0, text("words"));
            told.push(text("words"));
            request.messages.extend([assistant(said), user(told)]);
        }
    });
}

const CHAT: &[(&str, &str)] = &[
    // Two calls at once, in pieces.
    (
        "data: {\"choices\":[{\"delta\":{\"content\":null,\"reasoning_content\":\"hm\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"x\\\":\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}},{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        "reasoning hm, call a look {\"x\":1}, call b read {}, ToolCalls",
    ),
    // Text stays before the calls, and usage before the end.
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"tool_calls\"}],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n",
        "text a, text b, usage 3 2 0 0 0, call a look {}, ToolCalls",
    ),
    // The server says `stop`, or nothing, after calls, and `tool_calls` without any.
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "call a look {}, ToolCalls",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}}]}\n\ndata: [DONE]\n\n",
        "call a look {}, ToolCalls",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        "text a, Stop",
    ),
    // Cut off by the bound of the output: in the second call, behind it, in the only one.
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}},{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"x\"}}]},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
        "call a look {}, MaxTokens",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
        "call a look {}, MaxTokens",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"\"}}]},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
        "MaxTokens",
    ),
    // A stream that breaks off, and a refusal, bring no call.
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]}}]}\n\n",
        "INCOMPLETE_STREAM",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"refusal\":\"no\",\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "VISION_CONTENT_BLOCKED",
    ),
    // Arguments as an object, as nothing, as no JSON; a number for an id.
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":7,\"function\":{\"name\":\"look\",\"arguments\":{\"x\":1}}},{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"stop\",\"arguments\":null}},{\"index\":2,\"id\":\"c\",\"function\":{\"name\":\"stop\",\"arguments\":\"now\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        "call eyes_call_0 look {\"x\":1}, call b stop {}, call c stop now, ToolCalls",
    ),
    // A call that is none, and one without a name.
    (
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\"}},{}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
        "text a, Stop",
    ),
    (
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        "PROVIDER_RESPONSE_INVALID",
    ),
    // Whole answers, in a stream and without one.
    (
        "data: {\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}},{\"id\":\"b\",\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        "call a look {}, call b look {}, ToolCalls",
    ),
    (
        "{\"choices\":[{\"message\":{\"content\":\"a\",\"tool_calls\":[{\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}},{\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}",
        "text a, call eyes_call_0 look {}, call eyes_call_1 look {}, ToolCalls",
    ),
];

const RESPONSES: &[(&str, &str)] = &[
    // Sealed reasoning, a call in pieces, a whole one; the closing object repeats everything.
    (
        "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]}}\n\ndata: {\"type\":\"response.reasoning_summary_text.delta\",\"item_id\":\"rs\",\"delta\":\"hm\"}\n\ndata: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[{\"text\":\"hm\"}],\"encrypted_content\":\"Z0FB\"}}\n\ndata: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"\"}}\n\ndata: {\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc_1\",\"output_index\":1,\"delta\":\"{\\\"x\\\"\"}\n\ndata: {\"type\":\"response.function_call_arguments.delta\",\"item_id\":\"fc_1\",\"output_index\":1,\"delta\":\":1}\"}\n\ndata: {\"type\":\"response.function_call_arguments.done\",\"item_id\":\"fc_1\",\"output_index\":1,\"arguments\":\"{\\\"x\\\":1}\"}\n\ndata: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{\\\"x\\\":1}\"}}\n\ndata: {\"type\":\"response.output_item.done\",\"output_index\":2,\"item\":{\"type\":\"function_call\",\"id\":\"fc_2\",\"call_id\":\"b\",\"name\":\"read\",\"arguments\":\"{}\"}}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"text\":\"hm\"}],\"encrypted_content\":\"Z0FB\"},{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{\\\"x\\\":1}\"},{\"type\":\"function_call\",\"call_id\":\"b\",\"name\":\"read\",\"arguments\":\"{}\"}]}}\n\n",
        "reasoning hm, signature encrypted_content:Z0FB, call a look {\"x\":1}, call b read {}, ToolCalls",
    ),
    // A call is passed on when the next item begins; items are told by their index where they have no id.
    (
        "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"look\"}}\n\ndata: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":0,\"delta\":\"{}\"}\n\ndata: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{}\"}}\n\ndata: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"message\"}}\n\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":1,\"delta\":\"t\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
        "call a look {}, text t, ToolCalls",
    ),
    // Arguments that are stated at the end only.
    (
        "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"id\":\"fc\",\"call_id\":\"a\",\"name\":\"look\"}}\n\ndata: {\"type\":\"response.function_call_arguments.done\",\"item_id\":\"fc\",\"arguments\":\"{}\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[]}}\n\n",
        "call a look {}, ToolCalls",
    ),
    // Cut off in the second call.
    (
        "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{}\"}}\n\ndata: {\"type\":\"response.output_item.added\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"call_id\":\"b\",\"name\":\"look\"}}\n\ndata: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":1,\"delta\":\"{\\\"x\"}\n\ndata: {\"type\":\"response.output_item.done\",\"output_index\":1,\"item\":{\"type\":\"function_call\",\"call_id\":\"b\",\"name\":\"look\",\"arguments\":\"{\\\"x\",\"status\":\"incomplete\"}}\n\ndata: {\"type\":\"response.incomplete\",\"response\":{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"}}}\n\n",
        "call a look {}, MaxTokens",
    ),
    // No pieces before the end, and no stream at all.
    (
        "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{}\"}]}}\n\n",
        "call a look {}, ToolCalls",
    ),
    (
        "{\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"summary\":[{\"text\":\"hm\"}],\"encrypted_content\":\"Z0FB\"},{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"a\"}]},{\"type\":\"function_call\",\"call_id\":\"a\",\"name\":\"look\",\"arguments\":\"{}\"}]}",
        "reasoning hm, signature encrypted_content:Z0FB, text a, call a look {}, ToolCalls",
    ),
];

const MESSAGES: &[(&str, &str)] = &[
    // Signed thoughts, hidden thoughts, text, two calls, of which one has no arguments.
    (
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"c2\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"ln\"}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"redacted_thinking\",\"data\":\"eA==\"}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"text_delta\",\"text\":\"t\"}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":2}\n\ndata: {\"type\":\"content_block_start\",\"index\":3,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"x\\\": \"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"1}\"}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":3}\n\ndata: {\"type\":\"content_block_start\",\"index\":4,\"content_block\":{\"type\":\"tool_use\",\"id\":\"b\",\"name\":\"stop\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":4}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
        "reasoning hm, signature c2ln, signature redacted_thinking:eA==, text t, call a look {\"x\": 1}, call b stop {}, ToolCalls",
    ),
    // The whole input at the start; no block is closed.
    (
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"c2ln\"}}\n\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{\"x\":1}}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
        "reasoning hm, signature c2ln, call a look {\"x\":1}, ToolCalls",
    ),
    // No index, and input of a tool that the provider runs itself.
    (
        "data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}}\n\ndata: {\"type\":\"content_block_stop\"}\n\ndata: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"web_search\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"q\\\":1}\"}}\n\ndata: {\"type\":\"content_block_stop\"}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n",
        "call a look {}, ToolCalls",
    ),
    // Cut off: in the second call, whose block is closed all the same, and before any argument.
    (
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"b\",\"name\":\"look\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"x\"}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":1}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
        "call a look {}, MaxTokens",
    ),
    // Broken off in a call.
    (
        "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{}}}\n\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
        "INCOMPLETE_STREAM",
    ),
    // No stream at all.
    (
        "{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"c2ln\"},{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"look\",\"input\":{\"x\":1}},{\"type\":\"tool_use\",\"id\":\"b\",\"name\":\"look\"}],\"stop_reason\":\"tool_use\"}",
        "reasoning hm, signature c2ln, call a look {\"x\":1}, call b look {}, ToolCalls",
    ),
];

#[test]
fn replies_with_calls_are_read_as_servers_send_them() {
    for (form, cases) in [
        (Form::Chat, CHAT),
        (Form::Responses, RESPONSES),
        (Form::Messages, MESSAGES),
    ] {
        for (stream, expected) in cases {
            for piece in [1_000_000, 17] {
                let outcome = outcome_of(form, Step::events(stream, piece));
                assert_eq!(&outcome, expected, "{form:?} {stream}");
            }
        }
    }
}

/// The events of one call of `look` with these arguments, and the end of the answer.
fn one_call(form: Form, number: usize, arguments: &str) -> String {
    let events = match form {
        Form::Chat => json!({"choices": [{"delta": {"tool_calls": [
            {"index": number, "id": number.to_string(), "function": {"name": "look", "arguments": arguments}},
        ]}}]}),
        Form::Responses => {
            json!({"type": "response.output_item.done", "output_index": number, "item": {
                "type": "function_call", "call_id": number.to_string(), "name": "look", "arguments": arguments,
            }})
        }
        Form::Messages => json!({"type": "content_block_start", "index": number, "content_block": {
            "type": "tool_use", "id": number.to_string(), "name": "look", "input": arguments,
        }}),
    };
    format!("data: {events}\n\n")
}

#[test]
fn an_answer_that_calls_without_end_is_refused() {
    for form in FORMS {
        let calls: String = (0..=MAX_TOOL_CALLS)
            .map(|number| one_call(form, number, "{}"))
            .collect();
        let outcome = outcome_of(form, Step::events(&calls, 4_096));
        assert!(
            outcome.ends_with("VISION_OUTPUT_LIMIT"),
            "{form:?} {outcome}"
        );

        let half = "x".repeat(crate::limits::MAX_TOOL_CALL_BYTES / 2);
        let calls = [0, 1, 2].map(|number| one_call(form, number, &half));
        let calls = calls.concat();
        let outcome = outcome_of(form, Step::events(&calls, 1 << 20));
        assert!(outcome.ends_with("VISION_OUTPUT_LIMIT"), "{form:?}");
    }
}

#[test]
fn a_seal_without_end_is_refused() {
    let half = "x".repeat(crate::limits::MAX_SEAL_BYTES / 2 + 1);
    let piece = json!({"type": "content_block_delta", "delta": {"type": "signature_delta", "signature": half}});
    let events = format!("data: {piece}\n\n").repeat(2);
    let outcome = outcome_of(Form::Messages, Step::events(&events, 1 << 20));
    assert_eq!(outcome, "VISION_OUTPUT_LIMIT");

    let whole = half.repeat(2);
    let item = json!({"type": "response.output_item.done", "item": {"type": "reasoning", "encrypted_content": whole}});
    let outcome = outcome_of(
        Form::Responses,
        Step::events(&format!("data: {item}\n\n"), 1 << 20),
    );
    assert_eq!(outcome, "VISION_OUTPUT_LIMIT");
}

#[test]
fn ids_that_are_given_here_are_new_in_the_conversation() {
    let server = LoopbackServer::start(|_| {
        Step::events(
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
            64,
        )
    });
    let provider = Form::Chat.provider(endpoint(&server.url()));
    let mut asked = conversation();
    asked.messages = vec![
        assistant(vec![call("eyes_call_4", "{}")]),
        user(vec![result("eyes_call_4", false, vec![text("OPEN")])]),
    ];
    assert_eq!(
        run(outcome(provider.as_ref(), asked)),
        "call eyes_call_5 look {}, ToolCalls"
    );
}
