//! Finds the path literals of a Nix file.
//!
//! Not `rnix`: it builds a tree of the whole file, of which only the tokens of paths would be used.

use rustc_hash::FxHashSet;

/// A path literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NixPath {
    pub(super) at: usize,
    pub(super) end: usize,
    /// True if part of it is computed.
    pub(super) is_dynamic: bool,
    /// True for an argument of `import`.
    pub(super) is_import: bool,
    /// True if `pathExists` tests it anywhere in the file.
    pub(super) is_tested: bool,
}

/// All literals that begin with `./` or `../`.
pub(super) fn find_paths(text: &str) -> Vec<NixPath> {
    let bytes = text.as_bytes();
    let mut paths = Vec::new();
    let mut word: &[u8] = b"";
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |length| at + length + 4);
            }
            b'"' => (at, word) = (string_end(bytes, at), b""),
            b'\'' if bytes.get(at + 1) == Some(&b'\'') => (at, word) = (indented_string_end(bytes, at + 2), b""),
            byte if byte.is_ascii_whitespace() || byte == b'(' => at += 1,
            byte if is_part(byte) || byte == b'/' => {
                let start = at;
                let mut is_dynamic = false;
                loop {
                    at += bytes[at..].iter().take_while(|byte| is_part(**byte) || **byte == b'/').count();
                    if !bytes[at..].starts_with(b"${") || !bytes[start..at].contains(&b'/') {
                        break;
                    }
                    is_dynamic = true;
                    at += memchr::memchr(b'}', &bytes[at..]).map_or(bytes.len() - at, |length| length + 1);
                }
                let token = &bytes[start..at];
                if token.starts_with(b"./") || token.starts_with(b"../") {
                    let is_import = word.ends_with(b"import") || word.ends_with(b"callPackage");
                    let is_tested = word.ends_with(b"pathExists");
                    if text.get(start..at).is_some() {
                        paths.push(NixPath { at: start, end: at, is_dynamic, is_import, is_tested });
                    }
                }
                word = token;
            }
            _ => (at, word) = (at + 1, b""),
        }
    }
    let tested: FxHashSet<&str> =
        paths.iter().filter(|path| path.is_tested).map(|path| &text[path.at..path.end]).collect();
    for path in &mut paths {
        path.is_tested = tested.contains(&text[path.at..path.end]);
    }
    paths
}

/// Returns whether a byte can be part of a name or a path.
fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'-')
}

/// The offset after a string, in which interpolations may contain strings.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    let mut depth = 0_usize;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'$' if bytes.get(end + 1) == Some(&b'{') => (depth, end) = (depth + 1, end + 1),
            b'{' if depth > 0 => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'"' if depth == 0 => return end + 1,
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

/// The offset after `'' … ''`, where `'''`, `''$` and `''\` are escapes.
fn indented_string_end(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    let mut depth = 0_usize;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'$' if bytes.get(at + 1) == Some(&b'{') => (depth, at) = (depth + 1, at + 2),
            b'{' if depth > 0 => (depth, at) = (depth + 1, at + 1),
            b'}' if depth > 0 => (depth, at) = (depth - 1, at + 1),
            b'\'' if depth == 0 && bytes.get(at + 1) == Some(&b'\'') => match bytes.get(at + 2) {
                Some(b'\'' | b'$') => at += 3,
                Some(b'\\') => at += 4,
                _ => return at + 2,
            },
            _ => at += 1,
        }
    }
    bytes.len()
}
