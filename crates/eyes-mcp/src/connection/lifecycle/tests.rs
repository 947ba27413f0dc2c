//! Tables of lives, and what holds in every one of them.

use std::time::Duration;

use eyes_evidence::testing::CountingRandom;
use proptest::prelude::*;

use super::*;
use crate::limits::{
    CRASH_ENDS, EMPTY_CONFIRM_AFTER, LIST_MAX_DELAY, LIST_MIN_INTERVAL, LIST_QUIET, PING_INTERVAL,
    PING_RETRY, STABLE_AFTER,
};

const SECOND: Duration = Duration::from_secs(1);
const TOOLS: Planes = Planes {
    tools: true,
    resources: false,
    prompts: false,
};
const PROMPTS: Planes = Planes {
    tools: false,
    resources: false,
    prompts: true,
};

/// A machine with a clock of its own.
struct Life {
    machine: Lifecycle,
    now: Moment,
    random: CountingRandom,
}

impl Life {
    fn new() -> Self {
        Self {
            machine: Lifecycle::new(false),
            now: Moment::ZERO,
            random: CountingRandom::default(),
        }
    }

    fn give(&mut self, input: Input) -> Vec<Effect> {
        self.machine.step(input, self.now, &self.random)
    }

    /// Goes to the deadline and gives the timer.
    fn timer(&mut self) -> Vec<Effect> {
        self.now = self
            .now
            .max(self.machine.deadline().expect("something waits"));
        self.give(Input::Timer)
    }

    /// Goes on until the timer has something to do.
    fn timers(&mut self) -> Vec<Effect> {
        loop {
            let effects = self.timer();
            if !effects.is_empty() {
                return effects;
            }
        }
    }

    fn status(&self) -> ServerStatus {
        self.machine.status()
    }

    fn connected(&mut self, planes: Planes) {
        self.give(Input::Start);
        self.give(Input::Connected {
            enabled: planes,
            offered: planes,
        });
        self.give(Input::Drained(Drained::default()));
    }
}

fn drain(planes: Planes) -> Effect {
    Effect::Drain {
        planes,
        believe_empty: Planes::NONE,
    }
}

#[test]
fn a_life_from_start_to_stop() {
    let mut life = Life::new();
    assert_eq!(life.status(), ServerStatus::Idle);
    assert_eq!(life.give(Input::Start), [Effect::Connect]);
    assert_eq!(life.status(), ServerStatus::Connecting);
    let connected = Input::Connected {
        enabled: TOOLS,
        offered: TOOLS,
    };
    assert_eq!(life.give(connected), [drain(TOOLS)]);
    assert_eq!(life.status(), ServerStatus::Connecting);
    assert_eq!(life.give(Input::Drained(Drained::default())), []);
    assert_eq!(life.status(), ServerStatus::Connected);
    assert_eq!(life.give(Input::Stop { disabled: false }), [Effect::Close]);
    assert_eq!(life.status(), ServerStatus::Closing);
    assert_eq!(life.give(Input::Closed { done: true }), []);
    assert_eq!(life.status(), ServerStatus::Idle);
    assert_eq!(life.machine.deadline(), None);
}

#[test]
fn a_disabled_server_says_so_and_does_nothing() {
    let mut life = Life::new();
    assert_eq!(life.give(Input::Stop { disabled: true }), []);
    assert_eq!(life.status(), ServerStatus::Disabled);
    assert_eq!(life.give(Input::Timer), []);
    assert_eq!(life.give(Input::Test), []);
    assert_eq!(life.give(Input::Start), [Effect::Connect]);
}

#[test]
fn what_a_server_does_not_offer_makes_only_that_list_fail() {
    let mut life = Life::new();
    life.give(Input::Start);
    let effects = life.give(Input::Connected {
        enabled: TOOLS.union(PROMPTS),
        offered: TOOLS,
    });
    assert_eq!(effects, [drain(TOOLS)]);
    life.give(Input::Drained(Drained::default()));
    assert_eq!(life.status(), ServerStatus::Degraded);

    let mut life = Life::new();
    life.give(Input::Start);
    life.give(Input::Connected {
        enabled: PROMPTS,
        offered: TOOLS,
    });
    assert_eq!(life.status(), ServerStatus::Error, "nothing of it works");
}

#[test]
fn a_list_that_failed_is_read_again_and_the_others_are_not() {
    let mut life = Life::new();
    life.give(Input::Start);
    life.give(Input::Connected {
        enabled: TOOLS.union(PROMPTS),
        offered: TOOLS.union(PROMPTS),
    });
    life.give(Input::Drained(Drained {
        failed: PROMPTS,
        retry: PROMPTS,
        doubted: Planes::NONE,
    }));
    assert_eq!(life.status(), ServerStatus::Degraded);
    assert_eq!(life.timer(), [drain(PROMPTS)]);
    life.give(Input::Drained(Drained::default()));
    assert_eq!(life.status(), ServerStatus::Connected);
}

#[test]
fn an_empty_list_is_asked_for_again_before_it_is_believed() {
    let mut life = Life::new();
    life.connected(TOOLS);
    life.give(Input::Changed(TOOLS));
    assert_eq!(life.timer(), [drain(TOOLS)]);
    let at = life.now;
    life.give(Input::Drained(Drained {
        doubted: TOOLS,
        ..Drained::default()
    }));
    assert_eq!(life.status(), ServerStatus::Degraded);
    let effects = life.timer();
    assert_eq!(life.now, at + EMPTY_CONFIRM_AFTER);
    let confirm = Effect::Drain {
        planes: TOOLS,
        believe_empty: TOOLS,
    };
    assert_eq!(effects, [confirm]);
    life.give(Input::Drained(Drained::default()));
    assert_eq!(life.status(), ServerStatus::Connected);
}

#[test]
fn many_notices_are_one_reading_and_the_last_one_is_never_lost() {
    let mut life = Life::new();
    life.connected(TOOLS);
    life.now = Moment::from_secs(10);
    let first = life.now;
    let mut readings = Vec::new();
    // A notice every 100 ms for 10 s: never quiet.
    for _ in 0..100 {
        life.give(Input::Changed(TOOLS));
        if life.machine.deadline().is_some_and(|due| due <= life.now) {
            for effect in life.give(Input::Timer) {
                assert_eq!(effect, drain(TOOLS));
                readings.push(life.now);
                life.give(Input::Drained(Drained::default()));
            }
        }
        life.now += Duration::from_millis(100);
    }
    let (step, ended) = (Duration::from_millis(100), life.now);
    assert_eq!(readings[0], first + LIST_MAX_DELAY);
    assert_eq!(readings.len(), 2, "{readings:?}");
    assert!(readings[1] >= readings[0] + LIST_MIN_INTERVAL);
    assert_eq!(life.timer(), [drain(TOOLS)], "a trailing run");
    assert!(life.now + step >= ended + LIST_QUIET);
    life.give(Input::Drained(Drained::default()));

    life.now += SECOND;
    life.give(Input::Changed(TOOLS));
    assert_eq!(life.timers(), [drain(TOOLS)]);
    life.give(Input::Changed(TOOLS));
    life.give(Input::Drained(Drained::default()));
    assert_eq!(
        life.timers(),
        [drain(TOOLS)],
        "a notice while lists are read has a run of its own"
    );
}

#[test]
fn pings_find_a_dead_connection() {
    let mut life = Life::new();
    life.connected(TOOLS);
    let mut pings = 0;
    while pings == 0 {
        if life.timer() == [Effect::Ping] {
            pings += 1;
        }
    }
    assert_eq!(life.now, PING_INTERVAL);
    assert_eq!(life.give(Input::Test), [], "one at a time");
    life.give(Input::Pinged(Pong::Silent));
    assert_eq!(life.status(), ServerStatus::Degraded);
    let at = life.now;
    assert_eq!(life.timer(), [Effect::Ping]);
    assert_eq!(life.now, at + PING_RETRY);
    let effects = life.give(Input::Pinged(Pong::Silent));
    assert_eq!(effects, [Effect::Close], "what is dead is closed");
    life.give(Input::Closed { done: true });
    assert_eq!(life.status(), ServerStatus::Disconnected);
    assert_eq!(life.timer(), [Effect::Connect], "and made anew");
}

#[test]
fn a_crash_loop_is_left_alone_until_a_person_acts_or_long_enough() {
    let mut life = Life::new();
    life.give(Input::Start);
    for end in 1..=CRASH_ENDS {
        life.give(Input::Connected {
            enabled: TOOLS,
            offered: TOOLS,
        });
        assert_eq!(life.give(Input::Ended), [Effect::Close]);
        life.give(Input::Closed { done: true });
        if end < CRASH_ENDS {
            assert_eq!(life.status(), ServerStatus::Disconnected);
            assert_eq!(life.timer(), [Effect::Connect]);
        }
    }
    assert_eq!(life.status(), ServerStatus::Error);
    let left = life.now;
    assert_eq!(life.give(Input::Start), [], "no way around the wait");
    assert_eq!(life.timer(), [Effect::Connect]);
    assert_eq!(life.now, left + CRASH_COOL_DOWN);
    life.give(Input::ConnectFailed { again: true });
    let deadline = life.machine.deadline().unwrap();
    assert_eq!(deadline, life.now + CRASH_COOL_DOWN, "one try, not ten");
    assert_eq!(life.give(Input::Reconnect), [Effect::Connect]);
    life.give(Input::ConnectFailed { again: true });
    let deadline = life.machine.deadline().unwrap();
    assert!(
        deadline <= life.now + RECONNECT_BASE,
        "a person begins anew"
    );
}

#[test]
fn a_fault_that_no_time_mends_is_not_tried_again() {
    let mut life = Life::new();
    life.give(Input::Start);
    life.give(Input::ConnectFailed { again: false });
    assert_eq!(life.status(), ServerStatus::Error);
    assert_eq!(life.machine.deadline(), None);
    assert_eq!(life.give(Input::Start), [Effect::Connect]);
}

#[test]
fn waits_double_up_to_the_cap_and_a_stable_connection_begins_anew() {
    let random = CountingRandom::default();
    let mut backoff = Backoff::new(RECONNECT_BASE, RECONNECT_CAP);
    let ceilings: Vec<u64> = (0..9)
        .map(|_| {
            let ceiling = backoff.ceiling();
            assert!(backoff.next(&random) <= ceiling);
            ceiling.as_millis() as u64
        })
        .collect();
    assert_eq!(
        ceilings,
        [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 30000]
    );

    let mut life = Life::new();
    life.connected(TOOLS);
    life.machine.backoff = backoff;
    while life.now < STABLE_AFTER {
        life.timer();
    }
    assert_eq!(life.machine.backoff.ceiling(), RECONNECT_BASE);
}

/// Section 17.3 of the specification.
#[test]
fn a_failed_close_is_tried_again_before_anything_new_is_started() {
    let mut life = Life::new();
    life.connected(TOOLS);
    assert_eq!(life.give(Input::Reconnect), [Effect::Close]);
    assert_eq!(life.give(Input::Closed { done: false }), []);
    assert_eq!(life.status(), ServerStatus::CleanupFailed);
    for input in [Input::Test, Input::Refresh, Input::Changed(TOOLS)] {
        assert_eq!(life.give(input), [], "{input:?}");
    }
    assert_eq!(life.give(Input::Start), [Effect::Close]);
    life.give(Input::Closed { done: false });
    assert_eq!(life.timer(), [Effect::Close], "and on its own");
    assert_eq!(life.give(Input::Closed { done: true }), [Effect::Connect]);
}

#[test]
fn a_person_takes_the_place_of_an_attempt_under_way() {
    let mut life = Life::new();
    life.give(Input::Start);
    assert_eq!(
        life.give(Input::Reconnect),
        [Effect::AbandonConnect, Effect::Connect]
    );
    assert_eq!(
        life.give(Input::Stop { disabled: false }),
        [Effect::AbandonConnect]
    );
    let late = Input::Connected {
        enabled: TOOLS,
        offered: TOOLS,
    };
    assert_eq!(life.give(late), [], "what was abandoned cannot come back");
}

#[test]
fn stopped_and_started_while_it_closes_connects_again() {
    let mut life = Life::new();
    life.connected(TOOLS);
    life.give(Input::Stop { disabled: false });
    assert_eq!(life.give(Input::Start), []);
    assert_eq!(life.give(Input::Closed { done: true }), [Effect::Connect]);
}

fn any_planes() -> impl Strategy<Value = Planes> {
    any::<[bool; 3]>().prop_map(|[tools, resources, prompts]| Planes {
        tools,
        resources,
        prompts,
    })
}

fn any_input() -> impl Strategy<Value = Input> {
    let drained =
        (any_planes(), any_planes(), any_planes()).prop_map(|(failed, retry, doubted)| {
            Input::Drained(Drained {
                failed,
                retry,
                doubted,
            })
        });
    prop_oneof![
        2 => Just(Input::Start),
        1 => Just(Input::Reconnect),
        1 => any::<bool>().prop_map(|disabled| Input::Stop { disabled }),
        1 => Just(Input::Refresh),
        1 => Just(Input::Test),
        4 => (any_planes(), any_planes())
            .prop_map(|(enabled, offered)| Input::Connected { enabled, offered }),
        2 => any::<bool>().prop_map(|again| Input::ConnectFailed { again }),
        4 => drained,
        3 => any_planes().prop_map(Input::Changed),
        1 => Just(Input::Pinged(Pong::Alive)),
        2 => Just(Input::Pinged(Pong::Silent)),
        2 => Just(Input::Ended),
        4 => any::<bool>().prop_map(|done| Input::Closed { done }),
        4 => Just(Input::Timer),
    ]
}

/// What really exists outside, as the effects made it.
#[derive(Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one thing that is there or not"
)]
struct World {
    connecting: bool,
    connection: bool,
    draining: bool,
    pinging: bool,
    closing: bool,
}

impl World {
    /// Tells whether the input can happen in this world.
    fn allows(&self, input: Input) -> bool {
        match input {
            Input::Connected { .. } | Input::ConnectFailed { .. } => self.connecting,
            Input::Drained(_) => self.draining,
            Input::Pinged(_) => self.pinging,
            Input::Ended | Input::Changed(_) => self.connection && !self.closing,
            Input::Closed { .. } => self.closing,
            _ => true,
        }
    }

    fn happened(&mut self, input: Input) {
        match input {
            Input::Connected { .. } => (self.connecting, self.connection) = (false, true),
            Input::ConnectFailed { .. } => self.connecting = false,
            Input::Drained(_) => self.draining = false,
            Input::Pinged(_) => self.pinging = false,
            Input::Closed { done } => {
                self.closing = false;
                self.connection &= !done;
            }
            _ => {}
        }
    }

    fn does(&mut self, effect: Effect) {
        match effect {
            Effect::Connect => {
                assert!(!self.connecting && !self.connection && !self.closing);
                self.connecting = true;
            }
            Effect::AbandonConnect => {
                assert!(self.connecting);
                self.connecting = false;
            }
            Effect::Drain { planes, .. } => {
                assert!(self.connection && !self.closing && !self.draining);
                assert!(!planes.is_empty());
                self.draining = true;
            }
            Effect::Ping => {
                assert!(self.connection && !self.closing && !self.pinging);
                self.pinging = true;
            }
            Effect::Close => {
                assert!(self.connection && !self.closing);
                self.closing = true;
                self.draining = false;
                self.pinging = false;
            }
        }
    }

    const fn works(&self) -> bool {
        self.connecting || self.draining || self.pinging || self.closing
    }
}

proptest! {
    #[test]
    fn at_most_one_connection_exists_and_a_wanted_server_never_gets_stuck(
        steps in prop::collection::vec((any_input(), 0_u64..40_000), 1..200),
    ) {
        let mut life = Life::new();
        let mut world = World::default();
        let mut given_up = false;
        for (input, wait) in steps {
            life.now += Duration::from_millis(wait);
            if !world.allows(input) {
                continue;
            }
            world.happened(input);
            for effect in life.give(input) {
                world.does(effect);
            }
            given_up = match input {
                Input::ConnectFailed { again } => !again,
                Input::Start | Input::Reconnect => false,
                _ => given_up,
            };
            let machine = &life.machine;
            prop_assert_eq!(machine.is_live(), world.connection && !world.closing
                && machine.status() != ServerStatus::CleanupFailed);
            prop_assert_eq!(machine.is_busy(), world.works());
            if machine.wanted && !given_up {
                prop_assert!(world.works() || machine.deadline().is_some(), "{:?}", machine);
            }
            if !machine.wanted {
                prop_assert!(!world.connecting && !machine.is_live());
            }
        }
        life.give(Input::Stop { disabled: false });
        prop_assert!(!life.machine.is_live());
    }

    #[test]
    fn an_input_that_does_not_fit_changes_nothing_outside(
        inputs in prop::collection::vec(any_input(), 1..60),
    ) {
        // Every input in any order, also such as cannot happen: no panic, and a timer that is due is never
        // due again without work in between.
        let mut life = Life::new();
        for input in inputs {
            life.give(input);
            let mut idle = 0;
            while life.machine.deadline().is_some_and(|due| due <= life.now) {
                idle = if life.give(Input::Timer).is_empty() { idle + 1 } else { 0 };
                prop_assert!(idle < 3, "{:?}", life.machine);
            }
        }
    }
}
