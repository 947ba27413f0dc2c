//! `eyes doctor`.

use eyes_runtime::{
    doctor::{Check, CheckOutcome, examine},
    settings::Settings,
};
use serde_json::{Value, json};

use super::Context;
use crate::{
    error::CliError,
    exit::Exit,
    text::{Tone, safe},
};

pub(super) fn run(context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let settings = Settings::load(context.settings_file().as_ref());
    let data_dir = match &settings {
        Ok(settings) => context.data_dir(settings),
        Err(_) => None,
    };
    let checks = pollster::block_on(examine(settings.as_ref(), data_dir.as_deref()));
    let passed = checks
        .iter()
        .all(|check| check.outcome != CheckOutcome::Failed);
    if context.is_json() {
        let checks: Vec<Value> = checks.iter().map(value).collect();
        context.print_json(&json!({ "passed": passed, "checks": checks }))?;
    } else {
        for check in &checks {
            print(check, context)?;
        }
    }
    context.finish(if passed { Exit::Done } else { Exit::No })
}

fn value(check: &Check) -> Value {
    let mut value = json!({
        "id": check.id,
        "outcome": check.outcome.name(),
        "detail": check.detail,
    });
    if let Some(hint) = &check.hint {
        value["hint"] = json!(hint);
    }
    value
}

fn print(check: &Check, context: &mut Context<'_, '_>) -> Result<(), CliError> {
    let (mark, tone) = match check.outcome {
        CheckOutcome::Failed => ("FAIL", Tone::Bad),
        CheckOutcome::Skipped => ("skip", Tone::Dim),
        _ => ("ok  ", Tone::Good),
    };
    let mark = context.out.paint(tone, mark).to_string();
    context.print(&format!(
        "{mark}  {:14}  {}\n",
        check.id,
        safe(&check.detail)
    ))?;
    if let Some(hint) = &check.hint {
        context.print(&format!("      {:14}  hint: {}\n", "", safe(hint)))?;
    }
    Ok(())
}
