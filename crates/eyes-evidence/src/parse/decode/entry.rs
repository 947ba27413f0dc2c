//! The entries of the object lists, read into drafts whose boxes and confidences are still as written.

use super::{
    boxes::{BOX_NAMES, RawBox, read as read_box},
    pointer,
    scalar::{RawConfidence, any_text, confidence, text},
};
use crate::{
    limits::{MAX_ATTRIBUTES, MAX_OBJECTS, MAX_OBSERVATIONS, MAX_OCR_ENTRIES, MAX_REGIONS},
    parse::{
        audit::{DropReason, ParseAudit, RepairAction},
        json::{Kind, Value},
    },
    record::{NonEmptyText, RegionId, UniqueTexts},
};

/// A list of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryList {
    Ocr,
    Regions,
    Objects,
    Observations,
}

impl EntryList {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ocr => "ocr",
            Self::Regions => "regions",
            Self::Objects => "objects",
            Self::Observations => "observations",
        }
    }

    const fn limit(self) -> usize {
        match self {
            Self::Ocr => MAX_OCR_ENTRIES,
            Self::Regions => MAX_REGIONS,
            Self::Objects => MAX_OBJECTS,
            Self::Observations => MAX_OBSERVATIONS,
        }
    }

    /// The member that says what the entry is.
    const fn text_member(self) -> &'static str {
        match self {
            Self::Ocr => "text",
            Self::Regions => "description",
            Self::Objects => "name",
            Self::Observations => "fact",
        }
    }

    const fn has_confidence(self) -> bool {
        matches!(self, Self::Ocr | Self::Observations)
    }
}

/// A region's id as it was written.
#[derive(Debug)]
pub(super) enum DraftId {
    /// Allowed as it is, or the entry is no region.
    Stated(RegionId),
    /// Not allowed; its JSON text.
    Odd(String),
    /// Not there.
    Absent,
}

/// One entry before its box is understood.
#[derive(Debug)]
pub(super) struct DraftEntry {
    pub(super) index: u32,
    pub(super) text: NonEmptyText,
    pub(super) bbox: RawBox,
    pub(super) confidence: Option<RawConfidence>,
    pub(super) id: DraftId,
    pub(super) attributes: UniqueTexts,
}

/// All entries of a document.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) ocr: Vec<DraftEntry>,
    pub(super) regions: Vec<DraftEntry>,
    pub(super) objects: Vec<DraftEntry>,
    pub(super) observations: Vec<DraftEntry>,
}

impl Draft {
    fn list(&mut self, list: EntryList) -> &mut Vec<DraftEntry> {
        match list {
            EntryList::Ocr => &mut self.ocr,
            EntryList::Regions => &mut self.regions,
            EntryList::Objects => &mut self.objects,
            EntryList::Observations => &mut self.observations,
        }
    }

    /// Reads one list; what is no entry is dropped and named.
    pub(super) fn read(
        &mut self,
        list: EntryList,
        value: Option<Value<'_, '_>>,
        audit: &mut ParseAudit,
    ) {
        let path = || format!("/{}", list.name());
        let Some(value) = value.filter(|value| !value.is_null()) else {
            audit.repair(
                path(),
                RepairAction::EmptyList,
                value.map(|v| v.raw()),
                Some(serde_json::Value::Array(Vec::new())),
            );
            return;
        };
        match value.kind() {
            Kind::Array => {
                self.list(list).reserve(value.len().min(list.limit()));
                for (index, element) in value.elements().enumerate() {
                    self.entry(list, index as u32, element, audit);
                }
            }
            Kind::Object => {
                audit.repair(
                    path(),
                    RepairAction::SingletonList,
                    Some(value.source()),
                    None,
                );
                self.entry(list, 0, value, audit);
            }
            _ => audit.drop_value(path(), DropReason::WrongType, Some(value)),
        }
    }

    fn entry(&mut self, list: EntryList, index: u32, value: Value<'_, '_>, audit: &mut ParseAudit) {
        audit.entries_total += 1;
        let entries = self.list(list);
        let result = if entries.len() == list.limit() {
            Err(DropReason::ListLimit)
        } else {
            EntryReader { list, index, audit }.read(value)
        };
        match result {
            Ok(entry) => entries.push(entry),
            Err(reason) => {
                audit.drop_entry(format!("/{}/{index}", list.name()), reason, value);
            }
        }
    }
}

struct EntryReader<'a> {
    list: EntryList,
    index: u32,
    audit: &'a mut ParseAudit,
}

/// The members of one entry, as far as the contract knows them.
#[derive(Default)]
struct Fields<'d, 't> {
    text: Option<Value<'d, 't>>,
    bbox: Option<Value<'d, 't>>,
    alias: Option<(&'static str, Value<'d, 't>)>,
    confidence: Option<Value<'d, 't>>,
    id: Option<Value<'d, 't>>,
    attributes: Option<Value<'d, 't>>,
}

impl EntryReader<'_> {
    fn path(&self, member: &str) -> String {
        pointer(self.list.name(), self.index, member)
    }

    fn read(mut self, value: Value<'_, '_>) -> Result<DraftEntry, DropReason> {
        match value.kind() {
            Kind::Object => {}
            Kind::Null => return Err(DropReason::Empty),
            _ => return Err(DropReason::WrongType),
        }
        let fields = self.fields(value);
        // In an entry that the text ends in, what is missing was cut off rather than left out.
        let missing = |reason| {
            if value.is_cut() {
                DropReason::CutOff
            } else {
                reason
            }
        };
        let Some(stated) = fields.text else {
            let nothing = value.members().next().is_none() && !value.is_cut();
            return Err(if nothing {
                DropReason::Empty
            } else {
                missing(DropReason::MissingText)
            });
        };
        let (list, index) = (self.list, self.index);
        let path = || pointer(list.name(), index, list.text_member());
        let text = text(stated, self.audit, path)?;
        let bbox = self.bbox(&fields, missing)?;
        let confidence = self.confidence(&fields, missing)?;
        let id = match self.list {
            EntryList::Regions => self.id(fields.id),
            _ => DraftId::Absent,
        };
        let attributes = match self.list {
            EntryList::Objects
                if value.is_cut() && fields.attributes.is_none_or(|a| a.is_cut()) =>
            {
                return Err(DropReason::CutOff);
            }
            EntryList::Objects => self.attributes(fields.attributes),
            _ => UniqueTexts::default(),
        };
        Ok(DraftEntry {
            index: self.index,
            text,
            bbox,
            confidence,
            id,
            attributes,
        })
    }

    fn fields<'d, 't>(&mut self, value: Value<'d, 't>) -> Fields<'d, 't> {
        let mut fields = Fields::default();
        for (name, member) in value.pairs() {
            // Names as a rule have no escapes and are compared where they stand.
            let slot = match self.slot(name.raw(), &mut fields) {
                Some(slot) if name.kind() != Kind::Escaped => slot,
                _ => {
                    let Some(slot) = self.odd_name(name, member, &mut fields) else {
                        continue;
                    };
                    slot
                }
            };
            if slot.replace(member).is_some() {
                self.audit.extraction.syntax.duplicate_members += 1;
            }
        }
        fields
    }

    #[inline]
    fn slot<'f, 'd, 't>(
        &self,
        name: &str,
        fields: &'f mut Fields<'d, 't>,
    ) -> Option<&'f mut Option<Value<'d, 't>>> {
        Some(match name {
            "bbox" => &mut fields.bbox,
            name if name == self.list.text_member() => &mut fields.text,
            "confidence" if self.list.has_confidence() => &mut fields.confidence,
            "id" if self.list == EntryList::Regions => &mut fields.id,
            "attributes" if self.list == EntryList::Objects => &mut fields.attributes,
            _ => return None,
        })
    }

    /// Reads a name with escapes, another name of the box, or one that the contract does not know.
    fn odd_name<'f, 'd, 't>(
        &mut self,
        name: Value<'d, 't>,
        member: Value<'d, 't>,
        fields: &'f mut Fields<'d, 't>,
    ) -> Option<&'f mut Option<Value<'d, 't>>> {
        let stated = name.as_str();
        let name = stated.as_deref().unwrap_or_else(|| name.raw());
        if let Some(alias) = BOX_NAMES.iter().find(|alias| **alias == name)
            && *alias != "bbox"
        {
            fields.alias = Some((alias, member));
            return None;
        }
        let slot = self.slot(name, fields);
        if slot.is_none() {
            let path = self.path(&super::excerpt(name));
            self.audit
                .drop_value(path, DropReason::UnknownMember, Some(member));
        }
        slot
    }

    fn bbox(
        &mut self,
        fields: &Fields<'_, '_>,
        missing: impl Fn(DropReason) -> DropReason,
    ) -> Result<RawBox, DropReason> {
        let stated = fields.bbox.filter(|value| !value.is_null());
        let (name, value) = match (stated, fields.alias) {
            (Some(value), alias) => {
                if let Some((name, value)) = alias {
                    let path = self.path(name);
                    self.audit
                        .drop_value(path, DropReason::UnknownMember, Some(value));
                }
                ("bbox", value)
            }
            (None, Some(alias)) => alias,
            (None, None) => return Err(missing(DropReason::MissingBbox)),
        };
        let raw = read_box(value).ok_or(if value.is_cut() {
            DropReason::CutOff
        } else {
            DropReason::InvalidBbox
        })?;
        if name != "bbox" {
            let path = self.path(name);
            self.audit
                .repair(path, RepairAction::BboxMember, Some(value.source()), None);
        }
        if raw.converted {
            let path = self.path(name);
            let canonical = raw.values.to_vec().into();
            let action = RepairAction::BboxArray;
            self.audit
                .repair(path, action, Some(value.source()), Some(canonical));
        }
        Ok(raw)
    }

    fn confidence(
        &mut self,
        fields: &Fields<'_, '_>,
        missing: impl Fn(DropReason) -> DropReason,
    ) -> Result<Option<RawConfidence>, DropReason> {
        if !self.list.has_confidence() {
            return Ok(None);
        }
        let value = fields
            .confidence
            .ok_or_else(|| missing(DropReason::MissingConfidence))?;
        let raw = confidence(value)?;
        if raw.converted {
            let canonical = raw.value.into();
            let path = self.path("confidence");
            let action = RepairAction::Number;
            self.audit
                .repair(path, action, Some(value.source()), Some(canonical));
        }
        Ok(Some(raw))
    }

    /// Reads a region's id; a number is taken as it stands, anything else gets a free id later.
    fn id(&mut self, value: Option<Value<'_, '_>>) -> DraftId {
        let Some(value) = value else {
            return DraftId::Absent;
        };
        let stated = value.as_str();
        let text = stated.as_deref().unwrap_or_else(|| value.raw());
        match RegionId::new(text) {
            Ok(id) if stated.is_some() => DraftId::Stated(id),
            Ok(id) if value.kind() == Kind::Number => {
                let path = self.path("id");
                self.audit
                    .repair(path, RepairAction::Text, Some(value.raw()), None);
                DraftId::Stated(id)
            }
            _ => DraftId::Odd(super::excerpt(value.source())),
        }
    }

    fn attributes(&mut self, value: Option<Value<'_, '_>>) -> UniqueTexts {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            let path = self.path("attributes");
            let original = value.map(|value| value.raw());
            self.audit.repair(
                path,
                RepairAction::EmptyList,
                original,
                Some(serde_json::Value::Array(Vec::new())),
            );
            return UniqueTexts::default();
        };
        let mut texts: Vec<NonEmptyText> = Vec::new();
        match value.kind() {
            Kind::Array => {
                texts.reserve(value.len().min(MAX_ATTRIBUTES));
                for (at, element) in value.elements().enumerate() {
                    self.attribute(at, element, &mut texts);
                }
            }
            Kind::Object => {
                let path = self.path("attributes");
                self.audit
                    .repair(path, RepairAction::Text, Some(value.source()), None);
                for (name, member) in value.members().take(MAX_ATTRIBUTES) {
                    let said = member.as_str();
                    let said = said.as_deref().unwrap_or_else(|| member.raw());
                    texts.extend(NonEmptyText::new(format!("{name}: {said}")).ok());
                }
            }
            _ => {
                let path = self.path("attributes");
                let action = RepairAction::SingletonList;
                self.audit.repair(path, action, Some(value.source()), None);
                self.attribute(0, value, &mut texts);
            }
        }
        self.distinct(texts)
    }

    fn attribute(&mut self, at: usize, value: Value<'_, '_>, texts: &mut Vec<NonEmptyText>) {
        let (list, index) = (self.list, self.index);
        let path = || format!("/{}/{index}/attributes/{at}", list.name());
        if texts.len() >= MAX_ATTRIBUTES {
            self.audit
                .drop_value(path(), DropReason::ListLimit, Some(value));
            return;
        }
        match any_text(value, self.audit, path) {
            Ok(text) => texts.push(text),
            Err(reason) => self.audit.drop_value(path(), reason, Some(value)),
        }
    }

    fn distinct(&mut self, texts: Vec<NonEmptyText>) -> UniqueTexts {
        let (texts, repeated) = UniqueTexts::deduplicated(texts);
        if repeated > 0 {
            let path = self.path("attributes");
            self.audit
                .repair(path, RepairAction::Deduplicated, None, None);
        }
        texts
    }
}
