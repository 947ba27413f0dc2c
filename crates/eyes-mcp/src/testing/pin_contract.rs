//! What every store of pins does.

use std::sync::Arc;

use serde_json::json;

use super::fixture::{server, server_id, tool};
use crate::{
    catalog::CatalogTool,
    names::ServerId,
    pins::{ApprovedBy, PinError, PinState, PinStore, observe},
};

fn version(description: &str) -> Vec<Arc<CatalogTool>> {
    vec![tool(
        "one",
        json!({"name": "read", "description": description, "inputSchema": {"type": "object"}}),
    )]
}

/// Runs every check of the contract on stores that `empty` makes.
///
/// # Panics
///
/// When the store breaks the contract.
pub fn check<S: PinStore>(empty: impl Fn() -> S) {
    keeps_the_first_and_withdraws_a_change(&empty());
    keeps_servers_apart(&empty());
    changes_nothing_where_the_change_fails(&empty());
    loses_no_change_of_others(&empty());
    forgets(&empty());
}

fn keeps_the_first_and_withdraws_a_change(store: &dyn PinStore) {
    let settings = server("one");
    assert!(
        store
            .load(&settings.id)
            .expect("the store can be used")
            .pins()
            .is_empty()
    );
    let seen = observe(store, &settings, &version("a")).expect("the store can be used");
    assert!(seen.changed);
    assert_eq!(seen.state("read"), PinState::Approved);
    let pin = store
        .load(&settings.id)
        .expect("the store can be used")
        .pins()["read"]
        .clone();
    assert_eq!(pin.by, Some(ApprovedBy::FirstUse));

    assert!(
        !observe(store, &settings, &version("a"))
            .expect("the store can be used")
            .changed
    );
    let seen = observe(store, &settings, &version("b")).expect("the store can be used");
    assert_eq!(seen.state("read"), PinState::Changed);
    let seen = observe(store, &settings, &[]).expect("the store can be used");
    assert_eq!(seen.state("read"), PinState::Removed);
    // Going away and coming back approves nothing.
    let seen = observe(store, &settings, &version("b")).expect("the store can be used");
    assert_eq!(seen.state("read"), PinState::Changed);

    store
        .update(&settings.id, &mut |pins| pins.approve("read", None))
        .expect("the store can be used");
    let seen = observe(store, &settings, &version("b")).expect("the store can be used");
    assert_eq!(seen.state("read"), PinState::Approved);
    let pin = store
        .load(&settings.id)
        .expect("the store can be used")
        .pins()["read"]
        .clone();
    assert_eq!(pin.by, Some(ApprovedBy::Person));
}

fn keeps_servers_apart(store: &dyn PinStore) {
    observe(store, &server("one"), &version("a")).expect("the store can be used");
    observe(store, &server("two"), &[]).expect("the store can be used");
    assert!(
        store
            .load(&server_id("two"))
            .expect("the store can be used")
            .pins()
            .is_empty()
    );
    observe(store, &server("two"), &version("a")).expect("the store can be used");
    let ids: Vec<ServerId> = store.servers().expect("the store can be used");
    assert_eq!(ids, [server_id("one"), server_id("two")]);
}

fn changes_nothing_where_the_change_fails(store: &dyn PinStore) {
    observe(store, &server("one"), &version("a")).expect("the store can be used");
    let before = store
        .load(&server_id("one"))
        .expect("the store can be used");
    let failed = store.update(&server_id("one"), &mut |pins| {
        pins.observe(&[], |_| true);
        pins.approve("nobody", None)
    });
    assert!(matches!(failed, Err(PinError::Missing(name)) if name == "nobody"));
    assert_eq!(
        store
            .load(&server_id("one"))
            .expect("the store can be used"),
        before
    );
}

fn loses_no_change_of_others(store: &dyn PinStore) {
    let one = |name: String| {
        tool(
            "one",
            json!({"name": name, "inputSchema": {"type": "object"}}),
        )
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for turn in 0..4 {
                    store
                        .update(&server_id("one"), &mut |pins| {
                            let added = one(format!("tool-{thread}-{turn}"));
                            pins.observe(&[added], |_| true);
                            Ok(())
                        })
                        .expect("the store can be used");
                }
            });
        }
    });
    assert_eq!(
        store
            .load(&server_id("one"))
            .expect("the store can be used")
            .pins()
            .len(),
        16
    );
}

fn forgets(store: &dyn PinStore) {
    observe(store, &server("one"), &version("a")).expect("the store can be used");
    assert!(
        store
            .forget(&server_id("one"))
            .expect("the store can be used")
    );
    assert!(
        !store
            .forget(&server_id("one"))
            .expect("the store can be used")
    );
    assert!(
        store
            .load(&server_id("one"))
            .expect("the store can be used")
            .pins()
            .is_empty()
    );
}
