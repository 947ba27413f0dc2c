//! `eyes ask`.

use eyes_router::vision::checked_question;
use eyes_runtime::{Executor, ReadAsk, error::RuntimeError};

use super::{Context, read};
use crate::{args::AskArgs, error::CliError, exit::Exit};

pub(super) fn run(args: &AskArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    checked_question(&args.question).map_err(RuntimeError::from)?;
    let (runtime, _) = context.compose(&args.look)?;
    let ask = ReadAsk {
        question: Some(args.question.clone()),
        region: args.region,
        ..ReadAsk::default()
    };
    let bytes = read::load(&args.image, &runtime, context.io.stdin)?;
    let outcome = Executor::new()?.block_on(runtime.read(bytes, &ask))?;
    let output = read::Output {
        overlay: args.overlay.as_deref(),
        out_dir: None,
    };
    read::show(0, &args.image, &outcome, output, context)?;
    context.done()
}
