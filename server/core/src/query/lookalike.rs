//! Replaces characters that look like others, and removes invisible ones.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Returns whether a character takes no room on a screen: zero-width spaces and joiners, marks of direction, soft hyphen, BOM.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// The text without invisible characters; `None` if it has none.
pub(super) fn strip_invisible(text: &str) -> Option<String> {
    if text.is_ascii() || !text.contains(is_invisible) {
        return None;
    }
    Some(text.chars().filter(|&c| !is_invisible(c)).collect())
}

/// The text with letters and accents composed (NFC); `None` if it is composed already.
pub(super) fn compose_accents(text: &str) -> Option<String> {
    if text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        return None;
    }
    let composed: String = text.nfc().collect();
    (composed != text).then_some(composed)
}

/// The text with typographic characters made plain; `None` if it has none.
pub(super) fn replace_lookalikes(text: &str) -> Option<String> {
    if text.is_ascii() || !text.contains(|c| plain_form(c) != c) {
        return None;
    }
    Some(text.chars().map(plain_form).collect())
}

/// The character that a plain keyboard has for this one.
fn plain_form(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201B}' | '\u{2032}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2044}' | '\u{2215}' | '\u{29F8}' => '/',
        '\u{2216}' | '\u{29F5}' => '\\',
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        // Full-width forms repeat ASCII in its own order.
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}
