//! The codes of this crate.

eyes_evidence::error_codes! {
    /// The file in the place of the usage ledger is none, or is longer than any.
    USAGE_LEDGER_INVALID: Rejected, AfterChange, "look at the named file; the next event that is recorded sets it aside";
    /// The usage ledger was written by a newer version.
    USAGE_LEDGER_UNSUPPORTED: Rejected, AfterChange, "update this software, or choose another path for the usage statistics";
    /// Events are not on the disk yet.
    USAGE_WRITE_FAILED: Failed, Later, "check free space and permissions of the directory; events wait in memory meanwhile";
    /// Writing the usage ledger takes longer than a flush waits.
    USAGE_WRITE_TIMEOUT: Unavailable, Later, "check whether another process holds the ledger's lock, and how busy the disk is";
    /// The table of prices cannot be used.
    USAGE_PRICES_INVALID: Invalid, AfterChange, "correct the entry that the message names";
}
