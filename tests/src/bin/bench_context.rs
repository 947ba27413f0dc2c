//! Measures the context budget: a long session of automation is estimated and bounded.
//!
//! `cargo xtask bench context SESSION [ROUNDS]`: `SESSION` is a JSON document `{system, tools, messages}` whose
//! messages have `role`, `source.kind` and blocks of the types `text`, `tool-call` and `tool-result`. Prints the
//! least and the median time of `ROUNDS` (201 unless said) on the wall clock, and by how much the texts of
//! `tests/fixtures/tokens` are misjudged.

use std::{
    collections::BTreeMap, fmt::Write as _, fs, hint::black_box, path::Path, process::ExitCode,
    time::Instant,
};

use eyes_router::{
    context::{ContextLimit, ContextRequest, bound, estimate},
    model::{ContentBlock, Role, ToolCall, ToolResult, ToolSpec},
    turn::{Attachment, Origin, TurnMessage},
};
use eyes_tests::program;
use serde_json::Value;

/// Limits that are measured, in tokens.
const LIMITS: [u64; 2] = [32_768, 250_000];

fn main() -> ExitCode {
    program(run)
}

fn run(arguments: &[String]) -> Result<String, String> {
    let (file, rounds) = match arguments {
        [file] => (file, 201),
        [file, rounds] => (file, rounds.parse().map_err(|_| "ROUNDS is a number")?),
        _ => return Err("usage: cargo xtask bench context SESSION [ROUNDS]".to_owned()),
    };
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let document: Value =
        serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    let session = Session::of(&document)?;
    let request = session.request();
    let mut table = format!(
        "{} messages, {} bytes\n{:<18}{:>10}{:>12}{:>10}{:>10}{:>10}\n",
        session.messages.len(),
        text.len(),
        "",
        "least ms",
        "median ms",
        "before",
        "after",
        "dropped"
    );
    let whole = || estimate::request_tokens(request.system, request.tools, request.messages);
    let (least, median) = measure(rounds, whole);
    let tokens = whole().0;
    let _infallible = writeln!(
        table,
        "{:<18}{least:>10.2}{median:>12.2}{tokens:>10}",
        "estimate"
    );
    for tokens in LIMITS {
        let limit = ContextLimit::new(tokens).ok_or("a limit is too small")?;
        let bounded = bound(&request, limit).map_err(|error| error.to_string())?;
        let (least, median) = measure(rounds, || bound(&request, limit));
        let _infallible = writeln!(
            table,
            "{:<18}{least:>10.2}{median:>12.2}{:>10}{:>10}{:>10}",
            format!("bound to {tokens}"),
            bounded.before.0,
            bounded.after.0,
            bounded.dropped
        );
    }
    table.push_str(&misjudged()?);
    Ok(table)
}

/// Tells the estimate of each fixture beside its true count.
fn misjudged() -> Result<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tokens");
    let read = |name: &str| {
        fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let counts: BTreeMap<String, u64> =
        serde_json::from_str(&read("counts.json")?).map_err(|error| error.to_string())?;
    let mut table = format!(
        "{:<28}{:>10}{:>10}{:>10}\n",
        "text", "counted", "estimate", "per cent"
    );
    let mut sum = 0.0;
    for (name, &counted) in &counts {
        let estimate = estimate::text_tokens(&read(name)?);
        let off = (estimate as f64 / counted as f64 - 1.0) * 100.0;
        sum += off.abs();
        let _infallible = writeln!(table, "{name:<28}{counted:>10}{estimate:>10}{off:>+10.1}");
    }
    let mean = sum / counts.len() as f64;
    let _infallible = writeln!(table, "mean of the amounts{mean:>39.1}");
    Ok(table)
}

/// Returns the least and the median time in milliseconds.
fn measure<T>(rounds: usize, work: impl Fn() -> T) -> (f64, f64) {
    let once = |_| {
        let start = Instant::now();
        drop(black_box(work()));
        start.elapsed().as_secs_f64() * 1000.0
    };
    let mut times: Vec<f64> = (0..rounds.max(1)).map(once).collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[times.len() / 2])
}

struct Session {
    system: String,
    tools: Vec<ToolSpec>,
    messages: Vec<TurnMessage>,
}

impl Session {
    fn of(document: &Value) -> Result<Self, String> {
        let list = |name: &str| {
            let list = document[name].as_array();
            list.ok_or_else(|| format!("the session has no {name}"))
        };
        let tool = |tool: &Value| ToolSpec {
            name: text(&tool["name"]),
            description: text(&tool["description"]),
            parameters: tool["parameters"].clone(),
        };
        let messages = list("messages")?.iter().map(message);
        Ok(Self {
            system: text(&document["system"]),
            tools: list("tools")?.iter().map(tool).collect(),
            messages: messages.collect::<Result<_, _>>()?,
        })
    }

    fn request(&self) -> ContextRequest<'_> {
        ContextRequest {
            system: Some(&self.system),
            tools: &self.tools,
            messages: &self.messages,
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn message(value: &Value) -> Result<TurnMessage, String> {
    Ok(TurnMessage {
        id: value["id"].as_str().map(str::to_owned),
        origin: if value["source"]["kind"] == "plugin" {
            Origin::Injected
        } else {
            Origin::Direct
        },
        role: if value["role"] == "assistant" {
            Role::Assistant
        } else {
            Role::User
        },
        content: blocks(&value["content"])?,
    })
}

fn blocks(content: &Value) -> Result<Vec<ContentBlock<Attachment>>, String> {
    let blocks = content.as_array().ok_or("a message has no content")?;
    blocks.iter().map(block).collect()
}

fn block(value: &Value) -> Result<ContentBlock<Attachment>, String> {
    Ok(match value["type"].as_str() {
        Some("text") => ContentBlock::Text(text(&value["text"])),
        Some("tool-call") => ContentBlock::ToolCall(ToolCall {
            id: text(&value["id"]),
            name: text(&value["name"]),
            arguments: text(&value["arguments"]),
        }),
        Some("tool-result") => ContentBlock::ToolResult(ToolResult {
            call_id: text(&value["toolCallId"]),
            tool_name: value["toolName"].as_str().map(str::to_owned),
            is_error: value["isError"] == true,
            content: blocks(&value["content"])?,
        }),
        kind => return Err(format!("a block is of the type {kind:?}")),
    })
}
