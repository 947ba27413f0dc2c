//! Schemas of the types that check their own rule: what the constructor refuses, the schema refuses.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{
    assertion::Check,
    digest::Sha256Digest,
    geometry::NormalizedBbox,
    limits::{
        MAX_ATTRIBUTES, MAX_NAME_CHARS, MAX_REGION_ID_CHARS, MAX_REPORT_TEXT_CHARS,
        MAX_RUN_ID_CHARS, MAX_TEXT_CHARS, MAX_TIMESTAMP_BYTES,
    },
    provenance::{RouteName, Timestamp},
    record::{Bounded, Confidence, NonEmptyText, RegionId, UniqueTexts},
    report::{ReportCode, ReportText, WrittenText},
    state::{RunId, StateId},
};

crate::checked_schemas! {
    NonEmptyText: {
        "description": "A text.",
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_TEXT_CHARS
    }
    Confidence: {
        "description": "How sure the reader is.",
        "type": "number",
        "minimum": 0,
        "maximum": 1
    }
    RegionId: {
        "description": "The name of a region inside one document.",
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_REGION_ID_CHARS,
        "pattern": "^[A-Za-z0-9._:-]+$"
    }
    NormalizedBbox: {
        "description": "Left, top, width and height as shares of the image; the box ends inside it.",
        "type": "array",
        "prefixItems": [
            { "type": "number", "minimum": 0, "maximum": 1 },
            { "type": "number", "minimum": 0, "maximum": 1 },
            { "type": "number", "exclusiveMinimum": 0, "maximum": 1 },
            { "type": "number", "exclusiveMinimum": 0, "maximum": 1 }
        ],
        "minItems": 4,
        "items": false
    }
    Sha256Digest: {
        "description": "A SHA-256 digest.",
        "type": "string",
        "pattern": "^[0-9a-f]{64}$"
    }
    RouteName: {
        "description": "A name without control characters.",
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_NAME_CHARS,
        "pattern": r"^[^\u0000-\u001f\u007f-\u009f]+$"
    }
    Timestamp: {
        "description": "A date and time (RFC 3339).",
        "type": "string",
        "maxLength": MAX_TIMESTAMP_BYTES,
        "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
    }
    ReportText: {
        "description": "A text, redacted, on one line and cut.",
        "type": "string",
        "maxLength": MAX_REPORT_TEXT_CHARS
    }
    ReportCode: {
        "description": "An error code of the registry.",
        "type": "string",
        "pattern": "^[A-Z][A-Z0-9_]*$"
    }
    RunId: {
        "description": "The identity of one run.",
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_RUN_ID_CHARS,
        "pattern": "^[A-Za-z0-9_-]+$"
    }
    StateId: {
        "description": "The identity of one observation.",
        "type": "string",
        "pattern": "^(browser|desktop)-state:[0-9a-f]{64}$"
    }
}

impl<T: JsonSchema, const MAX: usize> JsonSchema for Bounded<T, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("UpTo{MAX}{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        json_schema!({ "type": "array", "items": items, "maxItems": MAX })
    }
}

impl JsonSchema for UniqueTexts {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "UniqueTexts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<NonEmptyText>();
        json_schema!({
            "type": "array",
            "items": items,
            "maxItems": MAX_ATTRIBUTES,
            "uniqueItems": true
        })
    }
}

impl JsonSchema for Check {
    fn schema_name() -> Cow<'static, str> {
        "Check".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let text = generator.subschema_for::<WrittenText>();
        let maybe_text = generator.subschema_for::<Option<WrittenText>>();
        let form = |names: &[&str], expected: &Schema, actual: &Schema, by: &str| {
            json_schema!({
                "type": "object",
                "properties": {
                    "comparison": { "enum": names },
                    "expected": expected,
                    "actual": actual,
                    "passed": { "type": "boolean" },
                    "verifiedBy": { "const": by }
                },
                "required": ["comparison", "expected", "actual", "passed", "verifiedBy"]
            })
        };
        let truth = json_schema!({ "type": "boolean" });
        let maybe_truth = json_schema!({ "type": ["boolean", "null"] });
        let number = json_schema!({ "type": "integer", "minimum": 0 });
        json_schema!({
            "oneOf": [
                form(&["text-equals", "text-contains"], &text, &maybe_text, "runtime"),
                form(&["property"], &truth, &maybe_truth, "runtime"),
                form(&["count"], &number, &number, "runtime"),
                form(&["visual"], &text, &truth, "model")
            ]
        })
    }
}
