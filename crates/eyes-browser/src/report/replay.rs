//! What repeats a run: a script whose secrets come from the environment alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::{
    action::{Action, Input, InputWriter, Ref, Target, keys, to_json},
    driver::{Key, KeyChord},
    secret::{KnownSecrets, RunKey},
    session::{Outcome, StepResult},
};

/// What a repeated step has to come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplayExpectation {
    /// Whether it did what was asked for.
    pub ok: bool,
    /// The code of its failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The verdict of an assertion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
}

impl ReplayExpectation {
    /// Reads what a result came to.
    pub fn of(result: &StepResult) -> Self {
        Self {
            ok: result.ok,
            code: result.code().map(|code| code.as_str().to_owned()),
            passed: match &result.outcome {
                Outcome::Assertion(record) => Some(record.passed),
                _ => None,
            },
        }
    }
}

/// One step to repeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReplayStep {
    /// The number of the step in its run.
    pub sequence: u64,
    /// The action as a script writes it; absent where it cannot be repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Value>,
    /// Why it cannot be repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_replayable: Option<String>,
    /// What it came to.
    pub expect: ReplayExpectation,
}

impl ReplayStep {
    pub(super) fn new(sequence: u64, action: Result<Value, String>, result: &StepResult) -> Self {
        let (action, not_replayable) = match action {
            Ok(action) => (Some(action), None),
            Err(why) => (None, Some(why)),
        };
        Self {
            sequence,
            action,
            not_replayable,
            expect: ReplayExpectation::of(result),
        }
    }
}

/// What the refs of an action stand for in another run: role, name, and which of several.
pub type Aimed = BTreeMap<Ref, Target>;

/// Writes actions for events: texts and single characters as digests under the run's key.
pub(crate) struct EventWriter<'a> {
    pub(crate) key: &'a RunKey,
    pub(crate) secrets: &'a KnownSecrets,
}

impl InputWriter for EventWriter<'_> {
    fn input(&mut self, input: &Input) -> Value {
        match input {
            Input::Literal(text) => json!(self.key.digest(text.expose()).to_string()),
            Input::Env(name) => json!({"env": name}),
        }
    }

    fn key(&mut self, chord: &KeyChord) -> Value {
        let held = chord.modifiers.control || chord.modifiers.alt || chord.modifiers.meta;
        match &chord.key {
            Key::Character(_) if !held => {
                json!(self.key.digest(&keys::chord_text(chord)).to_string())
            }
            _ => json!(keys::chord_text(chord)),
        }
    }

    fn text(&mut self, text: &str) -> Value {
        json!(self.secrets.clean(text))
    }

    fn value(&mut self, text: &str) -> Value {
        json!(self.key.digest(text).to_string())
    }
}

/// Writes actions so that a script repeats them.
struct ReplayWriter<'a> {
    aimed: &'a Aimed,
    secrets: &'a KnownSecrets,
    into_secret: bool,
    problem: Option<String>,
}

impl ReplayWriter<'_> {
    fn fail(&mut self, why: &str) {
        self.problem.get_or_insert_with(|| why.to_owned());
    }
}

impl InputWriter for ReplayWriter<'_> {
    fn input(&mut self, input: &Input) -> Value {
        match input {
            Input::Env(name) => json!({"env": name}),
            Input::Literal(text) if text.is_secret() || self.into_secret => {
                self.fail("a secret was given as a text; give it as {\"env\": NAME}");
                Value::Null
            }
            Input::Literal(text) => self.text(text.expose()),
        }
    }

    fn key(&mut self, chord: &KeyChord) -> Value {
        if self.into_secret && matches!(chord.key, Key::Character(_)) {
            self.fail("a key was pressed in a secret field");
        }
        json!(keys::chord_text(chord))
    }

    fn text(&mut self, text: &str) -> Value {
        if self.secrets.clean(text) != text {
            self.fail("a secret stands in it");
        }
        json!(text)
    }

    fn target(&mut self, target: &Target) -> Map<String, Value> {
        let found = match target {
            Target::Ref(reference) => self.aimed.get(reference),
            other => Some(other),
        };
        found.map_or_else(
            || {
                self.fail("its ref is of no element that can be named again");
                Map::new()
            },
            crate::action::target_json,
        )
    }
}

/// Writes an action as a script repeats it, or tells why it cannot be repeated.
///
/// `into_secret` tells that the field it goes to, or that has the focus, is secret.
pub(crate) fn replayable(
    action: &Action,
    aimed: &Aimed,
    secrets: &KnownSecrets,
    into_secret: bool,
) -> Result<Value, String> {
    let mut writer = ReplayWriter {
        aimed,
        secrets,
        into_secret,
        problem: None,
    };
    let mut map = to_json(action, &mut writer);
    if let Some(why) = writer.problem {
        return Err(why);
    }
    // Refs of looks and zooms are not targets of the writer.
    if map.contains_key("ref") {
        return Err("its ref is of no element that can be named again".to_owned());
    }
    map.shift_remove("secret");
    let text = Value::Object(map.clone()).to_string();
    if secrets.clean(&text) != text {
        return Err("a secret stands in it".to_owned());
    }
    Ok(Value::Object(map))
}
