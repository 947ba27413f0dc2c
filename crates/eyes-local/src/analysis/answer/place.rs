//! Where something is, and whether it is there.

use eyes_evidence::geometry::PixelRect;

use super::{
    super::{
        Control, ControlKind, PanelKind,
        compose::{control_name, quote},
        rect::{middle_x, middle_y},
    },
    draft::{Draft, SHAPE},
    find::{Scope, touches},
    not_found,
    question::{Question, Thing},
};

/// A thing that fits the question.
pub(super) struct Found {
    pub words: String,
    pub rect: PixelRect,
    pub sure: f32,
    pub line: Option<usize>,
}

/// Tells whether a control is of a kind named in the question; true when none is named.
pub(super) fn of_kind(question: &Question, control: &Control) -> bool {
    let named = |thing: &Thing| match thing {
        Thing::Control(kind) => Some(*kind == control.kind),
        Thing::Input => Some(matches!(
            control.kind,
            ControlKind::Field | ControlKind::Dropdown
        )),
        _ => None,
    };
    let mut verdicts = question.things.iter().filter_map(named).peekable();
    verdicts.peek().is_none() || verdicts.any(|v| v)
}

fn names_control(question: &Question) -> bool {
    question
        .things
        .iter()
        .any(|t| matches!(t, Thing::Control(_) | Thing::Input))
}

/// Returns what fits the question: controls where a kind of control is named, otherwise text, otherwise
/// dialogs, tables, charts and icons by their kind.
pub(super) fn find(scope: &Scope<'_>, question: &Question) -> Vec<Found> {
    let control = |c: &Control| Found {
        words: control_name(c),
        rect: c.rect,
        sure: SHAPE,
        line: c.label_line,
    };
    let line = |l: usize| Found {
        words: format!("text {}", quote(&scope.lines[l].text)),
        rect: scope.lines[l].rect,
        sure: scope.lines[l].confidence,
        line: Some(l),
    };
    let name = question.subject.as_str();
    if names_control(question) {
        let found = scope.controls_named(name, |c| of_kind(question, c));
        if !found.is_empty() || name.is_empty() {
            return found.into_iter().map(control).collect();
        }
    }
    if !name.is_empty() {
        return scope.lines_named(name).into_iter().map(line).collect();
    }
    by_kind(scope, question)
}

fn by_kind(scope: &Scope<'_>, question: &Question) -> Vec<Found> {
    let layout = scope.layout;
    let shape = |words: &str, rect: PixelRect| Found {
        words: words.to_owned(),
        rect,
        sure: SHAPE,
        line: None,
    };
    let mut found = Vec::new();
    for thing in &question.things {
        match thing {
            Thing::Dialog => {
                let dialogs = layout.panels.iter().filter(|p| p.kind == PanelKind::Dialog);
                found.extend(dialogs.map(|p| shape("dialog", p.rect)));
            }
            Thing::Panel => {
                found.extend(layout.panels.iter().map(|p| shape(p.kind.name(), p.rect)));
            }
            Thing::Table => found.extend(layout.tables.iter().map(|t| shape("table", t.rect))),
            Thing::Icon => found.extend(layout.icons.iter().map(|i| shape("icon", i.rect))),
            Thing::Bar => {
                found.extend(layout.charts.iter().map(|c| shape("bar chart", c.rect)));
            }
            _ => {}
        }
    }
    found.retain(|f| touches(scope.area, f.rect));
    found
}

/// Returns a place in words: `x 10..90, y 20..40 px (upper left)`.
pub(super) fn place_words(scope: &Scope<'_>, r: PixelRect) -> String {
    let size = scope.layout.size;
    let third = |v: u32, whole: u32| (u64::from(v) * 3 / u64::from(whole)).min(2);
    let column = ["left", "centre", "right"][third(middle_x(r), size.width) as usize];
    let row = ["upper", "middle", "lower"][third(middle_y(r), size.height) as usize];
    let words = match (row, column) {
        ("middle", "centre") => "centre".to_owned(),
        _ => format!("{row} {column}"),
    };
    format!(
        "x {}..{}, y {}..{} px ({words})",
        r.x,
        r.right(),
        r.y,
        r.bottom()
    )
}

pub(super) fn locate<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let found = find(scope, question);
    if found.is_empty() {
        return not_found(scope, question);
    }
    let places: Vec<String> = found
        .iter()
        .take(8)
        .map(|f| format!("{} is at {}", f.words, place_words(scope, f.rect)))
        .collect();
    let mut draft = Draft::new(scope, format!("{}.", places.join("; ")));
    if found.len() > 1 {
        draft = draft.doubt(format!("{} things match", found.len()));
    }
    observed(draft, scope, question, found)
}

pub(super) fn presence<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let found = find(scope, question);
    let Some(first) = found.first() else {
        let mut draft = not_found(scope, question);
        draft.answer = format!("No, as far as this reader sees. {}", draft.answer);
        return draft;
    };
    let words = format!(
        "Yes: {} is at {}.",
        first.words,
        place_words(scope, first.rect)
    );
    observed(Draft::new(scope, words), scope, question, found)
}

fn observed<'a>(
    mut draft: Draft<'a>,
    scope: &Scope<'_>,
    question: &Question,
    found: Vec<Found>,
) -> Draft<'a> {
    if names_control(question) && found.iter().all(|f| f.words.starts_with("text ")) {
        draft = draft
            .doubt("the text is there, but no control of the kind asked for was recognised at it");
    }
    for f in found {
        let fact = format!("{} at {}", f.words, place_words(scope, f.rect));
        draft = draft.saw(fact, f.rect, f.sure);
        if let Some(line) = f.line {
            draft = draft.with(line);
        }
    }
    draft
}
