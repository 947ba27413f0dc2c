use serde_json::json;

use super::*;

fn messages(package: &str, dependencies: &[&str]) -> Vec<String> {
    let dependencies: Vec<Value> = dependencies
        .iter()
        .map(|name| json!({ "name": name }))
        .collect();
    let metadata = json!({ "packages": [{ "name": package, "dependencies": dependencies }] });
    check(&metadata)
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

#[test]
fn accepts_the_edges_of_the_picture() {
    for (package, dependencies) in [
        ("eyes-evidence", &["serde", "sha2"][..]),
        (
            "eyes-router",
            &["eyes-evidence", "eyes-usage", "eyes-router", "reqwest"],
        ),
        (
            "eyes-local",
            &["eyes-evidence", "eyes-router", "rten", "rten-tensor"],
        ),
        ("eyes-desktop", &["eyes-evidence", "x11rb", "objc2-app-kit"]),
        ("eyes-cli", &["eyes-runtime", "eyes-evidence", "clap"]),
        ("eyes-tests", &["eyes-cli", "rmcp"]),
    ] {
        assert_eq!(messages(package, dependencies), [""; 0], "{package}");
    }
}

#[test]
fn refuses_edges_up_sideways_and_into_a_frontend() {
    for (package, dependency) in [
        ("eyes-evidence", "eyes-router"),
        ("eyes-browser", "eyes-desktop"),
        ("eyes-browser", "eyes-usage"),
        ("eyes-router", "eyes-local"),
        ("eyes-runtime", "eyes-cli"),
        ("eyes-cli", "eyes-node"),
        ("eyes-tests", "eyes-node"),
        ("xtask", "eyes-evidence"),
    ] {
        let found = messages(package, &[dependency]);
        assert_eq!(found.len(), 1, "{package} -> {dependency}");
        assert!(found[0].contains(dependency), "{}", found[0]);
    }
}

#[test]
fn refuses_outside_crates_out_of_their_room() {
    for (package, dependency) in [
        ("eyes-runtime", "rmcp"),
        ("eyes-cli", "napi"),
        ("eyes-router", "rten-tensor"),
        ("eyes-desktop", "fantoccini"),
        ("eyes-browser", "objc2-foundation"),
        ("eyes-evidence", "tokio"),
        ("eyes-local", "reqwest"),
        ("eyes-router", "clap"),
        ("eyes-usage", "chrono"),
        ("eyes-cli", "openssl"),
    ] {
        assert_eq!(
            messages(package, &[dependency]).len(),
            1,
            "{package} -> {dependency}"
        );
    }
}

#[test]
fn refuses_a_package_without_a_room() {
    assert!(messages("eyes-extra", &[])[0].contains("no room"));
}

#[test]
fn every_edge_of_the_table_points_down() {
    for (at, room) in ROOMS.iter().enumerate() {
        for used in room.may_use {
            let below = ROOMS.iter().position(|other| other.name == *used);
            assert!(
                below.is_some_and(|below| below < at),
                "{} -> {used}",
                room.name
            );
        }
    }
}
