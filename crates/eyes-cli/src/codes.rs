//! The codes of this crate.

eyes_evidence::error_codes! {
    /// The command line is wrong.
    COMMAND_LINE_INVALID: Invalid, AfterChange, "see `eyes --help`, or `eyes COMMAND --help`";
    /// An input file does not exist.
    INPUT_MISSING: Invalid, AfterChange, "check the path";
    /// An input is empty, a directory, or not what the command reads.
    INPUT_INVALID: Invalid, AfterChange, "name a file of the kind that the command reads";
    /// An input exists and cannot be read.
    INPUT_UNAVAILABLE: Unavailable, AfterChange, "check the permissions of the file";
    /// An input has more bytes than the bound for its kind.
    INPUT_LIMIT: Rejected, AfterChange, "use a smaller file";
    /// A result could not be written.
    OUTPUT_FAILED: Failed, AfterChange, "check the directory, its permissions and the free space";
    /// The record is intact but is about another image.
    RECORD_IMAGE_MISMATCH: Rejected, Never, "name the image that the record was made from";
    /// The result is larger than the bound for its kind.
    OUTPUT_LIMIT: Rejected, AfterChange, "write a page about fewer images";
    /// The store has no record with this digest.
    RECORD_MISSING: Invalid, AfterChange, "`eyes evidence list` shows what the store holds";
    /// The digits name no single record.
    RECORD_NAME_INVALID: Invalid, AfterChange, "give more digits of the digest, at least 6";
    /// A command that removes something was not told to do it.
    CONFIRMATION_MISSING: Invalid, AfterChange, "see what would be removed, then call it again with --yes";
    /// Some of what was used is known to be in no figure.
    USAGE_EVENTS_MISSING: Rejected, Never, "the figures hold everything else; what could not be read was set aside beside the ledger";
    /// No error code has this name.
    ERROR_CODE_MISSING: Invalid, AfterChange, "`eyes schema error-codes` lists every code";
    /// The program met a condition that it holds impossible.
    INTERNAL_FAILED: Internal, Never, "this is a defect; report it with the message above";
}
