//! Failures of single messages that a transport found, on their way through the protocol library.

use std::borrow::Cow;

use eyes_evidence::code::ErrorCode;
use rmcp::model::{ErrorCode as RpcCode, ErrorData};
use serde_json::json;

use crate::{
    codes::{MCP_MESSAGE_INVALID, MCP_MESSAGE_SHAPE_LIMIT, MCP_MESSAGE_SIZE_LIMIT},
    error::McpError,
};

/// The code of errors that a transport makes: of the range that JSON-RPC 2.0 (section 5.1) leaves to
/// implementations, and used by no revision of the protocol.
const TRANSPORT_FAULT: RpcCode = RpcCode(-32099);
/// The member of `data` that names the registry's code.
const CODE_MEMBER: &str = "eyesCode";
const CODES: [ErrorCode; 3] = [
    MCP_MESSAGE_SIZE_LIMIT,
    MCP_MESSAGE_SHAPE_LIMIT,
    MCP_MESSAGE_INVALID,
];

/// Makes the error that answers the request whose response could not be handed on.
pub fn to_rpc(code: ErrorCode, message: impl Into<Cow<'static, str>>) -> ErrorData {
    ErrorData::new(
        TRANSPORT_FAULT,
        message,
        Some(json!({ CODE_MEMBER: code.as_str() })),
    )
}

/// Returns the failure that a transport put into an error; nothing for errors of the server.
pub fn from_rpc(error: &ErrorData) -> Option<McpError> {
    if error.code != TRANSPORT_FAULT {
        return None;
    }
    let name = error.data.as_ref()?.get(CODE_MEMBER)?.as_str()?;
    let code = CODES.into_iter().find(|code| code.as_str() == name)?;
    Some(McpError::new(code, error.message.clone()).after_sending())
}

/// Takes from an error of the server what only a transport may say.
pub fn disown(error: &mut ErrorData) {
    if error.code == TRANSPORT_FAULT {
        error.data = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_keeps_its_code_and_a_server_cannot_make_one() {
        for code in CODES {
            let mut error = to_rpc(code, "the response has 50 bytes");
            let fault = from_rpc(&error).expect("a fault");
            assert_eq!((fault.code, fault.sent), (code, true));
            assert_eq!(fault.message, "the response has 50 bytes");
            disown(&mut error);
            assert_eq!(from_rpc(&error), None);
        }
        let other = ErrorData::new(
            RpcCode(-32603),
            "x",
            Some(json!({ CODE_MEMBER: CODES[0].as_str() })),
        );
        assert_eq!(from_rpc(&other), None);
    }
}
