//! Which compiler this is.

use std::path::PathBuf;

use crate::{Failure, Outcome, Workspace};

/// The facts that decide which standard library fits.
#[derive(Debug)]
pub(super) struct Compiler {
    /// Its release, such as `1.95.0`.
    pub(super) release: String,
    /// Its commit, shortened; two builds of one release differ in it.
    pub(super) commit: String,
    /// Where its own libraries lie.
    pub(super) sysroot: PathBuf,
}

impl Compiler {
    /// Asks `rustc`.
    pub(super) fn ask(workspace: &Workspace) -> Outcome<Self> {
        let version = workspace
            .program("rustc")
            .args(&["--version", "--verbose"])
            .capture()?;
        let sysroot = workspace
            .program("rustc")
            .args(&["--print", "sysroot"])
            .capture()?;
        Self::parse(&version, sysroot.trim())
    }

    fn parse(version: &str, sysroot: &str) -> Outcome<Self> {
        let field = |name: &str| {
            let value = version.lines().find_map(|line| line.strip_prefix(name));
            value.map(|value| value.trim().to_owned())
        };
        let release =
            field("release:").ok_or_else(|| Failure::new("`rustc -vV` names no release"))?;
        let commit = field("commit-hash:")
            .unwrap_or_default()
            .chars()
            .take(9)
            .collect();
        Ok(Self {
            release,
            commit,
            sysroot: PathBuf::from(sysroot),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_release_and_commit() {
        let text = "rustc 1.95.0 (59807616e)\ncommit-hash: 59807616e1fa25\nrelease: 1.95.0\nLLVM version: 22\n";
        let compiler = Compiler::parse(text, "/s").unwrap();
        assert_eq!(
            (compiler.release.as_str(), compiler.commit.as_str()),
            ("1.95.0", "59807616e")
        );
        assert!(Compiler::parse("", "/s").is_err());
    }
}
