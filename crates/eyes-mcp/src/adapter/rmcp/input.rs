//! Results that ask for more before they are results (SEP-2322, revision 2026-07-28).

use serde_json::{Map, Value, json};

use super::{convert::cut, elicit::Questions};
use crate::{
    codes::{MCP_MESSAGE_INVALID, MCP_REQUEST_FAILED},
    error::McpError,
    limits::{MAX_INPUT_REQUESTS, MAX_METHOD_CHARS},
};

/// What a server wants to know before it goes on.
#[derive(Debug)]
pub(super) struct Required {
    requests: Map<String, Value>,
    state: Option<Value>,
}

impl Required {
    /// Reads what a result asks for; nothing for a result that is one.
    ///
    /// Errors: `MCP_REQUEST_FAILED` for a kind of result that was not asked for, `MCP_MESSAGE_INVALID`.
    pub(super) fn of(result: &mut Value) -> Result<Option<Self>, McpError> {
        let kind = result.get("resultType").and_then(Value::as_str);
        match kind {
            None | Some("complete") => return Ok(None),
            Some("input_required") => {}
            Some(kind) => {
                let kind = cut(kind, MAX_METHOD_CHARS);
                let message = format!("the server answered with a {kind:?}, which was not offered");
                return Err(McpError::new(MCP_REQUEST_FAILED, message).after_sending());
            }
        }
        let requests = match result.get_mut("inputRequests").map(Value::take) {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(requests)) if requests.len() <= MAX_INPUT_REQUESTS => requests,
            Some(_) => return Err(invalid("inputRequests is no object of a few requests")),
        };
        let state = result
            .get_mut("requestState")
            .map(Value::take)
            .filter(|state| !state.is_null());
        if requests.is_empty() && state.is_none() {
            return Err(invalid("a result asks for input and names none"));
        }
        Ok(Some(Self { requests, state }))
    }

    /// Whether nothing is asked: the server wants to be asked again, later.
    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Answers what is asked, one after another, and puts it into the `params` of the next round.
    ///
    /// Errors: `MCP_REQUEST_FAILED` for a kind of request that is not offered.
    pub(super) async fn answer(
        self,
        questions: Option<&Questions>,
        params: &mut Map<String, Value>,
    ) -> Result<(), McpError> {
        let mut responses = Map::new();
        for (key, request) in self.requests {
            let method = request.get("method").and_then(Value::as_str);
            let (Some("elicitation/create"), Some(questions)) = (method, questions) else {
                let method = cut(method.unwrap_or_default(), MAX_METHOD_CHARS);
                let message = format!("the server asks for {method:?}, which is not offered");
                return Err(McpError::new(MCP_REQUEST_FAILED, message).after_sending());
            };
            let params = request.get("params").unwrap_or(&Value::Null);
            responses.insert(key, questions.ask(params).await);
        }
        params.remove("inputResponses");
        params.remove("requestState");
        if !responses.is_empty() {
            params.insert("inputResponses".to_owned(), Value::Object(responses));
        }
        if let Some(state) = self.state {
            params.insert("requestState".to_owned(), json!(state));
        }
        Ok(())
    }
}

fn invalid(message: &str) -> McpError {
    McpError::new(MCP_MESSAGE_INVALID, message).after_sending()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn rounds_carry_answers_and_state_and_nothing_of_the_round_before() {
        let mut whole = json!({"resultType": "complete", "content": []});
        assert!(Required::of(&mut whole).unwrap().is_none());
        assert!(Required::of(&mut json!({"content": []})).unwrap().is_none());
        let mut waits = json!({"resultType": "input_required", "requestState": "s1"});
        let required = Required::of(&mut waits).unwrap().unwrap();
        assert!(required.is_empty());
        let mut params = Map::from_iter([
            ("name".to_owned(), json!("t")),
            ("inputResponses".to_owned(), json!({"old": 1})),
            ("requestState".to_owned(), json!("s0")),
        ]);
        required.answer(None, &mut params).await.unwrap();
        assert_eq!(
            Value::Object(params),
            json!({"name": "t", "requestState": "s1"})
        );
        let mut samples = json!({
            "resultType": "input_required",
            "inputRequests": {"a": {"method": "sampling/createMessage", "params": {}}},
        });
        let required = Required::of(&mut samples).unwrap().unwrap();
        let refused = required.answer(None, &mut Map::new()).await.unwrap_err();
        assert_eq!(refused.code, MCP_REQUEST_FAILED);
        for (result, code) in [
            (json!({"resultType": "task"}), MCP_REQUEST_FAILED),
            (json!({"resultType": "input_required"}), MCP_MESSAGE_INVALID),
            (
                json!({"resultType": "input_required", "inputRequests": [1]}),
                MCP_MESSAGE_INVALID,
            ),
        ] {
            let error = Required::of(&mut result.clone()).unwrap_err();
            assert_eq!(error.code, code, "{result}");
        }
    }
}
