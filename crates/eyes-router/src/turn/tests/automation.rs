use super::*;

/// A task and `steps` steps of a tool, each with a long result.
fn session(steps: usize, tool_name: &str) -> Vec<TurnMessage> {
    let mut task = user(vec![text("Fill the form.")]);
    task.id = Some("task".to_owned());
    let mut messages = vec![task];
    for step in 0..steps {
        let ids = [format!("{step}a"), format!("{step}b")];
        let calls = ids
            .iter()
            .map(|id| ContentBlock::ToolCall(call(id, tool_name, "{}")));
        messages.push(message(Role::Assistant, calls.collect()));
        for id in &ids {
            let words = format!("[DeepSeekEyes browser state]\n{}", "word ".repeat(200));
            messages.push(result(id, vec![text(&words)]));
        }
    }
    messages
}

#[tokio::test]
async fn the_context_of_an_automation_is_bounded_and_keeps_its_prefix() {
    let world = setup([costing("Next.", 5)])
        .settings(|settings| {
            settings.automation_context_max_tokens = 4_096;
            settings.automation_max_calls_per_turn = 0;
        })
        .build();
    let mut same = 0;
    for steps in 1..40 {
        let (_, report) = world
            .said(&request("final/text", session(steps, "browser")))
            .await;
        let sent = world.sent();
        for (at, sent) in sent.iter().enumerate().skip(1) {
            same += usize::from(sent.starts_with(&world.sent()[at - 1]));
        }
        if let Some(compaction) = report.compaction {
            assert!(compaction.after.0 <= 4_096 && compaction.dropped > 0);
        }
        let last = world.last.requests().pop().unwrap();
        let mut called = Vec::new();
        for block in last.messages.iter().flat_map(|message| &message.content) {
            match block {
                ContentBlock::ToolCall(call) => called.push(call.id.clone()),
                ContentBlock::ToolResult(result) => assert!(called.contains(&result.call_id)),
                _ => {}
            }
        }
    }
    assert!(same > 0);
    assert!(world.count(Counter::AutomationContextCompactions) > 10);
    assert_eq!(world.booked(CallCategory::Automation).len(), 39);
    assert!(world.booked_final().is_empty());
    let sent = world.sent();
    let moved = sent
        .windows(2)
        .filter(|pair| !pair[1].starts_with(&pair[0]))
        .count();
    assert!(moved < 20, "the cut moved {moved} times in 38 steps");
}

#[tokio::test]
async fn a_task_has_so_many_calls_and_a_new_one_starts_again() {
    let world = setup([Script::answer("Next.")])
        .settings(|settings| settings.automation_max_calls_per_turn = 2)
        .build();
    let mut asked = request("final/text", session(1, "mcp__shop__buy"));
    world.said(&asked).await;
    world.said(&asked).await;
    let (code, _) = world.fails(&asked).await;
    assert_eq!(code, "AUTOMATION_CALL_LIMIT");
    assert_eq!(world.last.requests().len(), 2);
    assert_eq!(world.count(Counter::McpLimitStops), 1);
    asked.messages[0].id = Some("another".to_owned());
    world.said(&asked).await;
    assert_eq!(world.booked(CallCategory::Mcp).len(), 3);
}

#[tokio::test]
async fn a_step_that_is_too_long_is_refused_before_it_is_sent() {
    let world = setup([Script::answer("Next.")])
        .settings(|settings| settings.automation_context_max_tokens = 4_096)
        .build();
    let mut messages = session(1, "browser");
    messages.push(result("0b", vec![text(&"long ".repeat(9_000))]));
    let (code, _) = world.fails(&request("final/text", messages)).await;
    assert_eq!(code, "AUTOMATION_CONTEXT_LIMIT");
    assert!(world.last.requests().is_empty());
}

/// One further try with a shorter answer, driven by what the provider says; then the truth.
#[tokio::test]
async fn an_answer_is_fitted_into_the_window() {
    let over = || {
        let message = "This model's maximum context length is 8192 tokens. However, you requested \
                       9000 tokens (5000 in the messages, 4000 in the completion). Please reduce the \
                       length of the messages or completion.";
        Script::Refuse(ProviderError {
            status: Some(400),
            ..ProviderError::new(codes::PROVIDER_REQUEST_INVALID, message)
        })
    };
    let world = setup([over(), Script::answer("Short.")]).build();
    let mut asked = request("final/text", vec![user(vec![text("Tell me all.")])]);
    asked.max_output_tokens = Some(4_000);
    let (said, report) = world.said(&asked).await;
    assert_eq!(said, "Short.");
    let bounds: Vec<_> = world
        .last
        .requests()
        .iter()
        .map(|r| r.max_output_tokens)
        .collect();
    assert_eq!(bounds, [Some(4_000), Some(8_192 - 5_000 - 256)]);
    assert_eq!(report.calls, 2);
    let world = setup([over()]).build();
    assert_eq!(world.fails(&asked).await.0, "FINAL_CONTEXT_EXHAUSTED");
    assert_eq!(world.last.requests().len(), 2);

    let mut small = setup([Script::answer("Never.")]);
    small.window = Some(2_000);
    let world = small.build();
    world.engine.reader.catalogue().settle().await;
    asked.messages = vec![user(vec![text(&"many words ".repeat(4_000))])];
    assert_eq!(world.fails(&asked).await.0, "FINAL_CONTEXT_EXHAUSTED");
    assert!(world.last.requests().is_empty());
}
