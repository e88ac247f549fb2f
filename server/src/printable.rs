//! Names made safe to show.
//!
//! A file can be called anything, also something that moves the cursor, ends the line or turns the reading direction round.

/// A name on one line.
pub(crate) fn printable(text: &str) -> String {
    escaped(text, |character| character.is_control() || turns(character))
}

/// The same for messages of several lines: their line ends stay.
pub(crate) fn printable_lines(text: &str) -> String {
    escaped(text, |character| (character.is_control() && character != '\n') || turns(character))
}

fn turns(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escaped(text: &str, bad: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if bad(character) { out.extend(character.escape_default()) } else { out.push(character) }
    }
    out
}
