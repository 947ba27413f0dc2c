use std::{sync::Arc, time::Duration};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{
    Capabilities, CapabilityAnswer, Exposure, ExposureBlock, ExposureInput, ModelTool,
    Presentation, ServerTools, text_tokens, value_tokens,
};
use crate::{
    catalog::CatalogTool,
    codes,
    config::{ExposureMode, ServerConfig, ServerSettings, TransportKind},
    definition::ToolDefinition,
    limits::MAX_INDEX_CHARS,
    schema::SchemaProfile,
    testing::generated_tools,
};

fn server(id: &str, exposure: Option<ExposureMode>) -> ServerConfig {
    let settings = ServerSettings {
        command: Some("server".to_owned()),
        exposure,
        ..ServerSettings::new(id, id.to_uppercase(), TransportKind::Stdio)
    };
    ServerConfig::from_settings(&settings, "servers[0]", Duration::from_secs(30)).unwrap()
}

fn tool(server: &ServerConfig, whole: Value) -> Arc<CatalogTool> {
    let definition = ToolDefinition::parse(whole).unwrap();
    Arc::new(CatalogTool::new(&server.id, definition))
}

fn simple(server: &ServerConfig, name: &str) -> Arc<CatalogTool> {
    tool(
        server,
        json!({
            "name": name,
            "description": format!("Does {name}."),
            "inputSchema": { "type": "object", "properties": { "path": { "type": "string" } } },
        }),
    )
}

fn generated(server: &ServerConfig) -> Vec<Arc<CatalogTool>> {
    generated_tools(207, 668_000)
        .into_iter()
        .map(|whole| tool(server, whole))
        .collect()
}

fn input<'a>(servers: &'a [ServerTools<'a>], mode: ExposureMode) -> ExposureInput<'a> {
    ExposureInput {
        servers,
        max_tools: None,
        max_schema_tokens: None,
        context_tokens: None,
        mode,
        native_defer: true,
        profile: SchemaProfile::Anthropic,
    }
}

fn names(exposure: &Exposure) -> Vec<&str> {
    exposure
        .definitions
        .iter()
        .map(|definition| definition.name.as_str())
        .collect()
}

fn arguments(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        other => panic!("{other} is no object"),
    }
}

fn told(capabilities: &Capabilities, name: &str, passed: Value) -> Value {
    match capabilities.answer(name, &arguments(passed)).unwrap() {
        CapabilityAnswer::Told(value) | CapabilityAnswer::Found { value, .. } => value,
        CapabilityAnswer::Call { tool, .. } => panic!("a call of {}", tool.public_name),
    }
}

#[test]
fn w13_every_tool_of_a_large_catalogue_can_be_reached() {
    let rea = server("rea", None);
    let tools = generated(&rea);
    let servers = [ServerTools {
        server: &rea,
        tools: &tools,
    }];
    let defaults = ExposureInput {
        max_tools: Some(16),
        max_schema_tokens: Some(12_000),
        context_tokens: Some(128_000),
        ..input(&servers, ExposureMode::Auto)
    };
    let exposure = Exposure::build(&defaults);
    assert_eq!(
        names(&exposure),
        [
            "capability_search",
            "capability_describe",
            "capability_call"
        ]
    );
    assert!(exposure.rows.iter().all(|row| row.blocked.is_none()));
    let mut capabilities = Capabilities::new();
    capabilities.replace(&rea.id, &tools);
    for tool in &tools {
        let name = tool.public_name.as_str();
        let found = told(
            &capabilities,
            "capability_search",
            json!({ "query": name, "limit": 1 }),
        );
        assert_eq!(found["hits"][0]["name"], name);
        let described = told(
            &capabilities,
            "capability_describe",
            json!({ "names": [name] }),
        );
        let schema = &described["capabilities"][0]["inputSchema"];
        assert_eq!(schema.as_object(), Some(&*tool.definition.input_schema));
    }
}

#[test]
fn w14_estimates_are_of_what_is_sent() {
    let rea = server("rea", None);
    let tools = generated(&rea);
    let sent: Vec<Value> = tools
        .iter()
        .map(|tool| {
            json!({
                "name": tool.public_name,
                "description": tool.definition.description,
                "input_schema": *tool.definition.input_schema,
            })
        })
        .collect();
    // Counted with o200k_base: 137,157; the reference estimates 214,433.
    let estimated = value_tokens(&sent);
    assert!(estimated.abs_diff(137_157) * 10 < 137_157, "{estimated}");
    let list: Vec<&str> = tools.iter().map(|tool| tool.public_name.as_str()).collect();
    let estimated = text_tokens(&list.join("\n"));
    assert!(estimated.abs_diff(1_939) * 10 < 1_939, "{estimated}");
    let servers = [ServerTools {
        server: &rea,
        tools: &tools,
    }];
    let exposure = Exposure::build(&input(&servers, ExposureMode::Inline));
    let whole = value_tokens(&exposure.to_values(ModelTool::to_anthropic));
    assert!(
        whole.abs_diff(exposure.schema_tokens) * 100 < whole,
        "{whole}"
    );
}

#[test]
fn a_large_catalogue_costs_little() {
    let rea = server("rea", None);
    let tools = generated(&rea);
    let servers = [ServerTools {
        server: &rea,
        tools: &tools,
    }];
    let exposure = Exposure::build(&input(&servers, ExposureMode::Catalog));
    let mut sent = exposure.index.clone().unwrap();
    sent.push_str(&json!(exposure.to_values(ModelTool::to_anthropic)).to_string());
    let first = text_tokens(&sent);
    assert!(first < 1_000, "{first}");
    assert!(
        exposure.schema_tokens.abs_diff(first) < 20,
        "{}",
        exposure.schema_tokens
    );
    let mut capabilities = Capabilities::new();
    capabilities.replace(&rea.id, &tools);
    for query in [
        "find in a sqlite db",
        "draw the pdf",
        "remove the certificate chain",
    ] {
        let found = told(
            &capabilities,
            "capability_search",
            json!({ "query": query }),
        );
        assert_eq!(found["hits"].as_array().unwrap().len(), 5);
        let name = &found["hits"][0]["name"];
        let described = told(
            &capabilities,
            "capability_describe",
            json!({ "names": [name] }),
        );
        for answer in [&found, &described] {
            sent.push_str(&answer.to_string());
        }
    }
    let task = text_tokens(&sent);
    assert!(task < 4_000, "{task}");
    if let Some(folder) = option_env!("EYES_TOKEN_SAMPLES") {
        std::fs::write(format!("{folder}/task.txt"), &sent).unwrap();
        let definitions = json!(exposure.to_values(ModelTool::to_anthropic)).to_string();
        std::fs::write(
            format!("{folder}/first.txt"),
            exposure.index.unwrap() + &definitions,
        )
        .unwrap();
    }
}

/// Returns every tool with why it is not exposed, and the names that are sent.
fn budgeted(
    servers: &[ServerTools<'_>],
    max_tools: Option<usize>,
    max_schema_tokens: Option<usize>,
) -> (Vec<(String, Option<&'static str>)>, Vec<String>) {
    let exposure = Exposure::build(&ExposureInput {
        max_tools,
        max_schema_tokens,
        ..input(servers, ExposureMode::Inline)
    });
    let rows = exposure
        .rows
        .iter()
        .map(|row| {
            let blocked = row.blocked.as_ref().map(ExposureBlock::as_str);
            (row.public_name.to_string(), blocked)
        })
        .collect();
    let sent = names(&exposure).into_iter().map(str::to_owned).collect();
    (rows, sent)
}

#[test]
fn budgets_pass_over_what_does_not_fit_and_go_on() {
    let (a, b) = (server("a", None), server("b", None));
    let long = json!({
        "name": "long", "description": "word ".repeat(400), "inputSchema": { "type": "object" },
    });
    let elsewhere = json!({ "$ref": "https://example.com" });
    let bad = json!({
        "name": "bad", "inputSchema": { "type": "object", "properties": { "x": elsewhere } },
    });
    let first = [
        simple(&a, "two"),
        simple(&a, "one"),
        tool(&a, bad),
        simple(&a, "one"),
    ];
    let second = [simple(&b, "z"), tool(&b, long), simple(&b, "c")];
    let servers = [
        ServerTools {
            server: &a,
            tools: &first,
        },
        ServerTools {
            server: &b,
            tools: &second,
        },
    ];
    let (blocked, sent) = budgeted(&servers, None, Some(300));
    let expected = [
        ("mcp__a__bad", Some("unfit-schema")),
        ("mcp__a__one", None),
        ("mcp__a__one", Some("duplicate-public-name")),
        ("mcp__a__two", None),
        ("mcp__b__c", None),
        ("mcp__b__long", Some("schema-token-budget")),
        ("mcp__b__z", None),
    ];
    assert_eq!(
        blocked,
        expected.map(|(name, block)| (name.to_owned(), block))
    );
    assert_eq!(
        sent,
        ["mcp__a__one", "mcp__a__two", "mcp__b__c", "mcp__b__z"]
    );
    let (blocked, sent) = budgeted(&servers, Some(3), None);
    assert_eq!(sent, ["mcp__a__one", "mcp__a__two", "mcp__b__c"]);
    assert_eq!(blocked[6], ("mcp__b__z".to_owned(), Some("max-tools")));
}

#[test]
fn the_automatic_mode_depends_on_what_is_sent() {
    let rea = server("rea", None);
    let few = vec![simple(&rea, "one"), simple(&rea, "two")];
    let many = generated(&rea);
    let cases = [
        (&few, (None, None, None), false),
        (&few, (Some(128_000), Some(12_000), Some(16)), false),
        (&few, (Some(500), None, None), true),
        (&few, (Some(128_000), Some(40), None), true),
        (&few, (None, None, Some(1)), true),
        (&many, (Some(1_000_000), None, None), true),
    ];
    for (tools, (context_tokens, max_schema_tokens, max_tools), is_catalog) in cases {
        let servers = [ServerTools {
            server: &rea,
            tools,
        }];
        let exposure = Exposure::build(&ExposureInput {
            max_tools,
            max_schema_tokens,
            context_tokens,
            ..input(&servers, ExposureMode::Auto)
        });
        assert_eq!(
            exposure.index.is_some(),
            is_catalog,
            "{context_tokens:?} {max_schema_tokens:?}"
        );
        let expected = if is_catalog { 3 } else { tools.len() };
        assert_eq!(exposure.definitions.len(), expected);
    }
}

#[test]
fn deferred_definitions_are_found_by_reference() {
    let rea = server("rea", Some(ExposureMode::NativeDefer));
    let local = server("local", Some(ExposureMode::Inline));
    let tools = generated(&rea);
    let own = [simple(&local, "now")];
    let servers = [
        ServerTools {
            server: &rea,
            tools: &tools,
        },
        ServerTools {
            server: &local,
            tools: &own,
        },
    ];
    let exposure = Exposure::build(&input(&servers, ExposureMode::Auto));
    assert_eq!(exposure.definitions.len(), 209);
    assert_eq!(exposure.definitions[0].name, "capability_search");
    let deferred = exposure
        .definitions
        .iter()
        .filter(|tool| tool.defer_loading)
        .count();
    assert_eq!(deferred, 207);
    assert!(exposure.schema_tokens < 2_000, "{}", exposure.schema_tokens);
    for definition in &exposure.definitions {
        let sent = definition.to_anthropic();
        assert_eq!(
            sent.get("defer_loading").is_some(),
            definition.defer_loading
        );
        assert!(definition.name.len() <= 64);
    }
    // Without support of the provider it is the automatic mode.
    let plain = Exposure::build(&ExposureInput {
        max_tools: Some(16),
        native_defer: false,
        ..input(&servers[..1], ExposureMode::NativeDefer)
    });
    assert_eq!(plain.definitions.len(), 3);
    assert!(!plain.answers_with_references);
    let blocks = plain.found(&json!({ "hits": [] }), &[]);
    assert_eq!(
        blocks,
        [json!({ "type": "text", "text": r#"{"hits":[]}"# })]
    );
}

#[test]
fn only_definitions_of_the_session_are_referred_to() {
    let rea = server("rea", Some(ExposureMode::NativeDefer));
    let mut tools = vec![simple(&rea, "decode_font"), simple(&rea, "decode_wasm")];
    let servers = [ServerTools {
        server: &rea,
        tools: &tools,
    }];
    let exposure = Exposure::build(&input(&servers, ExposureMode::Auto));
    // What came later would be refused by the provider.
    tools.push(simple(&rea, "decode_later"));
    let mut capabilities = Capabilities::new();
    capabilities.replace(&rea.id, &tools);
    let asked = arguments(json!({ "query": "decode_later" }));
    let CapabilityAnswer::Found { value, names } =
        capabilities.answer("capability_search", &asked).unwrap()
    else {
        panic!("no hits");
    };
    assert_eq!(names[0], "mcp__rea__decode_later");
    assert_eq!(
        exposure.found(&value, &names),
        [
            json!({ "type": "tool_reference", "tool_name": "mcp__rea__decode_font" }),
            json!({ "type": "tool_reference", "tool_name": "mcp__rea__decode_wasm" }),
        ]
    );
}

#[test]
fn a_changed_list_changes_what_is_found_and_nothing_that_was_sent() {
    let rea = server("rea", Some(ExposureMode::Catalog));
    let before = [simple(&rea, "old_tool"), simple(&rea, "kept_tool")];
    let servers = [ServerTools {
        server: &rea,
        tools: &before,
    }];
    let session = Exposure::build(&input(&servers, ExposureMode::Auto));
    let frozen = session.clone();
    let mut capabilities = Capabilities::new();
    capabilities.replace(&rea.id, &before);
    let after = [simple(&rea, "kept_tool"), simple(&rea, "new_tool")];
    capabilities.replace(&rea.id, &after);
    assert_eq!(session, frozen);
    let hit = |name: &str| told(&capabilities, "capability_search", json!({ "query": name }));
    assert_eq!(hit("new_tool")["hits"][0]["name"], "mcp__rea__new_tool");
    assert!(hit("old")["hits"].as_array().unwrap().is_empty());
    // The same catalogue in another order, or with other schemas, has the same index.
    let reversed = [Arc::clone(&before[1]), Arc::clone(&before[0])];
    let servers = [ServerTools {
        server: &rea,
        tools: &reversed,
    }];
    let again = Exposure::build(&input(&servers, ExposureMode::Auto));
    assert_eq!((again.index, again.digest), (session.index, session.digest));
    let servers = [ServerTools {
        server: &rea,
        tools: &after,
    }];
    assert_ne!(
        Exposure::build(&input(&servers, ExposureMode::Auto)).digest,
        session.digest
    );
}

#[test]
fn the_index_folds_families() {
    let github = server("github", Some(ExposureMode::Catalog));
    let browser = server("browser", Some(ExposureMode::Catalog));
    let misc = server("misc", Some(ExposureMode::Catalog));
    let of = |server: &ServerConfig, names: &[&str]| -> Vec<Arc<CatalogTool>> {
        names.iter().map(|name| simple(server, name)).collect()
    };
    let first = of(
        &github,
        &[
            "create_issue",
            "list_issue",
            "get_issue",
            "create_pull_request",
            "list_pull_request",
            "get_pull_request",
        ],
    );
    let second = of(
        &browser,
        &[
            "browser_click",
            "browser_type",
            "browser_wait_for",
            "browser_close",
        ],
    );
    let third = of(&misc, &["fetch", "queryDatabase"]);
    let servers = [
        ServerTools {
            server: &github,
            tools: &first,
        },
        ServerTools {
            server: &browser,
            tools: &second,
        },
        ServerTools {
            server: &misc,
            tools: &third,
        },
    ];
    let index = Exposure::build(&input(&servers, ExposureMode::Auto))
        .index
        .unwrap();
    let body = index.split_once(".\n[").unwrap().1;
    assert_eq!(
        body,
        "browser] 4, PREFIX: REST\nbrowser: click, close, type, wait_for\n\
         [github] 6, NOUN: VERBS\nissue, pull_request: create, get, list\n\
         [misc] 2\nfetch, queryDatabase\n"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_index_is_bounded(counts in prop::collection::vec(1_usize..60, 1..30), seed in 0_usize..1000) {
        let configs: Vec<ServerConfig> = (0..counts.len())
            .map(|at| server(&format!("server-{at}"), Some(ExposureMode::Catalog)))
            .collect();
        let tools: Vec<Vec<Arc<CatalogTool>>> = configs
            .iter()
            .zip(&counts)
            .map(|(config, count)| {
                (0..*count).map(|at| simple(config, &format!("verb{}_of_{}", at * seed % 97, at))).collect()
            })
            .collect();
        let servers: Vec<ServerTools<'_>> = configs
            .iter()
            .zip(&tools)
            .map(|(server, tools)| ServerTools { server, tools })
            .collect();
        let exposure = Exposure::build(&input(&servers, ExposureMode::Auto));
        prop_assert!(exposure.index.unwrap().chars().count() <= MAX_INDEX_CHARS);
    }
}

#[test]
fn calls_are_resolved_and_stale_hashes_answered() {
    let fs = server("fs", None);
    let tools = [simple(&fs, "read_file"), simple(&fs, "write_file")];
    let mut capabilities = Capabilities::new();
    capabilities.replace(&fs.id, &tools);
    let name = "mcp__fs__read_file";
    let described = told(
        &capabilities,
        "capability_describe",
        json!({ "names": [name, "mcp__fs__reed_file"] }),
    );
    let hash = described["capabilities"][0]["schemaHash"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(tools[0].digest().to_string().starts_with(&hash));
    assert_eq!(described["capabilities"][1]["unknown"], true);
    assert_eq!(described["capabilities"][1]["closeNames"][0], name);
    for hash in [
        json!(hash),
        json!(null),
        json!(tools[0].digest().to_string()),
    ] {
        let asked =
            arguments(json!({ "name": name, "schemaHash": hash, "arguments": { "path": "a" } }));
        let CapabilityAnswer::Call { tool, arguments } =
            capabilities.answer("capability_call", &asked).unwrap()
        else {
            panic!("no call");
        };
        assert_eq!(tool.public_name.as_str(), name);
        assert_eq!(arguments["path"], "a");
    }
    for stale in ["0000000000000000", &hash[..8]] {
        let answer = told(
            &capabilities,
            "capability_call",
            json!({ "name": name, "schemaHash": stale, "arguments": {} }),
        );
        assert_eq!(answer["called"], false);
        assert_eq!(answer["capability"]["schemaHash"], json!(hash));
        assert!(answer["capability"]["inputSchema"]["properties"]["path"].is_object());
    }
    let asked = arguments(json!({ "name": "read_fil", "arguments": {} }));
    let error = capabilities.answer("capability_call", &asked).unwrap_err();
    assert_eq!(error.code, codes::MCP_TOOL_UNAVAILABLE);
    assert!(error.message.contains(name), "{}", error.message);
}

#[test]
fn requests_that_break_the_schemas_name_the_pointer() {
    let capabilities = Capabilities::new();
    let cases = [
        ("capability_search", json!({}), "/query: "),
        ("capability_search", json!({ "query": 1 }), "/query: "),
        (
            "capability_search",
            json!({ "query": "x", "limit": 0 }),
            "/limit: ",
        ),
        (
            "capability_search",
            json!({ "query": "x", "limit": 21 }),
            "/limit: ",
        ),
        (
            "capability_search",
            json!({ "query": "x", "risk": "none" }),
            "/risk: ",
        ),
        (
            "capability_search",
            json!({ "query": "x", "more": 1 }),
            "(root): ",
        ),
        ("capability_describe", json!({ "names": [] }), "/names: "),
        (
            "capability_describe",
            json!({ "names": ["a", "b", "c", "d", "e", "f"] }),
            "/names: ",
        ),
        ("capability_describe", json!({ "names": [1] }), "/names: "),
        ("capability_call", json!({ "arguments": {} }), "/name: "),
        (
            "capability_call",
            json!({ "name": "a", "arguments": [] }),
            "/arguments: ",
        ),
    ];
    for (name, passed, pointer) in cases {
        let error = capabilities.answer(name, &arguments(passed)).unwrap_err();
        assert_eq!(error.code, codes::MCP_CAPABILITY_REQUEST_INVALID);
        assert!(error.message.starts_with(pointer), "{}", error.message);
    }
}

#[test]
fn hidden_text_in_descriptions_reaches_no_model() {
    let evil = server("evil", None);
    let whole = json!({
        "name": "nice",
        "description": format!("Adds numbers.\u{e0069}\u{e0067} \u{202e}x\u{7}{}", "y".repeat(9_000)),
        "inputSchema": {
            "type": "object",
            "properties": { "a": { "type": "number", "description": "one\u{200b}\u{e0041} number" } },
        },
    });
    let tools = [tool(&evil, whole)];
    let servers = [ServerTools {
        server: &evil,
        tools: &tools,
    }];
    let exposure = Exposure::build(&input(&servers, ExposureMode::Inline));
    let description = &exposure.definitions[0].description;
    assert!(description.starts_with("Adds numbers. xyyy"));
    assert!(description.ends_with("[MCP: EVIL; risk=unknown-write]"));
    assert!(description.chars().count() < 4_100);
    assert_eq!(
        exposure.definitions[0].input_schema["properties"]["a"]["description"],
        "one number"
    );
    assert_eq!(exposure.rows[0].presentation, Presentation::Inline);
}
