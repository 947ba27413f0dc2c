//! Search over 1,000 tools, and making the exposure of 207, by wall time: `cargo bench -p eyes-mcp --features testing`.

use std::{sync::Arc, time::Duration};

use eyes_mcp::{
    catalog::CatalogTool,
    config::{ExposureMode, ServerConfig, ServerSettings, TransportKind},
    definition::ToolDefinition,
    exposure::{Exposure, ExposureInput, ServerTools},
    schema::{ArgumentSchema, SchemaProfile},
    search::{SearchIndex, SearchQuery},
    testing::generated_tools,
};

fn main() {
    divan::main();
}

fn server() -> ServerConfig {
    let settings = ServerSettings {
        command: Some("server".to_owned()),
        ..ServerSettings::new("rea", "REA", TransportKind::Stdio)
    };
    ServerConfig::from_settings(&settings, "servers[0]", Duration::from_secs(30))
        .expect("settings of a program are valid")
}

fn tools(count: usize, bytes: usize) -> Vec<Arc<CatalogTool>> {
    let server = server();
    generated_tools(count, bytes)
        .into_iter()
        .map(|whole| {
            let definition = ToolDefinition::parse(whole).expect("generated tools are tools");
            Arc::new(CatalogTool::new(&server.id, definition))
        })
        .collect()
}

#[divan::bench(args = [
    "read_elf_binary",
    "find text in a sqlite database",
    "show me how to export the captured network traffic with all details of every session please",
    "列出数据库里的表",
])]
fn search_1000_tools(bencher: divan::Bencher<'_, '_>, text: &str) {
    let mut index = SearchIndex::default();
    index.replace(&server().id, &tools(1_000, 1_000_000));
    bencher.bench_local(|| {
        index.search(&SearchQuery {
            text: divan::black_box(text),
            server: None,
            risk: None,
            limit: 5,
        })
    });
}

#[divan::bench]
fn index_207_tools(bencher: divan::Bencher<'_, '_>) {
    let tools = tools(207, 668_000);
    let id = server().id;
    bencher.bench_local(|| {
        let mut index = SearchIndex::default();
        index.replace(&id, &tools);
        index
    });
}

#[divan::bench(args = [ExposureMode::Inline, ExposureMode::Catalog])]
fn expose_207_tools(bencher: divan::Bencher<'_, '_>, mode: ExposureMode) {
    let tools = tools(207, 668_000);
    let server = server();
    bencher.bench_local(|| {
        Exposure::build(&ExposureInput {
            servers: &[ServerTools {
                server: &server,
                tools: &tools,
            }],
            max_tools: None,
            max_schema_tokens: None,
            context_tokens: None,
            mode,
            native_defer: false,
            profile: SchemaProfile::DeepSeek,
        })
    });
}

#[divan::bench]
fn compile_one_schema(bencher: divan::Bencher<'_, '_>) {
    let tools = tools(207, 668_000);
    bencher.bench_local(|| ArgumentSchema::compile(&tools[0].definition.input_schema));
}

#[divan::bench]
fn check_one_call(bencher: divan::Bencher<'_, '_>) {
    let tools = tools(207, 668_000);
    let schema = ArgumentSchema::compile(&tools[0].definition.input_schema)
        .expect("generated schemas compile");
    let mut arguments = serde_json::Map::new();
    arguments.insert("path".to_owned(), "/tmp/input".into());
    bencher.bench_local(|| schema.check(divan::black_box(&arguments)));
}
