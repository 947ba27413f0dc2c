//! `eyes doctor`.

use eyes_runtime::{
    Executor,
    doctor::{Check, CheckOutcome, examine, examine_browser},
    settings::Settings,
};

use super::Context;
use crate::{
    error::CliError,
    exit::Exit,
    json::DoctorOutput,
    text::{Tone, safe},
};

pub(super) fn run(context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let settings = Settings::load(context.settings_file().as_ref(), context.environment);
    let data_dir = match &settings {
        Ok(settings) => context.data_dir(settings),
        Err(_) => None,
    };
    let checks = Executor::new()?.block_on(async {
        let mut checks = examine(settings.as_ref(), data_dir.as_deref()).await;
        if let Ok(settings) = &settings {
            let environment = context.environment;
            checks.push(examine_browser(settings, data_dir.as_deref(), environment).await);
        }
        checks
    });
    let output = DoctorOutput::of(&checks);
    if context.is_json() {
        context.print_json(&output)?;
    } else {
        for check in &checks {
            print(check, context)?;
        }
    }
    context.finish(if output.passed() {
        Exit::Done
    } else {
        Exit::No
    })
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
