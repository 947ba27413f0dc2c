//! The network adapters against `@copilotkit/aimock`, a provider server that this project did not write.
//!
//! Live group `providers`; `.ci/run live` installs the server. Models of `tests/live/aimock/fixtures.json` are
//! named after what they do.

use std::{
    future::poll_fn,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use eyes_router::{
    error::ProviderError,
    model::{
        ContentBlock, FinishReason, GenerateRequest, Message, Modality, Reasoning, Role,
        StreamEvent, ToolCall, ToolResult, ToolSpec,
    },
    ports::ModelProvider,
    probe::PixelProbe,
    provider::{
        EndpointConfig, Secret,
        anthropic::{AnthropicConfig, AnthropicProvider},
        http::{HttpClient, HttpConfig},
        openai::{OpenAiConfig, OpenAiProvider, WireForm},
    },
    route::Route,
    testing::model_provider_contract,
};
use eyes_tests::live::{Group, installed};
use serde_json::json;

const GROUP: &str = "providers";
/// Made for tests of `eyes-router` and used here again.
const CERTIFICATES: &str = "crates/eyes-router/src/provider/http/testdata";
const ANSWER: &str = "The sign says OPEN until 18:00 today.";

/// A server run by Node, ended when dropped.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn aimock() -> Self {
        let program = installed("aimock/node_modules/@copilotkit/aimock/dist/cli.js");
        assert!(
            program.is_file(),
            "aimock is not installed; `.ci/run live` brings it"
        );
        let fixtures = project("tests/live/aimock/fixtures.json");
        let mut command = Command::new("node");
        command
            .arg(program)
            .args(["--port", "0", "--log-level", "info", "--fixtures"])
            .arg(fixtures);
        Self::start(command)
    }

    fn http2() -> Self {
        let mut command = Command::new("node");
        command
            .arg(project("tests/live/http2.mjs"))
            .arg(project(&format!("{CERTIFICATES}/server.pem")))
            .arg(project(&format!("{CERTIFICATES}/server.key.pem")));
        Self::start(command)
    }

    /// Starts a server that says where it listens.
    fn start(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let url = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| Some(line.split_once("listening on ")?.1.trim().to_owned()))
            .expect("the server says where it listens");
        // A full pipe would stop the server.
        thread::spawn(move || lines.for_each(drop));
        Self { child, url }
    }

    /// Asks for the server's own record of its requests.
    fn journal(&self) -> String {
        let address = self.url.trim_start_matches("http://");
        let mut stream = TcpStream::connect(address).expect("the server is there");
        let request = format!(
            "GET /__aimock/journal HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it answers");
        reply
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Chat,
    Responses,
    Messages,
}

const FORMS: [Form; 3] = [Form::Chat, Form::Responses, Form::Messages];

fn provider(server: &Server, form: Form, first_byte: Duration) -> Box<dyn ModelProvider> {
    let http = HttpClient::new(&HttpConfig::default()).expect("a client");
    let base = match form {
        Form::Messages => server.url.clone(),
        Form::Chat | Form::Responses => format!("{}/v1", server.url),
    };
    let mut endpoint = EndpointConfig::new("aimock", base);
    endpoint.key = Some(Secret::new("sk-live-test-key"));
    endpoint.undeclared_input = vec![Modality::Text, Modality::Image];
    endpoint.timeouts.first_byte = first_byte;
    let mut config = OpenAiConfig::new(endpoint.clone());
    match form {
        Form::Chat => {}
        Form::Responses => config.wire = WireForm::Responses,
        Form::Messages => {
            let config = AnthropicConfig::new(endpoint);
            return Box::new(AnthropicProvider::new(config, http).expect("settings"));
        }
    }
    Box::new(OpenAiProvider::new(config, http).expect("settings"))
}

fn request(model: &str) -> GenerateRequest {
    let route = Route::new("aimock", model).expect("a route");
    PixelProbe::shuffled(5).request(&route).expect("a request")
}

/// What a call gave: text, reasoning, and how it ended.
type Outcome = (String, String, Result<FinishReason, ProviderError>);

async fn ask(provider: &dyn ModelProvider, model: &str) -> Outcome {
    let (mut text, mut reasoning) = (String::new(), String::new());
    let mut stream = match provider.generate(request(model)).await {
        Ok(stream) => stream,
        Err(error) => return (text, reasoning, Err(error)),
    };
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        match event {
            Ok(StreamEvent::TextDelta(delta)) => text.push_str(&delta),
            Ok(StreamEvent::ReasoningDelta(delta)) => reasoning.push_str(&delta),
            Ok(StreamEvent::Finish(reason)) => return (text, reasoning, Ok(reason)),
            Ok(_) => {}
            Err(error) => return (text, reasoning, Err(error)),
        }
    }
    unreachable!("the stream ended without a finish event and without an error")
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(future)
}

const LONG: Duration = Duration::from_mins(1);

#[test]
fn every_form_is_answered() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    let server = Server::aimock();
    for form in FORMS {
        let provider = provider(&server, form, LONG);
        run(model_provider_contract(
            provider.as_ref(),
            request("answers"),
        ));
        let (text, reasoning, end) = run(ask(provider.as_ref(), "answers"));
        assert_eq!(
            (text.as_str(), end),
            (ANSWER, Ok(FinishReason::Stop)),
            "{form:?}"
        );
        assert_eq!(reasoning, "Letters on a door.", "{form:?}");
        let (text, _, end) = run(ask(provider.as_ref(), "runs-out"));
        assert_eq!(
            (text.as_str(), end),
            ("The sign says", Ok(FinishReason::MaxTokens)),
            "{form:?}"
        );
        // It thinks for most of a second, and that is no fault.
        let (text, _, end) = run(ask(provider.as_ref(), "thinks"));
        assert_eq!(
            (text.as_str(), end),
            (ANSWER, Ok(FinishReason::Stop)),
            "{form:?}"
        );
    }
    // The server understood the images.
    let journal = server.journal();
    assert!(journal.contains("data:image/png;base64,iVBOR"), "{journal}");
    group.ran();
}

/// Named so that the server takes it for a model that thinks.
const CALLS: &str = "claude-opus-4-calls";

/// Speaks the form with a model that thinks; the server then wants its thoughts back, and says what is wrong.
fn thinking_provider(server: &Server, form: Form) -> Box<dyn ModelProvider> {
    let http = HttpClient::new(&HttpConfig::default()).expect("a client");
    let base = match form {
        Form::Messages => server.url.clone(),
        Form::Chat | Form::Responses => format!("{}/v1", server.url),
    };
    let mut endpoint = EndpointConfig::new("aimock", base);
    let strict = ("x-aimock-strict".to_owned(), Secret::new("true"));
    endpoint.headers.push(strict);
    endpoint.undeclared_input = vec![Modality::Text, Modality::Image];
    if form == Form::Messages {
        let thinking = json!({"type": "enabled", "budget_tokens": 1_024});
        endpoint.extra_body.insert("thinking".to_owned(), thinking);
        let config = AnthropicConfig::new(endpoint);
        return Box::new(AnthropicProvider::new(config, http).expect("settings"));
    }
    let mut config = OpenAiConfig::new(endpoint);
    if form == Form::Responses {
        config.wire = WireForm::Responses;
    }
    Box::new(OpenAiProvider::new(config, http).expect("settings"))
}

/// Takes an answer as the assistant's message that it is.
async fn answer(provider: &dyn ModelProvider, request: GenerateRequest) -> (Message, FinishReason) {
    let mut stream = provider.generate(request).await.expect("it is answered");
    let (mut text, mut reasoning, mut signature) = (String::new(), String::new(), None);
    let mut calls = Vec::new();
    let mut finish = None;
    while let Some(event) = poll_fn(|context| stream.as_mut().poll_next(context)).await {
        assert_eq!(finish, None, "nothing follows the end: {event:?}");
        match event.expect("a good stream") {
            StreamEvent::TextDelta(delta) => text.push_str(&delta),
            StreamEvent::ReasoningDelta(delta) => reasoning.push_str(&delta),
            StreamEvent::ReasoningSignature(seal) => signature = Some(seal),
            StreamEvent::ToolCall(call) => calls.push(ContentBlock::ToolCall(call)),
            StreamEvent::Finish(reason) => finish = Some(reason),
            _ => {}
        }
    }
    let thoughts = Reasoning {
        text: reasoning,
        signature,
    };
    let mut content = vec![ContentBlock::Reasoning(thoughts), ContentBlock::Text(text)];
    content.extend(calls);
    let message = Message {
        role: Role::Assistant,
        content,
    };
    (message, finish.expect("an end"))
}

fn question() -> GenerateRequest {
    let tool = ToolSpec {
        name: "look".to_owned(),
        description: "Looks at an image again.".to_owned(),
        parameters: json!({"type": "object", "properties": {"image": {"type": "integer"}}}),
    };
    GenerateRequest {
        messages: vec![Message {
            role: Role::User,
            content: vec![ContentBlock::Text("Read both signs.".to_owned())],
        }],
        tools: Arc::from([tool]),
        ..request(CALLS)
    }
}

fn results() -> Message {
    let result = |id: &str, is_error, text: &str| {
        ContentBlock::ToolResult(ToolResult {
            call_id: id.to_owned(),
            tool_name: Some("look".to_owned()),
            is_error,
            content: vec![ContentBlock::Text(text.to_owned())],
        })
    };
    Message {
        role: Role::User,
        content: vec![
            result("call_left", false, "OPEN"),
            result("call_right", true, "there is no second image"),
        ],
    }
}

fn look(id: &str, arguments: &str) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall {
        id: id.to_owned(),
        name: "look".to_owned(),
        arguments: arguments.to_owned(),
    })
}

#[test]
fn every_form_calls_tools_and_takes_their_results() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    let server = Server::aimock();
    for form in FORMS {
        let provider = thinking_provider(&server, form);
        run(model_provider_contract(provider.as_ref(), question()));
        let mut asked = question();
        let (calling, finish) = run(answer(provider.as_ref(), asked.clone()));
        assert_eq!(finish, FinishReason::ToolCalls, "{form:?}");
        let ContentBlock::Reasoning(thoughts) = &calling.content[0] else {
            unreachable!("it was made so");
        };
        assert_eq!(thoughts.text, "Two signs.", "{form:?}");
        let is_sealed = thoughts.signature.is_some();
        assert_eq!(is_sealed, form != Form::Chat, "{form:?}");
        assert_eq!(
            calling.content[1..],
            [
                ContentBlock::Text("Looking at both.".to_owned()),
                look("call_left", r#"{"image":1,"question":"What does it say?"}"#),
                look("call_right", r#"{"image":2}"#),
            ],
            "{form:?}"
        );
        asked.messages.extend([calling, results()]);
        let (last, finish) = run(answer(provider.as_ref(), asked.clone()));
        assert_eq!(finish, FinishReason::Stop, "{form:?}");
        assert_eq!(
            last.content[1..],
            [ContentBlock::Text("The left one says OPEN.".to_owned())],
            "{form:?}"
        );
        if form == Form::Messages {
            // The server does look at the thoughts.
            asked.messages[1].content.remove(0);
            let refused = run(provider.generate(asked)).err().expect("it is refused");
            assert_eq!(refused.code.as_str(), "PROVIDER_REQUEST_INVALID");
            assert!(refused.message.contains("thinking"), "{refused:?}");
        }
    }
    let journal = server.journal();
    for told in ["there is no second image", "call_left", "call_right"] {
        assert!(journal.contains(told), "{told}: {journal}");
    }
    group.ran();
}

#[test]
fn a_stream_cut_in_the_middle_is_incomplete() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    let server = Server::aimock();
    for form in FORMS {
        for model in ["is-cut", "disconnects"] {
            let provider = provider(&server, form, LONG);
            let (text, _, end) = run(ask(provider.as_ref(), model));
            let error = end.expect_err("it is cut");
            assert_eq!(
                error.code.as_str(),
                "INCOMPLETE_STREAM",
                "{form:?} {model}: {error:?}"
            );
            assert!(error.is_broken_stream());
            assert!(
                ANSWER.starts_with(&text) && text.len() < ANSWER.len(),
                "{text}"
            );
        }
    }
    group.ran();
}

#[test]
fn failures_have_their_codes() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    let server = Server::aimock();
    for form in FORMS {
        for (model, code, status, retry_after_ms, is_transient) in [
            (
                "is-limited",
                "PROVIDER_RATE_LIMIT",
                Some(429),
                Some(7_000),
                true,
            ),
            ("is-broken", "PROVIDER_UNAVAILABLE", Some(503), None, true),
            ("drops", "PROVIDER_UNAVAILABLE", Some(500), None, true),
            (
                "refuses-the-key",
                "PROVIDER_CREDENTIAL_INVALID",
                Some(401),
                None,
                false,
            ),
            (
                "garbles",
                "PROVIDER_RESPONSE_INVALID",
                Some(200),
                None,
                false,
            ),
            ("hangs-up", "PROVIDER_CONNECT_FAILED", None, None, true),
        ] {
            let provider = provider(&server, form, LONG);
            let (text, _, end) = run(ask(provider.as_ref(), model));
            let error = end.expect_err("it fails");
            assert_eq!(error.code.as_str(), code, "{form:?} {model}: {error:?}");
            assert_eq!(error.status, status, "{form:?} {model}");
            assert_eq!(error.retry_after_ms, retry_after_ms, "{form:?} {model}");
            assert_eq!(error.is_transient(), is_transient, "{form:?} {model}");
            assert_eq!(
                error.request_id.is_some(),
                status.is_some(),
                "{form:?} {model}"
            );
            assert_eq!(text, "");
        }
        let provider = provider(&server, form, Duration::from_millis(400));
        let (_, _, end) = run(ask(provider.as_ref(), "thinks-long"));
        let error = end.expect_err("ten minutes are too long");
        assert_eq!(error.code.as_str(), "PROVIDER_TIMEOUT", "{form:?}");
    }
    group.ran();
}

#[test]
fn http_2_is_spoken_where_the_server_offers_it() {
    let Some(group) = Group::listed(GROUP) else {
        return;
    };
    let server = Server::http2();
    let ca = std::fs::read(project(&format!("{CERTIFICATES}/ca.pem"))).expect("the CA");
    let http = HttpClient::new(&HttpConfig {
        extra_ca: vec![ca],
        ..HttpConfig::default()
    });
    let endpoint = EndpointConfig::new("h2", server.url.as_str());
    let provider = OpenAiProvider::new(OpenAiConfig::new(endpoint), http.expect("a client"));
    let provider = provider.expect("settings");
    run(async {
        let (text, _, end) = ask(&provider, "answers").await;
        assert_eq!(
            (text.as_str(), end),
            ("The sign says OPEN.", Ok(FinishReason::Stop))
        );
        let (text, _, end) = ask(&provider, "is-cut").await;
        let error = end.expect_err("the stream is reset");
        assert_eq!(error.code.as_str(), "INCOMPLETE_STREAM");
        assert_eq!(
            (text.as_str(), error.request_id.as_deref()),
            ("The sign ", Some("h2"))
        );
        // The connection outlives one stream of it.
        let (text, _, end) = ask(&provider, "answers").await;
        assert_eq!(
            (text.as_str(), end),
            ("The sign says OPEN.", Ok(FinishReason::Stop))
        );
    });
    group.ran();
}
