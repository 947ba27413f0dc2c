//! What the crates declare: the `error_codes!` calls in their `codes.rs`, read as text.

use crate::{tidy::Finding, tree::Tree};

/// One declared code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) owner: String,
    pub(super) category: String,
    pub(super) retry: String,
    pub(super) summary: String,
    pub(super) hint: String,
    /// The declaring file.
    pub(super) place: String,
}

/// Reads every crate's codes, in order of code; what cannot be read, or is there twice, is a finding.
pub(super) fn all(tree: &Tree) -> Result<Vec<Declared>, Finding> {
    let mut codes = Vec::new();
    for owner in tree.crates() {
        let path = format!("crates/{owner}/src/codes.rs");
        if let Some(text) = tree.text(&path) {
            let found = parse(text).map_err(|fault| Finding::new(&path, fault))?;
            codes.extend(found.into_iter().map(|code| code.declared(owner, &path)));
        }
    }
    codes.sort_by(|left, right| left.name.cmp(&right.name));
    match codes.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => {
            let message = format!(
                "`{}` is declared in {} too; a code has one owner",
                pair[1].name, pair[0].place
            );
            Err(Finding::new(&pair[1].place, message))
        }
        None => Ok(codes),
    }
}

#[derive(Debug, Default)]
struct Line {
    name: String,
    category: String,
    retry: String,
    summary: String,
    hint: String,
}

impl Line {
    fn declared(self, owner: &str, place: &str) -> Declared {
        Declared {
            name: self.name,
            owner: owner.to_owned(),
            category: kebab(&self.category),
            retry: kebab(&self.retry),
            summary: self.summary,
            hint: self.hint,
            place: place.to_owned(),
        }
    }
}

fn parse(text: &str) -> Result<Vec<Line>, String> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("error_codes! {") {
        let mut reader = Reader { rest: after };
        while !reader.at_end() {
            lines.push(reader.line()?);
        }
        rest = reader.rest;
    }
    if lines.is_empty() {
        return Err("holds no `error_codes! { … }`".to_owned());
    }
    Ok(lines)
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// Skips space and plain comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let is_comment = self.rest.starts_with("//") && !self.rest.starts_with("///");
            if !is_comment {
                return;
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, after)| after);
        }
    }

    fn at_end(&mut self) -> bool {
        self.skip();
        self.rest.is_empty() || self.rest.starts_with('}')
    }

    /// Reads `/// summary` lines, then `NAME: Category, Retry, "hint";`.
    fn line(&mut self) -> Result<Line, String> {
        let mut line = Line::default();
        while let Some(after) = self.rest.strip_prefix("///") {
            let (words, after) = after.split_once('\n').unwrap_or((after, ""));
            if !line.summary.is_empty() {
                line.summary.push(' ');
            }
            line.summary.push_str(words.trim());
            self.rest = after;
            self.skip();
        }
        line.name = self.word();
        self.expect(':', &line.name)?;
        line.category = self.word();
        self.expect(',', &line.name)?;
        line.retry = self.word();
        self.expect(',', &line.name)?;
        line.hint = self.string(&line.name)?;
        self.expect(';', &line.name)?;
        if line.summary.is_empty() {
            return Err(format!("`{}` has no `///` summary", line.name));
        }
        Ok(line)
    }

    fn word(&mut self) -> String {
        self.skip();
        let end = self
            .rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.rest.len());
        let (word, after) = self.rest.split_at(end);
        self.rest = after;
        word.to_owned()
    }

    fn expect(&mut self, wanted: char, near: &str) -> Result<(), String> {
        self.skip();
        self.rest = self.rest.strip_prefix(wanted).ok_or_else(|| {
            let seen: String = self.rest.chars().take(20).collect();
            format!("near `{near}`: want `{wanted}`, found `{seen}`")
        })?;
        Ok(())
    }

    /// Reads a plain string literal; a backslash before a line end joins the lines as the compiler does.
    fn string(&mut self, near: &str) -> Result<String, String> {
        self.expect('"', near)?;
        let mut text = String::new();
        let mut letters = self.rest.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, '\n')) => {
                        while letters.next_if(|(_, c)| c.is_whitespace()).is_some() {}
                    }
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err(format!("near `{near}`: a string without an end"))
    }
}

/// Turns a variant's name into the registry's word: `AfterChange` into `after-change`.
fn kebab(name: &str) -> String {
    let mut word = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.push(letter.to_ascii_lowercase());
    }
    word
}
