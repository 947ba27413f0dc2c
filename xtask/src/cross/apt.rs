//! The compiler's sources from Debian, through a view of apt that leaves the machine's own alone.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::library::Missing;
use crate::{
    Failure, Workspace,
    process::{Program, is_installed},
};

/// Suites that carry newer compilers than the stable one, the steadier first.
const SUITES: [&str; 2] = ["trixie-backports", "sid"];

const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// Lays the sources' folder `library` into `folder`.
pub(super) fn fetch(workspace: &Workspace, release: &str, folder: &Path) -> Result<(), Missing> {
    let usable = is_installed("apt-get", Path::new("/usr/bin")) && Path::new(KEYRING).is_file();
    if !usable {
        return Err(Missing::NotOffered(format!(
            "this toolchain has no library for it, and the sources of rustc {release} can only be fetched on Debian; \
             `rustup target add` or `rustup component add rust-src` bring either"
        )));
    }
    let view = View::open(workspace, folder)?;
    view.apt("apt-get").args(&["-qq", "update"]).run()?;
    let offers = view
        .apt("apt-cache")
        .args(&["madison", "rust-src"])
        .capture()?;
    let Some(version) = pick(&offers, release) else {
        return Err(Missing::NotOffered(format!(
            "no suite of Debian offers rust-src {release} any more"
        )));
    };
    view.apt("apt-get")
        .args(&["-qq", "download", &format!("rust-src={version}")])
        .run()?;
    view.unpack(release)
}

/// A private set of apt's folders.
struct View<'a> {
    workspace: &'a Workspace,
    state: PathBuf,
    folder: &'a Path,
}

impl<'a> View<'a> {
    fn open(workspace: &'a Workspace, folder: &'a Path) -> Result<Self, Failure> {
        let state = folder.join("apt");
        let fault = |error: std::io::Error| {
            Failure::new(format!("cannot lay out `{}`: {error}", state.display()))
        };
        for inner in [
            "lists/partial",
            "cache/archives/partial",
            "parts",
            "download",
        ] {
            fs::create_dir_all(state.join(inner)).map_err(fault)?;
        }
        for empty in ["preferences", "status"] {
            fs::write(state.join(empty), "").map_err(fault)?;
        }
        let mirror = mirror().ok_or_else(|| Failure::new("apt names no Debian mirror"))?;
        let list = SUITES.map(|suite| format!("deb [signed-by={KEYRING}] {mirror} {suite} main\n"));
        fs::write(state.join("sources.list"), list.concat()).map_err(fault)?;
        Ok(Self {
            workspace,
            state,
            folder,
        })
    }

    fn apt(&self, name: &str) -> Program {
        let mut program = self
            .workspace
            .program(name)
            .directory(&self.state.join("download"));
        for (key, inner) in [
            ("Dir::Etc::sourcelist", "sources.list"),
            ("Dir::Etc::sourceparts", "parts"),
            ("Dir::Etc::preferences", "preferences"),
            ("Dir::Etc::preferencesparts", "parts"),
            ("Dir::State::lists", "lists"),
            ("Dir::State::status", "status"),
            ("Dir::Cache", "cache"),
        ] {
            program = program.args(&["-o", &format!("{key}={}", self.state.join(inner).display())]);
        }
        let user = env::var("USER").unwrap_or_else(|_| "root".to_owned());
        program.args(&[
            "-o",
            &format!("APT::Sandbox::User={user}"),
            "-o",
            "Acquire::Languages=none",
        ])
    }

    /// Takes the folder `library` out of the package and drops the rest.
    fn unpack(&self, release: &str) -> Result<(), Missing> {
        let download = self.state.join("download");
        let fault =
            |error: std::io::Error| Failure::new(format!("cannot unpack rust-src: {error}"));
        let package = fs::read_dir(&download)
            .map_err(fault)?
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.extension().is_some_and(|last| last == "deb"))
            .ok_or_else(|| Failure::new("apt-get downloaded no package"))?;
        let unpacked = self.state.join("unpacked");
        let paths = (
            package.display().to_string(),
            unpacked.display().to_string(),
        );
        self.workspace
            .program("dpkg-deb")
            .args(&["--extract", &paths.0, &paths.1])
            .run()?;
        let library = unpacked.join(format!("usr/src/rustc-{release}/library"));
        fs::rename(&library, self.folder.join("library")).map_err(fault)?;
        fs::remove_dir_all(&self.state).map_err(fault)?;
        Ok(())
    }
}

/// Returns the mirror that this machine uses for Debian itself.
fn mirror() -> Option<String> {
    let mut texts = Vec::new();
    for path in [
        "/etc/apt/sources.list.d/debian.sources",
        "/etc/apt/sources.list",
    ] {
        texts.extend(fs::read_to_string(path));
    }
    texts.iter().find_map(|text| first_mirror(text))
}

/// Reads the first address out of either form of apt's source lists.
fn first_mirror(text: &str) -> Option<String> {
    let mut words = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            match words.next()? {
                "URIs:" => words.next(),
                "deb" => words.find(|word| word.contains("://")),
                _ => None,
            }
        });
    words.next().map(str::to_owned)
}

/// Returns the first offered version that is exactly this release, as Debian repacks it.
fn pick(offers: &str, release: &str) -> Option<String> {
    let start = format!("{release}+");
    offers
        .lines()
        .filter_map(|line| line.split('|').nth(1))
        .map(str::trim)
        .find(|version| version.starts_with(&start))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_exactly_this_release() {
        let offers = "  rust-src | 1.97.1+dfsg1-1 | x sid/main\n  rust-src | 1.95.0+dfsg1-2~bpo13+1 | x bpo/main\n";
        assert_eq!(
            pick(offers, "1.95.0").as_deref(),
            Some("1.95.0+dfsg1-2~bpo13+1")
        );
        assert_eq!(pick(offers, "1.95"), None);
        assert_eq!(pick(offers, "1.96.0"), None);
    }

    #[test]
    fn reads_both_forms_of_source_lists() {
        let new = "Types: deb\n# URIs: x://old\nURIs: http://mirror.example/debian\nSuites: a\n";
        let old = "# deb x://old a main\ndeb [arch=amd64] http://mirror.example/debian a main\n";
        for text in [new, old] {
            assert_eq!(
                first_mirror(text).as_deref(),
                Some("http://mirror.example/debian")
            );
        }
        assert_eq!(first_mirror(""), None);
    }
}
