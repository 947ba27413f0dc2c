//! Arguments of programs.

use eyes_evidence::redact::{Place, SecretKind, detect_secret_argv};

use super::{Argument, ConfigError, reference::check_reference};
use crate::limits::{MAX_ARGUMENT_BYTES, MAX_ARGUMENTS};

/// Stands for a reference while its neighbours are judged; no detector knows it.
const REFERRED: &str = "referred";

/// Checks the program and its arguments; what holds a secret is named by its index and never shown.
pub(super) fn check(at: &str, command: &str, args: &[Argument]) -> Result<(), ConfigError> {
    let path = format!("{at}.args");
    if args.len() > MAX_ARGUMENTS {
        return Err(ConfigError::Length {
            path,
            count: args.len(),
            most: MAX_ARGUMENTS,
        });
    }
    check_text(&format!("{at}.command"), command)?;
    for (index, arg) in args.iter().enumerate() {
        let path = format!("{path}[{index}]");
        match arg {
            Argument::Text(text) => check_text(&path, text)?,
            Argument::Reference(reference) => check_reference(&path, reference)?,
        }
    }
    match find_secrets(command, args).first() {
        None => Ok(()),
        Some(&(None, kind)) => Err(ConfigError::Secret {
            path: format!("{at}.command"),
            kind,
        }),
        Some(&(Some(index), kind)) => Err(ConfigError::Secret {
            path: format!("{path}[{index}]"),
            kind,
        }),
    }
}

/// Checks what no system can pass on.
pub(super) fn check_text(path: &str, text: &str) -> Result<(), ConfigError> {
    if text.contains('\0') {
        Err(ConfigError::member(
            path,
            "a NUL character cannot be passed to a program",
        ))
    } else if text.len() > MAX_ARGUMENT_BYTES {
        Err(ConfigError::member(path, "has more than 32 KiB"))
    } else {
        Ok(())
    }
}

/// Finds the arguments that are secrets, or announce one that is not a reference; the program itself has no index.
pub(super) fn find_secrets(command: &str, args: &[Argument]) -> Vec<(Option<usize>, SecretKind)> {
    let words: Vec<String> = std::iter::once(command.to_owned())
        .chain(args.iter().map(|arg| match arg {
            Argument::Text(text) => text.clone(),
            Argument::Reference(_) => REFERRED.to_owned(),
        }))
        .collect();
    detect_secret_argv(&words)
        .into_iter()
        .filter_map(|found| match found.place {
            Place::Argument(word) => Some((word, found.kind)),
            _ => None,
        })
        .filter(|&(word, kind)| {
            !(kind == SecretKind::Option && announces(&words[word], args.get(word)))
        })
        .map(|(word, kind)| (word.checked_sub(1), kind))
        .collect()
}

/// Whether the word is an option whose value is the next argument, and that one is a reference.
fn announces(word: &str, next: Option<&Argument>) -> bool {
    is_bare_option(word) && matches!(next, Some(Argument::Reference(_)))
}

/// Whether the word is an option without a value of its own.
pub(super) fn is_bare_option(word: &str) -> bool {
    word.starts_with('-') && !word.contains(['=', ':', ' '])
}
