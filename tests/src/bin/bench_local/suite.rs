//! The images and what stands in them.

use std::path::PathBuf;

use eyes_evidence::{
    image::{ImageLimits, admit},
    raster::Rgb8,
};
use eyes_runtime::eval::{Case, Suite, TruthLine};

use crate::Failure;

/// One image of the suite.
pub(crate) struct SuiteImage {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) raster: Rgb8,
    /// Device pixels for each CSS pixel.
    pub(crate) scale: u32,
    pub(crate) lines: Vec<TruthLine>,
}

/// Loads every image of the folders, by name.
pub(crate) fn load(directories: &[PathBuf]) -> Result<Vec<SuiteImage>, Failure> {
    let mut images = Vec::new();
    for directory in directories {
        let suite = Suite::open(directory).map_err(|error| error.to_string())?;
        for case in suite.cases {
            images.push(load_one(case)?);
        }
    }
    Ok(images)
}

fn load_one(case: Case) -> Result<SuiteImage, Failure> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", case.picture.display());
    let bytes = std::fs::read(&case.picture).map_err(|e| failed(&e))?;
    let image = admit(bytes, &ImageLimits::default()).map_err(|e| failed(&e))?;
    Ok(SuiteImage {
        raster: image.into_raster(),
        scale: case.truth.scale,
        lines: case.truth.lines,
        name: case.name,
        path: case.picture,
    })
}
