//! The codes of this crate.

crate::error_codes! {
    /// The text holds no JSON object that could be evidence.
    INVALID_MODEL_OUTPUT: Rejected, Later, "ask the model again, or use another vision route";
    /// The document breaks the evidence contract and could not be repaired without inventing.
    INVALID_VISION_EVIDENCE: Rejected, Later, "see the listed violations; ask the model again, or use another vision route";
}
