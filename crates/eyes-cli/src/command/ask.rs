//! `eyes ask`.

use std::slice;

use eyes_router::vision::checked_question;
use eyes_runtime::{Executor, ReadAsk, Runtime, error::RuntimeError};

use super::{Context, read};
use crate::{args::AskArgs, error::CliError, exit::Exit, html::Page};

pub(super) fn run(args: &AskArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    checked_question(&args.question).map_err(RuntimeError::from)?;
    read::check_page(args.html.as_deref(), slice::from_ref(&args.image))?;
    let (runtime, _) = context.compose(&args.look)?;
    let mut page = args.html.as_ref().map(|_| Page::default());
    let exit = match ask(args, &runtime, page.as_mut(), context) {
        Ok(()) => Exit::Done,
        Err(error) if error.is_broken_pipe() => return Err(error),
        Err(error) => {
            if let Some(page) = &mut page {
                page.fail(&args.image.to_string(), &error);
            }
            context.report(&error, None)
        }
    };
    read::write_page(args.html.as_deref(), page, context)?;
    context.finish(exit)
}

fn ask(
    args: &AskArgs,
    runtime: &Runtime,
    page: Option<&mut Page>,
    context: &mut Context<'_, '_>,
) -> Result<(), CliError> {
    let ask = ReadAsk {
        question: Some(args.question.clone()),
        region: args.region,
        ..ReadAsk::default()
    };
    let bytes = read::load(&args.image, runtime, context.io.stdin)?;
    let outcome = Executor::new()?.block_on(runtime.read(bytes, &ask))?;
    let output = read::Output {
        overlay: args.overlay.as_deref(),
        out_dir: None,
    };
    read::show(0, &args.image, &outcome, output, context)?;
    read::add_to(page, &args.image, &outcome)
}
