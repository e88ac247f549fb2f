//! Places in a text as the protocol counts them, written anew for the tests: what the server counts is held against this.

use serde_json::{Value, json};

/// Code units of a text.
pub(crate) fn units(text: &str, encoding: &str) -> usize {
    match encoding {
        "utf-8" => text.len(),
        "utf-16" => text.encode_utf16().count(),
        "utf-32" => text.chars().count(),
        other => panic!("no encoding: {other}"),
    }
}

/// The lines of a text, without their ends, and where each begins.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        let end = at + if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        all.push((start, &rest[..at]));
        start += end;
        rest = &rest[end..];
    }
    all.push((start, rest));
    all
}

/// The byte at a position; `None` if there is no such place in the text.
pub(crate) fn offset(text: &str, position: &Value, encoding: &str) -> Option<usize> {
    let line = position["line"].as_u64()? as usize;
    let character = position["character"].as_u64()? as usize;
    let all = lines(text);
    let (start, line) = all.get(line)?;
    let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
    ends.into_iter().find(|at| units(&line[..*at], encoding) == character).map(|at| start + at)
}

/// The position of a byte.
pub(crate) fn position(text: &str, offset: usize, encoding: &str) -> Value {
    let all = lines(text);
    let (line, (start, _)) = all.iter().enumerate().rfind(|(_, (start, _))| *start <= offset).unwrap();
    json!({"line": line, "character": units(&text[*start..offset], encoding)})
}

/// The range of the first occurrence of some text.
pub(crate) fn range_of(text: &str, what: &str, encoding: &str) -> Value {
    let at = text.find(what).unwrap_or_else(|| panic!("{what:?} is not in {text:?}"));
    json!({"start": position(text, at, encoding), "end": position(text, at + what.len(), encoding)})
}

/// Returns the text in a range; `None` if the range lies outside.
pub(crate) fn slice<'t>(text: &'t str, range: &Value, encoding: &str) -> Option<&'t str> {
    text.get(offset(text, &range["start"], encoding)?..offset(text, &range["end"], encoding)?)
}

/// The text with these edits, which must not overlap.
pub(crate) fn edited(text: &str, edits: &[Value], encoding: &str) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let at = |end: &str| {
                offset(text, &edit["range"][end], encoding).unwrap_or_else(|| panic!("{edit} lies outside of {text:?}"))
            };
            (at("start"), at("end"), edit["newText"].as_str().unwrap())
        })
        .collect();
    all.sort_unstable();
    assert!(all.windows(2).all(|pair| pair[0].1 <= pair[1].0), "edits overlap: {edits:?}");
    let mut text = text.to_owned();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

/// The URI of a path, with as much escaped as may be.
pub(crate) fn uri(path: &std::path::Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let escape = |byte: &u8| if plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    format!("file://{}", path.to_str().unwrap().as_bytes().iter().map(escape).collect::<String>())
}

/// The path of a `file:` URI.
///
/// # Panics
/// If it is none that RFC 3986 allows.
pub(crate) fn path(uri: &str) -> std::path::PathBuf {
    let rest = uri.strip_prefix("file://").unwrap_or_else(|| panic!("{uri} names no file"));
    assert!(rest.starts_with('/'), "{uri} has no absolute path");
    let mut bytes = Vec::new();
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        if byte == b'%' {
            let code = [left.next().unwrap_or(b'!'), left.next().unwrap_or(b'!')];
            let code = std::str::from_utf8(&code).ok().and_then(|code| u8::from_str_radix(code, 16).ok());
            bytes.push(code.unwrap_or_else(|| panic!("{uri} has a % that escapes nothing")));
        } else {
            let allowed = byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte);
            assert!(allowed, "{uri} has {:?} as it is", char::from(byte));
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap().into()
}

/// Two spellings of one URI are the same: the path that they name, or what is no file as it is.
pub(crate) fn plain(uri: &str) -> String {
    if uri.starts_with("file:///") { path(uri).to_str().unwrap().to_owned() } else { uri.to_owned() }
}
