use std::{fs, path::Path};

use super::super::{board::Board, *};
use crate::{
    codes,
    limits::{HEALTH_EXPIRY_MS, MAX_HEALTH_FILE_BYTES, MAX_HEALTH_ROUTES},
    testing::FixedClock,
};

const POLICY: CircuitPolicy = CircuitPolicy {
    threshold: 2,
    cooldown_ms: 30_000,
};
const FAULT: Verdict = Verdict::Fault {
    retry_after_ms: None,
};

fn route(text: &str) -> Route {
    text.parse().expect("a route")
}

fn open(path: &Path) -> Arc<HealthRegistry> {
    HealthRegistry::open(POLICY, Arc::new(FixedClock), Some(path.to_owned()))
}

async fn settle(registry: &Arc<HealthRegistry>, name: &str, verdict: Verdict) {
    let permit = registry.admit(&route(name)).expect("admitted");
    permit.settle(verdict).await;
}

fn failed(registry: &HealthRegistry) -> Vec<(String, u32)> {
    let routes = registry.routes().into_iter();
    routes.map(|h| (h.route.to_string(), h.failures)).collect()
}

#[tokio::test]
async fn health_and_proofs_are_found_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("new/health.json");
    let first = open(&path);
    settle(&first, "a/1", FAULT).await;
    let proof = Sha256Digest::of(b"model");
    first.prove(&route("b/2"), proof).await;
    assert_eq!(first.take_warnings(), []);

    let second = open(&path);
    assert_eq!(failed(&second), [("a/1".to_owned(), 1)]);
    assert!(second.is_proven(&route("b/2"), &proof, 0));
    assert!(!second.is_proven(&route("b/2"), &Sha256Digest::of(b"other"), 0));
    let text = fs::read_to_string(&path).expect("the file");
    assert!(text.starts_with(r#"{"version":1,"#), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test]
async fn two_processes_do_not_undo_each_other() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("health.json");
    let (one, two) = (open(&path), open(&path));
    settle(&one, "a/1", FAULT).await;
    settle(&two, "b/2", FAULT).await;
    let both = [("a/1".to_owned(), 1), ("b/2".to_owned(), 1)];
    assert_eq!(failed(&two), both, "taken over with the write");
    assert_eq!(failed(&open(&path)), both);
}

#[tokio::test]
async fn a_damaged_file_is_set_aside_and_reported() {
    for content in [
        "",
        "{",
        "{\"version\":1,\"circuits\":7,\"probes\":[]}",
        "{\"version\":0}",
    ] {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("health.json");
        fs::write(&path, content).expect("written");
        let registry = open(&path);
        let warnings = registry.take_warnings();
        assert_eq!(warnings.len(), 1, "{content}");
        assert_eq!(warnings[0].code, codes::VISION_HEALTH_UNAVAILABLE);
        settle(&registry, "a/1", FAULT).await;
        assert_eq!(failed(&open(&path)), [("a/1".to_owned(), 1)]);
        let mut contents: Vec<String> = fs::read_dir(directory.path())
            .expect("a directory")
            .map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("text"))
            .collect();
        contents.sort_by_key(String::len);
        assert_eq!(contents.len(), 2);
        assert!(contents.contains(&content.to_owned()), "kept for a person");
    }
}

#[tokio::test]
async fn a_file_that_is_too_long_is_set_aside_unread() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("health.json");
    let file = fs::File::create(&path).expect("created");
    file.set_len(MAX_HEALTH_FILE_BYTES + 1).expect("sparse");
    assert_eq!(open(&path).take_warnings().len(), 1);
    assert!(!path.exists());
}

#[tokio::test]
async fn a_newer_file_is_left_as_it_is() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("health.json");
    let newer = "{\"version\":2,\"anything\":true}";
    fs::write(&path, newer).expect("written");
    let registry = open(&path);
    settle(&registry, "a/1", FAULT).await;
    assert_eq!(failed(&registry), [("a/1".to_owned(), 1)], "kept in memory");
    assert_eq!(fs::read_to_string(&path).expect("the file"), newer);
    let warnings = registry.take_warnings();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].message.contains("version 2"), "{warnings:?}");
}

#[tokio::test]
async fn a_place_that_cannot_be_written_costs_one_warning() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("health.json");
    fs::create_dir(&path).expect("a directory in its place");
    let registry = open(&path);
    for _ in 0..3 {
        settle(&registry, "a/1", Verdict::Works).await;
        settle(&registry, "a/1", FAULT).await;
    }
    assert_eq!(registry.take_warnings().len(), 1);
    assert_eq!(failed(&registry), [("a/1".to_owned(), 1)]);
}

#[test]
fn the_table_is_bounded_and_forgets() {
    let mut board = Board::default();
    let fail = |board: &mut Board, name: &str, now_ms| {
        let route = route(name);
        let Admission::Granted(ticket) = board.admit(&route, now_ms, false) else {
            panic!("admitted");
        };
        board.settle(&route, (ticket, FAULT), now_ms, POLICY);
    };
    for n in 0..MAX_HEALTH_ROUTES + 10 {
        fail(&mut board, &format!("p/{n}"), n as u64);
        board.prove(&route(&format!("p/{n}")), Sha256Digest::of(b"x"), n as u64);
    }
    assert_eq!(board.circuits().count(), MAX_HEALTH_ROUTES);
    assert_eq!(
        board.circuit(&route("p/9")).failures(),
        0,
        "the oldest goes"
    );
    assert_eq!(board.circuit(&route("p/10")).failures(), 1);
    assert!(!board.is_proven(&route("p/9"), &Sha256Digest::of(b"x"), 1_000, u64::MAX - 1));
    fail(&mut board, "q/1", HEALTH_EXPIRY_MS + 10_000);
    assert_eq!(board.circuits().count(), 1, "a day is enough");
}

#[tokio::test]
async fn a_permit_that_is_dropped_frees_the_trial() {
    let registry = HealthRegistry::open(
        CircuitPolicy {
            threshold: 1,
            cooldown_ms: 0,
        },
        Arc::new(FixedClock),
        None,
    );
    settle(&registry, "a/1", FAULT).await;
    let trial = registry.admit(&route("a/1")).expect("the cooldown is over");
    assert!(
        registry.admit(&route("a/1")).is_none(),
        "one trial at a time"
    );
    drop(trial);
    assert!(registry.admit(&route("a/1")).is_some());
}
