use super::*;

fn busy() -> Script {
    Script::Refuse(ProviderError {
        status: Some(429),
        retry_after_ms: Some(9_000),
        request_id: Some("r-1".to_owned()),
        ..ProviderError::new(codes::PROVIDER_RATE_LIMIT, "slow down")
    })
}

/// The observed faults: the host learned UNKNOWN, and its second try had no evidence any more.
#[tokio::test]
async fn a_refusal_passes_as_it_was_said_and_the_next_try_has_the_evidence() {
    let world = setup([busy(), Script::answer("A form.")]).build();
    world.album.put("a", 1);
    let asked = request("final/text", vec![user(vec![picture("a")])]);
    let (code, failure) = world.fails(&asked).await;
    assert_eq!(code, "PROVIDER_RATE_LIMIT");
    let said = failure.error.provider_failure().unwrap();
    assert_eq!(said.retry_after_ms, Some(9_000));
    assert_eq!(
        (said.status, said.request_id.as_deref()),
        (Some(429), Some("r-1"))
    );
    assert_eq!(world.said(&asked).await.0, "A form.");
    let sent = world.sent();
    assert_eq!(sent[0], sent[1]);
    assert_eq!(world.eye.requests().len(), 1);
}

#[tokio::test]
async fn a_stream_that_is_cut_is_no_answer_and_what_it_cost_is_booked() {
    let cut = Script::Events(vec![
        Ok(StreamEvent::TextDelta("It is".to_owned())),
        Ok(StreamEvent::Usage(tokens(8))),
    ]);
    let world = setup([cut]).build();
    world.album.put("a", 1);
    let asked = request("final/text", vec![user(vec![picture("a")])]);
    let (code, failure) = world.fails(&asked).await;
    assert_eq!(code, "INCOMPLETE_STREAM");
    assert_eq!(world.booked_final(), [8]);
    assert!(failure.usage.len() >= 2);
    assert!(
        world.last.requests().len() == 1,
        "what was heard is not said twice"
    );
}

/// The observed fault: one failed look left the whole provider unusable, text turns included.
#[tokio::test]
async fn a_text_turn_and_a_new_look_work_right_after_a_failed_one() {
    let down = Script::Refuse(ProviderError::new(codes::VISION_MODEL_FAILED, "down"));
    let world = setup([Script::answer("Yes.")])
        .eye([down, Script::answer(example(EvidenceKind::Base))])
        .build();
    world.album.put("a", 1);
    let looking = request("final/text", vec![user(vec![picture("a")])]);
    assert_eq!(world.fails(&looking).await.0, "VISION_MODEL_FAILED");
    assert!(
        world.last.requests().is_empty(),
        "without evidence nothing is asked"
    );
    let talking = request("final/text", vec![user(vec![text("Are you there?")])]);
    assert_eq!(world.said(&talking).await.0, "Yes.");
    assert_eq!(world.said(&looking).await.0, "Yes.");
}

#[tokio::test]
async fn what_cannot_be_read_or_is_no_image_is_named() {
    let world = setup([Script::answer("Yes.")]).build();
    let gone = request("final/text", vec![user(vec![picture("gone")])]);
    assert_eq!(world.fails(&gone).await.0, "ATTACHMENT_READ_FAILED");
    let junk: Arc<[u8]> = b"nothing".as_slice().into();
    world
        .album
        .files
        .lock()
        .unwrap()
        .insert("junk".to_owned(), junk);
    let junk = request("final/text", vec![user(vec![picture("junk")])]);
    assert_eq!(world.fails(&junk).await.0, "UNSUPPORTED_IMAGE_TYPE");
    let nobody = request("final/nobody", vec![user(vec![text("Hello")])]);
    assert_eq!(world.fails(&nobody).await.0, "VISION_ROUTE_ERROR");
    // Of an older turn it is left out, and said so.
    let older = request(
        "final/text",
        vec![
            user(vec![picture("gone")]),
            assistant("I see."),
            user(vec![text("And?")]),
        ],
    );
    world.said(&older).await;
    assert!(world.sent()[0].contains("text [a picture that can no longer be read]\n"));
}

/// A screenshot may be missing where the state of the desktop is known in words; nothing else may.
#[tokio::test]
async fn only_a_described_screenshot_may_be_missing() {
    let down = || Script::Refuse(ProviderError::new(codes::VISION_MODEL_FAILED, "down <b>"));
    let state = "[DeepSeekEyes desktop state]\n{\"ok\":true}";
    let shot = |name: &str, content| {
        let called = ContentBlock::ToolCall(call("1", name, "{}"));
        vec![
            user(vec![text("Click it.")]),
            message(Role::Assistant, vec![called]),
            result("1", content),
        ]
    };
    let world = setup([Script::answer("Clicked.")]).eye([down()]).build();
    world.album.put("a", 1);
    let described = shot("computer", vec![text(state), picture("a")]);
    let (said, report) = world.said(&request("final/text", described.clone())).await;
    assert_eq!(said, "Clicked.");
    let sent = world.sent().remove(0);
    assert!(sent.contains("[DeepSeekEyes desktop visual fallback]\n{"));
    assert!(sent.contains("\"status\":\"unavailable-after-bounded-recovery\""));
    assert!(sent.contains("\"code\":\"VISION_MODEL_FAILED\"") && !sent.contains("<b>"));
    assert_eq!(report.warnings[0].code.as_str(), "VISION_MODEL_FAILED");
    let mut next = described;
    next.push(assistant("Clicked."));
    next.push(user(vec![text("Now?")]));
    world.said(&request("final/text", next)).await;
    let now = world.sent().remove(1);
    assert!(now.starts_with(&sent), "what was sent stays what it was");
    assert_eq!(world.eye.requests().len(), 1, "and is not tried again");

    for other in [
        shot("computer", vec![picture("a")]),
        shot("camera", vec![text(state), picture("a")]),
        vec![user(vec![text(state), picture("a")])],
    ] {
        let world = setup([Script::answer("No.")]).eye([down()]).build();
        world.album.put("a", 1);
        let (code, _) = world.fails(&request("final/text", other)).await;
        assert_eq!(code, "VISION_MODEL_FAILED");
    }
    let world = setup([Script::answer("No.")]).build();
    let gone = shot("computer", vec![text(state), picture("gone")]);
    let (code, _) = world.fails(&request("final/text", gone)).await;
    assert_eq!(code, "ATTACHMENT_READ_FAILED");
}
