//! From an answer's text to a sealed record; pure.

use eyes_evidence::{
    parse::{ParseContext, parse_evidence},
    provenance::{
        CacheKey, CacheSubject, EvidenceRecord, Finding, NameError, RecordParts, RecordSource,
        RouteName, Timestamp, VisionRoute,
    },
    record::{Evidence, NonEmptyText},
};

use super::{prompt::PROMPT_VERSION, request::Ask};
use crate::{
    error::VisionError,
    model::{ImageInput, ModelSpec},
    route::Route,
};

/// How it is known that the model sees: by what its provider declares.
const VALIDATION: &str = "metadata-only";

/// Everything of a record that is known before the model answers.
#[derive(Debug)]
pub(super) struct Subject<'a> {
    route: &'a Route,
    image: &'a ImageInput,
    ask: &'a Ask<'a>,
    question: Option<NonEmptyText>,
    vision: VisionRoute,
}

impl<'a> Subject<'a> {
    pub(super) fn new(
        route: &'a Route,
        model: &ModelSpec,
        image: &'a ImageInput,
        ask: &'a Ask<'a>,
    ) -> Result<Self, VisionError> {
        let question = match *ask {
            Ask::Base => None,
            Ask::Target { question, .. } => {
                let chars = question.chars().count();
                let checked = NonEmptyText::new(question);
                Some(checked.map_err(|_| VisionError::Question { chars })?)
            }
        };
        let vision = vision_route(route, model).map_err(|source| VisionError::Name {
            route: route.clone(),
            source,
        })?;
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
}

fn vision_route(route: &Route, model: &ModelSpec) -> Result<VisionRoute, NameError> {
    let version = match &model.revision {
        None => PROMPT_VERSION.to_owned(),
        Some(revision) => format!("{PROMPT_VERSION}+{revision}"),
    };
    Ok(VisionRoute {
        provider: RouteName::new(route.provider())?,
        model: RouteName::new(route.model())?,
        prompt_version: RouteName::new(version)?,
        validation: RouteName::new(VALIDATION)?,
    })
}

/// Admits the answer's text as evidence and seals it.
pub(super) fn admit(
    subject: Subject<'_>,
    text: &str,
    created_at: Timestamp,
) -> Result<EvidenceRecord, VisionError> {
    let route = subject.route;
    let name = route.to_string();
    let context = ParseContext {
        kind: subject.ask.kind(),
        size: subject.image.identity.size,
        route: Some(&name),
    };
    let parsed = parse_evidence(text, &context).map_err(|source| VisionError::Evidence {
        route: route.clone(),
        source: Box::new(source),
    })?;
    let finding = match (parsed.evidence, subject.question) {
        (Evidence::Base(evidence), _) => Finding::Base(evidence),
        (Evidence::Target(evidence), Some(question)) => Finding::Target {
            question,
            region: subject.ask.region(),
            evidence,
        },
        // The parser gives the document that was asked for.
        (Evidence::Target(_), None) => return Err(VisionError::Question { chars: 0 }),
    };
    EvidenceRecord::seal(RecordParts {
        created_at,
        source: RecordSource {
            identity: subject.image.identity.clone(),
            name: None,
        },
        vision: subject.vision,
        zoom: None,
        finding,
        audit: parsed.audit,
    })
    .map_err(|source| VisionError::Record {
        route: route.clone(),
        source,
    })
}
