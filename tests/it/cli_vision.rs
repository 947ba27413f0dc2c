//! `eyes` over a vision model: a real server on loopback that looks at the pictures it is sent.

use std::sync::atomic::{AtomicUsize, Ordering};

use eyes_evidence::{
    image::{AdmittedImage, ImageLimits, from_data_url},
    record::EvidenceKind,
};
use eyes_router::{
    probe::COLOURS,
    testing::{LoopbackServer, Received, Step},
    vision::example,
};
use eyes_tests::{Eyes, fixture};
use serde_json::{Value, json};

use crate::eyes;

const IMAGE: &str = "error-dialog.png";

/// The parts of the one message of a chat completion.
fn parts(request: &Received) -> Vec<Value> {
    let body: Value = serde_json::from_slice(&request.body).expect("a JSON body");
    let messages = body["messages"].as_array().expect("messages").clone();
    let user = messages
        .into_iter()
        .find(|message| message["role"] == "user");
    user.expect("a user message")["content"]
        .as_array()
        .expect("parts")
        .clone()
}

fn pictures(request: &Received) -> Vec<AdmittedImage> {
    parts(request)
        .iter()
        .filter_map(|part| part["image_url"]["url"].as_str())
        .map(|url| from_data_url(url, &ImageLimits::default()).expect("an image"))
        .collect()
}

/// Names the colour in the middle of each of nine cells.
fn grid(picture: &AdmittedImage) -> Vec<&'static str> {
    let raster = picture.raster();
    let side = raster.size().width / 3;
    (0..9)
        .map(|cell| {
            let (x, y) = (cell % 3 * side + side / 2, cell / 3 * side + side / 2);
            let at = (x * 3) as usize;
            let seen = &raster.row(y)[at..at + 3];
            let found = COLOURS.iter().find(|colour| colour.rgb == seen);
            found.expect("one of the nine").name
        })
        .collect()
}

pub(crate) fn streamed(text: &str) -> Vec<Step> {
    let (first, last) = (
        json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }),
        json!({
            "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 900, "completion_tokens": 100 },
        }),
    );
    Step::events(
        &format!("data: {first}\n\ndata: {last}\n\ndata: [DONE]\n\n"),
        97,
    )
}

/// A model that sees: it names the probe's colours, and reads every other picture as the example says.
pub(crate) fn sees(request: &Received) -> Vec<Step> {
    let text = parts(request).iter().find_map(|part| {
        let text = part["text"].as_str()?;
        Some(text.to_owned())
    });
    let text = text.expect("a prompt");
    if text.contains("3x3 grid") {
        return streamed(&json!({ "cells": grid(&pictures(request)[0]) }).to_string());
    }
    let asked = text.starts_with("Answer one question");
    let kind = if asked {
        EvidenceKind::Target
    } else {
        EvidenceKind::Base
    };
    streamed(example(kind))
}

/// Writes settings whose provider `hub` is `server`, and asks its model `eye` first.
pub(crate) fn configure(eyes: &Eyes, server: &LoopbackServer, more: &str) {
    let url = server.url();
    eyes.write(
        "eyes.toml",
        format!(
            "visionRoutePriority = [\"hub/eye\"]\nautoDetectVision = false\n{more}\n\
             [providers.hub]\nkind = \"openai\"\nbaseUrl = \"{url}/v1\"\napiKeyEnv = \"HUB_KEY\"\n"
        ),
    );
}

pub(crate) fn run(eyes: &Eyes, args: &[&str]) -> eyes_tests::Ran {
    let output = eyes
        .command()
        .args(["--config", "eyes.toml", "--format", "json"])
        .args(args)
        .env("HUB_KEY", "sk-test-of-loopback")
        .output();
    eyes_tests::Ran::of(&output.expect("the program starts"))
}

#[test]
fn a_model_is_probed_asked_checked_and_logged() {
    let server = LoopbackServer::start(sees);
    let eyes = eyes();
    configure(&eyes, &server, "");
    let path = fixture(IMAGE);
    let path = path.to_str().expect("UTF-8");
    let record = run(&eyes, &["read", path]).exits(0).json().remove(0);
    assert_eq!(record["vision"]["provider"], "hub");
    assert_eq!(record["vision"]["validation"], "metadata+active-grid-probe");
    // The example's text does not stand in the picture, and the local eyes say so.
    assert_eq!(record["checks"]["grounding"]["provider"], "local");
    assert_ne!(
        record["checks"]["grounding"]["entries"][0]["verdict"],
        "agreed"
    );
    let requests = server.requests();
    assert_eq!(
        requests.len(),
        2,
        "a probe and a reading, no list of models"
    );
    let key = requests[1].header("authorization");
    assert_eq!(key, Some("Bearer sk-test-of-loopback"));

    // The same again comes from the store; the probe is remembered by another process.
    let _again = run(&eyes, &["read", path]).exits(0);
    let _anew = run(&eyes, &["read", path, "--no-store"]).exits(0);
    assert_eq!(
        server.requests().len(),
        4,
        "without a store nothing is remembered"
    );

    let log = run(&eyes, &["audit", "show"]).exits(0).json();
    let told: Vec<(&str, &str)> = log
        .iter()
        .map(|line| {
            let event = &line["event"];
            let text = |name: &str| event[name].as_str().expect("a text");
            (text("phase"), text("status"))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("probe", "success"),
            ("operation", "success"),
            ("operation", "cache-hit"),
        ]
    );
    assert!(!log.iter().any(|line| line.to_string().contains("sk-test")));
    let _whole = run(&eyes, &["audit", "verify"]).exits(0);
}

#[test]
fn a_question_about_a_part_sends_the_part_and_maps_its_boxes() {
    let server = LoopbackServer::start(sees);
    let eyes = eyes();
    configure(&eyes, &server, "activeProbe = false");
    let path = fixture(IMAGE);
    let args = [
        "ask",
        path.to_str().expect("UTF-8"),
        "What is here?",
        "--region",
        "100,100,60,20",
    ];
    let record = run(&eyes, &args).exits(0).json().remove(0);
    let requests = server.requests();
    let [original, crop] = &pictures(&requests[0])[..] else {
        panic!("two pictures");
    };
    let bytes = std::fs::read(&path).expect("the picture");
    assert_eq!(original.bytes()[..], bytes[..], "the original is untouched");
    assert_eq!(record["zoom"]["sha256"], crop.identity().sha256.to_string());
    let rect = &record["zoom"]["rect"];
    let bbox = record["evidence"]["ocr"][0]["bbox"]
        .as_array()
        .expect("a box");
    let left = rect["x"].as_f64().expect("a number") / 784.0;
    assert!((bbox[0].as_f64().expect("a number") - left).abs() < 1e-6);
}

#[test]
fn a_model_that_guesses_fails_the_probe_and_the_next_route_answers() {
    let server = LoopbackServer::start(|request: &Received| {
        let is_probe = String::from_utf8_lossy(&request.body).contains("3x3 grid");
        let names: Vec<&str> = COLOURS.iter().map(|colour| colour.name).collect();
        if is_probe {
            streamed(&json!({ "cells": names }).to_string())
        } else {
            streamed(example(EvidenceKind::Base))
        }
    });
    let eyes = eyes();
    configure(&eyes, &server, "");
    let probed = run(&eyes, &["route", "probe", "hub/eye"])
        .exits(1)
        .json()
        .remove(0);
    assert_eq!(probed["sees"], false);
    assert_eq!(probed["error"]["code"], "VISION_PROBE_FAILED");
    let path = fixture(IMAGE);
    let path = path.to_str().expect("UTF-8");
    let args = [
        "read",
        path,
        "--route",
        "hub/eye",
        "--route",
        "local/eyes-tiny",
    ];
    let record = run(&eyes, &args).exits(0).json().remove(0);
    assert_eq!(record["vision"]["provider"], "local");
}

#[test]
fn a_busy_server_is_asked_again_and_a_broken_one_keeps_its_code() {
    let calls = std::sync::Arc::new(AtomicUsize::new(0));
    let counted = std::sync::Arc::clone(&calls);
    let server = LoopbackServer::start(move |request: &Received| {
        match counted.fetch_add(1, Ordering::Relaxed) {
            0 => vec![Step::reply(
                429,
                &[("retry-after-ms", "20")],
                br#"{"error":{"message":"slow down","code":"rate_limit"}}"#,
            )],
            1 => Step::cut_events("data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\n"),
            _ => sees(request),
        }
    });
    let eyes = eyes();
    configure(&eyes, &server, "activeProbe = false");
    let path = fixture(IMAGE);
    let path = path.to_str().expect("UTF-8");
    let record = run(&eyes, &["read", path]).exits(0).json().remove(0);
    assert_eq!(record["vision"]["provider"], "hub");
    assert_eq!(calls.load(Ordering::Relaxed), 3, "busy, cut, answered");

    let refusing = LoopbackServer::start(|_: &Received| {
        vec![Step::reply(
            401,
            &[],
            br#"{"error":{"message":"bad key sk-test-of-loopback","code":"invalid_api_key"}}"#,
        )]
    });
    configure(&eyes, &refusing, "activeProbe = false");
    let ran = run(&eyes, &["read", path, "--no-store"]);
    let error = ran.json_error();
    assert_eq!(error["error"]["code"], "PROVIDER_CREDENTIAL_INVALID");
    assert!(!ran.stderr.contains("sk-test"), "{}", ran.stderr);
    assert_eq!(
        refusing.requests().len(),
        1,
        "a refused key is not tried again"
    );
}
