//! Members, their defaults and their bounds.

use std::{path::Path, time::Duration};

use super::*;

#[test]
fn nothing_said_gives_the_defaults() {
    let config = McpConfig::from_document(Map::new()).expect("defaults");
    assert_eq!(config.servers, []);
    assert!(!config.enabled && config.audit);
    assert_eq!(
        (
            config.max_tools,
            config.max_schema_tokens,
            config.max_result_chars
        ),
        (Some(16), Some(12_000), 20_000)
    );
    assert_eq!(
        (config.max_calls_per_run, config.audit_limit),
        (Some(64), 200)
    );
    assert_eq!(config.call_timeout, Duration::from_secs(30));
    assert_eq!(config.exposure, ExposureMode::Auto);
    assert_eq!(config.artifacts, crate::result::ArtifactBounds::default());
    assert_eq!(
        config,
        McpConfig::from_settings(&McpSettings::default()).unwrap()
    );

    let found = server(stdio(json!({})));
    assert!(found.enabled);
    assert_eq!(
        found.planes,
        Planes {
            tools: true,
            resources: false,
            prompts: false
        }
    );
    assert_eq!(
        (found.risk_policy, found.approval),
        (RiskPolicy::Allow, Approval::Changed)
    );
    assert_eq!(
        (found.exposure, found.timeout),
        (None, Duration::from_secs(30))
    );
    let Transport::Stdio(program) = found.transport else {
        panic!()
    };
    assert_eq!(
        (program.command.as_str(), program.cwd),
        ("git-server", None)
    );
    assert!(program.args.is_empty() && program.env.is_empty());
}

#[test]
fn numbers_keep_their_bounds() {
    for (member, bad, good) in [
        ("mcpMaxTools", vec![1_001_u64], vec![0_u64, 1, 1_000]),
        (
            "mcpMaxSchemaTokens",
            vec![1, 255, 10_000_001],
            vec![0, 256, 10_000_000],
        ),
        (
            "mcpMaxResultChars",
            vec![0, 255, 10_000_001],
            vec![256, 10_000_000],
        ),
        (
            "mcpMaxExternalCallsPerRun",
            vec![10_001],
            vec![0, 1, 10_000],
        ),
        (
            "mcpToolCallTimeoutMs",
            vec![0, 99, 3_600_001],
            vec![100, 3_600_000],
        ),
        ("mcpAuditLimit", vec![0, 10_001], vec![1, 10_000]),
        (
            "mcpArtifactMaxBytes",
            vec![0, (64 << 20) - 1, (1_u64 << 40) + 1],
            vec![64 << 20, 1_u64 << 40],
        ),
        (
            "mcpArtifactMaxItems",
            vec![0, 1_000_001],
            vec![1, 1_000_000],
        ),
        ("mcpArtifactMaxAgeDays", vec![0, 3_651], vec![1, 3_650]),
    ] {
        for value in bad {
            let message = refusal(json!({ member: value }));
            assert!(
                message.starts_with(&format!("{member} is {value} and has to be ")),
                "{message}"
            );
        }
        for value in good {
            McpConfig::from_document(object(json!({ member: value }))).expect(member);
        }
        for value in [json!(-1), json!(1.5), json!("16"), json!(true), json!(null)] {
            let message = refusal(json!({ member: value }));
            assert!(message.starts_with(&format!("{member}: ")), "{message}");
        }
    }
}

#[test]
fn zero_lifts_a_bound_and_a_server_may_wait_for_longer() {
    let config = McpConfig::from_document(object(json!({
        "mcpMaxTools": 0, "mcpMaxSchemaTokens": 0, "mcpMaxExternalCallsPerRun": 0, "mcpToolCallTimeoutMs": 5_000,
        "mcpServers": [stdio(json!({})), http(json!({ "timeoutMs": 100 }))],
    })))
    .expect("valid");
    assert_eq!(
        (
            config.max_tools,
            config.max_schema_tokens,
            config.max_calls_per_run
        ),
        (None, None, None)
    );
    let timeouts: Vec<_> = config
        .servers
        .iter()
        .map(|server| server.timeout.as_millis())
        .collect();
    assert_eq!(timeouts, [5_000, 100]);
    for value in [99, 3_600_001] {
        let message = server_refusal(stdio(json!({ "timeoutMs": value })));
        assert!(
            message.starts_with("mcpServers[0].timeoutMs is "),
            "{message}"
        );
    }
}

#[test]
fn unknown_and_misplaced_members_are_named() {
    for (document, start) in [
        (json!({ "mcpServer": [] }), "mcpServer: "),
        (json!({ "mcpServers": {} }), "mcpServers: "),
        (json!({ "mcpEnabled": "yes" }), "mcpEnabled: "),
        (json!({ "mcpExposure": "none" }), "mcpExposure: "),
        (
            json!({ "mcpServers": [stdio(json!({ "allowlist": [] }))] }),
            "mcpServers[0].allowlist: ",
        ),
        (
            json!({ "mcpServers": [stdio(json!({})), http(json!({ "colour": 1 }))] }),
            "mcpServers[1].colour: ",
        ),
        (
            json!({ "mcpServers": [stdio(json!({ "id": null }))] }),
            "mcpServers[0]: missing field `id`",
        ),
        (
            json!({ "mcpServers": [stdio(json!({ "transport": "sse" }))] }),
            "mcpServers[0].transport: ",
        ),
        (
            json!({ "mcpServers": [stdio(json!({ "riskPolicy": "deny" }))] }),
            "mcpServers[0].riskPolicy: ",
        ),
        (
            json!({ "mcpServers": [stdio(json!({ "requireApproval": true }))] }),
            "mcpServers[0].requireApproval: ",
        ),
        (
            json!({ "mcpServers": [http(json!({ "oauth": { "token": 1 } }))] }),
            "mcpServers[0].oauth.token: ",
        ),
        (
            json!({ "mcpServers": [stdio(json!({ "env": { "A": { "env": "B", "c": 1 } } }))] }),
            "mcpServers[0].env.A: ",
        ),
        (
            json!({ "mcpServers": [stdio(json!({ "env": { "A": {} } }))] }),
            "mcpServers[0].env.A: ",
        ),
        (
            json!({ "mcpServers": [stdio(json!({ "args": ["a", 1] }))] }),
            "mcpServers[0].args[1]: ",
        ),
    ] {
        let message = refusal(document);
        assert!(message.starts_with(start), "{start}: {message}");
    }
}

#[test]
fn members_belong_to_their_transport() {
    for (settings, member) in [
        (stdio(json!({ "url": "https://a.example" })), "url"),
        (
            stdio(json!({ "headers": { "A": { "env": "B" } } })),
            "headers",
        ),
        (stdio(json!({ "query": { "A": { "env": "B" } } })), "query"),
        (stdio(json!({ "oauth": { "enabled": true } })), "oauth"),
        (stdio(json!({ "allowPrivate": true })), "allowPrivate"),
        (http(json!({ "command": "a" })), "command"),
        (http(json!({ "args": ["a"] })), "args"),
        (http(json!({ "cwd": "/" })), "cwd"),
        (http(json!({ "env": { "A": { "env": "B" } } })), "env"),
    ] {
        let message = server_refusal(settings);
        let start = format!("mcpServers[0].{member} is not for servers with the transport");
        assert!(message.starts_with(&start), "{message}");
    }
    // What is empty says nothing.
    server(stdio(
        json!({ "headers": {}, "query": {}, "oauth": { "enabled": false }, "allowPrivate": false }),
    ));
    server(http(json!({ "args": [], "env": {} })));
    server(http(json!({ "transport": " Streamable-HTTP " })));
    assert_eq!(
        server_refusal(stdio(json!({ "command": null }))),
        "mcpServers[0].command is missing"
    );
    assert_eq!(
        server_refusal(stdio(json!({ "command": "  " }))),
        "mcpServers[0].command is missing"
    );
    assert_eq!(
        server_refusal(http(json!({ "url": null }))),
        "mcpServers[0].url is missing"
    );
}

#[test]
fn programs_take_what_a_system_can_pass_on() {
    let found = server(stdio(json!({
        "command": " npx ", "args": ["-y", "", " a ", { "env": "DSN" }], "cwd": "/srv",
        "env": { "_A1": { "env": "HOST_A" } },
    })));
    let Transport::Stdio(program) = found.transport else {
        panic!()
    };
    let dsn = Argument::Reference(EnvReference {
        env: "DSN".to_owned(),
    });
    assert_eq!(program.args, ["-y".into(), "".into(), " a ".into(), dsn]);
    assert_eq!(
        (program.command.as_str(), program.cwd.as_deref()),
        ("npx", Some(Path::new("/srv")))
    );
    for (members, path) in [
        (json!({ "args": ["a\0b"] }), "args[0]"),
        (json!({ "command": "a\0b" }), "command"),
        (json!({ "cwd": "" }), "cwd"),
        (json!({ "cwd": "\0" }), "cwd"),
        (json!({ "args": ["x".repeat(33 << 10)] }), "args[0]"),
        (json!({ "args": [{ "env": "1A" }] }), "args[0].env"),
        (json!({ "env": { "A-B": { "env": "C" } } }), "env"),
        (json!({ "env": { "": { "env": "C" } } }), "env"),
        (json!({ "env": { "A": { "env": "B C" } } }), "env.A.env"),
        (json!({ "env": { "A": { "env": "" } } }), "env.A.env"),
    ] {
        let message = server_refusal(stdio(members));
        assert!(
            message.starts_with(&format!("mcpServers[0].{path}: ")),
            "{message}"
        );
    }
    let many = vec!["a"; 257];
    let message = server_refusal(stdio(json!({ "args": many })));
    assert!(
        message.starts_with("mcpServers[0].args has 257 entries"),
        "{message}"
    );
    let many: Map<String, Value> = (0..129)
        .map(|n| (format!("A{n}"), json!({ "env": "B" })))
        .collect();
    let message = server_refusal(stdio(json!({ "env": many })));
    assert!(
        message.starts_with("mcpServers[0].env has 129 entries"),
        "{message}"
    );
}

#[test]
fn headers_are_tokens_that_the_transport_does_not_write() {
    let found = server(http(json!({
        "headers": { "X-Mode": { "env": "MODE" }, "Authorization": { "env": "AUTH" } },
        "query": { "api key": { "env": "KEY" } },
    })));
    let Transport::Http(address) = found.transport else {
        panic!()
    };
    assert_eq!(address.headers["X-Mode"].env, "MODE");
    assert_eq!(address.query["api key"].env, "KEY");
    for (headers, path) in [
        (json!({ "X Mode": { "env": "A" } }), "headers: "),
        (json!({ "X:": { "env": "A" } }), "headers: "),
        (json!({ "": { "env": "A" } }), "headers: "),
        (json!({ "Host": { "env": "A" } }), "headers.Host: "),
        (
            json!({ "mcp-session-id": { "env": "A" } }),
            "headers.mcp-session-id: ",
        ),
        (
            json!({ "X-A": { "env": "A" }, "x-a": { "env": "A" } }),
            "headers.x-a is the same as ",
        ),
        (json!({ "X-A": "literal" }), "headers.X-A: "),
    ] {
        let message = server_refusal(http(json!({ "headers": headers })));
        assert!(
            message.starts_with(&format!("mcpServers[0].{path}")),
            "{message}"
        );
        assert!(!message.contains("literal"), "{message}");
    }
    let message = server_refusal(http(json!({ "query": { "a\nb": { "env": "A" } } })));
    assert!(message.starts_with("mcpServers[0].query: "), "{message}");
}

#[test]
fn addresses_are_https_or_on_this_machine() {
    for url in [
        "https://h.example/mcp",
        "https://h.example:8443/mcp?version=1",
        "http://localhost:3000/mcp",
        "http://LOCALHOST./",
        "http://a.localhost/",
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://[::1]:1/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::127.0.0.2]/",
        "https://[2606:4700::1]/",
    ] {
        server(http(json!({ "url": url })));
    }
    for url in [
        "",
        "h.example",
        "ftp://h.example/",
        "file:///etc/passwd",
        "https://",
        "http://h.example/",
        "http://localhost.example/",
        "http://notlocalhost/",
        "http://10.0.0.1/",
        "http://[fe80::1%25eth0]/",
        "https://h.example/#part",
        &format!("https://h.example/{}", "x".repeat(8_000)),
    ] {
        let message = server_refusal(http(json!({ "url": url })));
        assert!(message.starts_with("mcpServers[0].url: "), "{message}");
    }
}

#[test]
fn oauth_has_one_proof_of_the_client() {
    let id = json!({ "env": "ID" });
    let secret = json!({ "env": "SECRET" });
    let of = |oauth: Value| match server(http(json!({ "oauth": oauth }))).transport {
        Transport::Http(address) => address.oauth,
        Transport::Stdio(_) => panic!(),
    };
    assert_eq!(of(json!({})), None);
    assert_eq!(of(json!({ "enabled": false, "clientId": id })), None);
    let found = of(json!({
        "enabled": true, "clientId": id, "clientSecret": secret, "scope": " a b:c ", "authMethod": "client_secret_basic",
    }))
    .unwrap();
    assert_eq!(found.scope.as_deref(), Some("a b:c"));
    let OAuthFlow::ClientCredentials {
        client_id,
        credential,
    } = found.flow
    else {
        panic!()
    };
    assert_eq!(client_id.env, "ID");
    let expected = OAuthCredential::Secret {
        secret: EnvReference {
            env: "SECRET".to_owned(),
        },
        method: Some(SecretAuthMethod::Basic),
    };
    assert_eq!(credential, expected);
    let found = of(json!({
        "enabled": true, "clientId": id, "privateKey": secret, "algorithm": "ES256", "keyId": "k1", "keyring": true,
    }))
    .unwrap();
    assert!(found.keyring);
    let OAuthFlow::ClientCredentials { credential, .. } = found.flow else {
        panic!()
    };
    assert!(
        matches!(credential, OAuthCredential::PrivateKey { algorithm: Some(name), .. } if name == "ES256")
    );
    let found = of(json!({ "enabled": true, "flow": "authorization-code" })).unwrap();
    assert_eq!(
        found.flow,
        OAuthFlow::AuthorizationCode {
            client_id: None,
            client_secret: None
        }
    );
}

#[test]
fn oauth_members_belong_to_their_flow_and_proof() {
    let id = json!({ "env": "ID" });
    let secret = json!({ "env": "SECRET" });
    let base = json!({ "enabled": true, "clientId": id, "clientSecret": secret });
    let key = json!({ "enabled": true, "clientId": id, "privateKey": secret });
    let code = json!({ "enabled": true, "flow": "authorization-code" });
    for (base, change, start) in [
        (&base, json!({ "clientId": null }), "clientId is missing"),
        (
            &base,
            json!({ "clientSecret": null }),
            "clientSecret is missing",
        ),
        (
            &base,
            json!({ "clientSecret": "literal" }),
            "clientSecret: ",
        ),
        (&base, json!({ "scope": " " }), "scope: "),
        (&base, json!({ "scope": "a  b" }), "scope: "),
        (&base, json!({ "scope": "a\"" }), "scope: "),
        (&base, json!({ "authMethod": "none" }), "authMethod: "),
        (&base, json!({ "algorithm": "RS256" }), "algorithm: "),
        (&base, json!({ "keyId": "a" }), "keyId: "),
        (&key, json!({ "clientSecret": secret }), "clientSecret: "),
        (
            &key,
            json!({ "authMethod": "client_secret_post" }),
            "authMethod: ",
        ),
        (&key, json!({ "algorithm": "none" }), "algorithm: "),
        (&key, json!({ "keyId": " " }), "keyId: "),
        (&code, json!({ "privateKey": secret }), "privateKey: "),
        (&code, json!({ "algorithm": "RS256" }), "algorithm: "),
    ] {
        let message = server_refusal(http(json!({ "oauth": changed(base.clone(), change) })));
        assert!(
            message.starts_with(&format!("mcpServers[0].oauth.{start}")),
            "{message}"
        );
        assert!(!message.contains("literal"), "{message}");
    }
    let message = server_refusal(http(
        json!({ "oauth": base, "headers": { "authorization": { "env": "A" } } }),
    ));
    assert!(
        message.starts_with("mcpServers[0].headers.authorization: "),
        "{message}"
    );
}

#[test]
fn settings_are_written_as_they_are_read() {
    let text = include_str!("reference-settings.json");
    let document: Map<String, Value> = serde_json::from_str(text).unwrap();
    let settings = McpSettings::from_document(document).expect("the reference's settings");
    let config = McpConfig::from_settings(&settings).expect("valid");
    assert!(config.enabled);
    let ids: Vec<&str> = config
        .servers
        .iter()
        .map(|server| server.id.as_str())
        .collect();
    assert_eq!(ids, ["github", "files", "hub", "notes"]);
    assert_eq!(config.servers[1].risk_policy, RiskPolicy::ReadOnly);
    assert!(!config.servers[3].enabled);
    let again = McpSettings::from_document(settings.to_document()).expect("the same");
    assert_eq!(again, settings);
}

#[test]
fn variables_have_strict_forms() {
    for (member, text, expected) in [
        ("mcpEnabled", "1", json!(true)),
        ("mcpEnabled", " YES ", json!(true)),
        ("mcpEnabled", "On", json!(true)),
        ("mcpAudit", "false", json!(false)),
        ("mcpAudit", "oFF", json!(false)),
        ("mcpMaxTools", "0", json!(0)),
        ("mcpMaxTools", "32", json!(32)),
        (
            "mcpMaxSchemaTokens",
            "9007199254740991",
            json!(9_007_199_254_740_991_u64),
        ),
    ] {
        assert_eq!(variable_value(member, text), Some(Ok(expected)), "{text}");
    }
    for (member, text) in [
        ("mcpEnabled", "2"),
        ("mcpEnabled", ""),
        ("mcpAudit", "y"),
        ("mcpMaxTools", "1e2"),
        ("mcpMaxTools", "+1"),
        ("mcpMaxTools", "-1"),
        ("mcpMaxTools", "01"),
        ("mcpMaxTools", "1.0"),
        ("mcpMaxTools", "0x10"),
        ("mcpMaxTools", ""),
        ("mcpMaxTools", "٣"),
        ("mcpMaxTools", "9007199254740992"),
        ("mcpMaxTools", "99999999999999999999999"),
    ] {
        let error = variable_value(member, text)
            .expect("a member")
            .expect_err(text);
        assert_eq!(error.code(), codes::MCP_CONFIG_INVALID);
        assert!(error.to_string().contains("DEEPSEEKEYES_MCP_"), "{error}");
    }
    assert_eq!(variable_value("mcpServers", "[]"), None);
    let defaults = McpSettings::default().to_document();
    for (variable, member) in VARIABLES {
        assert!(variable.starts_with("DEEPSEEKEYES_MCP_"));
        assert!(defaults.contains_key(member), "{member}");
    }
}
