//! Where something is kept: at the usual place, at a named one, or nowhere.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A path, or `false` for nowhere; the usual place where absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Place {
    /// Below the directory for data.
    #[default]
    Usual,
    /// Here.
    At(PathBuf),
    /// Nowhere: it is not kept.
    Nowhere,
}

impl Place {
    pub(super) const fn is_usual(&self) -> bool {
        matches!(self, Self::Usual)
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Usual => serializer.serialize_none(),
            Self::At(path) => path.serialize(serializer),
            Self::Nowhere => serializer.serialize_bool(false),
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a path or false")]
        enum Stated {
            Kept(bool),
            At(String),
        }
        match Option::<Stated>::deserialize(deserializer)? {
            None => Ok(Self::Usual),
            Some(Stated::Kept(false)) => Ok(Self::Nowhere),
            Some(Stated::Kept(true)) => Err(de::Error::custom("expected a path or false")),
            Some(Stated::At(path)) if path.trim().is_empty() => Ok(Self::Usual),
            Some(Stated::At(path)) => Ok(Self::At(PathBuf::from(path.trim()))),
        }
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Place {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Place".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A path, or `false` for nowhere; the usual place where absent.",
            "anyOf": [{ "type": "string" }, { "const": false }, { "type": "null" }]
        })
    }
}
