use super::*;

#[tokio::test]
async fn a_text_turn_passes_as_it_is() {
    let events = vec![
        StreamEvent::ReasoningDelta("hm".to_owned()),
        StreamEvent::TextDelta("<deepseekeyes-request>".to_owned()),
        StreamEvent::Usage(tokens(5)),
        StreamEvent::Finish(FinishReason::Stop),
    ];
    let world = setup([Script::Events(events.iter().cloned().map(Ok).collect())]).build();
    let mut asked = request("final/text", vec![user(vec![text("Hello")])]);
    asked.tools = vec![tool("browser")].into();
    asked.max_output_tokens = Some(77);
    asked.temperature = Some(0.5);
    let (heard, report) = world.turn(&asked).await;
    assert_eq!(heard, events);
    let report = report.unwrap();
    assert_eq!(report.kind, TurnKind::Text);
    assert_eq!(report.usage, Vec::new());
    let sent = &world.last.requests()[0];
    assert_eq!(
        transcript(sent),
        "tool browser {\"type\":\"object\"} Does something.\nsystem Be brief.\nUser\ntext Hello\n"
    );
    assert_eq!(
        (sent.max_output_tokens, sent.temperature),
        (Some(77), Some(0.5))
    );
    assert!(world.eye.requests().is_empty());
    assert!(world.usage.events().is_empty());
}

#[tokio::test]
async fn evidence_stands_where_the_picture_stood() {
    let world = setup([costing("A form.", 11)])
        .eye([costing(example(EvidenceKind::Base), 30)])
        .build();
    let sha256 = world.album.put("a", 1);
    let asked = request(
        "final/text",
        vec![user(vec![
            text("What is it?"),
            picture("a"),
            text("Say it."),
        ])],
    );
    let (said, report) = world.said(&asked).await;
    assert_eq!(said, "A form.");
    assert_eq!(report.kind, TurnKind::Bridged);
    let sent = world.sent().remove(0);
    let lines: Vec<&str> = sent.lines().collect();
    assert_eq!(lines[..3], ["system Be brief.", "User", "text What is it?"]);
    assert!(lines[3].starts_with("text [DeepSeekEyes evidence] "));
    assert!(lines[4].starts_with(&format!(
        "{{\"imageSha256\":\"{sha256}\",\"attachmentId\":\"a\""
    )));
    assert!(lines[4].contains("\"summary\":") && lines[4].contains("\"provider\":\"eye\""));
    assert_eq!(*lines.last().unwrap(), "text Say it.");
    assert_eq!(report.images[0].image_sha256, sha256);
    assert_eq!(report.images[0].attachment_id, "a");
    // The host is told to keep exactly what was sent.
    let [replacement] = &report.surface[..] else {
        panic!("one message");
    };
    assert_eq!(replacement.index, 0);
    let ContentBlock::Text(kept) = &replacement.message.content[1] else {
        panic!("a text");
    };
    assert!(sent.contains(kept.as_str()));
    assert_eq!(world.count(Counter::VisualTurns), 1);
    assert_eq!(world.booked(CallCategory::VisionBase), [30]);
    assert_eq!(world.booked_final(), [11]);
}

/// The observed fault: nothing was shown before the whole answer was there.
#[tokio::test]
async fn an_answer_about_a_picture_streams() {
    let never_ends = vec![StreamEvent::TextDelta("It is a ".to_owned())];
    let world = setup([Script::Hang(never_ends)]).build();
    world.album.put("a", 1);
    let asked = request("final/text", vec![user(vec![picture("a")])]);
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut listener = |event| drop(sender.send(event));
    let turn = world.engine.answer(&asked, &mut listener);
    tokio::select! {
        _ = turn => panic!("the answer never ends"),
        () = async {
            while receiver.try_recv().is_err() {
                tokio::task::yield_now().await;
            }
        } => {}
    }
    assert_eq!(
        world.last.open_streams(),
        0,
        "whoever stops listening stops the call"
    );
    assert_eq!(
        world.booked(CallCategory::VisionBase),
        [0],
        "and has paid for what was read"
    );
}

/// The observed fault: images were read one after another, each with all lists.
#[tokio::test(start_paused = true)]
async fn pictures_of_a_turn_are_read_at_once_and_once_each() {
    let wait = std::time::Duration::from_millis(100);
    let world = setup([Script::answer("Four.")])
        .eye([Script::answer(example(EvidenceKind::Base)).after(wait)])
        .build();
    for at in 0..4 {
        world.album.put(&at.to_string(), at);
    }
    let mut content: Vec<_> = (0..4).map(|at| picture(&at.to_string())).collect();
    content.push(picture("0"));
    let started = tokio::time::Instant::now();
    let (_, report) = world
        .said(&request("final/text", vec![user(content)]))
        .await;
    assert!(started.elapsed() < wait * 2);
    assert_eq!(world.eye.requests().len(), 4);
    assert_eq!(report.images.len(), 4);
    let sent = world.sent().remove(0);
    assert_eq!(sent.matches("[DeepSeekEyes evidence]").count(), 4);
    assert_eq!(
        sent.matches("[DeepSeekEyes preserved image]").count(),
        1,
        "it stands above"
    );
}

/// The observed fault: after the first call of a tool the evidence was gone, in the same turn.
#[tokio::test]
async fn evidence_stays_while_tools_are_called_in_parallel() {
    let calls = [call("1", "list", "{}"), call("2", "open", "{\"n\":1}")];
    let world = setup([calling(&calls), Script::answer("Done.")]).build();
    world.album.put("a", 1);
    let mut asked = request("final/text", vec![user(vec![picture("a"), text("Do it.")])]);
    asked.tools = vec![tool("list"), tool("open")].into();
    let (heard, report) = world.turn(&asked).await;
    let expected: Vec<_> = calls.iter().cloned().map(StreamEvent::ToolCall).collect();
    assert_eq!(heard[..2], expected);
    assert_eq!(heard[2], StreamEvent::Finish(FinishReason::ToolCalls));
    assert_eq!(report.unwrap().finish, FinishReason::ToolCalls);

    let called = calls.iter().cloned().map(ContentBlock::ToolCall).collect();
    asked.messages.extend([
        message(Role::Assistant, called),
        result("1", vec![text("one")]),
        result("2", vec![text("two")]),
    ]);
    let (said, _) = world.said(&asked).await;
    assert_eq!(said, "Done.");
    let sent = world.sent();
    assert!(
        sent[1].starts_with(&sent[0]),
        "what was sent stays what it was"
    );
    assert!(sent[1].ends_with(
        "Assistant\ncall 1 list {}\ncall 2 open {\"n\":1}\nUser\nresult 1 false\ntext one\nUser\nresult 2 false\ntext two\n"
    ));
    assert_eq!(world.eye.requests().len(), 1);
    assert_eq!(world.album.reads(), 1);
}
