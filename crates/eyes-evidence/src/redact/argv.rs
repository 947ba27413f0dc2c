//! Secrets on a command line.

use super::{
    Place, SecretKind, SecretMatch,
    key::{is_secret_header, is_secret_option},
    shape_spans,
    url::{has_password, url_secrets},
};

/// Options whose value is a header.
const HEADER_OPTIONS: &[&str] = &[
    "header",
    "headers",
    "http-header",
    "proxy-header",
    "request-header",
];

/// Options that take `name:password`.
const USER_OPTIONS: &[&str] = &["user", "proxy-user"];

/// Programs whose `-u` and `--user` name an account and a group, never a password.
const ACCOUNT_PROGRAMS: &[&str] = &[
    "docker", "podman", "nerdctl", "kubectl", "sudo", "doas", "runuser",
];

/// Detects secrets in the arguments of a program; `args` may begin with the program itself.
///
/// Found are options such as `--password` with a value here or in the next argument, `-u NAME:PASSWORD`,
/// header options, and whatever the detector knows by shape, glued to a short option too (`-pVALUE`). Options that name a file, and `-u` without a
/// password, are no secrets. An argument is reported once.
pub fn detect_secret_argv(args: &[String]) -> Vec<SecretMatch> {
    let accounts = args.iter().take(2).any(|arg| {
        let name = arg.rsplit(['/', '\\']).next().unwrap_or(arg);
        ACCOUNT_PROGRAMS.contains(&name.trim_end_matches(".exe"))
    });
    let mut matches = Vec::new();
    let mut value_of = Next::Nothing;
    for (index, arg) in args.iter().enumerate() {
        let (kind, next) = judge(arg, value_of, accounts);
        value_of = next;
        if let Some(kind) = kind {
            matches.push(SecretMatch {
                kind,
                place: Place::Argument(index),
            });
        }
    }
    matches
}

/// What the next argument is, by the option before it.
#[derive(Clone, Copy, PartialEq)]
enum Next {
    Nothing,
    Header,
    User,
}

fn judge(arg: &str, value_of: Next, accounts: bool) -> (Option<SecretKind>, Next) {
    let by_option = match value_of {
        Next::Header => header(arg),
        Next::User => user(arg, accounts),
        Next::Nothing => None,
    };
    let (own, next) = option(arg, accounts);
    let kind = by_option
        .or(own)
        .or_else(|| shape(arg))
        .or_else(|| glued(arg))
        .or_else(|| pair(arg));
    (kind, next)
}

fn option(arg: &str, accounts: bool) -> (Option<SecretKind>, Next) {
    if let Some(long) = arg.strip_prefix("--") {
        return long_option(long, accounts);
    }
    if let Some(rest) = arg.strip_prefix("-H") {
        return match rest.strip_prefix('=').unwrap_or(rest) {
            "" => (None, Next::Header),
            value => (header(value), Next::Nothing),
        };
    }
    if let Some(rest) = arg.strip_prefix("-u") {
        return match rest.strip_prefix('=').unwrap_or(rest) {
            "" => (None, Next::User),
            value => (user(value, accounts), Next::Nothing),
        };
    }
    if let Some((name, value)) = arg
        .strip_prefix('/')
        .and_then(|rest| rest.split_once([':', '=']))
    {
        let secret = !value.is_empty() && !name.contains('/') && is_secret_option(name);
        return (secret.then_some(SecretKind::Option), Next::Nothing);
    }
    (None, Next::Nothing)
}

fn long_option(long: &str, accounts: bool) -> (Option<SecretKind>, Next) {
    let (name, value) = match long.split_once(['=', ':']) {
        Some((name, value)) => (name, Some(value)),
        None => (long, None),
    };
    let name = name.to_ascii_lowercase().replace('_', "-");
    if HEADER_OPTIONS.contains(&name.as_str()) {
        return value.map_or((None, Next::Header), |value| (header(value), Next::Nothing));
    }
    if USER_OPTIONS.contains(&name.as_str()) {
        return value.map_or((None, Next::User), |value| {
            (user(value, accounts), Next::Nothing)
        });
    }
    (
        is_secret_option(&name).then_some(SecretKind::Option),
        Next::Nothing,
    )
}

fn header(value: &str) -> Option<SecretKind> {
    let (name, value) = value.split_once([':', '='])?;
    (is_secret_header(name.trim()) && !value.trim().is_empty()).then_some(SecretKind::Header)
}

/// Judges `name:password`; `1000:1000` and `node:node` are a user and a group.
fn user(value: &str, accounts: bool) -> Option<SecretKind> {
    let (name, password) = value.split_once(':')?;
    let ids = name
        .bytes()
        .chain(password.bytes())
        .all(|byte| byte.is_ascii_digit());
    (!accounts && !password.is_empty() && !ids && name != password).then_some(SecretKind::Option)
}

/// Judges `name=value` and `name: value`, and URLs by the stricter rules for their parameters.
fn pair(arg: &str) -> Option<SecretKind> {
    if arg.contains("://") {
        return url_secrets(arg).first().map(|finding| finding.kind);
    }
    let (name, value) = arg.split_once(['=', ':'])?;
    let name = name.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '{' | '[' | '?' | '&')
    });
    let bare = !name.starts_with(['-', '/']) && !name.contains(char::is_whitespace);
    (bare && !value.trim().is_empty() && is_secret_option(name)).then_some(SecretKind::Assignment)
}

/// Judges what is glued to an option of one letter, as in `-pVALUE`.
fn glued(arg: &str) -> Option<SecretKind> {
    let rest = arg.strip_prefix('-')?;
    let value = rest.strip_prefix(|letter: char| letter.is_ascii_alphabetic())?;
    shape(value)
}

fn shape(arg: &str) -> Option<SecretKind> {
    shape_spans(arg)
        .into_iter()
        // `ssh://git@host` names a user and no more.
        .filter(|span| {
            let web =
                arg[..span.start].ends_with("http://") || arg[..span.start].ends_with("https://");
            span.kind != SecretKind::UserInfo || web || has_password(&arg[span.start..span.end])
        })
        .map(|span| span.kind)
        .min()
}
