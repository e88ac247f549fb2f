//! Finds the strings of a Terraform file that name files.
//!
//! Not `hcl-edit`: it gives nothing for a file with an error, and a file has one while it is typed.

/// The construct that names a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TerraformReference {
    /// `source` of a `module`.
    Source,
    /// The first argument of `file`, `templatefile` and the like.
    File,
}

/// Functions whose first argument is a file.
const FILE_FUNCTIONS: [&[u8]; 9] = [
    b"file",
    b"templatefile",
    b"filebase64",
    b"filemd5",
    b"filesha1",
    b"filesha256",
    b"filesha512",
    b"filebase64sha256",
    b"filebase64sha512",
];

/// All references, each with the byte range of its string without quotes.
pub(super) fn find_references(text: &str) -> Vec<(TerraformReference, usize, usize)> {
    let bytes = text.as_bytes();
    let mut references = Vec::new();
    let (mut depth, mut is_module) = (0_usize, false);
    // The reference that a string would be at this offset.
    let mut next = None;
    let mut line_start = true;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let was_start = line_start;
        line_start = byte == b'\n' || was_start && byte.is_ascii_whitespace();
        match byte {
            b'#' => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => at = line_end(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = memchr::memmem::find(&bytes[at + 2..], b"*/").map_or(bytes.len(), |length| at + length + 4);
            }
            b'<' if bytes.get(at + 1) == Some(&b'<') => at = heredoc_end(bytes, at + 2),
            b'"' => {
                let end = string_end(bytes, at);
                if let (Some(kind), Some(inside)) = (next.take(), text.get(at + 1..end))
                    && !inside.is_empty()
                {
                    references.push((kind, at + 1, end));
                }
                at = (end + 1).min(bytes.len());
            }
            b'{' => (depth, at, next) = (depth + 1, at + 1, None),
            b'}' => (depth, at, next) = (depth.saturating_sub(1), at + 1, None),
            b'=' | b'(' => at += 1,
            byte if byte.is_ascii_whitespace() => {
                if byte == b'\n' {
                    next = next.filter(|kind| *kind == TerraformReference::File);
                }
                at += 1;
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let length = bytes[at..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
                    .count();
                let word = &bytes[at..at + length];
                at += length;
                if was_start && depth == 0 {
                    is_module = word == b"module";
                }
                let is_call = bytes.get(at) == Some(&b'(');
                next = if is_module && depth == 1 && was_start && word == b"source" {
                    Some(TerraformReference::Source)
                } else if is_call && FILE_FUNCTIONS.contains(&word) {
                    Some(TerraformReference::File)
                } else {
                    None
                };
            }
            _ => {
                next = None;
                at += 1;
            }
        }
    }
    references
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length)
}

/// The end of a string, in which interpolations may contain strings.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    let mut depth = 0_usize;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' => end += 1,
            b'$' | b'%' if bytes.get(end + 1) == Some(&b'{') => (depth, end) = (depth + 1, end + 1),
            b'{' if depth > 0 => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'"' if depth == 0 => break,
            b'\n' => break,
            _ => {}
        }
        end += 1;
    }
    end.min(bytes.len())
}

/// The offset after a here-document.
fn heredoc_end(bytes: &[u8], from: usize) -> usize {
    let from = from + usize::from(matches!(bytes.get(from), Some(b'-' | b'~')));
    let length =
        bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let Some(name) = bytes.get(from..from + length).filter(|name| !name.is_empty()) else {
        return from.min(bytes.len());
    };
    let mut at = line_end(bytes, from);
    while at < bytes.len() {
        let end = line_end(bytes, at + 1);
        if bytes[at + 1..end].trim_ascii() == name {
            return end;
        }
        at = end;
    }
    bytes.len()
}
