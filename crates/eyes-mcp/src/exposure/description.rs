//! What a model is told of one tool.

use crate::{
    catalog::CatalogTool,
    limits::{MAX_DESCRIPTION_CHARS, MAX_SUMMARY_CHARS},
    visible::{clean_line, clean_text},
};

/// The server's description, cleaned and bounded, and whose it is.
pub(super) fn managed(tool: &CatalogTool, server_name: &str) -> String {
    let said = said(tool);
    let separator = if said.is_empty() { "" } else { "\n\n" };
    format!(
        "{said}{separator}[MCP: {}; risk={}]",
        clean_line(server_name, 64),
        tool.risk
    )
}

/// The server's description, cleaned and bounded.
pub(super) fn said(tool: &CatalogTool) -> String {
    let definition = &tool.definition;
    let text = definition
        .description
        .as_deref()
        .or(definition.title.as_deref())
        .unwrap_or_default();
    clean_text(text.trim(), MAX_DESCRIPTION_CHARS)
}

/// The first sentence of the description in one line.
pub(super) fn summary(tool: &CatalogTool) -> String {
    let text = clean_line(&said(tool), MAX_DESCRIPTION_CHARS);
    let end = text
        .match_indices(['.', '。', '!', '?'])
        .map(|(at, mark)| (at + mark.len(), mark))
        .find(|(end, mark)| {
            *mark == "。" || text[*end..].is_empty() || text[*end..].starts_with(' ')
        })
        // An abbreviation at the beginning is no sentence.
        .filter(|(end, _)| *end > 16)
        .map_or(text.len(), |(end, _)| end);
    clean_line(&text[..end], MAX_SUMMARY_CHARS)
}
