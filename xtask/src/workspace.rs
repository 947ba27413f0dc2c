//! Where things are.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{Failure, Outcome, process::Program};

/// The checkout and its build directory.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// Finds the checkout that this program was built from.
    pub(crate) fn locate() -> Outcome<Self> {
        let manifest = env::var("CARGO_MANIFEST_DIR")
            .unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
        let root = Path::new(&manifest)
            .parent()
            .ok_or_else(|| Failure::new(format!("`{manifest}` has no parent folder")))?
            .to_owned();
        let target = env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |set| root.join(set));
        Ok(Self { root, target })
    }

    /// Returns the top folder of the checkout.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the build directory; everything the tasks cache lies below it.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the folder with the programs that `.ci/run` brings.
    pub(crate) fn tools(&self) -> PathBuf {
        self.root.join("target/tools/bin")
    }

    /// Returns a program that runs in the top folder and finds the tools of [`Self::tools`] first.
    pub(crate) fn program(&self, name: &str) -> Program {
        let mut paths = vec![self.tools()];
        paths.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
        let program = Program::new(name).directory(&self.root);
        match env::join_paths(paths) {
            Ok(path) => program.env("PATH", path),
            Err(_) => program,
        }
    }

    /// Returns cargo with these arguments.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Program {
        let name = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        self.program(&name).args(arguments)
    }

    /// Reads a committed text file.
    pub(crate) fn read(&self, path: &str) -> Outcome<String> {
        fs::read_to_string(self.root.join(path))
            .map_err(|error| Failure::new(format!("cannot read `{path}`: {error}")))
    }

    /// Writes a committed text file, with its folder.
    pub(crate) fn write(&self, path: &str, text: &str) -> Outcome {
        let full = self.root.join(path);
        let made = full.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&full, text))
            .map_err(|error| Failure::new(format!("cannot write `{path}`: {error}")))
    }

    /// Returns whether a path of the checkout exists.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// Returns what cargo knows of the workspace's own packages.
    pub(crate) fn metadata(&self) -> Outcome<Value> {
        let text = self
            .cargo(&[
                "metadata",
                "--no-deps",
                "--offline",
                "--format-version",
                "1",
            ])
            .capture()?;
        serde_json::from_str(&text)
            .map_err(|error| Failure::new(format!("`cargo metadata` printed no JSON: {error}")))
    }

    /// Returns the packages below `crates/`, name and version, in order of name.
    pub(crate) fn crates(&self) -> Outcome<Vec<Package>> {
        let mut found: Vec<Package> = packages(&self.metadata()?)
            .into_iter()
            .filter(|package| self.has(&format!("crates/{}/Cargo.toml", package.name)))
            .collect();
        found.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(found)
    }
}

/// A package of the workspace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name, which is its folder's name too.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
}

/// Reads name and version of each package out of `cargo metadata`.
pub(crate) fn packages(metadata: &Value) -> Vec<Package> {
    let list = metadata["packages"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    list.iter()
        .filter_map(|package| {
            Some(Package {
                name: package["name"].as_str()?.to_owned(),
                version: package["version"].as_str()?.to_owned(),
            })
        })
        .collect()
}
