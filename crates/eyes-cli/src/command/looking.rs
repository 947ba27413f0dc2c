//! What every command that lets something look shares: settings, options, composition.

use eyes_router::route::Route;
use eyes_runtime::{
    Runtime, Surroundings,
    settings::{LocalDetail, Settings},
};

use super::Context;
use crate::{
    args::{Detail, LookArgs},
    error::CliError,
};

impl Context<'_, '_> {
    /// Composes what the settings and this command's options ask for, and tells of what is missing.
    pub(super) fn compose(&mut self, args: &LookArgs) -> Result<(Runtime, Settings), CliError> {
        let settings = self.settings()?;
        self.compose_with(args, settings, &[])
    }

    /// Does the same for final models that are to answer.
    pub(super) fn compose_with(
        &mut self,
        args: &LookArgs,
        mut settings: Settings,
        finals: &[Route],
    ) -> Result<(Runtime, Settings), CliError> {
        apply(args, &mut settings);
        let data_dir = self.data_dir(&settings);
        let runtime = Runtime::compose(
            &settings,
            Surroundings {
                data_dir: data_dir.as_deref(),
                environment: self.environment,
                gate: &self.io.gate,
                finals,
            },
        )?;
        for warning in runtime.warnings() {
            self.warn(warning)?;
        }
        Ok((runtime, settings))
    }
}

/// Lets the options weigh more than the settings.
fn apply(args: &LookArgs, settings: &mut Settings) {
    if args.no_store {
        settings.persistent_evidence = false;
        settings.vision_attempt_log = false;
        settings.usage_stats = false;
    }
    settings.vision.vision_consensus |= args.consensus;
    match args.detail {
        Some(Detail::Standard) => settings.local.detail = LocalDetail::Standard,
        Some(Detail::High) => settings.local.detail = LocalDetail::High,
        None => {}
    }
    if !args.routes.is_empty() {
        let vision = &mut settings.vision;
        vision.vision_provider = None;
        vision.vision_model = None;
        vision.vision_route_priority.clone_from(&args.routes);
        vision.auto_detect_vision = false;
    }
}
