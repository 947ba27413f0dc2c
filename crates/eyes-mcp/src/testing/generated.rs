//! A large catalogue, made the same way every time.

use serde_json::{Map, Value, json};

const VERBS: [&str; 16] = [
    "analyze", "inspect", "list", "read", "write", "delete", "search", "export", "import",
    "decode", "trace", "diff", "patch", "render", "validate", "convert",
];
const NOUNS: [&str; 16] = [
    "javascript_application",
    "sqlite_database",
    "elf_binary",
    "network_capture",
    "certificate_chain",
    "http_session",
    "android_package",
    "memory_dump",
    "source_map",
    "wasm_module",
    "container_image",
    "git_repository",
    "font_file",
    "pdf_document",
    "registry_hive",
    "kernel_log",
];
const WORDS: [&str; 28] = [
    "path",
    "offset",
    "length",
    "format",
    "depth",
    "include",
    "exclude",
    "pattern",
    "limit",
    "cursor",
    "encoding",
    "recursive",
    "follow",
    "timeout",
    "region",
    "symbol",
    "section",
    "address",
    "function",
    "class",
    "field",
    "index",
    "filter",
    "order",
    "output",
    "detail",
    "context",
    "window",
];

/// Makes `count` tools as a server lists them, whose input schemas together have about `bytes` bytes.
///
/// With 207 tools and 668,000 bytes they are the catalogue on which other hosts were measured, and the digest of the
/// canonical form of `{"tools": [...]}` begins with `51490205`.
pub fn generated_tools(count: usize, bytes: usize) -> Vec<Value> {
    let mut random = Random(1);
    let per_tool = bytes as f64 / count as f64;
    let mut carry = 0.0;
    (0..count)
        .map(|at| {
            let mut tool = frame(at, &mut random);
            let target = per_tool + carry;
            fill(&mut tool["inputSchema"], target, &mut random);
            carry = target - size(&tool["inputSchema"]);
            tool
        })
        .collect()
}

/// Xorshift of 32 bits.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        f64::from(self.0) / 4_294_967_296.0
    }

    fn word(&mut self) -> &'static str {
        WORDS[(self.next() * WORDS.len() as f64) as usize]
    }

    fn sentence(&mut self, words: usize) -> String {
        let words: Vec<&str> = (0..words).map(|_| self.word()).collect();
        words.join(" ")
    }
}

fn frame(at: usize, random: &mut Random) -> Value {
    let verb = VERBS[at % VERBS.len()];
    let noun = NOUNS[at / VERBS.len() % NOUNS.len()];
    let suffix = if at >= VERBS.len() * NOUNS.len() {
        format!("_{at}")
    } else {
        String::new()
    };
    let words = noun.replace('_', " ");
    json!({
        "name": format!("{verb}_{noun}{suffix}"),
        "title": format!("{verb} {words}"),
        "description": format!("Use this to {verb} a {words}: {}.", random.sentence(12)),
        "inputSchema": {
            "type": "object",
            "properties": {
                "path": { "type": "string", "description": "Absolute path of the input." },
            },
            "required": ["path"],
            "additionalProperties": false,
        },
        "annotations": {
            "readOnlyHint": !["write", "delete", "patch", "import"].contains(&verb),
            "destructiveHint": verb == "delete",
            "idempotentHint": verb != "patch",
            "openWorldHint": false,
        },
    })
}

fn fill(schema: &mut Value, target: f64, random: &mut Random) {
    let mut number = 0;
    loop {
        let left = target - size(schema);
        if left <= 0.0 {
            return;
        }
        number += 1;
        let name = format!("{}_{number}", random.word());
        let words = ((left - 60.0) / 8.0).floor().clamp(1.0, 18.0);
        let description = random.sentence(words as usize);
        let kind = (random.next() * 4.0) as usize;
        schema["properties"][name.as_str()] = member(kind, &description, random);
        if left < 90.0 {
            return;
        }
    }
}

fn member(kind: usize, description: &str, random: &mut Random) -> Value {
    match kind {
        0 => {
            let first = random.word();
            let second = format!("{}_x", random.word());
            json!({ "type": "string", "description": description, "enum": [first, second, "auto"] })
        }
        1 => json!({
            "type": "integer", "minimum": 0, "maximum": 65_535, "description": description,
        }),
        2 => json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "key": { "type": "string" },
                    "value": { "type": ["string", "number", "null"] },
                },
            },
            "description": description,
        }),
        _ => {
            let mut properties = Map::new();
            properties.insert(
                random.word().to_owned(),
                json!({ "type": "boolean", "description": description }),
            );
            let mut nested = Map::new();
            nested.insert(random.word().to_owned(), json!({ "type": "string" }));
            properties.insert(
                "nested".to_owned(),
                json!({ "type": "object", "properties": nested }),
            );
            json!({ "type": "object", "properties": properties })
        }
    }
}

fn size(value: &Value) -> f64 {
    value.to_string().len() as f64
}

#[cfg(test)]
mod tests {
    use eyes_evidence::canonical::Canonical;
    use serde_json::json;

    use super::generated_tools;

    #[test]
    fn it_is_the_catalogue_that_was_measured_elsewhere() {
        let tools = generated_tools(207, 668_000);
        let digest = Canonical::of(&json!({ "tools": tools })).unwrap().digest();
        assert_eq!(
            digest.to_string(),
            "5149020558a1c34d1d0a509974cdcb9437a20fd50e15457170cb0e8dded77d5b"
        );
    }
}
