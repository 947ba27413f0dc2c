use super::*;

fn asked() -> TurnRequest {
    request("final/text", vec![user(vec![picture("a"), text("What?")])])
}

/// Base evidence first, then answers to questions.
fn eyes() -> [Script; 2] {
    [Script::answer(example(EvidenceKind::Base)), target()]
}

#[tokio::test]
async fn three_questions_are_answered_before_the_answer() {
    let album = Album::default();
    let sha256 = album.put("a", 1);
    let world = setup([
        costing(&control(sha256, "one?"), 1),
        costing(&control(sha256, "two?"), 2),
        costing(&control(sha256, "three?"), 3),
        costing("It is three.", 4),
    ])
    .eye(eyes())
    .build();
    world.album.put("a", 1);
    let (heard, report) = world.turn(&asked()).await;
    let report = report.unwrap();
    assert_eq!(text_of(&heard), "It is three.");
    let usage = heard.iter().find_map(|event| match event {
        StreamEvent::Usage(usage) => Some(usage.input),
        _ => None,
    });
    assert_eq!(usage, Some(10), "all calls of the final model");
    assert_eq!(report.calls, 4);
    let questions: Vec<_> = report
        .looks
        .iter()
        .map(|look| look.question.as_deref())
        .collect();
    assert_eq!(questions, [Some("one?"), Some("two?"), Some("three?")]);
    assert!(report.looks.iter().all(|look| look.outcome.is_ok()));
    assert_eq!(world.eye.requests().len(), 4);
    assert_eq!(world.booked(CallCategory::Clarification), [1, 2, 3]);
    assert_eq!(world.booked(CallCategory::VisionTarget), [7, 7, 7]);
    assert_eq!(world.booked_final(), [4]);
    let sent = world.sent();
    for pair in sent.windows(2) {
        assert!(pair[1].starts_with(&pair[0]));
    }
    assert_eq!(
        sent[3].matches("[DeepSeekEyes targeted evidence]").count(),
        3
    );
    assert!(
        sent[3].ends_with(
            "text No further look is possible in this turn: answer with what is known.\n"
        )
    );
}

/// The observed fault: an equal question cost a round and a look, and then the turn.
#[tokio::test]
async fn equal_questions_are_answered_from_the_record() {
    let sha256 = Album::default().put("a", 1);
    let world = setup([
        Script::answer(&control(sha256, "What is it?")),
        Script::answer(&control(sha256, "what  IS it?")),
        Script::answer(&control(sha256, "What is it?")),
        Script::answer("A form."),
    ])
    .eye(eyes())
    .settings(|settings| settings.max_clarifications = 2)
    .build();
    world.album.put("a", 1);
    let (said, report) = world.said(&asked()).await;
    assert_eq!(said, "A form.");
    let known: Vec<_> = report.looks.iter().map(|look| look.known).collect();
    assert_eq!(known, [false, true, true]);
    assert_eq!(
        world.eye.requests().len(),
        2,
        "one overview and one question"
    );
    // The next turn knows it still.
    let arguments = format!("{{\"imageSha256\":\"{sha256}\",\"question\":\"What is it?\"}}");
    let looked = world.engine.look("session", &arguments).await.unwrap();
    assert!(looked.report.known);
}

/// The observed fault: a quoted tag, a wrong request or one too many ended the turn after everything was paid.
#[tokio::test]
async fn no_request_ever_kills_the_turn() {
    let sha256 = Album::default().put("a", 1);
    let other = Sha256Digest::of(b"other");
    let quoted = format!("You would write `{}`.", control(sha256, "x"));
    let bad = "<deepseekeyes-request>look closer</deepseekeyes-request>";
    let cases: Vec<(Vec<Script>, &str, Vec<&str>)> = vec![
        (vec![Script::answer(&quoted)], &quoted, vec![]),
        (
            vec![Script::answer(bad), Script::answer("A form.")],
            "A form.",
            vec!["INVALID_VISION_REQUEST"],
        ),
        (
            vec![
                Script::answer(&control(other, "x")),
                Script::answer("A form."),
            ],
            "A form.",
            vec!["UNKNOWN_PRESERVED_IMAGE"],
        ),
        (
            vec![Script::answer(bad)],
            "(The picture was looked at as often as this turn allows; this stays open: its request)",
            vec!["INVALID_VISION_REQUEST"; 3],
        ),
        (
            vec![Script::answer(&control(other, "who?"))],
            "(The picture was looked at as often as this turn allows; this stays open: who?)",
            vec!["UNKNOWN_PRESERVED_IMAGE"; 3],
        ),
    ];
    for (answers, expected, codes) in cases {
        let world = setup(answers).eye(eyes()).build();
        world.album.put("a", 1);
        let (said, report) = world.said(&asked()).await;
        assert_eq!(said, expected);
        let seen: Vec<_> = report
            .looks
            .iter()
            .map(|look| look.outcome.as_ref().unwrap_err().code.as_str())
            .collect();
        assert_eq!(seen, codes);
        let limited = report
            .warnings
            .iter()
            .any(|warning| warning.code == super::codes::VISION_CLARIFICATION_LIMIT);
        assert_eq!(limited, codes.len() == 3);
    }
}

/// The observed fault: what a failed reread cost was booked nowhere.
#[tokio::test]
async fn a_reread_that_fails_is_told_and_booked() {
    let sha256 = Album::default().put("a", 1);
    let world = setup([
        Script::answer(&control(sha256, "one?")),
        Script::answer("A form, I think."),
    ])
    .eye([
        Script::answer(example(EvidenceKind::Base)),
        costing("no evidence", 500),
    ])
    .build();
    world.album.put("a", 1);
    let (said, report) = world.said(&asked()).await;
    assert_eq!(said, "A form, I think.");
    assert_eq!(world.booked(CallCategory::VisionTarget), [500]);
    let look = &report.looks[0];
    assert_eq!(
        look.outcome.as_ref().unwrap_err().code.as_str(),
        "INVALID_MODEL_OUTPUT"
    );
    assert!(world.sent()[1].contains("The picture was not looked at again (INVALID_MODEL_OUTPUT)"));
}

#[tokio::test]
async fn a_model_with_tools_is_offered_a_tool() {
    let sha256 = Album::default().put("a", 1);
    let arguments = format!("{{\"imageSha256\":\"{sha256}\",\"question\":\"one?\"}}");
    let looks = call("9", LOOK_TOOL, &arguments);
    let opens = call("8", "open", "{}");
    let world = setup([
        calling(&[opens.clone(), looks.clone()]),
        calling(std::slice::from_ref(&opens)),
    ])
    .eye(eyes())
    .build();
    world.album.put("a", 1);
    let mut asked = asked();
    asked.tools = vec![tool("open")].into();
    let (heard, report) = world.turn(&asked).await;
    assert_eq!(heard[0], StreamEvent::ToolCall(opens));
    assert_eq!(heard.len(), 2, "the look itself is not the host's business");
    assert_eq!(report.unwrap().looks.len(), 1);
    assert_eq!(world.count(Counter::LookCalls), 1);
    let sent = world.sent();
    let offered = sent[0].lines().filter(|line| line.starts_with("tool "));
    let offered: Vec<_> = offered.map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(offered, [Some("open"), Some(LOOK_TOOL)]);
    assert!(!sent[0].contains("deepseekeyes-request>"));
    assert!(sent[1].starts_with(&sent[0]));
    assert!(sent[1].contains(&format!(
        "call 9 {LOOK_TOOL} {arguments}\nUser\nresult 9 false\ntext [DeepSeekEyes targeted"
    )));
    assert!(
        !sent[1].contains("call 8"),
        "a call that was not made has no result"
    );
    assert!(sent[1].ends_with(
        "text The other calls of that answer were not made. Repeat them if they are still needed.\n"
    ));

    // A host that has the tool runs it.
    let world = setup([calling(std::slice::from_ref(&looks))])
        .eye(eyes())
        .build();
    world.album.put("a", 1);
    asked.tools = vec![tool("open"), look_tool()].into();
    let (heard, _) = world.turn(&asked).await;
    assert_eq!(heard[0], StreamEvent::ToolCall(looks));
    let looked = world.engine.look("session", &arguments).await.unwrap();
    assert!(looked.text.starts_with("[DeepSeekEyes targeted evidence] "));
}

#[tokio::test(start_paused = true)]
async fn questions_of_one_answer_are_looked_at_together() {
    let sha256 = Album::default().put("a", 1);
    let wait = std::time::Duration::from_millis(100);
    let looks: Vec<ToolCall> = (0..6)
        .map(|at| {
            let question = format!("question {}?", at % 5);
            let arguments = format!("{{\"imageSha256\":\"{sha256}\",\"question\":\"{question}\"}}");
            call(&at.to_string(), LOOK_TOOL, &arguments)
        })
        .collect();
    let base = Script::answer(example(EvidenceKind::Base));
    let world = setup([calling(&looks), Script::answer("Yes.")])
        .eye([base, target().after(wait)])
        .build();
    world.album.put("a", 1);
    let mut asked = asked();
    asked.tools = vec![tool("open")].into();
    let started = tokio::time::Instant::now();
    let (_, report) = world.said(&asked).await;
    assert!(started.elapsed() < wait * 2);
    assert_eq!(
        world.eye.requests().len(),
        5,
        "an overview and four questions"
    );
    assert_eq!(report.looks.len(), 4);
    let sent = world.sent().pop().unwrap();
    assert_eq!(sent.matches("at most 4 looks at once").count(), 2);
    assert_eq!(sent.matches("[DeepSeekEyes targeted evidence]").count(), 4);
}

/// Each seal closes the thoughts before it, and all of them go back with the request.
#[tokio::test]
async fn sealed_thoughts_go_back_block_by_block() {
    let sha256 = Album::default().put("a", 1);
    let arguments = format!("{{\"imageSha256\":\"{sha256}\",\"question\":\"one?\"}}");
    let thought = |text: &str| Ok(StreamEvent::ReasoningDelta(text.to_owned()));
    let seal = |text: &str| Ok(StreamEvent::ReasoningSignature(text.to_owned()));
    let thinks = Script::Events(vec![
        thought("one "),
        thought("thought"),
        seal("s1"),
        seal("s2"),
        thought("open"),
        Ok(StreamEvent::ToolCall(call("9", LOOK_TOOL, &arguments))),
        Ok(StreamEvent::Finish(FinishReason::ToolCalls)),
    ]);
    let world = setup([thinks, Script::answer("Yes.")]).eye(eyes()).build();
    world.album.put("a", 1);
    let mut asked = asked();
    asked.tools = vec![tool("open")].into();
    world.said(&asked).await;
    let sent = world.last.requests().pop().unwrap();
    let thoughts: Vec<(String, Option<String>)> = sent
        .messages
        .iter()
        .flat_map(|message| &message.content)
        .filter_map(|block| match block {
            ContentBlock::Reasoning(block) => Some((block.text.clone(), block.signature.clone())),
            _ => None,
        })
        .collect();
    let block = |text: &str, seal: Option<&str>| (text.to_owned(), seal.map(str::to_owned));
    let expected = [
        block("one thought", Some("s1")),
        block("", Some("s2")),
        block("open", None),
    ];
    assert_eq!(thoughts, expected);
}

#[tokio::test]
async fn without_clarifications_nothing_is_offered_or_taken() {
    let sha256 = Album::default().put("a", 1);
    let answer = control(sha256, "one?");
    let world = setup([Script::answer(&answer)])
        .settings(|settings| settings.max_clarifications = 0)
        .build();
    world.album.put("a", 1);
    assert_eq!(world.said(&asked()).await.0, answer);
    assert!(!world.sent()[0].contains("For a detail that is missing"));
}
