//! What an action may take from this machine: listed variables, and files of listed folders.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use eyes_browser::{
    ports::{SecretSource, UploadRule},
    secret::Secret,
};

use crate::environment::Environment;

/// Variables that the settings list, and no others.
#[derive(Debug)]
pub(super) struct ListedVariables {
    names: BTreeSet<String>,
    environment: Environment,
}

impl ListedVariables {
    pub(super) fn new(names: &[String], environment: Environment) -> Self {
        Self {
            names: names.iter().cloned().collect(),
            environment,
        }
    }
}

impl SecretSource for ListedVariables {
    fn secret(&self, name: &str) -> Option<Secret> {
        let listed = self.names.get(name)?;
        let value = self.environment.get(listed)?.to_str()?;
        Some(Secret::new(value))
    }
}

/// Files in folders that the settings list, with links resolved.
#[derive(Debug)]
pub(super) struct UploadDirs(Vec<PathBuf>);

impl UploadDirs {
    pub(super) fn new(dirs: &[PathBuf]) -> Self {
        Self(dirs.to_vec())
    }
}

impl UploadRule for UploadDirs {
    fn admit(&self, path: &Path) -> Result<PathBuf, String> {
        if self.0.is_empty() {
            return Err("no folder is listed in browserUploadDirs".to_owned());
        }
        let file = path
            .canonicalize()
            .map_err(|error| format!("{} cannot be opened: {error}", path.display()))?;
        if !file.is_file() {
            return Err(format!("{} is no file", path.display()));
        }
        let is_listed = self
            .0
            .iter()
            .filter_map(|dir| dir.canonicalize().ok())
            .any(|dir| file.starts_with(dir));
        if is_listed {
            Ok(file)
        } else {
            Err(format!(
                "{} is in no folder that browserUploadDirs lists",
                path.display()
            ))
        }
    }
}
