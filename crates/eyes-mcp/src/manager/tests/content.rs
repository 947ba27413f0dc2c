//! Resources and prompts.

use tokio::time::sleep;

use super::*;
use crate::{
    codes::{
        MCP_CONTENT_UNAVAILABLE, MCP_PROMPT_ARGUMENT_REQUIRED, MCP_PROMPT_GET_FAILED,
        MCP_RESOURCE_NOT_ALLOWED, MCP_RESOURCE_READ_FAILED, MCP_RESOURCE_UNKNOWN,
        MCP_RESOURCES_DISABLED, MCP_SUBSCRIPTION_LIMIT, MCP_SUBSCRIPTION_UNSUPPORTED,
    },
    ports::ConnectionEvent,
    testing::Script,
};

fn content_server() -> (ServerConfig, ScriptedServer) {
    let scripted = scripted(&[]);
    scripted.add_resource("memo://one", "the first memo");
    scripted.add_resource("memo://secret", "not for you");
    let prompt = json!({
        "name": "greet",
        "arguments": [{"name": "who", "required": true}],
    });
    scripted.add_prompt(prompt, "say hello");
    let mut config = server("a");
    config.planes = Planes {
        tools: false,
        resources: true,
        prompts: true,
    };
    config.resources.deny = vec!["memo://secret".to_owned()];
    (config, scripted)
}

fn read(server: &str, uri: &str) -> ResourceRead {
    ResourceRead {
        server: server.to_owned(),
        uri: uri.to_owned(),
        ..ResourceRead::default()
    }
}

fn prompt(arguments: Value) -> PromptCall {
    PromptCall {
        server: "a".to_owned(),
        name: "greet".to_owned(),
        arguments: Some(arguments),
        ..PromptCall::default()
    }
}

#[tokio::test(start_paused = true)]
async fn resources_and_prompts_are_guarded_bounded_and_audited() {
    let (settings, scripted) = content_server();
    let world = World::new(config(&[settings]), &[("a", &scripted)]);
    world.start().await;
    let manager = &world.manager;
    let outcome = manager
        .read_resource(read("a", "memo://one"))
        .await
        .unwrap();
    assert!(outcome.result.preview.contains("the first memo"));
    for (server, uri, expected) in [
        ("b", "memo://one", MCP_CONTENT_UNAVAILABLE),
        ("not an id", "memo://one", MCP_CONTENT_UNAVAILABLE),
        ("a", "memo://two", MCP_RESOURCE_UNKNOWN),
        ("a", "memo://secret", MCP_RESOURCE_NOT_ALLOWED),
    ] {
        let error = manager.read_resource(read(server, uri)).await.unwrap_err();
        assert_eq!(error.code, expected, "{server} {uri}");
        assert!(!error.sent);
    }
    scripted.script("resources/read", Script::rpc_error(-32_002, "gone"));
    let error = manager
        .read_resource(read("a", "memo://one"))
        .await
        .unwrap_err();
    assert_eq!(error.code, MCP_RESOURCE_READ_FAILED);

    let outcome = manager
        .get_prompt(prompt(json!({"who": "me"})))
        .await
        .unwrap();
    assert!(outcome.result.preview.contains("say hello"));
    let error = manager.get_prompt(prompt(json!({}))).await.unwrap_err();
    assert_eq!(error.code, MCP_PROMPT_ARGUMENT_REQUIRED);
    scripted.script("prompts/get", Script::rpc_error(-32_603, "no"));
    let error = manager
        .get_prompt(prompt(json!({"who": "me"})))
        .await
        .unwrap_err();
    assert_eq!(error.code, MCP_PROMPT_GET_FAILED);
    assert_eq!(world.audit().len(), 9);
    let text = serde_json::to_string(&world.audit()).unwrap();
    assert!(!text.contains("memo://"), "addresses are not recorded");
}

#[tokio::test(start_paused = true)]
async fn resources_that_are_off_are_not_read() {
    let scripted = scripted(&["t"]);
    let world = World::new(config(&[server("a")]), &[("a", &scripted)]);
    world.start().await;
    let error = world.manager.read_resource(read("a", "memo://one")).await;
    assert_eq!(error.unwrap_err().code, MCP_RESOURCES_DISABLED);
}

#[tokio::test(start_paused = true)]
async fn a_policy_change_while_somebody_is_asked_stops_the_read() {
    let (settings, scripted) = content_server();
    let says = Says::new(Ok(true), 10 * SECOND);
    let world = World::with(
        config(std::slice::from_ref(&settings)),
        &[("a", &scripted)],
        Some(says),
    );
    world.start().await;
    let mut denied = settings;
    denied.resources.deny.push("memo://one".to_owned());
    let (outcome, ()) = tokio::join!(
        world.manager.read_resource(read("a", "memo://one")),
        async {
            sleep(SECOND).await;
            world.manager.reconfigure(config(&[denied])).await;
        }
    );
    assert_eq!(outcome.unwrap_err().code, MCP_RESOURCE_NOT_ALLOWED);
}

#[tokio::test(start_paused = true)]
async fn subscriptions_last_over_connections_and_only_what_was_asked_for_is_told() {
    let (settings, scripted) = content_server();
    let world = World::new(config(&[settings]), &[("a", &scripted)]);
    world.start().await;
    let mut updates = world.manager.resource_updates();
    let update = |uri: &str| ConnectionEvent::ResourceUpdated {
        uri: uri.to_owned(),
    };
    let denied = world.manager.subscribe("a", "memo://secret").await;
    assert_eq!(denied.unwrap_err().code, MCP_RESOURCE_NOT_ALLOWED);
    world.manager.subscribe("a", "memo://one").await.unwrap();
    scripted.emit(&update("memo://secret"));
    scripted.emit(&update("memo://one"));
    let told = updates.recv().await.unwrap();
    assert_eq!(
        (told.server.as_str(), told.uri.as_str()),
        ("a", "memo://one")
    );

    let id = "a".parse().unwrap();
    world.manager.reconnect(&id).await.unwrap();
    let subscribed = scripted.requests();
    let subscribed = subscribed
        .iter()
        .filter(|request| matches!(request, McpRequest::Subscribe { .. }));
    assert_eq!(subscribed.count(), 2, "again on the new connection");
    world.manager.unsubscribe("a", "memo://one").await.unwrap();
    scripted.emit(&update("memo://one"));
    sleep(SECOND).await;
    assert!(updates.try_recv().is_err());

    let mut peer = world.view("a").peer.as_deref().unwrap().clone();
    peer.resource_subscriptions = false;
    scripted.set_peer(peer);
    world.manager.reconnect(&id).await.unwrap();
    let refused = world.manager.subscribe("a", "memo://one").await;
    assert_eq!(refused.unwrap_err().code, MCP_SUBSCRIPTION_UNSUPPORTED);
}

#[tokio::test(start_paused = true)]
async fn subscriptions_of_one_server_are_bounded() {
    let scripted = scripted(&[]);
    let template = json!({"uriTemplate": "memo://{name}", "name": "memos"});
    scripted.add_template(template);
    let mut settings = server("a");
    settings.planes.resources = true;
    let world = World::new(config(&[settings]), &[("a", &scripted)]);
    world.start().await;
    for n in 0..crate::limits::MAX_SUBSCRIPTIONS {
        world
            .manager
            .subscribe("a", &format!("memo://m{n}"))
            .await
            .unwrap();
    }
    let one_more = world.manager.subscribe("a", "memo://more").await;
    assert_eq!(one_more.unwrap_err().code, MCP_SUBSCRIPTION_LIMIT);
    world.manager.subscribe("a", "memo://m0").await.unwrap();
    world.manager.unsubscribe("a", "memo://m0").await.unwrap();
    world.manager.subscribe("a", "memo://more").await.unwrap();
}
