//! Finds the imports of a proto file.
//!
//! Not `protox-parse`: it gives nothing for a file with an error, and a file has one while it is typed.

/// Byte ranges of the strings of `import "x";` and `import public "x";`, without quotes.
pub(super) fn find_imports(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut imports = Vec::new();
    // True if a statement can begin here, and whether the current one is an import.
    let (mut is_start, mut is_import) = (true, false);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |length| at + length + 4);
                continue;
            }
            b'"' | b'\'' => {
                let start = at + 1;
                at = start;
                while bytes.get(at).is_some_and(|here| *here != byte && *here != b'\n') {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at = at.min(bytes.len());
                if is_import && text.get(start..at).is_some() {
                    imports.push((start, at));
                }
                (is_start, is_import) = (false, false);
            }
            b';' | b'{' | b'}' => (is_start, is_import) = (true, false),
            byte if byte.is_ascii_whitespace() => {}
            byte if byte.is_ascii_alphabetic() => {
                let length =
                    bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                match &bytes[at..at + length] {
                    b"import" if is_start => is_import = true,
                    b"public" | b"weak" | b"option" if is_import => {}
                    _ => is_import = false,
                }
                is_start = false;
                at += length;
                continue;
            }
            _ => (is_start, is_import) = (false, false),
        }
        at += 1;
    }
    imports
}
