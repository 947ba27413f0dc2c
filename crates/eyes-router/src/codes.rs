//! The codes of this crate.

eyes_evidence::error_codes! {
    /// No configured route can look at an image.
    NO_VISION_MODEL: Unavailable, AfterChange, "configure a vision model, or leave the embedded local eyes enabled";
    /// The operation was stopped by its caller.
    ABORTED: Refused, Later, "call again when the result is wanted";
    /// A provider failed and gave no code of its own.
    VISION_MODEL_FAILED: Failed, Later, "see the provider's message; another route may work";
}
