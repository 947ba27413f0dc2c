//! `eyes evidence prune`.

use std::num::NonZeroUsize;

use eyes_evidence::store::{EvidenceListing as _, EvidenceStore as _, StoreBounds};
use eyes_runtime::error::RuntimeError;

use super::{Context, open_store};
use crate::{args::PruneArgs, error::CliError, exit::Exit, json::PruneOutput};

pub(super) fn run(args: &PruneArgs, context: &mut Context<'_, '_>) -> Result<Exit, CliError> {
    let store = open_store(context)?;
    let bounds = StoreBounds {
        max_items: args.keep.map_or(usize::MAX, NonZeroUsize::get),
        max_bytes: args.max_bytes.unwrap_or(u64::MAX),
    };
    let gone = if args.dry_run {
        store.prunable(bounds)
    } else {
        let _whole = context.io.gate.enter();
        store.prune(bounds)
    }
    .map_err(RuntimeError::from)?;
    let mut left = store.usage().map_err(RuntimeError::from)?;
    if args.dry_run {
        left.items -= gone.items.min(left.items);
        left.bytes -= gone.bytes.min(left.bytes);
    }
    if context.is_json() {
        context.print_json(&PruneOutput::new(args.dry_run, gone, left))?;
    } else {
        let verb = if args.dry_run {
            "would remove"
        } else {
            "removed"
        };
        context.print(&format!(
            "{verb} {} records ({} bytes), {} left ({} bytes)\n",
            gone.items, gone.bytes, left.items, left.bytes
        ))?;
    }
    context.done()
}
