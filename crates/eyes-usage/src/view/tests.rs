//! Figures add up, costs follow dates, and tables are safe to open.

use eyes_evidence::provenance::Timestamp;

use super::*;
use crate::{
    event::{UsageEntry, UsageEvent, UsageRoute},
    price::PriceTable,
    state::UsageState,
    testing::{folded, sample_event},
    tokens::EstimatedTokens,
};

fn prices() -> PriceTable {
    let text = r#"{"currency":"USD","prices":[
        {"provider":"deepseek","model":"chat","from":"2026-01-01","input":1,"cacheRead":0.1,"output":2},
        {"provider":"deepseek","model":"chat","from":"2026-01-02","input":10,"cacheRead":1,"output":20}]}"#;
    PriceTable::from_json(text).unwrap()
}

fn event(at: &str, session: &str, entry: UsageEntry) -> UsageEvent {
    UsageEvent {
        at: Timestamp::new(at).unwrap(),
        session: Some(SessionDigest::of(session)),
        entry,
    }
}

fn route(route: &str) -> UsageRoute {
    let (provider, model) = route.split_once('/').unwrap();
    UsageRoute::new(provider, model).unwrap()
}

fn tokens(input: u64, output: u64) -> TokenUsage {
    TokenUsage {
        input,
        output,
        ..TokenUsage::default()
    }
}

/// Two days, two sessions, a priced route and one without a price.
fn two_days() -> UsageState {
    let answer = |tokens| UsageEntry::Final {
        route: route("deepseek/chat"),
        tokens,
    };
    let look = UsageEntry::Call {
        category: CallCategory::VisionBase,
        route: route("=cmd|'/C calc'!A1/\"eyes\", large"),
        tokens: Some(tokens(100, 50)),
    };
    let again = UsageEntry::Call {
        category: CallCategory::Clarification,
        route: route("deepseek/chat"),
        tokens: Some(tokens(500_000, 0)),
    };
    folded(&[
        event(
            "2026-01-01T10:00:00Z",
            "one",
            answer(Some(tokens(1_000_000, 0))),
        ),
        event("2026-01-01T11:00:00Z", "one", look.clone()),
        event(
            "2026-01-02T10:00:00Z",
            "one",
            answer(Some(tokens(1_000_000, 0))),
        ),
        event("2026-01-02T11:00:00Z", "two", again),
        event("2026-01-02T12:00:00Z", "two", answer(None)),
        event("2026-01-02T12:00:00Z", "two", look),
        event(
            "2026-01-02T13:00:00Z",
            "two",
            UsageEntry::Count {
                counter: Counter::VisualTurns,
                by: 2,
            },
        ),
        event(
            "2026-01-02T13:00:00Z",
            "two",
            UsageEntry::Estimate {
                estimate: Estimate::BridgeInput,
                tokens: EstimatedTokens(1234),
            },
        ),
    ])
}

#[test]
fn costs_are_those_of_the_day() {
    let view = UsageView::of(&two_days(), Some(&prices()));
    let cost = |figures: &CallFigures| serde_json::to_value(figures.cost).unwrap();
    let priced = |amount: &str| serde_json::json!({ "status": "priced", "amount": amount });
    let days: Vec<String> = view.days.iter().map(|day| day.day.to_string()).collect();
    assert_eq!(days, ["2026-01-01", "2026-01-02"]);
    assert_eq!(cost(&view.days[0].figures.final_answers), priced("1"));
    let partial = |amount: &str, calls: u64, tokens: u64| {
        serde_json::json!({
            "status": "partial", "amount": amount, "unpricedCalls": calls, "unpricedTokens": tokens
        })
    };
    let unpriced = |calls: u64, tokens: u64| serde_json::json!({ "status": "unpriced", "unpricedCalls": calls, "unpricedTokens": tokens });
    // One answer of the second day was never told.
    assert_eq!(
        cost(&view.days[1].figures.final_answers),
        partial("10", 1, 0)
    );
    assert_eq!(cost(&view.total.final_answers), partial("11", 1, 0));
    assert_eq!(cost(&view.total.additional), partial("5", 2, 300));
    assert_eq!(
        cost(&view.total.categories[&CallCategory::VisionBase]),
        unpriced(2, 300)
    );
    assert_eq!(
        cost(&view.total.categories[&CallCategory::Clarification]),
        priced("5")
    );

    let [two, one] = &view.sessions[..] else {
        panic!("two sessions: {:?}", view.sessions);
    };
    assert_eq!(two.session, SessionDigest::of("two"));
    assert_eq!(cost(&one.figures.final_answers), priced("11"));
    assert_eq!(cost(&two.figures.additional), partial("5", 1, 150));
    assert_eq!(two.figures.counters[&Counter::VisualTurns], 2);
    assert_eq!(
        two.figures.estimates[&Estimate::BridgeInput],
        EstimatedTokens(1234)
    );

    let bare = UsageView::of(&two_days(), None);
    assert_eq!((bare.currency, bare.total.final_answers.cost), (None, None));
}

#[test]
fn days_that_are_not_told_apart_have_a_price_where_it_did_not_change() {
    let fold = |first: &str| {
        let mut state = UsageState::default();
        let answer = |day: &str| {
            let entry = UsageEntry::Final {
                route: route("deepseek/chat"),
                tokens: Some(tokens(1_000_000, 0)),
            };
            event(&format!("{day}T00:00:00Z"), "one", entry)
        };
        state.fold(&answer(first));
        let mut day: Day = "2027-12-31".parse().unwrap();
        for _ in 0..crate::limits::MAX_DAYS {
            state.fold(&answer(&day.to_string()));
            day = day.before();
        }
        let view = UsageView::of(&state, Some(&prices()));
        serde_json::to_value(view.earlier.unwrap().final_answers.cost).unwrap()
    };
    assert_eq!(fold("2026-01-02")["amount"], "10");
    assert_eq!(fold("2026-01-01")["status"], "unpriced");
}

#[test]
fn figures_of_parts_add_up() {
    let state = folded(&(0..300).map(sample_event).collect::<Vec<_>>());
    let view = UsageView::of(&state, None);
    let of_routes = |figures: &Figures| {
        let calls = |route: &RouteFigures| route.additional.calls + route.final_answers.calls;
        figures.routes.iter().map(calls).sum::<u64>()
    };
    let total = &view.total;
    assert_eq!(total.additional.calls + total.final_answers.calls, 200);
    assert_eq!(of_routes(total), 200);
    let categories: u64 = total.categories.values().map(|figures| figures.calls).sum();
    assert_eq!(categories, total.additional.calls);
    let days: u64 = view.days.iter().map(|day| of_routes(&day.figures)).sum();
    assert_eq!(days, 200);
    let state_total = state.total();
    assert_eq!(
        total.additional.tokens,
        state_total.additional().exact().tokens
    );
    assert_eq!(
        total.final_answers.tokens,
        state_total.final_answers().exact().tokens
    );
}

#[test]
fn tables_quote_and_disarm_what_others_named() {
    let view = UsageView::of(&two_days(), Some(&prices()));
    let names = "provider,model,category,calls,unreportedCalls,inputTokens,outputTokens,cacheReadTokens,\
                 cacheWriteTokens,reasoningTokens,currency,cost,unpricedCalls,unpricedTokens";
    let look = "'=cmd|',\"C calc'!A1/\"\"eyes\"\", large\"";
    let routes = csv(&view, CsvTable::Routes);
    let expected = [
        names.to_owned(),
        format!("{look},visionBase,2,0,200,100,0,0,0,USD,,2,300"),
        "deepseek,chat,clarification,1,0,500000,0,0,0,0,USD,5,0,0".to_owned(),
        "deepseek,chat,finalAnswer,3,1,2000000,0,0,0,0,USD,11,1,0".to_owned(),
    ];
    assert_eq!(routes, expected.map(|line| line + "\r\n").concat());

    let days = csv(&view, CsvTable::Days);
    let lines: Vec<&str> = days.split("\r\n").collect();
    assert_eq!(lines[0], format!("day,{names}"));
    assert_eq!(
        lines[2],
        "2026-01-01,deepseek,chat,finalAnswer,1,0,1000000,0,0,0,0,USD,1,0,0"
    );
    assert_eq!(lines.len(), 7);
    let sessions = csv(&view, CsvTable::Sessions);
    let two = SessionDigest::of("two");
    assert!(sessions.contains(&format!(
        "\r\n{two},2026-01-02T11:00:00Z,2026-01-02T13:00:00Z,deepseek,chat,finalAnswer,1,1,0,0,0,0,0,USD,,1,0\r\n"
    )));
    assert_eq!(
        csv(&view, CsvTable::Counters),
        "day,kind,name,value\r\n2026-01-02,counter,visualTurns,2\r\n2026-01-02,estimatedTokens,bridgeInput,1234\r\n"
    );
    for line in csv(&UsageView::of(&two_days(), None), CsvTable::Routes)
        .lines()
        .skip(1)
    {
        assert!(line.ends_with(",,,,"), "{line}");
    }
}

#[test]
fn a_view_says_what_it_means() {
    let view = UsageView::of(&UsageState::default(), None);
    let none = serde_json::json!({ "calls": 0, "unreported": 0, "tokens":
        { "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "reasoning": 0 } });
    let expected = serde_json::json!({
        "schemaVersion": 1,
        "missing": { "lostEvents": 0, "tornLines": 0, "damagedLines": 0 },
        "total": {
            "additional": none, "categories": {}, "finalAnswers": none, "routes": [], "counters": {},
            "estimates": {}
        },
        "days": [],
        "sessions": []
    });
    assert_eq!(serde_json::to_value(view).unwrap(), expected);
    let view = UsageView::of(&two_days(), Some(&prices()));
    let json = serde_json::to_value(view).unwrap();
    for (pointer, value) in [
        ("/firstAt", "2026-01-01T10:00:00Z"),
        ("/lastAt", "2026-01-02T13:00:00Z"),
        ("/days/1/day", "2026-01-02"),
        ("/currency", "USD"),
    ] {
        assert_eq!(json.pointer(pointer).unwrap(), value);
    }
    assert_eq!(json["total"]["counters"]["visualTurns"], 2);
}

#[test]
#[cfg(feature = "schema")]
fn the_published_schema_is_that_of_the_types() {
    use std::path::Path;

    use eyes_evidence::schema::generate::{check_published, schema_of};

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/view");
    let schema = schema_of::<UsageView>("Usage");
    check_published(&folder.join("usage-view.schema.json"), &schema);
}
