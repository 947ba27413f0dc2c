//! Files of other hosts, and what becomes of them.

use eyes_evidence::code::Coded as _;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::config::{McpConfig, McpSettings};

fn take(document: &Value) -> Import {
    take_text(&document.to_string())
}

/// Imports, and checks what holds for every import.
fn take_text(text: &str) -> Import {
    let found = import(text, &[]).expect("an import");
    let settings = McpSettings::from_document(found.to_document()).expect("our form");
    McpConfig::from_settings(&settings).expect("valid together");
    assert_eq!(settings.mcp_servers, found.servers);
    assert_eq!(
        import(text, &[]).as_ref(),
        Ok(&found),
        "the file decides alone"
    );
    found
}

fn told(import: &Import) -> Vec<String> {
    let warnings = import.warnings.iter();
    warnings
        .filter(|warning| warning.notice != ImportNotice::NothingAllowed)
        .map(ToString::to_string)
        .collect()
}

fn first(import: &Import) -> Value {
    import.to_document()["mcpServers"][0].clone()
}

fn of(settings: Value) -> Import {
    let table = Map::from_iter([("s".to_owned(), settings)]);
    take(&json!({ "mcpServers": table }))
}

fn refused(settings: Value) -> String {
    let import = of(settings);
    assert_eq!(import.servers, []);
    import.refused[0].reason.clone()
}

#[test]
fn a_desktop_file_becomes_references() {
    let import = take_text(include_str!("tests/desktop.json"));
    let expected: Value =
        serde_json::from_str(include_str!("tests/desktop.expected.json")).unwrap();
    assert_eq!(Value::Object(import.to_document()), expected);
    assert_eq!(
        told(&import),
        [
            "server github: args[4] stood in the file; set the variable GITHUB_PERSONAL_ACCESS_TOKEN to it, and remove \
             it there",
            "server postgres: args[2] stood in the file; set the variable MCP_POSTGRES_ARG_2 to it, and remove it there",
            "server Brave-Search: the name in the file is no id here; it stays the name for people",
            "server Brave-Search: env.BRAVE_API_KEY stood in the file; set the variable BRAVE_API_KEY to it, and remove \
             it there",
            "server Brave-Search: env.LOG_LEVEL stood in the file; set the variable MCP_BRAVE_SEARCH_LOG_LEVEL to it, \
             and remove it there",
            "server Brave-Search: alwaysAllow is not taken over",
            "server remote: args[3] is put together from variables; set the variable MCP_REMOTE_ARG_3 to the whole",
        ]
    );
    let shown = format!("{import:?}");
    for secret in ["ghp_", "hunter2", "BSA-secret"] {
        assert!(!shown.contains(secret), "{secret}");
    }
}

#[test]
fn an_editor_file_with_comments_becomes_references() {
    let import = take_text(include_str!("tests/vscode.jsonc"));
    let expected: Value = serde_json::from_str(include_str!("tests/vscode.expected.json")).unwrap();
    assert_eq!(Value::Object(import.to_document()), expected);
    assert_eq!(
        told(&import),
        [
            "server perplexity: env.PERPLEXITY_API_KEY is asked for by its host; set the variable PERPLEXITY_API_KEY to \
             it",
            "server github: headers.Authorization stood in the file; set the variable MCP_GITHUB_AUTHORIZATION to it, and remove it \
             there",
            "server tavily: url?tavilyApiKey stood in the file; set the variable MCP_TAVILY_TAVILYAPIKEY to it, and remove it there",
            "server tavily: gallery is not taken over",
        ]
    );
    let refused: Vec<_> = import
        .refused
        .iter()
        .map(|server| (server.name.as_str(), server.reason.as_str()))
        .collect();
    assert_eq!(
        refused,
        [
            (
                "files",
                "args[2] is filled in by its host (${workspaceFolder})"
            ),
            (
                "old",
                "speaks the transport SSE of 2024-11-05; only Streamable HTTP is spoken"
            ),
        ]
    );
    assert!(!format!("{import:?}").contains("hunter2"));
}

#[test]
fn every_host_has_its_own_members() {
    for (settings, expected) in [
        (
            json!({ "serverUrl": "https://w.example/mcp" }),
            json!({ "url": "https://w.example/mcp" }),
        ),
        (
            json!({ "httpUrl": "https://g.example/mcp" }),
            json!({ "url": "https://g.example/mcp" }),
        ),
        (
            json!({ "type": "streamableHttp", "url": "https://a.example" }),
            json!({ "url": "https://a.example" }),
        ),
        (
            json!({ "type": "http", "url": "http://localhost:1/mcp" }),
            json!({ "url": "http://localhost:1/mcp" }),
        ),
    ] {
        let server = first(&of(settings));
        assert_eq!(server["transport"], "streamable-http");
        assert_eq!(server["url"], expected["url"]);
    }
    let import = of(json!({
        "command": "a", "disabled": true, "includeTools": ["x", "y", "x"], "excludeTools": ["y"], "timeout": 5,
        "trust": true, "description": "", "cwd": "/w",
    }));
    assert_eq!(
        first(&import),
        json!({
            "id": "s", "name": "s", "enabled": false, "transport": "stdio", "allowedTools": ["x"], "denyTools": ["y"],
            "command": "a", "cwd": "/w",
        })
    );
    assert_eq!(
        told(&import),
        [
            "server s: timeout is not taken over",
            "server s: trust is not taken over"
        ]
    );
    let import = take(&json!({ "mcp": { "servers": { "a": { "command": "b" } } } }));
    assert_eq!(first(&import)["id"], "a");
}

#[test]
fn placeholders_name_their_variables() {
    let import = of(json!({
        "command": "a",
        "args": ["${A}", "${env:B}", "$NOT_FILLED"],
        "env": { "C": "$C", "D": "${D}", "E": "${env:E}", "F": "${F:-x}", "G": "", "H": 5, "I": null, "J-K": "x" },
    }));
    let server = first(&import);
    assert_eq!(
        server["args"],
        json!([{ "env": "A" }, { "env": "B" }, "$NOT_FILLED"])
    );
    let expected = json!({
        "C": { "env": "C" }, "D": { "env": "D" }, "E": { "env": "E" }, "F": { "env": "F" }, "H": { "env": "MCP_S_H" },
    });
    assert_eq!(server["env"], expected);
    assert_eq!(
        told(&import),
        [
            "server s: env.F has a default in the file, which is not taken over; set the variable F",
            "server s: env.G is empty and not taken over",
            "server s: env.H stood in the file; set the variable MCP_S_H to it, and remove it there",
            "server s: env.I is not taken over",
            "server s: env.J-K is not taken over",
        ]
    );
    let import = of(json!({ "url": "https://h.example/mcp?a=1&key=${env:KEY}&b=2" }));
    assert_eq!(first(&import)["url"], "https://h.example/mcp?a=1&b=2");
    assert_eq!(first(&import)["query"], json!({ "key": { "env": "KEY" } }));
}

#[test]
fn arguments_keep_their_order_and_lose_their_secrets() {
    for (command, args, expected) in [
        (
            "a",
            json!(["--api-key", "hunter2", "x"]),
            json!(["--api-key", { "env": "MCP_S_API_KEY" }, "x"]),
        ),
        (
            "a",
            json!(["--api-key=hunter2", "x"]),
            json!([{ "env": "MCP_S_ARG_0" }, "x"]),
        ),
        (
            "a",
            json!(["--header", "Authorization: Bearer hunter2"]),
            json!(["--header", { "env": "MCP_S_ARG_1" }]),
        ),
        (
            "a",
            json!(["-u", "bob:hunter2"]),
            json!(["-u", { "env": "MCP_S_ARG_1" }]),
        ),
        (
            "a",
            json!(["--token", "hunter2", "--password", "hunter2"]),
            json!(["--token", { "env": "MCP_S_TOKEN" }, "--password", { "env": "MCP_S_PASSWORD" }]),
        ),
        (
            "docker",
            json!(["run", "-e", "API_KEY=hunter2", "i"]),
            json!(["run", "-e", "API_KEY", "i"]),
        ),
        (
            "/usr/bin/podman",
            json!(["run", "--env=API_KEY=hunter2"]),
            json!(["run", "--env=API_KEY"]),
        ),
        (
            "a",
            json!(["-e", "API_KEY=hunter2"]),
            json!(["-e", { "env": "MCP_S_ARG_1" }]),
        ),
    ] {
        let import = of(json!({ "command": command, "args": args }));
        let server = first(&import);
        assert_eq!(server["args"], expected);
        if command != "a" {
            assert_eq!(server["env"], json!({ "API_KEY": { "env": "API_KEY" } }));
        }
        assert!(!format!("{import:?}").contains("hunter2"));
        assert!(!told(&import).is_empty());
    }
}

#[test]
fn what_cannot_be_taken_is_listed_with_a_reason() {
    for (settings, reason) in [
        (json!({}), "has neither a command nor an address"),
        (
            json!({ "command": "a", "url": "https://h.example" }),
            "has both a command and an address",
        ),
        (
            json!({ "type": "http", "command": "a" }),
            "has neither a command nor an address of its transport",
        ),
        (
            json!({ "type": "ws", "url": "wss://h.example" }),
            "has a transport that is neither",
        ),
        (
            json!({ "type": "sse", "url": "https://h.example/sse" }),
            "speaks the transport SSE",
        ),
        (
            json!({ "command": "${workspaceFolder}/a" }),
            "its command is filled in by its host",
        ),
        (
            json!({ "command": "a", "cwd": "${workspaceFolder}" }),
            "its folder cwd is filled in",
        ),
        (
            json!({ "command": "a", "env": { "A": "${userHome}/x" } }),
            "env.A is filled in by its host (${userHome})",
        ),
        (json!({ "command": "a", "env": [] }), "env is no table"),
        (json!({ "command": "a", "args": "b" }), "args is no list"),
        (json!({ "command": "a", "args": [1] }), "args[0] is no text"),
        (
            json!({ "command": "a", "args": ["--password"] }),
            "server.args[0] holds a secret",
        ),
        (
            json!({ "command": "a", "args": ["--auth", "--verbose"] }),
            "server.args[0] holds a secret",
        ),
        (
            json!({ "command": "TOKEN=hunter2 a" }),
            "server.command holds a secret",
        ),
    ] {
        let shown = settings.to_string();
        let found = refused(settings);
        assert!(found.starts_with(reason), "{shown}: {found}");
        assert!(!found.contains("hunter2"), "{found}");
    }
}

#[test]
fn addresses_that_cannot_be_taken_are_listed_with_a_reason() {
    for (settings, reason) in [
        (
            json!({ "url": "http://h.example/" }),
            "server.url: http is for this machine only",
        ),
        (
            json!({ "url": "https://bob:hunter2@h.example/" }),
            "server.url holds a secret (user info",
        ),
        (
            json!({ "url": "https://h.example/ghp_hunter2hunter2/" }),
            "server.url holds a secret (a token",
        ),
        (
            json!({ "url": "https://${HOST}/mcp" }),
            "its address is filled in",
        ),
        (
            json!({ "url": "https://h.example/?key=a&key=b" }),
            "its address has a parameter with a secret twice",
        ),
        (
            json!({ "url": "https://h.example/", "headers": { "Host": "a" } }),
            "server.headers.Host: ",
        ),
        (json!([]), "is no object"),
    ] {
        let shown = settings.to_string();
        let found = refused(settings);
        assert!(found.starts_with(reason), "{shown}: {found}");
        assert!(!found.contains("hunter2"), "{found}");
    }
}

#[test]
fn what_has_no_place_is_listed_with_a_reason() {
    let projects = json!({ "projects": { "/w": { "mcpServers": { "a": { "command": "b" } } } } });
    let import = take(&projects);
    assert_eq!(import.refused[0].name, "a");
    assert!(
        import.refused[0]
            .reason
            .starts_with("belongs to a single project")
    );
    let many: Map<String, Value> = (0..130)
        .map(|n| (format!("s{n}"), json!({ "command": "a" })))
        .collect();
    let import = take(&json!({ "mcpServers": many }));
    assert_eq!((import.servers.len(), import.refused.len()), (128, 2));
}

#[test]
fn a_file_without_servers_is_refused() {
    for text in [
        "",
        "[]",
        "{}",
        "{\"mcpServers\": []}",
        "{\"mcpServers\": {},}x",
        "{\"mcpServers\": {} /* open",
        "{\"a\": 1, \"a\": 2, \"mcpServers\": {}}",
        "{\"mcpServers\": ghp_hunter2hunter2}",
        "{,}",
    ] {
        let error = import(text, &[]).expect_err(text);
        assert_eq!(error.code(), codes::MCP_IMPORT_INVALID);
        assert_eq!(error.code().as_str(), "MCP_IMPORT_INVALID");
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
    let long = " ".repeat(MAX_IMPORT_BYTES + 1);
    assert_eq!(
        import(&long, &[]),
        Err(ImportError::Length(MAX_IMPORT_BYTES + 1))
    );
    assert_eq!(take_text("\u{feff}{\"servers\": {}}").servers, []);
}

#[test]
fn comments_and_trailing_commas_are_blanked_in_their_place() {
    for (text, expected) in [
        ("[1, 2,]", "[1, 2 ]"),
        ("[1, // a]\n]", "[1       \n]"),
        ("[1 /* , */ ,]", "[1          ]"),
        (
            "{\"a//b\": \"/* ,] \\\" */\",}",
            "{\"a//b\": \"/* ,] \\\" */\" }",
        ),
        ("[1, /**/ ]", "[1       ]"),
        ("/*é\n*/1", "    \n  1"),
        ("[1,,]", "[1, ]"),
        ("/", "/"),
        ("/*", "/*"),
        ("//", "  "),
        ("\"a", "\"a"),
        ("\"\\", "\"\\"),
    ] {
        assert_eq!(jsonc::plain(text), expected, "{text}");
    }
}

#[test]
fn ids_and_names_never_clash() {
    let command = json!({ "command": "a" });
    let import = take(&json!({ "mcpServers": {
        "a b": command, "a-b": command, "A-B": command, "文件": command, "": command, "a-b/x": command,
        "ghp_hunter2hunter2": command, "x".repeat(80): command, "x".repeat(81): command, "a\u{7}b c": command,
    } }));
    assert_eq!(import.servers.len(), 10);
    assert!(!format!("{import:?}").contains("hunter2"));
    let ids: Vec<&str> = import
        .servers
        .iter()
        .map(|server| server.id.as_str())
        .collect();
    assert_eq!(&ids[..4], ["a-b-2", "a-b", "A-B-3", "server"]);

    let configured = [ServerSettings::new(
        "git",
        "Hub",
        crate::config::TransportKind::Stdio,
    )];
    let text = json!({ "mcpServers": { "GIT": command, "hub": command } }).to_string();
    let found = super::import(&text, &configured).expect("an import");
    let pairs: Vec<_> = found
        .servers
        .iter()
        .map(|server| (server.id.as_str(), server.name.as_str()))
        .collect();
    assert_eq!(pairs, [("GIT-2", "GIT-2"), ("hub-2", "hub-2")]);
}

#[test]
fn different_values_have_different_variables() {
    let with = |key: &str| json!({ "command": "a", "env": { "API_KEY": key, "MODE": "m" } });
    let import = take(
        &json!({ "mcpServers": { "a": with("1"), "b": with("1"), "c": with("2"), "d": with("${API_KEY}") } }),
    );
    let variables: Vec<(&str, &str)> = import
        .servers
        .iter()
        .map(|server| {
            (
                server.env["API_KEY"].env.as_str(),
                server.env["MODE"].env.as_str(),
            )
        })
        .collect();
    assert_eq!(
        variables,
        [
            ("API_KEY", "MCP_A_MODE"),
            ("API_KEY", "MCP_B_MODE"),
            ("MCP_C_API_KEY", "MCP_C_MODE"),
            ("API_KEY", "MCP_D_MODE")
        ]
    );
    let text = json!({ "mcpServers": { "z": with("3") } }).to_string();
    let again = super::import(&text, &import.servers).expect("an import");
    assert_eq!(again.servers[0].env["API_KEY"].env, "MCP_Z_API_KEY");
}

proptest! {
    #[test]
    fn any_text_is_handled(text in ".{0,200}") {
        drop(import(&text, &[]));
    }

    #[test]
    fn any_server_is_valid_or_refused(
        key in ".{0,40}",
        command in "[ -~]{0,20}",
        args in prop::collection::vec("(--|-)?[a-z${}:=@/ -]{0,24}", 0..6),
        name in "[A-Z_]{1,12}",
        value in ".{0,24}",
        url in "https?://[a-z0-9.@:${}]{1,20}/[a-z0-9?=&_#-]{0,30}",
    ) {
        let import = take(&json!({ "mcpServers": {
            key: { "command": command, "args": args, "env": { name.clone(): value } },
            "other": { "url": url, "headers": { name: "x" } },
        } }));
        prop_assert!(import.servers.len() + import.refused.len() <= 2);
    }
}
