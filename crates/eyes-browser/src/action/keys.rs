//! Names of keys (UI Events, `KeyboardEvent` key values) and chords such as `Control+Shift+a`.

use crate::driver::{Key, KeyChord, Modifiers};

/// Every key that has a name instead of a character, as the standard spells it.
pub const NAMED: &[&str] = &[
    "Enter",
    "Tab",
    "Escape",
    "Backspace",
    "Delete",
    "Insert",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowUp",
    "ArrowDown",
    "ArrowLeft",
    "ArrowRight",
    "Shift",
    "Control",
    "Alt",
    "Meta",
    "CapsLock",
    "ContextMenu",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
];

/// Other spellings that callers use.
const ALIASES: &[(&str, &str)] = &[
    ("return", "Enter"),
    ("esc", "Escape"),
    ("del", "Delete"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("ctrl", "Control"),
    ("option", "Alt"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("win", "Meta"),
    ("super", "Meta"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
];

/// Reads one key: a character, or a name in any case; `Space` is the character.
pub fn key(text: &str) -> Option<Key> {
    let mut chars = text.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return (!only.is_control()).then_some(Key::Character(only));
    }
    if text.eq_ignore_ascii_case("space") {
        return Some(Key::Character(' '));
    }
    let alias = ALIASES
        .iter()
        .find(|(from, _)| text.eq_ignore_ascii_case(from));
    let name = alias.map_or(text, |(_, to)| to);
    NAMED
        .iter()
        .find(|known| known.eq_ignore_ascii_case(name))
        .map(|known| Key::Named(known))
}

/// Reads a key with modifiers in front of it, joined by `+`; the key itself may be `+`.
pub fn chord(text: &str) -> Option<KeyChord> {
    let (front, last) = match text.strip_suffix('+') {
        Some(front) => (front.strip_suffix('+').unwrap_or(front), "+"),
        None => text.rsplit_once('+').unwrap_or(("", text)),
    };
    let mut modifiers = Modifiers::default();
    for name in front.split('+').filter(|_| !front.is_empty()) {
        add(&mut modifiers, name)?;
    }
    let key = key(last)?;
    Some(KeyChord { key, modifiers })
}

/// Adds one modifier by its name; nothing where it is none.
pub fn add(modifiers: &mut Modifiers, name: &str) -> Option<()> {
    match key(name.trim())? {
        Key::Named("Alt") => modifiers.alt = true,
        Key::Named("Control") => modifiers.control = true,
        Key::Named("Meta") => modifiers.meta = true,
        Key::Named("Shift") => modifiers.shift = true,
        _ => return None,
    }
    Some(())
}

/// Lists the names of modifiers that are held.
pub fn held(modifiers: Modifiers) -> impl Iterator<Item = &'static str> {
    [
        (modifiers.control, "Control"),
        (modifiers.alt, "Alt"),
        (modifiers.meta, "Meta"),
        (modifiers.shift, "Shift"),
    ]
    .into_iter()
    .filter_map(|(is_held, name)| is_held.then_some(name))
}

/// Writes a key so that [`key`] reads it again.
pub fn key_text(key: &Key) -> String {
    match key {
        Key::Character(' ') => "Space".to_owned(),
        Key::Character(c) => c.to_string(),
        Key::Named(name) => (*name).to_owned(),
    }
}

/// Writes a chord so that [`chord`] reads it again.
pub fn chord_text(chord: &KeyChord) -> String {
    let mut text = String::new();
    for name in held(chord.modifiers) {
        text.push_str(name);
        text.push('+');
    }
    text + &key_text(&chord.key)
}
