//! The writer: a serde serializer that appends canonical text.

use std::io::Write as _;

use serde::{Serialize, ser};

use super::{error::CanonicalError, member::Members};
use crate::limits::MAX_CANONICAL_DEPTH;

/// The largest integer below which a double holds every integer, 2^53.
pub(super) const MAX_SAFE: u64 = 1 << 53;

/// Counts the bytes before the first one that needs an escape: a control character, `"` or `\\`.
fn plain_bytes(word: [u8; 8]) -> usize {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = ONES << 7;
    let word = u64::from_le_bytes(word);
    // The high bit of a byte is set where the byte is below `bound`. A borrow can set it in later bytes as well, but
    // only behind one that is below it, and the first is what counts.
    let below = |word: u64, bound: u64| word.wrapping_sub(ONES * bound) & !word & HIGH;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let special = below(word, 0x20) | equal(b'"') | equal(b'\\');
    (special.trailing_zeros() / 8) as usize
}

/// Canonical text as it grows.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) out: Vec<u8>,
    depth: usize,
    inexact_integers: usize,
}

impl Writer {
    pub(super) fn finish(self) -> (Vec<u8>, usize) {
        (self.out, self.inexact_integers)
    }

    /// Enters a container.
    pub(super) fn open(&mut self, bracket: u8) -> Result<(), CanonicalError> {
        if self.depth >= MAX_CANONICAL_DEPTH {
            return Err(CanonicalError::Depth(MAX_CANONICAL_DEPTH));
        }
        self.depth += 1;
        self.out.push(bracket);
        Ok(())
    }

    /// Leaves a container.
    pub(super) fn close(&mut self, bracket: u8) {
        self.depth -= 1;
        self.out.push(bracket);
    }

    /// Appends a quoted string with the escapes of RFC 8785, section 3.2.2.2.
    pub(super) fn string(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        // Room for some escapes as well: a long text is not moved for them.
        self.out.reserve(rest.len() + rest.len() / 4 + 2);
        self.out.push(b'"');
        while let Some((word, after)) = rest.split_first_chunk::<8>() {
            let plain = plain_bytes(*word);
            // Copying the whole word and cutting it is faster than copying a part of it.
            let written = self.out.len() + plain;
            self.out.extend_from_slice(word);
            if plain == word.len() {
                rest = after;
                continue;
            }
            self.out.truncate(written);
            self.escape(word[plain]);
            rest = &rest[plain + 1..];
        }
        for &byte in rest {
            if byte >= b' ' && byte != b'"' && byte != b'\\' {
                self.out.push(byte);
            } else {
                self.escape(byte);
            }
        }
        self.out.push(b'"');
    }

    fn escape(&mut self, byte: u8) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let short = match byte {
            b'"' | b'\\' => byte,
            0x08 => b'b',
            0x09 => b't',
            0x0a => b'n',
            0x0c => b'f',
            0x0d => b'r',
            _ => {
                let digits = [HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]];
                self.out.extend_from_slice(b"\\u00");
                self.out.extend_from_slice(&digits);
                return;
            }
        };
        self.out.extend_from_slice(&[b'\\', short]);
    }

    /// Appends a double as ECMAScript prints it (RFC 8785, section 3.2.2.3).
    pub(super) fn double(&mut self, value: f64) -> Result<(), CanonicalError> {
        if !value.is_finite() {
            return Err(CanonicalError::NotFinite);
        }
        let mut buffer = ryu_js::Buffer::new();
        self.out
            .extend_from_slice(buffer.format_finite(value).as_bytes());
        Ok(())
    }

    /// Appends an integer, rounded to a double where it is beyond 2^53.
    pub(super) fn integer(&mut self, negative: bool, size: u128) -> Result<(), CanonicalError> {
        if size <= u128::from(MAX_SAFE) {
            if negative && size > 0 {
                self.out.push(b'-');
            }
            let _infallible = write!(self.out, "{}", size as u64);
            return Ok(());
        }
        let rounded = size as f64;
        // A cast back saturates at the top, where the double itself is 2^128 and not the integer.
        if rounded >= 340_282_366_920_938_463_463_374_607_431_768_211_456.0
            || rounded as u128 != size
        {
            self.inexact_integers += 1;
        }
        self.double(if negative { -rounded } else { rounded })
    }
}

/// Elements between `[` and `]`.
pub(super) struct Elements<'a> {
    writer: &'a mut Writer,
    first: bool,
    in_variant: bool,
}

impl Elements<'_> {
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
        if !self.first {
            self.writer.out.push(b',');
        }
        self.first = false;
        value.serialize(&mut *self.writer)
    }

    fn finish(self) {
        self.writer.close(b']');
        if self.in_variant {
            self.writer.close(b'}');
        }
    }
}

macro_rules! elements {
    ($($trait:ident :: $method:ident),+) => {$(
        impl ser::$trait for Elements<'_> {
            type Ok = ();
            type Error = CanonicalError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), CanonicalError> {
                self.element(value)
            }

            fn end(self) -> Result<(), CanonicalError> {
                self.finish();
                Ok(())
            }
        }
    )+};
}

elements!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

macro_rules! integers {
    ($($method:ident: $type:ty),+) => {$(
        fn $method(self, value: $type) -> Result<(), CanonicalError> {
            let wide = i128::from(value);
            self.integer(wide < 0, wide.unsigned_abs())
        }
    )+};
}

impl<'a> ser::Serializer for &'a mut Writer {
    type Ok = ();
    type Error = CanonicalError;
    type SerializeSeq = Elements<'a>;
    type SerializeTuple = Elements<'a>;
    type SerializeTupleStruct = Elements<'a>;
    type SerializeTupleVariant = Elements<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Members<'a>;

    integers!(
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_i128: i128
    );

    fn serialize_u128(self, value: u128) -> Result<(), CanonicalError> {
        self.integer(false, value)
    }

    fn serialize_bool(self, value: bool) -> Result<(), CanonicalError> {
        self.out
            .extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<(), CanonicalError> {
        self.double(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), CanonicalError> {
        self.double(value)
    }

    fn serialize_char(self, value: char) -> Result<(), CanonicalError> {
        self.string(value.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), CanonicalError> {
        self.string(value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), CanonicalError> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), CanonicalError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), CanonicalError> {
        self.out.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), CanonicalError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), CanonicalError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), CanonicalError> {
        self.open(b'{')?;
        self.string(variant);
        self.out.push(b':');
        value.serialize(&mut *self)?;
        self.close(b'}');
        Ok(())
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Elements<'a>, CanonicalError> {
        self.open(b'[')?;
        Ok(Elements {
            writer: self,
            first: true,
            in_variant: false,
        })
    }

    fn serialize_tuple(self, len: usize) -> Result<Elements<'a>, CanonicalError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        len: usize,
    ) -> Result<Elements<'a>, CanonicalError> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Elements<'a>, CanonicalError> {
        self.open(b'{')?;
        self.string(variant);
        self.out.push(b':');
        self.open(b'[')?;
        Ok(Elements {
            writer: self,
            first: true,
            in_variant: true,
        })
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Members<'a>, CanonicalError> {
        Members::open(self)
    }

    fn serialize_struct(
        self,
        _name: &'static str,
        _len: usize,
    ) -> Result<Members<'a>, CanonicalError> {
        Members::open(self)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Members<'a>, CanonicalError> {
        self.open(b'{')?;
        self.string(variant);
        self.out.push(b':');
        Members::open_in_variant(self)
    }
}
