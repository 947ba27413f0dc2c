use std::path::Path;

use eyes_evidence::{code::Coded, schema::generate::check_published};
use schemars::JsonSchema as _;
use serde_json::Value;

use super::*;
use crate::{
    codes,
    environment::{Environment, Platform, SettingsFile},
};

fn refusal(text: &str) -> String {
    let error = Settings::parse(text).expect_err("refused");
    assert_eq!(error.code(), codes::SETTINGS_INVALID);
    error.to_string()
}

#[test]
fn an_empty_file_means_the_defaults() {
    let settings = Settings::parse("").expect("defaults");
    assert_eq!(settings, Settings::default());
    assert!(settings.local.enabled && settings.persistent_evidence);
}

const EVERY: &str = r#"
    dataDir = "/var/eyes"
    visionProvider = " hub "
    visionModel = "org/model"
    visionRoutePriority = ["local/eyes-tiny", { provider = "openai", model = "gpt-4.1" }]
    autoDetectVision = false
    visionFailoverAttempts = 0
    visionAttemptLogPath = false
    cacheDir = "/var/evidence"
    baseMaxTokens = 0
    visionZoom = "off"
    mcpEnabled = true
    mcpMaxTools = 8
    mcpArtifactDir = "/var/results"
    mcpPinsPath = false
    mcpAuditPath = "audit/mcp.jsonl"
    [providers.hub]
    kind = "openai-responses"
    baseUrl = "https://hub.example/v1"
    apiKeyEnv = "HUB_KEY"
    models = [{ id = "org/model", contextWindow = 32000 }]
    extraBody = { reasoning_effort = "low" }
    [network]
    idleTimeoutMs = 600000
    [local]
    enabled = false
    tier = "small"
    detail = "high"
    threads = 2
    [images]
    maxBytes = 1000
    maxSide = 100
    maxPixels = 5000
    [store]
    maxRecords = 7
    maxBytes = 1048576
    [[mcpServers]]
    id = "files"
    name = "Files"
    transport = "stdio"
    command = "npx"
    args = ["-y", "server-filesystem", ""]
    env = { TOKEN = { env = "FILES_TOKEN" } }
    allowedTools = ["read_*"]
    requireApproval = "all"
"#;

fn priority(settings: &Settings) -> Vec<String> {
    let routes = settings.vision.vision_route_priority.iter();
    routes.map(ToString::to_string).collect()
}

#[test]
fn reads_members_of_every_room() {
    let settings = Settings::parse(EVERY).expect("valid");
    assert_eq!(settings.data_dir.as_deref(), Some(Path::new("/var/eyes")));
    assert_eq!(settings.vision.vision_provider.as_deref(), Some("hub"));
    assert_eq!(settings.vision.vision_failover_attempts, 0);
    assert_eq!(settings.vision.vision_zoom, ZoomMode::Off);
    assert_eq!(priority(&settings), ["local/eyes-tiny", "openai/gpt-4.1"]);
    assert_eq!(settings.vision_attempt_log_path, Place::Nowhere);
    assert_eq!(settings.cache_dir, Place::At("/var/evidence".into()));
    assert_eq!(settings.local.tier, LocalTier::Small);
    assert_eq!(settings.images.max_pixels, Some(5000));
    assert_eq!(settings.mcp_artifact_dir, Place::At("/var/results".into()));
    assert_eq!(settings.mcp_pins_path, Place::Nowhere);
    assert_eq!(settings.mcp_audit_path, Place::At("audit/mcp.jsonl".into()));
    let mcp = settings.mcp().expect("valid");
    assert_eq!((mcp.enabled, mcp.max_tools), (true, Some(8)));
    assert_eq!(mcp.servers[0].tools.allow, ["read_*"]);
    let model = settings.providers["hub"].models[0].spec();
    assert_eq!(model.input.len(), 2);
}

#[test]
fn what_is_written_reads_back_the_same() {
    for text in ["", EVERY] {
        let settings = Settings::parse(text).expect("valid");
        let again = Settings::from_document(settings.to_document()).expect("valid");
        assert_eq!(again, settings);
    }
}

#[test]
fn json_and_toml_mean_the_same() {
    let toml = Settings::parse(EVERY).expect("valid");
    let json = serde_json::to_string(&toml.to_document()).expect("JSON");
    assert_eq!(Settings::parse_json(&json).expect("valid"), toml);
    let marked = format!("\u{feff}{json}");
    assert_eq!(Settings::parse_json(&marked).expect("valid"), toml);
    let twice = r#"{"visionModel": "a", "visionModel": "b"}"#;
    let error = Settings::parse_json(twice).expect_err("refused");
    assert_eq!(error.code(), codes::SETTINGS_INVALID);
}

#[test]
fn the_priority_list_is_read_in_every_form() {
    for text in [
        r#"visionRoutePriority = "a/x, b/y/z""#,
        "visionRoutePriority = \"a/x\\nb/y/z\\na/x\"",
        r#"visionRoutePriority = ["a/x", "b/y/z", "a/x"]"#,
        r#"visionRoutePriority = [{ provider = "a", model = "x" }, "b/y/z"]"#,
    ] {
        let settings = Settings::parse(text).expect(text);
        assert_eq!(priority(&settings), ["a/x", "b/y/z"], "{text}");
    }
}

#[test]
fn the_environment_weighs_more_than_the_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("eyes.json");
    let file = r#"{"visionProvider": "a", "visionModel": "m", "baseMaxTokens": 600}"#;
    std::fs::write(&path, file).expect("written");
    let variables = [
        ("DEEPSEEKEYES_VISION_PROVIDER", "b"),
        ("DEEPSEEKEYES_VISION_ROUTE_PRIORITY", "c/x,d/y"),
        ("DEEPSEEKEYES_CACHE_DIR", "off"),
    ];
    let variables = variables.map(|(name, value)| (name.into(), value.into()));
    let environment = Environment::new(variables, Platform::Unix);
    let settings = Settings::load(Some(&SettingsFile::named(path)), &environment).expect("valid");
    assert_eq!(settings.vision.vision_provider.as_deref(), Some("b"));
    assert_eq!(settings.vision.vision_model.as_deref(), Some("m"));
    assert_eq!(settings.vision.base_max_tokens, 600);
    assert_eq!(priority(&settings), ["c/x", "d/y"]);
    assert_eq!(settings.cache_dir, Place::Nowhere);
}

#[test]
fn variables_of_mcp_weigh_more_and_have_strict_forms() {
    let load = |name: &str, value: &str| {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("eyes.toml");
        std::fs::write(&path, "mcpMaxTools = 3\nmcpAudit = true\n").expect("written");
        let environment = Environment::new([(name.into(), value.into())], Platform::Unix);
        Settings::load(Some(&SettingsFile::named(path)), &environment)
    };
    let max_tools = load("DEEPSEEKEYES_MCP_MAX_TOOLS", "0").expect("valid");
    assert_eq!(max_tools.mcp().expect("valid").max_tools, None);
    let audit = load("DEEPSEEKEYES_MCP_AUDIT", "off").expect("valid");
    assert!(!audit.mcp().expect("valid").audit);
    let kept = load("DEEPSEEKEYES_MCP_ARTIFACT_DIR", "false").expect("valid");
    assert_eq!(kept.mcp_artifact_dir, Place::Nowhere);
    let error = load("DEEPSEEKEYES_MCP_MAX_TOOLS", "1e2").expect_err("refused");
    assert_eq!(error.code().as_str(), "MCP_CONFIG_INVALID");
    assert_eq!(
        error.to_string(),
        "setting DEEPSEEKEYES_MCP_MAX_TOOLS in the environment is no plain decimal number"
    );
    for variable in eyes_mcp::config::VARIABLES {
        assert!(VARIABLES.contains(&variable), "{variable:?}");
    }
}

#[test]
fn rules_of_mcp_servers_are_kept_and_no_value_is_shown() {
    let server =
        "[[mcpServers]]\nid = \"a\"\nname = \"A\"\ntransport = \"stdio\"\ncommand = \"c\"\n";
    for (line, start) in [
        (
            "args = [\"--password\", \"hunter2\"]",
            "setting mcpServers[0].args[0] holds a secret",
        ),
        (
            "env = { TOKEN = \"hunter2\" }",
            "setting mcpServers[0].env.TOKEN: ",
        ),
        ("env = \"hunter2\"", "setting mcpServers[0].env: "),
        ("colour = \"hunter2\"", "setting mcpServers[0].colour: "),
        (
            "url = \"https://hunter2.example\"",
            "setting mcpServers[0].url is not for servers",
        ),
    ] {
        let error = Settings::parse(&format!("{server}{line}\n")).expect_err("refused");
        assert_eq!(error.code().as_str(), "MCP_CONFIG_INVALID");
        assert!(error.to_string().starts_with(start), "{error}");
        assert!(!error.to_string().contains("hunter2") && !error.hint().is_empty());
    }
    assert!(refusal("mcpArtifactDir = true").starts_with("setting mcpArtifactDir: "));
}

#[test]
fn refuses_what_it_does_not_know_with_the_path() {
    for (text, path) in [
        ("colour = 1", "colour"),
        ("vision = {}", "vision"),
        ("[local]\ntiers = \"tiny\"", "local.tiers"),
        ("[local]\ntier = \"huge\"", "local.tier"),
        ("[local]\nthreads = 0", "local.threads"),
        ("[local]\nthreads = 65", "local.threads"),
        (
            "visionRoutePriority = [\"local/a\", \"b\"]",
            "visionRoutePriority[1]",
        ),
        ("visionRoutePriority = [1]", "visionRoutePriority[0]"),
        ("visionRoutePriority = 1", "visionRoutePriority"),
        ("activeProbe = 1", "activeProbe"),
        ("visionAttemptLimit = 9", "visionAttemptLimit"),
        ("cacheDir = true", "cacheDir"),
        ("[providers.x]\nbaseUrl = \"http://a\"", "providers.x.kind"),
        ("[providers.x]\nkind = \"openai\"", "providers.x.baseUrl"),
        (
            "[providers.openai]\napiKey = \"k\"",
            "providers.openai.apiKey",
        ),
        ("[providers.local]", "providers.local"),
        ("[network]\nidleTimeoutMs = 1", "network.idleTimeoutMs"),
        ("[images]\nmaxBytes = -1", "images.maxBytes"),
        ("[store]\nmaxRecords = 0", "store.maxRecords"),
        ("[store]\nmaxBytes = 1", "store.maxBytes"),
    ] {
        let message = refusal(text);
        assert!(
            message.starts_with(&format!("setting {path}: ")),
            "{text:?} gives {message:?}"
        );
    }
    for (text, name) in [
        ("visionFailoverAttempts = 9", "visionFailoverAttempts"),
        ("visionHealthTtlMs = 999", "visionHealthTtlMs"),
        ("baseMaxTokens = 511", "baseMaxTokens"),
        ("targetMaxTokens = 255", "targetMaxTokens"),
        ("visionModel = \"m\"", "visionModel"),
    ] {
        let message = refusal(text);
        let start = format!("setting {name} ");
        assert!(message.starts_with(&start), "{message}");
    }
}

#[test]
fn names_the_line_of_broken_toml() {
    let message = refusal("[local]\n\nenabled = = true");
    assert!(message.contains("line 3"), "{message}");
}

#[test]
fn a_file_that_was_named_has_to_exist() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("none.toml");
    let none = Environment::new([], Platform::Unix);
    let found = SettingsFile {
        path: path.clone(),
        required: false,
    };
    assert_eq!(
        Settings::load(Some(&found), &none).expect("defaults"),
        Settings::default()
    );
    let error = Settings::load(Some(&SettingsFile::named(path)), &none).expect_err("refused");
    assert_eq!(error.code(), codes::SETTINGS_UNAVAILABLE);
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/settings/settings.schema.json");
    let mut generator = schemars::SchemaGenerator::default();
    let rooms = [
        VisionSettings::json_schema(&mut generator),
        TurnSettings::json_schema(&mut generator),
        McpSettings::json_schema(&mut generator),
        BrowserSettings::json_schema(&mut generator),
    ];
    let mut schema = generator.into_root_schema_for::<Settings>();
    // The members of the rooms stand side by side.
    for room in rooms {
        let both = room
            .get("properties")
            .cloned()
            .zip(schema.get_mut("properties"));
        let Some((Value::Object(room), Value::Object(members))) = both else {
            panic!("settings have members");
        };
        members.extend(room);
    }
    check_published(&path, &schema);
}
