//! Decodes escaped characters: percent-encoding, shell and git escapes, interpreted backslashes.

/// Decodes percent-encoding; `None` if there is none, or the result is not text that a path can hold.
pub(super) fn decode_percent(text: &str) -> Option<String> {
    text.find('%')?;
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = (bytes[at] == b'%')
            .then(|| Some((hex_digit(*bytes.get(at + 1)?)?, hex_digit(*bytes.get(at + 2)?)?)))
            .flatten();
        if let Some((high, low)) = pair {
            out.push(high << 4 | low);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    (out.len() < bytes.len()).then(|| to_text(out)).flatten()
}

fn hex_digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Decodes git's `\303\251`, if every backslash begins such an escape.
pub(super) fn decode_octal(text: &str) -> Option<String> {
    text.find('\\')?;
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            let value = bytes
                .get(at + 1..at + 4)?
                .iter()
                .try_fold(0_u32, |value, &digit| Some(value * 8 + char::from(digit).to_digit(8)?))?;
            // Git escapes only non-ASCII bytes; `\123` is a directory.
            out.push(u8::try_from(value).ok().filter(|byte| !byte.is_ascii())?);
            at += 4;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    to_text(out)
}

fn to_text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains(|c: char| c.is_control()))
}

/// Removes the escapes of a shell or Markdown, if every backslash stands before a character that needs one.
pub(super) fn unescape_shell(text: &str) -> Option<String> {
    text.find('\\')?;
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            out.push(chars.next().filter(|&next| " ()[]{}&'\"$!#*?;`<>|_~".contains(next))?);
        } else {
            out.push(c);
        }
    }
    Some(out)
}

/// Reads backslashes as separators, and drops the prefixes `\\?\` and `\\.\`, which lift Windows' limit on length.
pub(super) fn backslashes_to_slashes(text: &str) -> Option<String> {
    text.find('\\')?;
    let short = text.strip_prefix(r"\\?\").or_else(|| text.strip_prefix(r"\\.\"));
    let share = short.and_then(|rest| rest.strip_prefix(r"UNC\")).map(|share| format!("//{share}"));
    Some(share.as_deref().or(short).unwrap_or(text).replace('\\', "/"))
}

/// Restores the backslash and letter from which a string literal made a control character, as `/` and the letter.
pub(super) fn restore_backslashes(text: &str) -> Option<String> {
    if !text.contains(|c: char| c.is_ascii_control()) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\u{7}' => out.push_str("/a"),
            '\u{8}' => out.push_str("/b"),
            '\t' => out.push_str("/t"),
            '\n' => out.push_str("/n"),
            '\u{b}' => out.push_str("/v"),
            '\u{c}' => out.push_str("/f"),
            '\r' => out.push_str("/r"),
            '\u{1b}' => out.push_str("/e"),
            other => out.push(other),
        }
    }
    (out.len() > text.len()).then_some(out)
}
