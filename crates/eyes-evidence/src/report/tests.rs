//! Verdicts, totals, and what never reaches a report.

use serde_json::json;

use super::*;
use crate::{assertion::Check, codes};

fn at() -> Timestamp {
    Timestamp::new("2026-11-30T11:00:00Z").unwrap()
}

fn state() -> StateId {
    let run = RunId::new("run").unwrap();
    StateId::of(
        &run,
        1,
        &Sha256Digest::of(b""),
        crate::state::Place::Platform("linux"),
    )
}

fn assertion(check: Check) -> Assertion {
    Assertion {
        kind: ReportText::new("value_equals"),
        target: None,
        check,
        state_id: state(),
        screenshot_sha256: Sha256Digest::of(b""),
        at: at(),
    }
}

fn count(expected: u64, actual: u64) -> Assertion {
    assertion(Check::Count { expected, actual })
}

fn event(outcome: Outcome) -> ReportEvent {
    ReportEvent {
        sequence: 1,
        at: at(),
        duration_ms: 5,
        action: ReportText::new("click"),
        arguments: ReportArguments::default(),
        outcome,
        grounded_in: Some(state()),
        observed: None,
    }
}

fn report(events: Vec<ReportEvent>, assertions: Vec<Assertion>) -> Report {
    Report::from(ReportParts {
        run_id: RunId::new("run").unwrap(),
        created_at: at(),
        generated_at: at(),
        events,
        assertions,
        artifacts: Vec::new(),
    })
}

#[test]
fn checks_judge_by_expected_and_actual() {
    let text = RunText::shown;
    let equals = |expected: &str, actual: Option<&str>| Check::TextEquals {
        expected: text(expected.to_owned()),
        actual: actual.map(|actual| text(actual.to_owned())),
    };
    let contains = |expected: &str, actual: Option<&str>| Check::TextContains {
        expected: text(expected.to_owned()),
        actual: actual.map(|actual| text(actual.to_owned())),
    };
    let property = |expected, actual| Check::Property { expected, actual };
    let counted = |expected, actual| Check::Count { expected, actual };
    let visual = |judged| Check::Visual {
        expected: text("a cat".to_owned()),
        judged,
    };
    for (check, passed) in [
        (equals("a", Some("a")), true),
        (equals("a", Some("A")), false),
        (equals("ﬁ", Some("fi")), false),
        (equals("", None), false),
        (contains("b", Some("abc")), true),
        (contains("B", Some("abc")), false),
        (contains("", Some("")), true),
        (contains("", None), false),
        (property(false, Some(false)), true),
        (property(false, None), false),
        (counted(2, 2), true),
        (counted(2, 3), false),
        (visual(true), true),
        (visual(false), false),
    ] {
        assert_eq!(check.passed(), passed, "{check:?}");
        assert_eq!(json!(check)["passed"], json!(passed));
    }
}

#[test]
fn the_verdict_follows_from_the_parts() {
    let failed = || Outcome::Failed {
        code: codes::FILE_READ_FAILED.into(),
        message: ReportText::new("no"),
    };
    let refused = || Outcome::Refused {
        code: codes::STALE_BROWSER_STATE.into(),
    };
    for (outcomes, assertions, verdict) in [
        (vec![], vec![], Verdict::Unasserted),
        (vec![Outcome::Confirmed], vec![], Verdict::Unasserted),
        (
            vec![Outcome::Confirmed, Outcome::Unverified],
            vec![count(1, 1)],
            Verdict::Passed,
        ),
        (
            vec![Outcome::Stale, refused()],
            vec![count(1, 1)],
            Verdict::Passed,
        ),
        (
            vec![Outcome::Confirmed],
            vec![count(1, 1), count(1, 2)],
            Verdict::Failed,
        ),
        (vec![failed()], vec![count(1, 1)], Verdict::Failed),
        (vec![failed()], vec![], Verdict::Failed),
    ] {
        let report = report(outcomes.into_iter().map(event).collect(), assertions);
        assert_eq!(report.verdict(), verdict, "{:?}", report.totals());
    }
    let report = report(
        vec![event(Outcome::Stale), event(failed())],
        vec![count(1, 2)],
    );
    let totals = Totals {
        actions: 2,
        failures: 1,
        withheld: 1,
        assertions: 1,
        assertion_failures: 1,
        artifacts: 0,
    };
    assert_eq!(report.totals(), totals);
    let text = json!(report);
    assert_eq!(
        text["events"][1]["outcome"],
        json!({"status": "failed", "code": "FILE_READ_FAILED", "message": "no"})
    );
    assert_eq!(text["verdict"], "failed");
}

#[test]
fn typed_values_and_secrets_never_reach_a_report() {
    let arguments = json!({
        "value": "hunter2", "url": "https://u:hunter2@h/?token=hunter2", "list": ["hunter2"], "x": 3, "submit": true,
        "note": "y".repeat(5000), "password=hunter2": null,
    });
    let mut event = event(Outcome::Confirmed);
    event.arguments = ReportArguments::redacted(arguments.as_object().unwrap(), &["value"]);
    let secret = RunText::private("hunter2");
    assert!(!format!("{secret:?}").contains("hunter2"));
    let check = Check::TextEquals {
        expected: secret.clone(),
        actual: Some(secret),
    };
    let report = report(vec![event], vec![assertion(check)]);
    let text = json!(report);
    assert!(!text.to_string().contains("hunter2"), "{text}");
    assert_eq!(report.verdict(), Verdict::Passed);
    let shown = &text["events"][0]["arguments"];
    let digest = json!({"length": 7, "sha256": Sha256Digest::of(b"hunter2")});
    assert_eq!(shown["value"], digest);
    assert_eq!((&shown["x"], &shown["submit"]), (&json!(3), &json!(true)));
    assert_eq!(text["assertions"][0]["expected"], digest);
    assert!(
        shown["note"].as_str().unwrap().chars().count() <= crate::limits::MAX_REPORT_TEXT_CHARS
    );
}
