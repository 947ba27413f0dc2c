//! Inputs: files, and standard input as `-`.

use std::{
    ffi::OsString,
    fmt,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use clap::builder::{OsStringValueParser, TypedValueParser};
use glob::{MatchOptions, glob_with};

use crate::{error::CliError, limits::MAX_PATTERN_MATCHES, text::safe};

/// One input of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

impl Input {
    /// Takes any file name, in any encoding.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().map(Self::from)
    }

    /// Replaces patterns by the files they match, for shells that do not and for quoted patterns.
    ///
    /// An argument is a pattern when it has one of `* ? [` and no file has this name. Its matches are sorted;
    /// directories and names that begin with a dot are left out, as by a shell. No match is `INPUT_MISSING`, a
    /// pattern that is none `INPUT_INVALID`, more than [`MAX_PATTERN_MATCHES`] matches `INPUT_LIMIT`.
    pub(crate) fn expand(inputs: &[Self]) -> Result<Vec<Self>, CliError> {
        let mut expanded = Vec::with_capacity(inputs.len());
        for input in inputs {
            match input.pattern() {
                Some(pattern) => expanded.extend(input.matches(pattern)?),
                None => expanded.push(input.clone()),
            }
        }
        Ok(expanded)
    }

    fn pattern(&self) -> Option<&str> {
        let path = self.path()?;
        let text = path.to_str()?;
        let exists = || path.symlink_metadata().is_ok();
        (text.contains(['*', '?', '[']) && !exists()).then_some(text)
    }

    fn matches(&self, pattern: &str) -> Result<Vec<Self>, CliError> {
        const OPTIONS: MatchOptions = MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: true,
        };
        let found = glob_with(pattern, OPTIONS)
            .map_err(|_| self.invalid("is neither a file nor a pattern"))?;
        let mut files = Vec::new();
        for path in found {
            let path = path.map_err(|error| {
                let name = safe(&error.path().to_string_lossy()).into_owned();
                CliError::input(name, error.into())
            })?;
            if path.is_dir() {
                continue;
            }
            if files.len() == MAX_PATTERN_MATCHES {
                return Err(CliError::Matches {
                    pattern: self.to_string(),
                });
            }
            files.push(path);
        }
        if files.is_empty() {
            return Err(CliError::NoMatch {
                pattern: self.to_string(),
            });
        }
        files.sort();
        Ok(files.into_iter().map(Self::File).collect())
    }

    /// Returns the file's path.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) => Some(path),
        }
    }

    /// Reads all bytes, at most `limit`; nothing is allocated for what is longer.
    pub(crate) fn read(&self, stdin: &mut dyn Read, limit: u64) -> Result<Vec<u8>, CliError> {
        let failed = |source: io::Error| CliError::input(self.to_string(), source);
        let bytes = match self {
            Self::Stdin => read_bounded(stdin, 0, limit),
            Self::File(path) => {
                let mut file = File::open(path).map_err(failed)?;
                let metadata = file.metadata().map_err(failed)?;
                if metadata.is_dir() {
                    return Err(self.invalid("is a directory"));
                }
                if metadata.len() > limit {
                    return Err(self.too_long(metadata.len(), limit));
                }
                read_bounded(&mut file, metadata.len(), limit)
            }
        }
        .map_err(failed)?;
        if bytes.is_empty() {
            return Err(self.invalid("is empty"));
        }
        if bytes.len() as u64 > limit {
            return Err(self.too_long(bytes.len() as u64, limit));
        }
        Ok(bytes)
    }

    fn invalid(&self, reason: &'static str) -> CliError {
        CliError::InputInvalid {
            input: self.to_string(),
            reason,
        }
    }

    fn too_long(&self, bytes: u64, limit: u64) -> CliError {
        CliError::InputLimit {
            input: self.to_string(),
            bytes,
            limit,
        }
    }
}

/// Reads one byte more than `limit` at most, so that the caller sees what is too long.
fn read_bounded(from: &mut dyn Read, expected: u64, limit: u64) -> io::Result<Vec<u8>> {
    // Limit: `expected` is at most `limit`, which the caller checked.
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    from.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl From<OsString> for Input {
    fn from(name: OsString) -> Self {
        if name == "-" {
            Self::Stdin
        } else {
            Self::File(name.into())
        }
    }
}

impl fmt::Display for Input {
    /// Prints the name so that a terminal shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::File(path) => f.write_str(&safe(&path.to_string_lossy())),
        }
    }
}

#[cfg(test)]
mod tests {
    use eyes_evidence::code::Coded as _;

    use super::*;

    fn names(directory: &Path, pattern: &str) -> Result<Vec<String>, CliError> {
        let input = Input::File(directory.join(pattern));
        let expanded = Input::expand(&[Input::Stdin, input])?;
        assert_eq!(expanded[0], Input::Stdin);
        let name = |input: &Input| {
            let path = input.path().expect("a file");
            let inner = path.strip_prefix(directory).expect("below the directory");
            inner.to_string_lossy().replace('\\', "/")
        };
        Ok(expanded[1..].iter().map(name).collect())
    }

    #[test]
    fn patterns_become_files_in_order() {
        let home = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(home.path().join("inner/folder.png")).expect("folders");
        for name in [
            "b.png",
            "a.png",
            "A.png",
            ".c.png",
            "x*.png",
            "xy.png",
            "n.txt",
            "inner/d.png",
        ] {
            // Windows has no such names; the others are enough there.
            drop(std::fs::write(home.path().join(name), name));
        }
        let find = |pattern: &str| names(home.path(), pattern);
        assert_eq!(find("[ab].png").expect("matches"), ["a.png", "b.png"]);
        assert_eq!(find("*/*.png").expect("matches"), ["inner/d.png"]);
        assert_eq!(find("n.txt").expect("a name"), ["n.txt"]);
        assert_eq!(find("none.png").expect("a name"), ["none.png"]);
        if cfg!(unix) {
            assert_eq!(find("x*.png").expect("a file of this name"), ["x*.png"]);
        }
        for (pattern, code) in [("*.gif", "INPUT_MISSING"), ("***", "INPUT_INVALID")] {
            let error = find(pattern).expect_err("refused");
            assert_eq!(error.code().as_str(), code, "{pattern}");
        }
    }
}
