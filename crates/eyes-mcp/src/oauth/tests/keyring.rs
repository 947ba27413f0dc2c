use serde_json::json;

use super::*;
use crate::{
    codes::MCP_OAUTH_STORE_FAILED,
    limits::MAX_KEYRING_ENTRY_BYTES,
    oauth::{KeyringEntries, KeyringTokens, StoredLogin, TokenStore as _},
};

#[derive(Debug, Default)]
struct Drawer {
    entries: Mutex<BTreeMap<String, Vec<u8>>>,
    /// Writes that are let through yet.
    writes: AtomicU64,
}

impl KeyringEntries for Drawer {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, McpError> {
        Ok(self.entries.lock().unwrap().get(name).cloned())
    }

    fn set(&self, name: &str, value: &[u8]) -> Result<(), McpError> {
        assert!(value.len() <= MAX_KEYRING_ENTRY_BYTES);
        let left = self.writes.load(Ordering::Relaxed);
        if left == 0 {
            return Err(McpError::new(MCP_OAUTH_STORE_FAILED, "locked"));
        }
        self.writes.store(left - 1, Ordering::Relaxed);
        let mut entries = self.entries.lock().unwrap();
        entries.insert(name.to_owned(), value.to_vec());
        Ok(())
    }

    fn delete(&self, name: &str) -> Result<(), McpError> {
        self.entries.lock().unwrap().remove(name);
        Ok(())
    }
}

fn login(token: &str) -> StoredLogin {
    serde_json::from_value(json!({
        "version": 1, "issuer": null, "tokenEndpoint": "https://a.test/token",
        "resource": "https://h.test/mcp", "clientId": "c", "clientSecret": null,
        "secretInHeader": true, "accessToken": token, "refreshToken": null,
        "scope": null, "expiresAtMs": null, "lifetimeMs": null,
    }))
    .unwrap()
}

#[tokio::test]
async fn a_login_of_any_size_comes_back_and_leaves_nothing() {
    let drawer = Arc::new(Drawer::default());
    drawer.writes.store(u64::MAX, Ordering::Relaxed);
    let store = KeyringTokens::new(Arc::<Drawer>::clone(&drawer));
    assert_eq!(store.load("one").await.unwrap(), None);
    for size in [1, MAX_KEYRING_ENTRY_BYTES, 10_000, 20] {
        let login = login(&"a".repeat(size));
        store.save("one", &login).await.unwrap();
        assert_eq!(store.load("one").await.unwrap(), Some(login));
        assert_eq!(store.load("two").await.unwrap(), None);
    }
    assert_eq!(drawer.entries.lock().unwrap().len(), 2);
    store.remove("one").await.unwrap();
    store.remove("one").await.unwrap();
    assert_eq!(drawer.entries.lock().unwrap().len(), 0);
    let huge = login(&"a".repeat(100_000));
    let error = store.save("one", &huge).await.unwrap_err();
    assert_eq!(code(&error), "MCP_OAUTH_STORE_FAILED");
}

#[tokio::test]
async fn a_write_that_stops_half_way_keeps_the_login_before() {
    let first = login(&"a".repeat(10_000));
    let second = login(&"b".repeat(10_000));
    for writes in 0..6 {
        let drawer = Arc::new(Drawer::default());
        let store = KeyringTokens::new(Arc::<Drawer>::clone(&drawer));
        drawer.writes.store(u64::MAX, Ordering::Relaxed);
        store.save("one", &first).await.unwrap();
        drawer.writes.store(writes, Ordering::Relaxed);
        store.save("one", &second).await.unwrap_err();
        assert_eq!(
            store.load("one").await.unwrap().as_ref(),
            Some(&first),
            "{writes}"
        );
    }
}

#[tokio::test]
async fn entries_that_were_changed_are_no_login() {
    for (name, value) in [
        ("one", "x"),
        ("one", "{\"set\":0,\"pieces\":99,\"sha256\":\"\"}"),
        ("one/0/0", "{}"),
    ] {
        let drawer = Arc::new(Drawer::default());
        drawer.writes.store(u64::MAX, Ordering::Relaxed);
        let store = KeyringTokens::new(Arc::<Drawer>::clone(&drawer));
        store.save("one", &login("a")).await.unwrap();
        drawer.set(name, value.as_bytes()).unwrap();
        assert_eq!(store.load("one").await.unwrap(), None);
        store.save("one", &login("b")).await.unwrap();
        assert_eq!(store.load("one").await.unwrap(), Some(login("b")));
    }
}

#[cfg(feature = "keyring")]
#[test]
fn the_system_is_asked_or_says_that_it_is_not_there() {
    use crate::oauth::SystemKeyring;

    match crate::oauth::KeyringEntries::get(&SystemKeyring, "mcp/of-no-server/0") {
        Ok(found) => assert_eq!(found, None),
        Err(error) => assert!(code(&error).starts_with("MCP_OAUTH_STORE_"), "{error}"),
    }
}
