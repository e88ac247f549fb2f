//! Makes file names safe to print.
//!
//! A name can contain characters that move the cursor, end the line or reverse the reading direction.

use pathfinder_core::quote::is_deceptive;

/// Escapes unsafe characters and line ends.
pub fn printable(text: &str) -> String {
    escaped(text, is_bad)
}

/// Escapes unsafe characters in a message of several lines; line ends stay.
pub fn printable_lines(text: &str) -> String {
    escaped(text, |character| character != '\n' && is_bad(character))
}

/// Returns whether a character is escaped. Joiners and the variation selectors of emoji are not: words of some languages
/// contain them, and users copy such names.
fn is_bad(character: char) -> bool {
    is_deceptive(character) && !matches!(character, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

fn escaped(text: &str, bad: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if bad(character) { out.extend(character.escape_default()) } else { out.push(character) }
    }
    out
}
