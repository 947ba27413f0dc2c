//! Finding a program by its name.
//!
//! Node's and Python's launchers (`npx`, `npm`, `uvx`) are `.cmd` files on Windows, which the system's own search
//! does not find by their bare names. What is found is started by the standard library, which runs `.cmd` and
//! `.bat` files through `cmd.exe` with its own quoting and refuses arguments that cannot be quoted safely.

use std::path::{Path, PathBuf};

use super::Variables;

/// What Windows tries where `PATHEXT` is not set.
const USUAL_EXTENSIONS: &str = ".COM;.EXE;.BAT;.CMD";

/// Where to look.
#[derive(Debug, Clone)]
pub struct Search<'a> {
    /// The directories of `PATH`, in order; relative ones would run what a project brings along and are skipped.
    pub directories: Vec<PathBuf>,
    /// The extensions of programs with their dots; empty where the system knows none.
    pub extensions: Vec<String>,
    /// Where the program runs: relative paths start there.
    pub base: Option<&'a Path>,
}

impl<'a> Search<'a> {
    /// Looks where `environment` says (`PATH`, and on Windows `PATHEXT`); relative paths start at `base`.
    pub fn of(environment: &Variables, base: Option<&'a Path>) -> Self {
        Self {
            directories: environment
                .get("PATH")
                .map(|path| std::env::split_paths(path).collect())
                .unwrap_or_default(),
            extensions: if cfg!(windows) {
                extensions(environment.get("PATHEXT").and_then(|text| text.to_str()))
            } else {
                Vec::new()
            },
            base,
        }
    }

    /// Finds the program: a path as it is, a name in the directories.
    pub fn find(&self, command: &str, is_program: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
        let is_path =
            command.contains('/') || !self.extensions.is_empty() && command.contains(['\\', ':']);
        if command.is_empty() {
            return None;
        }
        if is_path {
            let path = self
                .base
                .map_or_else(|| PathBuf::from(command), |base| base.join(command));
            return self
                .spellings(&path)
                .into_iter()
                .find(|path| is_program(path));
        }
        self.directories
            .iter()
            .filter(|directory| directory.is_absolute())
            .flat_map(|directory| self.spellings(&directory.join(command)))
            .find(|path| is_program(path))
    }

    /// The names under which a program may be there, the first one first.
    ///
    /// With extensions a file without one is no program: beside `npx.cmd` lies a shell script `npx`.
    fn spellings(&self, path: &Path) -> Vec<PathBuf> {
        if self.extensions.is_empty() {
            return vec![path.to_owned()];
        }
        let name = path.to_string_lossy().to_ascii_lowercase();
        let complete = self
            .extensions
            .iter()
            .any(|extension| name.ends_with(&extension.to_ascii_lowercase()))
            .then(|| path.to_owned());
        complete
            .into_iter()
            .chain(self.extensions.iter().map(|extension| {
                let mut longer = path.as_os_str().to_owned();
                longer.push(extension.to_ascii_lowercase());
                longer.into()
            }))
            .collect()
    }
}

/// Reads `PATHEXT`.
pub fn extensions(variable: Option<&str>) -> Vec<String> {
    let read = |text: &str| -> Vec<String> {
        text.split(';')
            .map(str::trim)
            .filter(|extension| extension.len() > 1 && extension.starts_with('.'))
            .map(str::to_owned)
            .collect()
    };
    let extensions = read(variable.unwrap_or_default());
    if extensions.is_empty() {
        read(USUAL_EXTENSIONS)
    } else {
        extensions
    }
}

/// Whether a file can be run.
#[cfg(unix)]
pub fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Whether a file can be run.
#[cfg(not(unix))]
pub fn is_program(path: &Path) -> bool {
    path.is_file()
}
