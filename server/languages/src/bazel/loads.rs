//! Finds the `load` statements of a Starlark file.

/// Ranges of the first strings of `load("x", …)`, without quotes.
pub(super) fn find_loads(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut loads = Vec::new();
    let mut at = 0;
    let mut is_line_start = true;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => {
                at = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
                continue;
            }
            b'"' | b'\'' => {
                at = string_end(bytes, at).1;
                is_line_start = false;
                continue;
            }
            b'l' if is_line_start && bytes[at..].starts_with(b"load") => {
                let skip = |at: usize| at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                let open = skip(at + 4);
                if bytes.get(open) == Some(&b'(') {
                    let start = skip(open + 1);
                    if let Some(b'"' | b'\'') = bytes.get(start) {
                        let (end, after) = string_end(bytes, start);
                        if text.get(start + 1..end).is_some_and(|inside| !inside.is_empty()) {
                            loads.push((start + 1, end));
                        }
                        at = after;
                        continue;
                    }
                }
            }
            _ => {}
        }
        is_line_start = byte == b'\n';
        at += 1;
    }
    loads
}

/// The end of a string's content, and the offset after the string. A string with single quotes ends at the latest with
/// its line.
pub(super) fn string_end(bytes: &[u8], at: usize) -> (usize, usize) {
    let mark = bytes[at];
    let triple = [mark; 3];
    if bytes[at..].starts_with(&triple) {
        let end = memchr::memmem::find(&bytes[at + 3..], &triple).map_or(bytes.len(), |length| at + 3 + length);
        return (end, (end + 3).min(bytes.len()));
    }
    let mut end = at + 1;
    while bytes.get(end).is_some_and(|byte| *byte != mark && *byte != b'\n') {
        end += 1 + usize::from(bytes[end] == b'\\');
    }
    let end = end.min(bytes.len());
    (end, (end + 1).min(bytes.len()))
}
