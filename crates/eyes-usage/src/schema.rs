//! Schemas of the types that check their own rule: what they refuse, the schema refuses.

use crate::{
    price::{Decimal, Money},
    session::SessionDigest,
    time::{Day, UnixTime},
};

eyes_evidence::checked_schemas! {
    Money: {
        "description": "An exact amount, as a decimal number.",
        "type": "string",
        "pattern": "^[0-9]+(\\.[0-9]{1,15})?$"
    }
    Decimal: {
        "description": "A decimal number, as a text where it has to be exact.",
        "anyOf": [
            { "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?$" },
            { "type": "number", "minimum": 0, "maximum": crate::limits::MAX_PRICE }
        ]
    }
    Day: {
        "description": "A day of UTC.",
        "type": "string",
        "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
    }
    UnixTime: {
        "description": "A moment of UTC (RFC 3339), to the second.",
        "type": "string",
        "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"
    }
    SessionDigest: {
        "description": "The SHA-256 digest of a session's id.",
        "type": "string",
        "pattern": "^[0-9a-f]{64}$"
    }
}
