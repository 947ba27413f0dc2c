//! What the process was started with: environment variables, and the directories that follow from them.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The folder of this software below the user's directories.
const FOLDER: &str = "deepseekeyes";
/// The settings file's name.
const FILE: &str = "config.toml";

/// Which convention the user's directories follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Platform {
    /// XDG base directories.
    Unix,
    /// `~/Library`.
    Mac,
    /// `%APPDATA%` and `%LOCALAPPDATA%`.
    Windows,
}

impl Platform {
    /// The platform that this software was built for.
    pub const CURRENT: Self = if cfg!(windows) {
        Self::Windows
    } else if cfg!(target_os = "macos") {
        Self::Mac
    } else {
        Self::Unix
    };
}

/// Environment variables as they were when the program started.
///
/// Nothing below the frontends reads the process environment; they pass this value down.
#[derive(Clone)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    platform: Platform,
}

impl std::fmt::Debug for Environment {
    /// Prints names only: values may be secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}

impl Environment {
    /// Takes the variables of this process.
    pub fn from_process() -> Self {
        Self::new(std::env::vars_os(), Platform::CURRENT)
    }

    /// Takes variables.
    pub fn new(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        platform: Platform,
    ) -> Self {
        Self {
            variables: variables.into_iter().collect(),
            platform,
        }
    }

    /// Returns a variable; an empty one counts as not set.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.variables
            .get(OsStr::new(name))
            .map(OsString::as_os_str)
            .filter(|value| !value.is_empty())
    }

    /// Returns every variable.
    pub fn all(&self) -> impl Iterator<Item = (OsString, OsString)> {
        self.variables
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
    }

    /// Returns an absolute path from a variable; the XDG specification asks to ignore relative ones.
    fn directory(&self, name: &str) -> Option<&Path> {
        self.get(name)
            .map(Path::new)
            .filter(|path| path.is_absolute())
    }

    /// Returns where the settings file is looked for, and whether its absence is an error.
    pub fn settings_file(&self) -> Option<SettingsFile> {
        if let Some(path) = self.get("EYES_CONFIG") {
            return Some(SettingsFile::named(PathBuf::from(path)));
        }
        let folder = match self.platform {
            Platform::Unix => self.xdg("XDG_CONFIG_HOME", ".config"),
            Platform::Mac => self.library(),
            Platform::Windows => self.directory("APPDATA").map(Path::to_path_buf),
        }?;
        Some(SettingsFile {
            path: folder.join(FOLDER).join(FILE),
            required: false,
        })
    }

    /// Returns the directory for data when the settings name none.
    pub fn data_dir(&self) -> Option<PathBuf> {
        if let Some(path) = self.get("EYES_DATA_DIR") {
            return Some(PathBuf::from(path));
        }
        let folder = match self.platform {
            Platform::Unix => self.xdg("XDG_DATA_HOME", ".local/share"),
            Platform::Mac => self.library(),
            Platform::Windows => self.directory("LOCALAPPDATA").map(Path::to_path_buf),
        }?;
        Some(folder.join(FOLDER))
    }

    fn xdg(&self, variable: &str, below_home: &str) -> Option<PathBuf> {
        self.directory(variable)
            .map(Path::to_path_buf)
            .or_else(|| Some(self.directory("HOME")?.join(below_home)))
    }

    fn library(&self) -> Option<PathBuf> {
        Some(self.directory("HOME")?.join("Library/Application Support"))
    }
}

/// A place where the settings may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// The file.
    pub path: PathBuf,
    /// Whether the caller named it, so that it has to exist.
    pub required: bool,
}

impl SettingsFile {
    /// A file that the caller named.
    pub const fn named(path: PathBuf) -> Self {
        Self {
            path,
            required: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)], platform: Platform) -> Environment {
        let variables = variables.iter().map(|(k, v)| (k.into(), v.into()));
        Environment::new(variables, platform)
    }

    #[test]
    fn directories_follow_the_platform() {
        let check = |platform, variables: &[(&str, &str)], config: &str, data: &str| {
            let environment = environment(variables, platform);
            let file = environment.settings_file().expect("a place for settings");
            assert_eq!(file.path, Path::new(config));
            assert_eq!(environment.data_dir().as_deref(), Some(Path::new(data)));
        };
        check(
            Platform::Unix,
            &[("HOME", "/home/u"), ("XDG_DATA_HOME", "relative")],
            "/home/u/.config/deepseekeyes/config.toml",
            "/home/u/.local/share/deepseekeyes",
        );
        check(
            Platform::Unix,
            &[("XDG_CONFIG_HOME", "/c"), ("XDG_DATA_HOME", "/d")],
            "/c/deepseekeyes/config.toml",
            "/d/deepseekeyes",
        );
        check(
            Platform::Mac,
            &[("HOME", "/Users/u")],
            "/Users/u/Library/Application Support/deepseekeyes/config.toml",
            "/Users/u/Library/Application Support/deepseekeyes",
        );
        check(
            Platform::Unix,
            &[("EYES_CONFIG", "here.toml"), ("EYES_DATA_DIR", "there")],
            "here.toml",
            "there",
        );
    }

    #[test]
    fn only_a_named_settings_file_is_required() {
        let named = environment(&[("EYES_CONFIG", "x"), ("HOME", "/h")], Platform::Unix);
        assert!(named.settings_file().is_some_and(|file| file.required));
        let found = environment(&[("EYES_CONFIG", ""), ("HOME", "/h")], Platform::Unix);
        assert!(found.settings_file().is_some_and(|file| !file.required));
        assert_eq!(environment(&[], Platform::Unix).settings_file(), None);
        assert_eq!(environment(&[], Platform::Windows).data_dir(), None);
    }

    #[test]
    fn debug_shows_no_values() {
        let environment = environment(&[("API_KEY", "s3cret")], Platform::Unix);
        let text = format!("{environment:?}");
        assert!(text.contains("API_KEY") && !text.contains("s3cret"));
    }
}
