use serde_json::json;

use super::*;

#[test]
fn a_request_that_passes_the_window_is_told_from_other_invalid_ones() {
    let deepseek = "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.";
    let llama = "the request exceeds the available context size. try increasing the context size or enable context shift";
    let busy =
        "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 35000.";
    for (status, error, expected) in [
        (
            Some(400),
            json!({"message": deepseek, "type": "invalid_request_error"}),
            "PROVIDER_CONTEXT_LIMIT",
        ),
        (
            Some(400),
            json!({"message": "too long", "code": "context_length_exceeded"}),
            "PROVIDER_CONTEXT_LIMIT",
        ),
        (
            None,
            json!({"message": "too long", "code": "context_length_exceeded"}),
            "PROVIDER_CONTEXT_LIMIT",
        ),
        (
            Some(200),
            json!({"message": "prompt is too long: 208310 tokens > 200000 maximum", "type": "invalid_request_error"}),
            "PROVIDER_CONTEXT_LIMIT",
        ),
        (
            Some(500),
            json!({"message": llama, "type": "exceed_context_size_error", "n_ctx": 256}),
            "PROVIDER_CONTEXT_LIMIT",
        ),
        (
            Some(429),
            json!({"message": busy, "code": "rate_limit_exceeded"}),
            "PROVIDER_RATE_LIMIT",
        ),
        (
            Some(429),
            json!({"message": deepseek}),
            "PROVIDER_RATE_LIMIT",
        ),
        (
            Some(400),
            json!({"message": deepseek, "code": "insufficient_quota"}),
            "PROVIDER_QUOTA_LIMIT",
        ),
        (
            Some(413),
            json!({"message": "Request exceeds the maximum size", "type": "request_too_large"}),
            "PROVIDER_REQUEST_INVALID",
        ),
        (
            Some(400),
            json!({"message": "temperature is out of range", "type": "invalid_request_error"}),
            "PROVIDER_REQUEST_INVALID",
        ),
    ] {
        let reported = Reported::find(&json!({"error": error})).expect("an error");
        let (code, _) = Fault::Reported(reported).resolve(status);
        assert_eq!(code.as_str(), expected, "{status:?} {error}");
    }
}
