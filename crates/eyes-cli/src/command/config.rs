//! `eyes config`: the settings as they are read here.

use eyes_runtime::settings::SETTINGS_SCHEMA;
use serde_json::Value;

use super::Context;
use crate::{args::ConfigCommand, error::CliError, exit::Exit, json::ConfigCheckOutput};

pub(super) fn run(
    command: &ConfigCommand,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    match command {
        ConfigCommand::Schema => context.print(SETTINGS_SCHEMA)?,
        ConfigCommand::Check => {
            let file = context.settings_file();
            context.settings()?;
            let path = file
                .filter(|file| file.path.exists())
                .map(|file| file.path.to_string_lossy().into_owned());
            if context.is_json() {
                context.print_json(&ConfigCheckOutput {
                    valid: true,
                    file: path,
                })?;
            } else {
                let file = path.unwrap_or_else(|| "no file, the defaults".to_owned());
                context.print(&format!("valid: {}\n", crate::text::safe(&file)))?;
            }
        }
        ConfigCommand::Show => {
            let document = Value::Object(context.settings()?.to_document());
            if context.is_json() {
                context.print_json(&document)?;
            } else {
                context.print(&format!("{document:#}\n"))?;
            }
        }
    }
    context.done()
}
