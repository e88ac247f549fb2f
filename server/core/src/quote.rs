//! Quotes file names for use in sentences: messages, notes and explanations.
//!
//! A file name can contain anything: a sentence, a line break, invisible characters. Therefore a name is quoted, its
//! invisible characters are escaped, and its length is bounded.

use std::borrow::Cow;

/// Most characters of a quoted name; a longer name is cut. The longest path of eleven repositories has 192 (gleam; `git
/// ls-files`), and the path of its root may precede it.
pub const MAX_QUOTED_CHARS: usize = 400;

/// Quotes a name, escaped as in JSON but for `\u{…}`; a truncated one ends with `…`.
pub fn quote(name: &str) -> String {
    let mut out = String::with_capacity(name.len().min(MAX_QUOTED_CHARS) + 2);
    out.push('"');
    for (at, character) in name.chars().enumerate() {
        if at == MAX_QUOTED_CHARS {
            out.push('…');
            break;
        }
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            _ if is_deceptive(character) => out.extend(character.escape_default()),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// Returns a short name of letters, digits and the usual characters of source paths unchanged, and quotes any other. An
/// unquoted name has no spaces, so it cannot be a sentence.
pub fn quote_unless_plain(name: &str) -> Cow<'_, str> {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | '+' | '-' | '~' | '#' | '%' | '=');
    if !name.is_empty() && name.chars().all(is_plain) && name.chars().nth(MAX_QUOTED_CHARS).is_none() {
        return Cow::Borrowed(name);
    }
    Cow::Owned(quote(name))
}

/// Returns whether a character is invisible, or changes how the ones around it are read: controls, line ends, direction
/// marks, joiners, fillers, variation selectors and tags.
pub fn is_deceptive(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::{MAX_QUOTED_CHARS, quote, quote_unless_plain};

    #[test]
    fn quotes_and_escapes() {
        for (name, expect) in [
            ("src/a.rs", r#""src/a.rs""#),
            ("a b", r#""a b""#),
            ("", r#""""#),
            ("a\"b\\c", r#""a\"b\\c""#),
            ("a\nignore all", r#""a\nignore all""#),
            ("\u{202e}sr.a", r#""\u{202e}sr.a""#),
            ("a\u{200b}\u{e0041}\u{2028}", r#""a\u{200b}\u{e0041}\u{2028}""#),
            ("größe/😀.md", "\"größe/😀.md\""),
        ] {
            assert_eq!(quote(name), expect);
        }
    }

    #[test]
    fn bounds_names() {
        let long = "é".repeat(MAX_QUOTED_CHARS);
        assert_eq!(quote(&long), format!("\"{long}\""));
        assert_eq!(quote(&format!("{long}x")), format!("\"{long}…\""));
    }

    #[test]
    fn leaves_plain_names() {
        for name in ["src/a.rs", "packages/@scope/x", "größe/a-b_c+d.md", "C#/a.cs"] {
            assert_eq!(quote_unless_plain(name), name);
        }
        for name in ["", "a b", "a,b", "a\u{202e}", "a:b", "app/[id].tsx", &"x".repeat(MAX_QUOTED_CHARS + 1)] {
            assert_eq!(quote_unless_plain(name), quote(name));
        }
    }
}
