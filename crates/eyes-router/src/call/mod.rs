//! Calls to a model: shared, bounded, counted, and repeated where that helps.

mod answer;
mod budget;
mod exchange;
mod retry;
mod single_flight;
#[cfg(test)]
mod tests;

pub use answer::{Answer, AnswerCollector, collect};
pub(crate) use budget::{Budget, Meter};
pub(crate) use exchange::{Line, exchange};
pub(crate) use single_flight::SingleFlight;
