use eyes_evidence::code::{Coded as _, ErrorCode};

use super::*;
use crate::codes;

fn failure(code: ErrorCode, message: &str) -> ProviderError {
    ProviderError::new(code, message)
}

fn invalid(message: &str) -> ProviderError {
    failure(codes::PROVIDER_REQUEST_INVALID, message)
}

const fn exactly(window: u64, input: u64, output: Option<u64>) -> Overflow {
    Overflow {
        window: Some(window),
        input: Some(ReportedInput::Exactly(input)),
        output,
    }
}

const fn window(window: u64) -> Overflow {
    Overflow {
        window: Some(window),
        input: None,
        output: None,
    }
}

const UNKNOWN: Overflow = Overflow {
    window: None,
    input: None,
    output: None,
};

const AT_LEAST: Overflow = Overflow {
    window: Some(262_144),
    input: Some(ReportedInput::AtLeast(134_145)),
    output: Some(128_000),
};

/// What providers answered, word for word.
const TEXTS: &[(&str, Overflow)] = &[
    // DeepSeek, and OpenAI's Chat Completions.
    (
        "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
        exactly(131_072, 122_942, Some(8_192)),
    ),
    (
        "This model's maximum context length is 65536 tokens. However, you requested 68161 tokens (68161 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
        exactly(65_536, 68_161, Some(0)),
    ),
    (
        "This model's maximum context length is 8192 tokens. However, you requested 8213 tokens (6683 in the messages, 730 in the functions, and 800 in the completion). Please reduce the length of the messages, functions, or completion.",
        exactly(8_192, 7_413, Some(800)),
    ),
    (
        "This model's maximum context length is 4097 tokens. However, your messages resulted in 192871 tokens. Please reduce the length of the messages.",
        exactly(4_097, 192_871, None),
    ),
    // OpenAI's Completions and Responses.
    (
        "This model's maximum context length is 2049 tokens, however you requested 2054 tokens (2049 in your prompt, 5 for the completion). Please reduce your prompt or completion length.",
        exactly(2_049, 2_049, Some(5)),
    ),
    (
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        UNKNOWN,
    ),
    // OpenRouter.
    (
        "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.",
        exactly(32_768, 42_832, None),
    ),
    (
        "This endpoint's maximum context length is 1048576 tokens. However, you requested about 1293741 tokens (1227853 of text input, 353 of tool input, 65535 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.",
        exactly(1_048_576, 1_228_206, Some(65_535)),
    ),
    // vLLM, three generations.
    (
        "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens (9591 in the messages, 10000 in the completion). Please reduce the length of the messages or completion. None",
        exactly(16_384, 9_591, Some(10_000)),
    ),
    (
        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 613 input tokens (8192 > 8192 - 613).",
        exactly(8_192, 613, Some(8_192)),
    ),
    (
        "This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=134145)",
        AT_LEAST,
    ),
    (
        "The prompt (total length 25938) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.",
        exactly(4_096, 25_938, None),
    ),
    (
        "The decoder prompt (length 40123) is longer than the maximum model length of 32768. Make sure that `max_model_len` is no smaller than the number of text tokens.",
        exactly(32_768, 40_123, None),
    ),
    // SGLang.
    (
        "The input (9010 tokens) is longer than the model's context length (8192 tokens).",
        exactly(8_192, 9_010, None),
    ),
    (
        "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 40000 tokens: 39000 tokens from the input messages and 1000 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
        exactly(32_768, 39_000, Some(1_000)),
    ),
    // Text Generation Inference.
    (
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 500 `max_new_tokens`",
        exactly(4_096, 3_900, Some(500)),
    ),
    // Anthropic.
    (
        "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
        exactly(200_000, 178_959, Some(64_000)),
    ),
    (
        "prompt is too long: 208310 tokens > 200000 maximum",
        exactly(200_000, 208_310, None),
    ),
    // Fireworks, oMLX.
    (
        "The prompt is too long: 267657, model maximum context length: 262143",
        exactly(262_143, 267_657, None),
    ),
    (
        "Prompt too long: 41911 tokens exceeds max context window of 32768 tokens",
        exactly(32_768, 41_911, None),
    ),
    // Gemini.
    (
        "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
        exactly(1_048_576, 1_200_293, None),
    ),
    (
        "The input token count exceeds the maximum number of tokens allowed 1048576.",
        window(1_048_576),
    ),
    // llama.cpp and its Python binding.
    (
        "the request exceeds the available context size. try increasing the context size or enable context shift",
        UNKNOWN,
    ),
    (
        "the request exceeds the available context size, try increasing it",
        UNKNOWN,
    ),
    (
        "request (15953 tokens) exceeds the available context size (8192 tokens), try increasing it",
        exactly(8_192, 15_953, None),
    ),
    (
        "Requested tokens (2285) exceed context window of 2048",
        exactly(2_048, 2_285, None),
    ),
    // LM Studio, Ollama.
    (
        "Trying to keep the first 5120 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input",
        exactly(4_096, 5_120, None),
    ),
    ("the input length exceeds the context length", UNKNOWN),
    (
        "prompt too long; exceeded max context length by 1298 tokens",
        UNKNOWN,
    ),
    // xAI, Kimi, MiniMax, GitHub Copilot, Bedrock.
    (
        "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
        exactly(131_072, 537_812, None),
    ),
    (
        "Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)",
        exactly(262_144, 291_351, None),
    ),
    (
        "invalid params, context window exceeds limit (2013)",
        UNKNOWN,
    ),
    (
        "prompt token count of 70123 exceeds the limit of 64000",
        exactly(64_000, 70_123, None),
    ),
    ("Input is too long for requested model.", UNKNOWN),
    // Through a gateway that quotes and escapes.
    (
        r#"Error from provider(deepseek: 400): {\"error\":{\"message\":\"This model's maximum context length is 131,072 tokens. However, you requested 131,329 tokens (123,137 in the messages, 8,192 in the completion).\"}}"#,
        exactly(131_072, 123_137, Some(8_192)),
    ),
];

#[test]
fn every_known_wire_is_read_with_its_figures() {
    for (text, expected) in TEXTS {
        assert_eq!(Overflow::of(&invalid(text)), Some(*expected), "{text}");
    }
}

#[test]
fn other_failures_are_no_overflow() {
    for text in [
        "",
        "invalid x-api-key",
        "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 35000.",
        "max_tokens is too large: 99999. This model supports at most 16384 completion tokens, whereas you provided 99999.",
        "Invalid 'messages[0].content': string too long. Expected a string with maximum length 10485760",
        "image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes",
        "maximum context length is unknown",
        "maximum context length is 99999999999999999999999 tokens",
    ] {
        assert_eq!(Overflow::of(&invalid(text)), None, "{text}");
    }
    let text = TEXTS[0].0;
    for code in [
        codes::PROVIDER_RATE_LIMIT,
        codes::PROVIDER_QUOTA_LIMIT,
        codes::PROVIDER_CREDENTIAL_INVALID,
        codes::ABORTED,
    ] {
        assert_eq!(Overflow::of(&failure(code, text)), None, "{code:?}");
    }
}

#[test]
fn a_code_needs_no_words() {
    let typed = failure(codes::PROVIDER_CONTEXT_LIMIT, "no room");
    assert_eq!(Overflow::of(&typed), Some(Overflow::default()));
    let mut named = invalid("no room");
    named.provider_code = Some("context_length_exceeded".to_owned());
    assert_eq!(Overflow::of(&named), Some(Overflow::default()));
    named.provider_code = Some("invalid_request_error".to_owned());
    assert_eq!(Overflow::of(&named), None);
}

fn fit(window: u32, wanted: u32, input: u64) -> Result<Option<u32>, ContextError> {
    let fitted = OutputBudget::fit(Some(window), Some(wanted), EstimatedTokens(input));
    fitted.map(|budget| budget.max_output_tokens())
}

#[test]
fn an_answer_is_fitted_behind_the_request_and_a_margin() {
    for (window, wanted, input, expected) in [
        // Room for all.
        (131_072, 8_192, 10_000, 8_192),
        (131_072, 8_192, 121_569, 8_192),
        // One per cent of 131,072 is 1,311.
        (131_072, 8_192, 121_570, 8_191),
        (131_072, 8_192, 129_000, 761),
        // The bounds of the margin.
        (8_192, 8_192, 1_000, 6_936),
        (2_000_000, 500_000, 1_600_000, 391_808),
        // Only the margin is left.
        (131_072, 8_192, 130_000, 256),
        (131_072, 8_192, 130_816, 256),
        (131_072, 64, 131_008, 64),
    ] {
        assert_eq!(
            fit(window, wanted, input),
            Ok(Some(expected)),
            "{window} {wanted} {input}"
        );
    }
}

#[test]
fn a_request_that_fills_the_window_is_refused() {
    for (window, wanted, input) in [
        (131_072, 8_192, 130_817),
        (131_072, 8_192, 131_072),
        (131_072, 8_192, 400_000),
        (131_072, 64, 131_009),
        (0, 1, 0),
    ] {
        let error = fit(window, wanted, input).unwrap_err();
        assert_eq!(error.code().as_str(), "FINAL_CONTEXT_EXHAUSTED");
        assert!(error.to_string().contains(&input.to_string()), "{error}");
    }
}

#[test]
fn nothing_is_fitted_without_a_window_or_a_wish() {
    let input = EstimatedTokens(1_000_000);
    for (window, wanted) in [(None, Some(8_192)), (Some(4_096), None), (None, None)] {
        let budget = OutputBudget::fit(window, wanted, input).unwrap();
        assert_eq!(
            (budget.max_output_tokens(), budget.is_capped()),
            (wanted, false)
        );
    }
}

fn budget(window: u32, wanted: u32, input: u64) -> OutputBudget {
    OutputBudget::fit(Some(window), Some(wanted), EstimatedTokens(input)).unwrap()
}

#[test]
fn one_further_call_asks_for_what_the_figures_leave() {
    let mut budget = budget(131_072, 16_384, 90_000);
    let refused = invalid(
        "This model's maximum context length is 131072 tokens. However, you requested 136384 tokens (120000 in the messages, 16384 in the completion). Please reduce the length of the messages or completion.",
    );
    assert_eq!(budget.after(&refused), Ok(Some(131_072 - 120_000 - 1_311)));
    assert_eq!(budget.max_output_tokens(), Some(9_761));
    assert!(budget.is_capped());
    let error = budget.after(&refused).unwrap_err();
    assert_eq!(error.code().as_str(), "FINAL_CONTEXT_EXHAUSTED");
    assert!(
        error.to_string().contains("window 131072, request 120000"),
        "{error}"
    );
}

#[test]
fn a_count_that_stopped_early_is_taken_with_the_estimate() {
    let text = "This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.";
    let mut low = budget(262_144, 128_000, 100_000);
    assert_eq!(
        low.after(&invalid(text)),
        Ok(Some(262_144 - 134_145 - 2_622))
    );
    let mut high = budget(400_000, 128_000, 200_000);
    assert_eq!(
        high.after(&invalid(text)),
        Ok(Some(262_144 - 200_000 - 2_622))
    );
}

#[test]
fn no_call_is_made_that_cannot_help() {
    for text in [
        // The request alone is too long, or leaves less than is worth a call.
        "prompt is too long: 208310 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 198000 + 64000 > 200000, decrease input length or `max_tokens` and try again",
        // No figures.
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
        // A smaller answer than before does not come out.
        "input length and `max_tokens` exceed context limit: 1000 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    ] {
        let mut budget = budget(200_000, 64_000, 100_000);
        let error = budget.after(&invalid(text)).unwrap_err();
        assert_eq!(error.code().as_str(), "FINAL_CONTEXT_EXHAUSTED", "{text}");
        assert_eq!(budget.max_output_tokens(), Some(64_000));
    }
}

#[test]
fn a_window_that_the_provider_does_not_name_is_the_declared_one() {
    let mut budget = budget(100_000, 64_000, 10_000);
    let text = "your request has 50000 input tokens: context length exceeded";
    assert_eq!(budget.after(&invalid(text)), Ok(Some(49_000)));
}

#[test]
fn other_failures_pass_on() {
    let mut budget = budget(131_072, 8_192, 1_000);
    let busy = failure(codes::PROVIDER_RATE_LIMIT, TEXTS[0].0);
    assert_eq!(budget.after(&busy), Ok(None));
    assert_eq!(budget.max_output_tokens(), Some(8_192));
}

#[test]
fn an_unfitted_answer_is_corrected_too() {
    let mut budget = OutputBudget::fit(None, None, EstimatedTokens::default()).unwrap();
    let text = "This model's maximum context length is 8192 tokens. However, you requested 8213 tokens (7213 in the messages, 1000 in the completion).";
    assert_eq!(budget.after(&invalid(text)), Ok(Some(8_192 - 7_213 - 256)));
}
