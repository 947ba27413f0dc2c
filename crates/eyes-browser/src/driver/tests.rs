//! Every error has its code, and knows whether anything was done.

use eyes_evidence::code::Coded as _;

use super::*;
use crate::{error::BrowserError, machine::Refusal};

#[test]
fn every_error_of_a_driver_has_its_code() {
    use DriverErrorKind as Kind;
    let text = || "x".to_owned();
    for (kind, code) in [
        (Kind::Launch(text()), "BROWSER_LAUNCH_FAILED"),
        (Kind::ProfileHeld(text()), "BROWSER_PROFILE_UNAVAILABLE"),
        (Kind::Gone(text()), "BROWSER_CONNECTION_CLOSED"),
        (Kind::NodeGone, "BROWSER_REF_STALE"),
        (Kind::NodeChanged { now: text() }, "BROWSER_REF_MISMATCH"),
        (Kind::NotVisible, "BROWSER_TARGET_UNAVAILABLE"),
        (Kind::Disabled, "BROWSER_TARGET_DISABLED"),
        (Kind::Covered { by: text() }, "BROWSER_TARGET_BLOCKED"),
        (Kind::WrongElement(text()), "BROWSER_TARGET_UNSUPPORTED"),
        (Kind::OptionMissing(text()), "BROWSER_OPTION_MISSING"),
        (Kind::DialogOpen(text()), "BROWSER_DIALOG_BLOCKED"),
        (Kind::Missing(text()), "BROWSER_TARGET_MISSING"),
        (Kind::Blocked(text()), "BROWSER_URL_BLOCKED"),
        (Kind::Navigation(text()), "BROWSER_NAVIGATION_FAILED"),
        (Kind::Selector(text()), "BROWSER_SELECTOR_INVALID"),
        (Kind::Timeout("x"), "BROWSER_TIMEOUT"),
        (Kind::Unsupported(text()), "BROWSER_ACTION_UNSUPPORTED"),
        (Kind::Protocol(text()), "BROWSER_PROTOCOL_FAILED"),
    ] {
        let error = BrowserError::from(DriverError::after(kind.clone()));
        assert_eq!(error.code().as_str(), code);
        assert!(error.began() && !error.hint().is_empty() && !error.to_string().is_empty());
        assert!(!BrowserError::from(DriverError::before(kind)).began());
    }
}

#[test]
fn every_error_of_a_session_has_its_code() {
    let text = || "x".to_owned();
    for (error, code) in [
        (BrowserError::Refused(Refusal::NotOpen), "BROWSER_NOT_OPEN"),
        (
            BrowserError::Refused(Refusal::SecretLimit),
            "BROWSER_SECRET_MISSING",
        ),
        (
            BrowserError::Refused(Refusal::File(text())),
            "BROWSER_FILE_BLOCKED",
        ),
        (BrowserError::Stopped, "BROWSER_ACTION_CLOSED"),
        (BrowserError::Closed, "BROWSER_SESSION_CLOSED"),
        (
            BrowserError::Picture(text()),
            "BROWSER_SCREENSHOT_INTEGRITY_FAILED",
        ),
        (
            BrowserError::PictureLimit(text()),
            "BROWSER_SCREENSHOT_LIMIT",
        ),
        (BrowserError::Persist(text()), "EVIDENCE_PERSIST_FAILED"),
    ] {
        assert_eq!(error.code().as_str(), code);
    }
}
