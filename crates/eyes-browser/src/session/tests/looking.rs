//! Waiting, asserting, pictures, and what must not be seen.

use std::fmt::Write as _;

use serde_json::json;

use super::*;
use crate::{
    driver::ConsoleLevel,
    picture::{PictureSettings, VisualMode},
};

const SECRET: &str = "correct horse battery";

#[tokio::test(start_paused = true)]
async fn conditions_are_waited_for() {
    let bench = Bench::opened().await;
    let say = |text: &str| Change::Text(vec![text.to_owned()]);
    bench.browser.later(say("almost"));
    bench.browser.later(say("all done"));
    let result = bench
        .raw(&json!({"action": "wait", "waitFor": "text", "expected": "done"}))
        .await;
    assert!(result.ok, "{}", result.text());
    bench.browser.later(Change::Show("save".to_owned(), false));
    let result = bench
        .raw(&json!({"action": "wait", "waitFor": "hidden", "selector": "#save"}))
        .await;
    assert!(result.ok, "{}", result.text());
    bench.browser.later(Change::Download("a".to_owned(), 1));
    let result = bench
        .raw(&json!({"action": "wait", "waitFor": "download"}))
        .await;
    assert!(result.ok, "{}", result.text());
    bench.browser.later(Change::Goto(NEXT.to_owned()));
    let result = bench
        .raw(&json!({"action": "wait", "waitFor": "url", "expected": "/next"}))
        .await;
    assert!(
        result.ok && result.text().contains("Go back"),
        "{}",
        result.text()
    );
    let call =
        json!({"action": "wait", "waitFor": "visible", "selector": "#never", "timeoutMs": 300});
    let result = bench.raw(&call).await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_TIMEOUT", Effect::Unverifiable)
    );
    assert!(result.state.is_some());
    assert!(
        bench
            .raw(&json!({"action": "wait", "waitFor": "idle"}))
            .await
            .ok
    );
    assert!(
        bench
            .raw(&json!({"action": "wait", "timeoutMs": 10}))
            .await
            .ok
    );
}

/// Asserts, and returns verdict, what was there, and the note.
async fn check(bench: &Bench, call: &str) -> (bool, Option<String>, Option<&'static str>) {
    let mut call: serde_json::Value = serde_json::from_str(call).unwrap();
    call["action"] = json!("assert");
    call["timeoutMs"] = json!(200);
    let result = bench.call(call).await;
    let Outcome::Assertion(record) = result.outcome.clone() else {
        panic!("{}", result.text())
    };
    assert_eq!(result.ok, record.passed);
    assert!(result.text().contains("\nassertion "));
    (record.passed, record.actual, record.note)
}

#[tokio::test(start_paused = true)]
async fn assertions_say_what_was_there() {
    let bench = Bench::opened().await;
    for (call, passed, actual) in [
        (
            r#"{"assertion": "title_equals", "expected": "Home"}"#,
            true,
            "Home",
        ),
        (
            r#"{"assertion": "url_contains", "expected": "b.test"}"#,
            false,
            HOME,
        ),
        (
            r##"{"assertion": "visible", "selector": "#save"}"##,
            true,
            "visible",
        ),
        (r#"{"assertion": "hidden", "ref": "e1"}"#, false, "visible"),
        (r#"{"assertion": "enabled", "ref": "e1"}"#, true, "enabled"),
        (
            r#"{"assertion": "count_equals", "role": "button", "expected": 4}"#,
            true,
            "4",
        ),
        (
            r#"{"assertion": "text_contains", "text": "idle", "expected": "id"}"#,
            true,
            "idle",
        ),
        (
            r##"{"assertion": "checked", "selector": "#terms"}"##,
            false,
            "unchecked",
        ),
        (
            r##"{"assertion": "unchecked", "selector": "#terms"}"##,
            true,
            "unchecked",
        ),
        (
            r##"{"assertion": "value_equals", "selector": "#plan", "expected": "Basic"}"##,
            true,
            "Basic",
        ),
    ] {
        let verdict = check(&bench, call).await;
        assert_eq!(verdict, (passed, Some(actual.to_owned()), None), "{call}");
    }
}

#[tokio::test(start_paused = true)]
async fn assertions_are_tried_again_and_never_throw() {
    let bench = Bench::opened().await;
    let gone = check(&bench, r##"{"assertion": "enabled", "selector": "#gone"}"##).await;
    assert_eq!(gone, (false, None, Some("nothing matches the target")));
    let typo = check(&bench, r##"{"assertion": "hidden", "selector": "#typo"}"##).await;
    assert_eq!(typo, (true, None, Some(crate::assertion::NOTE_NO_MATCH)));
    let secret = r##"{"assertion": "value_equals", "selector": "#pass", "expected": ""}"##;
    assert!(!check(&bench, secret).await.0);
    bench
        .browser
        .later(Change::Disable("save".to_owned(), true));
    let later = check(
        &bench,
        r##"{"assertion": "disabled", "selector": "#save"}"##,
    )
    .await;
    let note = Some("it did not hold at first");
    assert_eq!(later, (true, Some("disabled".to_owned()), note));
}

#[tokio::test(start_paused = true)]
async fn a_secret_appears_nowhere() {
    let log = Arc::new(crate::report::tests::MemoryLog::default());
    let kept = Arc::clone(&log);
    let bench = Bench::with(move |parts| parts.log = Some(kept));
    bench.call(json!({"action": "open", "url": HOME})).await;
    let mut seen = String::new();
    for call in [
        json!({"action": "type", "selector": "#pass", "value": {"env": "PASSWORD"}}),
        json!({"action": "type", "selector": "#name", "value": SECRET, "secret": true}),
        json!({"action": "type", "selector": "#plan", "value": "x4k2", "secret": true}),
        json!({"action": "assert", "assertion": "value_equals", "selector": "#name", "expected": SECRET, "timeoutMs": 9}),
    ] {
        let result = bench.call(call).await;
        let _ = write!(seen, "{}{}{result:?}", result.text(), json!(result));
    }
    // The page shows it everywhere it can.
    bench
        .browser
        .apply(Change::Text(vec![format!("pw={SECRET}; pin x4k2.")]));
    bench
        .browser
        .apply(Change::Rename("save".to_owned(), format!("Save {SECRET}")));
    let line = format!("login {SECRET}");
    bench
        .browser
        .apply(Change::Console(ConsoleLevel::Error, line));
    bench.browser.apply(Change::Goto(format!(
        "https://a.test/?p={}",
        SECRET.replace(' ', "%20")
    )));
    let console = bench.call(json!({"action": "observe"})).await;
    assert!(console.text().contains("console 1 since last"));
    bench.call(json!({"action": "report"})).await;
    let _ = write!(
        seen,
        "{}{}{console:?}{log:?}{:?}",
        console.text(),
        json!(console),
        bench.session
    );
    for part in ["correct", "battery", "x4k2"] {
        assert!(!seen.contains(part), "{part} in {seen}");
    }
    let missing = bench
        .call(json!({"action": "type", "selector": "#a", "value": {"env": "OTHER"}}))
        .await;
    assert_eq!(code(&missing), "BROWSER_TARGET_MISSING");
}

#[tokio::test(start_paused = true)]
async fn a_variable_that_is_not_listed_is_refused() {
    let bench = Bench::opened().await;
    let call = json!({"action": "type", "selector": "#name", "value": {"env": "HOME"}});
    let result = bench.call(call).await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_SECRET_MISSING", Effect::Refused)
    );
}

#[tokio::test]
async fn pictures_come_by_the_policy_and_carry_the_coordinates() {
    let bench = Bench::opened().await;
    let point = json!({"action": "click", "x": 10, "y": 5});
    let result = bench.call(point.clone()).await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_PICTURE_MISSING", Effect::Refused)
    );
    let result = bench
        .call(json!({"action": "observe", "image": true}))
        .await;
    assert_eq!(result.pictures.len(), 1);
    assert!(
        result
            .text()
            .contains("picture 400x300 scale 1: x and y are its pixels")
    );
    let result = bench
        .call(json!({"action": "click", "x": 400, "y": 5}))
        .await;
    assert_eq!(code(&result), "BROWSER_COORDINATE_OUT_OF_BOUNDS");
    bench
        .call(json!({"action": "observe", "image": true}))
        .await;
    let result = bench.call(point.clone()).await;
    assert!(result.ok && result.pictures.is_empty(), "{}", result.text());
    assert_eq!(bench.browser.hits(), ["save"]);
    // The picture was of an older state.
    assert_eq!(code(&bench.call(point).await), "BROWSER_PICTURE_MISSING");
    let id = bench.session.newest().await;
    let result = bench
        .call(json!({"action": "zoom", "region": [0, 0, 50, 20]}))
        .await;
    assert!(result.ok && result.pictures.len() == 1 && result.state.is_none());
    assert_eq!(bench.session.newest().await, id, "a zoom leaves the state");
}

#[tokio::test]
async fn a_smaller_picture_keeps_its_coordinates_true() {
    let bench = Bench::with(|parts| {
        parts.settings.pictures = PictureSettings {
            mode: VisualMode::Always,
            max_side: Some(200),
            ..PictureSettings::default()
        };
    });
    let result = bench.call(json!({"action": "open", "url": HOME})).await;
    assert!(
        result.text().contains("picture 200x150 scale 0.5"),
        "{}",
        result.text()
    );
    assert_eq!(result.delivery.unwrap().reason, "configured-always");
    let result = bench
        .call(json!({"action": "click", "x": 10, "y": 15}))
        .await;
    assert!(result.ok);
    assert_eq!(bench.browser.hits(), ["delete"], "(20, 30) of the viewport");
}
