use tokio::time::{Instant, timeout};

use super::*;

fn requests(names: &[&str]) -> Vec<ReadRequest> {
    let one = |name: &&str| ReadRequest::new(picture(name), Ask::base(None));
    names.iter().map(one).collect()
}

const SIX: &[&str] = &["1", "2", "3", "4", "5", "6"];

/// W10: six images at 100 ms each, seven providers with a catalogue of 20 ms.
#[tokio::test(start_paused = true)]
async fn six_images_take_less_than_250_ms_and_list_nothing_on_a_warm_catalogue() {
    let providers = ["a", "b", "c", "d", "e", "f", "g"]
        .map(|id| eye(id, [base_answer().after(ms(100))]).with_listing_time(ms(20)));
    let world = world(providers)
        .settings(|s| {
            s.auto_detect_vision = true;
            s.active_probe = true;
        })
        .build();
    world.base().await.expect("warm");
    let listed = |world: &World| -> usize { world.providers.iter().map(|p| p.listings()).sum() };
    assert_eq!(listed(&world), 7, "each provider is listed once");

    let started = Instant::now();
    let readings = world.reader.read_all(requests(SIX)).await;
    assert!(readings.iter().all(Result::is_ok));
    let took = started.elapsed();
    assert!(took < ms(250), "{took:?}");
    assert_eq!(listed(&world), 7, "no list is fetched for a reading");
    assert_eq!(world.calls(0), 7);
}

#[tokio::test(start_paused = true)]
async fn readings_of_one_turn_are_bounded_and_keep_their_order() {
    for (at_once, expected) in [(1, 600), (4, 200), (16, 100)] {
        let scripts = [
            base_answer().after(ms(100)),
            down().after(ms(100)),
            base_answer().after(ms(100)),
        ];
        let world = world([eye("a", scripts)])
            .settings(|s| s.vision_concurrency = at_once)
            .build();
        let started = Instant::now();
        let readings = world.reader.read_all(requests(SIX)).await;
        assert_eq!(started.elapsed(), ms(expected));
        let failed: Vec<bool> = readings.iter().map(Result::is_err).collect();
        assert_eq!(failed, [false, true, false, false, false, false]);
        for (name, reading) in SIX.iter().zip(&readings) {
            if let Ok(reading) = reading {
                let source = reading.record.source();
                assert_eq!(source.identity.sha256, picture(name).identity.sha256);
            }
        }
    }
}

/// W16: three sessions that ask the same at once make one call, and one of them books it.
#[tokio::test(start_paused = true)]
async fn equal_readings_make_one_call_that_is_booked_once() {
    let usage = TokenUsage {
        input: 100,
        output: 20,
        ..TokenUsage::default()
    };
    let answer = Script::ending(example(EvidenceKind::Base), usage, FinishReason::Stop);
    let world = world([eye("a", [answer.after(ms(100))])]).build();
    let readings = world.reader.read_all(requests(&["1", "1", "1"])).await;
    assert_eq!(world.calls(0), 1);
    let readings: Vec<Reading> = readings
        .into_iter()
        .map(|r| r.expect("a reading"))
        .collect();
    assert!(readings.iter().all(|r| r.record == readings[0].record));
    let booked: u64 = readings.iter().map(|r| r.usage.tokens()).sum();
    assert_eq!(booked, 120);
    assert_eq!(readings.iter().filter(|r| r.joined).count(), 2);
    let focused = ReadRequest::new(picture("1"), Ask::base(Some("the port")));
    let both = vec![requests(&["1"]).remove(0), focused];
    world.reader.read_all(both).await;
    assert_eq!(world.calls(0), 3, "another request is another reading");
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_leaves_stops_nobody_and_the_last_one_stops_the_work() {
    let hang = Script::Hang(vec![StreamEvent::TextDelta("{".into())]);
    let world = world([eye("a", [base_answer().after(ms(100)), hang])]).build();
    // The first caller drives the work and leaves.
    let (first, second) = tokio::join!(timeout(ms(10), world.base()), world.base());
    assert!(first.is_err(), "the first one left");
    second.expect("the second one has its reading");
    assert_eq!(world.calls(0), 1);

    let (first, second) =
        tokio::join!(timeout(ms(10), world.base()), timeout(ms(20), world.base()));
    assert!(first.is_err() && second.is_err());
    assert_eq!(world.calls(0), 2);
    assert_eq!(
        world.providers[0].open_streams(),
        0,
        "nobody waits: stopped"
    );
}

#[tokio::test(start_paused = true)]
async fn readings_on_several_threads_share_too() {
    let world = world([eye("a", [base_answer().after(ms(100))])]).build();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let reader = Arc::clone(&world.reader);
        tasks.spawn(async move { reader.base_read(&image(), None).await });
    }
    while let Some(joined) = tasks.join_next().await {
        joined.expect("no panic").expect("a reading");
    }
    assert_eq!(world.calls(0), 1);
}
