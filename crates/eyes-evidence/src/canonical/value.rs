//! Writing a JSON value without recursion.

use serde_json::{Map, Number, Value};

use super::{MemberPlaces, error::CanonicalError, member::utf16_order, write::Writer};

/// A container whose remaining entries are still to be written.
enum Open<'a> {
    Array(std::slice::Iter<'a, Value>),
    Object(std::vec::IntoIter<(&'a String, &'a Value)>),
}

/// Appends the canonical text of `value`.
pub(super) fn write_value(writer: &mut Writer, value: &Value) -> Result<(), CanonicalError> {
    let mut open: Vec<Open<'_>> = Vec::new();
    enter(writer, value, &mut open)?;
    // Whether the container on top has written an entry follows from the last byte.
    while let Some(top) = open.last_mut() {
        let next = match top {
            Open::Array(entries) => entries.next(),
            Open::Object(members) => members.next().map(|(key, value)| {
                separate(writer, b'{');
                writer.string(key);
                writer.out.push(b':');
                value
            }),
        };
        match (next, &open[open.len() - 1]) {
            (Some(value), Open::Array(_)) => {
                separate(writer, b'[');
                enter(writer, value, &mut open)?;
            }
            (Some(value), Open::Object(_)) => enter(writer, value, &mut open)?,
            (None, Open::Array(_)) => {
                writer.close(b']');
                open.pop();
            }
            (None, Open::Object(_)) => {
                writer.close(b'}');
                open.pop();
            }
        }
    }
    Ok(())
}

/// Appends an object and returns where the value of each member stands, in the order of the text.
pub(super) fn write_map<'a>(
    writer: &mut Writer,
    members: &'a Map<String, Value>,
) -> Result<MemberPlaces<'a>, CanonicalError> {
    writer.open(b'{')?;
    let mut places = Vec::with_capacity(members.len());
    for (key, value) in sorted(members) {
        separate(writer, b'{');
        writer.string(key);
        writer.out.push(b':');
        let start = writer.out.len();
        write_value(writer, value)?;
        places.push((key.as_str(), start..writer.out.len()));
    }
    writer.close(b'}');
    Ok(places)
}

fn sorted(members: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut members: Vec<_> = members.iter().collect();
    members.sort_unstable_by(|a, b| utf16_order(a.0, b.0));
    members
}

fn separate(writer: &mut Writer, bracket: u8) {
    if writer.out.last() != Some(&bracket) {
        writer.out.push(b',');
    }
}

fn enter<'a>(
    writer: &mut Writer,
    value: &'a Value,
    open: &mut Vec<Open<'a>>,
) -> Result<(), CanonicalError> {
    match value {
        Value::Null => writer.out.extend_from_slice(b"null"),
        Value::Bool(true) => writer.out.extend_from_slice(b"true"),
        Value::Bool(false) => writer.out.extend_from_slice(b"false"),
        Value::Number(number) => write_number(writer, number)?,
        Value::String(text) => writer.string(text),
        Value::Array(entries) => {
            writer.open(b'[')?;
            open.push(Open::Array(entries.iter()));
        }
        Value::Object(members) => {
            writer.open(b'{')?;
            open.push(Open::Object(sorted(members).into_iter()));
        }
    }
    Ok(())
}

fn write_number(writer: &mut Writer, number: &Number) -> Result<(), CanonicalError> {
    if let Some(value) = number.as_u64() {
        writer.integer(false, u128::from(value))
    } else if let Some(value) = number.as_i64() {
        writer.integer(true, u128::from(value.unsigned_abs()))
    } else {
        writer.double(number.as_f64().ok_or(CanonicalError::NotFinite)?)
    }
}
