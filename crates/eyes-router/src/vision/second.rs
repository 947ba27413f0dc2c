//! A second route reads the same: what the two do not agree on becomes a doubt.

use super::{
    consensus::{consensus, dissent},
    draft::Draft,
    operation::Operation,
};
use crate::{limits::MAX_SECOND_ROUTES, route::Candidate};

/// What a record says when no second route could be asked.
const UNCONFIRMED: &str = "A second model was to read this picture too, and none could be asked: nothing here is confirmed.";

impl Operation<'_> {
    /// Asks the next other route, and compares; the first reading stands whatever the second says.
    ///
    /// Readers on this machine are no second opinion here: the grounding check asks them without a call.
    pub(super) async fn second_opinion(&mut self, draft: &mut Draft) {
        let order = self.core.order(self.request.preferred.as_ref()).await;
        let others: Vec<Candidate> = order
            .candidates()
            .iter()
            .filter(|other| other.route != draft.route)
            .filter(|other| {
                let provider = self.core.provider(&other.route);
                provider.is_ok_and(|provider| !provider.is_local())
            })
            .take(MAX_SECOND_ROUTES)
            .cloned()
            .collect();
        for candidate in &others {
            if let Some(second) = self.read_beside(candidate).await {
                compare(draft, &second);
                return;
            }
        }
        draft.add_uncertainty(UNCONFIRMED);
    }

    /// Reads over one route beside the operation's own order; nothing when it cannot or fails.
    async fn read_beside(&mut self, candidate: &Candidate) -> Option<Draft> {
        let core = self.core;
        let trace = self.trace(candidate);
        let model = core.model(&candidate.route).await.ok()?;
        let permit = core.health.admit(&candidate.route)?;
        let understood = self.asked(candidate, &model, &trace, permit).await.ok()?;
        Some(understood.draft)
    }
}

fn compare(draft: &mut Draft, second: &Draft) {
    let Some(by) = second.reader() else { return };
    let Some(check) = consensus(&draft.evidence, &second.evidence, by) else {
        return;
    };
    for doubt in dissent(&draft.evidence, &check) {
        draft.add_uncertainty(doubt.as_str());
    }
    draft.checks.consensus = Some(check);
}
