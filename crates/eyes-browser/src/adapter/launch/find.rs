//! Where browsers are installed.

use std::path::{Path, PathBuf};

use eyes_system::process::{Search, Variables};
use serde::{Deserialize, Serialize};

/// A product of the Chromium family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Google Chrome.
    Chrome,
    /// Chromium.
    Chromium,
    /// Microsoft Edge.
    Edge,
    /// Brave.
    Brave,
}

/// A family of operating systems, as far as places of programs differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Os {
    /// Linux and the BSDs.
    Linux,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

impl Os {
    /// Returns the one that this program was built for.
    pub const fn this() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Mac
        } else {
            Self::Linux
        }
    }
}

/// A program that may be there: a path, or a name to look for in `PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Which product it would be.
    pub channel: Channel,
    /// A path or a name.
    pub program: String,
}

const LINUX: &[(Channel, &str)] = &[
    (Channel::Chrome, "google-chrome-stable"),
    (Channel::Chrome, "google-chrome"),
    (Channel::Chrome, "/opt/google/chrome/chrome"),
    (Channel::Chromium, "chromium"),
    (Channel::Chromium, "chromium-browser"),
    (Channel::Chromium, "/usr/lib/chromium/chromium"),
    (Channel::Chromium, "/snap/bin/chromium"),
    (Channel::Edge, "microsoft-edge-stable"),
    (Channel::Edge, "microsoft-edge"),
    (Channel::Edge, "/opt/microsoft/msedge/msedge"),
    (Channel::Brave, "brave-browser"),
    (Channel::Brave, "/opt/brave.com/brave/brave"),
];

/// Below `/Applications`, and below the same folder in the home directory.
const MAC: &[(Channel, &str)] = &[
    (
        Channel::Chrome,
        "Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    (Channel::Chromium, "Chromium.app/Contents/MacOS/Chromium"),
    (
        Channel::Edge,
        "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ),
    (
        Channel::Brave,
        "Brave Browser.app/Contents/MacOS/Brave Browser",
    ),
];

/// Below the folders of [`WINDOWS_FOLDERS`].
const WINDOWS: &[(Channel, &str)] = &[
    (Channel::Chrome, r"Google\Chrome\Application\chrome.exe"),
    (Channel::Chromium, r"Chromium\Application\chrome.exe"),
    (Channel::Edge, r"Microsoft\Edge\Application\msedge.exe"),
    (
        Channel::Brave,
        r"BraveSoftware\Brave-Browser\Application\brave.exe",
    ),
];

/// Variables that name folders of programs: for everybody, for everybody on 32 bits, for one user.
const WINDOWS_FOLDERS: &[&str] = &["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"];

/// Lists what may be there, the first choice first; only of one product where a channel is given.
pub fn candidates(channel: Option<Channel>, os: Os, environment: &Variables) -> Vec<Candidate> {
    let variable = |name: &str| {
        environment
            .get(name)
            .map(|value| value.to_string_lossy().into_owned())
    };
    let below = |folders: Vec<String>, table: &[(Channel, &str)], separator: &str| {
        let mut all = Vec::new();
        for (channel, program) in table {
            for folder in &folders {
                all.push((*channel, format!("{folder}{separator}{program}")));
            }
        }
        all
    };
    let all = match os {
        Os::Linux => LINUX
            .iter()
            .map(|(channel, program)| (*channel, (*program).to_owned()))
            .collect(),
        Os::Mac => {
            let own = variable("HOME").map(|home| format!("{home}/Applications"));
            below(
                ["/Applications".to_owned()]
                    .into_iter()
                    .chain(own)
                    .collect(),
                MAC,
                "/",
            )
        }
        Os::Windows => below(
            WINDOWS_FOLDERS
                .iter()
                .filter_map(|name| variable(name))
                .collect(),
            WINDOWS,
            r"\",
        ),
    };
    all.into_iter()
        .filter(|(found, _)| channel.is_none_or(|wanted| wanted == *found))
        .map(|(channel, program)| Candidate { channel, program })
        .collect()
}

/// Finds the programs that are there; what was tried stands in the error.
pub(super) fn find(
    config: &super::LaunchConfig,
    is_program: &dyn Fn(&Path) -> bool,
) -> Result<Vec<PathBuf>, String> {
    let search = Search::of(&config.environment, None);
    if let Some(program) = &config.program {
        return search
            .find(&program.to_string_lossy(), is_program)
            .map(|found| vec![found])
            .ok_or_else(|| format!("{} is no program", program.display()));
    }
    let candidates = candidates(config.channel, Os::this(), &config.environment);
    let found: Vec<PathBuf> = candidates
        .iter()
        .filter_map(|candidate| search.find(&candidate.program, is_program))
        .collect();
    if found.is_empty() {
        let tried: Vec<&str> = candidates.iter().map(|c| c.program.as_str()).collect();
        return Err(format!("none of these is there: {}", tried.join(", ")));
    }
    Ok(found)
}
