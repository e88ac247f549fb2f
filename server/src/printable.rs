//! Names made safe to show.
//!
//! A file can be called anything, also something that moves the cursor, ends the line or turns the reading direction round.

use pathfinder_core::quote::is_deceptive;

/// A name on one line.
pub(crate) fn printable(text: &str) -> String {
    escaped(text, is_bad)
}

/// The same for messages of several lines: their line ends stay.
pub(crate) fn printable_lines(text: &str) -> String {
    escaped(text, |character| character != '\n' && is_bad(character))
}

/// Whether a character is escaped. Joiners and the variation selectors of pictures are not: words of some languages have them, and
/// people copy such names.
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
