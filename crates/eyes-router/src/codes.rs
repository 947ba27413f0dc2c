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
    /// The route names the virtual provider that itself needs eyes.
    VISION_ROUTE_RECURSION: Invalid, AfterChange, "name a provider that answers on its own as the eye";
    /// The route failed several times in a row and is not asked for a while.
    VISION_ROUTE_UNAVAILABLE: Unavailable, Later, "wait for the cooldown, or add another route";
    /// The operation took as long as it may.
    VISION_READ_TIMEOUT: Failed, Later, "raise visionTimeBudgetMs, or put a faster route first";
    /// The operation used as many tokens as it may.
    VISION_TOKEN_LIMIT: Refused, AfterChange, "raise visionTokenBudget";
    /// A setting of the vision router is out of its range, or two settings contradict each other.
    VISION_SETTING_INVALID: Invalid, AfterChange, "set the named member to a value within its range";
    /// The file of route health is damaged, newer, or cannot be used.
    VISION_HEALTH_UNAVAILABLE: Unavailable, AfterChange, "look at the named file; until then route health is kept in memory only";
    /// The settings of a provider or of the network are wrong.
    PROVIDER_CONFIG_INVALID: Invalid, AfterChange, "correct the setting that the message names";
    /// The provider refused the key.
    PROVIDER_CREDENTIAL_INVALID: Invalid, AfterChange, "check the key and what it may be used for";
    /// The provider asks to send less for a while.
    PROVIDER_RATE_LIMIT: Unavailable, Later, "wait as long as the provider asked, or use another route";
    /// The account has no credit or quota left.
    PROVIDER_QUOTA_LIMIT: Refused, AfterChange, "add credit or raise the quota at the provider, or use another route";
    /// The provider is overloaded or broken.
    PROVIDER_UNAVAILABLE: Unavailable, Later, "call again later, or use another route";
    /// The provider did not answer in the time that the settings allow.
    PROVIDER_TIMEOUT: Unavailable, Later, "raise the timeout that the message names, or use another route";
    /// No connection to the provider could be made.
    PROVIDER_CONNECT_FAILED: Unavailable, Later, "check the base URL, the proxy and the network";
    /// The provider's certificate is not trusted.
    PROVIDER_CERTIFICATE_INVALID: Unavailable, AfterChange, "check the base URL; add the CA certificate of a proxy or a private server to the settings";
    /// The provider does not accept the request.
    PROVIDER_REQUEST_INVALID: Invalid, AfterChange, "see the provider's message; correct the model's settings or use another route";
    /// The provider's reply breaks its protocol.
    PROVIDER_RESPONSE_INVALID: Rejected, Later, "check that the base URL leads to an interface of the configured kind";
    /// The provider's content filter stopped the answer, or the model refused.
    VISION_CONTENT_BLOCKED: Refused, AfterChange, "use another route for this image";
    /// The task and the newest step of an automation pass the limit of its context.
    AUTOMATION_CONTEXT_LIMIT: Refused, AfterChange, "raise automationContextMaxTokens, or let the tool return less at once";
    /// The model was called for one task of an automation as often as it may be.
    AUTOMATION_CALL_LIMIT: Refused, AfterChange, "say how to go on in a new message, or raise automationMaxCallsPerTurn";
    /// The request leaves the final model no room for an answer.
    FINAL_CONTEXT_EXHAUSTED: Refused, AfterChange, "shorten or compact the session, or use a model with a larger window";
    /// The provider refused a request that passes its model's window.
    PROVIDER_CONTEXT_LIMIT: Invalid, AfterChange, "shorten the request or ask for a shorter answer, or use a model with a larger window";
    /// The host could not give the bytes of an image.
    ATTACHMENT_READ_FAILED: Failed, Later, "check that the attachment is still there, and send the image again";
    /// The bytes of an image are not those that were seen before.
    VISION_STATE_MISMATCH: Stale, AfterChange, "send the image again; what was read of the other bytes is not used";
    /// The session has no image with this digest.
    UNKNOWN_PRESERVED_IMAGE: Stale, AfterChange, "name an image by the imageSha256 that this session shows";
    /// The final model asked to look again more often than a turn allows.
    VISION_CLARIFICATION_LIMIT: Refused, AfterChange, "ask for the detail in a new message, or raise maxClarifications";
}
