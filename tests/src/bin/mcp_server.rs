//! An MCP server over standard streams whose tools stand in a file, for tests of what uses one.
//!
//! `mcp_server TOOLS.json`: every `tools/list` reads the file again. Its tools answer with their name and arguments;
//! one named `fail` answers with an error of its own.

use std::io::{BufRead as _, Write as _};

use serde_json::{Value, json};

fn main() {
    let tools = std::env::args().nth(1).expect("the file of tools");
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let Some(id) = message.get("id") else {
            continue;
        };
        let mut answer = json!({"jsonrpc": "2.0", "id": id});
        match answered(&message, &tools) {
            Some(result) => answer["result"] = result,
            None => answer["error"] = json!({"code": -32601, "message": "no such method"}),
        }
        writeln!(out, "{answer}")
            .and_then(|()| out.flush())
            .expect("a reader");
    }
}

fn answered(message: &Value, tools: &str) -> Option<Value> {
    let params = &message["params"];
    Some(match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
            "serverInfo": {"name": "mcp_server", "version": "1"},
        }),
        "ping" => json!({}),
        "tools/list" => {
            let text = std::fs::read_to_string(tools).expect("the file of tools");
            json!({"tools": serde_json::from_str::<Value>(&text).expect("JSON")})
        }
        "tools/call" => {
            let text = format!("{} {}", params["name"], params["arguments"]);
            json!({
                "content": [{"type": "text", "text": text}],
                "isError": params["name"] == "fail",
            })
        }
        "resources/list" => json!({"resources": [{"uri": "notes://one", "name": "One"}]}),
        "resources/templates/list" => json!({"resourceTemplates": []}),
        "resources/read" => {
            json!({"contents": [{"uri": params["uri"], "text": "what the note says"}]})
        }
        "prompts/list" => {
            json!({"prompts": [{"name": "greet", "arguments": [{"name": "who", "required": true}]}]})
        }
        "prompts/get" => json!({
            "messages": [{"role": "user", "content": {
                "type": "text", "text": format!("Greet {}", params["arguments"]["who"]),
            }}],
        }),
        _ => return None,
    })
}
