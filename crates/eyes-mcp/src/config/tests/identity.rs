//! Ids, names, lists, and what makes two servers the same connection.

use super::*;
use crate::policy::Selectors;

#[test]
fn ids_and_names_are_unique_in_any_case() {
    let pair = |a: (&str, &str), b: (&str, &str)| {
        json!([
            stdio(json!({ "id": a.0, "name": a.1 })),
            stdio(json!({ "id": b.0, "name": b.1 }))
        ])
    };
    for (a, b, expected) in [
        (
            ("git", "A"),
            ("GIT", "B"),
            "mcpServers[1].id is the same as mcpServers[0].id",
        ),
        (
            ("a", "Git"),
            ("b", " git "),
            "mcpServers[1].name is the same as mcpServers[0].name",
        ),
        (
            ("a", "Über"),
            ("b", "u\u{308}BER"),
            "mcpServers[1].name is the same as mcpServers[0].name",
        ),
        // A selector `b/*` would match the tools of `a` by its name.
        (
            ("a", "B"),
            ("b", "X"),
            "mcpServers[0].name is the same as mcpServers[1].id",
        ),
        (
            ("a", "X"),
            ("b", "A/files"),
            "mcpServers[1].name is the same as mcpServers[0].id",
        ),
    ] {
        let message = refusal(json!({ "mcpServers": pair(a, b) }));
        assert!(message.starts_with(expected), "{message}");
    }
    for (a, b) in [
        (("git", "git"), ("hub", "Hub")),
        (("a", "Files / Docs"), ("b", "Files")),
        (("a", "bb"), ("b", "ab")),
    ] {
        let config = read(pair(a, b)).expect("different");
        assert_eq!(config.servers.len(), 2);
    }
}

#[test]
fn ids_and_names_are_bounded() {
    let long = "x".repeat(32);
    assert_eq!(server(stdio(json!({ "id": long }))).id.as_str(), long);
    for id in ["", "a b", "a/b", "ä", &"x".repeat(33)] {
        let message = server_refusal(stdio(json!({ "id": id })));
        assert!(message.starts_with("mcpServers[0].id: "), "{message}");
    }
    assert_eq!(
        server(stdio(json!({ "name": "  My files " }))).name,
        "My files"
    );
    for name in ["", "  ", "a\nb", &"x".repeat(129)] {
        let message = server_refusal(stdio(json!({ "name": name })));
        assert!(message.starts_with("mcpServers[0].name: "), "{message}");
    }
}

#[test]
fn lists_hold_different_texts() {
    let found = server(stdio(json!({
        "allowedTools": [" read_* ", "list"], "denyTools": ["read_secret"],
        "allowedResources": ["file:///a/*"], "denyPrompts": ["*"],
    })));
    let selectors = |allow: &[&str], deny: &[&str]| Selectors {
        allow: allow.iter().map(|&entry| entry.to_owned()).collect(),
        deny: deny.iter().map(|&entry| entry.to_owned()).collect(),
    };
    assert_eq!(
        found.tools,
        selectors(&["read_*", "list"], &["read_secret"])
    );
    assert_eq!(found.resources, selectors(&["file:///a/*"], &[]));
    assert_eq!(found.prompts, selectors(&[], &["*"]));
    for (lists, path) in [
        (json!({ "allowedTools": ["a", " a"] }), "allowedTools[1]"),
        (
            json!({ "allowedTools": ["a"], "denyTools": ["b", "a"] }),
            "denyTools[1]",
        ),
        (
            json!({ "allowedResources": ["a"], "denyResources": ["a"] }),
            "denyResources[0]",
        ),
        (
            json!({ "allowedPrompts": ["a"], "denyPrompts": ["a"] }),
            "denyPrompts[0]",
        ),
        (json!({ "denyTools": [" "] }), "denyTools[0]"),
        (json!({ "denyTools": ["x".repeat(2_049)] }), "denyTools[0]"),
        (json!({ "denyTools": [1] }), "denyTools[0]"),
    ] {
        let message = server_refusal(stdio(lists));
        assert!(
            message.starts_with(&format!("mcpServers[0].{path}: ")),
            "{message}"
        );
    }
    // The same text in lists of different kinds is no conflict.
    server(stdio(
        json!({ "allowedTools": ["a"], "denyResources": ["a"] }),
    ));
    let many: Vec<String> = (0..1_001).map(|number| number.to_string()).collect();
    let message = server_refusal(stdio(json!({ "allowedTools": many })));
    assert!(
        message.starts_with("mcpServers[0].allowedTools has 1001 entries"),
        "{message}"
    );
}

fn oauth() -> Value {
    json!({ "enabled": true, "clientId": { "env": "I" }, "clientSecret": { "env": "S" }, "scope": "a" })
}

fn stdio_base() -> Value {
    stdio(json!({ "args": ["a"], "env": { "A": { "env": "B" } }, "cwd": "/w" }))
}

fn http_base() -> Value {
    http(json!({ "headers": { "X-A": { "env": "B" } }, "oauth": oauth() }))
}

#[test]
fn policy_is_not_in_the_fingerprint() {
    let (stdio_base, http_base) = (stdio_base(), http_base());
    let print = |settings: Value| server(settings).fingerprint();
    for (base, policy) in [
        (&stdio_base, json!({ "name": "Other" })),
        (
            &stdio_base,
            json!({ "allowedTools": ["*"], "denyTools": ["b"] }),
        ),
        (
            &stdio_base,
            json!({ "allowedResources": ["*"], "denyResources": ["b"] }),
        ),
        (
            &stdio_base,
            json!({ "allowedPrompts": ["*"], "denyPrompts": ["b"] }),
        ),
        (
            &stdio_base,
            json!({ "exposure": "catalog", "requireApproval": "all" }),
        ),
        (
            &stdio_base,
            json!({ "transport": "STDIO", "timeoutMs": 30_000, "enabled": true }),
        ),
        (
            &http_base,
            json!({ "allowedTools": ["*"], "name": "Other" }),
        ),
    ] {
        assert_eq!(
            print(base.clone()),
            print(changed(base.clone(), policy.clone())),
            "{policy}"
        );
    }
}

#[test]
fn what_a_connection_depends_on_is_in_the_fingerprint() {
    let (stdio_base, http_base) = (stdio_base(), http_base());
    let print = |settings: Value| server(settings).fingerprint();
    let mut seen = std::collections::BTreeSet::new();
    for (base, change) in [
        (&stdio_base, json!({})),
        (&stdio_base, json!({ "id": "GIT" })),
        (&stdio_base, json!({ "enabled": false })),
        (&stdio_base, json!({ "command": "other" })),
        (&stdio_base, json!({ "args": ["a", ""] })),
        (&stdio_base, json!({ "args": [{ "env": "A" }] })),
        (&stdio_base, json!({ "cwd": null })),
        (&stdio_base, json!({ "env": { "A": { "env": "C" } } })),
        (&stdio_base, json!({ "timeoutMs": 100 })),
        (&stdio_base, json!({ "riskPolicy": "read-only" })),
        (&stdio_base, json!({ "toolsEnabled": false })),
        (&stdio_base, json!({ "resourcesEnabled": true })),
        (&stdio_base, json!({ "promptsEnabled": true })),
        (&http_base, json!({})),
        (&http_base, json!({ "url": "https://hub.example/mcp/" })),
        (&http_base, json!({ "query": { "key": { "env": "K" } } })),
        (&http_base, json!({ "headers": null })),
        (&http_base, json!({ "allowPrivate": true })),
        (&http_base, json!({ "oauth": null })),
        (
            &http_base,
            json!({ "oauth": changed(oauth(), json!({ "scope": "b" })) }),
        ),
        (
            &http_base,
            json!({ "oauth": changed(oauth(), json!({ "keyring": true })) }),
        ),
        (
            &http_base,
            json!({ "oauth": changed(oauth(), json!({ "authMethod": "client_secret_post" })) }),
        ),
        (
            &http_base,
            json!({ "oauth": { "enabled": true, "flow": "authorization-code" } }),
        ),
    ] {
        let fingerprint = print(changed(base.clone(), change.clone()));
        assert!(seen.insert(fingerprint), "{change} changes nothing");
        assert_eq!(fingerprint.to_string().len(), 64);
    }
}
