//! One action at a time, on the newest state, stopped without harm.

use std::time::Duration;

use serde_json::json;

use super::*;

#[tokio::test(start_paused = true)]
async fn of_two_calls_on_one_state_one_runs() {
    let bench = Bench::opened().await;
    let id = bench.session.newest().await.unwrap();
    let call = json!({"action": "click", "selector": "#delete", "stateId": id});
    let (first, second) = tokio::join!(bench.raw(&call), bench.raw(&call));
    let stale = [&first, &second]
        .iter()
        .filter(|r| code(r) == "STALE_BROWSER_STATE")
        .count();
    assert_eq!((stale, first.ok != second.ok), (1, true));
    assert_eq!(bench.browser.hits(), ["delete"]);
    let stale = if first.ok { second } else { first };
    assert_eq!(stale.effect, Effect::Refused);
    assert!(
        stale.change.is_none() && stale.text().contains("button \"Save draft\""),
        "a whole state"
    );
    let fresh = stale.state_id().unwrap();
    let call = json!({"action": "click", "selector": "#save", "stateId": fresh});
    assert!(bench.raw(&call).await.ok);
}

#[tokio::test(start_paused = true)]
async fn a_stopped_call_leaves_the_browser_and_spends_the_state() {
    let bench = Bench::opened().await;
    let id = bench.session.newest().await.unwrap();
    bench.browser.hang_next();
    let cancel = CancellationToken::new();
    let call = request(&json!({"action": "click", "selector": "#save", "stateId": id}));
    let running = bench.session.run(call, &cancel);
    let stop = async {
        while bench.browser.hits().is_empty() {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (result, ()) = tokio::join!(running, stop);
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_ACTION_CLOSED", Effect::Unverifiable)
    );
    let again = bench
        .raw(&json!({"action": "click", "selector": "#save", "stateId": id}))
        .await;
    assert_eq!(code(&again), "STALE_BROWSER_STATE");
    assert!(
        bench
            .call(json!({"action": "click", "selector": "#save"}))
            .await
            .ok
    );
    assert_eq!(bench.browser.opened(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_stopped_before_its_turn_did_nothing() {
    let bench = Bench::opened().await;
    bench.browser.hang_next();
    let first = CancellationToken::new();
    let second = CancellationToken::new();
    let click = || request(&json!({"action": "click", "selector": "#save"}));
    let running = bench.session.run_newest(click(), &first);
    let waiting = bench.session.run_newest(click(), &second);
    let stop = async {
        while bench.browser.hits().is_empty() {
            tokio::task::yield_now().await;
        }
        second.cancel();
        tokio::task::yield_now().await;
        first.cancel();
    };
    let (running, waiting, ()) = tokio::join!(running, waiting, stop);
    assert_eq!(
        (running.effect, waiting.effect),
        (Effect::Unverifiable, Effect::Refused)
    );
    assert_eq!(
        (code(&running), code(&waiting)),
        ("BROWSER_ACTION_CLOSED", "BROWSER_ACTION_CLOSED")
    );
    assert_eq!(bench.browser.hits(), ["save"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_hangs_ends_at_its_deadline() {
    let bench = Bench::opened().await;
    bench.browser.hang_next();
    let call = json!({"action": "click", "selector": "#save", "timeoutMs": 50});
    let result = bench.call(call).await;
    assert_eq!(
        (code(&result), result.effect),
        ("BROWSER_TIMEOUT", Effect::Unverifiable)
    );
    assert!(
        result.state.is_some() && result.text().contains("| saved"),
        "{}",
        result.text()
    );
}

#[tokio::test(start_paused = true)]
async fn a_browser_that_is_gone_is_opened_again_and_old_states_are_stale() {
    let bench = Bench::opened().await;
    let id = bench.session.newest().await.unwrap();
    bench.browser.kill();
    let call = json!({"action": "click", "selector": "#save", "stateId": id});
    let result = bench.raw(&call).await;
    assert_eq!(code(&result), "STALE_BROWSER_STATE");
    assert_eq!(bench.browser.opened(), 2);
    assert!(
        result.text().contains("url \"about:blank\""),
        "{}",
        result.text()
    );
    assert!(bench.browser.hits().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_session_opens_on_demand_and_ends_once() {
    let bench = Bench::with(|_| {});
    let result = bench
        .raw(&json!({"action": "wait", "waitFor": "idle"}))
        .await;
    assert_eq!(
        (code(&result), bench.browser.opened()),
        ("BROWSER_NOT_OPEN", 0)
    );
    let result = bench.raw(&json!({"action": "click", "ref": "e1"})).await;
    assert_eq!(code(&result), "BROWSER_ACTION_INVALID");
    let result = bench.raw(&json!({"action": "observe"})).await;
    assert!(result.ok && bench.browser.opened() == 1);
    let unknown = result
        .state_id()
        .unwrap()
        .to_string()
        .replace(['1', '2', '3'], "0");
    let call = json!({"action": "reload", "stateId": unknown});
    assert_eq!(code(&bench.raw(&call).await), "STALE_BROWSER_STATE");
    assert!(bench.raw(&json!({"action": "close"})).await.ok);
    let result = bench.raw(&json!({"action": "observe"})).await;
    assert_eq!(
        (code(&result), bench.browser.opened()),
        ("BROWSER_SESSION_CLOSED", 1)
    );
}

#[tokio::test(start_paused = true)]
async fn a_script_runs_on_the_newest_states() {
    let bench = Bench::with(|_| {});
    let cancel = CancellationToken::new();
    for call in [
        json!({"action": "open", "url": HOME}),
        json!({"action": "click", "selector": "#save"}),
        json!({"action": "type", "selector": "#name", "value": "Ada"}),
    ] {
        let result = bench.session.run_newest(request(&call), &cancel).await;
        assert!(result.ok, "{}", result.text());
    }
    let bare = request(&json!({"action": "click", "selector": "#save"}));
    let result = bench.session.run(bare, &cancel).await;
    assert_eq!(code(&result), "BROWSER_STATE_MISSING");
    // A caller that gives up drops the call; the next one is served.
    bench.browser.hang_next();
    let call = request(&json!({"action": "reload"}));
    let dropped = bench.session.run_newest(call, &cancel);
    assert!(
        tokio::time::timeout(Duration::from_millis(5), dropped)
            .await
            .is_err()
    );
    assert!(bench.raw(&json!({"action": "observe"})).await.ok);
}
