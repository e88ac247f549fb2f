//! Takes the literal parts of a path with wildcards or elisions.

use super::cost;
use super::note::Note;
use super::suffix;

/// Alternatives of `{a,b}` that are followed.
const MAX_ALTERNATIVES: usize = 4;

/// The longest character class, in bytes; the bound keeps the search for its end linear.
const MAX_CLASS_BYTES: usize = 24;

/// Returns whether the text contains `*`, which only a pattern does.
pub(super) fn has_star(text: &str) -> bool {
    text.contains('*')
}

/// The literal text of a pattern, one for each alternative of its first braces.
pub(super) fn literal_parts(text: &str) -> Vec<(String, Note, f32)> {
    if let Some(rest) = strip_elisions(text) {
        return vec![(rest, Note::Elided, cost::ELIDED)];
    }
    if !text.contains(['*', '?', '[', '{']) || suffix::strip_query_string(text).is_some() {
        return Vec::new();
    }
    let sure = has_star(text);
    let cost = if sure { cost::GLOB } else { cost::GLOB_DOUBTFUL };
    let mut found = Vec::new();
    for choice in expand_alternatives(text) {
        let kept = (choice.split('/').map(|segment| strip_wildcards(segment, sure)))
            .filter(|segment| !segment.trim_matches('.').is_empty())
            .collect::<Vec<_>>()
            .join("/");
        if !kept.is_empty() && kept != text {
            let slash = if text.starts_with('/') { "/" } else { "" };
            found.push((format!("{slash}{kept}"), Note::Glob, cost));
        }
    }
    found
}

/// Strips the elision from `a/.../b` and `a/…/b`.
fn strip_elisions(text: &str) -> Option<String> {
    if !text.split('/').any(is_elision) {
        return None;
    }
    let kept = text.split('/').filter(|segment| !is_elision(segment)).collect::<Vec<_>>().join("/");
    (!kept.trim_matches('/').is_empty()).then_some(kept)
}

fn is_elision(segment: &str) -> bool {
    segment == "\u{2026}" || (segment.len() > 2 && segment.bytes().all(|b| b == b'.'))
}

/// The text with each alternative of its first `{a,b}` in turn. `{x}` is a name or a placeholder and stays.
fn expand_alternatives(text: &str) -> Vec<String> {
    let braces = text.find('{').and_then(|open| {
        let close = open + text[open..].find('}')?;
        text[open..close].contains(',').then_some((open, close))
    });
    let Some((open, close)) = braces else { return vec![text.to_owned()] };
    let (head, tail) = (&text[..open], &text[close + 1..]);
    text[open + 1..close].split(',').take(MAX_ALTERNATIVES).map(|choice| format!("{head}{choice}{tail}")).collect()
}

/// The literal characters of a segment. Only ranges and negations are taken out, because `[id]` is a name in some
/// frameworks; with `*` in the text all classes are.
fn strip_wildcards(segment: &str, sure: bool) -> String {
    let mut out = String::with_capacity(segment.len());
    let mut rest = segment;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '['
            && let Some(close) = after.bytes().take(MAX_CLASS_BYTES).position(|b| b == b']')
            && (sure || is_character_class(&after[..close]))
        {
            rest = &after[close + 1..];
            continue;
        }
        if !matches!(c, '*' | '?') {
            out.push(c);
        }
        rest = after;
    }
    out
}

fn is_character_class(inside: &str) -> bool {
    let range =
        |class: &[u8]| matches!(class, [a, b'-', b, ..] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric());
    inside.starts_with(['!', '^']) || range(inside.as_bytes())
}
