//! Slots of runs: bounded, given back, and gone with the run.

use std::sync::Arc;

use eyes_usage::{state::UsageState, testing::folded};
use proptest::prelude::*;

use super::*;

fn now() -> Timestamp {
    Timestamp::new("2026-01-31T23:59:59Z").unwrap()
}

#[test]
fn the_bound_refuses_before_anything_leaves() {
    let quota = CallQuota::new(Some(2));
    let run = RunHandle::default();
    quota.reserve(Some(&run)).unwrap().commit();
    let held = quota.reserve(Some(&run)).unwrap();
    let refused = quota.reserve(Some(&run)).unwrap_err();
    assert_eq!(refused.code, codes::MCP_EXTERNAL_CALL_LIMIT_REACHED);
    assert!(!refused.sent);
    assert_eq!(run.calls(), 2);

    drop(held);
    assert_eq!(
        run.calls(),
        1,
        "a slot that was not committed is given back"
    );
    quota.reserve(Some(&run)).unwrap().commit();
    assert!(quota.reserve(Some(&run)).is_err());
    quota.reserve(Some(&RunHandle::default())).unwrap().commit();
    quota.reserve(None).unwrap().commit();
}

#[test]
fn without_a_bound_calls_are_counted_all_the_same() {
    let run = RunHandle::default();
    for _ in 0..100 {
        CallQuota::new(None).reserve(Some(&run)).unwrap().commit();
    }
    assert_eq!(run.calls(), 100);
}

#[test]
fn w19_a_finished_run_leaves_nothing_behind() {
    let quota = CallQuota::new(Some(4));
    let runs: Vec<_> = (0..1_000)
        .map(|_| {
            let run = RunHandle::default();
            quota.reserve(Some(&run)).unwrap().commit();
            drop(quota.reserve(Some(&run)).unwrap());
            Arc::downgrade(&run.0)
        })
        .collect();
    assert_eq!(size_of::<CallQuota>(), size_of::<Option<u32>>());
    assert!(runs.iter().all(|run| run.upgrade().is_none()));
}

#[test]
fn threads_never_pass_the_bound_together() {
    let quota = CallQuota::new(Some(50));
    let run = RunHandle::default();
    let made: usize = std::thread::scope(|scope| {
        let worker = || {
            let slots = (0..40).filter_map(|_| quota.reserve(Some(&run)).ok());
            slots.map(CallSlot::commit).count()
        };
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|w| w.join().unwrap()).sum()
    });
    assert_eq!((made, run.calls()), (50, 50));
}

#[test]
fn usage_tells_calls_tokens_and_stops() {
    let mut events = call_usage(&now(), None, true, Some(EstimatedTokens(7)));
    events.extend(call_usage(&now(), None, true, None));
    events.push(limit_stop(now(), None));
    let state = folded(&events);
    let total = state.total();
    assert_eq!(total.counters()[&Counter::McpExternalCalls], 2);
    assert_eq!(total.counters()[&Counter::McpLimitStops], 1);
    assert_eq!(
        total.estimates()[&Estimate::McpResultInput],
        EstimatedTokens(7)
    );
    let refused = call_usage(&now(), None, false, Some(EstimatedTokens(0)));
    assert_eq!(folded(&refused), UsageState::default());
}

proptest! {
    #[test]
    fn the_count_is_what_was_committed_and_is_held(limit in 1_u32..8, steps in prop::collection::vec(0_u8..3, 0..40)) {
        let quota = CallQuota::new(Some(limit));
        let run = RunHandle::default();
        let mut held = Vec::new();
        let mut committed = 0;
        for step in steps {
            match (step, held.pop()) {
                (0, Some(slot)) => {
                    CallSlot::commit(slot);
                    committed += 1;
                }
                (1, slot) => drop(slot),
                (_, slot) => {
                    held.extend(slot);
                    held.extend(quota.reserve(Some(&run)).ok());
                }
            }
            prop_assert_eq!(run.calls(), committed + held.len() as u32);
            prop_assert!(run.calls() <= limit);
        }
    }
}
