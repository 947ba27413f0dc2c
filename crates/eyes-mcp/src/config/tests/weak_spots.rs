//! What the reference refuses without need, and what it lets through.

use eyes_evidence::redact::Redactor;

use super::*;

fn program(command: &str, args: &[&str]) -> Result<McpConfig, ConfigError> {
    read(json!([stdio(json!({ "command": command, "args": args }))]))
}

/// Checks that an argument is refused by its place, and that the message shows nothing of it.
fn refuses(command: &str, args: &[&str], index: usize, secret: &str) {
    let error = program(command, args).expect_err(secret);
    let message = error.to_string();
    let start = format!("mcpServers[0].args[{index}] holds a secret (");
    assert!(message.starts_with(&start), "{args:?}: {message}");
    assert!(!message.contains(secret), "{message}");
    assert!(error.hint().contains("{\"env\": \"NAME\"}"));
}

#[test]
fn w15_arguments_without_secrets_are_taken() {
    for (command, args) in [
        ("python", &["-u", "server.py"][..]),
        ("python3", &["-u", "-m", "my:server"]),
        ("docker", &["run", "-u", "1000:1000", "image"]),
        ("docker", &["run", "--user", "app:staff", "image"]),
        ("/usr/bin/podman", &["run", "-u", "app:staff", "image"]),
        ("server", &["--token-file", "/run/secrets/x"]),
        ("server", &["--password-file=/run/secrets/x"]),
        ("server", &["--username", "bob"]),
        ("server", &["--user", "bob"]),
        ("server", &["", "a", ""]),
        // What the reference itself promises to take.
        ("server", &["--header", "Accept: application/json"]),
        ("server", &["--auth-type", "none"]),
        ("server", &["--auth-timeout", "5000"]),
        ("server", &["--token-limit", "4096"]),
        ("server", &["--password-policy", "strict"]),
        ("server", &["--secret-name", "x"]),
        ("server", &["--api-key-name", "X"]),
        ("server", &["-update"]),
        ("server", &["/workspace/my-secret-project"]),
        ("npx", &["@scope/auth-server"]),
        ("server", &["--header", "X-Feature-Token-Limit: 100"]),
        ("server", &["--header=X-Mode: Basic"]),
        // Variables are named to a container without their values.
        (
            "docker",
            &["run", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "image"],
        ),
        // Windows launchers.
        ("cmd", &["/c", "npx", "-y", "server"]),
    ] {
        program(command, args).unwrap_or_else(|error| panic!("{args:?}: {error}"));
    }
}

#[test]
fn w15_a_secret_option_may_have_a_reference_for_its_value() {
    let reference = json!({ "env": "KEY" });
    for args in [
        json!(["--api-key", reference]),
        json!(["-y", "server", "--access-token", reference, "--verbose"]),
        json!(["--header", reference]),
        json!([reference]),
    ] {
        server(stdio(json!({ "args": args })));
    }
    for (args, index) in [
        (json!(["--api-key", "x", reference]), 0),
        (json!(["--api-key=x", reference]), 0),
        (json!([reference, "--password"]), 1),
    ] {
        let message = server_refusal(stdio(json!({ "args": args })));
        let start = format!("mcpServers[0].args[{index}] holds a secret (");
        assert!(message.starts_with(&start), "{message}");
    }
}

#[test]
fn w16_secrets_in_arguments_are_refused() {
    for (args, index, secret) in [
        (&["postgres://user:hunter2@h/db"][..], 0, "hunter2"),
        (&["--dsn=mysql://root:hunter2@h"], 0, "hunter2"),
        (&["a", "Server=h;Uid=sa;Pwd=hunter2;"], 1, "hunter2"),
        (&["xoxb-1234567890-abcdef"], 0, "xoxb"),
        (&["glpat-abcdefghijkl1234"], 0, "glpat"),
        (&["hf_Abcdefgh12345678"], 0, "hf_"),
        (&["AIzaSyA1234567890abcdef"], 0, "AIza"),
        (&["AKIAIOSFODNN7EXAMPLE"], 0, "AKIA"),
        (&["-e", "DB_PASSWORD=hunter2"], 1, "hunter2"),
        (&["--env=OPENAI_API_KEY=hunter2"], 0, "hunter2"),
        (&["{\"apiKey\":\"hunter2\"}"], 0, "hunter2"),
        (&["https://h.example/mcp?key=hunter2"], 0, "hunter2"),
        (&["--header", "Authorization: Bearer hunter2"], 1, "hunter2"),
        (&["--header", "X-Api-Key:hunter2"], 1, "hunter2"),
        (&["/password:hunter2"], 0, "hunter2"),
        (&["-u", "bob:hunter2"], 1, "hunter2"),
        (&["figd_Abcdefgh12345678"], 0, "figd"),
        (&["tvly-Abcdefgh12345678"], 0, "tvly"),
        (&["ntn_123456789Abcdefgh"], 0, "ntn_"),
    ] {
        refuses("server", args, index, secret);
    }
    let error = program("env TOKEN=hunter2 server", &[]).expect_err("the program itself");
    assert!(
        error
            .to_string()
            .starts_with("mcpServers[0].command holds a secret ("),
        "{error}"
    );
}

#[test]
fn w16_every_option_of_the_published_list_is_known() {
    for name in [
        "access-token",
        "access-key",
        "api-key",
        "apikey",
        "api-token",
        "auth",
        "auth-token",
        "authorization",
        "app-secret",
        "basic-auth",
        "bearer",
        "bearer-token",
        "client-secret",
        "consumer-secret",
        "cookie",
        "cookies",
        "credential",
        "credentials",
        "oauth-token",
        "oauth2-token",
        "pass",
        "passphrase",
        "password",
        "passwd",
        "pat",
        "personal-access-token",
        "private-key",
        "proxy-password",
        "pwd",
        "refresh-token",
        "secret",
        "secret-key",
        "session-token",
        "token",
    ] {
        for (args, index) in [
            (vec![format!("--{name}"), "hunter2".to_owned()], 0),
            (vec![format!("--{name}=hunter2")], 0),
            (vec![format!("--{name}:hunter2")], 0),
            (
                vec![
                    "a".to_owned(),
                    format!("--{}=hunter2", name.replace('-', "_")),
                ],
                1,
            ),
            (vec![format!("--{}=hunter2", name.to_uppercase())], 0),
            (vec![format!("/{name}:hunter2")], 0),
            (vec![format!("/{name}=hunter2")], 0),
        ] {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            refuses("server", &args, index, "hunter2");
        }
    }
    // An account is no secret, an account with a password is one.
    for name in ["user", "proxy-user"] {
        program("server", &[&format!("--{name}=bob")]).expect("an account");
        refuses("server", &[&format!("--{name}=bob:hunter2")], 0, "hunter2");
    }
}

#[test]
fn w16_a_secret_in_the_place_of_a_name_is_not_repeated() {
    for members in [
        json!({ "env": { "TOKEN": { "env": "ghp_abcdefghij1234567890" } } }),
        json!({ "env": { "TOKEN": "ghp_abcdefghij1234567890" } }),
        json!({ "env": "ghp_abcdefghij1234567890" }),
        json!({ "args": [{ "env": "ghp_abcdefghij1234567890" }] }),
        json!({ "args": "ghp_abcdefghij1234567890" }),
        json!({ "riskPolicy": "ghp_abcdefghij1234567890" }),
        json!({ "timeoutMs": "ghp_abcdefghij1234567890" }),
        json!({ "transport": "ghp_abcdefghij1234567890" }),
        json!({ "id": "no id but ghp_abcdefghij1234567890" }),
        json!({ "ghp_abcdefghij1234567890": 1 }),
        json!({ "env": { "ghp_abcdefghij1234567890": 1 } }),
    ] {
        let message = server_refusal(stdio(members));
        assert!(message.starts_with("mcpServers[0]"), "{message}");
        assert!(!message.contains("ghp_"), "{message}");
    }
}

#[test]
fn w17_secrets_in_addresses_are_refused_by_name_and_by_value() {
    for url in [
        "https://h.example/?key=hunter2",
        "https://h.example/?sig=hunter2",
        "https://h.example/?auth=hunter2",
        "https://h.example/?code=hunter2",
        "https://h.example/?api_key=hunter2",
        "https://h.example/?tavilyApiKey=hunter2",
        "https://h.example/?a=1&access%5Ftoken=hunter2",
        "https://h.example/?X-Amz-Signature=hunter2",
        "https://h.example/?v=ghp_hunter2hunter2",
        "https://h.example/ghp_hunter2hunter2/mcp",
        "https://h.example/#access_token=hunter2",
        "https://hooks.slack.com/services/T00000000/B00000000/hunter2",
        "https://bob:hunter2@h.example/",
        "https://hunter2@h.example/",
    ] {
        let message = server_refusal(http(json!({ "url": url })));
        assert!(
            message.starts_with("mcpServers[0].url holds a secret ("),
            "{url}: {message}"
        );
        assert!(!message.contains("hunter2"), "{message}");
    }
    for url in [
        "https://h.example/?tokenizer=x",
        "https://h.example/?max_tokens=5&page_token_limit=1",
        "https://h.example/?secret_name=x",
        "https://h.example/auth/mcp",
    ] {
        server(http(json!({ "url": url })));
    }
}

#[test]
fn w17_addresses_of_other_networks_are_refused() {
    for host in [
        "169.254.169.254",
        "[fe80::1]",
        "0.0.0.0",
        "[::]",
        "224.0.0.1",
        "255.255.255.255",
        "[ff02::1]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "2852039166",
    ] {
        for allow in [false, true] {
            let url = format!("https://{host}/mcp");
            let message = server_refusal(http(json!({ "url": url, "allowPrivate": allow })));
            assert!(
                message.starts_with("mcpServers[0].url: a link-local"),
                "{url}: {message}"
            );
        }
    }
    for host in [
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "[fd00::1]",
        "[::ffff:10.0.0.1]",
        "[64:ff9b::a00:1]",
    ] {
        let url = format!("https://{host}/mcp");
        let message = server_refusal(http(json!({ "url": url })));
        assert!(message.contains("allowPrivate"), "{url}: {message}");
        server(http(json!({ "url": url, "allowPrivate": true })));
        let plain = http(json!({ "url": format!("http://{host}/mcp"), "allowPrivate": true }));
        assert!(server_refusal(plain).contains("use https"));
    }
}

#[test]
fn w18_what_the_reference_prints_is_hidden() {
    let redactor = Redactor::with_values(["resolved-value-1"]);
    for (text, secret) in [
        ("cannot connect to postgres://bob:hunter2@h/db", "hunter2"),
        ("clone of ssh://bob:hunter2@h failed", "hunter2"),
        ("aws_secret_access_key=hunter2/abc", "hunter2"),
        ("DB_PASSWORD=hunter2", "hunter2"),
        ("my_token=hunter2", "hunter2"),
        ("https://s.example/c?sv=1&sig=hunter2hunter2%3D", "hunter2"),
        (
            "-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----",
            "hunter2",
        ),
        ("the server said resolved-value-1", "resolved-value-1"),
        ("base64: cmVzb2x2ZWQtdmFsdWUtMQ==", "cmVzb2x2ZWQtdmFsdWUt"),
    ] {
        let shown = redactor.redact(text);
        assert!(!shown.contains(secret), "{text} -> {shown}");
        assert!(shown.contains("[REDACTED"), "{shown}");
    }
    for text in [
        "token budget=8192",
        "password authentication failed",
        "secret-name=production",
        "api-key-name=X-Key",
        "Basic authentication required",
        "/workspace/my-secret-project",
    ] {
        assert_eq!(redactor.redact(text), text);
    }
}
