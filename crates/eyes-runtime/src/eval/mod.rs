//! Evaluation: how well what was read fits what stands in pictures whose content is known.
//!
//! A suite is a folder of pictures, each with `NAME.truth.json` beside it ([`Suite`]). [`Readout`] compares a
//! reading with one line of the truth, [`CaseReport`] sums up one picture and [`Totals`] all of them. Nothing here
//! reads pictures: the frontend runs the pipeline that it ships and hands the outcome in.

mod injection;
mod report;
mod score;
mod suite;
#[cfg(test)]
mod tests;

pub use injection::{Followed, InjectionReport, InjectionTruth};
pub use report::{
    Answered, BoxFigures, CaseReport, InjectionTotals, LatencyFigures, Miss, Outcome, TextFigures,
    TokenFigures, Totals,
};
pub use score::{Found, LineScore, Readout, union};
pub use suite::{Case, EvalError, Suite, Truth, TruthLine};
