//! The health of all routes: a pure, bounded table of circuits and passed probes.

use std::collections::BTreeMap;

use eyes_evidence::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::circuit::{Admission, Circuit, CircuitPolicy, CircuitState, Ticket, Verdict};
use crate::{
    limits::{HEALTH_EXPIRY_MS, MAX_HEALTH_ROUTES},
    route::Route,
};

/// The version of the file that is written and read.
pub(super) const HEALTH_VERSION: u64 = 1;

/// A model that named the colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Proof {
    fingerprint: Sha256Digest,
    passed_ms: u64,
}

/// Circuits and proofs by route.
#[derive(Debug, Clone, Default)]
pub(super) struct Board {
    circuits: BTreeMap<Route, Circuit>,
    proofs: BTreeMap<Route, Proof>,
}

/// The table as it stands in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct HealthFile {
    pub(super) version: u64,
    circuits: Vec<CircuitLine>,
    probes: Vec<ProofLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CircuitLine {
    route: Route,
    failures: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open_until_ms: Option<u64>,
    changed_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ProofLine {
    route: Route,
    fingerprint: Sha256Digest,
    passed_ms: u64,
}

impl Board {
    /// Asks whether `route` may be asked.
    pub(super) fn admit(&mut self, route: &Route, now_ms: u64, forced: bool) -> Admission {
        match self.circuits.get_mut(route) {
            Some(circuit) => circuit.admit(now_ms, forced),
            // A route without a line never failed; it gets one with its first fault.
            None => Circuit::closed().admit(now_ms, forced),
        }
    }

    /// Takes the verdict of a call; returns whether the table changed.
    pub(super) fn settle(
        &mut self,
        route: &Route,
        (ticket, verdict): (Ticket, Verdict),
        now_ms: u64,
        policy: CircuitPolicy,
    ) -> bool {
        let mut circuit = self
            .circuits
            .get(route)
            .copied()
            .unwrap_or(Circuit::closed());
        let changed = circuit.settle(ticket, verdict, now_ms, policy);
        if self.circuits.contains_key(route) || changed {
            self.circuits.insert(route.clone(), circuit);
        }
        if changed {
            self.prune(now_ms);
        }
        changed
    }

    /// Returns the consecutive faults of `route` and until when it is left alone.
    pub(super) fn circuit(&self, route: &Route) -> Circuit {
        self.circuits
            .get(route)
            .copied()
            .unwrap_or(Circuit::closed())
    }

    /// Returns all circuits that ever failed.
    pub(super) fn circuits(&self) -> impl Iterator<Item = (&Route, &Circuit)> {
        self.circuits.iter()
    }

    /// Notes that the model with this fingerprint named the colours.
    pub(super) fn prove(&mut self, route: &Route, fingerprint: Sha256Digest, now_ms: u64) {
        let proof = Proof {
            fingerprint,
            passed_ms: now_ms,
        };
        self.proofs.insert(route.clone(), proof);
        self.prune(now_ms);
    }

    /// Tells whether it did so at most `ttl_ms` ago.
    pub(super) fn is_proven(
        &self,
        route: &Route,
        fingerprint: &Sha256Digest,
        now_ms: u64,
        ttl_ms: u64,
    ) -> bool {
        self.proofs.get(route).is_some_and(|proof| {
            proof.fingerprint == *fingerprint && age_ms(proof.passed_ms, now_ms) <= ttl_ms
        })
    }

    /// Takes over what another process wrote later than this table was changed.
    pub(super) fn merge(&mut self, file: &HealthFile, now_ms: u64) {
        for line in &file.circuits {
            let ours = self.circuit(&line.route);
            let in_trial = matches!(ours.state(), CircuitState::HalfOpen { .. });
            if line.changed_ms > ours.changed_ms() && !in_trial {
                let circuit = ours.restored(line.failures, line.open_until_ms, line.changed_ms);
                self.circuits.insert(line.route.clone(), circuit);
            }
        }
        for line in &file.probes {
            let ours = self
                .proofs
                .get(&line.route)
                .map_or(0, |proof| proof.passed_ms);
            if line.passed_ms > ours {
                let proof = Proof {
                    fingerprint: line.fingerprint,
                    passed_ms: line.passed_ms,
                };
                self.proofs.insert(line.route.clone(), proof);
            }
        }
        self.prune(now_ms);
    }

    /// Writes the table down.
    pub(super) fn to_file(&self) -> HealthFile {
        let circuits = self.circuits.iter().map(|(route, circuit)| CircuitLine {
            route: route.clone(),
            failures: circuit.failures(),
            open_until_ms: circuit.open_until_ms(),
            changed_ms: circuit.changed_ms(),
        });
        let probes = self.proofs.iter().map(|(route, proof)| ProofLine {
            route: route.clone(),
            fingerprint: proof.fingerprint,
            passed_ms: proof.passed_ms,
        });
        HealthFile {
            version: HEALTH_VERSION,
            circuits: circuits.collect(),
            probes: probes.collect(),
        }
    }

    /// Forgets circuits that are old, and the oldest lines beyond the bound.
    fn prune(&mut self, now_ms: u64) {
        self.circuits.retain(|_, circuit| {
            matches!(circuit.state(), CircuitState::HalfOpen { .. })
                || age_ms(circuit.changed_ms(), now_ms) <= HEALTH_EXPIRY_MS
        });
        drop_oldest(&mut self.circuits, |circuit| match circuit.state() {
            CircuitState::HalfOpen { .. } => u64::MAX,
            _ => circuit.changed_ms(),
        });
        drop_oldest(&mut self.proofs, |proof| proof.passed_ms);
    }
}

/// A time in the future comes from a clock that was set back: it tells nothing and counts as old.
fn age_ms(then_ms: u64, now_ms: u64) -> u64 {
    now_ms.checked_sub(then_ms).unwrap_or(u64::MAX)
}

fn drop_oldest<T>(table: &mut BTreeMap<Route, T>, time: impl Fn(&T) -> u64) {
    while table.len() > MAX_HEALTH_ROUTES {
        let oldest = table.iter().min_by_key(|(_, value)| time(value));
        let Some(route) = oldest.map(|(route, _)| route.clone()) else {
            return;
        };
        table.remove(&route);
    }
}
