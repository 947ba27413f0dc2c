//! Digests of definitions.

use eyes_evidence::{canonical::Canonical, digest::Sha256Digest};
use serde::{
    Serialize, Serializer,
    ser::{SerializeMap, SerializeStruct},
};
use serde_json::{Map, Value};

use crate::{definition::ToolDefinition, names::ServerId};

/// Computes the digest of `{"definition": .., "server": ..}` in canonical form (RFC 8785).
///
/// Canonical form rounds integers beyond 2^53; of a definition that has one, the digest is also over its exact
/// text, so that no two definitions share it.
pub fn definition_digest(server: &ServerId, definition: &ToolDefinition) -> Sha256Digest {
    digest_of(&Owned {
        server,
        definition: Whole {
            definition,
            without: &[],
        },
    })
}

/// Computes the digest of a definition without its server, name and title.
pub fn body_digest(definition: &ToolDefinition) -> Sha256Digest {
    digest_of(&Whole {
        definition,
        without: &["name", "title"],
    })
}

/// Writes a definition as JSON text.
pub(super) fn definition_text(definition: &ToolDefinition) -> String {
    let whole = Whole {
        definition,
        without: &[],
    };
    // Values of JSON always have a text.
    serde_json::to_string(&whole).unwrap_or_default()
}

fn digest_of(value: &impl Serialize) -> Sha256Digest {
    let exact = || {
        let mut exact = serde_json::to_value(value).unwrap_or_default();
        exact.sort_all_objects();
        exact.to_string()
    };
    match Canonical::of(value) {
        Ok(canonical) if canonical.inexact_integers() == 0 => canonical.digest(),
        Ok(canonical) => {
            Sha256Digest::of_parts([canonical.as_str().as_bytes(), b"\n", exact().as_bytes()])
        }
        // Deeper than canonical form goes, which is deeper than what is admitted.
        Err(_) => Sha256Digest::of(exact().as_bytes()),
    }
}

struct Owned<'a> {
    server: &'a ServerId,
    definition: Whole<'a>,
}

impl Serialize for Owned<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Owned", 2)?;
        members.serialize_field("definition", &self.definition)?;
        members.serialize_field("server", self.server.as_str())?;
        members.end()
    }
}

/// A definition as one object, without a copy of it.
struct Whole<'a> {
    definition: &'a ToolDefinition,
    without: &'static [&'static str],
}

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let definition = self.definition;
        let mut members = serializer.serialize_map(None)?;
        for (name, value) in &*definition.rest {
            if !self.without.contains(&name.as_str()) {
                members.serialize_entry(name, value)?;
            }
        }
        let input: &Map<String, Value> = &definition.input_schema;
        members.serialize_entry("inputSchema", input)?;
        if let Some(schema) = &definition.output_schema {
            let output: &Map<String, Value> = schema;
            members.serialize_entry("outputSchema", output)?;
        }
        members.end()
    }
}
