//! Finding the program that a server's settings name.
//!
//! Node's and Python's launchers (`npx`, `npm`, `uvx`) are `.cmd` files on Windows, which the system's own search
//! does not find by their bare names. What is found is started by the standard library, which runs `.cmd` and
//! `.bat` files through `cmd.exe` with its own quoting and refuses arguments that cannot be quoted safely.

use std::path::{Path, PathBuf};

/// What Windows tries where `PATHEXT` is not set.
const USUAL_EXTENSIONS: &str = ".COM;.EXE;.BAT;.CMD";

/// Where to look.
pub(super) struct Search<'a> {
    /// The directories of `PATH`, in order; relative ones would run what a project brings along and are skipped.
    pub(super) directories: Vec<PathBuf>,
    /// The extensions of programs with their dots; empty where the system knows none.
    pub(super) extensions: Vec<String>,
    /// Where the server runs: relative paths start there.
    pub(super) base: Option<&'a Path>,
}

impl Search<'_> {
    /// Finds the program: a path as it is, a name in the directories.
    pub(super) fn find(
        &self,
        command: &str,
        is_program: &dyn Fn(&Path) -> bool,
    ) -> Option<PathBuf> {
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
pub(super) fn extensions(variable: Option<&str>) -> Vec<String> {
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
pub(super) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

/// Whether a file can be run.
#[cfg(not(unix))]
pub(super) fn is_program(path: &Path) -> bool {
    path.is_file()
}
