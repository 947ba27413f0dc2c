use super::*;

fn native(answers: impl IntoIterator<Item = Script>) -> World {
    let mut setup = setup(answers);
    setup.active_probe = true;
    setup.build()
}

#[tokio::test]
async fn a_model_that_sees_gets_the_pixels_for_the_whole_turn() {
    let world = native([calling(&[call("1", "open", "{}")]), costing("A form.", 9)]);
    let sha256 = world.album.put("a", 1);
    let mut asked = request("final/sees", vec![user(vec![picture("a"), text("What?")])]);
    asked.tools = vec![tool("open")].into();
    let (_, report) = world.turn(&asked).await;
    let report = report.unwrap();
    assert_eq!(report.kind, TurnKind::Native);
    assert!(
        report.surface.is_empty(),
        "the picture stays in the session"
    );
    asked.messages.extend([
        message(
            Role::Assistant,
            vec![ContentBlock::ToolCall(call("1", "open", "{}"))],
        ),
        result("1", vec![text("opened")]),
    ]);
    world.said(&asked).await;
    asked
        .messages
        .extend([assistant("A form."), user(vec![text("And now?")])]);
    world.said(&asked).await;
    let sent = world.sent();
    assert_eq!(
        sent[0],
        format!(
            "tool open {{\"type\":\"object\"}} Does something.\nsystem Be brief.\nUser\nimage {sha256}\ntext What?\n"
        )
    );
    assert!(sent[1].starts_with(&sent[0]) && sent[2].starts_with(&sent[1]));
    assert_eq!(world.last.probes().len(), 1);
    assert!(world.eye.requests().is_empty());
    assert_eq!(world.count(Counter::NativeVisualTurns), 3);
    assert_eq!(
        world.booked(CallCategory::VisionProbe).len(),
        0,
        "it told no tokens"
    );
    assert_eq!(world.booked_final(), [0, 9, 9]);
}

/// What a model declares is not enough: one that does not see gets evidence.
#[tokio::test]
async fn a_model_that_only_says_it_sees_gets_evidence() {
    let mut setup = setup([Script::answer("A form.")]);
    setup.active_probe = true;
    setup.last = ScriptedProvider::new("final", "text", [Script::answer("A form.")])
        .with_probes([costing("I cannot see.", 40)]);
    let world = setup.build();
    world.album.put("a", 1);
    let asked = request("final/sees", vec![user(vec![picture("a")])]);
    let (_, report) = world.said(&asked).await;
    assert_eq!(report.kind, TurnKind::Bridged);
    assert!(world.sent()[0].contains("[DeepSeekEyes evidence]"));
    assert_eq!(world.booked(CallCategory::VisionProbe), [80], "two grids");
}

#[tokio::test]
async fn pixels_give_way_to_pointers_by_budget_and_in_batches() {
    let mut setup = setup([Script::answer("Seen.")]);
    setup.settings.history_image_limit = 32;
    // A picture of 8 x 6 pixels weighs one token, a pointer more: the window is what counts here.
    setup.window = Some(30);
    let world = setup.build();
    let mut messages = Vec::new();
    let mut kept = Vec::new();
    for at in 0..24_u8 {
        world.album.put(&at.to_string(), at);
        messages.extend([user(vec![picture(&at.to_string())]), assistant("Seen.")]);
        let asked = request("final/sees", messages[..messages.len() - 1].to_vec());
        let (_, report) = world.said(&asked).await;
        let sent = world.sent().pop().unwrap();
        kept.push(sent.matches("\nimage ").count());
        assert_eq!(report.surface.is_empty(), !sent.contains("preserved image"));
    }
    assert_eq!(kept[..10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert!(kept[10] < 10, "a batch");
}
