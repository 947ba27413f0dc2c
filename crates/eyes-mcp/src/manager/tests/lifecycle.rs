//! Start, stop, reconnection and changes of settings.

use tokio::time::{Instant, sleep, timeout};

use super::*;
use crate::{
    codes::{
        MCP_CONNECT_FAILED, MCP_CREDENTIAL_MISSING, MCP_SERVER_DISABLED, MCP_SERVER_UNKNOWN,
        MCP_TOOL_UNAVAILABLE,
    },
    limits::{CLOSE_RETRY, CRASH_ENDS, LIST_QUIET, PING_INTERVAL, PING_RETRY, PING_TIMEOUT},
    ports::{Capability, ConnectionEvent},
    testing::Script,
};

fn failure() -> McpError {
    McpError::new(MCP_CONNECT_FAILED, "nobody there")
}

/// Waits for a condition; the paused clock runs on by itself.
async fn until(mut condition: impl FnMut() -> bool) {
    let waited = timeout(3_600 * SECOND, async {
        while !condition() {
            sleep(Duration::from_millis(10)).await;
        }
    });
    waited.await.expect("it becomes so within an hour");
}

#[tokio::test(start_paused = true)]
async fn servers_start_side_by_side_and_a_failure_stays_with_its_own() {
    let (good, bad, slow) = (scripted(&["one"]), scripted(&[]), scripted(&["two"]));
    bad.script_connect(Script::failure(failure()));
    slow.script_connect(Script::usual().after(20 * SECOND));
    let servers = [server("good"), server("bad"), server("slow")];
    let world = World::new(
        config(&servers),
        &[("good", &good), ("bad", &bad), ("slow", &slow)],
    );
    assert_eq!(world.status("good"), ServerStatus::Idle);
    let began = Instant::now();
    world.manager.start().await;
    until(|| world.status("good") == ServerStatus::Connected).await;
    assert!(began.elapsed() < SECOND, "a slow server delays nobody");
    assert_eq!(world.status("slow"), ServerStatus::Connecting);
    let outcome = world.manager.call_tool(call("mcp__good__one", json!({})));
    assert!(!outcome.await.unwrap().is_error);
    assert!(began.elapsed() < SECOND);
    until(|| bad.attempts() > 1).await;
    until(|| world.status("slow") == ServerStatus::Connected).await;
    until(|| world.status("bad") == ServerStatus::Connected).await;
}

#[tokio::test(start_paused = true)]
async fn management_of_one_server_waits_for_no_other() {
    let (quick, stuck) = (scripted(&["one"]), scripted(&["two"]));
    stuck.script_connect(Script::never());
    let servers = [server("quick"), server("stuck")];
    let world = World::new(config(&servers), &[("quick", &quick), ("stuck", &stuck)]);
    let began = Instant::now();
    world.manager.start().await;
    let report = world
        .manager
        .reconnect(&"quick".parse().unwrap())
        .await
        .unwrap();
    assert!(report.ok);
    let report = world.manager.test(&"quick".parse().unwrap()).await.unwrap();
    assert_eq!((report.ok, report.tool_count), (true, 1));
    let snapshot = world.manager.snapshot();
    assert_eq!(snapshot.servers[1].status, ServerStatus::Connecting);
    let mut other = config(&servers);
    other.max_result_chars = 300;
    world.manager.reconfigure(other).await;
    assert_eq!(world.manager.stop().await, []);
    assert!(began.elapsed() < SECOND, "{:?}", began.elapsed());
    assert_eq!((quick.connections(), stuck.connections()), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn ids_that_are_unknown_or_off_are_named() {
    let off = ServerConfig {
        enabled: false,
        ..server("off")
    };
    let scripted = scripted(&["one"]);
    let world = World::new(config(&[off]), &[("off", &scripted)]);
    world.start().await;
    assert_eq!(world.status("off"), ServerStatus::Disabled);
    assert_eq!(scripted.attempts(), 0);
    let unknown = world.manager.test(&"other".parse().unwrap()).await;
    assert_eq!(unknown.unwrap_err().code, MCP_SERVER_UNKNOWN);
    let off = world.manager.reconnect(&"off".parse().unwrap()).await;
    assert_eq!(off.unwrap_err().code, MCP_SERVER_DISABLED);

    let mut all_off = config(&[server("off")]);
    all_off.enabled = false;
    world.manager.reconfigure(all_off).await;
    assert_eq!(world.status("off"), ServerStatus::Disabled);
    assert_eq!(scripted.attempts(), 0);
}

#[tokio::test(start_paused = true)]
async fn what_no_time_mends_waits_for_a_person() {
    let scripted = scripted(&["one"]);
    let missing = McpError::new(
        MCP_CREDENTIAL_MISSING,
        "env.TOKEN: the variable T is not set",
    );
    scripted.script_connect(Script::failure(missing));
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    sleep(600 * SECOND).await;
    assert_eq!(scripted.attempts(), 1);
    assert_eq!(world.status("a"), ServerStatus::Error);
    let error = world.manager.snapshot().servers[0].last_error.clone();
    assert_eq!(error.unwrap().code, "MCP_CREDENTIAL_MISSING");
    let report = world.manager.reconnect(&"a".parse().unwrap()).await;
    assert!(report.unwrap().ok);
}

/// Weak spot W6 of the specification: health is asked on the connection that is used, and a dead one is made anew.
#[tokio::test(start_paused = true)]
async fn w6_health_is_that_of_the_connection_in_use() {
    let scripted = scripted(&["one"]);
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    scripted.script_connect(Script::usual().after(20 * SECOND));
    scripted.hang_up("killed");
    until(|| world.status("a") != ServerStatus::Connected).await;
    world.manager.check_health().await;
    let row = &world.manager.snapshot().servers[0];
    assert!(!row.healthy);
    assert_eq!(scripted.connections(), 0);
    let refused = world
        .manager
        .call_tool(call("mcp__a__one", json!({})))
        .await;
    assert_eq!(refused.unwrap_err().code, MCP_TOOL_UNAVAILABLE);
    until(|| world.status("a") == ServerStatus::Connected).await;
    let attempts = scripted.attempts();
    for _ in 0..20 {
        world.manager.check_health().await;
    }
    assert_eq!(
        scripted.attempts(),
        attempts,
        "no connection only for health"
    );
    assert_eq!(scripted.connections(), 1);
    let pings = pings(&scripted);
    assert_eq!(
        pings, 0,
        "what gave a sign of life just now is not asked again"
    );
}

fn pings(server: &ScriptedServer) -> usize {
    let requests = server.requests();
    let pings = requests
        .iter()
        .filter(|request| **request == McpRequest::Ping);
    pings.count()
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_does_not_answer_is_degraded_then_made_anew() {
    let scripted = scripted(&["one"]);
    for _ in 0..2 {
        scripted.script("ping", Script::never());
    }
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    sleep(PING_INTERVAL + PING_TIMEOUT + SECOND).await;
    assert_eq!(world.status("a"), ServerStatus::Degraded);
    sleep(PING_RETRY + PING_TIMEOUT).await;
    until(|| world.status("a") == ServerStatus::Connected).await;
    assert_eq!((scripted.attempts(), scripted.connections()), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_refuses_pings_lives_and_several_ask_once() {
    let scripted = scripted(&["one"]);
    scripted.script(
        "ping",
        Script::rpc_error(-32_601, "no such method").after(SECOND),
    );
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    let id = "a".parse().unwrap();
    let (one, two) = tokio::join!(world.manager.test(&id), world.manager.test(&id));
    assert!(one.unwrap().ok && two.unwrap().ok);
    assert_eq!(pings(&scripted), 1);
}

#[tokio::test(start_paused = true)]
async fn a_crash_loop_is_left_alone() {
    let scripted = scripted(&["one"]);
    for _ in 0..100 {
        scripted.script("tools/list", Script::close("crashed"));
    }
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.manager.start().await;
    until(|| world.status("a") == ServerStatus::Error).await;
    assert_eq!(scripted.attempts(), CRASH_ENDS);
    sleep(120 * SECOND).await;
    assert_eq!(scripted.attempts(), CRASH_ENDS, "it is left alone");
    drop(world.manager.reconnect(&"a".parse().unwrap()).await);
    assert_eq!(scripted.attempts(), CRASH_ENDS + 1, "a person may try");
    assert_eq!(world.manager.stop().await, []);
}

/// Section 17.3 of the specification.
#[tokio::test(start_paused = true)]
async fn a_failed_close_keeps_the_handle_and_comes_before_anything_new() {
    let scripted = scripted(&["one"]);
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    world.loopback.failing_closes.store(2, Ordering::Release);
    let report = world
        .manager
        .reconnect(&"a".parse().unwrap())
        .await
        .unwrap();
    assert_eq!(report.status, ServerStatus::CleanupFailed);
    let rows = world.manager.snapshot().cleanup_errors;
    assert_eq!(rows.len(), 1);
    assert_eq!(
        (rows[0].server_id.as_str(), rows[0].phase),
        ("a", "runtime")
    );
    assert_eq!(rows[0].error.code, "MCP_ADAPTER_CLOSE_FAILED");
    let refused = world
        .manager
        .call_tool(call("mcp__a__one", json!({})))
        .await;
    assert_eq!(refused.unwrap_err().code, MCP_TOOL_UNAVAILABLE);

    let report = world
        .manager
        .reconnect(&"a".parse().unwrap())
        .await
        .unwrap();
    assert_eq!(report.status, ServerStatus::CleanupFailed);
    assert_eq!(world.manager.snapshot().cleanup_errors[0].phase, "retry");
    assert_eq!(scripted.attempts(), 1, "nothing new beside what is kept");
    sleep(CLOSE_RETRY + SECOND).await;
    assert_eq!(world.status("a"), ServerStatus::Connected);
    assert_eq!((scripted.attempts(), scripted.connections()), (2, 1));
    assert_eq!(world.manager.snapshot().cleanup_errors, []);
}

#[tokio::test(start_paused = true)]
async fn a_removed_server_whose_close_failed_is_not_forgotten() {
    let scripted = scripted(&["one"]);
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    world.loopback.failing_closes.store(1, Ordering::Release);
    world.manager.reconfigure(config(&[])).await;
    world.manager.settled().await;
    let snapshot = world.manager.snapshot();
    assert_eq!(
        (snapshot.servers.len(), snapshot.cleanup_errors.len()),
        (0, 1)
    );
    world.manager.reconfigure(config(&[server("a")])).await;
    world.manager.settled().await;
    assert_eq!(world.status("a"), ServerStatus::Connected);
    assert_eq!((scripted.attempts(), scripted.connections()), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn stop_tries_again_and_names_what_is_left() {
    let (one, two) = (scripted(&[]), scripted(&[]));
    let servers = [server("one"), server("two")];
    let world = World::new(config(&servers), &[("one", &one), ("two", &two)]);
    world.start().await;
    world.loopback.failing_closes.store(2, Ordering::Release);
    assert_eq!(world.manager.stop().await, []);
    assert_eq!((one.connections(), two.connections()), (0, 0));
    assert_eq!(world.manager.snapshot().summary.exposed_tools, 0);

    world.start().await;
    world.loopback.failing_closes.store(100, Ordering::Release);
    let kept = world.manager.stop().await;
    assert_eq!(kept.len(), 2);
    assert_eq!(world.status("one"), ServerStatus::CleanupFailed);
    drop(world);
    sleep(SECOND).await;
    assert_eq!(
        (one.connections(), two.connections()),
        (0, 0),
        "dropped with the last holder"
    );
}

#[tokio::test(start_paused = true)]
async fn reconfiguring_touches_only_what_changed() {
    let (same, policy, moved, gone, new) = (
        scripted(&["tool"]),
        scripted(&["read", "write"]),
        scripted(&["tool"]),
        scripted(&["tool"]),
        scripted(&["tool"]),
    );
    let names = ["same", "policy", "moved", "gone"];
    let world = World::new(
        config(&names.map(server)),
        &[
            ("same", &same),
            ("policy", &policy),
            ("moved", &moved),
            ("gone", &gone),
            ("new", &new),
        ],
    );
    world.start().await;
    let before = world.view("same");

    let mut denied = server("policy");
    denied.tools.deny = vec!["write".to_owned()];
    denied.name = "Another name".to_owned();
    let longer = ServerConfig {
        timeout: 40 * SECOND,
        ..server("moved")
    };
    let changed = config(&[server("same"), denied, longer, server("new")]);
    world.manager.reconfigure(changed).await;
    let tools = |id: &str| world.view(id).tools.allowed().len();
    assert_eq!(tools("policy"), 1, "policy applies at once");
    assert!(Arc::ptr_eq(&before.tools, &world.view("same").tools));
    assert_eq!(
        world.status("same"),
        ServerStatus::Connected,
        "never withdrawn"
    );
    world.manager.settled().await;
    for (server, attempts) in [(&same, 1), (&policy, 1), (&moved, 2), (&gone, 1), (&new, 1)] {
        assert_eq!(server.attempts(), attempts);
    }
    assert_eq!(gone.connections(), 0);
    let ids: Vec<String> = world
        .manager
        .snapshot()
        .servers
        .into_iter()
        .map(|row| row.id)
        .collect();
    assert_eq!(ids, ["same", "policy", "moved", "new"]);
}

#[tokio::test(start_paused = true)]
async fn two_reconfigures_at_once_apply_one_after_another() {
    let (one, two) = (scripted(&["tool"]), scripted(&["tool"]));
    let world = World::new(config(&[server("one")]), &[("one", &one), ("two", &two)]);
    world.start().await;
    let first = world.manager.reconfigure(config(&[server("two")]));
    let second = world
        .manager
        .reconfigure(config(&[server("one"), server("two")]));
    tokio::join!(first, second);
    world.manager.settled().await;
    assert_eq!(world.manager.snapshot().summary.connected_servers, 2);
    assert_eq!((one.connections(), two.connections()), (1, 1));
    assert_eq!(two.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_the_middle_of_connecting_leaves_nothing() {
    let scripted = scripted(&["one"]);
    scripted.script_connect(Script::usual().after(10 * SECOND));
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.manager.start().await;
    sleep(SECOND).await;
    assert_eq!(world.manager.stop().await, []);
    sleep(60 * SECOND).await;
    assert_eq!((scripted.attempts(), scripted.connections()), (1, 0));
    assert_eq!(world.status("a"), ServerStatus::Idle);
}

#[tokio::test(start_paused = true)]
async fn changed_lists_are_read_once_they_are_quiet() {
    let scripted = scripted(&["one"]);
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    let lists = || {
        let requests = scripted.requests();
        let lists = requests
            .iter()
            .filter(|request| matches!(request, McpRequest::ListTools { .. }));
        lists.count()
    };
    assert_eq!(lists(), 1);
    for name in ["two", "three", "four"] {
        scripted.add_tool(name);
        scripted.emit(&ConnectionEvent::ToolsChanged);
        sleep(Duration::from_millis(50)).await;
    }
    sleep(LIST_QUIET + SECOND).await;
    assert_eq!((lists(), world.view("a").tools.allowed().len()), (2, 4));
    scripted.emit(&ConnectionEvent::PromptsChanged);
    sleep(20 * SECOND).await;
    assert_eq!(
        lists(),
        2,
        "a list that is switched off is nobody's business"
    );
}

#[tokio::test(start_paused = true)]
async fn a_list_that_turned_empty_is_asked_for_again() {
    let scripted = scripted(&["one"]);
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    scripted.script("tools/list", Script::result(json!({"tools": []})));
    scripted.emit(&ConnectionEvent::ToolsChanged);
    until(|| world.status("a") == ServerStatus::Degraded).await;
    assert_eq!(world.view("a").tools.allowed().len(), 1, "not believed");
    until(|| world.status("a") == ServerStatus::Connected).await;
    assert_eq!(world.view("a").tools.allowed().len(), 1);

    scripted.set_tools(Vec::new());
    world.manager.refresh(&"a".parse().unwrap()).await.unwrap();
    until(|| world.status("a") == ServerStatus::Connected).await;
    assert_eq!(
        world.view("a").tools.allowed().len(),
        0,
        "believed the second time"
    );
}

#[tokio::test(start_paused = true)]
async fn what_is_not_offered_fails_alone() {
    let scripted = scripted(&["one"]);
    scripted.set_peer(PeerInfo {
        tools: Some(Capability::default()),
        ..PeerInfo::default()
    });
    let planes = Planes {
        tools: true,
        resources: true,
        prompts: true,
    };
    let all = ServerConfig {
        planes,
        ..server("a")
    };
    let world = World::new(config(&[all]), &[("a", &scripted)]);
    world.start().await;
    let row = world.manager.snapshot().servers.remove(0);
    assert_eq!(row.status, ServerStatus::Degraded);
    assert!(row.tools_healthy && !row.content_healthy);
    assert_eq!(
        row.content_last_error.unwrap().code,
        "MCP_RESOURCES_UNSUPPORTED"
    );
    let health = world.view("a").health.clone();
    assert_eq!(
        health.prompts_error.unwrap().code.as_str(),
        "MCP_PROMPTS_UNSUPPORTED"
    );
    let called = world
        .manager
        .call_tool(call("mcp__a__one", json!({})))
        .await;
    assert!(called.is_ok());

    let scripted = self::scripted(&[]);
    scripted.set_peer(PeerInfo::default());
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    let row = world.manager.snapshot().servers.remove(0);
    assert_eq!(row.status, ServerStatus::Error);
    assert_eq!(row.tools_last_error.unwrap().code, "MCP_TOOLS_UNSUPPORTED");
}

#[tokio::test(start_paused = true)]
async fn a_snapshot_has_the_published_names() {
    let scripted = scripted(&["one"]);
    scripted.set_stderr("ready");
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    drop(
        world
            .manager
            .call_tool(call("mcp__a__one", json!({})))
            .await,
    );
    let value = serde_json::to_value(world.manager.snapshot()).unwrap();
    assert_eq!(value["summary"]["connectedServers"], 1);
    assert_eq!(value["summary"]["exposedTools"], 1);
    assert_eq!(
        value["summary"]["schemaTokensEstimated"],
        value["summary"]["schemaTokenEstimate"]
    );
    assert_eq!(value["limits"]["maxExternalCallsPerRun"], 64);
    let row = &value["servers"][0];
    for (member, expected) in [
        ("transport", json!("stdio")),
        ("riskPolicy", json!("allow")),
        ("status", json!("connected")),
        ("toolsStatus", json!("connected")),
        ("contentStatus", json!("disabled")),
        ("toolCount", json!(1)),
    ] {
        assert_eq!(row[member], expected, "{member}");
    }
    let tool = &row["tools"][0];
    for (member, expected) in [
        ("name", json!("one")),
        ("publicName", json!("mcp__a__one")),
        ("allowed", json!(true)),
        ("exposed", json!(true)),
        ("risk", json!("unknown-write")),
        ("requiresApproval", json!(true)),
        ("riskPolicyAllowed", json!(true)),
    ] {
        assert_eq!(tool[member], expected, "{member}");
    }
    let audited = value["audit"].as_array().unwrap();
    let actions: Vec<&Value> = audited.iter().map(|event| &event["action"]).collect();
    assert_eq!(actions, ["connect", "one"]);
}
