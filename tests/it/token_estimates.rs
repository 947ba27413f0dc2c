//! The token estimates of `eyes-router` against the tokenizer that they stand for, `DeepSeek`'s.
//!
//! `tests/fixtures/tokens` holds texts that the estimator was not fitted to, with their true counts. The live group
//! `tokens` counts them again with the tokenizer itself, which `.ci/run live` installs.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use eyes_router::context::estimate::text_tokens;
use eyes_tests::live::{Group, installed};

/// Per cent of the true count by which an estimate may be off.
const TOLERANCE: u64 = 15;
/// Tokens below which a text is too short to be estimated.
const SHORTEST: u64 = 200;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn counts() -> BTreeMap<String, u64> {
    let file = project("tests/fixtures/tokens/counts.json");
    serde_json::from_slice(&fs::read(file).expect("the counts")).expect("counts by file name")
}

fn texts() -> Vec<PathBuf> {
    let entries = fs::read_dir(project("tests/fixtures/tokens")).expect("the texts");
    let mut texts: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    texts.sort();
    texts
}

fn name(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str());
    name.expect("a name").to_owned()
}

#[test]
fn every_kind_of_text_is_estimated_within_15_per_cent() {
    let counts = counts();
    let names: Vec<String> = texts().iter().map(|path| name(path)).collect();
    assert!(
        names.iter().eq(counts.keys()),
        "each text has a count: {names:?}"
    );
    for path in texts() {
        let counted = counts[&name(&path)];
        assert!(counted >= SHORTEST, "{path:?} has {counted} tokens");
        let estimate = text_tokens(&fs::read_to_string(&path).expect("a text"));
        let off = estimate.abs_diff(counted) * 100;
        assert!(
            off <= TOLERANCE * counted,
            "{path:?}: estimated {estimate}, counted {counted}"
        );
    }
}

#[test]
fn the_counts_and_words_are_those_of_the_tokenizer() {
    let Some(group) = Group::listed("tokens") else {
        return;
    };
    let files = texts();
    let mut command = oracle("count");
    command.args(&files);
    let counted: BTreeMap<String, u64> =
        serde_json::from_str(&output(command)).expect("counts by file name");
    assert_eq!(counted, counts());
    let words = output(oracle("words"));
    let shipped = project("crates/eyes-router/src/context/estimate/han-words.bin");
    let shipped = fs::read(shipped).expect("the words");
    let bytes = words.trim().as_bytes().chunks(2).map(|digits| {
        let digits = std::str::from_utf8(digits).expect("digits");
        u8::from_str_radix(digits, 16).expect("a byte")
    });
    assert!(
        bytes.eq(shipped),
        "han-words.bin is not what the tokenizer gives"
    );
    group.ran();
}

fn oracle(what: &str) -> Command {
    let packages = installed("tokens");
    assert!(
        packages.is_dir(),
        "the tokenizer is not installed; `.ci/run live` brings it"
    );
    let mut command = Command::new("python3");
    command
        .arg(project("tests/live/tokens/oracle.py"))
        .arg(what)
        .env("PYTHONPATH", packages);
    command
}

fn output(mut command: Command) -> String {
    let output = command.output().expect("python3 starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).expect("text")
}
