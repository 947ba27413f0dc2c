//! Placeholders that hosts fill in: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}` and `$NAME`.

use crate::config::reference::is_variable;

/// Placeholders that only the host itself can fill in.
const HOST_ONLY: [&str; 10] = [
    "cwd",
    "extensionPath",
    "file",
    "fileDirname",
    "home",
    "pathSeparator",
    "userHome",
    "workspaceFolder",
    "workspaceFolderBasename",
    "workspaceRoot",
];

/// What a text of the file is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Filled {
    /// Itself.
    Plain,
    /// A variable; and whether the file has a default for it.
    Variable { name: String, default: bool },
    /// What a person is asked for.
    Input(String),
    /// Several pieces.
    Composed,
    /// Something that only the host knows, by its name.
    HostOnly(String),
}

/// Judges a text; `bare` is whether `$NAME` alone is a placeholder.
pub(super) fn judge(text: &str, bare: bool) -> Filled {
    if let Some(name) = text
        .strip_prefix('$')
        .filter(|name| bare && is_variable(name))
    {
        return Filled::Variable {
            name: name.to_owned(),
            default: false,
        };
    }
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((_, inside)) = rest.split_once("${") {
        let Some((inside, after)) = inside.split_once('}') else {
            break;
        };
        pieces.push(one(inside));
        rest = after;
    }
    let host_only = pieces
        .iter()
        .position(|piece| matches!(piece, Filled::HostOnly(_)));
    let whole = text.starts_with("${") && rest.is_empty() && pieces.len() == 1;
    match (host_only, pieces.pop()) {
        (_, None) => Filled::Plain,
        (_, Some(piece)) if whole => piece,
        (Some(index), Some(last)) => pieces.into_iter().nth(index).unwrap_or(last),
        (None, Some(_)) => Filled::Composed,
    }
}

fn one(inside: &str) -> Filled {
    let variable = |name: &str, default| {
        is_variable(name).then(|| Filled::Variable {
            name: name.to_owned(),
            default,
        })
    };
    let (kind, name) = inside.split_once(':').unwrap_or(("", inside));
    let known = match kind {
        "input" => Some(Filled::Input(name.to_owned())),
        "" if HOST_ONLY.contains(&name) => None,
        "" | "env" => variable(name, false),
        // `${NAME:-default}`
        kind if name.starts_with('-') => variable(kind, true),
        _ => None,
    };
    known.unwrap_or_else(|| Filled::HostOnly(inside.to_owned()))
}
