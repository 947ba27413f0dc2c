use std::sync::Arc;

use serde_json::{Value, json};

use super::{SearchHit, SearchIndex, SearchQuery, words};
use crate::{
    catalog::CatalogTool, definition::ToolDefinition, names::ServerId, policy::Risk,
    testing::generated_tools,
};

fn id(text: &str) -> ServerId {
    text.parse().unwrap()
}

fn tool(server: &str, whole: Value) -> Arc<CatalogTool> {
    let definition = ToolDefinition::parse(whole).unwrap();
    Arc::new(CatalogTool::new(&id(server), definition))
}

fn named(server: &str, name: &str, description: &str) -> Arc<CatalogTool> {
    tool(
        server,
        json!({ "name": name, "description": description, "inputSchema": { "type": "object" } }),
    )
}

fn index(tools: &[Arc<CatalogTool>]) -> SearchIndex {
    let mut index = SearchIndex::default();
    let mut servers: Vec<&ServerId> = tools.iter().map(|tool| &tool.server).collect();
    servers.sort();
    servers.dedup();
    for server in servers {
        let own: Vec<_> = tools
            .iter()
            .filter(|tool| tool.server == *server)
            .cloned()
            .collect();
        index.replace(server, &own);
    }
    index
}

fn query(text: &str) -> SearchQuery<'_> {
    SearchQuery {
        text,
        server: None,
        risk: None,
        limit: 5,
    }
}

fn names(hits: &[SearchHit]) -> Vec<&str> {
    hits.iter()
        .map(|hit| hit.tool.definition.name.as_str())
        .collect()
}

fn public_servers() -> SearchIndex {
    let listed: Vec<Value> =
        serde_json::from_str(include_str!("../../tests/fixtures/search/tools.json")).unwrap();
    let tools: Vec<_> = listed
        .iter()
        .map(|listed| {
            let parameters = listed["parameters"].as_object().unwrap();
            let properties: serde_json::Map<String, Value> = parameters
                .iter()
                .map(|(name, text)| {
                    (
                        name.clone(),
                        json!({ "type": "string", "description": text }),
                    )
                })
                .collect();
            let hints = match listed["risk"].as_str().unwrap() {
                "read" => json!({ "readOnlyHint": true }),
                "destructive" => json!({ "destructiveHint": true }),
                _ => json!({ "readOnlyHint": false }),
            };
            tool(
                listed["server"].as_str().unwrap(),
                json!({
                    "name": listed["name"],
                    "description": listed["description"],
                    "inputSchema": {
                        "type": "object", "properties": properties, "required": listed["required"],
                    },
                    "annotations": hints,
                }),
            )
        })
        .collect();
    index(&tools)
}

/// Returns the part of the queries that one of their tools answers within the first five, and the others.
fn recall(index: &SearchIndex, queries: &str) -> (f64, Vec<String>) {
    let queries: Vec<Vec<String>> = serde_json::from_str(queries).unwrap();
    let missed: Vec<String> = queries
        .iter()
        .filter_map(|query_and_names| {
            let (text, wanted) = query_and_names.split_first()?;
            let hits = index.search(&query(text));
            let is_found = names(&hits)
                .iter()
                .any(|name| wanted.iter().any(|it| it == name));
            (!is_found).then(|| format!("{text:?} wants {wanted:?}, found {:?}", names(&hits)))
        })
        .collect();
    let found = queries.len() - missed.len();
    (found as f64 / queries.len() as f64, missed)
}

#[test]
fn queries_in_other_words_find_tools_of_public_servers() {
    let index = public_servers();
    let sets = [
        include_str!("../../tests/fixtures/search/queries-tuning.json"),
        include_str!("../../tests/fixtures/search/queries-held-out.json"),
    ];
    for queries in sets {
        let (recall, missed) = recall(&index, queries);
        println!("recall@5 {recall:.4}; {missed:#?}");
        assert!(recall >= 0.95, "recall@5 {recall:.4}, missed {missed:#?}");
    }
}

/// Other words for the verbs and nouns of the generated catalogue, written before the search was.
const OTHER_WORDS: &[(&str, &[&str])] = &[
    ("analyze", &["examine", "study"]),
    ("inspect", &["look into", "check"]),
    ("list", &["enumerate", "show available parts of"]),
    ("read", &["get", "view"]),
    ("write", &["save", "store"]),
    ("delete", &["remove", "erase"]),
    ("search", &["find in", "look up in"]),
    ("export", &["exporting", "download"]),
    ("import", &["importing", "upload"]),
    ("decode", &["parse", "decoding"]),
    ("trace", &["track", "follow"]),
    ("diff", &["compare", "difference of"]),
    ("patch", &["modify", "patching"]),
    ("render", &["draw", "display"]),
    ("validate", &["verify", "check validity of"]),
    ("convert", &["transform", "conversion of"]),
];
const OTHER_NOUNS: &[(&str, &str)] = &[
    ("javascript_application", "js app"),
    ("sqlite_database", "sqlite db"),
    ("elf_binary", "ELF executable binaries"),
    ("network_capture", "captured network traffic"),
    ("certificate_chain", "chain of certificates"),
    ("http_session", "HTTP sessions"),
    ("android_package", "package for Android"),
    ("memory_dump", "dumped memory"),
    ("source_map", "map of sources"),
    ("wasm_module", "WASM modules"),
    ("container_image", "image of a container"),
    ("git_repository", "git repo"),
    ("font_file", "fonts"),
    ("pdf_document", "PDF"),
    ("registry_hive", "hive of the registry"),
    ("kernel_log", "logs of the kernel"),
];

#[test]
fn queries_in_other_words_find_tools_of_the_generated_catalogue() {
    let tools: Vec<_> = generated_tools(207, 668_000)
        .into_iter()
        .map(|whole| tool("rea", whole))
        .collect();
    let index = index(&tools);
    let mut queries: Vec<Vec<String>> = Vec::new();
    for (verb, verbs) in OTHER_WORDS {
        for (noun, nouns) in OTHER_NOUNS {
            let wanted = format!("{verb}_{noun}");
            if tools.iter().any(|tool| tool.definition.name == wanted) {
                for verb in *verbs {
                    queries.push(vec![format!("{verb} the {nouns}"), wanted.clone()]);
                }
            }
        }
    }
    assert_eq!(queries.len(), 414);
    let (recall, missed) = recall(&index, &serde_json::to_string(&queries).unwrap());
    println!("recall@5 {recall:.4} of {}; {missed:#?}", queries.len());
    assert!(recall >= 0.95, "recall@5 {recall:.4}, missed {missed:#?}");
}

#[test]
fn exact_names_come_first() {
    let tools = [
        named("a", "read_file", "Read."),
        named(
            "a",
            "read_file_lines",
            "read_file read_file read_file file lines.",
        ),
        named("b", "read_file", "Of another server."),
    ];
    let index = index(&tools);
    let public = |text: &str| -> Vec<String> {
        index
            .search(&query(text))
            .iter()
            .map(|hit| hit.tool.public_name.to_string())
            .collect()
    };
    for text in [
        "read_file",
        "READ_FILE",
        "call `read_file` for me please, read lines of files",
    ] {
        let mut first = public(text)[..2].to_vec();
        first.sort();
        assert_eq!(first, ["mcp__a__read_file", "mcp__b__read_file"], "{text}");
    }
    assert_eq!(public("mcp__b__read_file")[0], "mcp__b__read_file");
}

#[test]
fn names_split_at_marks_capitals_and_digits() {
    let cases: [(&str, &[&str]); 6] = [
        ("readFile2", &["read", "fil", "2"]),
        ("HTTPServer.get-URL", &["http", "serv", "get", "url"]),
        ("git_log", &["git", "log"]),
        ("读取文件 a 件", &["读取", "取文", "文件", "件"]),
        ("the files of a tree", &["fil", "tre"]),
        ("Ünïcode-Wörter", &["ünïcode", "wörter"]),
    ];
    for (text, expected) in cases {
        let mut found = Vec::new();
        words::each(text, &mut |word| found.push(word.to_owned()));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn forms_of_a_word_have_one_stem() {
    let groups = [
        "create creates created creating creation",
        "delete deletes deleted deleting deletion",
        "file files",
        "directory directories",
        "search searches searched searching",
        "list lists listed listing",
        "commit commits committed committing",
        "branch branches",
        "process processes processed processing",
        "query queries",
        "navigate navigates navigated navigating navigation",
    ];
    for group in groups {
        let stems: Vec<&str> = group.split(' ').map(words::stem).collect();
        assert!(
            stems.windows(2).all(|two| two[0] == two[1]),
            "{group}: {stems:?}"
        );
    }
    for (one, other) in [("string", "str"), ("status", "state"), ("release", "real")] {
        assert_ne!(words::stem(one), words::stem(other));
    }
}

#[test]
fn chinese_finds_chinese_and_english() {
    let index = public_servers();
    for (text, expected) in [
        ("周边搜索", "maps_around_search"),
        ("经纬度坐标", "maps_geo"),
        ("删除邮件", "delete_email"),
        ("列出分支", "git_branch"),
    ] {
        let hits = index.search(&query(text));
        assert!(
            names(&hits).contains(&expected),
            "{text}: {:?}",
            names(&hits)
        );
    }
}

#[test]
fn filters_limits_and_ties() {
    let tools = [
        named("b", "same_thing", "Equal."),
        named("a", "same_thing", "Equal."),
        tool(
            "a",
            json!({
                "name": "same_thing_too", "description": "Equal.", "inputSchema": { "type": "object" },
                "annotations": { "readOnlyHint": true },
            }),
        ),
    ];
    let index = index(&tools);
    assert_eq!(index.len(), 3);
    let hits = index.search(&query("thing"));
    let servers: Vec<&str> = hits.iter().map(|hit| hit.tool.server.as_str()).collect();
    assert_eq!(servers[..2], ["a", "b"]);
    let of = |server, risk, limit| {
        let asked = SearchQuery {
            server,
            risk,
            limit,
            ..query("thing")
        };
        index.search(&asked)
    };
    assert_eq!(of(Some("b"), None, 5).len(), 1);
    assert!(of(Some("c"), None, 5).is_empty());
    assert_eq!(names(&of(None, Some(Risk::Read), 5)), ["same_thing_too"]);
    assert_eq!(of(None, None, 1).len(), 1);
    for nothing in ["", "   ", "the of", "zzz", &"x".repeat(100_000)] {
        assert!(index.search(&query(nothing)).is_empty(), "{nothing:.20}");
    }
}

#[test]
fn one_server_is_replaced_without_the_others() {
    let tools = [
        named("a", "alpha_tool", "One."),
        named("b", "beta_tool", "Two."),
    ];
    let mut index = index(&tools);
    let before = index.clone();
    index.replace(&id("a"), &[named("a", "gamma_tool", "Three.")]);
    assert!(index.search(&query("alpha")).is_empty());
    assert_eq!(names(&index.search(&query("gamma"))), ["gamma_tool"]);
    assert_eq!(names(&index.search(&query("beta"))), ["beta_tool"]);
    assert_eq!(names(&before.search(&query("alpha"))), ["alpha_tool"]);
    index.replace(&id("a"), &[]);
    index.replace(&id("b"), &[]);
    assert!(index.is_empty());
    assert!(index.get("mcp__a__gamma_tool").is_none());
}

#[test]
fn an_index_holds_a_bounded_part_of_each_tool() {
    let described: String = (0..50_000).fold(String::new(), |mut text, at| {
        text.push_str(&letters(at));
        text.push(' ');
        text
    });
    let huge = tool(
        "a",
        json!({
            "name": "huge", "description": described, "inputSchema": { "type": "object" },
        }),
    );
    let index = index(&[huge]);
    assert_eq!(index.search(&query(&letters(5))).len(), 1);
    assert!(index.search(&query(&letters(49_999))).is_empty());
}

/// Writes a number in letters that no ending is cut from.
fn letters(number: u32) -> String {
    let digits = number.to_string();
    digits
        .bytes()
        .map(|digit| char::from(b"bcfghjkmpq"[usize::from(digit - b'0')]))
        .chain("wx".chars())
        .collect()
}

#[test]
fn close_names_are_found_for_wrong_ones() {
    let index = public_servers();
    assert_eq!(index.close_names("git_stauts", 1), ["mcp__git__git_status"]);
    assert_eq!(
        index.close_names("read_textfile", 1),
        ["mcp__fs__read_text_file"]
    );
    assert!(index.close_names("qqqqqq", 5).is_empty());
    assert!(index.close_names("", 5).is_empty());
}
