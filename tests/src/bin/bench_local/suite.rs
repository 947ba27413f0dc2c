//! The images and what stands in them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use eyes_evidence::{
    geometry::NormalizedBbox,
    image::{ImageLimits, admit},
    raster::Rgb8,
};
use serde::Deserialize;

use crate::Failure;

/// One line of text, as the page itself measured it.
#[derive(Debug, Deserialize)]
pub(crate) struct TruthLine {
    /// The text, white space collapsed.
    pub(crate) text: String,
    /// Font size in CSS pixels.
    pub(crate) px: f64,
    /// The line box: taller than the ink.
    pub(crate) bbox: NormalizedBbox,
}

#[derive(Debug, Deserialize)]
struct Truth {
    scale: u32,
    lines: Vec<TruthLine>,
}

/// One image of the suite.
pub(crate) struct SuiteImage {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) raster: Rgb8,
    /// Device pixels for each CSS pixel.
    pub(crate) scale: u32,
    pub(crate) lines: Vec<TruthLine>,
}

/// Loads every image that has a truth file, by name.
pub(crate) fn load(directories: &[PathBuf]) -> Result<Vec<SuiteImage>, Failure> {
    let mut images = Vec::new();
    for directory in directories {
        let entries =
            fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
            let stem = name.and_then(|n| n.strip_suffix(".truth.json").map(str::to_owned));
            if let Some(stem) = stem {
                images.push(load_one(&path, &stem)?);
            }
        }
    }
    if images.is_empty() {
        return Err("no image with a truth file was found".to_owned());
    }
    Ok(images)
}

fn load_one(truth: &Path, stem: &str) -> Result<SuiteImage, Failure> {
    let failed =
        |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(truth).map_err(|e| failed(truth, &e))?;
    let parsed: Truth = serde_json::from_str(&text).map_err(|e| failed(truth, &e))?;
    let path = truth.with_file_name(format!("{stem}.png"));
    let bytes = fs::read(&path).map_err(|e| failed(&path, &e))?;
    let image = admit(bytes, &ImageLimits::default()).map_err(|e| failed(&path, &e))?;
    Ok(SuiteImage {
        name: stem.to_owned(),
        path,
        raster: image.into_raster(),
        scale: parsed.scale,
        lines: parsed.lines,
    })
}
