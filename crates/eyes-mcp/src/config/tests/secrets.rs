//! References and their values.

use std::collections::BTreeMap;

use super::*;
use crate::ports::SecretSource;

#[derive(Debug)]
struct Variables(BTreeMap<&'static str, &'static str>);

impl SecretSource for Variables {
    fn resolve(&self, variable: &str) -> Option<String> {
        self.0.get(variable).map(|&value| value.to_owned())
    }
}

fn variables<const N: usize>(pairs: [(&'static str, &'static str); N]) -> Variables {
    Variables(pairs.into())
}

fn fields(server: &ServerConfig) -> Vec<(String, String)> {
    let references = server.references().into_iter();
    references
        .map(|found| (found.field, found.reference.env.clone()))
        .collect()
}

#[test]
fn every_reference_is_found_with_its_member() {
    let program = server(stdio(json!({
        "args": ["a", { "env": "ARG" }], "env": { "B": { "env": "HOST_B" }, "A": { "env": "HOST_A" } },
    })));
    let expected = [("args[1]", "ARG"), ("env.A", "HOST_A"), ("env.B", "HOST_B")];
    let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        let pairs = pairs.iter();
        pairs.map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
    };
    assert_eq!(fields(&program), owned(&expected));
    let oauth =
        json!({ "enabled": true, "clientId": { "env": "ID" }, "privateKey": { "env": "KEY" } });
    let address = server(http(json!({
        "headers": { "X-A": { "env": "H" } }, "query": { "q": { "env": "Q" } }, "oauth": oauth,
    })));
    let expected = [
        ("query.q", "Q"),
        ("headers.X-A", "H"),
        ("oauth.clientId", "ID"),
        ("oauth.privateKey", "KEY"),
    ];
    assert_eq!(fields(&address), owned(&expected));
    let connecting = address
        .references()
        .into_iter()
        .filter(|found| found.connects);
    assert_eq!(connecting.count(), 2, "oauth asks for its own");
}

#[test]
fn a_missing_value_is_named_by_member_and_variable() {
    let program = server(stdio(
        json!({ "env": { "TOKEN": { "env": "HOST_TOKEN" } } }),
    ));
    for source in [variables([]), variables([("HOST_TOKEN", "")])] {
        let error = ResolvedSecrets::of(&program, &source).expect_err("missing");
        assert_eq!(error.code, codes::MCP_CREDENTIAL_MISSING);
        assert_eq!(error.code.as_str(), "MCP_CREDENTIAL_MISSING");
        assert!(!error.sent);
        for part in ["server git", "env.TOKEN", "HOST_TOKEN"] {
            assert!(error.message.contains(part), "{error}");
        }
    }
    let oauth =
        json!({ "enabled": true, "clientId": { "env": "ID" }, "clientSecret": { "env": "S" } });
    let address = server(http(json!({ "oauth": oauth })));
    ResolvedSecrets::of(&address, &variables([])).expect("left to the flow");
}

fn all_set() -> Variables {
    variables([
        ("A", "first-value"),
        ("B", "second&value"),
        ("ID", "client-id-value"),
        ("S", "client-secret-value"),
    ])
}

#[test]
fn values_of_a_program_go_to_its_arguments_and_variables() {
    let source = all_set();
    let program = server(stdio(json!({
        "args": ["x", { "env": "A" }, ""], "env": { "B": { "env": "B" } },
    })));
    let resolved = ResolvedSecrets::of(&program, &source).expect("all are set");
    let Transport::Stdio(stdio) = &program.transport else {
        panic!()
    };
    assert_eq!(resolved.arguments(stdio), ["x", "first-value", ""]);
    let environment: Vec<_> = resolved.environment(stdio).collect();
    assert_eq!(environment, [("B", "second&value")]);
}

#[test]
fn values_of_an_address_go_where_they_belong_and_nowhere_else() {
    let source = all_set();
    let oauth =
        json!({ "enabled": true, "clientId": { "env": "ID" }, "clientSecret": { "env": "S" } });
    let address = server(http(json!({
        "url": "https://hub.example/mcp?v=1", "query": { "api_key": { "env": "B" } },
        "headers": { "X-A": { "env": "A" } }, "oauth": oauth,
    })));
    let resolved = ResolvedSecrets::of(&address, &source).expect("all are set");
    let Transport::Http(server) = &address.transport else {
        panic!()
    };
    let url = resolved.url(server);
    assert_eq!(
        url.as_str(),
        "https://hub.example/mcp?v=1&api_key=second%26value"
    );
    assert_eq!(
        resolved.headers(server).collect::<Vec<_>>(),
        [("X-A", "first-value")]
    );

    // Nothing that is printed has a value in it.
    let shown = format!("{resolved:?} {address:?}");
    let seen = resolved.redactor().redact(url.as_str());
    let told = resolved
        .redactor()
        .redact("first-value, client-id-value and client-secret-value");
    for value in [
        "first-value",
        "second&value",
        "second%26value",
        "client-id-value",
        "client-secret-value",
    ] {
        assert!(
            ![shown.as_str(), &seen, &told]
                .iter()
                .any(|text| text.contains(value)),
            "{value}"
        );
    }
    let unknown = EnvReference {
        env: "C".to_owned(),
    };
    assert_eq!(resolved.value(&unknown), None);
}
