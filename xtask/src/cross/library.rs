//! The standard library of a target: the toolchain's own, or metadata built from its sources.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use super::{apt, compiler::Compiler};
use crate::{Failure, Workspace};

/// Where the target's standard library is.
#[derive(Debug)]
pub(super) enum Library {
    /// In the toolchain.
    Installed,
    /// Below this folder, which serves as a second sysroot.
    Built(PathBuf),
}

/// Why there is none.
#[derive(Debug)]
pub(super) enum Missing {
    /// The sources of this version are nowhere on offer for this system.
    NotOffered(String),
    /// They should have been there, and something went wrong.
    Fault(Failure),
}

impl Missing {
    /// Returns whether an unattended run must fail over it.
    pub(super) fn is_fault(&self) -> bool {
        matches!(self, Self::Fault(_))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOffered(reason) => f.write_str(reason),
            Self::Fault(failure) => failure.fmt(f),
        }
    }
}

impl From<Failure> for Missing {
    fn from(failure: Failure) -> Self {
        Self::Fault(failure)
    }
}

/// Finds the target's library, building it on first use.
pub(super) fn find_or_build(
    workspace: &Workspace,
    compiler: &Compiler,
    target: &str,
) -> Result<Library, Missing> {
    if is_library(&libraries(&compiler.sysroot, target), "rlib") {
        return Ok(Library::Installed);
    }
    let home = workspace
        .target()
        .join(format!("cross/{}-{}", compiler.release, compiler.commit));
    let sysroot = home.join("sysroot");
    if !is_library(&libraries(&sysroot, target), "rmeta") {
        let sources = sources(workspace, compiler, &home)?;
        build(workspace, &sources, &home, target)?;
    }
    Ok(Library::Built(sysroot))
}

fn libraries(sysroot: &Path, target: &str) -> PathBuf {
    sysroot.join("lib/rustlib").join(target).join("lib")
}

fn is_library(folder: &Path, extension: &str) -> bool {
    files(folder).iter().any(|path| {
        let name = path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        name.starts_with("libstd-") && path.extension().is_some_and(|last| last == extension)
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect()
}

/// Returns the folder `library` of the compiler's sources.
fn sources(workspace: &Workspace, compiler: &Compiler, home: &Path) -> Result<PathBuf, Missing> {
    let component = compiler.sysroot.join("lib/rustlib/src/rust/library");
    let fetched = home.join("src/library");
    for folder in [component, fetched.clone()] {
        if folder.join("std/Cargo.toml").is_file() {
            return Ok(folder);
        }
    }
    println!("cross: fetching the sources of rustc {}", compiler.release);
    apt::fetch(workspace, &compiler.release, &home.join("src"))?;
    Ok(fetched)
}

/// Checks the standard library as the compiler's own build does, and keeps the metadata: checking crates needs
/// no more, and no foreign assembler or linker is asked for.
///
/// `RUSTC_BOOTSTRAP` stays in this one call, so that the crates' build scripts later see the stable compiler
/// that they are shipped for.
fn build(workspace: &Workspace, sources: &Path, home: &Path, target: &str) -> Result<(), Missing> {
    println!("cross: checking the standard library for {target}");
    let manifest = sources.join("sysroot/Cargo.toml").display().to_string();
    let output = home.join("std-build");
    let features = "panic-unwind,backtrace";
    workspace
        .cargo(&[
            "check",
            "--quiet",
            "--manifest-path",
            &manifest,
            "--locked",
            "--target",
            target,
        ])
        .args(&["--no-default-features", "--features", features])
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", "-Zforce-unstable-if-unmarked")
        .env("CARGO_TARGET_DIR", &output)
        .run()?;
    install(
        &output.join(target).join("debug/deps"),
        &libraries(&home.join("sysroot"), target),
    )
}

/// Copies the metadata; the folder appears under its final name only when it is whole.
fn install(built: &Path, folder: &Path) -> Result<(), Missing> {
    let fault = |error: std::io::Error| Failure::new(format!("cannot keep the library: {error}"));
    let partial = folder.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(fault)?;
    }
    fs::create_dir_all(&partial).map_err(fault)?;
    for path in files(built) {
        let name = path.file_name().map(ToOwned::to_owned).unwrap_or_default();
        if path.extension().is_some_and(|last| last == "rmeta") {
            fs::copy(&path, partial.join(name)).map_err(fault)?;
        }
    }
    fs::rename(&partial, folder).map_err(fault)?;
    Ok(())
}
