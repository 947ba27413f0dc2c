//! The fold: the same in any order, bounded, and what a plain count of all events says.

use std::collections::{BTreeMap, BTreeSet};

use eyes_evidence::provenance::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::{
    category::{CallCategory, Counter, Estimate},
    event::UsageEntry,
    testing::{folded, sample_event},
    tokens::{EstimatedTokens, TokenUsage},
};

const SMALL: Bounds = Bounds {
    days: 3,
    routes: 2,
    sessions: 2,
    session_rows: 4,
    day_sessions: 2,
};

fn state_of<'a>(events: impl IntoIterator<Item = &'a UsageEvent>) -> UsageState {
    let mut state = UsageState::with_bounds(SMALL);
    for event in events {
        state.fold(event);
    }
    state
}

/// Writes a state as a ledger does and reads it again.
fn rewritten(state: &UsageState) -> UsageState {
    let text = serde_json::to_string(&Checkpoint::from(state)).unwrap();
    let checkpoint: Checkpoint = serde_json::from_str(&text).unwrap();
    let mut read = UsageState::with_bounds(state.bounds);
    checkpoint.merge_into(&mut read).unwrap();
    read
}

fn tokens() -> impl Strategy<Value = Option<TokenUsage>> {
    let number = || prop_oneof![8 => 0..5000_u64, 1 => Just(u64::MAX)];
    let usage = (number(), number(), 0..100_u64, 0..100_u64, 0..100_u64).prop_map(
        |(input, output, cache_read, cache_write, reasoning)| TokenUsage {
            input,
            output,
            cache_read,
            cache_write,
            reasoning,
        },
    );
    proptest::option::weighted(0.9, usage)
}

fn entry() -> impl Strategy<Value = UsageEntry> {
    let route = (0..5).prop_map(|number| UsageRoute::new("p", format!("m{number}")).unwrap());
    let categories = proptest::sample::select(CallCategory::ALL);
    prop_oneof![
        4 => (categories, route.clone(), tokens()).prop_map(|(category, route, tokens)| {
            UsageEntry::Call { category, route, tokens }
        }),
        2 => (route, tokens()).prop_map(|(route, tokens)| UsageEntry::Final { route, tokens }),
        1 => (proptest::sample::select(Counter::ALL), 0..3_u64)
            .prop_map(|(counter, by)| UsageEntry::Count { counter, by }),
        1 => (proptest::sample::select(Estimate::ALL), 0..999_u64).prop_map(|(estimate, tokens)| {
            UsageEntry::Estimate { estimate, tokens: EstimatedTokens(tokens) }
        }),
    ]
}

fn event() -> impl Strategy<Value = UsageEvent> {
    (1..9_u32, 0..24_u32, proptest::option::of(0..6_u32), entry()).prop_map(
        |(day, hour, session, entry)| UsageEvent {
            at: Timestamp::new(format!("2026-03-{day:02}T{hour:02}:30:00+01:00")).unwrap(),
            session: session.map(|number| SessionDigest::of(&number.to_string())),
            entry,
        },
    )
}

/// Events, the same in another order, and where they are cut.
fn shuffled() -> impl Strategy<Value = (Vec<UsageEvent>, Vec<UsageEvent>, Vec<usize>)> {
    proptest::collection::vec(event(), 0..80).prop_flat_map(|events| {
        let cuts = proptest::collection::vec(0..=events.len(), 0..4);
        (Just(events.clone()), Just(events).prop_shuffle(), cuts)
    })
}

proptest! {
    #[test]
    fn neither_order_nor_checkpoints_matter((events, other, mut cuts) in shuffled()) {
        let expected = state_of(&events);
        prop_assert_eq!(&state_of(&other), &expected);
        prop_assert_eq!(&rewritten(&expected), &expected);

        // In pieces: each written and read again, then either continued or merged.
        cuts.sort_unstable();
        cuts.push(other.len());
        let (mut continued, mut merged) = (state_of([]), state_of([]));
        let mut start = 0;
        for cut in cuts {
            let piece = &other[start..cut];
            for event in piece {
                continued.fold(event);
            }
            continued = rewritten(&continued);
            merged.merge(rewritten(&state_of(piece)));
            start = cut;
        }
        prop_assert_eq!(&continued, &expected);
        prop_assert_eq!(&merged, &expected);
    }

    #[test]
    fn what_is_kept_follows_from_all_events_at_once((events, _, _) in shuffled()) {
        let state = state_of(&events);
        prop_assert_eq!(kept(&state), expected(&events));
        let mut total = Bucket::default();
        for event in &events {
            let route = event.entry.route().map(|route| {
                let named = state.routes.contains(route);
                if named { RouteKey::Named(route.clone()) } else { RouteKey::Other }
            });
            total.add(&event.entry, route.as_ref());
        }
        prop_assert_eq!(state.total(), total);
        let days = state.days().len();
        let rows: usize = state.sessions.days.values().map(BTreeMap::len).sum();
        prop_assert!(days <= SMALL.days && state.routes.len() <= SMALL.routes);
        prop_assert!(rows <= SMALL.session_rows + SMALL.day_sessions);
    }
}

/// The keys that are told apart.
type Kept = (Vec<Day>, Vec<UsageRoute>, Vec<(Day, SessionDigest)>, bool);

fn kept(state: &UsageState) -> Kept {
    let rows = state.sessions.days.iter();
    (
        state.days.keys().copied().collect(),
        state.routes.iter().cloned().collect(),
        rows.flat_map(|(day, rows)| rows.keys().map(|session| (*day, *session)))
            .collect(),
        state.sessions.incomplete,
    )
}

/// The same, from all events at once.
fn expected(events: &[UsageEvent]) -> Kept {
    let day = |event: &UsageEvent| UnixTime::from(&event.at).day();
    let days: BTreeSet<Day> = events.iter().map(day).collect();
    let routes: BTreeSet<&UsageRoute> = events.iter().filter_map(|e| e.entry.route()).collect();
    let mut sessions = BTreeMap::<Day, BTreeSet<SessionDigest>>::new();
    for event in events {
        if let Some(session) = event.session {
            sessions.entry(day(event)).or_default().insert(session);
        }
    }
    let all: usize = sessions.values().map(BTreeSet::len).sum();
    let mut newer = BTreeSet::<&SessionDigest>::new();
    let mut rows = Vec::new();
    for (day, of_day) in sessions.iter().rev() {
        if newer.len() >= SMALL.sessions || rows.len() >= SMALL.session_rows {
            break;
        }
        let of_day = of_day.iter().take(SMALL.day_sessions);
        rows.extend(of_day.clone().map(|session| (*day, *session)));
        newer.extend(of_day);
    }
    rows.sort_unstable();
    let incomplete = rows.len() < all;
    (
        days.iter().rev().take(SMALL.days).rev().copied().collect(),
        routes.into_iter().take(SMALL.routes).cloned().collect(),
        rows,
        incomplete,
    )
}

fn call(at: &str, session: &str, input: u64) -> UsageEvent {
    UsageEvent {
        at: Timestamp::new(at).unwrap(),
        session: Some(SessionDigest::of(session)),
        entry: UsageEntry::Call {
            category: CallCategory::VisionBase,
            route: UsageRoute::new("p", "m").unwrap(),
            tokens: Some(TokenUsage {
                input,
                ..TokenUsage::default()
            }),
        },
    }
}

#[test]
fn kinds_of_use_stay_apart() {
    let total = folded(&(0..60).map(sample_event).collect::<Vec<_>>()).total();
    let calls = |category| total.category(category).exact().calls;
    let all: u64 = CallCategory::ALL.iter().map(|c| calls(*c)).sum();
    assert_eq!(total.additional().exact().calls, all);
    assert_eq!(all, 20);
    let vision = [
        CallCategory::VisionProbe,
        CallCategory::VisionBase,
        CallCategory::VisionTarget,
    ];
    assert_eq!(
        total.vision().exact().calls,
        vision.into_iter().map(calls).sum::<u64>()
    );
    let answers = total.final_answers();
    assert_eq!(
        (answers.exact().calls, answers.exact().unreported),
        (20, 10)
    );
    assert_eq!(total.counters().values().sum::<u64>(), 10);
    let estimated: u64 = total.estimates().values().map(|tokens| tokens.0).sum();
    assert_eq!(estimated, (0..60).filter(|n| n % 6 == 3).sum::<u64>());
}

#[test]
fn the_newest_sessions_are_listed_and_none_is_missing_in_the_totals() {
    let events: Vec<UsageEvent> = (0..120)
        .map(|number| {
            let (hour, minute) = (number / 60, number % 60);
            let at = format!("2026-01-01T{hour:02}:{minute:02}:00Z");
            call(&at, &format!("session {number}"), 10)
        })
        .collect();
    let state = folded(&events);
    let listed = state.sessions();
    assert_eq!(listed.len(), MAX_SESSIONS);
    let newest: Vec<SessionDigest> = (70..120)
        .rev()
        .map(|number| SessionDigest::of(&format!("session {number}")))
        .collect();
    assert!(listed.iter().map(|session| session.session).eq(newest));
    assert_eq!(state.total().additional().exact().tokens.input, 1200);
    assert_eq!(state.sessions_since(), None, "all of that day are kept");
}

#[test]
fn a_session_is_told_from_the_day_on_that_all_sessions_are() {
    let mut events = vec![call("2026-01-01T10:00:00Z", "long", 1)];
    for day in 2..8 {
        for number in 0..10 {
            let at = format!("2026-01-{day:02}T{number:02}:00:00Z");
            events.push(call(&at, &format!("{day} {number}"), 1));
        }
        events.push(call(&format!("2026-01-{day:02}T23:00:00Z"), "long", 1));
    }
    let state = folded(&events);
    // Days 3 to 7 hold 51 sessions.
    assert_eq!(state.sessions_since(), Some("2026-01-03".parse().unwrap()));
    let long = &state.sessions()[0];
    assert_eq!(long.session, SessionDigest::of("long"));
    assert_eq!(long.days.len(), 5);
    assert_eq!(long.first.to_string(), "2026-01-03T23:00:00Z");
    assert_eq!(long.last.to_string(), "2026-01-07T23:00:00Z");
    assert_eq!(state.total().additional().exact().calls, 67);
}

#[test]
fn old_days_and_many_routes_stay_in_the_totals() {
    let mut state = UsageState::default();
    let mut day = "2024-01-01".parse::<Day>().unwrap();
    let mut days = Vec::new();
    while days.len() < MAX_DAYS + 10 {
        days.push(day);
        day = day.before();
    }
    for (number, day) in days.iter().enumerate() {
        let mut event = call(&format!("{day}T00:00:00Z"), "s", 1);
        if let UsageEntry::Call { route, .. } = &mut event.entry {
            let model = format!("m{:02}", number % (MAX_ROUTES + 3));
            *route = UsageRoute::new("p", model).unwrap();
        }
        state.fold(&event);
    }
    assert_eq!(state.days().len(), MAX_DAYS);
    assert_eq!(state.earlier().additional().exact().calls, 10);
    let between = state.earlier_between().unwrap();
    assert_eq!(between, (days[MAX_DAYS + 9], days[MAX_DAYS]));
    let total = state.total();
    assert_eq!(total.routes().len(), MAX_ROUTES + 1);
    assert!(total.routes().contains_key(&RouteKey::Other));
    assert_eq!(total.additional().exact().calls, 410);
}

#[test]
fn a_checkpoint_that_means_what_it_does_not_hold_is_refused() {
    let state = folded(&(0..12).map(sample_event).collect::<Vec<_>>());
    let written = serde_json::to_value(Checkpoint::from(&state)).unwrap();
    let refused = |pointer: &str, value: serde_json::Value| {
        let mut written = written.clone();
        *written.pointer_mut(pointer).unwrap() = value;
        let read = serde_json::from_value::<Checkpoint>(written);
        let merged = read
            .ok()
            .and_then(|read| read.merge_into(&mut UsageState::default()));
        assert_eq!(merged, None, "{pointer}");
    };
    let session = SessionDigest::of("session-1");
    refused("/days/2026-01-31/routes/0/route", 7.into());
    refused(
        &format!("/sessions/2026-01-31/{session}/first"),
        "2026-01-30T00:00:00Z".into(),
    );
    refused("/days/2026-01-31/routes/0/additional", 7.into());
    refused("/missing/lostEvents", "none".into());
}

/// A checkpoint as long as it can get, but for the names of routes.
#[cfg(feature = "fs")]
#[test]
fn the_largest_checkpoint_fits_into_a_ledger() {
    use crate::limits::MAX_LEDGER_BYTES;

    let usage = crate::tokens::CallUsage {
        calls: u64::MAX,
        unreported: u64::MAX,
        tokens: TokenUsage {
            input: u64::MAX,
            output: u64::MAX,
            cache_read: u64::MAX,
            cache_write: u64::MAX,
            reasoning: u64::MAX,
        },
    };
    let route = RouteUsage {
        additional: CallCategory::ALL
            .iter()
            .map(|c| (*c, usage.into()))
            .collect(),
        final_answers: usage.into(),
    };
    let names = (0..MAX_ROUTES).map(|n| UsageRoute::new("p", n.to_string()).unwrap());
    let keys = names.clone().map(RouteKey::Named).chain([RouteKey::Other]);
    let bucket = Bucket {
        routes: keys.map(|key| (key, route.clone())).collect(),
        counters: Counter::ALL.iter().map(|c| (*c, u64::MAX)).collect(),
        estimates: Estimate::ALL
            .iter()
            .map(|e| (*e, EstimatedTokens(u64::MAX)))
            .collect(),
    };
    let mut state = UsageState {
        routes: names.collect(),
        earlier: bucket.clone(),
        ..UsageState::default()
    };
    let time = UnixTime::from(&Timestamp::new("2026-01-01T00:00:00Z").unwrap());
    let row = state
        .sessions
        .row(SessionDigest::of("s"), time, &Bounds::DEFAULT);
    row.unwrap().bucket = bucket;
    let bytes = |state: &UsageState| serde_json::to_vec(&Checkpoint::from(state)).unwrap().len();
    let with_row = bytes(&state);
    state.sessions = SessionRows::default();
    let without = bytes(&state);
    let rows = MAX_SESSION_ROWS + MAX_DAY_SESSIONS;
    let largest = without * (MAX_DAYS + 1) + (with_row - without) * rows;
    assert!(largest as u64 * 2 < MAX_LEDGER_BYTES, "{largest}");
}
