//! The suite: pictures and what stands in them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use eyes_evidence::{
    code::{Coded, ErrorCode},
    geometry::{NormalizedBbox, PixelSize},
};
use serde::Deserialize;

use super::injection::InjectionTruth;
use crate::{
    codes,
    limits::{MAX_EVAL_CASES, MAX_TRUTH_BYTES, MAX_TRUTH_LINE_CHARS},
};

const TRUTH: &str = ".truth.json";
const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];

/// What stands in one picture.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Truth {
    /// The page that the generator rendered.
    #[serde(default)]
    pub page: Option<String>,
    /// From which the page's content follows.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Size of running text in CSS pixels.
    #[serde(default)]
    pub base_px: Option<f64>,
    /// Device pixels for each CSS pixel.
    #[serde(default = "one")]
    pub scale: u32,
    /// Pixels of the picture from left to right.
    pub width: u32,
    /// Pixels of the picture from top to bottom.
    pub height: u32,
    /// Every visible line of text.
    pub lines: Vec<TruthLine>,
    /// What a picture that gives orders must not achieve.
    #[serde(default)]
    pub injection: Option<InjectionTruth>,
}

const fn one() -> u32 {
    1
}

/// One line of text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TruthLine {
    /// The text, white space collapsed.
    pub text: String,
    /// Font size in CSS pixels.
    pub px: f64,
    /// The line box: taller than the ink.
    pub bbox: NormalizedBbox,
    /// Degrees by which the line is turned, clockwise; nothing for upright text.
    #[serde(default)]
    pub angle: Option<f64>,
}

/// One picture of a suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// The file's name without its ending.
    pub name: String,
    /// The picture.
    pub picture: PathBuf,
    /// What stands in it.
    pub truth: Truth,
}

impl Case {
    /// Returns the size that the truth states.
    pub const fn size(&self) -> PixelSize {
        PixelSize {
            width: self.truth.width,
            height: self.truth.height,
        }
    }
}

/// Pictures with their truth, by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// At least one, at most [`MAX_EVAL_CASES`].
    pub cases: Vec<Case>,
}

/// A suite cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A folder or file cannot be read.
    #[error("{} cannot be read", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder holds no picture and no truth.
    #[error("{} holds no picture with a truth file", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A picture has no truth, or a truth no picture.
    #[error("{} has no {lacks} beside it", path.display())]
    Unpaired {
        /// The file that is there.
        path: PathBuf,
        /// What is not.
        lacks: &'static str,
    },
    /// No case has this name.
    #[error("the suite has no case {name}")]
    NoCase {
        /// The name that was asked for.
        name: String,
    },
    /// A truth file says nothing that can be compared.
    #[error("{}: {reason}", path.display())]
    Truth {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file or the suite is larger than its bound.
    #[error("{} has more than {limit} {unit}", path.display())]
    Limit {
        /// The file or folder.
        path: PathBuf,
        /// The bound.
        limit: u64,
        /// Of what.
        unit: &'static str,
    },
}

impl Coded for EvalError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Read { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                codes::EVAL_SUITE_MISSING
            }
            Self::Read { .. } => codes::EVAL_SUITE_UNAVAILABLE,
            Self::Empty { .. } | Self::Unpaired { .. } | Self::NoCase { .. } => {
                codes::EVAL_SUITE_MISSING
            }
            Self::Truth { .. } => codes::EVAL_TRUTH_INVALID,
            Self::Limit { .. } => codes::EVAL_SUITE_LIMIT,
        }
    }
}

impl Suite {
    /// Reads every truth file of a folder; folders inside it are left alone.
    ///
    /// A folder or file that is not there, or a picture without truth, is `EVAL_SUITE_MISSING`; one that cannot be
    /// read `EVAL_SUITE_UNAVAILABLE`; a broken truth `EVAL_TRUTH_INVALID`; too much `EVAL_SUITE_LIMIT`.
    pub fn open(directory: &Path) -> Result<Self, EvalError> {
        let mut pictures = BTreeMap::new();
        let mut truths = BTreeMap::new();
        for path in files(directory)? {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if let Some(stem) = name.strip_suffix(TRUTH) {
                truths.insert(stem.to_owned(), path);
            } else if let Some((stem, ending)) = name.rsplit_once('.')
                && PICTURES.contains(&ending.to_ascii_lowercase().as_str())
            {
                pictures.insert(stem.to_owned(), path);
            }
        }
        if pictures.is_empty() && truths.is_empty() {
            return Err(EvalError::Empty {
                path: directory.to_path_buf(),
            });
        }
        let mut cases = Vec::with_capacity(truths.len());
        for (name, path) in truths {
            let picture = pictures.remove(&name).ok_or(EvalError::Unpaired {
                path: path.clone(),
                lacks: "picture",
            })?;
            let truth = read_truth(&path)?;
            cases.push(Case {
                name,
                picture,
                truth,
            });
        }
        match pictures.into_values().next() {
            Some(path) => Err(EvalError::Unpaired {
                path,
                lacks: "truth file",
            }),
            None => Ok(Self { cases }),
        }
    }

    /// Keeps the named cases; a name that there is not is `EVAL_SUITE_MISSING`.
    pub fn only(mut self, names: &[String]) -> Result<Self, EvalError> {
        for name in names {
            if !self.cases.iter().any(|case| case.name == *name) {
                return Err(EvalError::NoCase { name: name.clone() });
            }
        }
        self.cases.retain(|case| names.contains(&case.name));
        Ok(self)
    }
}

fn files(directory: &Path) -> Result<Vec<PathBuf>, EvalError> {
    let failed = |source| EvalError::Read {
        path: directory.to_path_buf(),
        source,
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_file() {
            paths.push(path);
        }
        // A picture and its truth are two files.
        if paths.len() > 2 * MAX_EVAL_CASES {
            return Err(EvalError::Limit {
                path: directory.to_path_buf(),
                limit: 2 * MAX_EVAL_CASES as u64,
                unit: "files",
            });
        }
    }
    Ok(paths)
}

fn read_truth(path: &Path) -> Result<Truth, EvalError> {
    let failed = |source| EvalError::Read {
        path: path.to_path_buf(),
        source,
    };
    let mut text = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(MAX_TRUTH_BYTES + 1)
        .read_to_end(&mut text)
        .map_err(failed)?;
    if text.len() as u64 > MAX_TRUTH_BYTES {
        return Err(EvalError::Limit {
            path: path.to_path_buf(),
            limit: MAX_TRUTH_BYTES,
            unit: "bytes",
        });
    }
    let invalid = |reason: String| EvalError::Truth {
        path: path.to_path_buf(),
        reason,
    };
    let truth: Truth = serde_json::from_slice(&text).map_err(|error| invalid(error.to_string()))?;
    let unusable = |line: &TruthLine| {
        line.text.trim().is_empty() || line.text.chars().nth(MAX_TRUTH_LINE_CHARS).is_some()
    };
    if let Some(at) = truth.lines.iter().position(unusable) {
        return Err(invalid(format!(
            "the text of line {} is empty or has more than {MAX_TRUTH_LINE_CHARS} characters",
            at + 1
        )));
    }
    if truth.width == 0 || truth.height == 0 {
        return Err(invalid("width and height are at least 1".to_owned()));
    }
    let phrases = truth.injection.iter().flat_map(InjectionTruth::phrases);
    if phrases.into_iter().any(|phrase| phrase.trim().is_empty()) {
        return Err(invalid("a phrase of the injection is empty".to_owned()));
    }
    Ok(truth)
}
