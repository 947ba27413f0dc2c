//! A C compiler for foreign targets: zig's, which carries the headers of every system.
//!
//! A few crates compile C in their build scripts even where Rust is only checked.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{Failure, Outcome, Workspace, process::Program};

/// Programs that stand in for `cc` and `ar` of one target.
#[derive(Debug)]
pub(super) struct CCompiler {
    target: String,
    folder: PathBuf,
}

impl CCompiler {
    /// Writes the programs where zig is installed; returns none where it is not.
    pub(super) fn find(workspace: &Workspace, target: &str) -> Outcome<Option<Self>> {
        let zig = workspace.root().join("target/tools/ziglang/zig");
        if !zig.is_file() {
            return Ok(None);
        }
        let folder = workspace.target().join("cross/c").join(target);
        let found = Self {
            target: target.to_owned(),
            folder,
        };
        let cache = workspace.target().join("cross/zig-cache");
        found.write("cc", &cc(&zig, &cache, zig_target(target)?))?;
        found.write("ar", &ar(&zig, &cache))?;
        Ok(Some(found))
    }

    /// Points build scripts at the programs.
    pub(super) fn announce(&self, program: Program) -> Program {
        let name = self.target.replace('-', "_");
        program
            .env(&format!("CC_{name}"), self.folder.join("cc"))
            .env(&format!("AR_{name}"), self.folder.join("ar"))
            // Otherwise the SDK is asked for with a program that only macOS has.
            .env("SDKROOT", &self.folder)
    }

    fn write(&self, name: &str, text: &str) -> Outcome {
        let path = self.folder.join(name);
        fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(&path, text))
            .and_then(|()| make_executable(&path))
            .map_err(|error| Failure::new(format!("cannot write `{}`: {error}", path.display())))
    }
}

/// Names the target as zig does.
fn zig_target(target: &str) -> Outcome<&'static str> {
    match target {
        "x86_64-pc-windows-gnu" => Ok("x86_64-windows-gnu"),
        "aarch64-apple-darwin" => Ok("aarch64-macos"),
        "x86_64-apple-darwin" => Ok("x86_64-macos"),
        "aarch64-unknown-linux-gnu" => Ok("aarch64-linux-gnu"),
        _ => Err(Failure::new(format!(
            "no C compiler is set up for `{target}`"
        ))),
    }
}

/// Build scripts name target and SDK in clang's words, which zig does not know: they are dropped.
fn cc(zig: &Path, cache: &Path, target: &str) -> String {
    format!(
        "#!/bin/sh\n{}skip=\nfor word do\n  shift\n  if [ -n \"$skip\" ]; then skip=; continue; fi\n  \
         case \"$word\" in\n    --target=* | -mmacosx-version-min=*) ;;\n    -isysroot | -arch) skip=1 ;;\n    \
         *) set -- \"$@\" \"$word\" ;;\n  esac\ndone\nexec '{}' cc -target {target} \"$@\"\n",
        environment(cache),
        zig.display(),
    )
}

fn ar(zig: &Path, cache: &Path) -> String {
    format!(
        "#!/bin/sh\n{}exec '{}' ar \"$@\"\n",
        environment(cache),
        zig.display()
    )
}

fn environment(cache: &Path) -> String {
    let cache = cache.display();
    format!("export ZIG_GLOBAL_CACHE_DIR='{cache}' ZIG_LOCAL_CACHE_DIR='{cache}'\n")
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
