//! Every name is claimed by the right row, and nothing else is.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use eyes_evidence::{
    audit::chain::{ChainedLog, LogBounds},
    store::{StoreBounds, fs::FsStore},
};
use serde_json::{Value, json};

use super::*;
use crate::settings::{Place, SETTINGS_SCHEMA, Settings};

struct Fixture {
    dir: tempfile::TempDir,
    settings: Settings,
}

impl Fixture {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("data")).unwrap();
        Self {
            dir,
            settings: Settings::default(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn places(&self) -> Places {
        Places::new(&self.settings, Some(&self.path("data")), None)
    }

    fn claimed(&self) -> Vec<(&'static str, String)> {
        let survey = survey(&self.places());
        assert!(survey.problems.is_empty(), "{:?}", survey.problems);
        let name = |path: &Path| {
            let below = path.strip_prefix(self.dir.path()).unwrap();
            below.to_string_lossy().replace('\\', "/")
        };
        let files = survey.files.iter();
        files
            .map(|file| (file.kind.name(), name(&file.path)))
            .collect()
    }

    fn unknown(&self) -> Vec<PathBuf> {
        let survey = survey(&self.places());
        survey.unknown.into_iter().map(|file| file.path).collect()
    }
}

fn all() -> BTreeSet<DataKind> {
    RETAINED.iter().map(|row| row.kind).collect()
}

#[test]
fn the_table_names_each_kind_once_and_settings_that_there_are() {
    let kinds: Vec<DataKind> = RETAINED.iter().map(|row| row.kind).collect();
    let mut sorted = kinds.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(kinds, sorted);
    let schema: Value = serde_json::from_str(SETTINGS_SCHEMA).unwrap();
    for row in RETAINED {
        assert!(
            !row.files.is_empty() && !row.holds.contains("  "),
            "{row:?}"
        );
        for setting in row.settings {
            let mut at = &schema;
            for name in setting.split('.') {
                if let Some(reference) = at["$ref"].as_str() {
                    at = schema.pointer(&reference[1..]).unwrap();
                }
                at = &at["properties"][name];
            }
            assert!(at.is_object(), "{setting} is no setting");
        }
    }
}

const KEY: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f\n";

#[cfg(feature = "local")]
const OURS: [(&str, &str); 12] = [
    ("health", "data/route-health.json"),
    ("health", "data/route-health.json.damaged-17"),
    ("markers", "data/marker.key"),
    ("models", "data/models/small/ppocrv6_small_det.onnx"),
    ("models", "data/models/small/ppocrv6_small_rec.4711.part"),
    ("temporary", "data/.tmp-12-0"),
    ("temporary", "data/.tmp-download-12/requirements.txt"),
    ("temporary", "data/.tmp-download-12/a-1-py3.whl"),
    ("usage", "data/usage.jsonl.newer.3"),
    ("evidence", "data/evidence/packs/00000000000000af.pack"),
    (
        "evidence",
        "data/evidence/quarantine/0000000000000001.pack.7",
    ),
    ("evidence", "data/evidence/packs/.tmp-1-2"),
];

#[cfg(feature = "local")]
const OTHERS: [&str; 13] = [
    "data/marker.key.old",
    "data/route-health.json.damaged-",
    "data/route-health.json.bak",
    "data/.tmp-mine",
    "data/.tmp-download-x/requirements.txt",
    "data/notes.txt",
    "data/usage.jsonl.newer.x",
    "data/vision-attempts.jsonl",
    "data/models/medium/a.onnx",
    "data/models/small/mine.onnx",
    "data/evidence/packs/00000000000000AF.pack",
    "data/evidence/packs/af.pack",
    "data/evidence/mine.txt",
];

#[cfg(feature = "local")]
#[test]
fn names_are_claimed_by_one_row_or_by_none() {
    let fixture = Fixture::new();
    for (_, name) in OURS {
        fixture.write(name, KEY);
    }
    for name in OTHERS {
        fixture.write(name, "a stranger's\n");
    }
    let mut expected = OURS.map(|(kind, name)| (kind, name.to_owned()));
    let mut claimed = fixture.claimed();
    expected.sort();
    claimed.sort();
    assert_eq!(claimed, expected);
    assert_eq!(fixture.unknown().len(), OTHERS.len());

    let places = fixture.places();
    let planned = Erasure::planned(&survey(&places), &all());
    let erased = erase(&places, &all());
    assert!(erased.failed.is_empty(), "{:?}", erased.failed);
    assert_eq!(erased.removed.len(), planned.removed.len());
    let files = |erasure: &Erasure| erasure.removed.iter().map(|kind| kind.files).sum::<u64>();
    assert_eq!((files(&planned), files(&erased)), (12, 12));
    for (_, name) in OURS {
        assert!(!fixture.path(name).exists(), "{name}");
    }
    for name in OTHERS {
        assert!(fixture.path(name).exists(), "{name}");
    }
    assert!(!fixture.path("data/.tmp-download-12").exists());
    assert!(fixture.path("data/models/small").exists(), "not ours alone");
}

#[test]
fn what_the_settings_moved_is_found_there_and_at_its_old_place() {
    let mut fixture = Fixture::new();
    let event = [json!({ "a": 1 })];
    for (store, log) in [
        ("data/evidence", "data/vision-attempts.jsonl"),
        ("s", "l/log"),
        ("s", "data/mcp-audit.jsonl"),
    ] {
        drop(FsStore::open(fixture.path(store), StoreBounds::default()).unwrap());
        let bounds = LogBounds {
            file_bytes: 0,
            files: 2,
        };
        let log = ChainedLog::open(fixture.path(log), bounds).unwrap();
        while log.files().len() < 2 {
            log.append(&event).unwrap();
        }
    }
    fixture.settings.cache_dir = Place::At(fixture.path("s"));
    fixture.settings.vision_attempt_log_path = Place::At(fixture.path("l/log"));
    fixture.write("l/stranger", "");
    let claimed = fixture.claimed();
    let count = |kind| claimed.iter().filter(|(name, _)| *name == kind).count();
    assert_eq!(
        (count("evidence"), count("attempts"), count("mcp-audit")),
        (6, 8, 4),
        "{claimed:?}"
    );
    assert!(
        fixture.unknown().is_empty(),
        "beside a log is no place of ours"
    );

    // Nowhere from now on does not mean that nothing is there.
    fixture.settings.cache_dir = Place::Nowhere;
    let places = fixture.places();
    let erased = erase(&places, &BTreeSet::from([DataKind::Evidence]));
    assert_eq!(erased.removed.len(), 1);
    let kept: Vec<_> = erased.kept.iter().map(|kept| kept.reason).collect();
    assert_eq!(kept, [KeptReason::Lock]);
    assert!(!fixture.path("data/evidence/store.json").exists());
    assert!(fixture.path("s/store.json").exists());
    // And the store can be used at once.
    drop(FsStore::open(fixture.path("data/evidence"), StoreBounds::default()).unwrap());
}

#[test]
fn a_store_of_a_newer_version_is_left_alone() {
    let fixture = Fixture::new();
    fixture.write("data/evidence/store.json", "{\"storeVersion\":2}\n");
    fixture.write("data/evidence/packs/0000000000000001.pack", "");
    let survey = survey(&fixture.places());
    assert!(survey.files.is_empty());
    assert_eq!(survey.unknown.len(), 1);
    let codes: Vec<_> = survey
        .problems
        .iter()
        .map(eyes_evidence::code::Coded::code)
        .collect();
    assert_eq!(codes[0].as_str(), "EVIDENCE_STORE_UNSUPPORTED");
    let erased = erase(&fixture.places(), &all());
    assert!(erased.removed.is_empty() && erased.failed.is_empty());
}

const DIGEST: &str = "af0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

const MCP_LOCKS: [&str; 3] = [
    "results/lock",
    "data/mcp-artifacts/lock",
    "pins/p.json.lock",
];

#[test]
fn files_of_mcp_servers_are_claimed_by_their_names() {
    let mut fixture = Fixture::new();
    fixture.settings.mcp_artifact_dir = Place::At(fixture.path("results"));
    fixture.settings.mcp_pins_path = Place::At(fixture.path("pins/p.json"));
    let ours = [
        ("mcp-results", format!("results/objects/af/{DIGEST}")),
        ("mcp-results", "results/objects/af/.tmp-1-2".to_owned()),
        ("mcp-results", format!("results/quarantine/{DIGEST}.0")),
        ("mcp-results", format!("results/quarantine/{DIGEST}.last")),
        (
            "mcp-results",
            format!("data/mcp-artifacts/objects/af/{DIGEST}"),
        ),
        ("mcp-pins", "pins/p.json".to_owned()),
        ("mcp-pins", "pins/p.json.unreadable".to_owned()),
        ("mcp-pins", "pins/p.json.unreadable.2".to_owned()),
        ("mcp-pins", "data/mcp-pins.json".to_owned()),
    ];
    let others = [
        format!("results/objects/00/{DIGEST}"),
        format!("results/objects/{DIGEST}"),
        format!("results/objects/af/{}", &DIGEST[2..]),
        format!("results/quarantine/{DIGEST}"),
        "results/notes.txt".to_owned(),
        "data/mcp-pins.json.old".to_owned(),
    ];
    let names = ours.iter().map(|(_, name)| name.as_str());
    for name in names.chain(others.iter().map(String::as_str)) {
        fixture.write(name, "x");
    }
    for name in MCP_LOCKS {
        fixture.write(name, "");
    }
    // Beside a file of pins is no place of ours.
    fixture.write("pins/p.json.unreadable.x", "x");
    let mut claimed = fixture.claimed();
    claimed.retain(|(_, name)| !MCP_LOCKS.contains(&name.as_str()));
    claimed.sort();
    let mut expected = ours.clone();
    expected.sort();
    assert_eq!(claimed, expected);
    assert_eq!(fixture.unknown().len(), others.len());

    erase_all_of_mcp(&fixture, &ours.map(|(_, name)| name), &others);
}

fn erase_all_of_mcp(fixture: &Fixture, ours: &[String], others: &[String]) {
    let kinds = BTreeSet::from([DataKind::McpResults, DataKind::McpPins]);
    let erased = erase(&fixture.places(), &kinds);
    assert!(erased.failed.is_empty(), "{:?}", erased.failed);
    let removed: Vec<_> = erased
        .removed
        .iter()
        .map(|removed| (removed.kind, removed.files))
        .collect();
    assert_eq!(removed, [(DataKind::McpResults, 5), (DataKind::McpPins, 4)]);
    assert!(ours.iter().all(|name| !fixture.path(name).exists()));
    assert!(
        others
            .iter()
            .chain([&"results/lock".to_owned()])
            .all(|name| fixture.path(name).exists())
    );
    // And the directory can be used at once.
    drop(
        eyes_evidence::store::fs::FsArtifacts::open(
            fixture.path("results"),
            StoreBounds::default(),
        )
        .unwrap(),
    );
}

#[cfg(unix)]
#[test]
fn links_are_neither_followed_nor_removed() {
    use std::os::unix::fs::symlink;
    let fixture = Fixture::new();
    let pack = fixture.write("else/packs/0000000000000001.pack", "x");
    let secret = fixture.write("else/marker.key", KEY);
    symlink(fixture.path("else"), fixture.path("data/evidence")).unwrap();
    symlink(&secret, fixture.path("data/marker.key")).unwrap();
    symlink(&secret, fixture.path("data/usage.jsonl")).unwrap();
    symlink(&secret, fixture.path("data/vision-attempts.jsonl")).unwrap();
    symlink(fixture.path("else"), fixture.path("data/models")).unwrap();
    assert!(fixture.claimed().is_empty());
    assert_eq!(fixture.unknown().len(), 5);
    let erased = erase(&fixture.places(), &all());
    assert!(erased.removed.is_empty() && erased.failed.is_empty());
    assert!(pack.exists() && secret.exists());
    assert_eq!(fs::read_dir(fixture.path("data")).unwrap().count(), 5);

    // A directory for data that is a link is not entered.
    symlink(fixture.path("else"), fixture.path("link")).unwrap();
    let places = Places::new(&fixture.settings, Some(&fixture.path("link")), None);
    let survey = survey(&places);
    assert!(
        !survey
            .files
            .iter()
            .any(|file| file.kind == DataKind::Markers)
    );
}

#[test]
fn runs_of_a_browser_are_claimed_and_nothing_beside_them() {
    let fixture = Fixture::new();
    let run = "data/browser-runs/0123456789abcdef0123456789abcdef";
    let ours: Vec<String> = [
        "run.json",
        "steps.jsonl",
        "report.json",
        "pictures/a.png",
        "originals/objects/af/x",
        "downloads/file.bin",
    ]
    .map(|name| format!("{run}/{name}"))
    .into();
    let others = ["data/browser-runs/notes.txt", "data/browser-runs/mine/a"];
    for name in ours.iter().map(String::as_str).chain(others) {
        fixture.write(name, "x");
    }
    let claimed: BTreeSet<String> = fixture
        .claimed()
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    assert_eq!(claimed, ours.iter().cloned().collect());
    let erased = erase(&fixture.places(), &BTreeSet::from([DataKind::BrowserRuns]));
    assert!(erased.failed.is_empty(), "{:?}", erased.failed);
    assert!(ours.iter().all(|name| !fixture.path(name).exists()));
    assert!(others.iter().all(|name| fixture.path(name).exists()));
}
