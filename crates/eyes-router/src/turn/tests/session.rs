use super::*;

fn arguments(sha256: Sha256Digest, question: &str) -> String {
    format!("{{\"imageSha256\":\"{sha256}\",\"question\":\"{question}\"}}")
}

fn eyes() -> [Script; 2] {
    [Script::answer(example(EvidenceKind::Base)), target()]
}

/// Plays one turn and returns the messages as a host keeps them.
async fn kept(world: &World) -> Vec<TurnMessage> {
    let mut asked = request("final/text", vec![user(vec![picture("a")])]);
    let (said, report) = world.said(&asked).await;
    for replacement in report.surface {
        asked.messages[replacement.index] = replacement.message;
    }
    asked.messages.push(assistant(&said));
    asked.messages
}

/// The observed faults: after a restart there was no look tool, and one unknown digest made the known ones
/// unknown.
#[tokio::test]
async fn a_session_is_found_again_after_a_restart() {
    let world = setup([Script::answer("A form.")]).build();
    let sha256 = world.album.put("a", 1);
    let messages = kept(&world).await;

    let restarted = setup([Script::answer("A form.")]).eye([target()]).build();
    restarted.album.put("a", 1);
    let look = async |question: &str, sha256| {
        let looked = restarted
            .engine
            .look("session", &arguments(sha256, question))
            .await;
        looked
            .map(|_| ())
            .map_err(|failure| failure.code().as_str())
    };
    assert_eq!(look("one?", sha256).await, Err("UNKNOWN_PRESERVED_IMAGE"));
    assert_eq!(restarted.engine.restore("session", &messages), 1);
    assert_eq!(look("one?", sha256).await, Ok(()));
    let unknown = Sha256Digest::of(b"unknown");
    assert_eq!(look("one?", unknown).await, Err("UNKNOWN_PRESERVED_IMAGE"));
    assert_eq!(look("two?", sha256).await, Ok(()));
    assert_eq!(look("", sha256).await, Err("INVALID_VISION_REQUEST"));
    let other = restarted
        .engine
        .look("other", &arguments(sha256, "one?"))
        .await;
    assert_eq!(
        other.unwrap_err().code().as_str(),
        "UNKNOWN_PRESERVED_IMAGE"
    );
    restarted.engine.forget("session");
    assert_eq!(look("one?", sha256).await, Err("UNKNOWN_PRESERVED_IMAGE"));
    // Other bytes under the same id are not the image that the session speaks of.
    restarted.engine.restore("session", &messages);
    restarted.album.put("a", 2);
    assert_eq!(look("three?", sha256).await, Err("VISION_STATE_MISMATCH"));
}

/// The observed fault: who could write text into a session could have any attachment looked at.
#[tokio::test]
async fn a_marker_of_another_session_is_text() {
    let world = setup([Script::answer("A form.")]).build();
    world.album.put("a", 1);
    let messages = kept(&world).await;
    let restarted = setup([Script::answer("A form.")]).build();
    assert_eq!(restarted.engine.restore("other", &messages), 0);
    let mut asked = request("final/text", messages);
    asked.session = Some("other".to_owned());
    asked.messages.push(user(vec![text("And?")]));
    let (_, report) = restarted.said(&asked).await;
    assert_eq!(report.kind, TurnKind::Text);
    assert!(restarted.album.reads() == 0 && report.looks.is_empty());
}

/// A later turn without a picture can look again, and costs no look of its own.
#[tokio::test]
async fn a_later_text_turn_can_look_again() {
    let world = setup([Script::answer("A form.")]).build();
    let sha256 = world.album.put("a", 1);
    let mut messages = kept(&world).await;
    messages.push(user(vec![text("What is the amount?")]));
    let restarted = setup([
        Script::answer(&control(sha256, "the amount?")),
        Script::answer("4.99"),
    ])
    .eye([target()])
    .build();
    restarted.album.put("a", 1);
    let (said, report) = restarted.said(&request("final/text", messages)).await;
    assert_eq!((said.as_str(), report.kind), ("4.99", TurnKind::Text));
    assert_eq!(restarted.eye.requests().len(), 1);
    assert!(world.sent()[0].len() < restarted.sent()[0].len());
    assert!(restarted.sent()[0].starts_with(&world.sent()[0]));
}

/// A host that keeps its images: after a restart the evidence comes from the store, and is the same.
#[tokio::test]
async fn evidence_of_older_turns_comes_from_the_store() {
    let world = setup([Script::answer("A form.")]).eye(eyes()).build();
    world.album.put("a", 1);
    let first = request("final/text", vec![user(vec![picture("a")])]);
    world.said(&first).await;
    let restarted = setup([Script::answer("Yes.")]).build_over(Arc::clone(&world.store));
    restarted.album.put("a", 1);
    let mut messages = first.messages;
    messages.extend([assistant("A form."), user(vec![text("Sure?")])]);
    restarted.said(&request("final/text", messages)).await;
    assert!(restarted.sent()[0].starts_with(&world.sent()[0]));
    assert!(restarted.eye.requests().is_empty());
}

/// The observed fault: every older image was read and hashed again for every text turn.
#[tokio::test]
async fn older_images_are_read_at_most_once() {
    let world = setup([Script::answer("Yes.")]).build();
    let mut messages = Vec::new();
    for at in 0..20_u8 {
        world.album.put(&at.to_string(), at);
        messages.extend([user(vec![picture(&at.to_string())]), assistant("I see.")]);
    }
    messages.push(user(vec![text("And?")]));
    let asked = request("final/text", messages);
    world.said(&asked).await;
    assert_eq!(world.album.reads(), 8, "as many as there are pointers");
    world.said(&asked).await;
    assert_eq!(world.album.reads(), 8);
    assert!(world.eye.requests().is_empty(), "nobody asked about them");
    let sent = world.sent();
    assert_eq!(sent[0], sent[1]);
}
