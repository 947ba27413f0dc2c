//! The guarded path of a call, refusal by refusal.

use eyes_usage::category::Counter;
use tokio::time::sleep;

use super::*;
use crate::{
    call::RunHandle,
    codes::{
        MCP_CONNECTION_UNHEALTHY, MCP_EXTERNAL_CALL_LIMIT_REACHED, MCP_REQUEST_TIMEOUT,
        MCP_TOOL_ARGUMENTS_INVALID, MCP_TOOL_CALL_FAILED, MCP_TOOL_NOT_ALLOWED,
        MCP_TOOL_NOT_APPROVED, MCP_TOOL_RISK_BLOCKED, MCP_TOOL_UNAVAILABLE,
    },
    ports::{Progress, ProgressSink},
    testing::Script,
};

async fn one(tools: Vec<Value>, config: McpConfig) -> (World, ScriptedServer) {
    let scripted = ScriptedServer::new("a");
    scripted.set_tools(tools);
    let world = World::new(config, &[("a", &scripted)]);
    world.start().await;
    (world, scripted)
}

/// A read-only server with a tool that reads, one that writes and one that is denied; a run has one call.
async fn guarded() -> (World, ScriptedServer) {
    let schema = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
    });
    let mut read = tool("read", schema.clone());
    read["annotations"] = json!({"readOnlyHint": true});
    let mut guarded = server("a");
    guarded.risk_policy = RiskPolicy::ReadOnly;
    guarded.tools.deny = vec!["secret".to_owned()];
    let mut secret = read.clone();
    secret["name"] = json!("secret");
    let tools = vec![read, tool("write", schema), secret];
    let mut settings = config(&[guarded]);
    settings.max_calls_per_run = Some(1);
    one(tools, settings).await
}

#[tokio::test(start_paused = true)]
async fn refusals_come_in_order_and_all_of_them_are_audited() {
    let (world, scripted) = guarded().await;
    let run = RunHandle::default();
    let cases = [
        ("mcp__a__missing", json!({}), Some(MCP_TOOL_UNAVAILABLE)),
        (
            "mcp__a__write",
            json!({"n": 1}),
            Some(MCP_TOOL_RISK_BLOCKED),
        ),
        (
            "mcp__a__secret",
            json!({"n": 1}),
            Some(MCP_TOOL_NOT_ALLOWED),
        ),
        (
            "mcp__a__read",
            json!({"n": "x"}),
            Some(MCP_TOOL_ARGUMENTS_INVALID),
        ),
        ("mcp__a__read", json!({"n": 1}), None),
        (
            "mcp__a__read",
            json!({"n": 2}),
            Some(MCP_EXTERNAL_CALL_LIMIT_REACHED),
        ),
    ];
    for (name, arguments, expected) in cases {
        let call = ToolCall {
            run: Some(run.clone()),
            ..call(name, arguments)
        };
        let code = world.manager.call_tool(call).await.err().map(|e| e.code);
        assert_eq!(code, expected, "{name}");
    }
    assert_eq!(called(&scripted), ["read"], "nothing of the others left");
    assert_eq!(
        world.outcomes(),
        [
            "refused MCP_TOOL_UNAVAILABLE",
            "refused MCP_TOOL_RISK_BLOCKED",
            "refused MCP_TOOL_NOT_ALLOWED",
            "refused MCP_TOOL_ARGUMENTS_INVALID",
            "ok",
            "refused MCP_EXTERNAL_CALL_LIMIT_REACHED",
        ]
    );
    let usage = world.usage.state();
    let counters = usage.total().counters().clone();
    let count = |counter| counters.get(&counter).copied().unwrap_or(0);
    assert_eq!(count(Counter::McpExternalCalls), 1);
    assert_eq!(count(Counter::McpLimitStops), 1);
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_calls_its_result_an_error_is_an_outcome_with_content() {
    let (world, scripted) = one(
        vec![tool("t", json!({"type": "object"}))],
        config(&[server("a")]),
    )
    .await;
    let result = json!({"isError": true, "content": [{"type": "text", "text": "no such file"}]});
    scripted.script("t", Script::result(result));
    let outcome = world
        .manager
        .call_tool(call("mcp__a__t", json!({})))
        .await
        .unwrap();
    assert!(outcome.is_error);
    assert!(outcome.result.preview.contains("no such file"));
    assert_eq!(world.outcomes(), ["error MCP_TOOL_CALL_FAILED"]);
}

#[tokio::test(start_paused = true)]
async fn usage_says_which_session_a_call_was_of() {
    let (world, _scripted) = one(
        vec![tool("t", json!({"type": "object"}))],
        config(&[server("a")]),
    )
    .await;
    let run = world.manager.begin_run();
    let of_run = ToolCall {
        run: Some(run.clone()),
        ..call("mcp__a__t", json!({}))
    };
    world.manager.call_tool(of_run).await.unwrap();
    let usage = world.usage.state();
    let of_session = usage
        .sessions()
        .into_iter()
        .find(|of| Some(of.session) == run.session())
        .unwrap();
    let counters = of_session.days[0].1.counters();
    assert_eq!(counters.get(&Counter::McpExternalCalls), Some(&1));
}

#[tokio::test(start_paused = true)]
async fn a_failed_call_is_never_made_again() {
    let (world, scripted) = one(
        vec![tool("t", json!({"type": "object"}))],
        config(&[server("a")]),
    )
    .await;
    let run = RunHandle::default();
    let of_run = || ToolCall {
        run: Some(run.clone()),
        ..call("mcp__a__t", json!({}))
    };
    scripted.script("t", Script::rpc_error(-32_000, "broken"));
    let error = world.manager.call_tool(of_run()).await.unwrap_err();
    assert_eq!(
        (error.code, error.rpc_code),
        (MCP_TOOL_CALL_FAILED, Some(-32_000))
    );
    assert!(error.message.contains("mcp__a__t failed: broken"));
    scripted.script("t", Script::never());
    let error = world.manager.call_tool(of_run()).await.unwrap_err();
    assert_eq!(error.code, MCP_REQUEST_TIMEOUT);
    scripted.script("t", Script::close("crashed"));
    let error = world.manager.call_tool(of_run()).await.unwrap_err();
    assert_eq!(error.code, MCP_CONNECTION_UNHEALTHY);
    assert!(error.sent);
    assert_eq!(called(&scripted).len(), 3);
    assert_eq!(run.calls(), 3, "what left counts, whatever came of it");
}

#[derive(Debug, Default)]
struct Heard(AtomicUsize);

impl ProgressSink for Heard {
    fn progress(&self, _progress: Progress) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[tokio::test(start_paused = true)]
async fn progress_is_heard_and_lengthens_the_wait() {
    let (world, scripted) = one(
        vec![tool("t", json!({"type": "object"}))],
        config(&[server("a")]),
    )
    .await;
    let step = Progress {
        progress: 1.0,
        total: None,
        message: None,
    };
    let mut script = Script::usual().after(20 * SECOND);
    for _ in 0..3 {
        script = script.progress(20 * SECOND, step.clone());
    }
    scripted.script("t", script);
    let heard = Arc::new(Heard::default());
    let slow = ToolCall {
        progress: Some(Arc::clone(&heard) as Arc<dyn ProgressSink>),
        ..call("mcp__a__t", json!({}))
    };
    assert!(
        world.manager.call_tool(slow).await.is_ok(),
        "80 s under a wait of 30 s"
    );
    assert_eq!(heard.0.load(Ordering::Relaxed), 3);
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_is_cancelled_counted_and_audited() {
    let (world, scripted) = one(
        vec![tool("t", json!({"type": "object"}))],
        config(&[server("a")]),
    )
    .await;
    scripted.script("t", Script::never());
    let run = RunHandle::default();
    let slow = ToolCall {
        run: Some(run.clone()),
        ..call("mcp__a__t", json!({}))
    };
    let stopped = tokio::time::timeout(SECOND, world.manager.call_tool(slow)).await;
    assert!(stopped.is_err());
    assert_eq!(scripted.cancelled().len(), 1);
    assert_eq!(run.calls(), 1);
    assert_eq!(world.outcomes(), ["error MCP_REQUEST_CLOSED"]);
}

#[tokio::test(start_paused = true)]
async fn somebody_may_say_no_and_only_a_yes_sends() {
    let refusals = [
        Ok(false),
        Err(McpError::new(MCP_TOOL_CALL_FAILED, "the dialog is broken")),
    ];
    for answer in refusals {
        let scripted = scripted(&["t"]);
        let says = Says::new(answer, Duration::ZERO);
        let authorizer = Arc::clone(&says) as Arc<dyn CallAuthorizer>;
        let world = World::with(
            config(&[server("a")]),
            &[("a", &scripted)],
            Some(authorizer),
        );
        world.start().await;
        let error = world
            .manager
            .call_tool(call("mcp__a__t", json!({})))
            .await
            .unwrap_err();
        assert_eq!(error.code, MCP_TOOL_NOT_APPROVED);
        assert!(called(&scripted).is_empty());
        assert_eq!(*says.asked.lock().unwrap(), ["a t"]);
    }
}

#[tokio::test(start_paused = true)]
async fn policy_and_definitions_are_looked_at_again_after_every_wait() {
    // What happens while somebody is asked, and what becomes of the call.
    type Meanwhile = fn(&World, &ScriptedServer);
    let cases: [(&str, Meanwhile, _); 3] = [
        ("nothing", |_, _| {}, None),
        (
            "the server ends",
            |_, scripted| {
                scripted.script_connect(Script::never());
                scripted.hang_up("gone");
            },
            Some(MCP_TOOL_UNAVAILABLE),
        ),
        (
            "the definition changes",
            |_, scripted| {
                let schema = json!({"type": "object", "properties": {"x": {"type": "string"}}});
                scripted.set_tools(vec![tool("t", schema)]);
                scripted.emit(&crate::ports::ConnectionEvent::ToolsChanged);
            },
            Some(MCP_TOOL_UNAVAILABLE),
        ),
    ];
    for (what, meanwhile, expected) in cases {
        let scripted = scripted(&["t"]);
        let says = Says::new(Ok(true), 10 * SECOND);
        let world = World::with(config(&[server("a")]), &[("a", &scripted)], Some(says));
        world.start().await;
        let (outcome, ()) = tokio::join!(
            world.manager.call_tool(call("mcp__a__t", json!({}))),
            async {
                sleep(SECOND).await;
                meanwhile(&world, &scripted);
            }
        );
        assert_eq!(outcome.err().map(|error| error.code), expected, "{what}");
        assert_eq!(
            called(&scripted).len(),
            usize::from(expected.is_none()),
            "{what}"
        );
    }

    let scripted = scripted(&["t"]);
    let says = Says::new(Ok(true), 10 * SECOND);
    let world = World::with(config(&[server("a")]), &[("a", &scripted)], Some(says));
    world.start().await;
    let mut denied = server("a");
    denied.tools.allow = vec!["other".to_owned()];
    let (outcome, ()) = tokio::join!(
        world.manager.call_tool(call("mcp__a__t", json!({}))),
        async {
            sleep(SECOND).await;
            world.manager.reconfigure(config(&[denied])).await;
        }
    );
    assert_eq!(outcome.unwrap_err().code, MCP_TOOL_NOT_ALLOWED);
    assert!(called(&scripted).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_close_in_the_middle_of_a_call_ends_it_and_a_call_in_the_middle_of_a_close_is_refused() {
    let (world, scripted) = one(
        vec![tool("t", json!({"type": "object"}))],
        config(&[server("a")]),
    )
    .await;
    scripted.script("t", Script::never());
    let (outcome, kept) = tokio::join!(
        world.manager.call_tool(call("mcp__a__t", json!({}))),
        async {
            sleep(SECOND).await;
            world.manager.stop().await
        }
    );
    assert_eq!(outcome.unwrap_err().code, MCP_CONNECTION_UNHEALTHY);
    assert_eq!(kept, []);
    let late = world.manager.call_tool(call("mcp__a__t", json!({}))).await;
    assert_eq!(late.unwrap_err().code, MCP_TOOL_UNAVAILABLE);
    assert_eq!(called(&scripted).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn structured_content_that_breaks_its_promise_is_kept_and_noted() {
    let mut promised = tool("t", json!({"type": "object"}));
    promised["outputSchema"] = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
    });
    let (world, scripted) = one(vec![promised], config(&[server("a")])).await;
    let answers = [
        (json!({"structuredContent": {"n": 1}, "content": []}), None),
        (
            json!({"structuredContent": {"n": "x"}, "content": []}),
            Some("/n"),
        ),
        (json!({"content": []}), Some("gave none")),
    ];
    for (answer, note) in answers {
        scripted.script("t", Script::result(answer));
        let outcome = world
            .manager
            .call_tool(call("mcp__a__t", json!({})))
            .await
            .unwrap();
        let notes = outcome.result.notes.join("\n");
        match note {
            None => assert_eq!(notes, ""),
            Some(note) => assert!(notes.contains(note), "{notes}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_changed_tool_waits_until_it_is_approved() {
    let (world, scripted) = one(
        vec![tool("t", json!({"type": "object"}))],
        config(&[server("a")]),
    )
    .await;
    let id = "a".parse().unwrap();
    scripted.set_tools(vec![tool("t", json!({"type": "object", "title": "new"}))]);
    world.manager.refresh(&id).await.unwrap();
    let refused = world.manager.call_tool(call("mcp__a__t", json!({}))).await;
    assert_eq!(refused.unwrap_err().code, MCP_TOOL_NOT_APPROVED);
    let row = world.manager.snapshot().servers[0].tools.remove(0);
    assert_eq!((row.allowed, row.blocked_reason), (false, Some("changed")));
    let approved = world.pins.update(&id, &mut |pins| pins.approve("t", None));
    approved.unwrap();
    world.manager.pins_changed(&id).await.unwrap();
    assert!(
        world
            .manager
            .call_tool(call("mcp__a__t", json!({})))
            .await
            .is_ok()
    );
}
