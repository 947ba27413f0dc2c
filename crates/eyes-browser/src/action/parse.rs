//! Reading an action from JSON, strictly.

use std::{path::PathBuf, time::Duration};

use eyes_evidence::state::{StateId, Surface};
use serde_json::{Map, Value};

use super::{
    Action, ActionError, ActionName, Condition, Input, Look, Request, Scrolling, Step, TabAction,
    Target, ZoomArea, fields::Fields, keys,
};
use crate::{
    assertion::{AssertionKind, Expectation, Expected},
    driver::{Bounds, Button, History, Modifiers, Point, Query, TabId, TypeMode, TypedText},
    limits::{
        DEFAULT_WAIT, MAX_ACTION_BYTES, MAX_ACTION_TIMEOUT, MAX_BATCH_STEPS, MAX_NAME_CHARS,
        MAX_PATH_CHARS, MAX_QUERY_CHARS, MAX_TYPED_CHARS, MAX_UPLOAD_FILES, MAX_URL_CHARS,
    },
};

type Read<T> = Result<T, ActionError>;

/// Who writes the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseMode {
    /// A model or a program that looked at a state: it names the state that its action is grounded in.
    Grounded,
    /// A script that was written beforehand: each step is grounded in the state after the step before it.
    Script,
}

/// Reads the arguments of one call.
///
/// Every argument that the action does not take is refused by name. Errors: `BROWSER_ACTION_UNSUPPORTED`,
/// `BROWSER_ACTION_INVALID`, `BROWSER_WAIT_UNSUPPORTED`, `BROWSER_ASSERTION_UNSUPPORTED`.
pub fn parse(arguments: &Value, mode: ParseMode) -> Read<Request> {
    let (name, map) = opened(arguments)?;
    let mut fields = Fields::new(name.as_str(), map);
    let state = state_id(&mut fields)?;
    let image = fields.flag("image")?;
    let timeout = timeout(&mut fields)?;
    let action = action(name, &mut fields, timeout)?;
    if mode == ParseMode::Grounded && state.is_none() && action.needs_state() {
        return Err(fields.wrong("`stateId` is missing: pass the id of the newest state"));
    }
    fields.finish()?;
    Ok(Request {
        action,
        state,
        image,
        timeout,
    })
}

fn opened(arguments: &Value) -> Read<(ActionName, &Map<String, Value>)> {
    let wrong = |what: &str| ActionError::Argument {
        action: "browser",
        what: what.to_owned(),
    };
    let Value::Object(map) = arguments else {
        return Err(wrong("the arguments are not an object"));
    };
    if size(arguments) > MAX_ACTION_BYTES {
        return Err(wrong(&format!(
            "the arguments have more than {MAX_ACTION_BYTES} characters"
        )));
    }
    let Some(Value::String(name)) = map.get("action") else {
        return Err(wrong("`action` is missing"));
    };
    let name = ActionName::find(name)
        .ok_or_else(|| ActionError::Action(name.chars().take(40).collect()))?;
    Ok((name, map))
}

/// The size of the texts and names of a value, without writing it out.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(|v| size(v) + 1).sum(),
        Value::Object(map) => map.iter().map(|(k, v)| k.len() + size(v) + 4).sum(),
        _ => 8,
    }
}

fn state_id(fields: &mut Fields<'_>) -> Read<Option<StateId>> {
    let Some(text) = fields.text("stateId", 100)? else {
        return Ok(None);
    };
    let id: Option<StateId> = text.parse().ok();
    id.filter(|id| id.surface() == Surface::Browser)
        .map(Some)
        .ok_or_else(|| fields.wrong("`stateId` is no id of a browser's state"))
}

fn timeout(fields: &mut Fields<'_>) -> Read<Option<Duration>> {
    let most = MAX_ACTION_TIMEOUT.as_millis() as u64;
    Ok(fields
        .whole("timeoutMs", 1, most)?
        .map(Duration::from_millis))
}

fn action(name: ActionName, f: &mut Fields<'_>, timeout: Option<Duration>) -> Read<Action> {
    f.raw("action");
    Ok(match name {
        ActionName::Open => Action::Open {
            url: f.need("url", MAX_URL_CHARS)?,
        },
        ActionName::Observe => Action::Observe(look(f)?),
        ActionName::Click => click(f)?,
        ActionName::Hover => Action::Hover { at: need(f)? },
        ActionName::Drag => drag(f)?,
        ActionName::Type => typing(f)?,
        ActionName::Press => press(f)?,
        ActionName::KeyDown => Action::KeyDown(one_key(f)?),
        ActionName::KeyUp => Action::KeyUp(one_key(f)?),
        ActionName::Select => Action::Select {
            target: element(f)?,
            options: f
                .texts("value", MAX_UPLOAD_FILES, MAX_QUERY_CHARS)?
                .ok_or_else(|| f.missing("value"))?,
        },
        ActionName::Check | ActionName::Uncheck => Action::Check {
            target: element(f)?,
            checked: name == ActionName::Check,
        },
        ActionName::Upload => upload(f)?,
        ActionName::Scroll => Action::Scroll(scrolling(f)?),
        ActionName::Wait => Action::Wait(condition(f, timeout)?),
        ActionName::Dialog => dialog(f)?,
        ActionName::Tabs => Action::Tabs(tabs(f)?),
        ActionName::Back => Action::History(History::Back),
        ActionName::Forward => Action::History(History::Forward),
        ActionName::Reload => Action::History(History::Reload),
        ActionName::Zoom => Action::Zoom(zoom(f)?),
        ActionName::Pdf => Action::Pdf,
        ActionName::Assert => Action::Assert(expectation(f)?),
        ActionName::Report => Action::Report {
            name: f.text("reportName", 80)?,
        },
        ActionName::Close => Action::Close,
        ActionName::Batch => Action::Batch(steps(f)?),
    })
}

/// Reads what an action is about: one way of naming it, or none.
fn target(f: &mut Fields<'_>) -> Read<Option<Target>> {
    let reference = f.text("ref", 20)?;
    let selector = f.query("selector")?;
    let (role, name, text) = (f.query("role")?, f.query("name")?, f.query("text")?);
    let (x, y) = (f.number("x")?, f.number("y")?);
    let exact = f.flag("exact")?.unwrap_or(false);
    let nth = f.whole("nth", 1, u64::from(u32::MAX))?.map(|n| n as u32);
    let ways = usize::from(reference.is_some())
        + usize::from(selector.is_some())
        + usize::from(role.is_some() || name.is_some())
        + usize::from(text.is_some())
        + usize::from(x.is_some() || y.is_some());
    if ways > 1 {
        return Err(f.wrong(
            "name the target in one way: ref, selector, role with name, text, or x with y",
        ));
    }
    let search = |query| Some(Target::Search { query, nth });
    let found = if let Some(reference) = reference {
        let reference = reference
            .parse()
            .map_err(|_| f.wrong("`ref` is no ref such as e12"))?;
        Some(Target::Ref(reference))
    } else if let Some(selector) = selector {
        search(Query::Css(selector))
    } else if let Some(role) = role {
        search(Query::Role { role, name, exact })
    } else if let Some(text) = text.or(name) {
        search(Query::Text { text, exact })
    } else {
        point(f, x, y)?.map(Target::Point)
    };
    if nth.is_some() && !matches!(found, Some(Target::Search { .. })) {
        return Err(f.wrong("`nth` goes with selector, role or text"));
    }
    Ok(found)
}

fn point(f: &Fields<'_>, x: Option<f64>, y: Option<f64>) -> Read<Option<Point>> {
    match (x, y) {
        (None, None) => Ok(None),
        (Some(x), Some(y)) if x >= 0.0 && y >= 0.0 => Ok(Some(Point { x, y })),
        (Some(_), Some(_)) => Err(f.wrong("`x` and `y` are 0 or more")),
        _ => Err(f.wrong("`x` and `y` come together")),
    }
}

fn need(f: &mut Fields<'_>) -> Read<Target> {
    let target = target(f)?;
    target.ok_or_else(|| {
        f.wrong("a target is missing: ref, selector, role with name, text, or x with y")
    })
}

/// Reads a target that is an element and no point.
fn element(f: &mut Fields<'_>) -> Read<Target> {
    match need(f)? {
        Target::Point(_) => Err(f.wrong("`x` and `y` cannot name the target of it")),
        target => Ok(target),
    }
}

fn optional_element(f: &mut Fields<'_>) -> Read<Option<Target>> {
    match target(f)? {
        Some(Target::Point(_)) => Err(f.wrong("`x` and `y` cannot name the target of it")),
        target => Ok(target),
    }
}

fn look(f: &mut Fields<'_>) -> Read<Look> {
    let within = f.text("ref", 20)?.map(|text| text.parse());
    Ok(Look {
        within: within
            .transpose()
            .map_err(|_| f.wrong("`ref` is no ref such as e12"))?,
        region: region(f)?,
        find: f.query("find")?,
        whole_text: f.flag("wholeText")?.unwrap_or(false),
    })
}

fn region(f: &mut Fields<'_>) -> Read<Option<Bounds>> {
    let Some(value) = f.raw("region") else {
        return Ok(None);
    };
    let numbers: Vec<f64> = value
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_f64).collect())
        .unwrap_or_default();
    match (numbers.as_slice(), value.as_array().map(Vec::len)) {
        (&[x, y, width, height], Some(4))
            if x >= 0.0
                && y >= 0.0
                && width > 0.0
                && height > 0.0
                && numbers.iter().all(|n| *n <= 1e6) =>
        {
            Ok(Some(Bounds {
                x,
                y,
                width,
                height,
            }))
        }
        _ => Err(f.wrong("`region` is not [x, y, width, height] with a width and a height")),
    }
}

fn click(f: &mut Fields<'_>) -> Read<Action> {
    let buttons = [
        ("left", Button::Left),
        ("right", Button::Right),
        ("middle", Button::Middle),
    ];
    let mut modifiers = Modifiers::default();
    for name in f.texts("modifiers", 4, 20)?.unwrap_or_default() {
        keys::add(&mut modifiers, &name)
            .ok_or_else(|| f.wrong("`modifiers` are Alt, Control, Meta and Shift"))?;
    }
    Ok(Action::Click {
        at: need(f)?,
        button: f.word("button", &buttons)?.unwrap_or_default(),
        count: f.whole("count", 1, 3)?.unwrap_or(1) as u8,
        modifiers,
    })
}

fn drag(f: &mut Fields<'_>) -> Read<Action> {
    let from = need(f)?;
    let Some(Value::Object(map)) = f.raw("to") else {
        return Err(f.wrong("`to` is not an object that names a target"));
    };
    let mut inner = Fields::new("drag to", map);
    let to = need(&mut inner)?;
    inner.finish()?;
    Ok(Action::Drag { from, to })
}

/// Reads a text to type, which may be empty and is not trimmed, or a reference to the environment.
fn input(f: &mut Fields<'_>, secret: bool) -> Read<Option<Input>> {
    let text = match f.raw("value") {
        None => return Ok(None),
        Some(Value::String(text)) => text.clone(),
        Some(number @ (Value::Number(_) | Value::Bool(_))) => number.to_string(),
        Some(Value::Object(map)) => {
            let mut inner = Fields::new("value", map);
            let name = inner.need("env", MAX_NAME_CHARS)?;
            inner.finish()?;
            return Ok(Some(Input::Env(name)));
        }
        Some(_) => return Err(f.wrong("`value` is neither a text nor {\"env\": NAME}")),
    };
    if text.chars().nth(MAX_TYPED_CHARS).is_some() {
        return Err(f.wrong(format!(
            "`value` has more than {MAX_TYPED_CHARS} characters"
        )));
    }
    Ok(Some(Input::Literal(TypedText::new(text, secret))))
}

fn typing(f: &mut Fields<'_>) -> Read<Action> {
    let modes = [
        ("fill", TypeMode::Fill),
        ("keys", TypeMode::Keys),
        ("append", TypeMode::Append),
    ];
    let secret = f.flag("secret")?.unwrap_or(false);
    Ok(Action::Type {
        into: target(f)?,
        value: input(f, secret)?.ok_or_else(|| f.missing("value"))?,
        mode: f.word("mode", &modes)?.unwrap_or_default(),
        submit: f.flag("submit")?.unwrap_or(false),
    })
}

fn press(f: &mut Fields<'_>) -> Read<Action> {
    let text = f.need("key", 60)?;
    let chord = keys::chord(&text);
    Ok(Action::Press {
        on: optional_element(f)?,
        chord: chord
            .ok_or_else(|| f.wrong("`key` is no key such as Enter, Space, a, or Control+a"))?,
    })
}

fn one_key(f: &mut Fields<'_>) -> Read<crate::driver::Key> {
    let text = f.need("key", 60)?;
    keys::key(&text).ok_or_else(|| f.wrong("`key` is no single key such as Shift or a"))
}

fn upload(f: &mut Fields<'_>) -> Read<Action> {
    let files = f.texts("files", MAX_UPLOAD_FILES, MAX_PATH_CHARS)?;
    let files: Vec<PathBuf> = files
        .ok_or_else(|| f.missing("files"))?
        .into_iter()
        .map(PathBuf::from)
        .collect();
    if !files.iter().all(|file| file.is_absolute()) {
        return Err(f.wrong("`files` are absolute paths"));
    }
    Ok(Action::Upload {
        target: optional_element(f)?,
        files,
    })
}

fn scrolling(f: &mut Fields<'_>) -> Read<Scrolling> {
    let target = target(f)?;
    let (dx, dy) = (f.number("deltaX")?, f.number("deltaY")?);
    Ok(match (target, dx, dy) {
        (Some(Target::Point(point)), None, None) => Scrolling::By {
            over: Some(Target::Point(point)),
            dx: 0.0,
            dy: 600.0,
        },
        (Some(target), None, None) => Scrolling::To(target),
        (over, dx, dy) => Scrolling::By {
            over,
            dx: dx.unwrap_or(0.0),
            dy: dy.unwrap_or(if dx.is_some() { 0.0 } else { 600.0 }),
        },
    })
}

fn condition(f: &mut Fields<'_>, timeout: Option<Duration>) -> Read<Condition> {
    let kind = f.text("waitFor", 40)?;
    let kind = kind.as_deref().unwrap_or("timeout").to_ascii_lowercase();
    Ok(match kind.as_str() {
        "text" => Condition::Text(f.need("expected", MAX_QUERY_CHARS)?),
        "url" => Condition::Url(f.need("expected", MAX_QUERY_CHARS)?),
        "visible" => Condition::Visible(element(f)?),
        "hidden" => Condition::Hidden(element(f)?),
        "idle" | "networkidle" => Condition::Idle,
        "download" => Condition::Download,
        "timeout" => Condition::Time(timeout.unwrap_or(DEFAULT_WAIT)),
        other => return Err(ActionError::Wait(other.to_owned())),
    })
}

fn dialog(f: &mut Fields<'_>) -> Read<Action> {
    let accept = f.word("op", &[("accept", true), ("dismiss", false)])?;
    let accept = accept.ok_or_else(|| f.missing("op"))?;
    let secret = f.flag("secret")?.unwrap_or(false);
    let text = input(f, secret)?;
    if text.is_some() && !accept {
        return Err(f.wrong("`value` goes with accept only"));
    }
    Ok(Action::Dialog { accept, text })
}

fn tabs(f: &mut Fields<'_>) -> Read<TabAction> {
    let op = f.word("op", &[("list", 0), ("switch", 1), ("close", 2)])?;
    let tab = f.text("tab", 12)?;
    let tab = tab.map(|text| {
        let digits = text.strip_prefix('t').unwrap_or("");
        digits.parse().ok().map(TabId)
    });
    match (op.unwrap_or(0), tab) {
        (0, None) => Ok(TabAction::List),
        (0, Some(_)) => Err(f.wrong("`tab` goes with switch and close")),
        (_, None) => Err(f.missing("tab")),
        (_, Some(None)) => Err(f.wrong("`tab` is no tab such as t2")),
        (1, Some(Some(tab))) => Ok(TabAction::Switch(tab)),
        (_, Some(Some(tab))) => Ok(TabAction::Close(tab)),
    }
}

fn zoom(f: &mut Fields<'_>) -> Read<ZoomArea> {
    let reference = f.text("ref", 20)?;
    match (region(f)?, reference) {
        (Some(region), None) => Ok(ZoomArea::Region(region)),
        (None, Some(text)) => text
            .parse()
            .map(ZoomArea::Element)
            .map_err(|_| f.wrong("`ref` is no ref such as e12")),
        _ => Err(f.wrong("either `region` or `ref` is needed")),
    }
}

fn expectation(f: &mut Fields<'_>) -> Read<Expectation> {
    let text = f.need("assertion", 40)?;
    let kind = AssertionKind::find(&text).ok_or(ActionError::Assertion(text))?;
    let target = if kind.about_page() {
        None
    } else {
        Some(element(f)?)
    };
    let expected = match f.raw("expected") {
        None => None,
        Some(Value::String(text)) if text.chars().nth(MAX_TYPED_CHARS).is_none() => {
            Some(text.clone())
        }
        Some(Value::String(_)) => return Err(f.wrong("`expected` is too long")),
        Some(other) => Some(other.to_string()),
    };
    let expected = match (kind.takes(), expected) {
        (Expected::Nothing, None) => None,
        (Expected::Nothing, Some(_)) => {
            return Err(f.wrong(format!("{} takes no `expected`", kind.as_str())));
        }
        (_, None) => return Err(f.missing("expected")),
        (Expected::Count, Some(text)) if text.parse::<u32>().is_err() => {
            return Err(f.wrong("`expected` is not a number of elements"));
        }
        (_, expected) => expected,
    };
    Ok(Expectation {
        kind,
        target,
        expected,
    })
}

fn steps(f: &mut Fields<'_>) -> Read<Vec<Step>> {
    let Some(Value::Array(list)) = f.raw("steps") else {
        return Err(f.wrong("`steps` is not a list of actions"));
    };
    if list.is_empty() || list.len() > MAX_BATCH_STEPS {
        return Err(f.wrong(format!("`steps` has not 1 to {MAX_BATCH_STEPS} entries")));
    }
    list.iter().map(step).collect()
}

fn step(value: &Value) -> Read<Step> {
    let (name, map) = opened(value)?;
    let mut fields = Fields::new(name.as_str(), map);
    if matches!(
        name,
        ActionName::Batch | ActionName::Report | ActionName::Close
    ) {
        return Err(fields.wrong("it cannot be a step of a batch"));
    }
    if fields.raw("stateId").is_some() {
        return Err(fields.wrong("`stateId` stands once, beside `steps`"));
    }
    let navigates = fields.flag("navigates")?.unwrap_or(false);
    let timeout = timeout(&mut fields)?;
    let action = action(name, &mut fields, timeout)?;
    fields.finish()?;
    Ok(Step {
        action,
        navigates,
        timeout,
    })
}
