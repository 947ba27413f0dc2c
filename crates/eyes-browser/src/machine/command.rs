//! From an action whose targets are found to the driver's command.

use std::path::PathBuf;

use url::Url;

use super::Refusal;
use crate::{
    action::{Action, Scrolling, TabAction, Target},
    driver::{Command, DialogAnswer, NodeTarget, ScrollSpec, Spot, TypedText},
};

/// What had to be looked up before an action can be done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resolved {
    /// Where its targets are, in the order of [`Draft::aims`](super::Draft::aims).
    pub spots: Vec<Spot>,
    /// What is typed.
    pub text: Option<TypedText>,
    /// The files that the rule admitted.
    pub files: Vec<PathBuf>,
}

/// The targets of an action, in order.
pub(super) fn targets(action: &Action) -> Vec<&Target> {
    let mut targets: Vec<&Target> = match action {
        Action::Wait(_) | Action::Assert(_) => Vec::new(),
        other => crate::action::target_of(other).into_iter().collect(),
    };
    if let Action::Drag { to, .. } = action {
        targets.push(to);
    }
    targets
}

fn node(spot: Option<Spot>) -> Result<NodeTarget, Refusal> {
    match spot {
        Some(Spot::Node(node)) => Ok(node),
        _ => Err(Refusal::NoMatch("a point; an element is needed".to_owned())),
    }
}

fn spot(spot: Option<Spot>) -> Result<Spot, Refusal> {
    spot.ok_or_else(|| Refusal::NoMatch("the target".to_owned()))
}

/// Reads an address; a missing scheme is an error that names it.
fn address(url: &str) -> Result<String, Refusal> {
    let parsed = Url::parse(url).map_err(|error| {
        Refusal::Address(format!(
            "open: `url` is no absolute address such as https://example.com/: {error}"
        ))
    })?;
    Ok(parsed.into())
}

pub(super) fn build(action: &Action, resolved: Resolved) -> Result<Command, Refusal> {
    let Resolved { spots, text, files } = resolved;
    let mut spots = spots.into_iter();
    Ok(match action {
        Action::Open { url } => Command::Navigate { url: address(url)? },
        Action::History(step) => Command::History(*step),
        Action::Hover { .. } => Command::Hover(spot(spots.next())?),
        Action::Click {
            button,
            count,
            modifiers,
            ..
        } => Command::Click {
            at: spot(spots.next())?,
            button: *button,
            count: *count,
            modifiers: *modifiers,
        },
        Action::Drag { .. } => Command::Drag {
            from: spot(spots.next())?,
            to: spot(spots.next())?,
        },
        Action::Select { options, .. } => Command::Select {
            target: node(spots.next())?,
            options: options.clone(),
        },
        Action::Check { checked, .. } => Command::Check {
            target: node(spots.next())?,
            checked: *checked,
        },
        Action::Upload { .. } => Command::Upload {
            target: spots.next().map(|spot| node(Some(spot))).transpose()?,
            files,
        },
        Action::Scroll(Scrolling::To(_)) => Command::Scroll(ScrollSpec::To(node(spots.next())?)),
        Action::Scroll(Scrolling::By { dx, dy, .. }) => Command::Scroll(ScrollSpec::By {
            over: spots.next(),
            dx: *dx,
            dy: *dy,
        }),
        Action::Dialog { accept, .. } => Command::Dialog(DialogAnswer {
            accept: *accept,
            text,
        }),
        Action::Tabs(TabAction::Switch(tab)) => Command::SwitchTab(*tab),
        Action::Tabs(TabAction::Close(tab)) => Command::CloseTab(*tab),
        Action::Pdf => Command::Pdf,
        other => return keyboard(other, spots.next(), text),
    })
}

fn keyboard(
    action: &Action,
    on: Option<Spot>,
    text: Option<TypedText>,
) -> Result<Command, Refusal> {
    Ok(match action {
        Action::Type { mode, submit, .. } => Command::Type {
            into: on,
            text: text.ok_or_else(|| Refusal::NoSecret(String::new()))?,
            mode: *mode,
            submit: *submit,
        },
        Action::Press { chord, .. } => Command::Press {
            on: on.map(|spot| node(Some(spot))).transpose()?,
            chord: chord.clone(),
        },
        Action::KeyDown(key) => Command::KeyDown(key.clone()),
        Action::KeyUp(key) => Command::KeyUp(key.clone()),
        other => {
            let name = other.name().as_str();
            return Err(Refusal::Address(format!("{name} is no command")));
        }
    })
}
