//! Tokens known by their prefix.

use super::{SecretKind, Span};
use crate::limits::MIN_SECRET_RUN_BYTES;

/// What must follow a prefix.
#[derive(Clone, Copy)]
enum Tail {
    /// At least so many of `A-Za-z0-9_-`.
    Any(usize),
    /// At least so many letters and digits without a separator, and no plain word.
    Solid(usize),
    /// Exactly 16 upper-case letters and digits.
    Upper16,
}

const PREFIXES: &[(&str, Tail)] = &[
    ("sk-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("sk_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("rk_live_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("rk_test_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("whsec_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("npm_", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("pypi-", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("github_pat_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("ghp_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("gho_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("ghu_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("ghs_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("ghr_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("glpat-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("gldt-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("glrt-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("xoxa-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("xoxb-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("xoxe-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("xoxp-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("xoxr-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("xoxs-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("xapp-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("hf_", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("gsk_", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("dckr_pat_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("dop_v1_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("shpat_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("glsa_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("lin_api_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("figd_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("ntn_", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("tvly-", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("pplx-", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("xai-", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("sntrys_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("sntryu_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("sbp_", Tail::Solid(MIN_SECRET_RUN_BYTES)),
    ("apify_api_", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("ATATT3", Tail::Any(MIN_SECRET_RUN_BYTES)),
    ("AIza", Tail::Any(10)),
    ("AKIA", Tail::Upper16),
    ("ASIA", Tail::Upper16),
    ("AGE-SECRET-KEY-1", Tail::Any(MIN_SECRET_RUN_BYTES)),
];

/// Prefixes that end with a full stop, and how many dotted parts follow.
const DOTTED: &[(&str, usize)] = &[("hvs", 1), ("hvb", 1), ("ya29", 1), ("SG", 2)];

/// Parts of a JSON Web Token after the first (RFC 7519); an unsigned one ends with an empty part.
const JWT_PARTS: usize = 2;

const fn is_run_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

fn run_end(bytes: &[u8], start: usize) -> usize {
    start
        + bytes[start..]
            .iter()
            .take_while(|&&byte| is_run_byte(byte))
            .count()
}

/// One stretch of token characters, with the dotted ones behind it.
struct Run<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    /// Ends of the next runs, as far as full stops join them.
    next: [Option<usize>; 2],
}

/// Finds tokens; each byte is looked at a bounded number of times.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_run_byte(bytes[at]) {
            at += 1;
            continue;
        }
        let end = run_end(bytes, at);
        let joined = |end: usize| (bytes.get(end) == Some(&b'.')).then(|| run_end(bytes, end + 1));
        let second = joined(end);
        let run = Run {
            text,
            start: at,
            end,
            next: [second, second.and_then(joined)],
        };
        at = in_run(&run).map_or(end, |span| {
            spans.push(span);
            span.end
        });
    }
}

fn in_run(run: &Run<'_>) -> Option<Span> {
    let bytes = run.text.as_bytes();
    let starts = (run.start..run.end)
        .filter(|&at| at == run.start || !bytes[at - 1].is_ascii_alphanumeric());
    for start in starts {
        let rest = &run.text[start..run.end];
        let end = prefixed(rest)
            .map(|()| run.end)
            .or_else(|| dotted(run, rest))
            .or_else(|| jwt(run, rest))
            .or_else(|| bot_token(run, start));
        if let Some(end) = end {
            return Some(Span {
                start,
                end,
                kind: SecretKind::Token,
            });
        }
    }
    None
}

fn prefixed(rest: &str) -> Option<()> {
    let (_, tail, rule) = PREFIXES
        .iter()
        .find_map(|&(prefix, rule)| rest.strip_prefix(prefix).map(|tail| (prefix, tail, rule)))?;
    let fits = match rule {
        Tail::Any(least) => tail.len() >= least,
        Tail::Solid(least) => {
            let solid = tail.bytes().take_while(u8::is_ascii_alphanumeric).count();
            // `npm_config_registry` and `hf_hub_download` are names, not tokens.
            let word = tail[..solid].bytes().all(|b| b.is_ascii_lowercase());
            solid >= least && tail.as_bytes().get(solid) != Some(&b'_') && (!word || solid >= 20)
        }
        Tail::Upper16 => {
            tail.len() == 16
                && tail
                    .bytes()
                    .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        }
    };
    fits.then_some(())
}

fn dotted(run: &Run<'_>, rest: &str) -> Option<usize> {
    let &(_, parts) = DOTTED.iter().find(|(prefix, _)| *prefix == rest)?;
    let end = run.next[parts - 1]?;
    (end - run.end > MIN_SECRET_RUN_BYTES).then_some(end)
}

fn jwt(run: &Run<'_>, rest: &str) -> Option<usize> {
    let header = rest.starts_with("eyJ") && rest.len() > MIN_SECRET_RUN_BYTES;
    let second = run.next[0].filter(|&end| end > run.end + 3)?;
    let last = run.next[JWT_PARTS - 1].unwrap_or(second);
    header.then_some(last)
}

/// `123456789:AA...` with 35 characters after the colon.
fn bot_token(run: &Run<'_>, start: usize) -> Option<usize> {
    let bytes = run.text.as_bytes();
    let digits = &bytes[start..run.end];
    let numeric = (8..=12).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    if !numeric || bytes.get(run.end) != Some(&b':') {
        return None;
    }
    let tail = bytes[run.end + 1..]
        .iter()
        .take(36)
        .take_while(|&&byte| is_run_byte(byte))
        .count();
    (tail == 35).then_some(run.end + 1 + tail)
}
