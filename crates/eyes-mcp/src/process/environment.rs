//! The environment of a server: a few usual variables of ours, and what its settings refer to.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    fmt,
};

use eyes_evidence::redact::{redact, url_secrets};

/// What every POSIX program may expect: the six names that the protocol's own libraries hand on, then what
/// launchers such as `npx` and `uvx` read to find their caches, speak the user's language and write temporary
/// files, and where a company's own certificates are. Nothing here is a secret, and no socket of an agent.
const POSIX_NAMES: &[&str] = &[
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "USER", //
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_MONETARY",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "TMPDIR", //
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME", //
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// The same for Windows, where programs do not even start without some of them.
const WINDOWS_NAMES: &[&str] = &[
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "USERNAME",
    "USERPROFILE", //
    "ALLUSERSPROFILE",
    "COMMONPROGRAMFILES",
    "COMSPEC",
    "NUMBER_OF_PROCESSORS",
    "OS",
    "PATHEXT",
    "PROGRAMDATA",
    "PROGRAMFILES(X86)",
    "PUBLIC",
    "TMP",
    "USERDOMAIN",
    "WINDIR", //
    "LANG",
    "TZ",
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
];

/// Proxies: without them nothing is downloaded behind one; with a password in one the variable is left out, and
/// the settings can name it where the server may know it.
const PROXY_NAMES: &[&str] = &[
    "ALL_PROXY",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "all_proxy",
    "https_proxy",
    "http_proxy",
    "no_proxy",
];

/// The variables of the host that servers may get.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HostEnvironment {
    usual: BTreeMap<OsString, OsString>,
}

impl fmt::Debug for HostEnvironment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.usual.keys()).finish()
    }
}

impl HostEnvironment {
    /// Takes the usual variables of this process, as starting any program does.
    pub fn of_this_process() -> Self {
        Self::from_variables(std::env::vars_os())
    }

    /// Takes the usual ones of `variables`; the others are left out.
    ///
    /// Left out too are empty ones, functions of a shell (`() {`), and proxies with a credential.
    pub fn from_variables(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self::select(variables, cfg!(windows))
    }

    pub(super) fn select(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        windows: bool,
    ) -> Self {
        let names = if windows { WINDOWS_NAMES } else { POSIX_NAMES };
        let usual = variables
            .into_iter()
            .filter(|(name, value)| {
                let known = |names: &[&str]| {
                    names.iter().any(|known| {
                        if windows {
                            name.eq_ignore_ascii_case(known)
                        } else {
                            name == known
                        }
                    })
                };
                let text = value.to_string_lossy();
                !text.is_empty()
                    && !text.starts_with("()")
                    && (known(names) || known(PROXY_NAMES) && is_open(&text))
            })
            .collect();
        Self { usual }
    }

    /// Returns the whole environment of a server: these, and over them its own.
    pub(super) fn with<'a>(&self, own: impl Iterator<Item = (&'a str, &'a str)>) -> Environment {
        let mut variables = self.usual.clone();
        for (name, value) in own {
            if cfg!(windows) {
                variables.retain(|known, _| !known.eq_ignore_ascii_case(name));
            }
            variables.insert(name.into(), value.into());
        }
        Environment { variables }
    }
}

/// Whether the address of a proxy holds no credential.
fn is_open(value: &str) -> bool {
    url_secrets(value).is_empty() && !value.contains('@') && redact(value) == value
}

/// The environment of one server.
pub(super) struct Environment {
    /// Every variable it gets.
    pub(super) variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// Returns a variable; on Windows in any case.
    pub(super) fn get(&self, name: &str) -> Option<&OsStr> {
        if cfg!(windows) {
            self.variables
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, value)| value.as_os_str())
        } else {
            self.variables
                .get(OsStr::new(name))
                .map(OsString::as_os_str)
        }
    }
}
