//! Prices by route and date, exact sums, and what has no price.

use eyes_evidence::code::Coded;

use super::*;
use crate::tokens::{CallUsage, TokenUsage};

fn table(prices: &str) -> Result<PriceTable, PriceError> {
    PriceTable::from_json(&format!("{{\"currency\":\"USD\",\"prices\":[{prices}]}}"))
}

fn entry(route: &str, from: &str, input: &str) -> String {
    let (provider, model) = route.split_once('/').unwrap();
    format!(
        "{{\"provider\":\"{provider}\",\"model\":\"{model}\",\"from\":\"{from}\",\"input\":{input},\"output\":\"2\"}}"
    )
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn usage(input: u64, cache_read: u64, cache_write: u64, output: u64) -> CallUsage {
    CallUsage::of_call(Some(TokenUsage {
        input,
        output,
        cache_read,
        cache_write,
        reasoning: output / 2,
    }))
}

fn cost(usage: &CallUsage, prices: Option<&Prices>) -> String {
    serde_json::to_string(&CostSum::of(usage, prices).cost()).unwrap()
}

#[test]
fn the_entry_of_the_day_holds_and_a_model_weighs_more_than_all() {
    let table = table(
        &[
            entry("p/m", "2026-02-01", "3"),
            entry("p/m", "2026-01-10", "1"),
            entry("p/*", "2026-01-01", "7"),
            entry("p/*", "2026-03-01", "9"),
        ]
        .join(","),
    )
    .unwrap();
    let on = |model: &str, when: Dated| {
        let route = UsageRoute::new("p", model).unwrap();
        let prices = table.prices(&route, when)?;
        Some(prices.input.of(1_000_000).to_string())
    };
    for (model, date, price) in [
        ("m", "2025-12-31", None),
        ("m", "2026-01-01", Some("7")),
        ("m", "2026-01-10", Some("1")),
        ("m", "2026-01-31", Some("1")),
        ("m", "2026-02-01", Some("3")),
        ("m", "2030-01-01", Some("3")),
        ("other", "2026-02-28", Some("7")),
        ("other", "2026-03-01", Some("9")),
    ] {
        assert_eq!(
            on(model, Dated::On(day(date))).as_deref(),
            price,
            "{model} {date}"
        );
    }
    for (model, from, to, price) in [
        ("m", "2026-01-10", "2026-01-31", Some("1")),
        ("m", "2026-01-10", "2026-02-01", None),
        ("m", "2026-01-05", "2026-01-12", None),
        ("m", "2025-01-01", "2026-01-01", None),
        ("m", "2026-02-01", "2026-05-01", Some("3")),
        ("other", "2026-01-01", "2026-02-28", Some("7")),
        ("other", "2026-01-01", "2026-03-28", None),
    ] {
        let when = Dated::Between(day(from), day(to));
        assert_eq!(on(model, when).as_deref(), price, "{model} {from} {to}");
    }
    let stranger = UsageRoute::new("q", "m").unwrap();
    assert_eq!(table.prices(&stranger, Dated::On(day("2026-05-01"))), None);
}

#[test]
fn sums_are_exact() {
    let text = r#"{"provider":"p","model":"m","from":"2026-01-01",
        "input":0.28,"cacheRead":"0.028","cacheWrite":0,"output":0.42}"#;
    let table = table(text).unwrap();
    assert_eq!(table.currency(), "USD");
    let route = UsageRoute::new("p", "m").unwrap();
    let prices = table.prices(&route, Dated::On(day("2026-01-01"))).unwrap();
    for (usage, amount) in [
        (usage(1_000_000, 0, 0, 0), "0.28"),
        (usage(1_000_000, 1_000_000, 0, 1_000_000), "0.448"),
        (usage(3, 1, 1, 1), "0.000000728"),
        // More is said to come from the cache than was sent: nothing is charged twice.
        (usage(1, 5, 0, 0), "0.00000014"),
        (usage(u64::MAX, 0, 0, 0), "5165088340638.6744522"),
        (usage(0, 0, 0, 0), "0"),
    ] {
        let expected = format!("{{\"status\":\"priced\",\"amount\":\"{amount}\"}}");
        assert_eq!(cost(&usage, Some(prices)), expected);
    }
    let mut sum = CostSum::default();
    for _ in 0..1000 {
        sum += CostSum::of(&usage(3, 1, 1, 1), Some(prices));
    }
    assert_eq!(
        serde_json::to_value(sum.cost()).unwrap()["amount"],
        "0.000728"
    );
}

#[test]
fn what_has_no_price_is_never_nothing() {
    let table = table(&entry("p/m", "2026-01-01", "1")).unwrap();
    let route = UsageRoute::new("p", "m").unwrap();
    let known = table.prices(&route, Dated::On(day("2026-01-01")));
    let free = CallUsage::of_call(None);
    for (usage, prices, expected) in [
        (
            usage(10, 0, 0, 5),
            None,
            r#"{"status":"unpriced","unpricedCalls":1,"unpricedTokens":15}"#,
        ),
        (
            usage(0, 0, 0, 0),
            None,
            r#"{"status":"unpriced","unpricedCalls":1,"unpricedTokens":0}"#,
        ),
        (
            free,
            known,
            r#"{"status":"unpriced","unpricedCalls":1,"unpricedTokens":0}"#,
        ),
        (
            usage(10, 4, 2, 5),
            known,
            r#"{"status":"partial","amount":"0.000014","unpricedCalls":0,"unpricedTokens":6}"#,
        ),
        (
            usage(10, 0, 0, 5),
            known,
            r#"{"status":"priced","amount":"0.00002"}"#,
        ),
        (
            CallUsage::default(),
            None,
            r#"{"status":"priced","amount":"0"}"#,
        ),
    ] {
        assert_eq!(cost(&usage, prices), expected);
    }
    let mut sum = CostSum::of(&usage(10, 0, 0, 5), known);
    sum += CostSum::of(&usage(7, 0, 0, 0), None);
    sum += CostSum::of(&free, known);
    assert_eq!(
        serde_json::to_string(&sum.cost()).unwrap(),
        r#"{"status":"partial","amount":"0.00002","unpricedCalls":2,"unpricedTokens":7}"#
    );
}

#[test]
fn amounts_are_rounded_half_up() {
    let amount = Price::parse("0.123456789").unwrap().of(1_000_000);
    for (digits, text) in [
        (0, "0"),
        (1, "0.1"),
        (4, "0.1235"),
        (6, "0.123457"),
        (15, "0.123456789000000"),
        (99, "0.123456789000000"),
    ] {
        assert_eq!(amount.rounded(digits), text);
    }
    assert_eq!(amount.to_string(), "0.123456789");
    assert_eq!(Price::parse("0.5").unwrap().of(1_000_000).rounded(0), "1");
    assert_eq!(
        Price::parse("120").unwrap().of(1_000_000).to_string(),
        "120"
    );
    assert_eq!(Money::default().rounded(2), "0.00");
}

#[test]
fn prices_are_decimal_numbers_within_bounds() {
    for text in [
        "0",
        "1",
        "0.5",
        "0.50",
        "00.5",
        "1000000",
        "0.123456789",
        "0.1234567890",
    ] {
        assert!(Price::parse(text).is_some(), "{text}");
    }
    for text in [
        "",
        ".5",
        "1.",
        "-1",
        "+1",
        "1e3",
        "NaN",
        "1,5",
        " 1",
        "1000001",
        "1000000.1",
        "0.1234567891",
        "99999999999999999999",
    ] {
        assert_eq!(Price::parse(text), None, "{text}");
    }
}

#[test]
fn errors_name_the_entry() {
    let good = entry("p/m", "2026-01-01", "1");
    for (prices, message) in [
        (
            entry("p/m", "2026-1-1", "1"),
            "price 1 (p/m from 2026-1-1): a day is written YYYY-MM-DD, such as 2026-01-31",
        ),
        (
            format!("{good},{}", entry("p/n", "2026-01-01", "-1")),
            "price 2 (p/n from 2026-01-01): `-1` is no price for input: a decimal number from 0 to 1000000 \
             with at most 9 digits behind the point",
        ),
        (
            entry("p/n", "2026-01-01", "1e-12"),
            "price 1 (p/n from 2026-01-01): `0.000000000001` is no price for input: a decimal number from 0 \
             to 1000000 with at most 9 digits behind the point",
        ),
        (
            format!("{good},{good}"),
            "price 2 (p/m from 2026-01-01): another entry has the same provider, model and day",
        ),
        (
            entry("/m", "2026-01-01", "1"),
            "price 1 (/m from 2026-01-01): a name has 1 to 255 characters",
        ),
    ] {
        let error = table(&prices).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.code().as_str(), "USAGE_PRICES_INVALID");
    }
    for text in [
        "",
        "[]",
        "{\"currency\":\"usd\",\"prices\":[]}",
        "{\"currency\":\"EURO\",\"prices\":[]}",
        "{\"prices\":[]}",
        "{\"currency\":\"USD\",\"prices\":[],\"more\":1}",
        "{\"currency\":\"USD\",\"prices\":[{\"provider\":\"p\",\"model\":\"m\",\"from\":\"2026-01-01\",\"input\":true,\"output\":1}]}",
        &" ".repeat(MAX_PRICE_TABLE_BYTES + 1),
    ] {
        let error = PriceTable::from_json(text).unwrap_err();
        assert_eq!(error.code().as_str(), "USAGE_PRICES_INVALID");
    }
    let many = vec![good; MAX_PRICES + 1].join(",");
    assert!(matches!(table(&many), Err(PriceError::Count { .. })));
}

#[test]
#[cfg(feature = "schema")]
fn the_published_schema_is_that_of_the_types() {
    use std::path::Path;

    use eyes_evidence::schema::generate::{check_published, schema_of};

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/price");
    let schema = schema_of::<PriceTableDocument>("Table of prices");
    check_published(&folder.join("price-table.schema.json"), &schema);
}
