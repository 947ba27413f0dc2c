//! Names that announce a secret: of keys, options, query parameters and headers.

use crate::limits::MAX_SECRET_KEY_BYTES;

/// Last words of a name whose value is a secret, joined without separators.
///
/// Matching the end of the name admits any prefix (`aws_secret_access_key`, `DB_PASSWORD`), and lets
/// `secret-name` or `token_limit` pass, which only speak of one.
const SECRET_ENDINGS: &[&[&str]] = &[
    &["token"],
    &["secret"],
    &["password"],
    &["passwd"],
    &["passphrase"],
    &["pwd"],
    &["apikey"],
    &["accesskey"],
    &["accountkey"],
    &["secretkey"],
    &["privatekey"],
    &["api", "key"],
    &["access", "key"],
    &["account", "key"],
    &["secret", "key"],
    &["private", "key"],
    &["signing", "key"],
    &["encryption", "key"],
    &["shared", "key"],
    &["master", "key"],
    &["service", "key"],
    &["subscription", "key"],
    &["access", "key", "secret"],
    &["auth", "key"],
];

/// Whole names that are secrets beside the endings, on a command line and in a query.
const OPTION_NAMES: &[&str] = &[
    "auth",
    "authorization",
    "basic-auth",
    "bearer",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "pass",
    "pat",
    "personal-access-token",
];

/// Whole names of assignments beside the endings.
const ASSIGNMENT_NAMES: &[&str] = &["credential", "credentials", "pass", "pat"];

/// Names that carry a credential in a query, beside the endings and the option names.
const QUERY_NAMES: &[&str] = &["key", "sig", "code", "jwt", "sas", "ticket"];

/// Headers whose whole value is a credential, beside those named like a secret.
const HEADER_NAMES: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
];

/// The lower-case words of a name: split at punctuation and where an upper-case letter follows a lower-case one.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous_lower = false;
    for c in name.chars().take(MAX_SECRET_KEY_BYTES) {
        let split = !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && previous_lower);
        if split && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        }
        previous_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn ends_in_secret(words: &[String]) -> bool {
    // `token2` and `password_1` are still secrets.
    let numbered = words.len() > 1 && words[words.len() - 1].bytes().all(|b| b.is_ascii_digit());
    let words = &words[..words.len() - usize::from(numbered)];
    SECRET_ENDINGS.iter().any(|ending| {
        words.len() >= ending.len()
            && words[words.len() - ending.len()..]
                .iter()
                .zip(*ending)
                .all(|(word, end)| word.trim_end_matches(|c: char| c.is_ascii_digit()) == *end)
    }) || words.last().is_some_and(|word| glued(word))
}

/// Whether one word without separators ends like a secret: `dbpassword`, `authtoken`, `PGPASSWORD`.
fn glued(word: &str) -> bool {
    [
        "password",
        "passwd",
        "apikey",
        "secretkey",
        "accesskey",
        "authtoken",
        "accesstoken",
        "sessiontoken",
    ]
    .iter()
    .any(|end| word.ends_with(end))
}

/// Whether `key` in `key=value` or `key: value` announces a secret.
pub(super) fn is_secret_key(key: &str) -> bool {
    let words = words(key);
    ends_in_secret(&words) || ASSIGNMENT_NAMES.contains(&words.join("-").as_str())
}

/// Whether `--name` takes a secret.
pub(super) fn is_secret_option(name: &str) -> bool {
    let words = words(name);
    // `--no-password` and the like switch something off.
    let negated = matches!(
        words.first().map(String::as_str),
        Some("no" | "disable" | "skip" | "without" | "allow" | "require")
    );
    !negated && (ends_in_secret(&words) || OPTION_NAMES.contains(&words.join("-").as_str()))
}

/// Whether a query parameter of this name carries a credential, whatever its value.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    is_secret_option(name) || is_weak_parameter(name)
}

/// Whether the name carries a credential only inside a query.
pub(super) fn is_weak_parameter(name: &str) -> bool {
    let words = words(name);
    let name = words.join("-");
    QUERY_NAMES.contains(&name.as_str())
        || name == "auth"
        || words
            .last()
            .is_some_and(|word| word == "credential" || word == "signature")
}

/// Whether a header of this name carries a credential (`Authorization`, `Cookie`, `X-Api-Key`, `X-Auth-Token`, ...).
pub fn is_secret_header(name: &str) -> bool {
    let words = words(name);
    HEADER_NAMES.contains(&words.join("-").as_str()) || ends_in_secret(&words)
}

/// Whether the value of this header runs to the end of its line.
pub(super) fn is_line_header(name: &str) -> bool {
    HEADER_NAMES
        .iter()
        .any(|header| header.eq_ignore_ascii_case(name))
}
