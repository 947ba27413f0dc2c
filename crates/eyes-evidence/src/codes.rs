//! The codes of this crate.

crate::error_codes! {
    /// The text holds no JSON object that could be evidence.
    INVALID_MODEL_OUTPUT: Rejected, Later, "ask the model again, or use another vision route";
    /// The document breaks the evidence contract and could not be repaired without inventing.
    INVALID_VISION_EVIDENCE: Rejected, Later, "see the listed violations; ask the model again, or use another vision route";
    /// The bytes are no image of an accepted format.
    UNSUPPORTED_IMAGE_TYPE: Rejected, AfterChange, "convert the picture to PNG, JPEG, WebP, GIF or BMP";
    /// The encoded image has more bytes than the limit.
    IMAGE_TOO_LARGE: Rejected, AfterChange, "compress, crop or shrink the image, or raise the byte limit";
    /// The image has more pixels, or a longer side, than the limit.
    IMAGE_PIXEL_LIMIT: Rejected, AfterChange, "crop or shrink the image, or raise the pixel limit";
    /// Decoding the image would need more memory than the limit.
    IMAGE_MEMORY_LIMIT: Rejected, AfterChange, "shrink the image or reduce its bit depth, or raise the memory limit";
    /// The image is an animation; one still picture is read at a time.
    IMAGE_ANIMATION_UNSUPPORTED: Rejected, AfterChange, "extract the frame to be read and send it as a still image";
    /// The image is damaged, cut off, or uses a feature that its decoder lacks.
    IMAGE_INVALID: Rejected, AfterChange, "export or capture the image again; re-encode it as PNG";
    /// The text is not canonical base64.
    INVALID_IMAGE_BASE64: Rejected, AfterChange, "encode the file with the standard base64 alphabet, with padding and without line breaks";
    /// The text is not a base64 data URL of an image.
    IMAGE_DATA_URL_INVALID: Rejected, AfterChange, "use the form data:image/png;base64,...";
    /// The image limits contradict each other or pass what the software can bound.
    IMAGE_LIMITS_INVALID: Invalid, AfterChange, "give positive limits within the documented maxima";
    /// Tile limits are zero, or the overlap leaves no progress.
    IMAGE_TILE_LIMITS_INVALID: Invalid, AfterChange, "give positive limits and an overlap below half the tile side";
    /// A single tile cannot be made small enough for the byte limit.
    IMAGE_TILE_BYTES_LIMIT: Rejected, AfterChange, "raise the byte limit of one image";
    /// The picture needs more tiles than the limit.
    IMAGE_TILE_COUNT_LIMIT: Rejected, AfterChange, "capture a smaller area, or raise the number of images";
    /// The tiles together have more bytes than the limit.
    IMAGE_TILE_TOTAL_LIMIT: Rejected, AfterChange, "capture a smaller area, or raise the total byte limit";
    /// Pixels could not be written as PNG.
    IMAGE_ENCODE_FAILED: Internal, Never, "report this with the size of the picture";

    // Canonical JSON.
    /// The text is not strict JSON.
    JSON_TEXT_INVALID: Rejected, Never, "send UTF-8 text of exactly one JSON value (RFC 8259)";
    /// The JSON text is longer than the limit.
    JSON_SIZE_LIMIT: Rejected, Never, "send less at once";
    /// JSON containers nest deeper than the limit.
    JSON_DEPTH_LIMIT: Rejected, Never, "send a flatter document";
    /// A number is not finite, or has no exact JSON form where one is needed.
    JSON_NUMBER_INVALID: Rejected, Never, "use finite numbers, and text for integers beyond 2^53";
    /// An object key is no text or comes twice.
    JSON_KEY_INVALID: Rejected, Never, "give every member of an object its own name";
    // Records and stores.
    /// The evidence record breaks its contract.
    EVIDENCE_RECORD_INVALID: Rejected, Never, "read the image again";
    /// The digest of the evidence record does not fit its content.
    EVIDENCE_RECORD_MISMATCH: Rejected, Never, "the record was changed or damaged; read the image again";
    /// The evidence record was written by a newer version.
    EVIDENCE_RECORD_UNSUPPORTED: Rejected, AfterChange, "update this software to read the record";
    /// The evidence record is longer than the limit.
    EVIDENCE_RECORD_LIMIT: Rejected, Never, "ask about a smaller part of the image";
    /// The evidence could not be written to disk.
    EVIDENCE_PERSIST_FAILED: Failed, Later, "free disk space or choose another directory; the evidence itself is not lost";
    /// The evidence store could not be read.
    EVIDENCE_STORE_UNAVAILABLE: Unavailable, Later, "check that the directory exists and can be read";
    /// The place of the store is not private, or is not a directory.
    EVIDENCE_STORE_BLOCKED: Refused, AfterChange, "choose a directory that is yours alone and not a symbolic link";
    /// The store was written by a newer version.
    EVIDENCE_STORE_UNSUPPORTED: Rejected, AfterChange, "update this software or choose another directory";
    /// The stored bytes are not those that were written; they were set aside.
    EVIDENCE_STORE_MISMATCH: Rejected, AfterChange, "look into the quarantine directory; the next read makes the record anew";
    /// The item is larger than the store holds.
    EVIDENCE_STORE_LIMIT: Refused, AfterChange, "raise the bound of the store";
    // Private files.
    /// A file could not be written; what stood there before still stands.
    FILE_WRITE_FAILED: Failed, Later, "check free space and permissions of the directory";
    /// A file could not be read.
    FILE_READ_FAILED: Unavailable, Later, "check that the file exists and can be read";
    /// A symbolic link or a thing of another kind stands where a private file or directory belongs.
    FILE_PLACE_BLOCKED: Refused, AfterChange, "remove what stands there or choose another path";
    /// A file is longer than is accepted.
    FILE_SIZE_LIMIT: Rejected, Never, "use a smaller file";
    // States.
    /// An action on a page came before the first observation.
    BROWSER_STATE_MISSING: Stale, AfterChange, "observe first, then act on the state id of that observation";
    /// An action on the desktop came before the first observation.
    DESKTOP_STATE_MISSING: Stale, AfterChange, "observe first, then act on the state id of that observation";
    /// An action on a page is grounded in an older state.
    STALE_BROWSER_STATE: Stale, AfterChange, "look at the new state and act on its state id";
    /// An action on the desktop is grounded in an older state.
    STALE_DESKTOP_STATE: Stale, AfterChange, "look at the new state and act on its state id";
}
