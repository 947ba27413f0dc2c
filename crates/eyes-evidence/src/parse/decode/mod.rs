//! A JSON object to an evidence document: repair or drop each entry, then check the whole.

mod boxes;
mod entry;
mod facts;
mod finish;
mod scalar;

use self::{
    entry::{Draft, EntryList},
    finish::Finisher,
};
use super::{
    ParseContext, Parsed,
    audit::{DropReason, Dropped, ParseAudit, Repair, RepairAction, excerpt},
    error::{ParseError, Violation},
    extract::{Extracted, signature},
    json::Value,
};
use crate::{
    limits::{MAX_LOST_SHARE, MAX_VIOLATIONS, MIN_LOST_ENTRIES},
    record::{Bounded, Evidence, EvidenceKind, NonEmptyText},
};

/// Turns the object into evidence.
pub(super) fn decode(
    extracted: &Extracted<'_>,
    context: &ParseContext<'_>,
) -> Result<Parsed, ParseError> {
    let mut audit = ParseAudit::untouched();
    audit.extraction = extracted.audit.clone();
    let mut decoder = Decoder {
        audit,
        violations: Vec::new(),
    };
    let members = decoder.members(extracted.object(), context.kind);
    let core = decoder.core(&members, context.kind);
    let draft = decoder.lists(&members, context.kind);
    let parts = Finisher::new(&mut decoder.audit, context).finish(draft);
    decoder.check_loss();
    let mut facts = |name| decoder.facts(members.get(name), name);
    let (relations, quantities) = match context.kind {
        EvidenceKind::Base => (facts("relations"), facts("quantitativeFacts")),
        EvidenceKind::Target => (Bounded::default(), Bounded::default()),
    };
    let uncertainties = facts("uncertainties");
    let Some(core) = core.filter(|_| decoder.violations.is_empty()) else {
        return Err(decoder.fail(context.kind));
    };
    let evidence = match context.kind {
        EvidenceKind::Base => Evidence::Base(crate::record::BaseEvidence {
            summary: core,
            ocr: parts.ocr,
            regions: parts.regions,
            objects: parts.objects,
            relations,
            quantitative_facts: quantities,
            uncertainties,
        }),
        EvidenceKind::Target => Evidence::Target(crate::record::TargetEvidence {
            answer: core,
            observations: parts.observations,
            ocr: parts.ocr,
            uncertainties,
        }),
    };
    Ok(Parsed {
        evidence,
        audit: decoder.audit,
    })
}

/// The members that the contract knows, by name.
struct Members<'d, 't>(Vec<(&'static str, Value<'d, 't>)>);

impl<'d, 't> Members<'d, 't> {
    fn get(&self, name: &str) -> Option<Value<'d, 't>> {
        self.0
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| *value)
    }
}

struct Decoder {
    audit: ParseAudit,
    violations: Vec<Violation>,
}

impl Decoder {
    fn violation(&mut self, path: &str, message: &str) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation {
                path: path.to_owned(),
                message: message.to_owned(),
            });
        }
    }

    fn fail(self, kind: EvidenceKind) -> ParseError {
        ParseError::Invalid {
            document: match kind {
                EvidenceKind::Base => "base evidence",
                EvidenceKind::Target => "target evidence",
            },
            violations: self.violations,
            audit: Box::new(self.audit),
        }
    }

    fn members<'d, 't>(&mut self, object: Value<'d, 't>, kind: EvidenceKind) -> Members<'d, 't> {
        let (core, others) = signature(kind);
        let mut known: Vec<(&'static str, Value<'d, 't>)> = Vec::with_capacity(8);
        for (name, value) in object.members() {
            let constant = ["schemaVersion", core];
            let found = constant
                .iter()
                .chain(others)
                .find(|known| **known == name)
                .copied();
            let Some(found) = found else {
                self.audit.drop_value(
                    format!("/{}", excerpt(&name)),
                    DropReason::UnknownMember,
                    Some(value),
                );
                continue;
            };
            if let Some(slot) = known.iter_mut().find(|(earlier, _)| *earlier == found) {
                self.audit.extraction.syntax.duplicate_members += 1;
                slot.1 = value;
            } else {
                known.push((found, value));
            }
        }
        Members(known)
    }

    /// Reads `schemaVersion` and the summary or answer.
    fn core(&mut self, members: &Members<'_, '_>, kind: EvidenceKind) -> Option<NonEmptyText> {
        match members
            .get("schemaVersion")
            .filter(|version| !version.is_null())
        {
            None => self.audit.repairs.push(Repair {
                path: "/schemaVersion".to_owned(),
                action: RepairAction::ContractConstant,
                original: None,
                canonical: Some(kind.schema_version().into()),
            }),
            Some(version) if version.as_str().as_deref() == Some(kind.schema_version()) => {}
            Some(_) => self.violation("/schemaVersion", "is not the version that was asked for"),
        }
        let name = signature(kind).0;
        let path = || format!("/{name}");
        let Some(value) = members.get(name) else {
            self.violation(&path(), "is missing");
            return None;
        };
        let text = scalar::text(value, &mut self.audit, path);
        if text.is_err() {
            self.violation(&path(), "is no text with at least one character");
        }
        text.ok()
    }

    fn lists(&mut self, members: &Members<'_, '_>, kind: EvidenceKind) -> Draft {
        let lists: &[EntryList] = match kind {
            EvidenceKind::Base => &[EntryList::Ocr, EntryList::Regions, EntryList::Objects],
            EvidenceKind::Target => &[EntryList::Observations, EntryList::Ocr],
        };
        let mut draft = Draft::default();
        for list in lists {
            draft.read(*list, members.get(list.name()), &mut self.audit);
        }
        draft
    }

    fn facts<const MAX: usize>(
        &mut self,
        value: Option<Value<'_, '_>>,
        name: &'static str,
    ) -> Bounded<NonEmptyText, MAX> {
        facts::read(value, name, &mut self.audit)
    }

    fn check_loss(&mut self) {
        let (lost, total) = (self.audit.entries_lost, self.audit.entries_total);
        if lost >= MIN_LOST_ENTRIES && f64::from(lost) > f64::from(total) * MAX_LOST_SHARE {
            let named = self
                .audit
                .dropped
                .entries
                .iter()
                .filter(|drop| drop.reason.is_loss());
            let mut violations: Vec<_> = named
                .take(MAX_VIOLATIONS - 1)
                .map(|drop| Violation {
                    path: drop.path.clone(),
                    message: format!("was dropped ({})", drop.reason.name()),
                })
                .collect();
            self.violation("", &format!("lost {lost} of {total} entries"));
            self.violations.append(&mut violations);
        }
    }
}

impl DropReason {
    const fn name(self) -> &'static str {
        match self {
            Self::UnknownMember => "unknown member",
            Self::Empty => "empty",
            Self::WrongType => "wrong type",
            Self::MissingText => "missing text",
            Self::MissingBbox => "missing bbox",
            Self::InvalidBbox => "invalid bbox",
            Self::MissingConfidence => "missing confidence",
            Self::InvalidConfidence => "invalid confidence",
            Self::ListLimit => "list limit",
            Self::CutOff => "cut off",
        }
    }
}

impl ParseAudit {
    /// Notes something that was left out.
    fn drop_value(&mut self, path: String, reason: DropReason, value: Option<Value<'_, '_>>) {
        self.dropped.push(Dropped {
            path,
            reason,
            original: value.map(|value| excerpt(value.source())),
        });
    }

    /// Notes an entry that was left out, and counts the loss.
    fn drop_entry(&mut self, path: String, reason: DropReason, value: Value<'_, '_>) {
        self.entries_lost += u32::from(reason.is_loss());
        self.drop_value(path, reason, Some(value));
    }

    /// Notes a repair.
    fn repair(
        &mut self,
        path: String,
        action: RepairAction,
        original: Option<&str>,
        canonical: Option<serde_json::Value>,
    ) {
        self.repairs.push(Repair {
            path,
            action,
            original: original.map(excerpt),
            canonical,
        });
    }
}

/// Writes `/list/index/member`.
///
/// Boxes of a whole document pass here; plain appending takes a third of the time of `format!`.
fn pointer(list: &str, index: u32, member: &str) -> String {
    let mut digits = [0_u8; 10];
    let mut at = digits.len();
    let mut rest = index;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    let mut path = String::with_capacity(list.len() + member.len() + 12);
    path.push('/');
    path.push_str(list);
    path.push('/');
    path.extend(digits[at..].iter().map(|digit| char::from(*digit)));
    path.push('/');
    path.push_str(member);
    path
}
