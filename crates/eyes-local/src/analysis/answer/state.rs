//! How many there are, and whether something is checked or on.

use super::{
    super::{
        Control, ControlKind, ControlState,
        compose::{control_name, quote, state_words},
    },
    draft::{Draft, SHAPE},
    find::{Scope, touches},
    not_found,
    place::of_kind,
    question::{Question, Thing},
};

/// Counts what is named: controls, rows, columns, tables, lines, icons, bars, or a text.
pub(super) fn count<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let by_rules = "only things with a plain shape are counted; others may be missing";
    let control = |t: &Thing| matches!(t, Thing::Control(_) | Thing::Input);
    if question.things.iter().any(control) {
        return count_controls(scope, question).doubt(by_rules);
    }
    let has = |thing: Thing| question.things.contains(&thing);
    if has(Thing::Row) || has(Thing::Column) {
        return table_shape(scope, question, has(Thing::Row));
    }
    let layout = scope.layout;
    let (what, rects): (&str, Vec<_>) = if has(Thing::Table) {
        ("table", layout.tables.iter().map(|t| t.rect).collect())
    } else if has(Thing::Icon) {
        ("icon", layout.icons.iter().map(|i| i.rect).collect())
    } else if has(Thing::Bar) {
        let bars = layout.charts.iter().flat_map(|c| &c.bars);
        ("bar", bars.map(|b| b.rect).collect())
    } else if !question.subject.is_empty() {
        return count_text(scope, question);
    } else if has(Thing::Line) || has(Thing::Text) {
        let lines = scope.order.iter().map(|&l| scope.lines[l].rect);
        ("line of text", lines.collect())
    } else {
        return not_found(scope, question);
    };
    let rects: Vec<_> = rects
        .into_iter()
        .filter(|&r| touches(scope.area, r))
        .collect();
    let words = format!("{} found: {}.", what, rects.len());
    let mut draft = Draft::new(scope, words).doubt(by_rules);
    for rect in rects {
        draft = draft.saw(what, rect, SHAPE);
    }
    draft
}

fn count_controls<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let states = asked_state(question);
    let wanted = |c: &Control| {
        of_kind(question, c) && states.is_none_or(|(set, _)| c.state.and_then(is_set) == Some(set))
    };
    let found: Vec<&Control> = scope.controls().filter(|c| wanted(c)).collect();
    let names: Vec<String> = found.iter().take(20).map(|c| control_name(c)).collect();
    let list = if names.is_empty() {
        String::new()
    } else {
        format!(": {}", names.join(", "))
    };
    let mut draft = Draft::new(scope, format!("{} found{list}.", found.len()));
    for control in found {
        draft = observed(draft, control);
    }
    draft
}

fn observed<'a>(draft: Draft<'a>, control: &Control) -> Draft<'a> {
    let mut fact = control_name(control);
    if let Some(state) = control.state {
        fact.extend([format!(": {}", state_words(state))]);
    }
    let draft = draft.saw(fact, control.rect, SHAPE);
    match control.label_line {
        Some(line) => draft.with(line),
        None => draft,
    }
}

fn table_shape<'a>(scope: &'a Scope<'a>, question: &Question, rows: bool) -> Draft<'a> {
    let tables: Vec<_> = scope
        .layout
        .tables
        .iter()
        .filter(|t| touches(scope.area, t.rect) || touches(t.rect, scope.area))
        .collect();
    if tables.is_empty() {
        return not_found(scope, question);
    }
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for table in tables {
        let (all, head) = (table.rows.len(), usize::from(table.header().is_some()));
        let part = if !rows {
            format!("the table has {} columns", table.columns())
        } else if head == 1 {
            format!(
                "the table has {} rows below its head, {all} rows with it",
                all - 1
            )
        } else {
            format!("the table has {all} rows")
        };
        draft = draft.saw(part.clone(), table.rect, SHAPE);
        parts.push(part);
    }
    draft.answer = format!("{}.", parts.join("; "));
    draft
}

fn count_text<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let name = super::find::bare(&question.subject);
    let hits = |l: usize| {
        super::find::bare(&scope.lines[l].text)
            .matches(&name)
            .count()
    };
    let lines: Vec<usize> = scope
        .order
        .iter()
        .copied()
        .filter(|&l| hits(l) > 0)
        .collect();
    let total: usize = lines.iter().map(|&l| hits(l)).sum();
    let mut draft = Draft::new(
        scope,
        format!(
            "The text {} was found {total} times, in {} lines.",
            quote(&question.subject),
            lines.len()
        ),
    )
    .doubt("occurrences of the text are counted, not things it may stand for");
    for line in lines {
        draft = draft.read(line);
    }
    draft
}

/// Whether a state counts as set; nothing for a bar or a dash.
const fn is_set(state: ControlState) -> Option<bool> {
    match state {
        ControlState::Checked | ControlState::On => Some(true),
        ControlState::Unchecked | ControlState::Off => Some(false),
        _ => None,
    }
}

/// The state a question names, as set or not set, with its word.
fn asked_state(question: &Question) -> Option<(bool, &'static str)> {
    const WORDS: &[(&str, bool)] = &[
        ("unchecked", false),
        ("not checked", false),
        ("not selected", false),
        ("turned off", false),
        ("switched off", false),
        ("disabled", false),
        ("\u{5173}\u{95ed}", false),
        ("\u{5173}\u{7740}", false),
        ("checked", true),
        ("ticked", true),
        ("selected", true),
        ("turned on", true),
        ("switched on", true),
        ("toggled", true),
        ("enabled", true),
        ("\u{9009}\u{4e2d}", true),
        ("\u{52fe}\u{9009}\u{4e86}", true),
        ("\u{52fe}\u{4e0a}", true),
        ("\u{5f00}\u{542f}", true),
        ("\u{542f}\u{7528}", true),
        ("\u{6253}\u{5f00}", true),
    ];
    let text = &question.folded;
    if text.contains("on or off") || text.contains("\u{5f00}\u{8fd8}\u{662f}\u{5173}") {
        return None;
    }
    WORDS
        .iter()
        .find(|(word, _)| text.contains(word))
        .map(|&(word, set)| (set, word))
        .or_else(|| {
            let ends = |word: &str| text.trim_end_matches(['?', ' ', '.']).ends_with(word);
            if ends(" off") {
                Some((false, "off"))
            } else {
                ends(" on").then_some((true, "on"))
            }
        })
}

/// Says whether a check box, a radio button or a toggle is set.
pub(super) fn state<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let with_state = |c: &Control| {
        let choice = matches!(
            c.kind,
            ControlKind::Checkbox | ControlKind::Radio | ControlKind::Toggle
        );
        choice && of_kind(question, c)
    };
    let mut found = scope.controls_named(&question.subject, with_state);
    if found.is_empty() {
        // "Is the checkbox X checked" may name a toggle: the name counts more than the kind.
        found = scope.controls_named(&question.subject, |c| c.state.and_then(is_set).is_some());
    }
    if found.is_empty() && question.folded.contains("state of") {
        // A text can name a state, as a cell of a table does.
        return super::value::value(scope, question);
    }
    if found.is_empty() {
        return stateless(scope, question);
    }
    let asked = asked_state(question).filter(|_| found.len() == 1);
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for control in &found {
        let state = control.state.map(state_words).unwrap_or_default();
        parts.push(format!("the {} is {state}", control_name(control)));
        draft = observed(draft, control);
    }
    let verdict = found.first().and_then(|c| c.state).and_then(is_set);
    let yes_no = match (asked, verdict) {
        (Some((wanted, _)), Some(set)) => {
            if wanted == set {
                "Yes: "
            } else {
                "No: "
            }
        }
        _ => "",
    };
    draft.answer = format!("{yes_no}{}.", parts.join("; "));
    if found.iter().any(|c| c.kind == ControlKind::Toggle) {
        draft = draft.doubt("a toggle is called on when its knob is at the right");
    }
    draft
}

/// A named thing without a state that shows in its shape.
fn stateless<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let found = super::place::find(scope, question);
    if found.is_empty() {
        return not_found(scope, question);
    }
    let reason = "no check box, radio button or toggle was recognised at it; whether a button or a menu \
         entry is enabled or chosen does not show in a way this reader can tell";
    let mut draft = Draft::new(
        scope,
        format!(
            "The local reader cannot tell the state of {}.",
            quote(&question.subject)
        ),
    )
    .doubt(reason);
    for f in found {
        draft = draft.saw(f.words, f.rect, f.sure);
        if let Some(line) = f.line {
            draft = draft.with(line);
        }
    }
    draft
}
