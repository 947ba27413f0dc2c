use std::fs;

use eyes_evidence::code::Coded;
use serde_json::{Value, json};

use super::super::*;
use crate::{
    codes,
    limits::MAX_PINS_FILE_BYTES,
    testing::{
        fixture::{server, server_id, tool},
        pin_contract,
    },
};

#[test]
fn pins_in_memory_keep_the_contract() {
    pin_contract::check(MemoryPins::default);
}

#[test]
fn pins_in_a_file_keep_the_contract() {
    let dir = tempfile::tempdir().unwrap();
    let next = std::cell::Cell::new(0);
    pin_contract::check(|| {
        next.set(next.get() + 1);
        FilePins::new(dir.path().join(format!("{}/pins.json", next.get())))
    });
}

fn observe_one(store: &FilePins) -> Result<Observation, PinError> {
    let read = tool("srv", json!({"name": "read", "inputSchema": {}}));
    observe(store, &server("srv"), &[read])
}

#[test]
fn what_was_kept_is_there_for_the_next_process() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mcp/pins.json");
    observe_one(&FilePins::new(&path)).unwrap();
    let pins = FilePins::new(&path).load(&server_id("srv")).unwrap();
    let approved = pins.pins()["read"].approved.as_ref().unwrap();
    assert_eq!(
        approved.definition(),
        Some(json!({"name": "read", "inputSchema": {}}))
    );
    let content: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    assert_eq!(content["version"], 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
}

#[test]
fn what_cannot_be_read_is_set_aside_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pins.json");
    let store = FilePins::new(&path);
    let contents = [
        "{",
        "[]",
        "{\"version\": 1}",
        "{\"version\":1,\"servers\":{\"no id!\":{}}}",
        "{\"version\":1,\"servers\":{},\"more\":1}",
    ];
    for (count, content) in contents.iter().enumerate() {
        fs::write(&path, content).unwrap();
        assert!(store.load(&server_id("srv")).unwrap().pins().is_empty());
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            *content,
            "reading moves nothing"
        );
        assert!(observe_one(&store).unwrap().changed);
        let aside = match count {
            0 => dir.path().join("pins.json.unreadable"),
            _ => dir.path().join(format!("pins.json.unreadable.{count}")),
        };
        assert_eq!(fs::read_to_string(aside).unwrap(), *content);
        assert_eq!(store.servers().unwrap(), [server_id("srv")]);
    }
}

#[test]
fn a_file_beyond_the_bound_is_set_aside_unread() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pins.json");
    let large = fs::File::create(&path).unwrap();
    large.set_len(MAX_PINS_FILE_BYTES + 1).unwrap();
    observe_one(&FilePins::new(&path)).unwrap();
    let aside = fs::metadata(dir.path().join("pins.json.unreadable")).unwrap();
    assert_eq!(aside.len(), MAX_PINS_FILE_BYTES + 1);
}

#[test]
fn a_file_of_a_newer_version_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pins.json");
    let newer = "{\"version\":2,\"servers\":{},\"more\":1}";
    fs::write(&path, newer).unwrap();
    let store = FilePins::new(&path);
    let error = observe_one(&store).unwrap_err();
    assert_eq!(error.code(), codes::MCP_PIN_STORE_UNSUPPORTED);
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
}

#[test]
fn a_place_that_cannot_be_used_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let store = FilePins::new(dir.path());
    assert_eq!(
        observe_one(&store).unwrap_err().code(),
        codes::MCP_PIN_STORE_FAILED
    );
}

#[test]
fn stores_on_one_file_take_turns() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pins.json");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                let store = FilePins::new(path);
                let id = format!("server-{thread}");
                for turn in 0..4 {
                    let read = tool(&id, json!({"name": format!("t{turn}"), "inputSchema": {}}));
                    observe(&store, &server(&id), &[read]).unwrap();
                }
            });
        }
    });
    let store = FilePins::new(&path);
    assert_eq!(store.servers().unwrap().len(), 4);
    for id in store.servers().unwrap() {
        assert_eq!(store.load(&id).unwrap().pins().len(), 4);
    }
}
