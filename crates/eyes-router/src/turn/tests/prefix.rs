use super::*;

/// An overview of some length that is different for each picture.
fn overview(at: usize) -> Script {
    let mut answer: serde_json::Value = serde_json::from_str(example(EvidenceKind::Base)).unwrap();
    answer["summary"] = format!("Picture {at}: {}", "words of a summary ".repeat(20)).into();
    let entry = answer["ocr"][0].clone();
    let ocr = answer["ocr"].as_array_mut().unwrap();
    for line in 0..25 {
        let mut entry = entry.clone();
        entry["text"] = format!("line {line} of picture {at} with an amount of {line}.99").into();
        ocr.push(entry);
    }
    Script::answer(&answer.to_string())
}

/// Plays a session of `turns` turns with a picture each; `shadowed` hosts keep what they are told to keep.
async fn play(world: &World, turns: usize, shadowed: bool) -> Vec<String> {
    let mut messages = Vec::new();
    for at in 0..turns {
        world.album.put(&at.to_string(), u8::try_from(at).unwrap());
        messages.push(user(vec![text("And this one?"), picture(&at.to_string())]));
        let mut asked = request("final/text", messages.clone());
        asked.system = Some("You are careful. ".repeat(20_000 / 17));
        let (said, report) = world.said(&asked).await;
        if shadowed {
            for replacement in report.surface {
                messages[replacement.index] = replacement.message;
            }
        }
        messages.push(assistant(&said));
    }
    world.sent()
}

/// The observed fault: of requests that grew to 81,000 characters 20,708 were as before.
#[tokio::test]
async fn each_request_begins_as_the_one_before() {
    for shadowed in [false, true] {
        let world = setup([Script::answer("I see a form with an amount.")])
            .eye((0..14).map(overview))
            .build();
        let sent = play(&world, 14, shadowed).await;
        let (mut before, mut same) = (0, 0);
        for pair in sent.windows(2) {
            let common = common_prefix(&pair[0], &pair[1]);
            assert!(
                common * 10 >= pair[0].len() * 9,
                "{common} of {}",
                pair[0].len()
            );
            before += pair[0].len();
            same += common;
        }
        assert!(same * 100 >= before * 99, "{same} of {before}");
        assert_eq!(world.eye.requests().len(), 14);
        assert_eq!(world.album.reads(), 14, "each picture is read once");
    }
}

/// A host that keeps what it is told to keep, and one that does not, send the same.
#[tokio::test]
async fn keeping_the_surface_changes_nothing_that_is_sent() {
    let sent = async |shadowed| {
        let world = setup([Script::answer("I see.")])
            .eye((0..30).map(overview))
            .settings(|settings| settings.evidence_context_max_tokens = 12_000)
            .build();
        play(&world, 30, shadowed).await
    };
    let (with, without) = (sent(true).await, sent(false).await);
    for (at, (with, without)) in with.iter().zip(&without).enumerate() {
        assert_eq!(with, without, "turn {at}");
    }
    let batches = with
        .windows(2)
        .filter(|pair| !pair[1].starts_with(&pair[0]))
        .count();
    assert!((1..=10).contains(&batches), "{batches} batches in 30 turns");
    let last = with.last().unwrap();
    assert!(last.contains("[DeepSeekEyes preserved image]"));
    assert!(last.matches("[DeepSeekEyes evidence]").count() >= 2);
}
