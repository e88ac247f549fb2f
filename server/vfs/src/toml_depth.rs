//! Refuses TOML whose tables nest so deeply that parsing it could exhaust the stack.
//!
//! `toml_edit` limits the nesting of values and the length of dotted keys each by itself. A text that uses both nests as deeply as
//! the product of the two, and a parser or a destructor that recurses that deep ends the process.

use toml_edit::{DocumentMut, TomlError};

/// Maximum nesting of braces and brackets. Manifests have two or three; dotted keys of the parser's own maximum (80) on each level
/// then give less than 1,400 levels.
const MAX_NESTING: usize = 16;

/// Reasons why a text is not parsed.
#[derive(Debug, thiserror::Error)]
pub enum TomlTextError {
    /// Parsing it could exhaust the stack.
    #[error("its tables nest too deeply")]
    TooDeep,
    /// It is not TOML.
    #[error(transparent)]
    Syntax(#[from] TomlError),
}

/// Parses a text, unless it nests too deeply.
///
/// # Errors
/// If it does, or is not TOML.
pub fn parse(text: &str) -> Result<DocumentMut, TomlTextError> {
    if is_too_deep(text) { Err(TomlTextError::TooDeep) } else { Ok(text.parse()?) }
}

/// Returns whether a text could nest too deeply. Braces and brackets in strings and comments count too: a manifest that has as many
/// of them unclosed does not occur.
pub(crate) fn is_too_deep(text: &str) -> bool {
    let mut depth = 0usize;
    text.bytes().any(|byte| {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > MAX_NESTING
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_deep_tables_only() {
        let keys = "a.".repeat(79);
        let deep = format!("[{keys}a]\n{}1{}\n", format!("{keys}a = {{").repeat(79), "}".repeat(79));
        let check = |text: &str, expect: bool| assert_eq!(is_too_deep(text), expect, "{}", text.len());
        check(&deep, true);
        check("[package]\nname = \"a\"\n[dependencies]\nb = { version = \"1\", features = [\"c\"] }\n", false);
        check(&"[[bin]]\n".repeat(1000), false);
    }

    #[test]
    fn the_deepest_text_that_is_read_fits_the_stack() {
        let keys = "a.".repeat(79);
        let text = format!(
            "[{keys}a]\n{}a = 1{}\n",
            format!("{keys}a = {{").repeat(MAX_NESTING - 1),
            "}".repeat(MAX_NESTING - 1)
        );
        assert!(!is_too_deep(&text));
        // The stack of a thread that nothing configures.
        let parse = move || drop(text.parse::<toml_edit::DocumentMut>());
        std::thread::Builder::new().stack_size(2 << 20).spawn(parse).expect("a thread").join().expect("no panic");
    }
}
