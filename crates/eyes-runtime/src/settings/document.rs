//! One flat document for settings that belong to several rooms.
//!
//! Every room states its settings as one strict struct; the document's members are dealt out by the structs' own
//! field names, so that one flat vocabulary and "no unknown member" hold together.

use std::collections::BTreeSet;

use serde::{
    Deserializer,
    de::{DeserializeOwned, Error as _, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Map, Value};

use super::SettingsError;

/// Returns the names of the members that `T` reads, as serde has them.
pub(super) fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It always ends in an error, since there is nothing to read.
    let _ended = T::deserialize(FieldNames(&mut names));
    names
}

/// Takes the members of `T` out of `document` and reads them.
pub(super) fn take<T: DeserializeOwned>(
    document: &mut Map<String, Value>,
) -> Result<T, SettingsError> {
    read(split::<T>(document))
}

/// Takes the members of `T` out of `document`.
pub(super) fn split<T: DeserializeOwned>(document: &mut Map<String, Value>) -> Map<String, Value> {
    let names: BTreeSet<&str> = fields::<T>().iter().copied().collect();
    let mut part = Map::new();
    document.retain(|name, value| {
        let ours = names.contains(name.as_str());
        if ours {
            part.insert(name.clone(), value.take());
        }
        !ours
    });
    part
}

/// Reads a whole document; a fault is named by its path.
pub(super) fn read<T: DeserializeOwned>(document: Map<String, Value>) -> Result<T, SettingsError> {
    serde_path_to_error::deserialize(Value::Object(document)).map_err(|error| {
        let path = error.path().to_string();
        SettingsError::Member {
            path,
            reason: error.into_inner().to_string(),
        }
    })
}

/// Notes which fields a struct asks for.
struct FieldNames<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Self::Error> {
        Err(Self::Error::custom("settings are structs"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _visitor: V,
    ) -> Result<V::Value, Self::Error> {
        *self.0 = fields;
        Err(Self::Error::custom("only the names are wanted"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
