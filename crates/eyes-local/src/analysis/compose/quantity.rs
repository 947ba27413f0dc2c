//! Numbers in text, with their unit.

/// Units that follow a number, with or without a space.
const UNITS: &[&str] = &[
    "%",
    "\u{2030}",
    "ms",
    "s",
    "sec",
    "min",
    "h",
    "hr",
    "hrs",
    "d",
    "days",
    "day",
    "hours",
    "minutes",
    "seconds",
    "px",
    "pt",
    "em",
    "rem",
    "dpi",
    "fps",
    "hz",
    "khz",
    "mhz",
    "ghz",
    "b",
    "kb",
    "mb",
    "gb",
    "tb",
    "kib",
    "mib",
    "gib",
    "tib",
    "bit",
    "bytes",
    "kbps",
    "mbps",
    "gbps",
    "mm",
    "cm",
    "m",
    "km",
    "in",
    "ft",
    "mi",
    "g",
    "kg",
    "lb",
    "l",
    "ml",
    "w",
    "kw",
    "kwh",
    "v",
    "a",
    "ma",
    "mah",
    "k",
    "x",
    "\u{b0}",
    "\u{b0}c",
    "\u{b0}f",
    "usd",
    "eur",
    "gbp",
    "cny",
    "rmb",
    "jpy",
    "tokens",
    "token",
    "items",
    "files",
    "rows",
    "times",
    "users",
    "requests",
    "req/s",
    "mb/s",
    "kb/s",
    "gb/s",
    "\u{5143}",
    "\u{4e07}",
    "\u{4ebf}",
    "\u{6b21}",
    "\u{4e2a}",
    "\u{6761}",
    "\u{9879}",
    "\u{79d2}",
    "\u{6beb}\u{79d2}",
    "\u{5206}\u{949f}",
    "\u{5c0f}\u{65f6}",
    "\u{5929}",
    "\u{4eba}",
    "\u{5f20}",
    "\u{884c}",
    "\u{4ef6}",
    "\u{5e74}",
    "\u{6708}",
    "\u{65e5}",
];

const CURRENCIES: &[char] = &['$', '\u{20ac}', '\u{a3}', '\u{a5}', '\u{ffe5}'];

/// Returns the numbers of a text that have a unit, as they are written: `120 ms`, `$4.50`, `64%`.
pub(in super::super) fn quantities(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let starts = chars[at].is_ascii_digit() && !glued(&chars, at);
        if !starts {
            at += 1;
            continue;
        }
        let end = number_end(&chars, at);
        let sign = at.checked_sub(1).map(|i| chars[i]);
        let currency = sign.filter(|c| CURRENCIES.contains(c));
        let digits: String = chars[at..end].iter().collect();
        let (unit, after) = unit(&chars, end);
        let minus = sign.filter(|c| matches!(c, '-' | '\u{2212}' | '+'));
        if currency.is_some() || unit.is_some() {
            let front: String = currency.or(minus).into_iter().collect();
            let found = format!("{front}{digits}{}", unit.unwrap_or_default());
            if !out.contains(&found) {
                out.push(found);
            }
        }
        at = after.max(end);
    }
    out
}

/// Whether a digit continues a word, a version or a longer number: `v2`, `1.2.3`.
fn glued(chars: &[char], at: usize) -> bool {
    let before = |by: usize| at.checked_sub(by).map(|i| chars[i]);
    match before(1) {
        Some(c) if c.is_ascii_alphanumeric() || c == '_' || c == '#' => true,
        Some('.' | ',' | ':' | '/' | '-') => before(2).is_some_and(char::is_alphanumeric),
        _ => false,
    }
}

/// Returns the end of a number: digits, with `.` or `,` only between digits.
fn number_end(chars: &[char], start: usize) -> usize {
    let digit = |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    let mut end = start;
    while digit(end) || (matches!(chars.get(end), Some('.' | ',')) && digit(end + 1)) {
        end += 1;
    }
    end
}

/// Returns the unit after a number with the space before it, and where it ends.
fn unit(chars: &[char], end: usize) -> (Option<String>, usize) {
    let space = usize::from(chars.get(end) == Some(&' '));
    let start = end + space;
    let word_end = |limit: usize| {
        (start..chars.len().min(start + limit))
            .take_while(|&i| unit_char(chars[i]))
            .last()
            .map_or(start, |i| i + 1)
    };
    let longest = word_end(8);
    for stop in (start + 1..=longest).rev() {
        let word: String = chars[start..stop].iter().collect();
        let known = UNITS.contains(&word.to_lowercase().as_str());
        // `5 a` in a sentence is no current: after a space a single letter must end the text.
        let ends = chars.get(stop).is_none_or(|c| !c.is_ascii_alphanumeric());
        let lone = space == 1 && word.len() == 1 && word != "%" && stop < chars.len();
        if known && ends && !lone && word.to_lowercase() != "in" {
            let gap = if space == 1 { " " } else { "" };
            return (Some(format!("{gap}{word}")), stop);
        }
    }
    (None, end)
}

const fn unit_char(c: char) -> bool {
    c.is_ascii_alphabetic()
        || matches!(c, '%' | '\u{2030}' | '\u{b0}' | '/')
        || (c >= '\u{4e00}' && c <= '\u{9fff}')
}
