//! `eyes schema` and `eyes explain`: what is published.

use eyes_evidence::{code::ErrorCode, schema};
use eyes_router::attempts::ATTEMPT_SCHEMA;
use eyes_runtime::{registry, settings::SETTINGS_SCHEMA};
use eyes_usage::{price::PRICE_TABLE_SCHEMA, view::USAGE_VIEW_SCHEMA};

use super::Context;
use crate::{
    codes,
    error::CliError,
    exit::Exit,
    json::{CLI_OUTPUT_SCHEMA, CodeOutput, CodesOutput, SchemaOutput, SchemasOutput},
    text::Tone,
};

/// Every code, this crate's included.
fn every_code() -> impl Iterator<Item = ErrorCode> {
    registry::error_codes().chain(codes::ALL.iter().copied())
}

pub(super) fn explain(name: &str, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let Some(code) = every_code().find(|code| code.as_str().eq_ignore_ascii_case(name)) else {
        return Err(CliError::UnknownCode {
            name: name.to_owned(),
            nearest: nearest(name),
        });
    };
    if context.is_json() {
        context.print_json(&CodeOutput::from(code))?;
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
        text: || schema::VISUAL_EVIDENCE_SCHEMA.to_owned(),
    },
    Published {
        name: "evidence-record",
        about: "JSON Schema of a sealed record, as `eyes read --format json` prints it",
        text: || schema::EVIDENCE_RECORD_SCHEMA.to_owned(),
    },
    Published {
        name: "parse-audit",
        about: "JSON Schema of what was done to a model's text",
        text: || schema::PARSE_AUDIT_SCHEMA.to_owned(),
    },
    Published {
        name: "audit-event",
        about: "JSON Schema of one audited call",
        text: || schema::AUDIT_EVENT_SCHEMA.to_owned(),
    },
    Published {
        name: "attempt",
        about: "JSON Schema of one attempt in the attempts log",
        text: || ATTEMPT_SCHEMA.to_owned(),
    },
    Published {
        name: "state-delta",
        about: "JSON Schema of what changed between two states",
        text: || schema::STATE_DELTA_SCHEMA.to_owned(),
    },
    Published {
        name: "run-report",
        about: "JSON Schema of the report of one run",
        text: || schema::RUN_REPORT_SCHEMA.to_owned(),
    },
    Published {
        name: "cli-output",
        about: "JSON Schema of every other line that --format json prints",
        text: || CLI_OUTPUT_SCHEMA.to_owned(),
    },
    Published {
        name: "settings",
        about: "JSON Schema of the settings file",
        text: || SETTINGS_SCHEMA.to_owned(),
    },
    Published {
        name: "usage-view",
        about: "JSON Schema of what was used, as `eyes usage show --format json` prints it",
        text: || USAGE_VIEW_SCHEMA.to_owned(),
    },
    Published {
        name: "price-table",
        about: "JSON Schema of a table of prices, TOML or JSON",
        text: || PRICE_TABLE_SCHEMA.to_owned(),
    },
    Published {
        name: "error-codes",
        about: "every error code with category, retry advice and hint",
        text: error_codes,
    },
];

fn error_codes() -> String {
    let codes = every_code().map(CodeOutput::from).collect();
    serde_json::to_string_pretty(&CodesOutput { codes }).expect("codes are plain texts")
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
            let output = |published: &Published| SchemaOutput {
                name: published.name,
                about: published.about,
            };
            let schemas = PUBLISHED.iter().map(output).collect();
            context.print_json(&SchemasOutput { schemas })?;
        }
        None => {
            for published in PUBLISHED {
                context.print(&format!("{:16} {}\n", published.name, published.about))?;
            }
        }
    }
    context.done()
}
