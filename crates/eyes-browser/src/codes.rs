//! The codes of this crate.
//!
//! Grouped by the module that raises them; a new one goes to the end of its group.

eyes_evidence::error_codes! {
    // settings
    /// The settings of the browser break a rule.
    BROWSER_CONFIG_INVALID: Invalid, AfterChange, "correct the member that the message names";

    // action
    /// There is no such action, or this browser cannot do it.
    BROWSER_ACTION_UNSUPPORTED: Invalid, AfterChange, "see the message for what is there instead";
    /// The arguments of an action break a rule.
    BROWSER_ACTION_INVALID: Invalid, AfterChange, "correct the argument that the message names";
    /// There is no such condition to wait for.
    BROWSER_WAIT_UNSUPPORTED: Invalid, AfterChange, "wait for text, url, visible, hidden, idle, download or timeout";
    /// There is no such assertion.
    BROWSER_ASSERTION_UNSUPPORTED: Invalid, AfterChange, "see the tool's schema for the assertions";
    /// A selector is none of CSS.
    BROWSER_SELECTOR_INVALID: Invalid, AfterChange, "correct the selector, or use a ref of the state";

    // machine
    /// No element of the newest state has this ref.
    BROWSER_REF_NOT_FOUND: Stale, AfterChange, "take a ref from the state that comes with this answer";
    /// The element of the ref is no longer there.
    BROWSER_REF_STALE: Stale, AfterChange, "take a ref from the state that comes with this answer";
    /// The element of the ref is something else than it was when it was looked at.
    BROWSER_REF_MISMATCH: Stale, AfterChange, "look at the state that comes with this answer and decide anew";
    /// Nothing on the page is what the target says.
    BROWSER_TARGET_MISSING: Stale, AfterChange, "look at the state that comes with this answer; observe with `find` to search";
    /// More than one element is what the target says.
    BROWSER_TARGET_INVALID: Invalid, AfterChange, "name one of the refs that the message lists";
    /// The element is not visible.
    BROWSER_TARGET_UNAVAILABLE: Stale, AfterChange, "make it appear first, or choose another element";
    /// The element takes no input now.
    BROWSER_TARGET_DISABLED: Refused, AfterChange, "do first what the page asks for, then act on it";
    /// Something else lies over the element.
    BROWSER_TARGET_BLOCKED: Refused, AfterChange, "close or move what covers it, which the message names";
    /// This cannot be done to such an element.
    BROWSER_TARGET_UNSUPPORTED: Invalid, AfterChange, "choose an element of the kind that the message names";
    /// The select has no such option.
    BROWSER_OPTION_MISSING: Invalid, AfterChange, "name one of the options that the message lists";
    /// A dialog is open, and the page stands still until it is answered.
    BROWSER_DIALOG_BLOCKED: Refused, AfterChange, "answer it with the action `dialog`";
    /// A point is outside of the newest picture or viewport.
    BROWSER_COORDINATE_OUT_OF_BOUNDS: Invalid, AfterChange, "take a point within the size that the state tells";
    /// A point is given, but no picture of this state was delivered.
    BROWSER_PICTURE_MISSING: Stale, AfterChange, "observe with `image: true` first, then use points of that picture";

    // policy
    /// The policy does not allow the address.
    BROWSER_URL_BLOCKED: Refused, AfterChange, "if it shall be allowed, change the browser's URL policy in the settings";
    /// The policy does not allow the file.
    BROWSER_FILE_BLOCKED: Refused, AfterChange, "put the file into a folder that `browser.uploadDirs` names";
    /// A value that an action refers to is not set.
    BROWSER_SECRET_MISSING: Invalid, AfterChange, "set the named environment variable, or list it in `browser.secretEnv`";

    // session
    /// No browser is open.
    BROWSER_NOT_OPEN: Stale, AfterChange, "open an address first";
    /// The session was closed.
    BROWSER_SESSION_CLOSED: Refused, Never, "begin a new session";
    /// The caller stopped the action.
    BROWSER_ACTION_CLOSED: Refused, Never, "nothing to do: the caller stopped it";
    /// A picture is none, or is not the one that was taken.
    BROWSER_SCREENSHOT_INTEGRITY_FAILED: Rejected, Later, "observe again";
    /// A picture does not fit the limits.
    BROWSER_SCREENSHOT_LIMIT: Rejected, AfterChange, "ask for a smaller region, or a smaller viewport";

    // drivers
    /// No browser could be started.
    BROWSER_LAUNCH_FAILED: Unavailable, AfterChange, "install Chrome, Edge or Chromium, or name a program; `eyes doctor` shows what was tried";
    /// The profile is held by another browser.
    BROWSER_PROFILE_UNAVAILABLE: Unavailable, AfterChange, "close that browser, choose another profile, or attach to it";
    /// The browser or the tab is gone.
    BROWSER_CONNECTION_CLOSED: Unavailable, Later, "open the page again; a new browser is started";
    /// The address could not be loaded.
    BROWSER_NAVIGATION_FAILED: Failed, Later, "see the message; check the address and the network";
    /// The browser took too long.
    BROWSER_TIMEOUT: Unavailable, Later, "observe to see where the page is, then go on";
    /// The browser answered with something that is none.
    BROWSER_PROTOCOL_FAILED: Failed, Later, "observe again; if it stays so, update the browser or its driver program";

    // report
    /// A file of a run cannot be read as one.
    BROWSER_REPORT_INVALID: Invalid, AfterChange, "name a report that this software wrote";
    /// A repeated run came out differently.
    BROWSER_REPLAY_MISMATCH: Failed, Never, "see which step differs and why";
}
