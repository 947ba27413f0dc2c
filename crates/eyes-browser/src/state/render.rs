//! States as lines of text for a model: about 30 characters an element, and never more bytes than asked for.

use std::fmt::Write as _;

use super::{BrowserState, ElementState, PageState, StateChange, plain, quoted};
use crate::{
    action::Ref,
    driver::{ConsoleLevel, DialogKind, DownloadState, Tristate},
    limits::{MAX_DIALOG_CHARS, MAX_HREF_CHARS, MAX_NAME_CHARS, MAX_TITLE_CHARS, MAX_VALUE_CHARS},
};

/// How much is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// Bytes at most.
    pub max_bytes: usize,
    /// Whether boxes and addresses of links are written.
    pub rich: bool,
}

/// Characters of the page's address that are written; the whole of it stands in the JSON form.
const URL_CHARS: usize = 500;
/// Bytes kept for the lines that tell what was left out.
const RESERVE: usize = 200;

/// Lines up to a number of bytes.
struct Lines {
    text: String,
    max: usize,
}

impl Lines {
    /// Adds a line if it fits.
    fn push(&mut self, line: &str) -> bool {
        let fits = self.text.len() + line.len() < self.max;
        if fits {
            self.text.push_str(line);
            self.text.push('\n');
        }
        fits
    }

    const fn left(&self) -> usize {
        self.max.saturating_sub(self.text.len())
    }
}

/// Writes a whole state.
pub fn render_full(state: &BrowserState, detail: Detail) -> String {
    let mut lines = Lines {
        text: String::new(),
        max: detail.max_bytes.saturating_sub(RESERVE),
    };
    let page = &state.page;
    head(&mut lines, state);
    place(&mut lines, page);
    around(&mut lines, page);
    let text_bytes: usize = page.text.iter().map(|line| line.len() + 3).sum();
    let for_text = text_bytes.min(lines.left() / 4);
    lines.max -= for_text;
    elements(&mut lines, page, detail);
    lines.max += for_text;
    text(&mut lines, page);
    lines.max += RESERVE;
    lines.text
}

/// Writes what changed, and what is around the page.
pub fn render_change(state: &BrowserState, change: &StateChange, detail: Detail) -> String {
    let mut lines = Lines {
        text: String::new(),
        max: detail.max_bytes.saturating_sub(RESERVE),
    };
    let page = &state.page;
    head(&mut lines, state);
    place(&mut lines, page);
    around(&mut lines, page);
    if change.is_empty() {
        lines.push("nothing changed");
        return lines.text;
    }
    let mut left_out = 0;
    for item in &change.changed {
        let Some(element) = page.element(item.reference) else {
            continue;
        };
        let mut line = format!("~ {} {}", item.reference, who(element));
        for facet in &item.facets {
            line.push_str(&facet_text(facet));
        }
        left_out += usize::from(!lines.push(&line));
    }
    for reference in &change.added {
        if let Some(element) = page.element(*reference) {
            let line = format!("+ {}", element_line(element, detail.rich));
            left_out += usize::from(!lines.push(&line));
        }
    }
    if !change.removed.is_empty() {
        let why = if change.complete {
            "gone"
        } else {
            "not listed now"
        };
        lines.push(&format!("- {} {why}", ranges(&change.removed)));
    }
    if change.view_moved {
        let shown = page.elements.iter().filter(|e| e.in_viewport);
        let shown: Vec<Ref> = shown.map(|e| e.reference).collect();
        lines.push(&format!("in view: {}", ranges(&shown)));
    }
    for line in &change.text_added {
        left_out += usize::from(!lines.push(&format!("+ | {}", plain(line, line.len()))));
    }
    if change.text_removed > 0 {
        lines.push(&format!("- {} lines of text", change.text_removed));
    }
    lines.max += RESERVE;
    if left_out > 0 {
        lines.push(&format!("{left_out} more changes: observe to see all"));
    }
    lines.text
}

fn head(lines: &mut Lines, state: &BrowserState) {
    lines.push(&format!("state {} #{}", state.state_id, state.sequence));
    if let Some(picture) = state.picture {
        lines.push(&format!(
            "picture {}x{} scale {}: x and y are its pixels",
            picture.width,
            picture.height,
            rounded(picture.scale)
        ));
    }
}

fn place(lines: &mut Lines, page: &PageState) {
    lines.push(&format!("url {}", quoted(&page.url, URL_CHARS)));
    lines.push(&format!("title {}", quoted(&page.title, MAX_TITLE_CHARS)));
    let (view, scroll) = (page.viewport, page.scroll);
    let loading = if page.loaded { "" } else { " loading" };
    let scope = if page.scoped { " (a part only)" } else { "" };
    lines.push(&format!(
        "view {}x{} scroll {},{} of {}x{}{loading}{scope}",
        view.width, view.height, scroll.x, scroll.y, scroll.document_width, scroll.document_height
    ));
}

fn around(lines: &mut Lines, page: &PageState) {
    if page.tabs.len() > 1 {
        for tab in &page.tabs {
            let mark = if tab.id == page.tab {
                " (this page)"
            } else {
                ""
            };
            let (title, url) = (quoted(&tab.title, 60), quoted(&tab.url, 120));
            let opener = tab
                .opener
                .map_or_else(String::new, |t| format!(" from {t}"));
            lines.push(&format!("tab {} {title} {url}{opener}{mark}", tab.id));
        }
    }
    if let Some(dialog) = &page.dialog {
        let kind = match dialog.kind {
            DialogKind::Alert => "alert",
            DialogKind::Confirm => "confirm",
            DialogKind::Prompt => "prompt",
            DialogKind::Beforeunload => "beforeunload",
        };
        let default = dialog.default.as_ref().map_or_else(String::new, |text| {
            format!(" default {}", quoted(text, MAX_VALUE_CHARS))
        });
        let message = quoted(&dialog.message, MAX_DIALOG_CHARS);
        lines.push(&format!(
            "dialog {kind} {message}{default}: answer it with `dialog`"
        ));
    }
    if let Some(chooser) = &page.chooser {
        let count = if chooser.multiple {
            "files"
        } else {
            "one file"
        };
        lines.push(&format!(
            "file chooser for {count}: answer it with `upload`"
        ));
    }
    for download in &page.downloads {
        let name = quoted(&download.name, MAX_NAME_CHARS);
        let state = match &download.state {
            DownloadState::Running => "running".to_owned(),
            DownloadState::Done { path, sha256 } => {
                let path = path.to_string_lossy();
                format!("done {} sha256 {sha256}", quoted(&path, MAX_HREF_CHARS))
            }
            DownloadState::Stopped { reason } => {
                format!("stopped: {}", quoted(reason, MAX_NAME_CHARS))
            }
        };
        lines.push(&format!(
            "download {} {name} {} bytes {state}",
            download.id, download.bytes
        ));
    }
    diagnostics(lines, page);
}

fn diagnostics(lines: &mut Lines, page: &PageState) {
    let said = &page.diagnostics;
    if said.console_total > 0 {
        lines.push(&format!("console {} since last:", said.console_total));
        for entry in &said.console {
            let level = match entry.level {
                ConsoleLevel::Warning => "warning",
                ConsoleLevel::Error => "error",
                ConsoleLevel::Exception => "exception",
            };
            lines.push(&format!("! {level} {}", quoted(&entry.text, 160)));
        }
    }
    if said.failed_total > 0 {
        lines.push(&format!(
            "requests failed {} of {} since last:",
            said.failed_total, said.request_total
        ));
        for failed in &said.requests {
            let (method, url) = (plain(&failed.method, 20), quoted(&failed.url, 160));
            lines.push(&format!("! {method} {url} {}", quoted(&failed.failure, 60)));
        }
    }
    if !page.unknown.is_empty() {
        let names: Vec<String> = page
            .unknown
            .iter()
            .filter_map(|unknown| {
                serde_json::to_value(unknown)
                    .ok()?
                    .as_str()
                    .map(str::to_owned)
            })
            .collect();
        lines.push(&format!("not seen: {}", names.join(", ")));
    }
}

fn elements(lines: &mut Lines, page: &PageState, detail: Detail) {
    if page.dialog.is_some() && page.elements.is_empty() {
        return;
    }
    let (shown, total) = (page.in_viewport_total, page.element_total);
    lines.push(&format!("elements {total}, {shown} in view:"));
    let mut written = 0_u32;
    let mut frame = None;
    let mut outside = false;
    for element in &page.elements {
        if !element.in_viewport && !outside {
            outside = true;
            if written > 0 || shown > 0 {
                lines.push("not in view:");
            }
        }
        if element.frame != frame {
            frame.clone_from(&element.frame);
            let name = frame.as_ref().map_or_else(
                || "main frame:".to_owned(),
                |frame| format!("frame {}:", quoted(frame, 100)),
            );
            lines.push(&name);
        }
        if !lines.push(&element_line(element, detail.rich)) {
            break;
        }
        written += 1;
    }
    let more = total.saturating_sub(written);
    if more > 0 {
        lines.max += RESERVE / 2;
        lines.push(&format!(
            "{more} more elements: observe with region, ref or find, or scroll"
        ));
        lines.max -= RESERVE / 2;
    }
}

fn text(lines: &mut Lines, page: &PageState) {
    let chars: usize = page.text.iter().map(|line| line.chars().count()).sum();
    if page.text.is_empty() {
        return;
    }
    lines.push("text:");
    let mut written = 0;
    for line in &page.text {
        if !lines.push(&format!("| {}", plain(line, line.len()))) {
            break;
        }
        written += line.chars().count();
    }
    let more = (page.text_total as usize)
        .max(chars)
        .saturating_sub(written);
    if more > 0 {
        lines.max += RESERVE / 2;
        lines.push(&format!(
            "{more} more characters: observe with wholeText, find or ref"
        ));
        lines.max -= RESERVE / 2;
    }
}

/// Writes role and name.
pub(crate) fn who(element: &ElementState) -> String {
    if element.name.is_empty() {
        plain(&element.role, 40)
    } else {
        format!(
            "{} {}",
            plain(&element.role, 40),
            quoted(&element.name, MAX_NAME_CHARS)
        )
    }
}

/// Writes one element.
pub(crate) fn element_line(e: &ElementState, rich: bool) -> String {
    let mut line = format!("{} {}", e.reference, who(e));
    // Writing to a string cannot fail.
    let mut add = |part: std::fmt::Arguments<'_>| {
        let _ = line.write_fmt(part);
    };
    match (&e.value, e.value_chars) {
        (Some(value), Some(chars)) => {
            add(format_args!(
                " ={} of {chars} characters",
                quoted(value, MAX_VALUE_CHARS)
            ));
        }
        (Some(value), None) => add(format_args!(" ={}", quoted(value, MAX_VALUE_CHARS))),
        (None, Some(chars)) => add(format_args!(" =({chars} characters)")),
        (None, None) => {}
    }
    if !e.options.is_empty() {
        let options: Vec<_> = e.options.iter().map(|o| quoted(o, 30)).collect();
        add(format_args!(" of {}", options.join("|")));
    }
    let f = e.flags;
    let words = [
        (f.checked == Some(Tristate::True), "checked"),
        (f.checked == Some(Tristate::False), "unchecked"),
        (f.checked == Some(Tristate::Mixed), "mixed"),
        (f.pressed == Some(Tristate::True), "pressed"),
        (f.selected == Some(true), "selected"),
        (f.expanded == Some(true), "expanded"),
        (f.expanded == Some(false), "collapsed"),
        (f.disabled, "disabled"),
        (f.readonly, "readonly"),
        (f.required, "required"),
        (f.invalid, "invalid"),
        (f.secret, "secret"),
        (f.focused, "focused"),
    ];
    for (is, word) in words {
        if is {
            add(format_args!(" {word}"));
        }
    }
    if let Some(cover) = &e.covered_by {
        // The driver writes the cover as `div "Cookies"`; a page cannot end the line with it.
        add(format_args!(" covered by {}", plain(cover, MAX_NAME_CHARS)));
    }
    if let Some(href) = e.href.as_ref().filter(|_| rich || e.name.is_empty()) {
        add(format_args!(" -> {}", quoted(href, MAX_HREF_CHARS)));
    }
    if rich {
        let b = e.bounds;
        let [x, y, w, h] = [b.x, b.y, b.width, b.height].map(f64::round);
        add(format_args!(" at {x},{y} {w}x{h}"));
    }
    line
}

fn facet_text(facet: &super::Facet) -> String {
    match (facet.before.as_str(), facet.after.as_str()) {
        ("false" | "", "true") => format!(" now {}", facet.field),
        ("true", "false" | "") => format!(" no longer {}", facet.field),
        (before, after) => format!(
            " {} {} -> {}",
            facet.field,
            quoted(before, MAX_VALUE_CHARS),
            quoted(after, MAX_VALUE_CHARS)
        ),
    }
}

/// Writes refs, runs of them as `e5-e9`.
pub(crate) fn ranges(refs: &[Ref]) -> String {
    let mut sorted: Vec<u32> = refs.iter().map(|r| r.0).collect();
    sorted.sort_unstable();
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for number in sorted {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let shown = parts.iter().take(60).map(|(from, to)| match to - from {
        0 => format!("e{from}"),
        _ => format!("e{from}-e{to}"),
    });
    let mut text = shown.collect::<Vec<_>>().join(" ");
    if parts.len() > 60 {
        text.push_str(" …");
    }
    text
}

/// A factor with at most four decimals.
pub(crate) fn rounded(factor: f64) -> f64 {
    (factor * 1e4).round() / 1e4
}
