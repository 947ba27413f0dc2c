//! `eyes answer` over loopback models: an eye that looks at pictures and a final model that reads evidence.

use eyes_router::testing::{LoopbackServer, Received, Step};
use eyes_tests::{Eyes, Ran, fixture};
use serde_json::{Value, json};

use crate::{
    cli_vision::{configure, sees, streamed},
    eyes,
};

/// Everything that the final model was sent, as one text.
fn conversation(request: &Received) -> String {
    let body: Value = serde_json::from_slice(&request.body).expect("a JSON body");
    let messages = body["messages"].as_array().expect("messages");
    let text = |content: &Value| match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    };
    let texts: Vec<String> = messages.iter().map(|m| text(&m["content"])).collect();
    texts.join("\n")
}

fn model(request: &Received) -> String {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    body["model"].as_str().unwrap_or_default().to_owned()
}

/// The final model asks back once, about the picture that its evidence names, and then answers.
pub(crate) fn answers(request: &Received) -> Vec<Step> {
    if request.method == "GET" {
        let list = json!({"data": [{"id": "reader"}, {"id": "eye"}]}).to_string();
        return vec![Step::reply(
            200,
            &[("content-type", "application/json")],
            list.as_bytes(),
        )];
    }
    if model(request) != "reader" {
        return sees(request);
    }
    let said = conversation(request);
    if said.contains("[DeepSeekEyes targeted evidence]") {
        return streamed("The dialog says \u{1b}[31mno.");
    }
    let (_, sha256) = said.split_once("\"imageSha256\":\"").expect("evidence");
    streamed(&format!(
        "<deepseekeyes-request>{{\"imageSha256\":\"{}\",\"question\":\"What does it say?\"}}</deepseekeyes-request>",
        &sha256[..64]
    ))
}

fn run(eyes: &Eyes, args: &[&str]) -> Ran {
    let output = eyes
        .command()
        .args(["--config", "eyes.toml"])
        .args(args)
        .env("HUB_KEY", "sk-test-of-loopback")
        .output();
    Ran::of(&output.expect("the program starts"))
}

const PRICES: &str = r#"
currency = "USD"
[[prices]]
provider = "hub"
model = "reader"
from = "2000-01-01"
input = "0.5"
output = "2"
"#;

#[test]
fn an_answer_comes_with_its_evidence_and_its_price() {
    let server = LoopbackServer::start(answers);
    let eyes = eyes();
    configure(
        &eyes,
        &server,
        "activeProbe = false\nusagePrices = \"prices.toml\"",
    );
    eyes.write("prices.toml", PRICES);
    let path = fixture("error-dialog.png");
    let path = path.to_str().expect("UTF-8");
    let args = ["answer", path, "What is wrong?", "--final", "hub/reader"];
    let ran = run(&eyes, &args).exits(0);
    assert_eq!(
        ran.stdout, "The dialog says \\u{1b}[31mno.\n",
        "a terminal is not obeyed"
    );
    let told: Vec<&str> = ran.stderr.lines().collect();
    assert!(
        told[0].starts_with("evidence ") && told[0].ends_with(" by hub/eye"),
        "{told:?}"
    );
    assert!(told[1].starts_with("looked again: What does it say?: evidence "));
    // Three calls of 900 and 100 tokens beside the answer; the eye has no price.
    assert_eq!(
        told[2],
        "looking: 3 calls, 2700 tokens in (0 from the cache), 300 out, 0.00065 USD and a part that is unpriced"
    );
    assert_eq!(
        told[3],
        "answer: 1 call, 900 tokens in (0 from the cache), 100 out, 0.00065 USD"
    );

    // The same again: the evidence comes from the store, the answer does not.
    let mut again = vec!["--format", "json"];
    again.extend(args);
    let line = run(&eyes, &again).exits(0).json().remove(0);
    assert_eq!(line["answer"], "The dialog says \u{1b}[31mno.");
    assert_eq!(
        (&line["kind"], &line["finish"]),
        (&json!("bridged"), &json!("stop"))
    );
    assert_eq!(line["images"][0]["cached"], true);
    assert_eq!(line["looks"][0]["question"], "What does it say?");
    assert_eq!(line["usage"]["total"]["counters"]["cacheHits"], 2);
    assert_eq!(line["usage"]["total"]["finalAnswers"]["calls"], 1);
    let calls = |name: &str| {
        server
            .requests()
            .iter()
            .filter(|r| model(r) == name)
            .count()
    };
    assert_eq!((calls("eye"), calls("reader")), (2, 4));
    assert!(eyes.path("data").join("usage.jsonl").is_file());
    assert!(eyes.path("data").join("marker.key").is_file());
}

#[test]
fn a_model_that_sees_is_shown_the_picture() {
    let server = LoopbackServer::start(|request: &Received| {
        if String::from_utf8_lossy(&request.body).contains("3x3 grid") {
            return sees(request);
        }
        streamed("A dialog.")
    });
    let eyes = eyes();
    configure(&eyes, &server, "");
    let path = fixture("error-dialog.png");
    let path = path.to_str().expect("UTF-8");
    let args = [
        "--format",
        "json",
        "answer",
        path,
        path,
        "What is it?",
        "--final",
        "hub/eye",
    ];
    let line = run(&eyes, &args).exits(0).json().remove(0);
    assert_eq!(line["kind"], "native");
    assert_eq!(line["images"], json!([]));
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "a probe and an answer");
    let body = String::from_utf8_lossy(&requests[1].body);
    assert_eq!(body.matches("data:image/png;base64,").count(), 2);
    assert!(!body.contains("DeepSeekEyes"));
}

#[test]
fn what_goes_wrong_has_the_code_of_who_said_it() {
    let server = LoopbackServer::start(|request: &Received| {
        if request.method == "GET" || model(request) == "eye" {
            return answers(request);
        }
        let body = br#"{"error":{"message":"slow down","type":"rate_limit_error"}}"#;
        vec![Step::reply(429, &[("retry-after", "7")], body)]
    });
    let eyes = eyes();
    configure(&eyes, &server, "activeProbe = false");
    let path = fixture("error-dialog.png");
    let path = path.to_str().expect("UTF-8");
    let failing = |args: &[&str], exit| {
        let mut all = vec!["--format", "json", "answer", path];
        all.extend(args);
        let ran = run(&eyes, &all).exits(exit);
        assert_eq!(ran.stdout, "");
        ran.json_error()["error"]["code"].clone()
    };
    let busy = failing(&["What?", "--final", "hub/reader"], 4);
    assert_eq!(busy, "PROVIDER_RATE_LIMIT");
    assert_eq!(failing(&["What?"], 2), "FINAL_MODEL_MISSING");
    assert_eq!(
        failing(&[" ", "--final", "hub/reader"], 2),
        "COMMAND_LINE_INVALID"
    );
    let calls = server.requests().len();
    assert_eq!(
        failing(&["What?", "--final", "nowhere/reader"], 2),
        "PROVIDER_CONFIG_MISSING"
    );
    assert_eq!(server.requests().len(), calls);
    // The evidence was paid for and is kept: the next try looks at nothing.
    let looks = |server: &LoopbackServer| {
        server
            .requests()
            .iter()
            .filter(|r| model(r) == "eye")
            .count()
    };
    assert_eq!(looks(&server), 1);
    assert_eq!(
        failing(&["What?", "--final", "hub/reader"], 4),
        "PROVIDER_RATE_LIMIT"
    );
    assert_eq!(looks(&server), 1);
}

#[test]
fn the_local_eyes_serve_a_final_model_without_any_other_eye() {
    let server = LoopbackServer::start(|request: &Received| {
        if request.method == "GET" {
            return answers(request);
        }
        let said = conversation(request);
        let read = said.contains("\"model\":\"eyes-tiny\"") && said.contains("Disk almost full");
        streamed(if read { "It failed." } else { "I see nothing." })
    });
    let eyes = eyes();
    let url = server.url();
    eyes.write(
        "eyes.toml",
        format!(
            "upstreamProvider = \"hub\"\nupstreamModel = \"reader\"\n\
             [providers.hub]\nkind = \"openai\"\nbaseUrl = \"{url}/v1\"\napiKeyEnv = \"HUB_KEY\"\n"
        ),
    );
    let path = fixture("error-dialog.png");
    let ran = run(
        &eyes,
        &["answer", path.to_str().expect("UTF-8"), "What is it?"],
    )
    .exits(0);
    assert_eq!(ran.stdout, "It failed.\n");
    let quiet = [
        "answer",
        path.to_str().expect("UTF-8"),
        "What is it?",
        "--no-store",
    ];
    let before = std::fs::read(eyes.path("data/usage.jsonl")).expect("a ledger");
    let _quiet = run(&eyes, &quiet).exits(0);
    let after = std::fs::read(eyes.path("data/usage.jsonl")).expect("a ledger");
    assert_eq!(after, before, "nothing is kept where nothing is to be kept");
    assert!(ran.stderr.contains(" by local/eyes-tiny"));
}
