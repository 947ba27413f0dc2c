use super::*;
use crate::model::{Reasoning, ToolCall};

fn message(role: Role, content: Vec<ContentBlock<Attachment>>) -> TurnMessage {
    TurnMessage {
        id: None,
        origin: Origin::Direct,
        role,
        content,
    }
}

fn text(text: &str) -> ContentBlock<Attachment> {
    ContentBlock::Text(text.to_owned())
}

fn call(id: &str, name: &str) -> TurnMessage {
    let call = ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: "{}".to_owned(),
    };
    message(Role::Assistant, vec![ContentBlock::ToolCall(call)])
}

fn result(
    name: Option<&str>,
    is_error: bool,
    content: Vec<ContentBlock<Attachment>>,
) -> ContentBlock<Attachment> {
    ContentBlock::ToolResult(ToolResult {
        call_id: "c1".to_owned(),
        tool_name: name.map(str::to_owned),
        is_error,
        content,
    })
}

fn kind(newest: Vec<ContentBlock<Attachment>>) -> Option<AutomationKind> {
    let called = |name| call("c1", name);
    AutomationKind::detect(&[
        message(Role::User, vec![text("go on")]),
        called("browser"),
        message(Role::User, newest),
    ])
}

#[test]
fn a_result_of_a_driving_tool_makes_the_kind() {
    use AutomationKind::{Browser, Desktop, Mcp};
    let desktop = || vec![text("[DeepSeekEyes desktop state]\n{}")];
    let browser = || vec![text("[DeepSeekEyes browser state]\n{}")];
    for (block, expected) in [
        (result(Some("mcp__files__read"), false, vec![]), Some(Mcp)),
        (result(Some("computer"), false, desktop()), Some(Desktop)),
        (result(Some("computer"), true, vec![]), Some(Desktop)),
        (result(Some("computer"), false, vec![text("done")]), None),
        (result(Some("computer"), false, browser()), None),
        (result(Some("browser"), false, browser()), Some(Browser)),
        (result(Some("browser"), true, vec![]), Some(Browser)),
        (result(Some("bash"), true, desktop()), None),
        // The name comes from the call.
        (result(None, false, browser()), Some(Browser)),
        // Inside another result.
        (
            result(
                Some("run"),
                false,
                vec![result(Some("computer"), true, vec![])],
            ),
            Some(Desktop),
        ),
        (text("[DeepSeekEyes desktop state]\n{}"), None),
    ] {
        assert_eq!(kind(vec![block.clone()]), expected, "{block:?}");
    }
}

#[test]
fn the_first_result_wins() {
    let both = vec![
        text("two results"),
        result(Some("computer"), true, vec![]),
        result(Some("mcp__a__b"), false, vec![]),
    ];
    assert_eq!(kind(both), Some(AutomationKind::Desktop));
}

#[test]
fn only_what_follows_the_models_last_message_counts() {
    let failed = message(Role::User, vec![result(Some("computer"), true, vec![])]);
    let thought = ContentBlock::Reasoning(Reasoning {
        text: "hm".to_owned(),
        signature: None,
    });
    let answered = [
        call("c1", "computer"),
        failed.clone(),
        message(Role::Assistant, vec![thought, text("It failed.")]),
        message(Role::User, vec![text("and now?")]),
    ];
    assert_eq!(AutomationKind::detect(&answered), None);
    assert_eq!(
        AutomationKind::detect(&answered[..2]),
        Some(AutomationKind::Desktop)
    );
    assert_eq!(
        AutomationKind::detect(&[failed]),
        Some(AutomationKind::Desktop)
    );
    assert_eq!(AutomationKind::detect(&[]), None);
}

#[test]
fn content_of_a_server_makes_the_kind() {
    let mut context = message(Role::User, vec![text("[DeepSeekEyes MCP context]\n{}")]);
    assert_eq!(AutomationKind::detect(std::slice::from_ref(&context)), None);
    context.origin = Origin::McpContext;
    assert_eq!(
        AutomationKind::detect(&[context]),
        Some(AutomationKind::Mcp)
    );
}

#[test]
fn a_missing_name_is_the_one_of_the_newest_call_of_the_id() {
    let nameless = || message(Role::User, vec![result(None, true, vec![])]);
    let messages = [
        call("c1", "bash"),
        nameless(),
        call("c1", "computer"),
        nameless(),
    ];
    assert_eq!(
        AutomationKind::detect(&messages),
        Some(AutomationKind::Desktop)
    );
    assert_eq!(AutomationKind::detect(&messages[..2]), None);
}
