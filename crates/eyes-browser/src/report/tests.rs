//! Runs written down.

use std::{path::PathBuf, sync::Mutex};

use eyes_evidence::digest::Sha256Digest;

use super::*;
use crate::ports::RunLog;

/// A log in memory; `Debug` shows all of it.
#[derive(Debug, Default)]
pub(crate) struct MemoryLog {
    pub(crate) lines: Mutex<Vec<String>>,
    pub(crate) replay: Mutex<Vec<ReplayStep>>,
}

impl MemoryLog {
    fn add(&self, line: String) {
        self.lines.lock().unwrap().push(line);
    }
}

impl RunLog for MemoryLog {
    fn begin(&self, header: &RunHeader) -> Result<(), String> {
        self.add(serde_json::to_string(header).unwrap());
        Ok(())
    }

    fn step(&self, step: &RunStep) -> Result<(), String> {
        self.add(serde_json::to_string(step).unwrap());
        Ok(())
    }

    fn replay(&self, step: &ReplayStep) -> Result<(), String> {
        self.replay.lock().unwrap().push(step.clone());
        Ok(())
    }

    fn picture(&self, sha256: &Sha256Digest, _: &[u8]) -> Result<(), String> {
        self.add(sha256.to_string());
        Ok(())
    }

    fn report(&self, name: &str, json: &[u8]) -> Result<PathBuf, String> {
        self.add(String::from_utf8(json.to_vec()).unwrap());
        Ok(PathBuf::from(name))
    }
}

/// Runs calls in a session that writes its run to a folder, and returns the folder.
async fn run(
    dir: &std::path::Path,
    calls: &[serde_json::Value],
    exceptions_fail: bool,
) -> Vec<crate::session::StepResult> {
    use std::sync::Arc;

    use eyes_evidence::{
        state::RunId,
        testing::{CountingRandom, FixedClock},
    };

    use crate::{
        action::{ParseMode, parse},
        session::{Session, SessionParts},
        testing::{Change, ElementScript, PageScript, ScriptedBrowser},
    };
    let throw = Change::Console(crate::driver::ConsoleLevel::Exception, "boom".to_owned());
    let page = PageScript {
        title: "Home".to_owned(),
        elements: vec![
            ElementScript::button("one", "Row", Vec::new()),
            ElementScript::button("two", "Row", vec![throw]),
            ElementScript::field("name", "Name"),
        ],
        ..PageScript::default()
    };
    let mut parts = SessionParts::new(
        RunId::new("run-1").unwrap(),
        Arc::new(ScriptedBrowser::new([("https://a.test/", page)])),
        Arc::new(FixedClock),
        Arc::new(CountingRandom::default()),
    );
    parts.log = Some(Arc::new(RunFolder::create(dir).unwrap()));
    parts.settings.exceptions_fail = exceptions_fail;
    let session = Session::new(parts);
    let mut results = Vec::new();
    for call in calls {
        let request = parse(call, ParseMode::Script).unwrap();
        let cancel = tokio_util::sync::CancellationToken::new();
        results.push(session.run_newest(request, &cancel).await);
    }
    results
}

#[tokio::test]
async fn a_run_is_a_folder_and_its_replay_is_a_script() {
    use serde_json::json;
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("run-1");
    let calls = [
        json!({"action": "open", "url": "https://a.test/", "image": true}),
        json!({"action": "click", "ref": "e2"}),
        json!({"action": "type", "ref": "e3", "value": "Ada Lovelace"}),
        json!({"action": "press", "key": "Q", "ref": "e3"}),
        json!({"action": "type", "ref": "e3", "value": "hidden words", "secret": true}),
        json!({"action": "assert", "assertion": "title_equals", "expected": "Away", "timeoutMs": 1}),
        json!({"action": "report", "reportName": "../odd name"}),
    ];
    let results = run(&root, &calls, false).await;
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    assert!(serde_json::from_str::<RunHeader>(&read("run.json")).is_ok());
    let text = read("steps.jsonl");
    let steps: Vec<RunStep> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(steps.len(), calls.len());
    for secret in ["Ada", "hidden", "\"Q\""] {
        assert!(!text.contains(secret), "{secret}");
    }
    let picture = &steps[0].pictures[0].sha256;
    assert!(
        root.join("pictures")
            .join(format!("{picture}.png"))
            .is_file()
    );
    let replay: Vec<ReplayStep> = read("replay.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let action = |at: usize| replay[at].action.clone().unwrap();
    assert_eq!(action(1)["nth"], 2);
    assert_eq!(action(1)["name"], "Row");
    assert_eq!(action(2)["value"], "Ada Lovelace");
    assert_eq!(action(3)["key"], "Q");
    assert!(replay[4].action.is_none() && replay[4].not_replayable.is_some());
    assert_eq!(replay[5].expect.passed, Some(false));
    for step in replay.iter().filter_map(|step| step.action.as_ref()) {
        crate::action::parse(step, crate::action::ParseMode::Script).unwrap();
    }
    let report: serde_json::Value = serde_json::from_str(&read("-odd-name.json")).unwrap();
    assert_eq!(
        (&report["verdict"], &report["conclusion"]),
        (&json!("failed"), &json!("failed"))
    );
    assert_eq!(report["page"]["exceptions"], 1);
    assert!(
        results[6]
            .text()
            .contains("report failed: 1 of 1 assertions"),
        "{}",
        results[6].text()
    );
}

#[test]
fn a_run_is_not_written_over() {
    let dir = tempfile::tempdir().unwrap();
    assert!(RunFolder::create(dir.path()).is_ok());
    assert!(RunFolder::create(dir.path()).is_err());
}

#[tokio::test]
async fn a_retried_assertion_counts_once_and_a_stale_call_fails_nothing() {
    use serde_json::json;
    let calls = [
        json!({"action": "open", "url": "https://a.test/"}),
        json!({"action": "click", "selector": "#gone"}),
        json!({"action": "assert", "assertion": "value_equals", "selector": "#name", "expected": "Ada", "timeoutMs": 1}),
        json!({"action": "type", "selector": "#name", "value": "Ada"}),
        json!({"action": "assert", "assertion": "value_equals", "selector": "#name", "expected": "Ada", "timeoutMs": 1}),
        json!({"action": "report"}),
        json!({"action": "click", "selector": "#two"}),
        json!({"action": "report", "reportName": "thrown"}),
    ];
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("run-1");
    let results = run(&root, &calls, true).await;
    assert!(
        results[5].text().contains("report passed: 0 of 1"),
        "{}",
        results[5].text()
    );
    assert!(
        results[7].text().contains("report failed: 0 of 1"),
        "{}",
        results[7].text()
    );
    let report = std::fs::read_to_string(root.join("report.json")).unwrap();
    assert!(
        !report.contains("Ada") && report.contains("hmac-sha256"),
        "{report}"
    );
    assert!(report.contains("\"withheld\": 1"), "{report}");
}

#[tokio::test]
async fn a_run_is_read_back_and_repeated() {
    use eyes_evidence::code::Coded as _;
    use serde_json::json;
    let calls = [
        json!({"action": "open", "url": "https://a.test/"}),
        json!({"action": "assert", "assertion": "title_equals", "expected": "Home"}),
        json!({"action": "click", "selector": "#gone"}),
    ];
    let dir = tempfile::tempdir().unwrap();
    let first = dir.path().join("first");
    run(&first, &calls, false).await;
    let files = RunFiles::read(&first).unwrap();
    assert_eq!((files.steps.len(), files.replay.len()), (3, 3));
    let script: Vec<_> = files
        .replay
        .iter()
        .filter_map(|step| step.action.clone())
        .collect();
    let again = run(&dir.path().join("second"), &script, false).await;
    for (step, result) in files.replay.iter().zip(&again) {
        step.compare(result).unwrap();
    }
    let error = files.replay[2].compare(&again[0]).unwrap_err();
    assert_eq!(error.code().as_str(), "BROWSER_REPLAY_MISMATCH");
    assert_eq!(
        error.to_string(),
        "step 3 came to ok, no error, and to not ok, BROWSER_TARGET_MISSING in the run"
    );
    let steps = first.join("steps.jsonl");
    let mut text = std::fs::read_to_string(&steps).unwrap();
    text.push_str("{\"sequence\": 4, \"at");
    std::fs::write(&steps, &text).unwrap();
    assert_eq!(
        RunFiles::read(&first).unwrap().steps.len(),
        3,
        "a line that was cut off"
    );
    std::fs::write(&steps, format!("odd\n{text}")).unwrap();
    let error = RunFiles::read(&first).unwrap_err();
    assert_eq!(error.code().as_str(), "BROWSER_REPORT_INVALID");
    assert!(
        error.to_string().starts_with("steps.jsonl: line 1: "),
        "{error}"
    );
}
