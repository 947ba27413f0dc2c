//! Durable, private, tamper-evident, shared.

use std::thread;

use super::*;
use crate::{
    atomic::{
        FileError,
        fault::{self, Fault},
    },
    code::Coded,
    store::{
        MemoryStore,
        artifact::{ArtifactStore, MemoryArtifacts},
    },
    testing::{
        artifact_store_contract, evidence_listing_contract, evidence_store_contract, sample_record,
    },
};

fn open(root: &Path) -> FsStore {
    FsStore::open(root.join("store"), StoreBounds::default()).unwrap()
}

fn file_count(root: &Path, dir: &str) -> usize {
    fs::read_dir(root.join("store").join(dir)).unwrap().count()
}

/// The text of the only pack, and where it is.
fn only_pack(root: &Path) -> (PathBuf, String) {
    let path = root.join("store/packs/0000000000000001.pack");
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

fn batch(seeds: std::ops::Range<u64>) -> Vec<Arc<EvidenceRecord>> {
    seeds.map(|seed| sample_record(seed, "a")).collect()
}

#[test]
fn both_stores_keep_the_contract() {
    evidence_store_contract(MemoryStore::new);
    evidence_listing_contract(MemoryStore::new);
    let dirs = std::cell::RefCell::new(Vec::new());
    let fresh = || {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("deep/store");
        dirs.borrow_mut().push(dir);
        path
    };
    evidence_store_contract(|bounds| FsStore::open(fresh(), bounds).unwrap());
    evidence_listing_contract(|bounds| FsStore::open(fresh(), bounds).unwrap());
    artifact_store_contract(MemoryArtifacts::new);
    artifact_store_contract(|bounds| FsArtifacts::open(fresh(), bounds).unwrap());
}

#[test]
fn memory_forgets_the_least_recently_used() {
    let store = MemoryStore::new(StoreBounds {
        max_items: 2,
        max_bytes: u64::MAX,
    });
    let records = batch(0..3);
    store.put_all(&records[..2]).unwrap();
    assert!(store.get(&records[0].cache_key()).unwrap().is_some());
    store.put_if_absent(&records[2]).unwrap();
    assert!(store.get(&records[0].cache_key()).unwrap().is_some());
    assert!(store.get(&records[1].cache_key()).unwrap().is_none());
}

#[test]
fn a_fault_at_any_step_loses_nothing_and_leaves_nothing_half() {
    for kind in [Fault::Full, Fault::Kill] {
        let mut steps = 0;
        loop {
            let dir = tempfile::tempdir().unwrap();
            let store = open(dir.path());
            let (old, new) = (batch(0..3), batch(3..6));
            store.put_all(&old).unwrap();
            let (result, reached) = fault::at(steps, kind, || store.put_all(&new));
            if !reached {
                result.unwrap();
                assert!(steps >= 5);
                break;
            }
            assert_eq!(
                result.unwrap_err().code().as_str(),
                "EVIDENCE_PERSIST_FAILED"
            );
            if kind == Fault::Full {
                assert_eq!(
                    store.put_all(&new).unwrap().len(),
                    3,
                    "the same store goes on"
                );
            }
            drop(store);
            let store = open(dir.path());
            assert_eq!(store.verify_all().unwrap().1, Vec::<PathBuf>::new());
            for record in &old {
                assert!(
                    store.get(&record.cache_key()).unwrap().is_some(),
                    "step {steps}"
                );
            }
            let there = new
                .iter()
                .filter(|r| store.get(&r.cache_key()).unwrap().is_some())
                .count();
            assert!(
                there == 0 || there == 3,
                "all of a batch or none, step {steps}"
            );
            store.put_all(&new).unwrap();
            assert_eq!(store.verify_all().unwrap().0, 6);
            assert_eq!(
                file_count(dir.path(), "packs"),
                2,
                "no temporary file stays, step {steps}"
            );
            steps += 1;
        }
    }
}

#[test]
fn a_full_disk_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let (result, _) = fault::at(1, Fault::Full, || {
        store.put_if_absent(&sample_record(1, "a"))
    });
    assert_eq!(
        result.unwrap_err().to_string(),
        "cannot persist evidence: the disk is full"
    );
}

#[test]
fn every_changed_byte_is_found_set_aside_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    let records = batch(0..3);
    open(dir.path()).put_all(&records).unwrap();
    let (path, text) = only_pack(dir.path());
    let mut reports = 0;
    for at in (0..text.len()).step_by(41) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let store = open(dir.path());
        let mut set_aside = Vec::new();
        for record in &records {
            match store.get(&record.cache_key()) {
                Ok(Some(read)) => assert_eq!(&read, record, "byte {at}"),
                Ok(None) => {}
                Err(StoreError::Tampered { set_aside: place }) => set_aside.push(place),
                Err(error) => panic!("byte {at}: {error}"),
            }
        }
        assert_eq!(set_aside.len(), 1, "byte {at} is reported once");
        assert_eq!(
            fs::read(&set_aside[0]).unwrap(),
            bytes,
            "what was there is kept"
        );
        let (verified, damaged) = store.verify_all().unwrap();
        assert!(
            damaged.is_empty() && verified >= 2,
            "the intact records stay, byte {at}"
        );
        store.put_all(&records).unwrap();
        assert_eq!(store.verify_all().unwrap().0, 3);
        reports += 1;
        assert_eq!(store.usage().unwrap().set_aside, reports);
        for number in pack::numbers_in(&store.packs()).unwrap() {
            fs::remove_file(store.pack_path(number)).unwrap();
        }
    }
    assert!(reports > 20);
}

#[test]
fn a_cut_or_longer_pack_is_set_aside() {
    for change in [
        |text: &str| text[..text.len() - 1].to_owned(),
        |text: &str| format!("{text}x"),
        |_: &str| String::new(),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let record = sample_record(1, "a");
        open(dir.path()).put_if_absent(&record).unwrap();
        let (path, text) = only_pack(dir.path());
        fs::write(&path, change(&text)).unwrap();
        let store = open(dir.path());
        let first = store.get(&sample_record(2, "a").cache_key());
        assert_eq!(
            first.unwrap_err().code().as_str(),
            "EVIDENCE_STORE_MISMATCH"
        );
        assert_eq!(store.usage().unwrap().set_aside, 1);
        store.put_if_absent(&record).unwrap();
        assert!(store.get(&record.cache_key()).unwrap().is_some());
    }
}

#[test]
fn two_stores_on_one_directory_see_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (open(dir.path()), open(dir.path()));
    let records = batch(0..4);
    a.put_all(&records[..2]).unwrap();
    assert_eq!(
        b.get(&records[1].cache_key()).unwrap().as_ref(),
        Some(&records[1])
    );
    let other = sample_record(0, "b");
    assert_eq!(
        b.put_if_absent(&other).unwrap(),
        Put::Existing(Arc::clone(&records[0]))
    );
    b.put_all(&records[2..]).unwrap();
    assert_eq!(a.usage().unwrap().items, 4);
    // One prunes what the other has in its index.
    b.prune(StoreBounds {
        max_items: 2,
        max_bytes: u64::MAX,
    })
    .unwrap();
    assert_eq!(a.get(&records[0].cache_key()).unwrap(), None);
    assert!(a.get(&records[3].cache_key()).unwrap().is_some());
    // Numbers are not given twice, so an old index never points into a new pack.
    a.put_if_absent(&records[0]).unwrap();
    assert_eq!(pack::numbers_in(&a.packs()).unwrap(), [2, 3]);
    assert_eq!(
        b.get(&records[0].cache_key()).unwrap().as_ref(),
        Some(&records[0])
    );
}

#[test]
fn a_repair_by_another_store_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let records = batch(0..3);
    let a = open(dir.path());
    a.put_all(&records).unwrap();
    let (path, text) = only_pack(dir.path());
    fs::write(&path, text.replacen("answer a", "answer A", 1)).unwrap();
    let b = open(dir.path());
    assert_eq!(b.verify_all().unwrap().1.len(), 1);
    // The offsets in the index of `a` are those of the pack before the repair.
    for record in &records[1..] {
        assert_eq!(a.get(&record.cache_key()).unwrap().as_ref(), Some(record));
    }
    assert_eq!(a.get(&records[0].cache_key()).unwrap(), None);
    assert_eq!(a.usage().unwrap().set_aside, 1);
}

#[test]
fn a_pack_that_was_not_announced_is_never_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.put_if_absent(&sample_record(1, "a")).unwrap();
    // As after a kill between the rename and the note.
    fs::write(dir.path().join("store/newest"), "0000000000000000\n").unwrap();
    let late = open(dir.path());
    fs::write(dir.path().join("store/newest"), "0000000000000000\n").unwrap();
    store.put_if_absent(&sample_record(2, "a")).unwrap();
    late.put_if_absent(&sample_record(3, "a")).unwrap();
    assert_eq!(open(dir.path()).verify_all().unwrap().0, 3);
}

#[test]
fn newer_files_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    store.put_if_absent(&sample_record(1, "a")).unwrap();
    let newer = dir.path().join("store/packs/0000000000000002.pack");
    fs::write(&newer, "{\"packVersion\":2,\"anything\":true}\n").unwrap();
    let store = open(dir.path());
    assert_eq!(
        (store.usage().unwrap().newer, store.usage().unwrap().items),
        (1, 1)
    );
    store.put_if_absent(&sample_record(2, "a")).unwrap();
    store
        .prune(StoreBounds {
            max_items: 1,
            max_bytes: 1,
        })
        .unwrap();
    assert!(newer.exists());

    let mark = dir.path().join("store/store.json");
    for text in ["{\"storeVersion\":2}", "gibberish"] {
        fs::write(&mark, text).unwrap();
        let error = FsStore::open(dir.path().join("store"), StoreBounds::default()).unwrap_err();
        assert_eq!(error.code().as_str(), "EVIDENCE_STORE_UNSUPPORTED");
        assert_eq!(fs::read_to_string(&mark).unwrap(), text);
    }
}

#[test]
fn threads_share_one_store() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let other = open(dir.path());
    thread::scope(|scope| {
        for worker in 0..4_u64 {
            let store = if worker % 2 == 0 { &store } else { &other };
            scope.spawn(move || {
                for step in 0..5 {
                    // Every record is put by two workers.
                    let record = sample_record(step + 5 * (worker / 2), "a");
                    store.put_if_absent(&record).unwrap();
                    assert_eq!(store.get(&record.cache_key()).unwrap(), Some(record));
                }
            });
        }
    });
    assert_eq!(store.verify_all().unwrap(), (10, Vec::new()));
    assert_eq!(store.usage().unwrap().items, 10);
}

#[test]
fn a_file_in_the_way_is_an_error_with_a_code() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("store"), "x").unwrap();
    let error = FsStore::open(dir.path().join("store"), StoreBounds::default()).unwrap_err();
    assert_eq!(error.code().as_str(), "EVIDENCE_STORE_BLOCKED");
    let error = FsStore::open(dir.path().join("store/below"), StoreBounds::default()).unwrap_err();
    assert_eq!(error.code().as_str(), "EVIDENCE_PERSIST_FAILED");
}

#[cfg(unix)]
#[test]
fn the_store_is_private_and_follows_no_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("store");
    fs::create_dir(&root).unwrap();
    fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
    let store = open(dir.path());
    store.put_if_absent(&sample_record(1, "a")).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&root), mode(&store.packs())), (0o700, 0o700));
    assert_eq!(
        (mode(&only_pack(dir.path()).0), mode(&root.join("lock"))),
        (0o600, 0o600)
    );

    let link = dir.path().join("link");
    symlink(&root, &link).unwrap();
    let error = FsStore::open(&link, StoreBounds::default()).unwrap_err();
    assert_eq!(error.code().as_str(), "EVIDENCE_STORE_BLOCKED");
    // A pack that is a link is not followed.
    let (path, text) = only_pack(dir.path());
    let elsewhere = dir.path().join("elsewhere");
    fs::write(&elsewhere, text).unwrap();
    fs::remove_file(&path).unwrap();
    symlink(&elsewhere, &path).unwrap();
    let error = store.get(&sample_record(1, "a").cache_key()).unwrap_err();
    assert_eq!(error.code().as_str(), "EVIDENCE_STORE_BLOCKED");
}

#[test]
fn artifacts_survive_faults_and_changed_bytes_are_set_aside() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("artifacts");
    for steps in 0..5 {
        let store = FsArtifacts::open(&root, StoreBounds::default()).unwrap();
        let (result, reached) = fault::at(steps, Fault::Kill, || store.put(b"picture"));
        assert!(reached);
        assert_eq!(
            result.unwrap_err().code().as_str(),
            "EVIDENCE_PERSIST_FAILED"
        );
        let opened = store.open(&Sha256Digest::of(b"picture")).unwrap();
        assert!(opened.is_none_or(|bytes| *bytes == *b"picture"));
    }
    let store = FsArtifacts::open(&root, StoreBounds::default()).unwrap();
    let sha256 = store.put(b"picture").unwrap();
    let path = store.path(&sha256);
    assert_eq!(
        fs::read_dir(path.parent().unwrap()).unwrap().count(),
        1,
        "no temporary file stays"
    );
    fs::write(&path, b"Picture").unwrap();
    assert_eq!(
        store.open(&sha256).unwrap_err().code().as_str(),
        "EVIDENCE_STORE_MISMATCH"
    );
    assert_eq!(store.usage().unwrap().set_aside, 1);
    assert!(store.open(&sha256).unwrap().is_none());
    fs::write(&path, b"picturE").unwrap();
    store.put(b"picture").unwrap();
    assert_eq!(
        store.open(&sha256).unwrap().as_deref(),
        Some(&b"picture"[..])
    );
    assert_eq!(store.usage().unwrap().set_aside, 2);
}

#[test]
fn failures_have_codes_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("file");
    fs::write(&place, b"no folder").unwrap();
    let source = || fs::read_dir(&place).expect_err("a file is no folder");
    let path = place.clone();
    for (error, code) in [
        (
            FileError::Read {
                path: path.clone(),
                source: source(),
            },
            "EVIDENCE_STORE_UNAVAILABLE",
        ),
        (
            FileError::Size {
                path: path.clone(),
                bytes: 2,
                limit: 1,
            },
            "EVIDENCE_STORE_UNAVAILABLE",
        ),
        (
            FileError::Place {
                path: path.clone(),
                what: "a file",
            },
            "EVIDENCE_STORE_BLOCKED",
        ),
        (
            FileError::Write {
                action: "write",
                path,
                source: source(),
            },
            "EVIDENCE_PERSIST_FAILED",
        ),
    ] {
        assert_eq!(StoreError::from(error).code().as_str(), code);
    }
    let bounds = StoreBounds {
        max_items: 9,
        max_bytes: 10,
    };
    let store = FsStore::open(dir.path().join("store"), bounds).unwrap();
    let error = store
        .put_if_absent(&sample_record(1, "a"))
        .expect_err("does not fit");
    assert_eq!(error.code().as_str(), "EVIDENCE_STORE_LIMIT");
}

#[test]
fn artifacts_go_by_their_date() {
    use std::time::{Duration, UNIX_EPOCH};

    let dir = tempfile::tempdir().unwrap();
    let store = FsArtifacts::open(dir.path().join("artifacts"), StoreBounds::default()).unwrap();
    let hour = |hours| UNIX_EPOCH + Duration::from_hours(hours);
    let [old, same, new] = [&b"old"[..], b"same", b"new"].map(|bytes| store.put(bytes).unwrap());
    for (sha256, hours) in [(old, 1), (same, 2), (new, 3)] {
        store.date(&sha256, hour(hours)).unwrap();
    }
    let pruned = store.remove_older(hour(2)).unwrap();
    assert_eq!((pruned.items, pruned.bytes), (1, 3));
    let left = [old, same, new].map(|sha256| store.exists(&sha256).unwrap());
    assert_eq!(left, [false, true, true]);
    store.date(&old, hour(9)).unwrap();
    assert!(!store.exists(&old).unwrap());
    assert_eq!(store.remove_older(hour(2)).unwrap().items, 0);
}
