//! `eyes schema` and `eyes explain`: what is published.

use eyes_evidence::{code::ErrorCode, schema::VISUAL_EVIDENCE_SCHEMA};
use eyes_runtime::{registry, settings::SETTINGS_SCHEMA};
use serde_json::{Value, json};

use super::Context;
use crate::{codes, error::CliError, exit::Exit, text::Tone};

/// Every code, this crate's included.
fn every_code() -> impl Iterator<Item = ErrorCode> {
    registry::error_codes().chain(codes::ALL.iter().copied())
}

fn entry(code: ErrorCode) -> Value {
    let spec = code.spec();
    json!({
        "code": spec.name,
        "category": spec.category.name(),
        "retry": spec.retry.name(),
        "summary": spec.summary.trim(),
        "hint": spec.hint,
        "exit": Exit::from(spec.category).code(),
    })
}

pub(super) fn explain(name: &str, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let Some(code) = every_code().find(|code| code.as_str().eq_ignore_ascii_case(name)) else {
        return Err(CliError::UnknownCode {
            name: name.to_owned(),
            nearest: nearest(name),
        });
    };
    if context.is_json() {
        context.print_json(&entry(code))?;
        return context.done();
    }
    let spec = code.spec();
    let title = context.out.paint(Tone::Heading, spec.name).to_string();
    let exit = Exit::from(spec.category).code();
    context.print(&format!(
        "{title}\n  {}\n\n  what to do   {}\n  category     {}\n  try again    {}\n  exit code    {exit}\n",
        spec.summary.trim(),
        spec.hint,
        spec.category.name(),
        spec.retry.name(),
    ))?;
    context.done()
}

/// Finds the code that shares most words with `name`.
fn nearest(name: &str) -> Option<&'static str> {
    let upper = name.to_ascii_uppercase();
    let asked: Vec<&str> = upper.split(['_', '-', ' ']).collect();
    every_code()
        .map(|code| {
            let words = code.as_str().split('_');
            let shared = words.filter(|word| asked.contains(word)).count();
            (shared, code.as_str())
        })
        .filter(|(shared, _)| *shared > 0)
        // The first of equals, so that the answer does not depend on later codes.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, name)| name)
}

/// A published schema: name, what it is of, and its text.
struct Published {
    name: &'static str,
    about: &'static str,
    text: fn() -> String,
}

const PUBLISHED: &[Published] = &[
    Published {
        name: "visual-evidence",
        about: "JSON Schema of the evidence of one image, overview and answer",
        text: || VISUAL_EVIDENCE_SCHEMA.to_owned(),
    },
    Published {
        name: "settings",
        about: "JSON Schema of the settings file",
        text: || SETTINGS_SCHEMA.to_owned(),
    },
    Published {
        name: "error-codes",
        about: "every error code with category, retry advice and hint",
        text: error_codes,
    },
];

fn error_codes() -> String {
    let codes: Vec<Value> = every_code().map(entry).collect();
    format!("{:#}", json!({ "codes": codes }))
}

pub(super) fn schema(name: Option<&str>, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    match name {
        Some(name) => {
            let Some(found) = PUBLISHED.iter().find(|published| published.name == name) else {
                let names: Vec<&str> = PUBLISHED.iter().map(|p| p.name).collect();
                return Err(CliError::CommandLine(format!(
                    "no schema is named {name}; there are {}",
                    names.join(", ")
                )));
            };
            let text = (found.text)();
            context.print(text.trim_end())?;
            context.print("\n")?;
        }
        None if context.is_json() => {
            let names: Vec<Value> = PUBLISHED
                .iter()
                .map(|p| json!({ "name": p.name, "about": p.about }))
                .collect();
            context.print_json(&json!({ "schemas": names }))?;
        }
        None => {
            for published in PUBLISHED {
                context.print(&format!("{:16} {}\n", published.name, published.about))?;
            }
        }
    }
    context.done()
}
