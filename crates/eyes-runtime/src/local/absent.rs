//! A program without the local eyes: nothing is listed, everything else is refused.

use std::path::Path;

use eyes_evidence::code::ErrorCode;

use super::{LocalEyes, Wheel};
use crate::{
    error::RuntimeError,
    models::{Installed, ModelStatus},
    providers::ProviderError,
    settings::LocalSettings,
};

pub(crate) const CODES: &[ErrorCode] = &[];
pub(super) const WHEEL: Option<Wheel> = None;

pub(super) fn open(_: &LocalSettings, _: Option<&Path>) -> Result<LocalEyes, RuntimeError> {
    Err(ProviderError::NotBuiltIn.into())
}

pub(super) fn verify(_: &LocalSettings, _: Option<&Path>) -> Result<(), RuntimeError> {
    Err(ProviderError::NotBuiltIn.into())
}

pub(crate) const fn missing(_: &LocalSettings, _: Option<&Path>) -> Option<RuntimeError> {
    None
}

pub(crate) const fn small_files() -> [&'static str; 0] {
    []
}

pub(crate) const fn models(_: Option<&Path>) -> Vec<ModelStatus> {
    Vec::new()
}

pub(crate) fn install(_wheel: &Path, _target: &Path) -> Result<Installed, RuntimeError> {
    Err(ProviderError::NotBuiltIn.into())
}
