//! How providers word a request that passes their model's window.

/// A figure of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    /// The window.
    Window,
    /// The request.
    Input,
    /// The request, counted only as far as it could fit.
    InputAtLeast,
    /// A part of the request beside the one before.
    More,
    /// The answer that was asked for.
    Output,
}

impl Figure {
    /// Returns the figure of a name in a form; other names stand for figures that are passed over.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "window" => Self::Window,
            "input" => Self::Input,
            "input+" => Self::InputAtLeast,
            "more" => Self::More,
            "output" => Self::Output,
            _ => return None,
        })
    }
}

/// Words with figures between them.
#[derive(Debug)]
pub(super) struct Form {
    /// The words in lower case, without quotation marks.
    pub(super) text: &'static str,
    /// Whether it says by itself that the window is passed.
    pub(super) decides: bool,
}

const fn tells(text: &'static str) -> Form {
    Form {
        text,
        decides: true,
    }
}

const fn adds(text: &'static str) -> Form {
    Form {
        text,
        decides: false,
    }
}

/// What wires call the condition in a code or a type.
pub(super) const NAMES: [&str; 6] = [
    "context_length_exceeded",
    "context_window_exceeded",
    "contextwindowexceeded",
    "exceed_context_size",
    "model_max_prompt_tokens_exceeded",
    "context_limit_exceeded",
];

/// What says it without figures.
pub(super) const PHRASES: [&str; 17] = [
    // OpenAI, Responses and Chat Completions.
    "exceeds the context window",
    // OpenAI, Groq, DeepSeek.
    "reduce the length of the messages",
    "context length exceeded",
    "context_length_exceeded",
    // Anthropic.
    "prompt is too long",
    "exceed context limit",
    // Gemini.
    "input token count exceeds the maximum",
    // llama.cpp.
    "exceeds the available context size",
    // LM Studio.
    "greater than the context length",
    "when context the overflows",
    // Ollama.
    "exceeds the context length",
    "exceeded max context length",
    // Bedrock.
    "input is too long for requested model",
    // vLLM.
    "longer than the maximum model length",
    // SGLang.
    "longer than the models context length",
    // MiniMax.
    "context window exceeds limit",
    // Kimi.
    "exceeded model token limit",
];

/// What says it, or adds to it, with figures; the first form that has a figure gives it.
pub(super) const FORMS: &[Form] = &[
    // vLLM before 0.17, OpenAI, DeepSeek, OpenRouter: the window.
    tells("maximum context length is {window} token"),
    // OpenAI and DeepSeek, Chat Completions.
    adds("({input} in the messages"),
    adds(", {more} in the functions"),
    adds("{output} in the completion"),
    adds("messages resulted in {input} tokens"),
    // OpenAI, Completions.
    adds("({input} in your prompt"),
    adds("{output} for the completion"),
    // OpenRouter.
    adds("({input} of text input"),
    adds(", {more} of tool input"),
    adds(", {more} of image input"),
    adds("{output} in the output"),
    // vLLM.
    adds("your request has {input} input tokens"),
    adds("is too large: {output}"),
    adds("your prompt contains at least {input+} input tokens"),
    adds("your prompt contains {input} input tokens"),
    adds("you requested {output} output tokens"),
    tells(
        "prompt (total length {input}) is too long to fit into the model (context length {window})",
    ),
    tells("prompt (length {input}) is longer than the maximum model length of {window}"),
    // SGLang.
    tells("the input ({input} tokens) is longer than the models context length ({window} tokens)"),
    tells("maximum context length of {window} tokens"),
    adds("{input} tokens from the input messages"),
    adds("{output} tokens for the completion"),
    // Text Generation Inference.
    tells(
        "inputs tokens + max_new_tokens must be <= {window}. given: {input} inputs tokens and {output}",
    ),
    // Anthropic.
    tells("exceed context limit: {input} + {output} > {window}"),
    tells("prompt is too long: {input} tokens > {window} maximum"),
    // Fireworks.
    tells("prompt is too long: {input}, model maximum context length: {window}"),
    // oMLX.
    tells("prompt too long: {input} tokens exceeds max context window of {window}"),
    // Gemini.
    tells("input token count ({input}) exceeds the maximum number of tokens allowed ({window})"),
    adds("maximum number of tokens allowed {window}"),
    // llama.cpp.
    tells("request ({input} tokens) exceeds the available context size ({window} tokens)"),
    tells("requested tokens ({input}) exceed context window of {window}"),
    // xAI.
    tells("maximum prompt length is {window} but the request contains {input} tokens"),
    // GitHub Copilot.
    tells("prompt token count of {input} exceeds the limit of {window}"),
    // Mistral.
    tells(
        "prompt contains {input} tokens and {draft} draft tokens, too large for model with {window} maximum context",
    ),
    tells("prompt contains {input} tokens, too large for model with {window} maximum context"),
    // Kimi.
    adds("exceeded model token limit: {window} (requested: {input})"),
    // LM Studio.
    tells(
        "keep the first {input} tokens when context the overflows. however, the model is loaded with context length of only {window} tokens",
    ),
    // Qwen.
    tells("range of input length should be [{least}, {window}]"),
];
