//! What actions come to.

use serde_json::json;

use super::*;
use crate::driver::{DialogKind, DriverError, DriverErrorKind};

#[tokio::test(start_paused = true)]
async fn a_click_tells_what_changed_and_that_it_had_an_effect() {
    let bench = Bench::opened().await;
    let save = bench.reference("Save draft").await;
    let result = bench.call(json!({"action": "click", "ref": save})).await;
    assert!(result.ok && result.effect == Effect::Confirmed);
    let text = result.text();
    assert!(text.contains("click: ok, effect confirmed\n"), "{text}");
    assert!(text.contains("+ | saved\n- 1 lines of text\n"), "{text}");
    assert!(!text.contains("button"), "only what changed: {text}");
    assert_eq!(bench.browser.hits(), ["save"]);
    let dead = bench.reference("Nothing").await;
    let result = bench.call(json!({"action": "click", "ref": dead})).await;
    assert_eq!(result.effect, Effect::SuspectedNoOp);
    assert!(result.ok && result.text().contains("nothing changed"));
}

#[tokio::test(start_paused = true)]
async fn the_wrong_element_is_never_hit() {
    let bench = Bench::opened().await;
    let save = bench.reference("Save draft").await;
    let late = ElementScript::button("late", "Late banner", Vec::new());
    bench.browser.apply(Change::Insert(0, Box::new(late)));
    let result = bench.call(json!({"action": "click", "ref": save})).await;
    assert!(result.ok);
    assert_eq!(bench.browser.hits(), ["save"]);
    // The same node with another meaning is another thing.
    let save = bench.reference("Save draft").await;
    bench
        .browser
        .apply(Change::Rename("save".to_owned(), "Delete all".to_owned()));
    let result = bench.call(json!({"action": "click", "ref": save})).await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_REF_MISMATCH", Effect::Refused)
    );
    assert!(result.state.is_some() && result.text().contains("Delete all"));
    for (change, code_name) in [
        (
            Change::Cover("delete".to_owned(), Some("div \"Cookies\"".to_owned())),
            "BROWSER_TARGET_BLOCKED",
        ),
        (
            Change::Disable("delete".to_owned(), true),
            "BROWSER_TARGET_DISABLED",
        ),
        (
            Change::Show("delete".to_owned(), false),
            "BROWSER_TARGET_UNAVAILABLE",
        ),
        (Change::Remove("delete".to_owned()), "BROWSER_REF_STALE"),
        (Change::Reload, "BROWSER_REF_STALE"),
    ] {
        let delete = bench.reference("Delete account").await;
        bench.browser.apply(change);
        let result = bench.call(json!({"action": "click", "ref": delete})).await;
        assert_eq!((code(&result), result.effect), (code_name, Effect::Refused));
        assert!(result.state.is_some());
        bench.browser.apply(Change::Reload);
    }
    assert_eq!(bench.browser.hits(), ["save"]);
}

#[tokio::test(start_paused = true)]
async fn targets_by_meaning_are_one_element_or_a_refusal() {
    let bench = Bench::opened().await;
    let result = bench
        .call(json!({"action": "click", "role": "button", "name": "save draft"}))
        .await;
    assert!(result.ok, "{}", result.text());
    let result = bench
        .call(json!({"action": "click", "selector": "#gone"}))
        .await;
    assert_eq!(code(&result), "BROWSER_TARGET_MISSING");
    let result = bench
        .call(json!({"action": "click", "selector": "%"}))
        .await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_SELECTOR_INVALID", Effect::Refused)
    );
    let result = bench
        .call(json!({"action": "click", "role": "button"}))
        .await;
    assert_eq!(code(&result), "BROWSER_TARGET_INVALID");
    let message = result.failure.unwrap().message;
    assert!(
        message.contains("e2 button \"Delete account\""),
        "{message}"
    );
    let result = bench.call(json!({"action": "click", "ref": "e2"})).await;
    assert!(result.ok);
    let result = bench
        .call(json!({"action": "click", "role": "button", "nth": 1}))
        .await;
    assert!(result.ok);
    let result = bench.call(json!({"action": "click", "ref": "e99"})).await;
    assert_eq!(code(&result), "BROWSER_REF_NOT_FOUND");
    assert_eq!(bench.browser.hits(), ["save", "delete", "save"]);
}

#[tokio::test(start_paused = true)]
async fn fields_boxes_and_selects_are_verified() {
    let bench = Bench::opened().await;
    let name = bench.reference("Name").await;
    let result = bench
        .call(json!({"action": "type", "ref": name, "value": "Ada"}))
        .await;
    assert_eq!(result.effect, Effect::Confirmed);
    assert!(
        result
            .text()
            .contains("~ e3 textbox \"Name\" value \"\" -> \"Ada\""),
        "{}",
        result.text()
    );
    let result = bench
        .call(json!({"action": "check", "text": "Terms"}))
        .await;
    assert!(
        result
            .text()
            .contains("~ e5 checkbox \"Terms\" now checked"),
        "{}",
        result.text()
    );
    let result = bench
        .call(json!({"action": "select", "text": "Plan", "value": "Pro"}))
        .await;
    assert!(
        result.text().contains("selected \"Pro\""),
        "{}",
        result.text()
    );
    let result = bench
        .call(json!({"action": "select", "text": "Plan", "value": "Gold"}))
        .await;
    assert_eq!(code(&result), "BROWSER_OPTION_MISSING");
    let result = bench.call(json!({"action": "pdf"})).await;
    assert!(matches!(result.outcome, Outcome::Pdf { bytes: 13, .. }));
}

#[tokio::test(start_paused = true)]
async fn a_dialog_is_part_of_the_state_and_answered_first() {
    let bench = Bench::opened().await;
    let deleted = vec![Change::Text(vec!["confirmed".to_owned()])];
    let ask = Change::Dialog(DialogKind::Confirm, "Really\nstate x?".to_owned(), deleted);
    bench.browser.apply(ask);
    let result = bench.call(json!({"action": "observe"})).await;
    let text = result.text();
    assert!(
        text.contains("dialog confirm \"Really state x?\": answer it with `dialog`"),
        "{text}"
    );
    let result = bench
        .call(json!({"action": "click", "selector": "#save"}))
        .await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_DIALOG_BLOCKED", Effect::Refused)
    );
    let result = bench
        .call(json!({"action": "dialog", "op": "accept"}))
        .await;
    assert!(result.ok && result.effect == Effect::Confirmed);
    assert!(result.text().contains("| confirmed"), "{}", result.text());
    let result = bench
        .call(json!({"action": "dialog", "op": "accept"}))
        .await;
    assert_eq!(code(&result), "BROWSER_TARGET_MISSING");
}

#[tokio::test(start_paused = true)]
async fn tabs_choosers_and_downloads_are_part_of_the_state() {
    let bench = Bench::opened().await;
    bench.browser.apply(Change::OpenTab(NEXT.to_owned()));
    let result = bench.call(json!({"action": "tabs"})).await;
    assert!(
        result
            .text()
            .contains("tab t2 \"Next\" \"https://a.test/next\" from t1\n"),
        "{}",
        result.text()
    );
    let result = bench
        .call(json!({"action": "tabs", "op": "switch", "tab": "t2"}))
        .await;
    assert!(
        result.text().contains("button \"Go back\""),
        "{}",
        result.text()
    );
    let result = bench
        .call(json!({"action": "tabs", "op": "close", "tab": "t9"}))
        .await;
    assert_eq!(code(&result), "BROWSER_TARGET_MISSING");

    let result = bench
        .call(json!({"action": "upload", "files": ["/up/a"]}))
        .await;
    assert_eq!(
        code(&result),
        "BROWSER_TARGET_MISSING",
        "no chooser is open"
    );
    bench.browser.apply(Change::Chooser);
    bench.call(json!({"action": "observe"})).await;
    let result = bench
        .call(json!({"action": "upload", "files": ["/etc/a"]}))
        .await;
    assert_eq!(code(&result), "BROWSER_FILE_BLOCKED");
    let result = bench
        .call(json!({"action": "upload", "files": ["/up/a"]}))
        .await;
    assert!(result.ok, "{}", result.text());
    bench
        .browser
        .apply(Change::Download("a.zip".to_owned(), 4096));
    let result = bench.call(json!({"action": "observe"})).await;
    assert!(
        result
            .text()
            .contains("download 1 \"a.zip\" 4096 bytes done \"/downloads/a.zip\" sha256 ")
    );
}

#[tokio::test(start_paused = true)]
async fn a_failure_after_the_fact_brings_a_state_too() {
    let bench = Bench::opened().await;
    let protocol = DriverErrorKind::Protocol("odd answer".to_owned());
    bench.browser.fail_next(DriverError::after(protocol));
    let result = bench
        .call(json!({"action": "click", "selector": "#save"}))
        .await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_PROTOCOL_FAILED", Effect::Unverifiable)
    );
    assert!(result.state.is_some() && !result.ok);
    bench
        .browser
        .fail_next(DriverErrorKind::Blocked("no".to_owned()).into());
    let result = bench
        .call(json!({"action": "open", "url": "http://10.0.0.1/"}))
        .await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_URL_BLOCKED", Effect::Refused)
    );
    let result = bench
        .call(json!({"action": "open", "url": "example.com"}))
        .await;
    assert_eq!(code(&result), "BROWSER_ACTION_INVALID");
}

#[tokio::test(start_paused = true)]
async fn a_batch_stops_at_the_first_surprise() {
    let bench = Bench::opened().await;
    let click = |id: &str| json!({"action": "click", "selector": format!("#{id}")});
    let result = bench
        .call(json!({"action": "batch", "steps": [
        click("save"),
        {"action": "assert", "assertion": "visible", "text": "saved"},
        click("go"), click("delete")]}))
        .await;
    let Outcome::Batch {
        steps,
        total,
        stopped,
    } = &result.outcome
    else {
        panic!()
    };
    assert_eq!(
        (steps.len(), *total, *stopped),
        (3, 4, Some("the page changed to another document"))
    );
    assert!(!result.ok && steps.iter().all(|step| step.ok));
    assert_eq!(bench.browser.hits(), ["save", "go"]);
    let text = result.text();
    assert!(
        text.contains("batch: 3 of 4 steps ran, stopped: the page changed"),
        "{text}"
    );
    assert!(
        text.contains("button \"Go back\""),
        "another document is told in full: {text}"
    );

    bench.call(json!({"action": "open", "url": HOME})).await;
    let announced = json!({"action": "click", "selector": "#go", "navigates": true});
    let steps = json!([announced, {"action": "back"}, click("delete")]);
    let result = bench.call(json!({"action": "batch", "steps": steps})).await;
    assert!(result.ok, "{}", result.text());
    let failing = json!({"action": "assert", "assertion": "title_equals", "expected": "Away", "timeoutMs": 100});
    let result = bench
        .call(json!({"action": "batch", "steps": [failing, click("save")]}))
        .await;
    let Outcome::Batch { steps, stopped, .. } = &result.outcome else {
        panic!()
    };
    assert_eq!(
        (steps.len(), *stopped),
        (1, Some("an assertion does not hold"))
    );
    let result = bench
        .call(json!({"action": "batch", "steps": [click("gone"), click("save")]}))
        .await;
    assert_eq!(result.effect, Effect::Refused);
    assert_eq!(bench.browser.hits(), ["save", "go", "go", "delete"]);
}
