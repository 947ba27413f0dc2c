use serde_json::{Value, json};

use crate::{
    catalog::ContentCatalog,
    codes,
    config::ServerConfig,
    error::McpError,
    testing::fixture::{selectors, server},
};

fn catalog(uris: &[&str], templates: &[&str]) -> ContentCatalog {
    let list = |member: &str, all: &[&str]| all.iter().map(|text| json!({member: text})).collect();
    let prompts =
        json!({"name": "greet", "arguments": [{"name": "who", "required": true}, {"name": "how"}]});
    let catalog = ContentCatalog::admit(
        &server("srv"),
        list("uri", uris),
        list("uriTemplate", templates),
        vec![prompts],
    );
    let catalog = catalog.unwrap();
    assert!(catalog.refused.is_empty(), "{:?}", catalog.refused);
    catalog
}

fn settings(allow: &[&str], deny: &[&str]) -> ServerConfig {
    let mut settings = server("srv");
    settings.name = "Shown".to_owned();
    settings.resources = selectors(allow, deny);
    settings
}

fn outcome<T>(result: Result<T, McpError>) -> &'static str {
    result.map_or_else(|error| error.code.as_str(), |_| "allowed")
}

const UNKNOWN: &str = "MCP_RESOURCE_UNKNOWN";
const NOT_ALLOWED: &str = "MCP_RESOURCE_NOT_ALLOWED";

#[test]
fn resources_are_decided_by_policy_and_match() {
    let catalog = catalog(
        &["db://top", "db://users/root"],
        &["db://users/{id}", "db://raw/{+rest}"],
    );
    for (allow, deny, uri, expected) in [
        (&["*"][..], &[][..], "db://top", "allowed"),
        (&["db://top"], &[], "db://top", "allowed"),
        (&["srv/db://top"], &[], "db://top", "allowed"),
        (&["Shown/db://t?p"], &[], "db://top", "allowed"),
        (&[], &[], "db://top", NOT_ALLOWED),
        (&["*"], &["db://top"], "db://top", NOT_ALLOWED),
        (&["*"], &[], "db://nothing", UNKNOWN),
        (&["db://users/{id}"], &[], "db://users/7", "allowed"),
        (&["db://users/*"], &[], "db://users/7", "allowed"),
        (&["db://users/7"], &[], "db://users/7", "allowed"),
        // What the globs do not allow is not even tried.
        (&["db://top"], &[], "db://users/7", UNKNOWN),
        (&["*"], &["db://users/{id}"], "db://users/7", NOT_ALLOWED),
        (&["*"], &["db://users/7"], "db://users/7", NOT_ALLOWED),
        // A denied template denies a listed address that it matches.
        (&["*"], &["db://users/{id}"], "db://users/root", NOT_ALLOWED),
        // A wildcard does not allow an expression that can stand for anything; its own text does.
        (&["db://raw/*{*"], &[], "db://raw/a/b", UNKNOWN),
        (&["db://raw/{+rest}"], &[], "db://raw/a/b", "allowed"),
        (&["srv/db://raw/{+rest}"], &[], "db://raw/a/b", "allowed"),
        (&["db://raw/a/b"], &[], "db://raw/a/b", "allowed"),
        (
            &["db://raw/{+rest}"],
            &["db://raw/secret*"],
            "db://raw/secret/b",
            NOT_ALLOWED,
        ),
        // Other spellings of a denied address are denied too.
        (
            &["db://raw/{+rest}"],
            &["db://raw/secret*"],
            "db://raw/s%65cret/b",
            NOT_ALLOWED,
        ),
        (
            &["db://raw/{+rest}"],
            &["db://raw/secret*"],
            "db://raw/s%2565cret/b",
            NOT_ALLOWED,
        ),
        (&["db://raw/{+rest}"], &[], "db://raw/../b", UNKNOWN),
    ] {
        let result = catalog.resolve_resource(&settings(allow, deny), uri);
        assert_eq!(outcome(result), expected, "{allow:?} {deny:?} {uri}");
    }
}

#[test]
fn codes_come_in_their_order() {
    let catalog = catalog(&["db://top"], &[]);
    let mut off = settings(&["*"], &[]);
    off.planes.resources = false;
    let long = format!("db://{}", "x".repeat(4_096));
    for (uri, expected) in [
        ("", codes::MCP_CONTENT_INPUT_INVALID),
        ("db://\u{202e}", codes::MCP_CONTENT_INPUT_INVALID),
        (long.as_str(), codes::MCP_CONTENT_INPUT_INVALID),
        ("db://top", codes::MCP_RESOURCES_DISABLED),
    ] {
        assert_eq!(
            catalog.resolve_resource(&off, uri).unwrap_err().code,
            expected,
            "{uri}"
        );
    }
}

#[test]
fn the_answer_names_template_and_variables() {
    let catalog = catalog(&["db://users/7"], &["db://{table}/{id}"]);
    let resolved = catalog
        .resolve_resource(&settings(&["db://*{*"], &[]), "db://users/7")
        .unwrap();
    assert_eq!(resolved.template.as_deref(), Some("db://{table}/{id}"));
    let variables: Vec<_> = resolved
        .variables
        .iter()
        .map(|found| (found.expression.as_str(), found.value.as_str()))
        .collect();
    assert_eq!(variables, [("table", "users"), ("id", "7")]);
    let listed = catalog
        .resolve_resource(&settings(&["*"], &[]), "db://users/7")
        .unwrap();
    assert_eq!((listed.template, listed.variables.len()), (None, 0));
}

#[test]
fn w3_every_matching_template_has_a_say() {
    let catalog = catalog(&[], &["db://{table}", "db://{user}"]);
    // The first one that matches is not allowed, a later one is.
    let resolved = catalog
        .resolve_resource(&settings(&["db://{user}"], &[]), "db://x")
        .unwrap();
    assert_eq!(resolved.template.as_deref(), Some("db://{user}"));
    // The first one is allowed, a later one denied.
    let denied = catalog.resolve_resource(&settings(&["*"], &["db://{user}"]), "db://x");
    assert_eq!(outcome(denied), NOT_ALLOWED);
}

#[test]
fn prompts_are_decided_and_their_arguments_checked() {
    let catalog = catalog(&[], &[]);
    let long = "x".repeat(100_001);
    let resolve = |settings: &ServerConfig, name: &str, arguments: Option<Value>| {
        catalog.resolve_prompt(settings, name, arguments.as_ref())
    };
    let all = server("srv");
    let mut off = server("srv");
    off.planes.prompts = false;
    let mut none = server("srv");
    none.prompts = selectors(&["other"], &[]);
    for (settings, name, arguments, expected) in [
        (&off, "", None, codes::MCP_CONTENT_INPUT_INVALID),
        (&off, "greet", None, codes::MCP_PROMPTS_DISABLED),
        (&none, "unknown", None, codes::MCP_PROMPT_UNKNOWN),
        (
            &none,
            "greet",
            Some(json!([])),
            codes::MCP_PROMPT_NOT_ALLOWED,
        ),
        (
            &all,
            "greet",
            Some(json!([])),
            codes::MCP_CONTENT_INPUT_INVALID,
        ),
        (
            &all,
            "greet",
            Some(json!({"what": "x"})),
            codes::MCP_PROMPT_ARGUMENT_INVALID,
        ),
        (
            &all,
            "greet",
            Some(json!({"who": 7})),
            codes::MCP_PROMPT_ARGUMENT_INVALID,
        ),
        (
            &all,
            "greet",
            Some(json!({"who": long})),
            codes::MCP_PROMPT_ARGUMENT_INVALID,
        ),
        (
            &all,
            "greet",
            Some(json!({"how": "x"})),
            codes::MCP_PROMPT_ARGUMENT_REQUIRED,
        ),
        (&all, "greet", None, codes::MCP_PROMPT_ARGUMENT_REQUIRED),
    ] {
        let error = resolve(settings, name, arguments).unwrap_err();
        assert_eq!(error.code, expected, "{name}: {error}");
    }
    let resolved = resolve(&all, "greet", Some(json!({"who": "you"}))).unwrap();
    assert_eq!(Value::Object(resolved.arguments), json!({"who": "you"}));
}

#[test]
fn a_listed_address_does_not_lead_out_of_what_a_wildcard_allows() {
    let catalog = catalog(
        &["file:///safe/../etc/passwd", "file:///safe/%2e%2e/b"],
        &[],
    );
    for (allow, uri, expected) in [
        ("file:///safe/*", "file:///safe/../etc/passwd", NOT_ALLOWED),
        ("file:///safe/*", "file:///safe/%2e%2e/b", NOT_ALLOWED),
        (
            "file:///safe/../etc/passwd",
            "file:///safe/../etc/passwd",
            "allowed",
        ),
    ] {
        let result = catalog.resolve_resource(&settings(&[allow], &[]), uri);
        assert_eq!(outcome(result), expected, "{allow} {uri}");
    }
}
