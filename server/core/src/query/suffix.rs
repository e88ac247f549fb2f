//! Strips what names a position in a file: `:12:5`, `#L12`, `(12,5)`, `, line 12`, `#section`, `?query`, `::test`.

use super::note::Note;

/// Strips a line suffix. Only forms that no file name has count.
pub(super) fn strip_line_suffix(text: &str) -> Option<(&str, Note)> {
    let cut = find_colon(text).or_else(|| find_hash(text)).or_else(|| find_bracket(text)).or_else(|| find_words(text));
    cut.map(|(at, note)| (text[..at].trim_end(), note)).filter(|(path, _)| !path.is_empty())
}

/// Parses the line and column of a line suffix, both counted from 1: `:12:5`, `#L12C5`, `(12,5)`.
pub(crate) fn parse_position(text: &str) -> Option<(u32, Option<u32>)> {
    let text = text.trim();
    let (path, note) = strip_line_suffix(text)?;
    let rest = text[path.len()..].trim_start_matches(|c: char| !c.is_ascii_digit());
    let number = |text: &str| text[..text.bytes().take_while(u8::is_ascii_digit).count()].parse::<u32>().ok();
    let line = number(rest).filter(|&line| line > 0 && note == Note::LineSuffix)?;
    let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    // `:12-20` and `#L3-L9` are lines.
    let column = behind.strip_prefix([':', ',', 'C']).and_then(|rest| number(rest.trim_start()));
    Some((line, column.filter(|&column| column > 0)))
}

/// Finds `:12`, `:12:5`, `:12-20` or `:L12`, with any message behind it.
fn find_colon(text: &str) -> Option<(usize, Note)> {
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices(':') {
        // Nothing before it: not a suffix. One letter before it: a drive.
        if at < 2 {
            continue;
        }
        let rest = &text[at + 1..];
        let rest = rest.strip_prefix(['L', 'l']).unwrap_or(rest);
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || bytes[at - 1] == b':' {
            continue;
        }
        let after = &rest[digits..];
        if after.bytes().all(|b| b.is_ascii_digit() || b":,-.L".contains(&b)) {
            return Some((at, Note::LineSuffix));
        }
        // `:12: error: …`, `:12 +0x1d`, `:12:in 'call'`: a message has spaces; a name with a time in it has none.
        if after.starts_with([':', ' ', ',', ')', '\t', ';']) && after.contains([' ', '\t']) {
            return Some((at, Note::Message));
        }
    }
    None
}

/// Finds `#L12`, `#L3-L9` or `#L12C5`.
fn find_hash(text: &str) -> Option<(usize, Note)> {
    let at = text.rfind("#L").filter(|&at| at > 0)?;
    let rest = &text[at + 2..];
    let lines = rest.bytes().all(|b| b.is_ascii_digit() || b"LC-:,".contains(&b));
    (lines && rest.starts_with(|c: char| c.is_ascii_digit())).then_some((at, Note::LineSuffix))
}

/// Finds the bracket of `x.ts(12,5)` or `x.ts(12)`, with any message behind it.
fn find_bracket(text: &str) -> Option<(usize, Note)> {
    let at = text.find('(')?;
    let (inside, after) = text[at + 1..].split_once(')')?;
    // A name without extension has a directory before it, and line and column or a message behind it: `x/LICENSE(12,5)`.
    let is_path = text[..at].contains(['/', '\\']) && (inside.contains(',') || after.starts_with(": "));
    if !is_path && !has_extension(&text[..at]) {
        return None;
    }
    let place = inside.starts_with(|c: char| c.is_ascii_digit())
        && inside.bytes().all(|b| b.is_ascii_digit() || b",:- ".contains(&b));
    match after {
        "" if place => Some((at, Note::LineSuffix)),
        _ if place && after.starts_with(": ") => Some((at, Note::Message)),
        _ => None,
    }
}

/// Finds the suffix of `x.py, line 12`, `x.cs:line 12`, `x.php on line 12` or `x.rs (lines 3-9)`.
fn find_words(text: &str) -> Option<(usize, Note)> {
    let at = text.rfind("line ").or_else(|| text.rfind("lines ")).filter(|&at| at > 1)?;
    let number = text[at..].trim_start_matches("lines").trim_start_matches("line").trim_start();
    let head = &text[..at];
    if !number.starts_with(|c: char| c.is_ascii_digit()) || !head.ends_with([' ', ':', ',', '(']) {
        return None;
    }
    let head = head.trim_end_matches([' ', ':', ',', '(']);
    Some((head.strip_suffix(" on").or_else(|| head.strip_suffix(" at")).unwrap_or(head).len(), Note::LineSuffix))
}

/// Strips `#section`.
pub(super) fn strip_anchor(text: &str) -> Option<&str> {
    let at = text.find('#').filter(|&at| at > 0)?;
    let (head, anchor) = (&text[..at], &text[at + 1..]);
    // A directory named `c#` goes on after it.
    let goes_on = anchor.contains('/') && !has_extension(head);
    (!head.ends_with('/') && !goes_on).then_some(head)
}

/// Strips `?v=1` or `?raw`.
pub(super) fn strip_query_string(text: &str) -> Option<&str> {
    let (head, query) = text.split_once('?')?;
    let words = query.bytes().all(|b| b.is_ascii_alphanumeric() || b"=&_-.%+:,/#".contains(&b));
    (words && has_extension(head) && (query.contains('=') || !query.contains(['/', '.']))).then_some(head)
}

/// Strips `::test` or `:function` behind a file.
pub(super) fn strip_symbol(text: &str) -> Option<&str> {
    let at = text.find(':').filter(|&at| at > 1)?;
    let (head, symbol) = (&text[..at], text[at..].trim_start_matches(':'));
    let name = symbol.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !symbol.contains('/');
    // `a.b:call` is a module's function: the head without a slash is for the module reading.
    (name && has_extension(head)).then_some(head)
}

/// Strips `HEAD:`, `origin/main:` or `host:` before a path.
pub(super) fn strip_revision(text: &str) -> Option<&str> {
    let (revision, path) = text.split_once(':').filter(|(revision, _)| revision.len() > 1)?;
    let plain = revision.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-~^@".contains(&b));
    let pathlike = path.contains(['/', '.']) && !path.starts_with([':', '/']);
    (plain && pathlike && !has_extension(revision)).then_some(path)
}

/// The longest extension: `.caddyfiletest` and `.gitattributes` have 13 letters, `.code-workspace` 14.
const MAX_EXTENSION_BYTES: usize = 16;

/// Returns whether the last segment has a plausible extension.
fn has_extension(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=MAX_EXTENSION_BYTES).contains(&extension.len())
            && extension.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::parse_position;

    #[test]
    fn reads_lines_and_columns() {
        for (text, expected) in [
            ("a/b.rs:12:5", Some((12, Some(5)))),
            ("a/b.rs:12", Some((12, None))),
            ("a/b.rs:12-20", Some((12, None))),
            ("a/b.rs#L3-L9", Some((3, None))),
            ("a/b.rs#L3C4", Some((3, Some(4)))),
            ("a/b.ts(12,5)", Some((12, Some(5)))),
            ("a/b.rs", None),
            ("a/b.rs:0", None),
            ("a/b.rs:99999999999", None),
        ] {
            assert_eq!(parse_position(text), expected, "{text}");
        }
    }
}
