//! Writing an action as JSON, for events and replays.

use serde_json::{Map, Value, json};

use super::{Action, Condition, Input, Scrolling, TabAction, Target, ZoomArea, keys};
use crate::{
    assertion::AssertionKind,
    driver::{Bounds, Button, Key, KeyChord, Query, TypeMode},
};

/// Decides how what was typed, and who was meant, is written.
pub trait InputWriter {
    /// Writes a typed text.
    fn input(&mut self, input: &Input) -> Value;

    /// Writes a pressed key or chord.
    fn key(&mut self, chord: &KeyChord) -> Value;

    /// Writes a text that was compared or chosen.
    fn text(&mut self, text: &str) -> Value;

    /// Writes what a field was expected to hold.
    fn value(&mut self, text: &str) -> Value {
        self.text(text)
    }

    /// Writes a target.
    fn target(&mut self, target: &Target) -> Map<String, Value> {
        target_json(target)
    }
}

/// Writes a target as [`parse`](super::parse) reads it.
pub(crate) fn target_json(target: &Target) -> Map<String, Value> {
    let mut map = Map::new();
    let mut put = |name: &str, value: Value| {
        map.insert(name.to_owned(), value);
    };
    match target {
        Target::Ref(reference) => put("ref", json!(reference)),
        Target::Point(point) => {
            put("x", json!(point.x));
            put("y", json!(point.y));
        }
        Target::Search { query, nth } => {
            let exact = match query {
                Query::Css(selector) => {
                    put("selector", json!(selector));
                    false
                }
                Query::Role { role, name, exact } => {
                    put("role", json!(role));
                    if let Some(name) = name {
                        put("name", json!(name));
                    }
                    *exact
                }
                Query::Text { text, exact } => {
                    put("text", json!(text));
                    *exact
                }
                // Only made inside, from a ref.
                Query::Key(_) => false,
            };
            if exact {
                put("exact", json!(true));
            }
            if let Some(nth) = nth {
                put("nth", json!(nth));
            }
        }
    }
    map
}

/// Writes an action; texts and keys go through `writer`.
pub fn to_json(action: &Action, writer: &mut dyn InputWriter) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("action".to_owned(), json!(action.name().as_str()));
    if let Some(target) = target_of(action) {
        map.extend(writer.target(target));
    }
    let more = match action {
        Action::Batch(steps) => {
            let steps: Vec<Value> = steps
                .iter()
                .map(|step| {
                    let mut map = to_json(&step.action, writer);
                    if step.navigates {
                        map.insert("navigates".to_owned(), json!(true));
                    }
                    Value::Object(map)
                })
                .collect();
            json!({"steps": steps})
        }
        Action::Type { .. } | Action::Press { .. } | Action::KeyDown(_) | Action::KeyUp(_) => {
            typed(action, writer)
        }
        Action::Select { options, .. } => {
            let options: Vec<_> = options.iter().map(|text| writer.text(text)).collect();
            json!({"value": options})
        }
        Action::Dialog { accept, text } => {
            let op = if *accept { "accept" } else { "dismiss" };
            match text {
                None => json!({"op": op}),
                Some(text) => json!({"op": op, "value": writer.input(text)}),
            }
        }
        Action::Assert(expectation) => {
            let kind = expectation.kind.as_str();
            match &expectation.expected {
                None => json!({"assertion": kind}),
                Some(text) if expectation.kind == AssertionKind::ValueEquals => {
                    json!({"assertion": kind, "expected": writer.value(text)})
                }
                Some(text) => json!({"assertion": kind, "expected": writer.text(text)}),
            }
        }
        Action::Drag { to, .. } => json!({"to": writer.target(to)}),
        other => plain(other),
    };
    if let Value::Object(more) = more {
        map.extend(more);
    }
    map
}

/// Returns the one target that stands among the arguments.
pub(crate) const fn target_of(action: &Action) -> Option<&Target> {
    match action {
        Action::Click { at, .. } | Action::Hover { at } => Some(at),
        Action::Drag { from, .. } => Some(from),
        Action::Type { into: target, .. }
        | Action::Press { on: target, .. }
        | Action::Upload { target, .. }
        | Action::Scroll(Scrolling::By { over: target, .. }) => target.as_ref(),
        Action::Select { target, .. }
        | Action::Check { target, .. }
        | Action::Scroll(Scrolling::To(target))
        | Action::Wait(Condition::Visible(target) | Condition::Hidden(target)) => Some(target),
        Action::Assert(expectation) => expectation.target.as_ref(),
        _ => None,
    }
}

fn typed(action: &Action, writer: &mut dyn InputWriter) -> Value {
    let alone = |key: &Key| KeyChord {
        key: key.clone(),
        modifiers: crate::driver::Modifiers::default(),
    };
    match action {
        Action::Press { chord, .. } => json!({"key": writer.key(chord)}),
        Action::KeyDown(key) | Action::KeyUp(key) => json!({"key": writer.key(&alone(key))}),
        Action::Type {
            value,
            mode,
            submit,
            ..
        } => {
            let mode = match mode {
                TypeMode::Fill => "fill",
                TypeMode::Keys => "keys",
                TypeMode::Append => "append",
            };
            let mut map = json!({"value": writer.input(value), "mode": mode, "submit": submit});
            if let (Input::Literal(text), Value::Object(map)) = (value, &mut map)
                && text.is_secret()
            {
                map.insert("secret".to_owned(), json!(true));
            }
            map
        }
        _ => Value::Null,
    }
}

fn plain(action: &Action) -> Value {
    match action {
        Action::Open { url } => json!({"url": url}),
        Action::Observe(look) => {
            let mut map = Map::new();
            let mut put = |name: &str, value: Value| {
                if !value.is_null() && value != Value::Bool(false) {
                    map.insert(name.to_owned(), value);
                }
            };
            put("ref", json!(look.within));
            put("region", look.region.map_or(Value::Null, region));
            put("find", json!(look.find));
            put("wholeText", json!(look.whole_text));
            Value::Object(map)
        }
        Action::Click {
            button,
            count,
            modifiers,
            ..
        } => {
            let button = match button {
                Button::Left => "left",
                Button::Right => "right",
                Button::Middle => "middle",
            };
            let held: Vec<_> = keys::held(*modifiers).collect();
            if held.is_empty() {
                json!({"button": button, "count": count})
            } else {
                json!({"button": button, "count": count, "modifiers": held})
            }
        }
        Action::Upload { files, .. } => json!({"files": files}),
        Action::Scroll(Scrolling::By { dx, dy, .. }) => json!({"deltaX": dx, "deltaY": dy}),
        Action::Wait(condition) => waiting(condition),
        Action::Tabs(TabAction::List) => json!({"op": "list"}),
        Action::Tabs(TabAction::Switch(tab)) => json!({"op": "switch", "tab": tab.to_string()}),
        Action::Tabs(TabAction::Close(tab)) => json!({"op": "close", "tab": tab.to_string()}),
        Action::Zoom(ZoomArea::Region(bounds)) => json!({"region": region(*bounds)}),
        Action::Zoom(ZoomArea::Element(reference)) => json!({"ref": reference}),
        Action::Report { name: Some(name) } => json!({"reportName": name}),
        _ => Value::Null,
    }
}

fn region(bounds: Bounds) -> Value {
    json!([bounds.x, bounds.y, bounds.width, bounds.height])
}

fn waiting(condition: &Condition) -> Value {
    match condition {
        Condition::Text(text) => json!({"waitFor": "text", "expected": text}),
        Condition::Url(text) => json!({"waitFor": "url", "expected": text}),
        Condition::Visible(_) => json!({"waitFor": "visible"}),
        Condition::Hidden(_) => json!({"waitFor": "hidden"}),
        Condition::Idle => json!({"waitFor": "idle"}),
        Condition::Download => json!({"waitFor": "download"}),
        Condition::Time(time) => {
            json!({"waitFor": "timeout", "timeoutMs": time.as_millis() as u64})
        }
    }
}
