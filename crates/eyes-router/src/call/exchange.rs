//! One exchange with one route: a call, and the same call again where that helps.

use eyes_evidence::code::{Coded, ErrorCode};
use tokio::time::{Instant, sleep};

use super::{
    answer::{Answer, collect_metered},
    budget::{Budget, Meter},
    retry::{Again, Failed, RetryPolicy},
};
use crate::{
    error::VisionError,
    model::GenerateRequest,
    ports::{ModelProvider, RandomSource},
    route::Route,
};

/// Whom to call, and under which bounds.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub(crate) provider: &'a dyn ModelProvider,
    pub(crate) route: &'a Route,
    pub(crate) random: &'a dyn RandomSource,
    pub(crate) budget: Budget,
    /// Tokens of this operation that the meter does not count.
    pub(crate) used_before: u64,
}

/// Asks until there is an answer or asking again does not help; `retried` is told each failure in between.
pub(crate) async fn exchange(
    line: Line<'_>,
    mut request: GenerateRequest,
    meter: &Meter,
    retried: &(dyn Fn(ErrorCode) + Sync),
) -> Result<Answer, VisionError> {
    let mut retries = RetryPolicy::default();
    let wanted = request.max_output_tokens;
    let mut unbounded = false;
    loop {
        let total = meter.total();
        let used = line
            .used_before
            .saturating_add(total.input)
            .saturating_add(total.output);
        let wanted = if unbounded { None } else { wanted };
        request.max_output_tokens = line.budget.output_tokens(wanted, used)?;
        let error = match call(line, request.clone(), meter).await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        let again = retries.decide(Failed {
            error: &error,
            bounded: wanted.is_some(),
            time_left: line.budget.time_left(Instant::now()),
            random: line.random.next_u64(),
        });
        if again == Again::No {
            return Err(error);
        }
        retried(error.code());
        match again {
            Again::After(wait) => sleep(wait).await,
            Again::Unbounded => unbounded = true,
            Again::Now | Again::No => {}
        }
    }
}

async fn call(
    line: Line<'_>,
    request: GenerateRequest,
    meter: &Meter,
) -> Result<Answer, VisionError> {
    meter.begin_call();
    let stream = line
        .provider
        .generate(request)
        .await
        .map_err(|source| VisionError::provider(line.route, source))?;
    collect_metered(line.route, stream, |usage| meter.report(usage)).await
}
