//! Keys as the protocol wants them: UI Events `key` and `code`, and the codes of Windows.

use serde_json::{Value, json};

use crate::driver::{Key, Modifiers};

/// `key`, `code`, the virtual key code of Windows, and the text that it makes.
struct Definition {
    key: String,
    code: String,
    number: u32,
    text: String,
}

/// Named keys that make no text, but for Enter; the code is the name where it is empty.
const NAMED: &[(&str, &str, u32)] = &[
    ("Enter", "", 13),
    ("Tab", "", 9),
    ("Backspace", "", 8),
    ("Delete", "", 46),
    ("Escape", "", 27),
    ("Insert", "", 45),
    ("Home", "", 36),
    ("End", "", 35),
    ("PageUp", "", 33),
    ("PageDown", "", 34),
    ("ArrowLeft", "", 37),
    ("ArrowUp", "", 38),
    ("ArrowRight", "", 39),
    ("ArrowDown", "", 40),
    ("Shift", "ShiftLeft", 16),
    ("Control", "ControlLeft", 17),
    ("Alt", "AltLeft", 18),
    ("Meta", "MetaLeft", 91),
    ("CapsLock", "", 20),
    ("NumLock", "", 144),
    ("ScrollLock", "", 145),
    ("Pause", "", 19),
    ("PrintScreen", "", 44),
    ("ContextMenu", "", 93),
];

/// Symbols of the US layout: the character, with Shift, the code, its number.
const SYMBOLS: &[(char, char, &str, u32)] = &[
    (';', ':', "Semicolon", 186),
    ('=', '+', "Equal", 187),
    (',', '<', "Comma", 188),
    ('-', '_', "Minus", 189),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    ('`', '~', "Backquote", 192),
    ('[', '{', "BracketLeft", 219),
    ('\\', '|', "Backslash", 220),
    (']', '}', "BracketRight", 221),
    ('\'', '"', "Quote", 222),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
];

fn define(key: &Key, shift: bool) -> Definition {
    match key {
        Key::Named(name) => named(name),
        Key::Character(c) => character(*c, shift),
    }
}

fn named(name: &str) -> Definition {
    let text = if name == "Enter" { "\r" } else { "" };
    let (code, number) = match NAMED.iter().find(|(known, ..)| *known == name) {
        Some((_, "", number)) => (name, *number),
        Some((_, code, number)) => (*code, *number),
        None => (name, function_key(name).unwrap_or_default()),
    };
    Definition {
        key: name.to_owned(),
        code: code.to_owned(),
        number,
        text: text.to_owned(),
    }
}

/// `F1` to `F24`.
fn function_key(name: &str) -> Option<u32> {
    let number: u32 = name.strip_prefix('F')?.parse().ok()?;
    (1..=24).contains(&number).then_some(111 + number)
}

fn character(c: char, shift: bool) -> Definition {
    let made = |key: char, code: String, number| Definition {
        key: key.to_string(),
        code,
        number,
        text: key.to_string(),
    };
    match c {
        '\n' | '\r' => return named("Enter"),
        '\t' => return named("Tab"),
        ' ' => return made(' ', "Space".to_owned(), 32),
        _ => {}
    }
    if c.is_ascii_alphabetic() {
        let upper = c.to_ascii_uppercase();
        return made(
            if shift { upper } else { c },
            format!("Key{upper}"),
            u32::from(upper),
        );
    }
    match SYMBOLS
        .iter()
        .find(|(plain, shifted, ..)| *plain == c || *shifted == c)
    {
        Some((_, shifted, code, number)) => made(
            if shift { *shifted } else { c },
            (*code).to_owned(),
            *number,
        ),
        None => made(c, String::new(), 0),
    }
}

/// The bits of the protocol: Alt 1, Control 2, Meta 4, Shift 8.
pub(super) fn bits(modifiers: Modifiers) -> u32 {
    u32::from(modifiers.alt)
        | u32::from(modifiers.control) << 1
        | u32::from(modifiers.meta) << 2
        | u32::from(modifiers.shift) << 3
}

/// The keys of modifiers, in the order in which they are pressed.
pub(super) fn modifier_keys(modifiers: Modifiers) -> Vec<Key> {
    [
        (modifiers.control, "Control"),
        (modifiers.alt, "Alt"),
        (modifiers.meta, "Meta"),
        (modifiers.shift, "Shift"),
    ]
    .into_iter()
    .filter(|(held, _)| *held)
    .map(|(_, name)| Key::Named(name))
    .collect()
}

/// Adds a key to the modifiers that are held, where it is one.
pub(super) fn with(mut modifiers: Modifiers, key: &Key) -> Modifiers {
    match key {
        Key::Named("Control") => modifiers.control = true,
        Key::Named("Alt") => modifiers.alt = true,
        Key::Named("Meta") => modifiers.meta = true,
        Key::Named("Shift") => modifiers.shift = true,
        _ => {}
    }
    modifiers
}

/// The event of a key that goes down.
pub(super) fn down(key: &Key, modifiers: Modifiers) -> Value {
    let definition = define(key, modifiers.shift);
    let makes_text =
        !definition.text.is_empty() && !modifiers.control && !modifiers.meta && !modifiers.alt;
    let mut event = event(
        &definition,
        modifiers,
        if makes_text { "keyDown" } else { "rawKeyDown" },
    );
    if makes_text {
        event["text"] = json!(definition.text);
        event["unmodifiedText"] = json!(definition.text);
    }
    event
}

/// The event of a key that goes up.
pub(super) fn up(key: &Key, modifiers: Modifiers) -> Value {
    event(&define(key, modifiers.shift), modifiers, "keyUp")
}

fn event(definition: &Definition, modifiers: Modifiers, kind: &str) -> Value {
    json!({
        "type": kind, "key": definition.key, "code": definition.code, "modifiers": bits(modifiers),
        "windowsVirtualKeyCode": definition.number, "nativeVirtualKeyCode": definition.number,
    })
}
