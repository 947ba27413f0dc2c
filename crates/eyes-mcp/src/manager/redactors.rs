//! What hides the values of a server's references, made once for each server and settings.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use eyes_evidence::redact::Redactor;

use crate::{
    config::{ConfigFingerprint, ResolvedSecrets, ServerConfig},
    names::ServerId,
    ports::SecretSource,
};

/// Redactors by server; one whose settings changed takes the place of the older one.
#[derive(Debug, Default)]
pub(super) struct Redactors(Mutex<BTreeMap<ServerId, (ConfigFingerprint, Arc<Redactor>)>>);

impl Redactors {
    pub(super) fn of(&self, server: &ServerConfig, secrets: &dyn SecretSource) -> Arc<Redactor> {
        let fingerprint = server.fingerprint();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, redactor)) = known.get(&server.id)
            && *of == fingerprint
        {
            return Arc::clone(redactor);
        }
        // Without its values no connection is made, so there is nothing of them to hide.
        let redactor = match ResolvedSecrets::of(server, secrets) {
            Ok(resolved) => Arc::new(resolved.redactor().clone()),
            Err(_) => return Arc::new(Redactor::default()),
        };
        known.insert(server.id.clone(), (fingerprint, Arc::clone(&redactor)));
        redactor
    }
}
