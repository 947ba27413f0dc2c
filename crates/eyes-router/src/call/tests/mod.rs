use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use proptest::prelude::*;

use super::{
    SingleFlight,
    retry::{Again, Failed, RetryPolicy},
};
use crate::{
    codes,
    error::{AnswerError, ProviderError, VisionError},
    limits::{BUSY_BACKOFF_MS, MAX_BUSY_RETRIES, MAX_BUSY_WAIT_MS},
    route::Route,
};

fn route() -> Route {
    "a/1".parse().expect("a route")
}

fn busy(retry_after_ms: Option<u64>) -> VisionError {
    let error = ProviderError {
        status: Some(429),
        retry_after_ms,
        ..ProviderError::new(codes::VISION_MODEL_FAILED, "busy")
    };
    VisionError::provider(&route(), error)
}

fn failed(error: &VisionError, random: u64) -> Failed<'_> {
    Failed {
        error,
        bounded: true,
        time_left: None,
        random,
    }
}

proptest! {
    #[test]
    fn waits_grow_are_jittered_bounded_and_few(
        random in any::<u64>(),
        asked in prop::option::of(0_u64..100_000),
        left in prop::option::of(0_u64..100_000),
    ) {
        let mut policy = RetryPolicy::default();
        let error = busy(asked);
        for round in 0..=MAX_BUSY_RETRIES {
            let again = policy.decide(Failed {
                time_left: left.map(Duration::from_millis),
                ..failed(&error, random)
            });
            let Again::After(wait) = again else {
                let too_long = asked.is_some_and(|asked| asked > MAX_BUSY_WAIT_MS);
                let no_time = left.is_some_and(|left| {
                    left <= (BUSY_BACKOFF_MS << round).max(asked.unwrap_or(0))
                });
                prop_assert!(round == MAX_BUSY_RETRIES || too_long || no_time);
                return Ok(());
            };
            let wait = u64::try_from(wait.as_millis()).expect("short");
            let ceiling = BUSY_BACKOFF_MS << round;
            prop_assert!(round < MAX_BUSY_RETRIES);
            prop_assert!(wait >= (ceiling / 2).max(asked.unwrap_or(0)));
            prop_assert!(wait <= ceiling.max(asked.unwrap_or(0)));
            prop_assert!(wait <= MAX_BUSY_WAIT_MS);
            prop_assert!(left.is_none_or(|left| wait < left));
        }
    }
}

#[test]
fn each_kind_of_failure_has_its_own_answer() {
    let provider = |message: &str, status, code| {
        let error = ProviderError {
            status,
            ..ProviderError::new(code, message)
        };
        VisionError::provider(&route(), error)
    };
    let plain = codes::VISION_MODEL_FAILED;
    for (error, expected) in [
        (
            VisionError::answer(&route(), AnswerError::Incomplete),
            Again::Now,
        ),
        (
            VisionError::answer(&route(), AnswerError::Truncated),
            Again::No,
        ),
        (provider("", None, codes::INCOMPLETE_STREAM), Again::Now),
        (provider("socket hang up", None, plain), Again::Now),
        (provider("bad SSE frame", None, plain), Again::Now),
        (provider("socket hang up", Some(403), plain), Again::No),
        (provider("you may not", Some(403), plain), Again::No),
        (provider("", None, codes::ABORTED), Again::No),
        (
            provider("max_tokens exceeds the limit", Some(400), plain),
            Again::Unbounded,
        ),
        (
            provider(
                "This model's maximum context length is 8192 tokens",
                Some(400),
                plain,
            ),
            Again::Unbounded,
        ),
        (
            provider("max_tokens: what a field", Some(400), plain),
            Again::No,
        ),
        (VisionError::NoRoute, Again::No),
    ] {
        let again = RetryPolicy::default().decide(failed(&error, 0));
        assert_eq!(again, expected, "{error:?}");
    }
    let refused = provider("max_tokens exceeds the limit", Some(400), plain);
    let unbounded = Failed {
        bounded: false,
        ..failed(&refused, 0)
    };
    assert_eq!(RetryPolicy::default().decide(unbounded), Again::No);
}

#[tokio::test]
async fn work_under_one_key_is_done_once_while_it_is_wanted() {
    let flights: SingleFlight<u32, u32> = SingleFlight::new();
    let started = Arc::new(AtomicUsize::new(0));
    let work = |value: u32| {
        let started = Arc::clone(&started);
        move || -> crate::ports::BoxFuture<'static, u32> {
            started.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move {
                tokio::task::yield_now().await;
                value
            })
        }
    };
    let (one, two, other) = (
        flights.join(1, work(10)),
        flights.join(1, work(20)),
        flights.join(2, work(30)),
    );
    assert_eq!(tokio::join!(one, two, other), (10, 10, 30));
    assert_eq!(started.load(Ordering::SeqCst), 2);
    assert_eq!(flights.join(1, work(40)).await, 40, "later it is new work");
    drop(flights.join(3, work(50)));
    assert_eq!(
        flights.join(3, work(60)).await,
        60,
        "nobody waited for that"
    );
}
