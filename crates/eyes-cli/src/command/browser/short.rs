//! Short forms of actions, as people type them.

use serde_json::{Value, json};

/// Reads a line: JSON as it is, else a short form.
pub(super) fn action(line: &str) -> Result<Value, String> {
    if line.starts_with('{') {
        return serde_json::from_str(line).map_err(|error| error.to_string());
    }
    let (name, rest) = cut(line);
    let rest = rest.trim();
    let needs = |what: &str| {
        if rest.is_empty() {
            Err(format!("{name} needs {what}"))
        } else {
            Ok(rest)
        }
    };
    Ok(match name {
        "open" => json!({"action": "open", "url": needs("an address")?}),
        "click" | "hover" | "check" | "uncheck" => {
            json!({"action": name, "ref": needs("a ref")?})
        }
        "type" | "select" => {
            let (reference, value) = cut(needs("a ref and a text")?);
            json!({"action": name, "ref": reference, "value": value.trim_start()})
        }
        "press" => json!({"action": "press", "key": needs("a key")?}),
        "scroll" => {
            let down: f64 = rest
                .parse()
                .map_err(|_| "scroll needs a number of pixels".to_owned())?;
            json!({"action": "scroll", "deltaY": down})
        }
        "wait" => json!({"action": "wait", "waitFor": "text", "expected": needs("a text")?}),
        _ if rest.is_empty() => json!({"action": name}),
        _ => {
            return Err(format!(
                "{name} has no short form with more words; write JSON"
            ));
        }
    })
}

fn cut(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::action;

    #[test]
    fn lines_become_actions() {
        for (line, expected) in [
            (
                "open http://a/",
                json!({"action": "open", "url": "http://a/"}),
            ),
            ("click e12", json!({"action": "click", "ref": "e12"})),
            (
                "type e3 two  words",
                json!({"action": "type", "ref": "e3", "value": "two  words"}),
            ),
            ("scroll -300", json!({"action": "scroll", "deltaY": -300.0})),
            ("observe", json!({"action": "observe"})),
            ("{\"action\": \"back\"}", json!({"action": "back"})),
        ] {
            assert_eq!(action(line), Ok(expected), "{line}");
        }
        for line in ["open", "click", "scroll far", "back twice", "{"] {
            assert!(action(line).is_err(), "{line}");
        }
    }
}
