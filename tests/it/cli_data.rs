//! `eyes data`: every file that the program writes is known, shown and removable, and nothing else is touched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use eyes_evidence::atomic::FileLock;
use eyes_router::testing::LoopbackServer;
use eyes_tests::{Eyes, fixture};
use serde_json::Value;

use crate::{
    cli_answer::answers,
    cli_vision::{configure, run},
    eyes,
};

/// Every file below a directory; links are files.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut directories = vec![directory.to_path_buf()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let entry = entry.expect("an entry");
            if entry.file_type().expect("a type").is_dir() {
                directories.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found
}

fn show(eyes: &Eyes) -> Value {
    eyes.run(["data", "show", "--format=json"])
        .exits(0)
        .json()
        .remove(0)
}

fn row<'a>(shown: &'a Value, kind: &str) -> &'a Value {
    let rows = shown["data"].as_array().expect("rows");
    rows.iter().find(|row| row["kind"] == kind).expect("a row")
}

/// Runs what writes: a reading, a question, probes, an answer.
fn used() -> Eyes {
    let server = LoopbackServer::start(answers);
    let eyes = eyes();
    configure(&eyes, &server, "visionGrounding = false");
    let path = fixture("error-dialog.png");
    let path = path.to_str().expect("UTF-8");
    for args in [
        &["read", path][..],
        &["ask", path, "What is here?"],
        &["route", "probe", "hub/eye"],
        &["answer", path, "What is wrong?", "--final", "hub/reader"],
    ] {
        drop(run(&eyes, args).exits(0));
    }
    eyes
}

#[test]
fn every_file_that_appears_is_claimed_by_one_row() {
    let eyes = used();
    for args in [
        &["route", "health"][..],
        &["doctor"],
        &["evidence", "verify", "--store"],
        &["evidence", "prune", "--keep", "1"],
        &["audit", "verify"],
        &["usage", "show"],
    ] {
        drop(run(&eyes, args).exits(0));
    }
    let shown = show(&eyes);
    assert_eq!(shown["unknown"], serde_json::json!([]), "{shown:#}");
    let rows = shown["data"].as_array().expect("rows");
    let sum = |member: &str| -> u64 {
        let numbers = rows
            .iter()
            .map(|row| row[member].as_u64().expect("a number"));
        numbers.sum()
    };
    let there = files(&eyes.path("data"));
    assert!(there.len() >= 10, "{there:?}");
    assert_eq!(sum("files"), there.len() as u64, "{there:?}\n{shown:#}");
    let bytes = there
        .iter()
        .map(|path| fs::metadata(path).expect("a file").len());
    assert_eq!(sum("bytes"), bytes.sum::<u64>());
    for kind in ["evidence", "attempts", "health", "usage", "markers"] {
        assert!(row(&shown, kind)["files"].as_u64() > Some(0), "{kind}");
    }
    // The text tells the same.
    let ran = eyes.run(["data", "show"]).exits(0);
    for kind in rows {
        let name = kind["kind"].as_str().expect("a name");
        let line = format!("{name}  {} files, {} bytes", kind["files"], kind["bytes"]);
        assert!(ran.stdout.contains(&line), "{line}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains("store.maxRecords = "), "{}", ran.stdout);
}

#[test]
fn erasing_says_first_and_then_leaves_nothing_but_locks_and_strangers() {
    let eyes = used();
    let stranger = eyes.write("data/notes.txt", "mine");
    let inner = eyes.write("data/evidence/mine.txt", "mine");
    let before = files(&eyes.path("data")).len();
    let ran = eyes.run(["data", "erase", "--all"]).exits(2);
    assert!(
        ran.stderr.starts_with("error[CONFIRMATION_MISSING]: "),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("would remove evidence: "),
        "{}",
        ran.stdout
    );
    assert_eq!(files(&eyes.path("data")).len(), before);

    let ran = eyes
        .run(["data", "erase", "--usage", "--markers", "--yes"])
        .exits(0);
    assert!(
        ran.stdout.contains("removed usage: 1 files"),
        "{}",
        ran.stdout
    );
    let shown = show(&eyes);
    assert_eq!(row(&shown, "markers")["files"], 0);
    assert!(row(&shown, "evidence")["files"].as_u64() > Some(3));

    let args = ["data", "erase", "--all", "--yes", "--format=json"];
    let said = eyes.run(args).exits(0).json().remove(0);
    assert_eq!(said["dryRun"], false);
    assert_eq!(said["failed"], serde_json::json!([]));
    for path in files(&eyes.path("data")) {
        let text = path.to_string_lossy().into_owned();
        let kept = said["kept"].as_array().expect("a list");
        let kept = kept.iter().find(|kept| kept["path"] == text.as_str());
        let reason = &kept.unwrap_or_else(|| panic!("{text} was not told"))["reason"];
        if path == stranger || path == inner {
            assert_eq!(reason, "unknown");
        } else {
            assert_eq!(reason, "lock");
            assert_eq!(fs::metadata(&path).expect("a file").len(), 0);
        }
    }
    assert!(stranger.exists() && inner.exists());
    // Everything works as on the first day.
    let path = fixture("error-dialog.png");
    drop(eyes.run(["read".as_ref(), path.as_os_str()]).exits(0));
    drop(eyes.run(["audit", "verify"]).exits(0));
    for args in [
        &["data", "erase"][..],
        &["data", "erase", "--yes"],
        &["data", "erase", "--all", "--usage"],
    ] {
        drop(eyes.run(args).exits(2));
    }
}

#[test]
fn erasing_waits_for_a_writer() {
    let eyes = used();
    let lock = FileLock::exclusive(&eyes.path("data/usage.jsonl.lock")).expect("the lock");
    let mut child = eyes
        .command()
        .args(["data", "erase", "--usage", "--health", "--yes"])
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    // Kinds go in their order: once the health is gone, the ledger's lock is what it waits for.
    while eyes.path("data/route-health.json").exists() {
        assert!(child.try_wait().expect("a child").is_none());
        std::thread::yield_now();
    }
    assert!(child.try_wait().expect("a child").is_none());
    assert!(eyes.path("data/usage.jsonl").exists());
    drop(lock);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(!eyes.path("data/usage.jsonl").exists());
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let eyes = used();
    let elsewhere = eyes.path("elsewhere");
    fs::rename(eyes.path("data/evidence"), &elsewhere).expect("moved");
    symlink(&elsewhere, eyes.path("data/evidence")).expect("a link");
    let key = eyes.path("key");
    fs::rename(eyes.path("data/marker.key"), &key).expect("moved");
    symlink(&key, eyes.path("data/marker.key")).expect("a link");
    let before = files(&elsewhere).len();
    let args = ["data", "erase", "--all", "--yes"];
    let ran = eyes.run(args).exits(0);
    assert!(
        ran.stdout.contains("data/evidence (not ours)"),
        "{}",
        ran.stdout
    );
    assert_eq!(files(&elsewhere).len(), before);
    assert!(key.exists() && eyes.path("data/marker.key").is_symlink());
}

#[test]
fn what_cannot_be_removed_is_told_and_the_rest_goes() {
    let eyes = used();
    let lock = eyes.path("data/usage.jsonl.lock");
    fs::remove_file(&lock).expect("removed");
    fs::create_dir(&lock).expect("a directory");
    let args = ["data", "erase", "--usage", "--markers", "--yes"];
    let ran = eyes.run(args).exits(3);
    assert!(
        ran.stderr.starts_with("error[FILE_PLACE_BLOCKED]: "),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    assert!(eyes.path("data/usage.jsonl").exists());
    assert!(!eyes.path("data/marker.key").exists());
}

#[test]
fn a_store_that_the_settings_moved_is_listed_shown_and_erased_there() {
    let eyes = eyes();
    eyes.write("eyes.toml", "cacheDir = \"seen\"\n");
    let path = fixture("error-dialog.png");
    let config = ["--config", "eyes.toml", "--format=json"];
    let with = |args: &[&str]| eyes.run(args.iter().chain(&config)).exits(0).json();
    drop(with(&["read", path.to_str().expect("UTF-8")]));
    assert_eq!(with(&["evidence", "list"]).len(), 1);
    let shown = with(&["data", "show"]).remove(0);
    let evidence = row(&shown, "evidence");
    assert_eq!(evidence["files"], 4);
    let paths = [eyes.path("seen"), eyes.path("data").join("evidence")];
    let paths = paths.map(|path| path.to_string_lossy().into_owned());
    assert_eq!(evidence["paths"], serde_json::json!(paths));
    drop(with(&["data", "erase", "--evidence", "--yes"]));
    assert_eq!(files(&eyes.path("seen")), [eyes.path("seen").join("lock")]);
    assert_eq!(with(&["evidence", "list"]).len(), 0);
}

#[test]
fn a_store_of_a_newer_version_is_named_and_left_alone() {
    let eyes = used();
    let mark = eyes.write("data/evidence/store.json", "{\"storeVersion\":2}\n");
    let ran = eyes.run(["data", "erase", "--all", "--yes"]).exits(0);
    assert!(
        ran.stderr
            .starts_with("warning[EVIDENCE_STORE_UNSUPPORTED]: "),
        "{}",
        ran.stderr
    );
    assert!(mark.exists() && eyes.path("data/evidence/newest").exists());
}

#[test]
fn the_page_is_that_of_the_program() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data-retention.md");
    let page = fs::read_to_string(page).expect("the page");
    let printed = eyes().run(["retention-markdown"]).exits(0).stdout;
    assert_eq!(page, printed, "run `cargo xtask docs --write`");
}
