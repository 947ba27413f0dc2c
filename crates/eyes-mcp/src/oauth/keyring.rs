//! Logins in the system's keyring: Secret Service, Windows Credential Manager, macOS Keychain.

use std::{fmt, sync::Arc};

use eyes_evidence::digest::Sha256Digest;
use serde::{Deserialize, Serialize};

use super::store::{StoredLogin, TokenStore};
use crate::{
    codes,
    error::McpError,
    limits::{MAX_KEYRING_ENTRIES, MAX_KEYRING_ENTRY_BYTES},
    ports::BoxFuture,
};

/// The entries of a keyring; every call may block.
pub trait KeyringEntries: fmt::Debug + Send + Sync + 'static {
    /// Reads an entry; nothing where there is none.
    ///
    /// Errors: `MCP_OAUTH_STORE_FAILED`, `MCP_OAUTH_STORE_UNAVAILABLE`.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, McpError>;

    /// Writes an entry of at most [`MAX_KEYRING_ENTRY_BYTES`].
    ///
    /// Errors: `MCP_OAUTH_STORE_FAILED`, `MCP_OAUTH_STORE_UNAVAILABLE`.
    fn set(&self, name: &str, value: &[u8]) -> Result<(), McpError>;

    /// Takes an entry away, if it is there.
    ///
    /// Errors: `MCP_OAUTH_STORE_FAILED`, `MCP_OAUTH_STORE_UNAVAILABLE`.
    fn delete(&self, name: &str) -> Result<(), McpError>;
}

/// Keeps logins in a keyring.
///
/// Entries of a keyring are small, tokens may not be: a login is written in pieces under new names, then the entry
/// that names them, so that the login before stays until the new one is whole.
#[derive(Debug)]
pub struct KeyringTokens {
    entries: Arc<dyn KeyringEntries>,
}

/// The entry that names the pieces of a login.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// Which of the two sets of names the pieces have.
    set: u8,
    pieces: usize,
    sha256: String,
}

impl KeyringTokens {
    /// Keeps logins in these entries.
    pub fn new(entries: Arc<dyn KeyringEntries>) -> Self {
        Self { entries }
    }

    /// Keyrings wait for their service, and for people who unlock them: never on a thread of the runtime.
    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn KeyringEntries) -> Result<T, McpError> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, McpError>> {
        let entries = Arc::clone(&self.entries);
        Box::pin(async move {
            let work = tokio::task::spawn_blocking(move || work(entries.as_ref()));
            work.await
                .unwrap_or_else(|_| Err(failed("the keyring's work was ended early")))
        })
    }
}

impl TokenStore for KeyringTokens {
    fn load<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<StoredLogin>, McpError>> {
        let name = name.to_owned();
        self.run(move |entries| {
            let Some(head) = read_head(entries, &name)? else {
                return Ok(None);
            };
            let mut text = Vec::new();
            for piece in 0..head.pieces {
                let Some(bytes) = entries.get(&piece_name(&name, head.set, piece))? else {
                    return Ok(None);
                };
                text.extend(bytes);
            }
            if Sha256Digest::of(&text).to_string() != head.sha256 {
                return Ok(None);
            }
            let login: Option<StoredLogin> = serde_json::from_slice(&text).ok();
            Ok(login.filter(|login| login.version == StoredLogin::VERSION))
        })
    }

    fn save<'a>(
        &'a self,
        name: &'a str,
        login: &'a StoredLogin,
    ) -> BoxFuture<'a, Result<(), McpError>> {
        let name = name.to_owned();
        let text = serde_json::to_vec(login);
        self.run(move |entries| {
            let text = text.map_err(|_| failed("the login cannot be written"))?;
            let pieces = text.chunks(MAX_KEYRING_ENTRY_BYTES);
            if pieces.len() > MAX_KEYRING_ENTRIES {
                let most = MAX_KEYRING_ENTRIES * MAX_KEYRING_ENTRY_BYTES;
                return Err(failed(&format!("the login has more than {most} bytes")));
            }
            let before = read_head(entries, &name)?;
            let head = Head {
                set: before.as_ref().map_or(0, |head| 1 - head.set.min(1)),
                pieces: pieces.len(),
                sha256: Sha256Digest::of(&text).to_string(),
            };
            for (index, piece) in pieces.enumerate() {
                entries.set(&piece_name(&name, head.set, index), piece)?;
            }
            let line = serde_json::to_vec(&head);
            entries.set(
                &name,
                &line.map_err(|_| failed("the entry cannot be written"))?,
            )?;
            remove_pieces(entries, &name, before.as_ref())
        })
    }

    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), McpError>> {
        let name = name.to_owned();
        self.run(move |entries| {
            let head = read_head(entries, &name)?;
            entries.delete(&name)?;
            remove_pieces(entries, &name, head.as_ref())
        })
    }
}

/// Reads the entry that names the pieces; one that is none counts as absent.
fn read_head(entries: &dyn KeyringEntries, name: &str) -> Result<Option<Head>, McpError> {
    let head: Option<Head> = entries
        .get(name)?
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok(head.filter(|head| head.pieces <= MAX_KEYRING_ENTRIES))
}

fn remove_pieces(
    entries: &dyn KeyringEntries,
    name: &str,
    head: Option<&Head>,
) -> Result<(), McpError> {
    let pieces = head.map_or(0, |head| head.pieces);
    let set = head.map_or(0, |head| head.set);
    (0..pieces).try_for_each(|piece| entries.delete(&piece_name(name, set, piece)))
}

fn piece_name(name: &str, set: u8, piece: usize) -> String {
    format!("{name}/{set}/{piece}")
}

fn failed(message: &str) -> McpError {
    McpError::new(codes::MCP_OAUTH_STORE_FAILED, message)
}

/// The keyring of the system.
#[cfg(feature = "keyring")]
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemKeyring;

#[cfg(feature = "keyring")]
mod system {
    use keyring::{Entry, Error};

    use super::{KeyringEntries, McpError, SystemKeyring, codes, failed};

    /// The name of this software in the keyring.
    const SERVICE: &str = "DeepSeekEyes";

    fn entry(name: &str) -> Result<Entry, McpError> {
        Entry::new(SERVICE, name).map_err(|error| fault(&error))
    }

    /// Tells what went wrong without the entry's bytes, which some of these errors carry.
    fn fault(error: &Error) -> McpError {
        let what = match error {
            Error::NoDefaultStore | Error::NotSupportedByStore(_) => {
                return McpError::new(
                    codes::MCP_OAUTH_STORE_UNAVAILABLE,
                    "no keyring of the system answers",
                );
            }
            Error::NoStorageAccess(_) => "it is locked",
            Error::TooLong(..) => "an entry is too long for it",
            _ => "it refused",
        };
        failed(&format!("the keyring cannot be used: {what}"))
    }

    impl KeyringEntries for SystemKeyring {
        fn get(&self, name: &str) -> Result<Option<Vec<u8>>, McpError> {
            match entry(name)?.get_secret() {
                Ok(value) => Ok(Some(value)),
                Err(Error::NoEntry) => Ok(None),
                Err(error) => Err(fault(&error)),
            }
        }

        fn set(&self, name: &str, value: &[u8]) -> Result<(), McpError> {
            entry(name)?
                .set_secret(value)
                .map_err(|error| fault(&error))
        }

        fn delete(&self, name: &str) -> Result<(), McpError> {
            match entry(name)?.delete_credential() {
                Ok(()) | Err(Error::NoEntry) => Ok(()),
                Err(error) => Err(fault(&error)),
            }
        }
    }
}
