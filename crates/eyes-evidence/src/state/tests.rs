//! Identity, freshness and deltas.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::limits::{MAX_DELTA_ENTRIES, MAX_DELTA_VALUE_CHARS};

fn line(surface: Surface) -> StateLine {
    StateLine::new(surface, RunId::new("run-1").unwrap())
}

fn items(value: serde_json::Value) -> Items {
    serde_json::from_value(value).unwrap()
}

#[test]
fn a_state_id_is_the_digest_of_its_parts() {
    let run = RunId::new("r").unwrap();
    let picture = Sha256Digest::of(b"png");
    let id = StateId::of(&run, 7, &picture, Place::Url("https://x/"));
    let digest = Sha256Digest::of(format!("r\x007\x00{picture}\x00https://x/").as_bytes());
    assert_eq!(id.to_string(), format!("browser-state:{digest}"));
    assert_eq!(id.to_string().parse(), Ok(id));
    assert_eq!(serde_json::from_value::<StateId>(json!(id)).unwrap(), id);
    let desktop = StateId::of(&run, 7, &picture, Place::Platform("linux"));
    assert!(desktop.to_string().starts_with("desktop-state:"));
    for bad in [
        "",
        "browser-state:",
        "browser-state:00",
        "state:00",
        &digest.to_string(),
    ] {
        assert_eq!(bad.parse::<StateId>(), Err(IdError::State));
    }
    for bad in ["", "a\0b", "a b", &"x".repeat(65)] {
        assert_eq!(RunId::new(bad), Err(IdError::Run));
    }
}

#[test]
fn only_the_newest_state_grounds_an_action() {
    for (surface, missing, stale) in [
        (
            Surface::Browser,
            "BROWSER_STATE_MISSING",
            "STALE_BROWSER_STATE",
        ),
        (
            Surface::Desktop,
            "DESKTOP_STATE_MISSING",
            "STALE_DESKTOP_STATE",
        ),
    ] {
        let picture = Sha256Digest::of(b"same picture");
        let mut line = line(surface);
        let other = StateId::of(&RunId::new("run-2").unwrap(), 1, &picture, Place::Url("x"));
        assert_eq!(line.check(&other).unwrap_err().code().as_str(), missing);
        let (first, old) = line.observe(&picture, "here");
        assert_eq!(line.check(&old).unwrap().sequence(), 1);
        let (second, new) = line.observe(&picture, "here");
        assert_eq!((first, second), (1, 2));
        assert_eq!(line.check(&new).unwrap().run().as_str(), "run-1");
        for given in [old, other] {
            let error = line.check(&given).unwrap_err();
            assert_eq!(error.code().as_str(), stale);
            assert_eq!(
                error,
                StateError::Stale {
                    surface,
                    received: given,
                    newest: new
                }
            );
        }
        assert_eq!(line.newest(), Some(new));
    }
}

#[test]
fn a_delta_names_fields_with_old_and_new_values() {
    let before = items(json!({
        "e1": {"name": "Save", "enabled": false, "x": 1},
        "e2": {"name": "Gone"},
        "e3": {"name": "Same"},
    }));
    let after = items(json!({
        "e1": {"name": "Save", "enabled": true, "value": "é".repeat(MAX_DELTA_VALUE_CHARS + 1)},
        "e3": {"name": "Same"},
        "e4": {"name": "New"},
    }));
    let delta = GroupDelta::between(&before, &after);
    let long = "é".repeat(MAX_DELTA_VALUE_CHARS) + "…";
    let expected = json!({
        "added": {"total": 1, "entries": ["e4"]},
        "removed": {"total": 1, "entries": ["e2"]},
        "changed": {"total": 1, "entries": [{"ref": "e1", "fields": [
            {"field": "enabled", "before": "false", "after": "true"},
            {"field": "value", "after": long},
            {"field": "x", "before": "1"},
        ]}]},
    });
    assert_eq!(json!(delta), expected);
    assert!(!delta.is_empty());
    assert!(GroupDelta::between(&after, &after).is_empty());
}

#[test]
fn a_delta_is_bounded_and_counts_the_rest() {
    let many: Items = (0..MAX_DELTA_ENTRIES + 5)
        .map(|at| (format!("e{at:04}"), std::collections::BTreeMap::new()))
        .collect();
    let delta = GroupDelta::between(&Items::new(), &many);
    assert_eq!(delta.added.total, MAX_DELTA_ENTRIES + 5);
    assert_eq!(delta.added.entries.len(), MAX_DELTA_ENTRIES);
}

#[test]
fn a_delta_reads_back() {
    let (_, from_state_id) = line(Surface::Browser).observe(&Sha256Digest::of(b""), "x");
    let same = StateDelta::Since {
        from_state_id,
        pixels_changed: false,
        scope_changed: false,
        groups: std::collections::BTreeMap::new(),
    };
    assert!(same.is_unchanged() && !StateDelta::Initial.is_unchanged());
    for delta in [StateDelta::Initial, same] {
        let text = serde_json::to_string(&delta).unwrap();
        assert_eq!(serde_json::from_str::<StateDelta>(&text).unwrap(), delta);
    }
}

proptest! {
    #[test]
    fn applying_a_delta_backwards_counts_the_same(
        before in prop::collection::btree_map("e[0-9]", prop::collection::btree_map("[a-c]", any::<bool>().prop_map(serde_json::Value::from), 0..3), 0..8),
        after in prop::collection::btree_map("e[0-9]", prop::collection::btree_map("[a-c]", any::<bool>().prop_map(serde_json::Value::from), 0..3), 0..8),
    ) {
        let (there, back) = (GroupDelta::between(&before, &after), GroupDelta::between(&after, &before));
        prop_assert_eq!(&there.added, &back.removed);
        prop_assert_eq!(&there.removed, &back.added);
        prop_assert_eq!(there.changed.total, back.changed.total);
        prop_assert_eq!(there.is_empty(), before == after);
        prop_assert_eq!(before.len() + there.added.total, after.len() + there.removed.total);
    }
}
