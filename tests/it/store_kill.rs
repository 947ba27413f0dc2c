//! Two processes write into one store, one of them is killed: what was reported as written is there.

#![expect(clippy::unwrap_used, reason = "a test stops where it fails")]

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};

use eyes_evidence::{
    digest::Sha256Digest,
    store::{EvidenceStore, StoreBounds, fs::FsStore},
};

fn writer(root: &Path, first: u64, count: u64, batch: u64) -> Child {
    Command::new(env!("CARGO_BIN_EXE_store_writer"))
        .arg(root)
        .args([first, count, batch].map(|number| number.to_string()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The digests in whole lines; a line that was cut off was not reported.
fn digests(text: &str) -> Vec<Sha256Digest> {
    text.split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
        .map(|line| line.parse().unwrap())
        .collect()
}

fn check(count: u64, batch: u64, kill_after: usize) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("store");
    let mut survivor = writer(&root, 0, count, batch);
    let mut victim = writer(&root, count, count, batch);

    let mut survivor_out = survivor.stdout.take().unwrap();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        survivor_out.read_to_string(&mut text).unwrap();
        text
    });
    let mut victim_out = BufReader::new(victim.stdout.take().unwrap());
    let mut text = String::new();
    for _ in 0..kill_after {
        assert!(
            victim_out.read_line(&mut text).unwrap() > 0,
            "the writer ended early"
        );
    }
    victim.kill().unwrap();
    victim_out.read_to_string(&mut text).unwrap();
    assert!(!victim.wait().unwrap().success());
    assert!(survivor.wait().unwrap().success());

    let survived = digests(&reader.join().unwrap());
    let reported = digests(&text);
    assert_eq!(survived.len() as u64, count);
    assert!(reported.len() >= kill_after && (reported.len() as u64) < count);

    let store = FsStore::open(&root, StoreBounds::default()).unwrap();
    let (verified, damaged) = store.verify_all().unwrap();
    assert!(damaged.is_empty(), "{damaged:?}");
    // A put that was done but not reported may be there as well, whole.
    let most = survived.len() + reported.len() + batch as usize;
    assert!(
        (survived.len() + reported.len()..=most).contains(&verified),
        "{verified}"
    );
    for sha256 in survived.iter().chain(&reported) {
        let record = store.find(sha256).unwrap().expect("reported as written");
        assert_eq!(record.record_sha256(), *sha256);
        assert_eq!(store.get(&record.cache_key()).unwrap(), Some(record));
    }
    // Nothing is left of the dead process, and the store goes on.
    let half = std::fs::read_dir(root.join("packs"))
        .unwrap()
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy()
                .starts_with(eyes_evidence::atomic::TEMP_PREFIX)
        });
    assert_eq!(half.count(), 0);
    let next = eyes_evidence::testing::sample_record(3 * count, "a");
    store.put_if_absent(&next).unwrap();
    assert!(store.get(&next.cache_key()).unwrap().is_some());
}

#[test]
fn ten_thousand_records_each_survive_a_kill_between_batches() {
    check(10_000, 100, 4_321);
}

#[test]
fn single_records_survive_a_kill() {
    check(100, 1, 33);
}
