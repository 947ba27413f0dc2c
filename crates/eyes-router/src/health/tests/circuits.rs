use proptest::prelude::*;

use super::super::circuit::{Admission, Circuit, CircuitPolicy, CircuitState, Ticket, Verdict};
use crate::limits::MAX_COOLDOWN_MS;

const POLICY: CircuitPolicy = CircuitPolicy {
    threshold: 2,
    cooldown_ms: 30_000,
};
const FAULT: Verdict = Verdict::Fault {
    retry_after_ms: None,
};

fn granted(circuit: &mut Circuit, now_ms: u64) -> Ticket {
    match circuit.admit(now_ms, false) {
        Admission::Granted(ticket) => ticket,
        refused => panic!("{refused:?}"),
    }
}

fn settle(circuit: &mut Circuit, now_ms: u64, verdict: Verdict) {
    let ticket = granted(circuit, now_ms);
    circuit.settle(ticket, verdict, now_ms, POLICY);
}

#[test]
fn opens_after_consecutive_faults_and_closes_after_a_good_trial() {
    let mut circuit = Circuit::closed();
    settle(&mut circuit, 0, FAULT);
    settle(&mut circuit, 1, Verdict::Works);
    settle(&mut circuit, 2, FAULT);
    assert_eq!(circuit.state(), CircuitState::Closed, "not consecutive");
    settle(&mut circuit, 3, FAULT);
    let until_ms = 30_003;
    assert_eq!(circuit.state(), CircuitState::Open { until_ms });
    assert_eq!(circuit.admit(30_002, false), Admission::Open { until_ms });
    let trial = granted(&mut circuit, 30_003);
    assert_eq!(circuit.admit(30_003, false), Admission::Trial);
    assert_eq!(circuit.admit(30_003, true), Admission::Trial);
    circuit.settle(trial, Verdict::Works, 30_004, POLICY);
    assert_eq!(circuit.state(), CircuitState::Closed);
    assert_eq!(circuit.failures(), 0);
}

#[test]
fn a_bad_trial_opens_at_once_and_one_that_tells_nothing_is_made_anew() {
    let mut circuit = Circuit::closed();
    settle(&mut circuit, 0, FAULT);
    settle(&mut circuit, 0, FAULT);
    settle(&mut circuit, 30_000, Verdict::Nothing);
    let trial = granted(&mut circuit, 30_000);
    circuit.settle(trial, FAULT, 30_001, POLICY);
    assert_eq!(circuit.state(), CircuitState::Open { until_ms: 60_001 });
}

#[test]
fn a_wait_that_the_provider_named_is_kept_and_bounded() {
    for (asked, until_ms) in [
        (5_000, 30_000),
        (90_000, 90_000),
        (u64::MAX, MAX_COOLDOWN_MS),
    ] {
        let mut circuit = Circuit::closed();
        let fault = Verdict::Fault {
            retry_after_ms: Some(asked),
        };
        settle(&mut circuit, 0, fault);
        assert_eq!(circuit.state(), CircuitState::Open { until_ms });
    }
}

#[test]
fn a_late_verdict_of_an_earlier_time_does_not_count() {
    let mut circuit = Circuit::closed();
    let late = granted(&mut circuit, 0);
    settle(&mut circuit, 0, FAULT);
    settle(&mut circuit, 0, FAULT);
    let open = circuit.state();
    assert!(!circuit.settle(late, FAULT, 10_000, POLICY));
    assert!(!circuit.settle(late, Verdict::Works, 10_000, POLICY));
    assert_eq!(circuit.state(), open);
}

#[test]
fn a_clock_that_was_set_back_locks_no_route_away() {
    let mut circuit = Circuit::closed();
    let start = 10 * MAX_COOLDOWN_MS;
    settle(&mut circuit, start, FAULT);
    settle(&mut circuit, start, FAULT);
    assert!(matches!(circuit.admit(0, false), Admission::Granted(_)));
    let restored = Circuit::closed().restored(2, Some(u64::MAX), 0);
    let until_ms = MAX_COOLDOWN_MS;
    assert_eq!(restored.state(), CircuitState::Open { until_ms });
}

/// What a caller may do.
#[derive(Debug, Clone)]
enum Step {
    Admit { forced: bool },
    Settle { which: usize, verdict: Verdict },
    Wait { ms: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let verdict = prop_oneof![
        Just(Verdict::Works),
        Just(Verdict::Nothing),
        prop::option::of(0_u64..100).prop_map(|retry_after_ms| Verdict::Fault { retry_after_ms }),
    ];
    prop_oneof![
        any::<bool>().prop_map(|forced| Step::Admit { forced }),
        (0_usize..8, verdict).prop_map(|(which, verdict)| Step::Settle { which, verdict }),
        (0_u64..60).prop_map(|ms| Step::Wait { ms }),
    ]
}

/// The same in other words: a list of who is under way, and a plain state.
#[derive(Debug, Default)]
struct Model {
    failures: u32,
    // Until when, and whether somebody tries.
    open: Option<(u64, bool)>,
    epoch: u32,
}

impl Model {
    fn admit(&mut self, now: u64, forced: bool) -> bool {
        match self.open {
            None => true,
            Some((until, false)) if now >= until || forced => {
                self.open = Some((until, true));
                self.epoch += 1;
                true
            }
            Some(_) => false,
        }
    }

    fn settle(&mut self, epoch: u32, verdict: Verdict, now: u64, policy: CircuitPolicy) {
        if epoch != self.epoch {
            return;
        }
        match verdict {
            Verdict::Works => {
                self.failures = 0;
                self.open = None;
            }
            Verdict::Nothing => {
                if let Some((until, true)) = self.open {
                    self.open = Some((until, false));
                    self.epoch += 1;
                }
            }
            Verdict::Fault { retry_after_ms } => {
                self.failures += 1;
                let trial = self.open.is_some();
                if trial || retry_after_ms.is_some() || self.failures >= policy.threshold {
                    let wait = policy.cooldown_ms.max(retry_after_ms.unwrap_or(0));
                    self.open = Some((now + wait, false));
                    self.epoch += 1;
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn the_circuit_does_what_the_model_says(
        steps in prop::collection::vec(step(), 1..80),
        threshold in 1_u32..5,
        cooldown_ms in 0_u64..100,
    ) {
        let policy = CircuitPolicy { threshold, cooldown_ms };
        let (mut circuit, mut model) = (Circuit::closed(), Model::default());
        let mut under_way: Vec<(Ticket, u32)> = Vec::new();
        let mut now = 0;
        for step in steps {
            match step {
                Step::Wait { ms } => now += ms,
                Step::Admit { forced } => {
                    let admission = circuit.admit(now, forced);
                    let granted = matches!(admission, Admission::Granted(_));
                    prop_assert_eq!(granted, model.admit(now, forced));
                    if let Admission::Granted(ticket) = admission {
                        under_way.push((ticket, model.epoch));
                    }
                }
                Step::Settle { which, verdict } => {
                    if !under_way.is_empty() {
                        let (ticket, epoch) = under_way.swap_remove(which % under_way.len());
                        circuit.settle(ticket, verdict, now, policy);
                        model.settle(epoch, verdict, now, policy);
                    }
                }
            }
            let state = match model.open {
                None => CircuitState::Closed,
                Some((until_ms, false)) => CircuitState::Open { until_ms },
                Some((until_ms, true)) => CircuitState::HalfOpen { until_ms },
            };
            prop_assert_eq!(circuit.state(), state);
            prop_assert_eq!(circuit.failures(), model.failures);
            // A closed circuit holds fewer faults than open it.
            if state == CircuitState::Closed {
                prop_assert!(circuit.failures() < threshold);
            }
        }
    }
}
