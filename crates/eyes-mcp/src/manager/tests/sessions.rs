//! What a session's model is told and can reach.

use super::*;
use crate::{
    codes::{MCP_CONTENT_INPUT_INVALID, MCP_TOOL_NOT_ALLOWED, MCP_TOOL_UNAVAILABLE},
    exposure::{CAPABILITY_CALL, CAPABILITY_SEARCH},
    testing::Script,
};

fn names(session: &McpSession) -> Vec<&str> {
    let definitions = session.definitions().iter();
    definitions
        .map(|definition| definition.name.as_str())
        .collect()
}

fn text(answer: SessionAnswer) -> String {
    match answer {
        SessionAnswer::Outcome(outcome) => outcome.result.model_text(),
        SessionAnswer::Told(value) => value.to_string(),
        SessionAnswer::Found(blocks) => Value::Array(blocks).to_string(),
    }
}

/// Weak spot W13 of the specification: of many tools none is out of reach.
#[tokio::test(start_paused = true)]
async fn w13_every_allowed_tool_of_a_large_catalogue_can_be_found_and_called() {
    let tools: Vec<String> = (0..200).map(|n| format!("report_{n:03}_export")).collect();
    let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
    let scripted = scripted(&tools);
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    let session = world.manager.session(SessionOptions::default());
    assert_eq!(
        names(&session),
        [
            "capability_search",
            "capability_describe",
            "capability_call"
        ]
    );
    assert!(session.index().is_some());
    let found = session
        .call(call(
            CAPABILITY_SEARCH,
            json!({"query": "report_173_export"}),
        ))
        .await
        .unwrap();
    assert!(text(found).contains("mcp__a__report_173_export"));
    for n in [0, 99, 199] {
        let name = format!("mcp__a__report_{n:03}_export");
        let arguments = json!({"name": name, "arguments": {"x": n}});
        let answer = session
            .call(call(CAPABILITY_CALL, arguments))
            .await
            .unwrap();
        assert!(matches!(answer, SessionAnswer::Outcome(_)));
    }
    assert_eq!(called(&scripted).len(), 3);
    let row = world.manager.snapshot().summary;
    assert_eq!((row.exposed_tools, row.exposed_schemas), (200, 3));
}

#[tokio::test(start_paused = true)]
async fn a_session_never_changes_and_searches_find_what_is_there() {
    let scripted = scripted(&["one"]);
    let mut settings = config(&[server("a")]);
    settings.exposure = ExposureMode::Catalog;
    let world = World::new(settings, &[("a", &scripted)]);
    world.start().await;
    let session = world.manager.session(SessionOptions::default());
    let (digest, index) = (
        session.exposure().digest,
        session.index().map(str::to_owned),
    );
    scripted.add_tool("later_arrival");
    world.manager.refresh(&"a".parse().unwrap()).await.unwrap();
    let found = session
        .call(call(CAPABILITY_SEARCH, json!({"query": "later arrival"})))
        .await
        .unwrap();
    assert!(text(found).contains("mcp__a__later_arrival"));
    assert_eq!(session.exposure().digest, digest);
    assert_eq!(session.index().map(str::to_owned), index);
    assert_ne!(
        world
            .manager
            .session(SessionOptions::default())
            .exposure()
            .digest,
        digest
    );
}

#[tokio::test(start_paused = true)]
async fn denied_tools_are_neither_told_found_nor_called() {
    let scripted = scripted(&["open", "hidden_tool"]);
    let mut guarded = server("a");
    guarded.tools.deny = vec!["hidden*".to_owned()];
    let mut settings = config(&[guarded]);
    settings.exposure = ExposureMode::Catalog;
    let world = World::new(settings, &[("a", &scripted)]);
    world.start().await;
    let session = world.manager.session(SessionOptions::default());
    assert!(!session.index().unwrap().contains("hidden"));
    let found = session.call(call(CAPABILITY_SEARCH, json!({"query": "hidden tool"})));
    assert!(!text(found.await.unwrap()).contains("hidden_tool"));
    let arguments = json!({"name": "mcp__a__hidden_tool", "arguments": {}});
    let error = session
        .call(call(CAPABILITY_CALL, arguments))
        .await
        .unwrap_err();
    assert_eq!(error.code, MCP_TOOL_UNAVAILABLE);
    let error = session
        .call(call("mcp__a__hidden_tool", json!({})))
        .await
        .unwrap_err();
    assert_eq!(error.code, MCP_TOOL_NOT_ALLOWED);
    assert!(called(&scripted).is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_tool_beyond_the_budgets_is_not_part_of_the_session() {
    let scripted = scripted(&["one", "two"]);
    let mut settings = config(&[server("a")]);
    settings.exposure = ExposureMode::Inline;
    settings.max_tools = Some(1);
    let world = World::new(settings, &[("a", &scripted)]);
    world.start().await;
    let session = world.manager.session(SessionOptions::default());
    assert_eq!(names(&session), ["mcp__a__one"]);
    let error = session
        .call(call("mcp__a__two", json!({})))
        .await
        .unwrap_err();
    assert_eq!(error.code, MCP_TOOL_NOT_ALLOWED);
    let row = world.manager.snapshot().servers[0].tools.remove(1);
    assert_eq!(
        (row.exposed, row.blocked_reason),
        (false, Some("max-tools"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_changed_definition_is_told_before_it_is_called() {
    let scripted = scripted(&[]);
    scripted.set_tools(vec![tool("t", json!({"type": "object"}))]);
    let open = ServerConfig {
        approval: Approval::Never,
        ..server("a")
    };
    let world = World::new(config(&[open]), &[("a", &scripted)]);
    world.start().await;
    let session = world.manager.session(SessionOptions::default());
    assert_eq!(names(&session), ["mcp__a__t"]);
    let schema = json!({"type": "object", "properties": {"fresh": {"type": "string"}}});
    scripted.set_tools(vec![tool("t", schema)]);
    world.manager.refresh(&"a".parse().unwrap()).await.unwrap();
    let told = text(session.call(call("mcp__a__t", json!({}))).await.unwrap());
    assert!(
        told.contains("\"called\":false") && told.contains("fresh"),
        "{told}"
    );
    assert!(called(&scripted).is_empty());
    let answer = session.call(call("mcp__a__t", json!({}))).await.unwrap();
    assert!(matches!(answer, SessionAnswer::Outcome(_)));
}

#[tokio::test(start_paused = true)]
async fn resources_and_prompts_have_a_tool_each_while_something_is_allowed() {
    let scripted = scripted(&["one"]);
    scripted.add_resource("memo://one", "the first memo");
    let mut settings = server("a");
    settings.planes.resources = true;
    settings.planes.prompts = true;
    let world = World::new(config(&[settings]), &[("a", &scripted)]);
    world.start().await;
    let session = world.manager.session(SessionOptions::default());
    assert_eq!(names(&session), ["mcp__a__one", RESOURCE_TOOL]);
    assert_eq!(world.manager.snapshot().summary.exposed_content_tools, 1);
    let read = json!({"serverId": "a", "uri": "memo://one"});
    let answer = session.call(call(RESOURCE_TOOL, read)).await.unwrap();
    assert!(text(answer).contains("the first memo"));
    for wrong in [
        json!({"serverId": "a"}),
        json!({"serverId": "a", "uri": ""}),
        json!({"serverId": "a", "uri": 1}),
        json!({"serverId": "a", "uri": "memo://one", "more": 1}),
    ] {
        let error = session.call(call(RESOURCE_TOOL, wrong)).await.unwrap_err();
        assert_eq!(error.code, MCP_CONTENT_INPUT_INVALID);
    }
    let error = session.call(call(PROMPT_TOOL, json!({"name": "x"}))).await;
    assert_eq!(error.unwrap_err().code, MCP_CONTENT_INPUT_INVALID);
}

/// Weak spot W20 of the specification: a change makes only what it touches anew.
#[tokio::test(start_paused = true)]
async fn w20_a_change_re_does_only_what_changed() {
    let (one, two) = (scripted(&["tool"]), scripted(&["tool"]));
    let servers = [server("one"), server("two")];
    let world = World::new(config(&servers), &[("one", &one), ("two", &two)]);
    world.start().await;
    let standard = || {
        let state = world.manager.inner.state();
        let exposures = &world.manager.inner.exposures;
        exposures.standard(&state.config, &state.views())
    };
    let made = || world.manager.inner.exposures.made();
    let before = standard();
    assert_eq!(made(), 2);
    assert!(
        Arc::ptr_eq(&before, &standard()),
        "nothing changed, nothing is made"
    );
    let [first, second] = ["one", "two"].map(|id| Arc::clone(&world.view(id).tools));

    two.add_tool("more");
    world
        .manager
        .refresh(&"two".parse().unwrap())
        .await
        .unwrap();
    let after = standard();
    assert!(!Arc::ptr_eq(&before, &after));
    assert_eq!(made(), 1, "only what is new is estimated");
    assert!(
        Arc::ptr_eq(&first, &world.view("one").tools),
        "not admitted again"
    );
    assert!(!Arc::ptr_eq(&second, &world.view("two").tools));

    // The same list read again is no change.
    one.script("tools/list", Script::usual());
    world
        .manager
        .refresh(&"one".parse().unwrap())
        .await
        .unwrap();
    assert!(Arc::ptr_eq(&after, &standard()));
}
