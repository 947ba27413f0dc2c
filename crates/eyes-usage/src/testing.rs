//! A sink in memory, and what every sink promises (feature `testing`).
//!
//! Each function panics with the promise that was broken.

use std::sync::{Mutex, PoisonError};

use eyes_evidence::provenance::Timestamp;

use crate::{
    category::{CallCategory, Counter, Estimate},
    event::{UsageEntry, UsageEvent, UsageRoute},
    ports::UsageSink,
    session::SessionDigest,
    state::UsageState,
    tokens::{EstimatedTokens, TokenUsage},
};

/// Keeps events in memory, up to a number.
#[derive(Debug)]
pub struct MemoryUsage {
    capacity: usize,
    kept: Mutex<(Vec<UsageEvent>, u64)>,
}

impl MemoryUsage {
    /// Makes an empty sink for `capacity` events.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity,
            kept: Mutex::default(),
        }
    }

    /// Returns the events in the order in which they were recorded.
    pub fn events(&self) -> Vec<UsageEvent> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.0.clone()
    }

    /// Returns what they add up to.
    pub fn state(&self) -> UsageState {
        folded(&self.events())
    }
}

impl UsageSink for MemoryUsage {
    fn record(&self, events: &[UsageEvent]) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let room = (self.capacity - kept.0.len()).min(events.len());
        kept.0.extend_from_slice(&events[..room]);
        kept.1 += (events.len() - room) as u64;
    }

    fn lost(&self) -> u64 {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// Adds events up.
pub fn folded(events: &[UsageEvent]) -> UsageState {
    let mut state = UsageState::default();
    for event in events {
        state.fold(event);
    }
    state
}

/// Makes an event that differs with `number`; six in a row are of all kinds, in three sessions and on two routes.
///
/// # Panics
/// Never: its names and its time are well formed.
pub fn sample_event(number: u64) -> UsageEvent {
    let model = if number.is_multiple_of(2) {
        "one"
    } else {
        "two"
    };
    let route = UsageRoute::new("sample", model).expect("short and printable");
    let tokens = Some(TokenUsage {
        input: 1000 + number,
        output: 100 + number,
        cache_read: number % 500,
        cache_write: 0,
        reasoning: number % 100,
    });
    let entry = match number % 6 {
        0 | 4 => {
            let categories = CallCategory::ALL;
            UsageEntry::Call {
                category: categories[number as usize % categories.len()],
                route,
                tokens,
            }
        }
        1 => UsageEntry::Final { route, tokens },
        2 => UsageEntry::Count {
            counter: Counter::ALL[number as usize % Counter::ALL.len()],
            by: 1,
        },
        3 => UsageEntry::Estimate {
            estimate: Estimate::ALL[number as usize % Estimate::ALL.len()],
            tokens: EstimatedTokens(number),
        },
        _ => UsageEntry::Final {
            route,
            tokens: None,
        },
    };
    let second = number % 60;
    UsageEvent {
        at: Timestamp::new(format!("2026-01-31T23:59:{second:02}Z")).expect("RFC 3339"),
        session: (!number.is_multiple_of(4))
            .then(|| SessionDigest::of(&format!("session-{}", number % 4))),
        entry,
    }
}

/// Checks what [`UsageSink`] promises; `kept` returns what the sink keeps, which must be nothing at first.
///
/// # Panics
/// When a promise is broken.
pub fn usage_sink_contract(sink: &dyn UsageSink, kept: impl Fn() -> UsageState) {
    assert_eq!(kept(), UsageState::default(), "an empty sink keeps nothing");
    sink.record(&[]);
    assert_eq!(kept(), UsageState::default(), "no event changes nothing");

    let events: Vec<UsageEvent> = (0..60).map(sample_event).collect();
    for event in &events[..30] {
        sink.record(std::slice::from_ref(event));
    }
    sink.record(&events[30..]);
    assert_eq!(
        kept(),
        folded(&events),
        "every event is kept, one by one or together"
    );

    let more: Vec<UsageEvent> = (60..460).map(sample_event).collect();
    std::thread::scope(|scope| {
        for part in more.chunks(100) {
            scope.spawn(move || part.chunks(7).for_each(|events| sink.record(events)));
        }
    });
    let all: Vec<UsageEvent> = events.into_iter().chain(more).collect();
    assert_eq!(kept(), folded(&all), "threads record side by side");
    assert_eq!(sink.lost(), 0, "nothing was lost");
}
