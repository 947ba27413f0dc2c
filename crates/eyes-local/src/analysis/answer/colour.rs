//! What colour something has.

use super::{
    super::{
        Colour,
        compose::{control_name, quote, share},
    },
    draft::{COLOUR, Draft},
    find::{Scope, best, fit},
    not_found,
    place::of_kind,
    question::{Question, Thing},
};

fn words(colour: Colour) -> String {
    format!("{} ({colour})", colour.name())
}

pub(super) fn colour<'a>(scope: &'a Scope<'a>, question: &Question) -> Draft<'a> {
    let has = |thing: Thing| question.things.contains(&thing);
    let on_control = question
        .things
        .iter()
        .any(|t| matches!(t, Thing::Control(_) | Thing::Input));
    if question.subject.is_empty() && !on_control && !has(Thing::Bar) {
        return if has(Thing::Text) && !has(Thing::Background) {
            texts(scope, &scope.order)
        } else if scope.partial && !has(Thing::Colours) {
            region(scope)
        } else {
            palette(scope, has(Thing::Background))
        };
    }
    control(scope, question, on_control)
        .or_else(|| bar(scope, question))
        .or_else(|| {
            let lines = scope.lines_named(&question.subject);
            (!lines.is_empty() && !question.subject.is_empty()).then(|| texts(scope, &lines))
        })
        .unwrap_or_else(|| not_found(scope, question))
}

fn control<'a>(scope: &'a Scope<'a>, question: &Question, asked: bool) -> Option<Draft<'a>> {
    let of_text = question.things.contains(&Thing::Text);
    if of_text && !asked {
        return None;
    }
    let found = scope.controls_named(&question.subject, |c| of_kind(question, c));
    if found.is_empty() || found.len() > 12 {
        return None;
    }
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for control in found {
        let name = control_name(control);
        let mut fact = format!("{name}: fill {}", words(control.fill));
        let text = control.value_line.or(control.label_line);
        let on_it = text.filter(|&l| super::find::touches(control.rect, scope.lines[l].rect));
        let text_colour = on_it.map(|l| scope.layout.styles[l].foreground);
        if let Some(colour) = text_colour {
            fact.extend([format!(", text {}", words(colour))]);
        }
        if let Some(border) = control.border {
            fact.extend([format!(", border {}", words(border))]);
        }
        parts.push(match (of_text, text_colour) {
            (true, Some(colour)) => format!("the text of the {name} is {}", words(colour)),
            _ => format!("the {name} is {}", words(control.fill)),
        });
        draft = draft.saw(fact, control.rect, COLOUR);
        if let Some(line) = on_it {
            draft = draft.with(line);
        }
    }
    draft.answer = sentence(&parts);
    Some(draft)
}

fn bar<'a>(scope: &'a Scope<'a>, question: &Question) -> Option<Draft<'a>> {
    let bars = scope.layout.charts.iter().flat_map(|c| &c.bars);
    let found = if question.subject.is_empty() {
        bars.collect()
    } else {
        best(bars.map(|b| {
            (
                b,
                b.label.as_deref().and_then(|l| fit(l, &question.subject)),
            )
        }))
    };
    if found.is_empty() || (question.subject.is_empty() && !question.things.contains(&Thing::Bar)) {
        return None;
    }
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for bar in found {
        let name = bar.label.as_deref().map(quote).unwrap_or_default();
        let fact = format!("the bar {name} is {}", words(bar.fill));
        draft = draft.saw(fact.clone(), bar.rect, COLOUR);
        parts.push(fact);
    }
    draft.answer = sentence(&parts);
    Some(draft)
}

fn texts<'a>(scope: &'a Scope<'a>, lines: &[usize]) -> Draft<'a> {
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for &line in lines {
        let style = scope.layout.styles[line];
        let fact = format!(
            "text {} is {} on {}, contrast {:.2}:1",
            quote(&scope.lines[line].text),
            words(style.foreground),
            words(style.background),
            style.contrast
        );
        if parts.len() < 8 {
            parts.push(fact.clone());
        }
        draft = draft.saw(fact, scope.lines[line].rect, COLOUR).with(line);
    }
    if parts.is_empty() {
        "No text was found there.".clone_into(&mut draft.answer);
        return draft;
    }
    draft.answer = sentence(&parts);
    draft.doubt("thin letters come out closer to their background than they were set")
}

fn palette<'a>(scope: &'a Scope<'a>, background_only: bool) -> Draft<'a> {
    let swatches = &scope.layout.palette;
    let shown = if background_only { 1 } else { swatches.len() };
    let mut parts = Vec::new();
    let mut draft = Draft::new(scope, "");
    for swatch in swatches.iter().take(shown) {
        let part = format!(
            "{} on {} of the image",
            words(swatch.colour),
            share(swatch.share)
        );
        draft = draft.saw(part.clone(), scope.area, COLOUR);
        parts.push(part);
    }
    let start = if background_only {
        "The prevailing colour, taken as the background, is"
    } else {
        "The prevailing colours are"
    };
    draft.answer = format!("{start} {}.", parts.join(", "));
    draft
}

/// A part of the picture without a name: what stands in it.
fn region<'a>(scope: &'a Scope<'a>) -> Draft<'a> {
    let inside = scope.controls().next().is_some();
    if inside {
        let any = Question {
            intent: super::Intent::Colour,
            things: Vec::new(),
            subject: String::new(),
            folded: String::new(),
        };
        if let Some(draft) = control(scope, &any, true) {
            return draft;
        }
    }
    let panel = scope
        .layout
        .panels
        .iter()
        .rev()
        .find(|p| super::super::rect::holds_centre(p.rect, scope.area));
    let styles = scope.order.iter().map(|&l| scope.layout.styles[l]);
    let mut parts: Vec<String> = Vec::new();
    let mut draft = Draft::new(scope, "");
    if let Some(panel) = panel {
        let fact = format!(
            "the {} around it is {}",
            panel.kind.name(),
            words(panel.fill)
        );
        draft = draft.saw(fact.clone(), panel.rect, COLOUR);
        parts.push(fact);
    }
    for style in styles {
        let fact = format!(
            "text is {} on {}",
            words(style.foreground),
            words(style.background)
        );
        if !parts.contains(&fact) && parts.len() < 8 {
            draft = draft.saw(fact.clone(), scope.area, COLOUR);
            parts.push(fact);
        }
    }
    if parts.is_empty() {
        return Draft::unanswered(
            scope,
            "The local reader cannot answer this for that region.",
            "no control, panel or text was found in the region; ask for the colours of the whole image",
        );
    }
    draft.answer = sentence(&parts);
    draft
}

fn sentence(parts: &[String]) -> String {
    let joined = parts.join("; ");
    let mut chars = joined.chars();
    let first: String = chars
        .next()
        .map(|c| c.to_uppercase().collect())
        .unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}
