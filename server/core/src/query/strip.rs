//! Strips the text around a path: terminal colours, white space, quotes, brackets, punctuation, list marks.

use super::note::Note;

/// Layers that are stripped at most: no quotation nests deeper, and each layer costs a pass.
const MAX_LAYERS: usize = 8;

/// True for straight and typographic quotes, and for backticks.
pub(super) fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '`' | '\u{2018}'..='\u{201F}' | '\u{AB}' | '\u{BB}' | '\u{2039}' | '\u{203A}')
}

/// The text without terminal escape sequences (`ESC [ … letter`); `None` if it has none.
pub(super) fn strip_colours(text: &str) -> Option<String> {
    if !text.contains("\u{1b}[") {
        return None;
    }
    let mut pieces = text.split("\u{1b}[");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        out.push_str(piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').get(1..).unwrap_or_default());
    }
    Some(out)
}

/// Strips one layer after the other, outermost first; `None` if there is none.
pub(super) fn strip_surroundings(text: &str) -> Option<(&str, Vec<Note>)> {
    let mut rest = text;
    let mut notes = Vec::new();
    for _ in 0..MAX_LAYERS {
        let Some((inner, note)) = strip_layer(rest) else { break };
        if inner.is_empty() {
            break;
        }
        rest = inner;
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    (rest.len() < text.len()).then_some((rest, notes))
}

/// Strips the outermost layer.
fn strip_layer(text: &str) -> Option<(&str, Note)> {
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        return Some((trimmed, Note::Space));
    }
    if let Some(inner) = strip_quotes(text) {
        return Some((inner, Note::Quotes));
    }
    if let Some(inner) = text.strip_prefix("**").and_then(|rest| rest.strip_suffix("**"))
        && !inner.contains('*')
        && !inner.starts_with('/')
        && !inner.ends_with('/')
    {
        return Some((inner, Note::Quotes));
    }
    strip_brackets(text).map(|inner| (inner, Note::Brackets)).or_else(|| {
        let inner = strip_punctuation(text);
        (inner.len() < text.len()).then_some((inner, Note::Punctuation))
    })
}

/// Strips a pair of quotes, or one quote without a partner. The quotes of `open 'a file'` stay.
fn strip_quotes(text: &str) -> Option<&str> {
    // Quotes that were escaped for a string bring their backslashes with them.
    let escaped = |rest: &&str| rest.starts_with(is_quote);
    let opened = text.strip_prefix('\\').filter(escaped).unwrap_or(text).strip_prefix(is_quote);
    let inner = opened.unwrap_or(text);
    let closed = inner.strip_suffix(is_quote).map(|rest| rest.strip_suffix('\\').unwrap_or(rest));
    match (opened, closed) {
        (Some(_), Some(both)) => Some(both),
        (Some(rest), None) | (None, Some(rest)) => (!rest.contains(is_quote)).then_some(rest),
        (None, None) => None,
    }
}

/// Strips a pair of brackets around the whole text, or one bracket without a partner.
fn strip_brackets(text: &str) -> Option<&str> {
    for (open, close) in [('(', ')'), ('[', ']'), ('{', '}'), ('<', '>')] {
        let opens = text.starts_with(open);
        let closes = text.ends_with(close);
        if opens && closes && find_closing_bracket(text, open, close) == Some(text.len() - 1) {
            return Some(&text[1..text.len() - 1]);
        }
        if opens && !text.contains(close) {
            return Some(&text[1..]);
        }
        if closes && !text.contains(open) {
            return Some(&text[..text.len() - 1]);
        }
    }
    None
}

/// The offset at which the first bracket closes.
fn find_closing_bracket(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth = depth.saturating_sub(1);
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// Strips punctuation at the end of a sentence. The last segments `.` and `..` stay, and so does `...`.
fn strip_punctuation(text: &str) -> &str {
    let rest = text.trim_end_matches([',', ';', ':', '!', '?', '\u{2026}']);
    let undotted = rest.trim_end_matches('.');
    if undotted.is_empty() || undotted.ends_with(['/', '\\']) { rest } else { undotted }
}

/// Strips a list mark, a diff header, a quotation mark of mail, or an `@` mention.
pub(super) fn strip_list_mark(text: &str) -> Option<&str> {
    for mark in ["- ", "* ", "+ ", "> ", "\u{2022} ", "+++ ", "--- ", "M ", "A ", "?? ", "modified: ", "new file: "] {
        if let Some(rest) = text.strip_prefix(mark) {
            return Some(rest.trim_start());
        }
    }
    // `@/` is an alias; `@x` alone is a name, or the scope of a package.
    text.strip_prefix('@').filter(|rest| !rest.starts_with('/') && rest.contains(['/', '.']))
}
