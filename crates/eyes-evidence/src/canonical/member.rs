//! Object members: written as they come, put into UTF-16 order when the object ends.

use std::cmp::Ordering;

use serde::{Serialize, ser};
use serde_json::Value;

use super::{error::CanonicalError, write::Writer};

/// Orders two keys by their UTF-16 code units (RFC 8785, section 3.2.3).
pub(super) fn utf16_order(a: &str, b: &str) -> Ordering {
    // UTF-8 and UTF-16 order differ only where a surrogate meets U+E000..=U+FFFF.
    let same = a
        .bytes()
        .zip(b.bytes())
        .take_while(|(left, right)| left == right)
        .count();
    match (a.as_bytes().get(same), b.as_bytes().get(same)) {
        (Some(&left), Some(&right)) if left >= 0xee && right >= 0xee => {
            a.encode_utf16().cmp(b.encode_utf16())
        }
        (left, right) => left.cmp(&right),
    }
}

struct Member {
    key: String,
    /// Where the value lies in the writer's text.
    start: usize,
    end: usize,
}

/// Members between `{` and `}`.
pub(super) struct Members<'a> {
    writer: &'a mut Writer,
    start: usize,
    entries: Vec<Member>,
    pending: Option<String>,
    in_variant: bool,
}

impl<'a> Members<'a> {
    pub(super) fn open(writer: &'a mut Writer) -> Result<Self, CanonicalError> {
        writer.open(b'{')?;
        let start = writer.out.len();
        Ok(Self {
            writer,
            start,
            entries: Vec::new(),
            pending: None,
            in_variant: false,
        })
    }

    /// Opens the object inside the one that names a variant.
    pub(super) fn open_in_variant(writer: &'a mut Writer) -> Result<Self, CanonicalError> {
        let members = Self::open(writer)?;
        Ok(Self {
            in_variant: true,
            ..members
        })
    }

    fn member<T: Serialize + ?Sized>(
        &mut self,
        key: String,
        value: &T,
    ) -> Result<(), CanonicalError> {
        let start = self.writer.out.len();
        value.serialize(&mut *self.writer)?;
        let end = self.writer.out.len();
        self.entries.push(Member { key, start, end });
        Ok(())
    }

    /// Puts the members into order and closes the object.
    fn finish(mut self) -> Result<(), CanonicalError> {
        self.entries.sort_by(|a, b| utf16_order(&a.key, &b.key));
        if let Some(pair) = self
            .entries
            .windows(2)
            .find(|pair| pair[0].key == pair[1].key)
        {
            return Err(CanonicalError::DuplicateKey(pair[0].key.clone()));
        }
        let values = self.writer.out.split_off(self.start);
        for (at, member) in self.entries.iter().enumerate() {
            if at > 0 {
                self.writer.out.push(b',');
            }
            self.writer.string(&member.key);
            self.writer.out.push(b':');
            let value = &values[member.start - self.start..member.end - self.start];
            self.writer.out.extend_from_slice(value);
        }
        self.writer.close(b'}');
        if self.in_variant {
            self.writer.close(b'}');
        }
        Ok(())
    }
}

/// Turns a map key into text as `serde_json` does for texts, integers, booleans and characters.
fn key_text<T: Serialize + ?Sized>(key: &T) -> Result<String, CanonicalError> {
    match serde_json::to_value(key) {
        Ok(Value::String(text)) => Ok(text),
        Ok(Value::Number(number)) if !number.is_f64() => Ok(number.to_string()),
        Ok(Value::Bool(value)) => Ok(value.to_string()),
        _ => Err(CanonicalError::KeyType),
    }
}

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = CanonicalError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), CanonicalError> {
        self.pending = Some(key_text(key)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        let key = self.pending.take().ok_or(CanonicalError::KeyType)?;
        self.member(key, value)
    }

    fn end(self) -> Result<(), CanonicalError> {
        self.finish()
    }
}

macro_rules! fields {
    ($($trait:ident),+) => {$(
        impl ser::$trait for Members<'_> {
            type Ok = ();
            type Error = CanonicalError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), CanonicalError> {
                self.member(key.to_owned(), value)
            }

            fn end(self) -> Result<(), CanonicalError> {
                self.finish()
            }
        }
    )+};
}

fields!(SerializeStruct, SerializeStructVariant);
