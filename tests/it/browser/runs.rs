//! Reports and repetitions of runs.

use std::fs;

use serde_json::json;

use super::{Bench, last};

fn press() -> Vec<serde_json::Value> {
    vec![
        json!({"action": "click", "role": "button", "name": "Press"}),
        json!({"action": "assert", "selector": "#log", "assertion": "text_equals", "expected": "log: PRESSED"}),
    ]
}

#[test]
fn a_run_becomes_a_page_with_every_step() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    drop(bench.script("form", &press()).exits(0));
    let folder = bench.run_folder();
    let run = folder.to_str().expect("UTF-8");
    let page = bench.eyes.path("run.html");
    let ran = bench
        .run(&["report", run, "--html", page.to_str().expect("UTF-8")])
        .exits(0);
    assert_eq!(
        ran.stdout
            .lines()
            .filter(|line| line.starts_with("ok"))
            .count(),
        3,
        "{}",
        ran.stdout
    );
    let html = fs::read_to_string(page).expect("the page");
    for expected in [
        "Content-Security-Policy",
        "open",
        "click",
        "assert",
        "text_equals",
        "log: PRESSED",
        &bench.server.url("form"),
    ] {
        assert!(html.contains(expected), "{expected} is missing:\n{html}");
    }
    let id = folder
        .file_name()
        .and_then(|name| name.to_str())
        .expect("an id");
    let by_id = bench.run(&["report", id]).exits(0);
    assert_eq!(by_id.stdout, ran.stdout);
    bench.group.ran();
}

#[test]
fn a_run_is_repeated_and_a_changed_page_is_found() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    drop(bench.script("form", &press()).exits(0));
    let folder = bench.run_folder();
    let run = folder.to_str().expect("UTF-8");
    let same = bench.run(&["replay", run]).exits(0);
    assert!(
        same.stdout.contains("3 steps repeated: the same"),
        "{}",
        same.stdout
    );
    bench
        .server
        .change("form", "<button onclick=\"say('OTHER')\">Press</button>");
    let other = bench.run(&["replay", run]).exits(1);
    assert!(other.stdout.contains("not the same"), "{}", other.stdout);
    bench.group.ran();
}

#[test]
fn a_file_is_no_page() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let page = bench.eyes.write("page.html", "<p>private</p>");
    let url = format!("file://{}", page.display());
    let ran = bench.run(&["open", &url, "--format=json"]);
    assert_eq!(
        last(&ran)["failure"]["code"],
        "BROWSER_URL_BLOCKED",
        "{}",
        ran.stdout
    );
    assert_ne!(ran.code, Some(0));
    assert!(!ran.stdout.contains("private"), "{}", ran.stdout);
    bench.group.ran();
}
