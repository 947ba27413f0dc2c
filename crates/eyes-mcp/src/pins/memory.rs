//! Pins that last as long as the process.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::{
    server::ServerPins,
    store::{PinError, PinStore},
};
use crate::names::ServerId;

/// Keeps pins in memory.
#[derive(Debug, Default)]
pub struct MemoryPins {
    servers: Mutex<BTreeMap<ServerId, ServerPins>>,
}

impl MemoryPins {
    fn with<T>(&self, use_them: impl FnOnce(&mut BTreeMap<ServerId, ServerPins>) -> T) -> T {
        // Pins are replaced whole, so a panic elsewhere leaves none half changed.
        use_them(&mut self.servers.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl PinStore for MemoryPins {
    fn load(&self, server: &ServerId) -> Result<ServerPins, PinError> {
        Ok(self.with(|servers| servers.get(server).cloned().unwrap_or_default()))
    }

    fn update(
        &self,
        server: &ServerId,
        change: &mut dyn FnMut(&mut ServerPins) -> Result<(), PinError>,
    ) -> Result<ServerPins, PinError> {
        self.with(|servers| {
            let mut pins = servers.get(server).cloned().unwrap_or_default();
            change(&mut pins)?;
            servers.insert(server.clone(), pins.clone());
            Ok(pins)
        })
    }

    fn servers(&self) -> Result<Vec<ServerId>, PinError> {
        Ok(self.with(|servers| servers.keys().cloned().collect()))
    }

    fn forget(&self, server: &ServerId) -> Result<bool, PinError> {
        Ok(self.with(|servers| servers.remove(server).is_some()))
    }
}
