//! Equal work that is wanted at the same time is done once.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Mutex, PoisonError},
};

use futures_util::{
    FutureExt,
    future::{Shared, WeakShared},
};

use crate::ports::BoxFuture;

/// Work in progress by key.
///
/// A caller that stops waiting stops nobody else; the last one to stop waiting stops the work.
pub(crate) struct SingleFlight<K, T: Clone> {
    flights: Mutex<BTreeMap<K, WeakShared<BoxFuture<'static, T>>>>,
}

impl<K: Ord, T: Clone> SingleFlight<K, T> {
    pub(crate) const fn new() -> Self {
        Self {
            flights: Mutex::new(BTreeMap::new()),
        }
    }

    /// Joins the work under `key`, or starts it.
    pub(crate) fn join(
        &self,
        key: K,
        start: impl FnOnce() -> BoxFuture<'static, T>,
    ) -> Shared<BoxFuture<'static, T>> {
        let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        flights.retain(|_, flight| {
            flight
                .upgrade()
                .is_some_and(|flight| flight.peek().is_none())
        });
        if let Some(flight) = flights.get(&key).and_then(WeakShared::upgrade) {
            return flight;
        }
        let flight = start().shared();
        if let Some(weak) = flight.downgrade() {
            flights.insert(key, weak);
        }
        flight
    }
}

impl<K, T: Clone> fmt::Debug for SingleFlight<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("SingleFlight")
            .field("flights", &flights.len())
            .finish()
    }
}
