//! The schema of a sealed record.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use super::{Body, EvidenceRecord, RECORD_VERSION};
use crate::{digest::Sha256Digest, record::EvidenceKind};

impl JsonSchema for EvidenceRecord {
    fn schema_name() -> Cow<'static, str> {
        "EvidenceRecord".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = Body::json_schema(generator);
        let digest = generator.subschema_for::<Sha256Digest>();
        if let Some(Value::Object(members)) = schema.get_mut("properties") {
            members.insert(
                "recordVersion".to_owned(),
                json!({ "const": RECORD_VERSION }),
            );
            members.insert("recordSha256".to_owned(), digest.into());
        }
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.push("recordSha256".into());
        }
        let of_kind = |kind: EvidenceKind, then: Value| {
            let mut then = then;
            then["properties"]["evidence"] =
                json!({ "properties": { "schemaVersion": { "const": kind.schema_version() } } });
            json!({ "if": { "properties": { "kind": { "const": kind.name() } } }, "then": then })
        };
        let base = json!({ "properties": { "question": false, "region": false } });
        let target = json!({ "required": ["question"] });
        schema.insert(
            "allOf".to_owned(),
            json!([
                of_kind(EvidenceKind::Base, base),
                of_kind(EvidenceKind::Target, target)
            ]),
        );
        schema.insert(
            "description".to_owned(),
            "recordSha256 is the SHA-256 of the RFC 8785 text of all other members.".into(),
        );
        schema
    }
}
