//! The committed schema is that of the types.

use std::path::Path;

use eyes_evidence::schema::generate::{check_published, schema_of};

use super::*;

/// One line of output.
#[derive(schemars::JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Line<'a> {
    Error(ErrorOutput<'a>),
    Warning(WarningOutput<'a>),
    Parse(ParseOutput<'a>),
    Verify(VerifyOutput<'a>),
    VerifyStore(VerifyStoreOutput<'a>),
    Doctor(DoctorOutput<'a>),
    Code(CodeOutput),
    Codes(CodesOutput),
    Schemas(SchemasOutput),
    Models(ModelsOutput<'a>),
    Install(InstallOutput),
    Routes(RoutesOutput),
    Probe(ProbeOutput<'a>),
    Health(HealthOutput),
    ConfigCheck(ConfigCheckOutput),
    Listed(ListedOutput<'a>),
    Prune(PruneOutput),
    Eval(EvalOutput<'a>),
    Answer(Box<AnswerOutput<'a>>),
    Data(DataOutput),
    Erasure(ErasureOutput),
    Reset(ResetOutput),
    McpServer(ServerOutput<'a>),
    McpTest(Box<TestOutput>),
    McpTool(ToolOutput<'a>),
    McpContent(ContentOutput<'a>),
    McpCall(CallOutput),
    McpApprove(ApproveOutput<'a>),
    McpDiff(DiffOutput<'a>),
    McpServe(ServeOutput<'a>),
    Browser(Box<BrowserOutput<'a>>),
    BrowserRun(RunOutput<'a>),
    BrowserReplay(ReplayOutput<'a>),
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/json/cli-output.schema.json");
    check_published(
        &path,
        &schema_of::<Line<'_>>("A line of eyes --format json"),
    );
}
