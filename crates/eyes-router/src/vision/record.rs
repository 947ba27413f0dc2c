//! From an answer's text to a sealed record; pure.

use eyes_evidence::{
    digest::Sha256Digest,
    parse::{ParseContext, Parsed, parse_evidence},
    provenance::{
        CacheKey, CacheSubject, EvidenceRecord, Finding, NameError, RecordChecks, RecordParts,
        RecordSource, RecordZoom, RouteName, Timestamp, VisionRoute,
    },
    record::{Evidence, NonEmptyText},
};

use super::{draft::Draft, prompt::PROMPT_VERSION, request::Ask, zoom::Zoom};
use crate::{
    call::Answer,
    error::{AnswerError, RouteRefusal, VisionError},
    limits::MAX_CUT_OFF_LOST_SHARE,
    model::{FinishReason, ImageInput, ModelSpec},
    route::Route,
};

/// How it is known that the model sees: by what its provider declares.
const BY_METADATA: &str = "metadata-only";
/// How it is known that the model sees: it named the colours of a random grid.
const BY_PROBE: &str = "metadata+active-grid-probe";
/// What the record of an answer that was cut off says.
const CUT_OFF: &str = "The answer was cut off at its output limit: what would follow is missing here. \
                       Ask about a part of the picture for more.";

/// Everything of a record that is known before the model answers.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    route: &'a Route,
    image: &'a ImageInput,
    ask: &'a Ask,
    question: Option<NonEmptyText>,
    vision: VisionRoute,
}

/// What of the settings shows in a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// The model must have named the colours.
    pub(super) proven: bool,
    /// A crop goes along where the question has a region.
    pub(super) zoomed: bool,
    /// A second route reads too.
    pub(super) confirmed: bool,
}

impl<'a> Subject<'a> {
    /// Collects the parts.
    pub(super) fn new(
        route: &'a Route,
        model: &ModelSpec,
        image: &'a ImageInput,
        ask: &'a Ask,
        manner: Manner,
    ) -> Result<Self, VisionError> {
        let question = match ask {
            Ask::Base { .. } => None,
            Ask::Target { question, .. } => {
                let chars = question.chars().count();
                let checked = NonEmptyText::new(question.as_ref());
                Some(checked.map_err(|_| VisionError::Question { chars })?)
            }
        };
        let vision = vision_route(route, model, ask, manner)
            .map_err(|error| VisionError::refused(route, RouteRefusal::Name(error)))?;
        Ok(Self {
            route,
            image,
            ask,
            question,
            vision,
        })
    }

    pub(super) fn cache_key(&self) -> CacheKey {
        CacheSubject {
            kind: self.ask.kind(),
            source_sha256: self.image.identity.sha256,
            vision: &self.vision,
            question: self.question.as_ref(),
            region: self.ask.region(),
        }
        .key()
    }

    /// Understands the answer.
    ///
    /// An answer that was cut off is taken when its core stands and little of what it began is lost; the record
    /// then says so. Otherwise it is `VISION_OUTPUT_TRUNCATED`.
    pub(super) fn draft(&self, answer: &Answer, zoom: Option<&Zoom>) -> Result<Draft, VisionError> {
        let mut draft = self.understood(answer, zoom)?;
        if let Some(zoom) = zoom
            && let Evidence::Target(target) = draft.evidence
        {
            draft.evidence = Evidence::Target(zoom.map_back(target));
        }
        Ok(draft)
    }

    fn understood(&self, answer: &Answer, zoom: Option<&Zoom>) -> Result<Draft, VisionError> {
        let name = self.route.to_string();
        let context = ParseContext {
            kind: self.ask.kind(),
            // What the model measured in is the crop, where it was shown one.
            size: zoom.map_or(self.image.identity.size, Zoom::size),
            route: Some(&name),
        };
        match (parse_evidence(&answer.text, &context), answer.finish) {
            (Ok(parsed), FinishReason::Stop | FinishReason::ToolCalls) => {
                Ok(Draft::new(self.route, parsed))
            }
            (Err(source), FinishReason::Stop | FinishReason::ToolCalls) => {
                Err(VisionError::Evidence {
                    route: self.route.clone(),
                    source: Box::new(source),
                })
            }
            (Ok(parsed), FinishReason::MaxTokens) if is_nearly_whole(&parsed) => {
                let ended_inside = parsed.audit.extraction.truncated;
                let mut draft = Draft::new(self.route, parsed);
                if ended_inside {
                    draft.add_uncertainty(CUT_OFF);
                }
                Ok(draft)
            }
            (_, FinishReason::MaxTokens) => {
                Err(VisionError::answer(self.route, AnswerError::Truncated))
            }
        }
    }

    /// Seals what was understood and checked.
    pub(super) fn seal(
        self,
        draft: Draft,
        zoom: Option<RecordZoom>,
        created_at: Timestamp,
    ) -> Result<EvidenceRecord, VisionError> {
        let route = self.route;
        let made = draft.checks != RecordChecks::default();
        let checks = Some(draft.checks).filter(|_| made);
        let finding = match (draft.evidence, self.question) {
            (Evidence::Base(evidence), _) => Finding::Base(evidence),
            (Evidence::Target(evidence), Some(question)) => Finding::Target {
                question,
                region: self.ask.region(),
                evidence,
            },
            // The parser gives the document that was asked for.
            (Evidence::Target(_), None) => return Err(VisionError::Question { chars: 0 }),
        };
        EvidenceRecord::seal(RecordParts {
            created_at,
            source: RecordSource {
                identity: self.image.identity.clone(),
                name: None,
            },
            vision: self.vision,
            zoom,
            finding,
            audit: draft.audit,
            checks,
        })
        .map_err(|source| VisionError::Record {
            route: route.clone(),
            source,
        })
    }
}

/// Tells whether an answer that was cut off is worth having: something was listed and nearly all of it stands.
fn is_nearly_whole(parsed: &Parsed) -> bool {
    let audit = &parsed.audit;
    if !audit.extraction.truncated {
        return true;
    }
    // One entry stood where the text ended; that much is always lost.
    let allowed = (f64::from(audit.entries_total) * MAX_CUT_OFF_LOST_SHARE).max(1.0);
    let said_something = match &parsed.evidence {
        Evidence::Base(_) => audit.entries_total > audit.entries_lost,
        Evidence::Target(_) => true,
    };
    said_something && f64::from(audit.entries_lost) <= allowed
}

fn vision_route(
    route: &Route,
    model: &ModelSpec,
    ask: &Ask,
    manner: Manner,
) -> Result<VisionRoute, NameError> {
    let mut version = PROMPT_VERSION.to_owned();
    if let Some(revision) = &model.revision {
        version.extend(["+", revision]);
    }
    // The request is part of the prompt, so it is part of the prompt's version, and thereby of the key.
    if let Ask::Base { focus: Some(focus) } = ask {
        let digest = Sha256Digest::of(focus.as_bytes()).to_string();
        version.extend(["+focus-", &digest]);
    }
    if manner.zoomed && ask.region().is_some() {
        version.push_str("+zoom");
    }
    if manner.confirmed {
        version.push_str("+consensus");
    }
    Ok(VisionRoute {
        provider: RouteName::new(route.provider())?,
        model: RouteName::new(route.model())?,
        prompt_version: RouteName::new(version)?,
        validation: RouteName::new(if manner.proven { BY_PROBE } else { BY_METADATA })?,
    })
}
