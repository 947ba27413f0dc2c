//! Text, titles, error messages, and the value beside a label.

use eyes_evidence::geometry::PixelRect;

use super::{
    super::{
        Control, ControlKind, PanelKind, Table,
        compose::{control_name, is_alert, quote, state_words, title as title_line},
        rect::{gap_x, gap_y, middle_y, near, shared_columns, shared_rows},
        table::table_of,
    },
    draft::{Draft, SHAPE},
    find::{Fit, Scope, best, fit, touches},
    not_found,
    place::{find as find_things, of_kind},
    question::{Question, Thing},
};

pub(super) fn read<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let lines = asked_lines(scope, question);
    if lines.is_empty() {
        let mut draft = not_found(scope, question);
        if scope.order.is_empty() {
            "No text was found there.".clone_into(&mut draft.answer);
        }
        return draft;
    }
    let texts: Vec<&str> = lines.iter().map(|&l| scope.lines[l].text.trim()).collect();
    let mut draft = Draft::new(scope, texts.join("\n"));
    for line in lines {
        draft = draft.read(line);
    }
    draft
}

/// The lines a question to read means: those of the control, dialog or text named, otherwise all.
fn asked_lines(scope: &Scope<'_>, question: &Question) -> Vec<usize> {
    let asks_control = question
        .things
        .iter()
        .any(|t| matches!(t, Thing::Control(_) | Thing::Input));
    if asks_control {
        let found = scope.controls_named(&question.subject, |c| of_kind(question, c));
        return found
            .iter()
            .flat_map(|c| [c.label_line, c.value_line].into_iter().flatten())
            .collect();
    }
    if question.things.contains(&Thing::Dialog) {
        let dialogs = scope
            .layout
            .panels
            .iter()
            .filter(|p| p.kind == PanelKind::Dialog);
        let rects: Vec<PixelRect> = dialogs.map(|p| p.rect).collect();
        let inside = |l: &usize| rects.iter().any(|&r| touches(r, scope.lines[*l].rect));
        return scope.order.iter().copied().filter(inside).collect();
    }
    if question.subject.is_empty() {
        return scope.order.clone();
    }
    let named = scope.lines_named(&question.subject);
    if named.is_empty() && scope.partial {
        return scope.order.clone();
    }
    named
}

pub(super) fn title<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let line = title_line(scope.layout, scope.lines).filter(|l| scope.order.contains(l));
    match line {
        Some(line) => Draft::new(
            scope,
            format!("The title is {}.", quote(&scope.lines[line].text)),
        )
        .read(line)
        .doubt("the title is the first line of a dialog, or the tallest line of the upper part"),
        None => not_found(scope, question),
    }
}

pub(super) fn error<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let alerts: Vec<usize> = scope
        .order
        .iter()
        .copied()
        .filter(|&l| is_alert(&scope.lines[l].text))
        .collect();
    let all_codes: Vec<(usize, String)> = scope
        .order
        .iter()
        .flat_map(|&l| codes(&scope.lines[l].text).into_iter().map(move |c| (l, c)))
        .collect();
    let asks_code = ["code", "\u{4ee3}\u{7801}", "\u{9519}\u{8bef}\u{7801}"]
        .iter()
        .any(|word| question.folded.contains(word));
    if asks_code && !all_codes.is_empty() {
        let named: Vec<&str> = all_codes.iter().map(|(_, c)| c.as_str()).collect();
        let mut draft = Draft::new(
            scope,
            format!("Code as it stands in the text: {}.", named.join(", ")),
        );
        for (line, _) in &all_codes {
            draft = draft.read(*line);
        }
        return if all_codes.len() > 1 {
            draft.doubt("several texts have the form of a code")
        } else {
            draft
        };
    }
    if alerts.is_empty() || asks_code {
        return not_found(scope, question);
    }
    let quoted: Vec<String> = alerts
        .iter()
        .map(|&l| quote(&scope.lines[l].text))
        .collect();
    let mut draft = Draft::new(
        scope,
        format!(
            "Texts that name an error or a warning: {}.",
            quoted.join(", ")
        ),
    );
    for line in alerts {
        draft = draft.read(line);
    }
    draft
}

/// Words that have the form of an error code: `ERR_TIMED_OUT`, `E1024`, `0x80070005`, `ORA-00942`, and a
/// number after the word for error or code.
fn codes(text: &str) -> Vec<String> {
    let words: Vec<&str> = text
        .split(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '(' | ')'
                        | '['
                        | ']'
                        | ','
                        | ';'
                        | '"'
                        | '\u{ff1a}'
                        | ':'
                        | '\u{ff0c}'
                        | '\u{3002}'
                )
        })
        .map(|w| w.trim_matches(['.', '!', '?', '#']))
        .collect();
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let upper = word.chars().filter(char::is_ascii_uppercase).count();
        let digits = word.chars().filter(char::is_ascii_digit).count();
        let plain = word
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '_' | '-'));
        let constant = plain && upper >= 3 && word.contains('_') && word.len() >= 6;
        let numbered = plain && upper >= 1 && digits >= 3 && word.len() <= 16;
        let hex = word.starts_with("0x")
            && word.len() >= 4
            && word[2..].chars().all(|c| c.is_ascii_hexdigit());
        let before = at.checked_sub(1).map(|i| words[i].to_lowercase());
        let announced = before.is_some_and(|b| {
            [
                "error",
                "code",
                "status",
                "\u{4ee3}\u{7801}",
                "\u{9519}\u{8bef}",
                "\u{9519}\u{8bef}\u{7801}",
                "\u{9519}\u{8bef}\u{4ee3}\u{7801}",
            ]
            .iter()
            .any(|w| b.ends_with(w))
        });
        let number = announced && digits >= 2 && digits == word.chars().count();
        if constant || numbered || hex || number {
            out.push((*word).to_owned());
        }
    }
    out
}

pub(super) fn value<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    if question.things.contains(&Thing::Dialog) && question.subject.is_empty() {
        return read(scope, question);
    }
    let kind_only = question.subject.is_empty();
    if kind_only
        && !question
            .things
            .iter()
            .any(|t| matches!(t, Thing::Control(_) | Thing::Input))
    {
        return super::other(scope);
    }
    control_value(scope, question)
        .or_else(|| (!kind_only).then(|| cell(scope, question)).flatten())
        .or_else(|| (!kind_only).then(|| bar(scope, question)).flatten())
        .or_else(|| (!kind_only).then(|| beside(scope, question)).flatten())
        .unwrap_or_else(|| unvalued(scope, question))
}

/// The name is there without a value, or is not there.
fn unvalued<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let found = if question.subject.is_empty() {
        Vec::new()
    } else {
        find_things(scope, question)
    };
    if found.is_empty() {
        return not_found(scope, question);
    }
    let mut draft = Draft::new(
        scope,
        format!(
            "The local reader cannot answer this: it found {} and no value beside it.",
            quote(&question.subject)
        ),
    )
    .doubt(
        "a value is looked for in a field, a table, a chart, after a colon, to the right and below",
    );
    for f in found {
        draft = draft.saw(f.words, f.rect, f.sure);
        if let Some(line) = f.line {
            draft = draft.with(line);
        }
    }
    draft
}

fn control_value<'a>(scope: &'a Scope<'a>, question: &Question) -> Option<Draft<'a>> {
    let valued = |c: &Control| {
        let has = matches!(c.kind, ControlKind::Field | ControlKind::Dropdown) || c.state.is_some();
        has && of_kind(question, c)
    };
    let found = scope.controls_named(&question.subject, valued);
    if found.is_empty() {
        return None;
    }
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for control in found {
        let value = match (&control.value, control.state) {
            (Some(value), _) => quote(value),
            (None, Some(state)) => state_words(state),
            (None, None) => "empty".to_owned(),
        };
        let part = format!("{}: {value}", control_name(control));
        draft = draft.saw(part.clone(), control.rect, SHAPE);
        for line in [control.label_line, control.value_line]
            .into_iter()
            .flatten()
        {
            draft = draft.with(line);
        }
        parts.push(part);
    }
    draft.answer = format!("{}.", parts.join("; "));
    Some(draft)
}

/// A cell of a table: its row named by the first column or any cell of it, its column by the head.
fn cell<'a>(scope: &'a Scope<'a>, question: &Question) -> Option<Draft<'a>> {
    let mut tables = scope
        .layout
        .tables
        .iter()
        .filter(|t| touches(scope.area, t.rect) || touches(t.rect, scope.area));
    tables.find_map(|table| cell_of(scope, question, table))
}

fn cell_of<'a>(scope: &'a Scope<'a>, question: &Question, table: &Table) -> Option<Draft<'a>> {
    let header = table.header();
    let named = |text: &str| {
        !text.is_empty() && fit(&question.folded, &super::question::fold(text)).is_some()
    };
    let column = header.as_ref().and_then(|h| {
        let hits = h.iter().enumerate().filter(|(_, t)| named(t));
        hits.max_by_key(|(_, t)| t.chars().count())
            .map(|(at, _)| at)
    });
    let head = column.and_then(|c| header.as_ref().map(|h| super::question::fold(h[c])));
    let name = match &head {
        Some(head) => question.subject.replace(head.as_str(), " "),
        None => question.subject.clone(),
    };
    let rows = rows_named(table, usize::from(header.is_some()), name.trim(), &named);
    if rows.is_empty() || rows.len() > 20 {
        return None;
    }
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for &row in &rows {
        for (at, cell) in table.rows[row].iter().enumerate() {
            let wanted = column.is_none_or(|c| c == at);
            if !wanted || cell.text.is_empty() {
                continue;
            }
            let head = header
                .as_ref()
                .map(|h| format!("{} = ", quote(h[at])))
                .unwrap_or_default();
            let part = format!("row {}: {head}{}", row + 1, quote(&cell.text));
            let rect = table.cell_rect(row, at).unwrap_or(table.rect);
            draft = draft.saw(part.clone(), rect, SHAPE);
            for &line in &cell.lines {
                draft = draft.with(line);
            }
            parts.push(part);
        }
    }
    if parts.is_empty() {
        return None;
    }
    draft.answer = format!("{}.", parts.join("; "));
    if rows.len() > 1 {
        draft = draft.doubt(format!("{} rows match", rows.len()));
    }
    Some(draft)
}

/// The rows from `first` on whose first cell the question names; otherwise those with any such cell.
fn rows_named(
    table: &Table,
    first: usize,
    name: &str,
    named: &impl Fn(&str) -> bool,
) -> Vec<usize> {
    let fits = |text: &str| !text.is_empty() && (named(text) || fit(text, name).is_some());
    let of = |wanted: &dyn Fn(&[super::super::Cell]) -> bool| -> Vec<usize> {
        (first..table.rows.len())
            .filter(|&row| wanted(&table.rows[row]))
            .collect()
    };
    let whole = of(&|row| row.iter().any(|c| fit(&c.text, name) == Some(Fit::Whole)));
    if !whole.is_empty() {
        return whole;
    }
    let by_first = of(&|row| row.first().is_some_and(|c| fits(&c.text)));
    if !by_first.is_empty() {
        return by_first;
    }
    of(&|row| {
        row.iter()
            .any(|c| c.text.chars().count() > 1 && fits(&c.text))
    })
}

fn bar<'a>(scope: &'a Scope<'a>, question: &Question) -> Option<Draft<'a>> {
    let bars = scope.layout.charts.iter().flat_map(|c| &c.bars);
    let found = best(bars.map(|b| {
        (
            b,
            b.label.as_deref().and_then(|l| fit(l, &question.subject)),
        )
    }));
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for bar in found {
        let name = bar.label.as_deref().map(quote).unwrap_or_default();
        let part = match (&bar.value, bar.estimate) {
            (Some(value), _) => format!("the bar {name} has the value {value}"),
            (None, Some(estimate)) => {
                format!("the bar {name} reaches about {estimate:.1} by the axis")
            }
            (None, None) => continue,
        };
        draft = draft.saw(part.clone(), bar.rect, SHAPE);
        parts.push(part);
    }
    draft.answer = format!("{}.", parts.join("; "));
    (!parts.is_empty()).then_some(draft)
}

/// The value after a colon, to the right on the row, or directly below a label.
fn beside<'a>(scope: &'a Scope<'a>, question: &Question) -> Option<Draft<'a>> {
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for label in scope.lines_named(&question.subject).into_iter().take(8) {
        if let Some(value) = after_colon(&scope.lines[label].text, &question.subject) {
            let part = format!("{} in {}", quote(&value), quote(&scope.lines[label].text));
            draft = draft.read(label);
            parts.push(part);
            continue;
        }
        let Some((value, how)) = neighbour(scope, label) else {
            continue;
        };
        let (name, text) = (&scope.lines[label].text, &scope.lines[value].text);
        parts.push(format!("{} ({how} {})", quote(text), quote(name)));
        let sure = scope.lines[value].confidence.min(SHAPE);
        draft = draft
            .saw(
                format!("{} stands {how} {}", quote(text), quote(name)),
                scope.lines[value].rect,
                sure,
            )
            .with(label)
            .with(value);
    }
    draft.answer = format!("{}.", parts.join("; "));
    if parts.len() > 1 {
        draft = draft.doubt(format!("{} texts match the name", parts.len()));
    }
    (!parts.is_empty()).then_some(draft)
}

fn after_colon(text: &str, name: &str) -> Option<String> {
    let (label, value) = text.split_once([':', '\u{ff1a}', '='])?;
    let value = value.trim();
    (fit(label, name).is_some() && !value.is_empty()).then(|| value.to_owned())
}

fn neighbour(scope: &Scope<'_>, label: usize) -> Option<(usize, &'static str)> {
    let of = scope.lines[label].rect;
    let others = || scope.order.iter().copied().filter(|&l| l != label);
    let same_table = |l: usize| {
        table_of(&scope.layout.tables, of) == table_of(&scope.layout.tables, scope.lines[l].rect)
    };
    let right = others()
        .filter(|&l| {
            let r = scope.lines[l].rect;
            let level = shared_rows(r, of) * 2 >= r.height.min(of.height)
                && middle_y(r).abs_diff(middle_y(of)) * 2 <= r.height.max(of.height);
            level && r.x >= of.right() && same_table(l)
        })
        .min_by_key(|&l| gap_x(scope.lines[l].rect, of));
    if let Some(right) = right {
        return Some((right, "right of"));
    }
    let below = others().filter(|&l| {
        let r = scope.lines[l].rect;
        let aligned = near(r.x, of.x, 6) || shared_columns(r, of) * 10 >= r.width.min(of.width) * 8;
        r.y + 2 >= of.bottom() && aligned && gap_y(r, of) <= 2 * of.height.max(r.height)
    });
    below
        .min_by_key(|&l| gap_y(scope.lines[l].rect, of))
        .map(|l| (l, "below"))
}
