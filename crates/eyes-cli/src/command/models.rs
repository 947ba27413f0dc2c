//! `eyes models`.

use std::path::Path;

use eyes_runtime::models::{ModelSource, ModelStatus, install_small, list, wheel};

use super::Context;
use crate::{
    args::{InstallTier, ModelsCommand},
    error::CliError,
    exit::Exit,
    json::{InstallOutput, ModelOutput, ModelsOutput},
    text::safe,
};

pub(super) fn run(command: ModelsCommand, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let settings = context.settings()?;
    let data_dir = context.data_dir(&settings);
    match command {
        ModelsCommand::List => show(&list(data_dir.as_deref())?, context),
        ModelsCommand::Install {
            tier: InstallTier::Small,
            from,
        } => {
            let source = from.map_or(ModelSource::Pip, ModelSource::Wheel);
            install(data_dir.as_deref(), &source, context)
        }
    }
}

fn show(models: &[ModelStatus], context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let wheel = wheel()?;
    if context.is_json() {
        let output = |model: &'_ ModelStatus| ModelOutput {
            tier: model.tier.name(),
            bytes: model.bytes,
            installed: model.installed,
            directory: model
                .directory
                .as_ref()
                .map(|path| path.to_string_lossy().into_owned()),
        };
        context.print_json(&ModelsOutput {
            models: models.iter().map(output).collect(),
            wheel,
        })?;
        return context.done();
    }
    for model in models {
        let state = match (&model.directory, model.installed) {
            (None, _) => "embedded".to_owned(),
            (Some(directory), true) => {
                format!("installed in {}", safe(&directory.to_string_lossy()))
            }
            (Some(_), false) => format!("not installed; comes from {wheel}"),
        };
        let megabytes = model.bytes as f64 / 1e6;
        context.print(&format!(
            "{:6}  {megabytes:5.1} MB  {state}\n",
            model.tier.name()
        ))?;
    }
    context.done()
}

fn install(
    data_dir: Option<&Path>,
    source: &ModelSource,
    context: &mut Context<'_, '_>,
) -> Result<Exit, CliError> {
    let installed = install_small(data_dir, source)?;
    if context.is_json() {
        context.print_json(&InstallOutput {
            written: installed.written,
            kept: installed.kept,
        })?;
    } else {
        context.print(&format!(
            "small: {} files written, {} were there already; switch to it with tier = \"small\" under [local] in the settings\n",
            installed.written, installed.kept
        ))?;
    }
    context.done()
}
