//! The table.

/// A kind of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DataKind {
    /// The evidence store.
    Evidence,
    /// The log of attempts.
    Attempts,
    /// Which routes failed lately.
    Health,
    /// The usage ledger.
    Usage,
    /// The key of markers.
    Markers,
    /// Installed weights.
    Models,
    /// Whole results of MCP servers.
    McpResults,
    /// Definitions of tools that were approved.
    McpPins,
    /// The log of calls of MCP servers.
    McpAudit,
    /// Runs of a browser.
    BrowserRuns,
    /// What a process left that died while it wrote.
    Temporary,
    /// The settings file.
    Settings,
    /// The table of prices.
    Prices,
    /// Results that a command was told to write.
    Results,
}

impl DataKind {
    /// Returns its name in output and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Evidence => "evidence",
            Self::Attempts => "attempts",
            Self::Health => "health",
            Self::Usage => "usage",
            Self::Markers => "markers",
            Self::Models => "models",
            Self::McpResults => "mcp-results",
            Self::McpPins => "mcp-pins",
            Self::McpAudit => "mcp-audit",
            Self::BrowserRuns => "browser-runs",
            Self::Temporary => "temporary",
            Self::Settings => "settings",
            Self::Prices => "prices",
            Self::Results => "results",
        }
    }

    /// Tells whether this software made it and may remove it.
    pub const fn is_erasable(self) -> bool {
        !matches!(self, Self::Settings | Self::Prices | Self::Results)
    }
}

/// One row: a kind of data and everything to know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retained {
    /// Which.
    pub kind: DataKind,
    /// Where it is unless the settings say otherwise; `DATA` stands for the directory for data.
    pub place: &'static str,
    /// Names of its files, and what each is.
    pub files: &'static [(&'static str, &'static str)],
    /// What is in it.
    pub holds: &'static str,
    /// For how long it is kept.
    pub kept: &'static str,
    /// The settings that move, bound or switch it off, by their paths in the settings file.
    pub settings: &'static [&'static str],
    /// How it is removed.
    pub removal: &'static str,
}

/// Every kind of data, in the order of [`DataKind`].
pub const RETAINED: &[Retained] = &[
    Retained {
        kind: DataKind::Evidence,
        place: "DATA/evidence/",
        files: &[
            (
                "packs/NUMBER.pack",
                "records, one pack for each time of writing",
            ),
            (
                "quarantine/NUMBER.pack[.N]",
                "packs that did not verify, set aside",
            ),
            ("store.json", "the version of the layout"),
            ("newest", "the number of the newest pack"),
            ("lock", "empty; writers take turns by it"),
        ],
        holds: "what models said of images: summaries, texts with their places, answers and the questions; digests, \
                sizes and names of the images, provider and model. No image",
        kept: "the newest records within store.maxRecords and store.maxBytes; packs that were set aside, until they are \
               removed",
        settings: &[
            "persistentEvidence",
            "cacheDir",
            "store.maxRecords",
            "store.maxBytes",
        ],
        removal: "eyes evidence prune, eyes data erase --evidence",
    },
    Retained {
        kind: DataKind::Attempts,
        place: "DATA/vision-attempts.jsonl",
        files: &[
            (
                "vision-attempts.jsonl",
                "the newest attempts, one line for each",
            ),
            ("vision-attempts.jsonl.N", "older attempts"),
            (
                "vision-attempts.jsonl.head",
                "where the chain of lines ends",
            ),
            (
                "vision-attempts.jsonl.lock",
                "empty; writers take turns by it",
            ),
        ],
        holds: "which model was asked when, for how long and with which outcome; digests of images and sessions. No \
                image, no text",
        kept: "at least visionAttemptLimit attempts and about twice as many at most; the oldest go first",
        settings: &[
            "visionAttemptLog",
            "visionAttemptLogPath",
            "visionAttemptLimit",
        ],
        removal: "eyes data erase --attempts",
    },
    Retained {
        kind: DataKind::Health,
        place: "DATA/route-health.json",
        files: &[
            ("route-health.json", "the table of routes"),
            (
                "route-health.json.damaged-TIME",
                "a table that could not be read, set aside",
            ),
        ],
        holds: "provider and model of routes that failed lately or passed the pixel probe, and when",
        kept: "a day after the last change of a route, 256 routes at most; a table that was set aside, until it is \
               removed",
        settings: &["persistentEvidence"],
        removal: "eyes data erase --health",
    },
    Retained {
        kind: DataKind::Usage,
        place: "DATA/usage.jsonl",
        files: &[
            ("usage.jsonl", "calls, tokens, counters and estimates"),
            ("usage.jsonl.lock", "empty; writers take turns by it"),
            (
                "usage.jsonl.next",
                "left by a process that died while it compacted",
            ),
            (
                "usage.jsonl.unreadable[.N]",
                "what stood there and was no ledger, set aside",
            ),
            (
                "usage.jsonl.newer[.N]",
                "a ledger of a newer version, set aside",
            ),
            (
                "usage.jsonl.damaged[.N]",
                "a copy of a ledger with unreadable lines",
            ),
        ],
        holds: "how many calls and tokens each provider and model used, by day and by session; digests of the sessions' \
                ids. No image, no text, no price",
        kept: "sums until they are reset: by day for 400 days, by session for the newest 50 sessions and more; files \
               that were set aside, until they are removed",
        settings: &["usageStats", "usageStatsPath"],
        removal: "eyes usage reset, eyes data erase --usage",
    },
    Retained {
        kind: DataKind::Markers,
        place: "DATA/marker.key",
        files: &[("marker.key", "the key")],
        holds: "a random secret that tells this installation's pointers to images from text that imitates them",
        kept: "until it is removed; pointers of older sessions are then plain text",
        settings: &[],
        removal: "eyes data erase --markers",
    },
    Retained {
        kind: DataKind::Models,
        place: "DATA/models/small/",
        files: &[
            (
                "ppocrv6_small_*",
                "weights and dictionary of the larger local eyes",
            ),
            (
                "ppocrv6_small_*.NUMBER.part",
                "left by a process that died while it installed",
            ),
        ],
        holds: "public weights that `eyes models install small` wrote; nothing of the user's",
        kept: "until it is removed",
        settings: &["local.tier"],
        removal: "eyes data erase --models",
    },
    Retained {
        kind: DataKind::McpResults,
        place: "DATA/mcp-artifacts/",
        files: &[
            (
                "objects/AA/SHA256",
                "one result, under the digest of its bytes",
            ),
            (
                "quarantine/SHA256.N",
                "results whose bytes no longer had their digest, set aside",
            ),
            (
                "objects/AA/.tmp-NUMBER-NUMBER",
                "left by a process that died while it wrote",
            ),
            ("lock", "empty; writers take turns by it"),
        ],
        holds: "what MCP servers answered where that was too long for a model or had more than text, pictures in it too",
        kept: "for mcpArtifactMaxAgeDays, the newest within mcpArtifactMaxItems and mcpArtifactMaxBytes; results that \
               were set aside, until they are removed",
        settings: &[
            "mcpArtifactDir",
            "mcpArtifactMaxAgeDays",
            "mcpArtifactMaxItems",
            "mcpArtifactMaxBytes",
        ],
        removal: "eyes data erase --mcp-results",
    },
    Retained {
        kind: DataKind::McpPins,
        place: "DATA/mcp-pins.json",
        files: &[
            ("mcp-pins.json", "the pins of every server"),
            ("mcp-pins.json.lock", "empty; writers take turns by it"),
            (
                "mcp-pins.json.unreadable[.N]",
                "a file that could not be understood, set aside",
            ),
        ],
        holds: "definitions of tools as MCP servers gave them and their digests, and which of them were approved. No \
                call, no result",
        kept: "until a server is forgotten or it is removed; every tool is new then",
        settings: &["mcpPinsPath"],
        removal: "eyes data erase --mcp-pins",
    },
    Retained {
        kind: DataKind::McpAudit,
        place: "DATA/mcp-audit.jsonl",
        files: &[
            ("mcp-audit.jsonl", "the newest events, one line for each"),
            ("mcp-audit.jsonl.N", "older events"),
            ("mcp-audit.jsonl.head", "where the chain of lines ends"),
            ("mcp-audit.jsonl.lock", "empty; writers take turns by it"),
        ],
        holds: "which tool of which MCP server was called or refused when, for how long and with which outcome; \
                connections and authorizations likewise; digests of arguments and results. No argument, no result, no \
                address of a resource",
        kept: "the newest 24 to 32 MiB; the oldest events go first",
        settings: &["mcpAudit", "mcpAuditPath"],
        removal: "eyes data erase --mcp-audit",
    },
    Retained {
        kind: DataKind::BrowserRuns,
        place: "DATA/browser-runs/",
        files: &[
            ("RUN/run.json", "when the run began, and with which browser"),
            (
                "RUN/steps.jsonl",
                "its steps, one line for each; typed texts and keys as digests",
            ),
            (
                "RUN/replay.jsonl",
                "what repeats it; typed texts stand in it, secrets by the names of variables",
            ),
            (
                "RUN/pictures/SHA256.png",
                "delivered pictures, secrets masked",
            ),
            (
                "RUN/originals/",
                "pictures and PDFs as they were taken, nothing masked",
            ),
            ("RUN/downloads/", "files that were downloaded"),
            ("RUN/NAME.json", "reports"),
        ],
        holds: "addresses, titles, actions and pictures of pages, and downloaded files",
        kept: "until it is removed. Profiles of browsers lie in DATA/browser-profiles/ while a browser runs; what a \
               killed process left there goes when the next browser is started",
        settings: &["browserArtifactsDir"],
        removal: "eyes data erase --browser-runs",
    },
    Retained {
        kind: DataKind::Temporary,
        place: "DATA/",
        files: &[
            (
                ".tmp-NUMBER-NUMBER",
                "left by a process that died while it wrote",
            ),
            (
                ".tmp-download-NUMBER/",
                "left by a process that died while it downloaded weights",
            ),
        ],
        holds: "part of what one of the rows above holds",
        kept: "while a file is written; what a process left that died, until it is removed",
        settings: &[],
        removal: "eyes data erase --temporary",
    },
    Retained {
        kind: DataKind::Settings,
        place: "the user's directory for settings, or --config, or EYES_CONFIG",
        files: &[("config.toml", "the settings, written by a person")],
        holds: "what the user configured; this program reads it and never writes it",
        kept: "as the user keeps it",
        settings: &[],
        removal: "by hand",
    },
    Retained {
        kind: DataKind::Prices,
        place: "wherever usagePrices says",
        files: &[("any name", "the prices, written by a person")],
        holds: "what models cost; this program reads it and never writes it",
        kept: "as the user keeps it",
        settings: &["usagePrices"],
        removal: "by hand",
    },
    Retained {
        kind: DataKind::Results,
        place: "the paths that a command names",
        files: &[
            (
                "any name",
                "what --html, --overlay, --out-dir and --out asked for",
            ),
            (
                "NAME.NUMBER.part",
                "left beside it by a process that died while it wrote",
            ),
        ],
        holds: "records, pages with their images, overlays, tables",
        kept: "as the user keeps it; this program does not remember where",
        settings: &[],
        removal: "by hand",
    },
];
