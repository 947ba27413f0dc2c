//! Drafts to entries: boxes and confidences are understood for the whole document, then checked one by one.

use std::collections::BTreeSet;

use super::{
    ParseContext,
    boxes::RawBox,
    entry::{Draft, DraftEntry, DraftId, EntryList},
    pointer,
    scalar::RawConfidence,
};
use crate::{
    geometry::NormalizedBbox,
    limits::{MAX_OBJECTS, MAX_OBSERVATIONS, MAX_OCR_ENTRIES, MAX_REGIONS},
    parse::{
        audit::{Convention, DropReason, Dropped, ParseAudit, RepairAction, Transform},
        coordinates::{Placed, Plan, Written},
    },
    record::{Bounded, Confidence, ObjectEntry, ObservationEntry, OcrEntry, RegionEntry, RegionId},
};

/// The object lists of either document.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) ocr: Bounded<OcrEntry, MAX_OCR_ENTRIES>,
    pub(super) regions: Bounded<RegionEntry, MAX_REGIONS>,
    pub(super) objects: Bounded<ObjectEntry, MAX_OBJECTS>,
    pub(super) observations: Bounded<ObservationEntry, MAX_OBSERVATIONS>,
}

/// Turns drafts into entries.
pub(super) struct Finisher<'a> {
    audit: &'a mut ParseAudit,
    context: &'a ParseContext<'a>,
    percent: bool,
}

fn written(raw: &RawBox, is_text: bool) -> Written {
    Written {
        values: raw.values,
        form: raw.form,
        is_text,
    }
}

fn all_boxes(draft: &Draft) -> impl Iterator<Item = Written> {
    let texts = draft.ocr.iter().map(|entry| written(&entry.bbox, true));
    let others = draft
        .regions
        .iter()
        .chain(&draft.objects)
        .chain(&draft.observations);
    texts.chain(others.map(|entry| written(&entry.bbox, false)))
}

impl<'a> Finisher<'a> {
    pub(super) fn new(audit: &'a mut ParseAudit, context: &'a ParseContext<'a>) -> Self {
        Self {
            audit,
            context,
            percent: false,
        }
    }

    /// Finishes all lists.
    pub(super) fn finish(mut self, draft: Draft) -> Parts {
        let (plan, coordinates) =
            Plan::decide(all_boxes(&draft), self.context.size, self.context.route);
        self.audit.coordinates = coordinates;
        self.percent = is_percent(draft.ocr.iter().chain(&draft.observations));
        let used = used_ids(&draft.regions);
        let mut ids = FreeIds { used, next: 1 };
        let ocr = self.list(draft.ocr, EntryList::Ocr, &plan, |this, entry, bbox| {
            let confidence = this.confidence(&entry, EntryList::Ocr)?;
            Ok(OcrEntry {
                text: entry.text,
                bbox,
                confidence,
            })
        });
        let list = EntryList::Observations;
        let observations = self.list(draft.observations, list, &plan, |this, entry, bbox| {
            let confidence = this.confidence(&entry, EntryList::Observations)?;
            Ok(ObservationEntry {
                fact: entry.text,
                bbox,
                confidence,
            })
        });
        let regions = self.list(
            draft.regions,
            EntryList::Regions,
            &plan,
            |this, entry, bbox| {
                let id = this.region_id(entry.id, entry.index, &mut ids);
                Ok(RegionEntry {
                    id,
                    bbox,
                    description: entry.text,
                })
            },
        );
        let objects = self.list(
            draft.objects,
            EntryList::Objects,
            &plan,
            |_, entry, bbox| {
                Ok(ObjectEntry {
                    name: entry.text,
                    bbox,
                    attributes: entry.attributes,
                })
            },
        );
        Parts {
            ocr: Bounded::truncated(ocr).0,
            regions: Bounded::truncated(regions).0,
            objects: Bounded::truncated(objects).0,
            observations: Bounded::truncated(observations).0,
        }
    }

    fn list<T>(
        &mut self,
        drafts: Vec<DraftEntry>,
        list: EntryList,
        plan: &Plan,
        mut build: impl FnMut(&mut Self, DraftEntry, NormalizedBbox) -> Result<T, DropReason>,
    ) -> Vec<T> {
        let mut entries = Vec::with_capacity(drafts.len());
        for draft in drafts {
            let index = draft.index;
            let placed = plan.place(written(&draft.bbox, list == EntryList::Ocr));
            let built = match placed {
                None => Err(DropReason::InvalidBbox),
                Some(placed) => {
                    self.note_box(list, index, &draft.bbox, &placed);
                    build(self, draft, placed.bbox)
                }
            };
            match built {
                Ok(entry) => entries.push(entry),
                Err(reason) => {
                    self.audit.entries_lost += u32::from(reason.is_loss());
                    self.audit.dropped.push(Dropped {
                        path: format!("/{}/{index}", list.name()),
                        reason,
                        original: None,
                    });
                }
            }
        }
        entries
    }

    fn note_box(&mut self, list: EntryList, index: u32, raw: &RawBox, placed: &Placed) {
        let changed = placed.convention != Convention::NormalizedXywh;
        if !changed && !placed.clamped && !placed.grown {
            return;
        }
        let path = pointer(list.name(), index, "bbox");
        let notes = [
            (placed.clamped, RepairAction::BboxClamped),
            (placed.grown, RepairAction::BboxMinimumExtent),
        ];
        for (_, action) in notes.into_iter().filter(|(happened, _)| *happened) {
            let original = format!("{:?}", raw.values);
            let canonical = <[f64; 4]>::from(placed.bbox).to_vec().into();
            self.audit
                .repair(path.clone(), action, Some(&original), Some(canonical));
        }
        if changed {
            self.audit.coordinates.transforms.push(Transform {
                path,
                convention: placed.convention,
                original: raw.values,
                normalized: placed.bbox.into(),
            });
        }
    }

    fn confidence(
        &mut self,
        entry: &DraftEntry,
        list: EntryList,
    ) -> Result<Confidence, DropReason> {
        let raw = entry.confidence.ok_or(DropReason::MissingConfidence)?;
        let hundredths = !raw.fixed && (raw.value > 1.0 || self.percent);
        let value = if hundredths {
            raw.value / 100.0
        } else {
            raw.value
        };
        let confidence = Confidence::new(value).map_err(|_| DropReason::InvalidConfidence)?;
        if hundredths {
            let path = format!("/{}/{}/confidence", list.name(), entry.index);
            let (original, canonical) = (raw.value.to_string(), value.into());
            self.audit
                .repair(path, RepairAction::Number, Some(&original), Some(canonical));
        }
        Ok(confidence)
    }

    fn region_id(&mut self, id: DraftId, index: u32, ids: &mut FreeIds) -> RegionId {
        let original = match id {
            DraftId::Stated(id) => return id,
            DraftId::Odd(text) => Some(text),
            DraftId::Absent => None,
        };
        let id = ids.take();
        let path = format!("/regions/{index}/id");
        let action = RepairAction::RegionId;
        self.audit
            .repair(path, action, original.as_deref(), Some(id.as_str().into()));
        id
    }
}

/// Tells whether confidences are written as 0 to 100: some are above 1, and none is a fraction of 1.
fn is_percent<'e>(entries: impl Iterator<Item = &'e DraftEntry>) -> bool {
    let stated = entries.filter_map(|entry| entry.confidence);
    let scale = |raw: &RawConfidence| !raw.fixed;
    let (mut above, mut fraction) = (false, false);
    for raw in stated.filter(scale) {
        above |= raw.value > 1.0;
        fraction |= raw.value > 0.0 && raw.value < 1.0;
    }
    above && !fraction
}

fn used_ids(regions: &[DraftEntry]) -> BTreeSet<RegionId> {
    let missing = regions
        .iter()
        .any(|entry| !matches!(entry.id, DraftId::Stated(_)));
    let stated = regions.iter().filter_map(|entry| match &entry.id {
        DraftId::Stated(id) => Some(id.clone()),
        _ => None,
    });
    if missing {
        stated.collect()
    } else {
        BTreeSet::new()
    }
}

/// Ids `r1`, `r2` and so on that the document does not use.
struct FreeIds {
    used: BTreeSet<RegionId>,
    next: u32,
}

impl FreeIds {
    fn take(&mut self) -> RegionId {
        loop {
            let id = RegionId::new(format!("r{}", self.next)).expect("r and digits make an id");
            self.next += 1;
            if !self.used.contains(&id) {
                return id;
            }
        }
    }
}
