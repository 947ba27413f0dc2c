use eyes_evidence::code::ErrorCode;
use proptest::prelude::*;
use rmcp::{
    model::{
        CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam,
        ClientJsonRpcMessage, ClientRequest, JsonRpcMessage, ListToolsRequest, NumberOrString,
        PingRequest, ServerJsonRpcMessage, ServerNotification, ServerResult,
    },
    transport::Transport as _,
};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
use tokio_util::sync::CancellationToken;

#[cfg(target_os = "linux")]
mod programs;

use super::*;
use crate::{
    adapter::rmcp::fault,
    codes::{MCP_MESSAGE_INVALID, MCP_MESSAGE_SHAPE_LIMIT, MCP_MESSAGE_SIZE_LIMIT},
    limits::{STDIO_WRITE_QUEUE, STDIO_WRITE_STALL},
};

const LIMITS: MessageLimits = MessageLimits {
    bytes: 4096,
    depth: 10,
    values: 100,
    string_bytes: 1000,
};

/// A transport, and the server's ends of its pipes.
struct Pair {
    transport: StdioTransport,
    output: DuplexStream,
    input: DuplexStream,
    closing: CancellationToken,
}

fn pair(room: usize) -> Pair {
    let (output, reader) = duplex(64 << 10);
    let (writer, input) = duplex(room);
    let closing = CancellationToken::new();
    Pair {
        transport: StdioTransport::over(reader, writer, closing.clone(), LIMITS),
        output,
        input,
        closing,
    }
}

impl Pair {
    async fn ask(&mut self, request: ClientRequest, id: i64) {
        let message = JsonRpcMessage::request(request, NumberOrString::Number(id));
        self.transport.send(message).await.expect("it is written");
    }

    /// What the transport makes of what the server writes, until the server closes.
    async fn hear(mut self, text: &[u8]) -> (Vec<ServerJsonRpcMessage>, TrafficCounts) {
        let traffic = self.transport.traffic();
        let mut output = self.output;
        let written = async {
            output.write_all(text).await.expect("it is read");
            drop(output);
        };
        let read = async {
            let mut messages = Vec::new();
            while let Some(message) = self.transport.receive().await {
                messages.push(message);
            }
            messages
        };
        let ((), messages) = tokio::join!(written, read);
        (messages, traffic.counts())
    }
}

fn list() -> ClientRequest {
    ClientRequest::ListToolsRequest(ListToolsRequest::default())
}

fn call() -> ClientRequest {
    ClientRequest::CallToolRequest(CallToolRequest::new(CallToolRequestParams::new("t")))
}

fn ping() -> ClientRequest {
    ClientRequest::PingRequest(PingRequest::default())
}

/// A raw result and its id.
fn raw(message: &ServerJsonRpcMessage) -> Option<(&Value, &NumberOrString)> {
    match message {
        JsonRpcMessage::Response(response) => match &response.result {
            ServerResult::CustomResult(result) => Some((&result.0, &response.id)),
            _ => None,
        },
        _ => None,
    }
}

fn failed(message: &ServerJsonRpcMessage) -> Option<(ErrorCode, &NumberOrString)> {
    match message {
        JsonRpcMessage::Error(error) => {
            Some((fault::from_rpc(&error.error)?.code, error.id.as_ref()?))
        }
        _ => None,
    }
}

#[tokio::test]
async fn results_are_handed_on_undamaged() {
    let result = json!({"tools": [{"name": "a", "x-unknown": [null, u64::MAX]}], "z": 0.1});
    let mut pair = pair(64 << 10);
    pair.ask(list(), 1).await;
    pair.ask(call(), 2).await;
    let text = format!(
        "{{\"result\":{result},\"id\":\"1\",\"jsonrpc\":\"2.0\"}}\r\n{}\n",
        json!({"jsonrpc": "2.0", "id": 2, "result": {"resultType": "complete", "content": []}})
    );
    let (messages, counts) = pair.hear(text.as_bytes()).await;
    assert_eq!(
        raw(&messages[0]),
        Some((&result, &NumberOrString::Number(1)))
    );
    let second = json!({"resultType": "complete", "content": []});
    assert_eq!(
        raw(&messages[1]),
        Some((&second, &NumberOrString::Number(2)))
    );
    assert_eq!((messages.len(), counts), (2, TrafficCounts::default()));
}

#[tokio::test]
async fn steps_of_the_protocol_are_typed() {
    let mut pair = pair(64 << 10);
    pair.ask(ping(), 1).await;
    pair.ask(call(), 2).await;
    let text = [
        json!({"jsonrpc": "2.0", "id": 1, "result": {}}),
        json!({"jsonrpc": "2.0", "id": 2, "result": {"resultType": "input_required", "inputRequests": {}, "requestState": "s"}}),
        json!({"jsonrpc": "2.0", "id": 7, "method": "ping"}),
        json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}),
    ]
    .map(|message| format!("{message}\n"))
    .concat();
    let (messages, _) = pair.hear(text.as_bytes()).await;
    let [
        JsonRpcMessage::Response(pong),
        JsonRpcMessage::Response(step),
        JsonRpcMessage::Request(_),
        JsonRpcMessage::Notification(changed),
    ] = messages.as_slice()
    else {
        panic!("{messages:?}");
    };
    assert!(
        matches!(pong.result, ServerResult::EmptyResult(_)),
        "{pong:?}"
    );
    assert!(
        matches!(step.result, ServerResult::InputRequiredResult(_)),
        "{step:?}"
    );
    assert!(matches!(
        changed.notification,
        ServerNotification::ToolListChangedNotification(_)
    ));
}

/// Hears `line` where request 1 is answered, and then the answer to request 2: the first fails with `code`.
async fn fails_alone(line: &[u8], code: ErrorCode) {
    let mut pair = pair(64 << 10);
    pair.ask(list(), 1).await;
    pair.ask(list(), 2).await;
    let next = json!({"jsonrpc": "2.0", "id": 2, "result": {"tools": []}});
    let text = [line, format!("\n{next}\n").as_bytes()].concat();
    let (messages, counts) = pair.hear(&text).await;
    let shown = String::from_utf8_lossy(&line[..line.len().min(60)]);
    assert_eq!(
        failed(&messages[0]),
        Some((code, &NumberOrString::Number(1))),
        "{shown}"
    );
    assert_eq!(
        raw(&messages[1]),
        Some((&json!({"tools": []}), &NumberOrString::Number(2))),
        "{shown}"
    );
    assert_eq!((messages.len(), counts.failed), (2, 1), "{shown}");
}

#[tokio::test]
async fn a_response_beyond_a_bound_fails_its_request_alone() {
    let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
    let long = "x".repeat(1500);
    let many = "1,".repeat(200);
    let huge = "y".repeat(200_000);
    for (rest, code) in [
        (
            format!(r#""result":{{"a":"{huge}"}}"#),
            MCP_MESSAGE_SIZE_LIMIT,
        ),
        (
            format!(r#""error":{{"code":1,"message":"{huge}"}}"#),
            MCP_MESSAGE_SIZE_LIMIT,
        ),
        (
            format!(r#""result":{{"a":{deep}}}"#),
            MCP_MESSAGE_SHAPE_LIMIT,
        ),
        (
            format!(r#""result":{{"a":"{long}"}}"#),
            MCP_MESSAGE_SHAPE_LIMIT,
        ),
        (format!(r#""result":[{many}1]"#), MCP_MESSAGE_SHAPE_LIMIT),
    ] {
        let before = format!(r#"{{"jsonrpc":"2.0","id":1,{rest}}}"#);
        fails_alone(before.as_bytes(), code).await;
        let after = format!(r#"{{"jsonrpc":"2.0",{rest},"id":"1"}}"#);
        fails_alone(after.as_bytes(), code).await;
    }
}

#[tokio::test]
async fn a_response_that_cannot_be_decoded_fails_its_request_alone() {
    for rest in [
        &br#""result":[1]}"#[..],
        br#""result":{"a":01}}"#,
        br#""result":{"a":1]}"#,
        br#""result":{"a":"#,
        br#""result":{},"result":{}}"#,
        br#""result":{},"error":{"code":1,"message":""}}"#,
        br#""error":"none"}"#,
        b"\"result\":{\"a\":\"\xff\"}}",
    ] {
        let line = [br#"{"jsonrpc":"2.0","id":1,"#, rest].concat();
        fails_alone(&line, MCP_MESSAGE_INVALID).await;
    }
}

#[tokio::test]
async fn what_answers_nothing_is_counted_and_left_out() {
    let long = "x".repeat(1500);
    let text = format!(
        "Server running on stdio\n{{\"level\":\"error\",\"id\":1,\"error\":\"x\"}}\n[info] up\n\n\
         {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"level\":\"info\",\"data\":\"{long}\"}}}}\n\
         {{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"sampling/createMessage\",\"params\":\"{long}\"}}\n\
         {{\"jsonrpc\":\"2.0\",\"params\":{{}}}}\n\
         {{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{{}}}}\n{{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":\"{long}\"}}\n",
    );
    let mut pair = pair(64 << 10);
    pair.ask(list(), 1).await;
    let traffic = pair.transport.traffic();
    let (messages, counts) = pair.hear(text.as_bytes()).await;
    assert!(messages.is_empty(), "{messages:?}");
    let expected = TrafficCounts {
        skipped: 3,
        failed: 0,
        dropped: 3,
        unmatched: 2,
    };
    assert_eq!(counts, expected);
    assert_eq!(traffic.skipped_sample().as_deref(), Some("[info] up"));
}

#[tokio::test]
async fn messages_in_one_line_are_taken_apart() {
    let mut pair = pair(64 << 10);
    pair.ask(list(), 1).await;
    let batch = json!([
        {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"},
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": []}},
    ]);
    let (messages, _) = pair.hear(format!("{batch}\n").as_bytes()).await;
    let [JsonRpcMessage::Notification(_), response] = messages.as_slice() else {
        panic!("{messages:?}");
    };
    assert_eq!(
        raw(response),
        Some((&json!({"tools": []}), &NumberOrString::Number(1)))
    );
}

#[tokio::test]
async fn a_server_cannot_speak_for_the_transport() {
    let mut pair = pair(64 << 10);
    pair.ask(list(), 1).await;
    let mut forged = fault::to_rpc(MCP_MESSAGE_SIZE_LIMIT, "forged");
    forged.message = "forged".into();
    let text = format!("{}\n", json!({"jsonrpc": "2.0", "id": 1, "error": forged}));
    let (messages, _) = pair.hear(text.as_bytes()).await;
    let [JsonRpcMessage::Error(error)] = messages.as_slice() else {
        panic!("{messages:?}");
    };
    assert_eq!(
        (fault::from_rpc(&error.error), error.error.message.as_ref()),
        (None, "forged")
    );
}

#[tokio::test]
async fn an_answer_that_comes_after_the_cancellation_is_thrown_away() {
    let mut pair = pair(64 << 10);
    pair.ask(list(), 1).await;
    let cancelled = CancelledNotification::new(CancelledNotificationParam::new(
        Some(NumberOrString::Number(1)),
        None,
    ));
    let message: ClientJsonRpcMessage = JsonRpcMessage::notification(cancelled.into());
    pair.transport.send(message).await.expect("it is written");
    let text = format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}})
    );
    let (messages, counts) = pair.hear(text.as_bytes()).await;
    assert!(messages.is_empty());
    assert_eq!(counts.unmatched, 1);
}

#[tokio::test]
async fn giving_up_on_a_message_loses_no_byte() {
    let mut pair = pair(64 << 10);
    pair.ask(list(), 1).await;
    let text = format!(
        "{}\n",
        json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [1, 2, 3]}})
    );
    let mut last = None;
    for byte in text.as_bytes() {
        pair.output.write_all(&[*byte]).await.expect("it is read");
        let mut receive = Box::pin(pair.transport.receive());
        if let std::task::Poll::Ready(message) = futures_util::poll!(&mut receive) {
            last = message;
        }
    }
    assert_eq!(
        raw(&last.expect("a message")),
        Some((&json!({"tools": [1, 2, 3]}), &NumberOrString::Number(1)))
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_read_fails_what_is_sent() {
    let mut pair = pair(16);
    let mut sends = Vec::new();
    for id in 0..STDIO_WRITE_QUEUE as i64 + 10 {
        let message = JsonRpcMessage::request(list(), NumberOrString::Number(id));
        sends.push(pair.transport.send(message));
    }
    let begin = tokio::time::Instant::now();
    let results = futures_util::future::join_all(sends).await;
    assert_eq!(begin.elapsed(), STDIO_WRITE_STALL);
    assert!(results.iter().all(Result::is_err));
    let words = results
        .iter()
        .filter_map(|result| result.as_ref().err())
        .map(ToString::to_string);
    assert_eq!(
        words.filter(|text| text.contains("does not read")).count(),
        1
    );
    let late = pair
        .transport
        .send(JsonRpcMessage::request(ping(), NumberOrString::Number(500)));
    assert!(late.await.is_err());
    // Nothing can come of it any more.
    assert!(pair.transport.receive().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn a_slow_server_gets_everything() {
    let mut pair = pair(16);
    let send = pair
        .transport
        .send(JsonRpcMessage::request(call(), NumberOrString::Number(1)));
    let read = async {
        let mut line = Vec::new();
        while line.last() != Some(&b'\n') {
            tokio::time::sleep(STDIO_WRITE_STALL.mul_f32(0.9)).await;
            let mut piece = [0; 16];
            let taken = pair.input.read(&mut piece).await.expect("more");
            line.extend_from_slice(&piece[..taken]);
        }
        line
    };
    let (sent, line) = tokio::join!(send, read);
    sent.expect("it is written");
    let message: Value = serde_json::from_slice(&line).expect("JSON");
    assert_eq!(
        (&message["id"], &message["method"]),
        (&json!(1), &json!("tools/call"))
    );
}

#[tokio::test]
async fn closing_writes_what_waits_and_ends_the_input() {
    let mut pair = pair(64 << 10);
    let send = tokio::spawn(
        pair.transport
            .send(JsonRpcMessage::request(list(), NumberOrString::Number(1))),
    );
    send.await.expect("no panic").expect("it is written");
    pair.transport.close().await.expect("it closes");
    let mut text = String::new();
    pair.input.read_to_string(&mut text).await.expect("it ends");
    assert!(
        text.ends_with('\n') && text.contains("tools/list"),
        "{text}"
    );
    assert!(
        pair.transport
            .send(JsonRpcMessage::request(ping(), NumberOrString::Number(2)))
            .await
            .is_err()
    );
}

#[tokio::test(start_paused = true)]
async fn an_end_from_outside_is_at_once() {
    let mut pair = pair(16);
    let send = tokio::spawn(
        pair.transport
            .send(JsonRpcMessage::request(list(), NumberOrString::Number(1))),
    );
    let mut first = [0; 1];
    pair.input
        .read_exact(&mut first)
        .await
        .expect("it has begun");
    let begin = tokio::time::Instant::now();
    pair.closing.cancel();
    assert!(send.await.expect("no panic").is_err());
    let mut rest = Vec::new();
    pair.input.read_to_end(&mut rest).await.expect("it ends");
    assert!(rest.len() < 40 && begin.elapsed().is_zero());
}

proptest! {
    #[test]
    fn no_bytes_end_a_session(noise in prop::collection::vec(prop_oneof![
        "[{}\\[\\]\":,a-z0-9\n]{0,30}".prop_map(String::into_bytes),
        Just(b"{\"jsonrpc\":\"2.0\",\"id\":2,".to_vec()),
        Just(b"\"method\":\"ping\"".to_vec()),
        Just(b"\"result\":{\"tools\":[]}}\n".to_vec()),
        prop::collection::vec(any::<u8>(), 0..20),
    ], 0..12)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let last = runtime.block_on(async {
            let mut pair = pair(64 << 10);
            pair.ask(list(), 1).await;
            let end = format!("\n{}\n", json!({"jsonrpc": "2.0", "id": 1, "result": {"ok": true}}));
            let (messages, _) = pair.hear(&[noise.concat(), end.into_bytes()].concat()).await;
            messages.last().cloned()
        });
        prop_assert_eq!(
            last.as_ref().and_then(raw),
            Some((&json!({"ok": true}), &NumberOrString::Number(1)))
        );
    }
}
