//! The codes of this crate.

eyes_evidence::error_codes! {
    /// No configured route can look at an image.
    NO_VISION_MODEL: Unavailable, AfterChange, "configure a vision model, or leave the embedded local eyes enabled";
    /// A configured route names a provider or a model that does not exist.
    VISION_ROUTE_ERROR: Invalid, AfterChange, "name the route as provider/model, with a provider and a model that are configured";
    /// The model of the route does not accept images.
    VISION_MODEL_NOT_MULTIMODAL: Invalid, AfterChange, "name a model that accepts images";
    /// The question or the region of a targeted read is out of bounds.
    INVALID_VISION_REQUEST: Invalid, AfterChange, "ask one question of 1 to 2,000 characters about a region inside the image";
    /// The operation was stopped by its caller.
    ABORTED: Refused, Later, "call again when the result is wanted";
    /// The reader did not name the colours of the pixel probe.
    VISION_PROBE_FAILED: Failed, Later, "use a model that sees images; its metadata may be wrong";
    /// A provider failed and gave no code of its own.
    VISION_MODEL_FAILED: Failed, Later, "see the provider's message; another route may work";
    /// The answer ended without a mark that it is complete.
    INCOMPLETE_STREAM: Failed, Later, "read again; check the connection when it happens often";
    /// The model used up its output budget before its answer was complete.
    VISION_OUTPUT_TRUNCATED: Rejected, AfterChange, "raise the output token limit, or ask about a region";
    /// The answer is longer than any evidence may be.
    VISION_OUTPUT_LIMIT: Rejected, Later, "read again, or use another vision route";
    /// Several routes were tried and each failed.
    VISION_FAILOVER_EXHAUSTED: Failed, Later, "see the code of each attempt; correct the first route, or add another";
}
