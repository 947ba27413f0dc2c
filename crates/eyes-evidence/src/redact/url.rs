//! Secrets in URLs: user info, parameters, and tokens in paths.

use super::{MARK, Place, SecretKind, SecretMatch, Span, key::is_secret_parameter, shape_spans};
use crate::limits::{MAX_LOOSE_USER_INFO_BYTES, MAX_SECRET_KEY_BYTES};

const fn ends_url(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\')
}

/// Finds the user info of every URL in the text, whatever its scheme.
pub(super) fn find_user_info(text: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(found) = text[at..].find("://") {
        let authority = at + found + 3;
        at = authority;
        let scheme = found > 0 || authority > 3;
        let named = scheme && text.as_bytes()[authority - 4].is_ascii_alphanumeric();
        if let Some(end) = named.then(|| user_info_end(text, authority)).flatten() {
            at = end;
            spans.push(Span {
                start: authority,
                end,
                kind: SecretKind::UserInfo,
            });
        }
    }
}

/// Returns where the user info ends, before its `@`.
fn user_info_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text.as_bytes()[start..];
    let length = rest
        .iter()
        .take_while(|&&byte| !ends_url(byte) && !matches!(byte, b'/' | b'?' | b'#'))
        .count();
    let authority = &text[start..start + length];
    let end = match authority.rfind('@') {
        Some(at) => start + at,
        None => start + loose_user_info(rest, authority)?,
    };
    (end > start && &text[start..end] != MARK).then_some(end)
}

/// Finds the `@` after a password that was not percent-encoded, as in `db://user:p/w@host`.
fn loose_user_info(rest: &[u8], authority: &str) -> Option<usize> {
    let (host, port) = authority.split_once(':')?;
    if host.starts_with('[') || port.is_empty() || port.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let window = rest
        .iter()
        .take(MAX_LOOSE_USER_INFO_BYTES)
        .take_while(|&&byte| !ends_url(byte))
        .count();
    rest[..window].iter().rposition(|&byte| byte == b'@')
}

/// Detects secrets in one URL: user info, parameters named like a credential in query and fragment, and
/// anything the detector knows by shape in the rest.
///
/// A user name alone is a finding only for `http` and `https`, where nothing else uses it.
pub fn url_secrets(url: &str) -> Vec<SecretMatch> {
    let mut matches = Vec::new();
    let mut info = Vec::new();
    find_user_info(url, &mut info);
    for span in &info {
        let web = ["http://", "https://"]
            .iter()
            .any(|scheme| url[..span.start].to_ascii_lowercase().ends_with(scheme));
        if web || has_password(&url[span.start..span.end]) {
            matches.push(SecretMatch {
                kind: SecretKind::UserInfo,
                place: Place::UserInfo,
            });
        }
    }
    let path_end = url.find(['?', '#']).unwrap_or(url.len());
    let (path, parameters) = url.split_at(path_end);
    for parameter in parameters.split(['?', '#', '&', ';']) {
        let Some((name, value)) = parameter.split_once('=') else {
            continue;
        };
        let name: String = percent_decoded(name);
        let by_name = !value.is_empty() && is_secret_parameter(&name);
        if by_name || !shape_spans(&percent_decoded(value)).is_empty() {
            matches.push(SecretMatch {
                kind: SecretKind::Query,
                place: Place::Parameter(name.chars().take(MAX_SECRET_KEY_BYTES).collect()),
            });
        }
    }
    let path_start = info.last().map_or(0, |span| span.end);
    let in_path = shape_spans(path.get(path_start..).unwrap_or_default());
    if !in_path.is_empty() || is_hook(path) {
        matches.push(SecretMatch {
            kind: SecretKind::Token,
            place: Place::Path,
        });
    }
    matches
}

pub(super) fn has_password(user_info: &str) -> bool {
    user_info
        .split_once(':')
        .is_some_and(|(_, password)| !password.is_empty())
}

/// Whether the path of a web hook is itself the credential.
fn is_hook(path: &str) -> bool {
    ["hooks.slack.com/services/", "/api/webhooks/"]
        .iter()
        .filter_map(|hook| path.split_once(hook))
        .any(|(_, rest)| rest.contains('/') && rest.len() >= 16)
}

/// Decodes `%XX`; what does not decode stays.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digit = |at: usize| bytes.get(at).and_then(|&b| char::from(b).to_digit(16));
        match (bytes[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
