//! The program driven line by line, and killed.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdout, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::Instant,
};

use serde_json::{Value, json};

use super::{Bench, page_text, server::PATIENCE};

/// A running `eyes browser repl`; killed when it is dropped.
#[derive(Debug)]
pub(super) struct Repl {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Repl {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn reader(stdout: ChildStdout) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

impl Repl {
    pub(super) fn start(bench: &Bench) -> Self {
        let mut child = bench
            .command()
            .args(["repl", "--format=json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = reader(child.stdout.take().expect("a pipe"));
        Self { child, lines }
    }

    /// Does one action and returns its step.
    pub(super) fn act(&mut self, action: &Value) -> Value {
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        writeln!(stdin, "{action}").expect("the line is taken");
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        let mut answer: Value = serde_json::from_str(&line).expect("a line of JSON");
        answer["step"].take()
    }
}

#[test]
fn a_button_that_moved_after_the_look_is_still_the_one_that_is_pressed() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let mut repl = Repl::start(&bench);
    let step = repl.act(&json!({"action": "open", "url": bench.server.url("shift")}));
    let elements = step["state"]["elements"].as_array().expect("elements");
    let save = elements.iter().find(|e| e["name"] == "Save draft");
    let reference = save.expect("the button")["ref"].clone();
    bench.server.wait_for("shifted");
    let step = repl.act(&json!({"action": "click", "ref": reference}));
    let text = page_text(&step);
    assert!(!text.contains("DELETED"), "{step:#}");
    assert!(
        text.contains("log: SAVED") || step["effect"] == "refused",
        "{step:#}"
    );
    bench.group.ran();
}

#[test]
fn an_old_state_is_refused_and_nothing_happens() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let mut repl = Repl::start(&bench);
    let step = repl.act(&json!({"action": "open", "url": bench.server.url("form")}));
    let first = step["state"]["stateId"].clone();
    drop(repl.act(&json!({"action": "observe"})));
    let click = json!({"action": "click", "stateId": first, "text": "Press"});
    let step = repl.act(&click);
    assert_eq!(step["ok"], false, "{step:#}");
    assert_eq!(step["effect"], "refused", "{step:#}");
    assert_eq!(step["failure"]["code"], "STALE_BROWSER_STATE", "{step:#}");
    let step = repl.act(&json!({"action": "observe"}));
    assert!(!page_text(&step).contains("PRESSED"), "{step:#}");
    bench.group.ran();
}

/// Processes of this machine whose command line names the folder.
#[cfg(target_os = "linux")]
fn naming(folder: &Path) -> Vec<String> {
    let name = folder.to_str().expect("UTF-8").as_bytes();
    let entries = fs::read_dir("/proc").expect("the processes").flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|line| line.windows(name.len()).any(|part| part == name))
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_program_leaves_no_browser_and_the_next_one_sweeps_its_folder() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let profiles = bench.eyes.path("data/browser-profiles");
    let folders = || {
        fs::read_dir(&profiles)
            .expect("the profiles")
            .flatten()
            .map(|e| e.path())
            .collect::<Vec<_>>()
    };
    let mut repl = Repl::start(&bench);
    drop(repl.act(&json!({"action": "open", "url": bench.server.url("form")})));
    let left = folders();
    assert_eq!(left.len(), 1, "{left:?}");
    assert!(!naming(&profiles).is_empty(), "no browser is seen");
    drop(repl);
    let until = Instant::now() + PATIENCE;
    while !naming(&profiles).is_empty() {
        assert!(Instant::now() < until, "left: {:?}", naming(&profiles));
        thread::yield_now();
    }
    assert_eq!(folders(), left, "nobody could remove it yet");
    drop(bench.run(&["open", &bench.server.url("form")]).exits(0));
    assert!(folders().is_empty(), "{:?}", folders());
    bench.group.ran();
}
