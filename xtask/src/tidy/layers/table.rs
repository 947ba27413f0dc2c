//! The tables themselves; docs/architecture.md draws the same picture.

/// A package of the workspace and the packages of the workspace it may use.
pub(super) struct Room {
    pub(super) name: &'static str,
    pub(super) may_use: &'static [&'static str],
}

const SUBSYSTEMS: &[&str] = &[
    "eyes-evidence",
    "eyes-system",
    "eyes-usage",
    "eyes-router",
    "eyes-local",
    "eyes-browser",
    "eyes-desktop",
    "eyes-mcp",
];

const FRONTEND: &[&str] = &[
    "eyes-evidence",
    "eyes-system",
    "eyes-usage",
    "eyes-router",
    "eyes-local",
    "eyes-browser",
    "eyes-desktop",
    "eyes-mcp",
    "eyes-runtime",
];

const TESTS: &[&str] = &[
    "eyes-evidence",
    "eyes-system",
    "eyes-usage",
    "eyes-router",
    "eyes-local",
    "eyes-browser",
    "eyes-desktop",
    "eyes-mcp",
    "eyes-runtime",
    "eyes-cli",
];

/// Every room of the house, from the ground up; development dependencies obey it as well.
pub(super) const ROOMS: &[Room] = &[
    Room {
        name: "eyes-evidence",
        may_use: &[],
    },
    Room {
        name: "eyes-usage",
        may_use: &["eyes-evidence"],
    },
    Room {
        name: "eyes-system",
        may_use: &["eyes-evidence"],
    },
    Room {
        name: "eyes-router",
        may_use: &["eyes-evidence", "eyes-usage"],
    },
    Room {
        name: "eyes-local",
        may_use: &["eyes-evidence", "eyes-router"],
    },
    Room {
        name: "eyes-browser",
        may_use: &["eyes-evidence", "eyes-system"],
    },
    Room {
        name: "eyes-desktop",
        may_use: &["eyes-evidence", "eyes-system"],
    },
    Room {
        name: "eyes-mcp",
        may_use: &["eyes-evidence", "eyes-system", "eyes-usage"],
    },
    Room {
        name: "eyes-runtime",
        may_use: SUBSYSTEMS,
    },
    Room {
        name: "eyes-cli",
        may_use: FRONTEND,
    },
    Room {
        name: "eyes-node",
        may_use: FRONTEND,
    },
    Room {
        name: "eyes-tests",
        may_use: TESTS,
    },
    Room {
        name: "xtask",
        may_use: &[],
    },
];

/// Outside crates that only some rooms may name in their manifests.
pub(super) struct Wrapped {
    /// Names; a `*` at the end stands for any rest.
    pub(super) crates: &'static [&'static str],
    pub(super) rooms: &'static [&'static str],
    pub(super) reason: &'static str,
}

/// What stays in which room.
///
/// The package of integration tests may bring what it needs to play the other side (a server, a peer).
pub(super) const WRAPPED: &[Wrapped] = &[
    Wrapped {
        crates: &["rmcp", "rmcp-macros"],
        rooms: &["eyes-mcp", "eyes-tests"],
        reason: "rmcp types do not leave their adapter",
    },
    Wrapped {
        crates: &["napi", "napi-derive", "napi-build", "napi-sys"],
        rooms: &["eyes-node"],
        reason: "napi types do not leave the addon",
    },
    Wrapped {
        crates: &["rten", "rten-*", "ocrs"],
        rooms: &["eyes-local"],
        reason: "the inference engine is the embedded reader's",
    },
    Wrapped {
        crates: &[
            "fantoccini",
            "thirtyfour",
            "chromiumoxide",
            "headless_chrome",
            "tokio-tungstenite",
        ],
        rooms: &["eyes-browser"],
        reason: "WebDriver and CDP types do not leave their adapter",
    },
    Wrapped {
        crates: &[
            "x11rb",
            "atspi",
            "atspi-*",
            "zbus",
            "ashpd",
            "windows",
            "windows-core",
            "uiautomation",
            "objc2",
            "objc2-*",
            "accessibility-sys",
            "core-graphics",
            "core-foundation",
            "enigo",
            "xcap",
            "arboard",
        ],
        rooms: &["eyes-desktop"],
        reason: "OS types do not leave eyes-desktop's platform folder",
    },
    Wrapped {
        crates: &[
            "reqwest",
            "hyper",
            "hyper-util",
            "ureq",
            "rustls",
            "native-tls",
        ],
        rooms: &["eyes-router", "eyes-mcp", "eyes-runtime", "eyes-tests"],
        reason: "the network belongs to adapters",
    },
    Wrapped {
        crates: &["tokio", "tokio-*", "async-std", "smol"],
        rooms: &[
            "eyes-router",
            "eyes-browser",
            "eyes-desktop",
            "eyes-mcp",
            "eyes-system",
            "eyes-runtime",
            "eyes-cli",
            "eyes-node",
            "eyes-tests",
        ],
        reason: "eyes-evidence, eyes-usage and eyes-local have no async runtime",
    },
    Wrapped {
        crates: &["clap", "clap_*"],
        rooms: &["eyes-cli"],
        reason: "arguments are the command line's",
    },
    Wrapped {
        crates: &["chrono", "time", "jiff"],
        rooms: &["eyes-runtime", "eyes-cli", "eyes-node", "eyes-tests"],
        reason: "subsystems are given the time",
    },
    Wrapped {
        crates: &["openssl", "openssl-sys", "dirs", "dirs-sys", "home"],
        rooms: &[],
        reason: "system TLS does not cross-compile, and eyes-runtime finds the home directory itself",
    },
];
