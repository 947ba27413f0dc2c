//! What pages really saw, and what was refused.

use std::fs;

use serde_json::{Value, json};

use super::{Bench, SECRET, last, page_text, processes::Repl};

/// What a script comes to.
enum Comes {
    /// The page tells that it saw this.
    Logged(&'static str),
    /// The last step is refused with this code, and its message names this.
    Refused(&'static str, &'static str),
}
use Comes::{Logged, Refused};

/// A page, the actions on it, and what they come to.
type Trap = (&'static str, Vec<Value>, Comes);

fn click(name: &str) -> Value {
    json!({"action": "click", "text": name, "exact": true})
}

fn inside() -> Vec<Trap> {
    vec![
        ("shadow", vec![click("In the shadow")], Logged("SHADOW")),
        (
            "shadow-closed",
            vec![click("Behind the door")],
            Logged("CLOSED"),
        ),
        ("frame", vec![click("Inside")], Logged("INNER:127.0.0.1")),
        (
            "frame-other",
            vec![click("Inside")],
            Logged("INNER:localhost"),
        ),
    ]
}

fn around() -> Vec<Trap> {
    let accept = json!({"action": "dialog", "op": "accept"});
    let hover = json!({"action": "hover", "role": "button", "name": "Products"});
    let blocked = "BROWSER_TARGET_BLOCKED";
    let drag = json!({"action": "drag", "role": "button", "name": "Card", "to": {"role": "button", "name": "Bin"}});
    let keys =
        json!({"action": "type", "role": "textbox", "name": "Code", "value": "ab", "mode": "keys"});
    let switch = json!({"action": "tabs", "op": "switch", "tab": "t2"});
    vec![
        (
            "dialog",
            vec![click("Ask me"), accept],
            Logged("confirm=true"),
        ),
        (
            "dialog",
            vec![click("Ask me"), click("Ask me")],
            Refused("BROWSER_DIALOG_BLOCKED", "Really go on?"),
        ),
        (
            "popup",
            vec![click("Open another"), switch, click("Only here")],
            Logged("POPPED"),
        ),
        ("hover", vec![hover, click("Boats")], Logged("MENU")),
        ("drag", vec![drag], Logged("dragstart drop=payload")),
        ("keys", vec![keys], Logged("key=a key=b")),
        (
            "overlay",
            vec![click("Buy")],
            Refused(blocked, "Cookie wall"),
        ),
    ]
}

fn custom() -> Vec<Trap> {
    vec![
        ("custom", vec![click("Plain box")], Logged("DIV")),
        (
            "custom",
            vec![json!({"action": "check", "role": "checkbox", "name": "Agree"})],
            Logged("CHK=true"),
        ),
        (
            "custom",
            vec![json!({"action": "click", "role": "switch", "name": "Dark"})],
            Logged("SWITCH=true"),
        ),
        (
            "custom",
            vec![json!({"action": "click", "role": "option", "name": "Large"})],
            Logged("OPTION"),
        ),
    ]
}

fn check(traps: Vec<Trap>) {
    let Some(bench) = Bench::listed() else {
        return;
    };
    for (page, actions, comes) in traps {
        let ran = bench.script(page, &actions);
        let step = last(&ran);
        match comes {
            Logged(what) => {
                let text = page_text(&step);
                assert!(
                    text.lines().any(|line| line == format!("log: {what}")),
                    "{page} {actions:?}: {step:#}"
                );
                assert_eq!(ran.code, Some(0), "{page}: {}", ran.stderr);
            }
            Refused(code, named) => {
                assert_eq!(step["failure"]["code"], code, "{page}: {step:#}");
                assert_eq!(step["effect"], "refused", "{page}: {step:#}");
                let message = step["failure"]["message"].as_str().unwrap_or_default();
                assert!(message.contains(named), "{page}: {message}");
                assert_ne!(ran.code, Some(0), "{page}");
            }
        }
    }
    bench.group.ran();
}

#[test]
fn shadow_roots_and_frames_are_seen_and_clicked() {
    check(inside());
}

#[test]
fn what_is_around_the_page_and_in_the_way_is_told_and_used() {
    check(around());
}

#[test]
fn controls_that_pages_made_themselves_are_reached() {
    check(custom());
}

#[test]
fn a_dialog_and_a_new_tab_stand_in_the_state() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let step = last(&bench.script("dialog", &[click("Ask me")]).exits(0));
    assert_eq!(
        step["state"]["dialog"]["message"], "Really go on?",
        "{step:#}"
    );
    // The tab is told as soon as it is there; its address may come a moment later.
    let mut repl = Repl::start(&bench);
    drop(repl.act(&json!({"action": "open", "url": bench.server.url("popup")})));
    let step = repl.act(&click("Open another"));
    let tabs = step["state"]["tabs"].as_array().expect("tabs");
    let new = tabs.iter().find(|tab| tab["id"] == "t2");
    assert_eq!(new.expect("a new tab")["opener"], "t1");
    drop(repl.act(&json!({"action": "tabs", "op": "switch", "tab": "t2"})));
    let step = repl.act(&json!({"action": "wait", "waitFor": "url", "expected": "/popped"}));
    assert_eq!(step["state"]["url"], bench.server.url("popped"), "{step:#}");
    assert_eq!(step["state"]["tab"], "t2", "{step:#}");
    bench.group.ran();
}

#[test]
fn files_come_and_go() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let mut repl = Repl::start(&bench);
    drop(repl.act(&json!({"action": "open", "url": bench.server.url("download")})));
    let mut step = repl.act(&click("Get the file"));
    if step["state"]["downloads"][0]["state"]["status"] != "done" {
        step = repl.act(&json!({"action": "wait", "waitFor": "download"}));
    }
    let download = &step["state"]["downloads"][0];
    assert_eq!(download["bytes"], 4096, "{step:#}");
    let path = download["state"]["path"].as_str();
    let path = path.unwrap_or_else(|| panic!("no path: {download}"));
    assert_eq!(fs::read(path).expect("the file"), [7; 4096]);
    let note = bench.eyes.path("uploads/note.txt");
    let upload = |file| json!({"action": "upload", "selector": "input", "files": [file]});
    let step = last(&bench.script("upload", &[upload(note)]).exits(0));
    assert_eq!(
        page_text(&step).lines().next(),
        Some("log: file=note.txt:12")
    );
    let other = bench.eyes.write("private.txt", "not to be sent");
    let step = last(&bench.script("upload", &[upload(other)]));
    assert_eq!(step["failure"]["code"], "BROWSER_FILE_BLOCKED", "{step:#}");
    bench.group.ran();
}

#[test]
fn a_page_that_comes_by_a_timer_is_the_new_state() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let step = last(&bench.script("timer", &[click("Go soon")]).exits(0));
    assert_eq!(
        step["state"]["url"],
        bench.server.url("arrived"),
        "{step:#}"
    );
    assert!(page_text(&step).contains("You have arrived"), "{step:#}");
    bench.group.ran();
}

#[test]
fn a_long_page_has_a_small_state_and_its_end_is_reached() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let open = bench
        .run(&["open", &bench.server.url("paragraphs"), "--observe"])
        .exits(0);
    assert!(open.stdout.len() < 16 << 10, "{} bytes", open.stdout.len());
    assert!(open.stdout.contains("At the bottom"), "{}", open.stdout);
    let step = last(&bench.script("paragraphs", &[click("At the bottom"), json!({"action": "assert", "selector": "#log", "assertion": "text_equals", "expected": "log: BOTTOM"})]));
    assert_eq!(step["outcome"]["passed"], true, "{step:#}");
    bench.group.ran();
}

#[test]
fn a_secret_is_typed_and_found_nowhere() {
    let Some(bench) = Bench::listed() else {
        return;
    };
    let typed = |name: &str| json!({"action": "type", "role": "textbox", "name": name, "value": {"env": "PASSPHRASE"}});
    let password = json!({"action": "type", "selector": "input[type=password]", "value": {"env": "PASSPHRASE"}});
    let image = json!({"action": "observe", "image": true});
    let ran = bench
        .script(
            "secret",
            &[password, typed("Plain"), image, json!({"action": "report"})],
        )
        .exits(0);
    let told: Vec<String> = ran
        .json()
        .iter()
        .map(|line| page_text(&line["step"]))
        .collect();
    let count = SECRET.len();
    let expected = format!("length={count} seen={count}");
    assert!(told.iter().any(|text| text.contains(&expected)), "{told:?}");
    for output in [&ran.stdout, &ran.stderr] {
        assert!(!output.contains(SECRET), "{output}");
    }
    let mut folders = vec![bench.run_folder()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).expect("a file");
            let found = bytes.windows(count).any(|part| part == SECRET.as_bytes());
            assert!(!found, "{}", path.display());
            files += 1;
        }
    }
    assert!(files > 3, "{files} files");
    bench.group.ran();
}
