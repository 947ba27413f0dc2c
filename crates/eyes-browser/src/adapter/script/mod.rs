//! The script that looks at a document and acts in it, and what it answers with.
//!
//! It runs beside the page, where the protocol allows it in a world of its own that the page does not see. It answers
//! with JSON text, which every protocol carries alike.

mod wire;

use std::sync::OnceLock;

use serde::Serialize;
pub(crate) use wire::{
    Aim, Answer, Checked, Collected, Found, Place, Prepared, Rect, Refusal, Selected, Settle,
    bounds,
};

use crate::limits::{
    MAX_FOUND, MAX_HOSTS, MAX_HREF_CHARS, MAX_NAME_CHARS, MAX_OPTION_CHARS, MAX_OPTIONS,
    MAX_TITLE_CHARS, MAX_URL_CHARS, MAX_VALUE_CHARS,
};

const PARTS: [&str; 7] = [
    include_str!("tree.js"),
    include_str!("name.js"),
    include_str!("collect.js"),
    include_str!("find.js"),
    include_str!("watch.js"),
    include_str!("act.js"),
    include_str!("install.js"),
];

/// Returns the whole script; running it twice in one place is running it once.
pub(crate) fn source() -> &'static str {
    static SOURCE: OnceLock<String> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let bounds = format!(
            "const MAX_NAME = {MAX_NAME_CHARS}, MAX_VALUE = {MAX_VALUE_CHARS}, MAX_HREF = {MAX_HREF_CHARS}, \
             MAX_OPTIONS = {MAX_OPTIONS}, MAX_OPTION = {MAX_OPTION_CHARS}, MAX_URL = {MAX_URL_CHARS}, \
             MAX_TITLE = {MAX_TITLE_CHARS}, MAX_FOUND = {MAX_FOUND}, MAX_HOSTS = {MAX_HOSTS};\n\
             const SKIPPED = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'title', 'param', 'source', 'track']);\n"
        );
        format!(
            "(() => {{ 'use strict'; if (globalThis.__eyes) return;\n{bounds}{}}})();",
            PARTS.concat()
        )
    })
}

/// Writes a call of one of the script's functions.
pub(crate) fn call(function: &str, arguments: &impl Serialize) -> String {
    // A tuple or a list becomes an array; text of ours always becomes JSON.
    let arguments = serde_json::to_string(arguments).unwrap_or_else(|_| "[]".to_owned());
    format!("__eyes.{function}(...{arguments})")
}
