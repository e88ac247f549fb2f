//! The paths of one line, in one pass.

use super::{PathMention, is_installed};

/// Paths of one line that are looked at: a line of a log has a few.
const MOST: usize = 16;

/// The longest text that is taken for a path; what systems take is not much longer.
const LONGEST: usize = 1024;

/// The paths that a line of a log, a message or a prompt names. A name alone counts only with a line number behind it.
pub(crate) fn path_mentions(line: &str) -> Vec<PathMention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() && found.len() < MOST {
        at = step(line, at, &mut found);
    }
    found
}

/// Looks at what begins at `at`, and gives where to go on.
fn step(line: &str, at: usize, found: &mut Vec<PathMention>) -> usize {
    let rest = &line[at..];
    let Some(first) = rest.chars().next() else { return line.len() };
    if let Some(length) = escape(rest) {
        return at + length;
    }
    if matches!(first, '"' | '\'' | '`')
        && let Some(length) = quoted(line, at)
    {
        let range = at + 1..at + 1 + length;
        found.push(PathMention { range: range.clone(), asked: None, quoted: true });
        return range.end + 1;
    }
    if !is_part(first) {
        return at + first.len_utf8();
    }
    let end = at + run(rest);
    let after = &line[end..];
    if after.starts_with("://") {
        // An address; but a `file:` one names a path.
        let whole = after.find(|c: char| c.is_whitespace() || "\"'`<>)]".contains(c)).map_or(line.len(), |to| end + to);
        if &line[at..end] != "file" {
            return whole;
        }
        let start = end + "://".len();
        let end = start + run(&line[start..whole]);
        push(line, start, end, found);
        return end.max(at + 1);
    }
    push(line, at, end, found);
    end
}

fn push(line: &str, start: usize, end: usize, found: &mut Vec<PathMention>) {
    // What ends a sentence, or is cut short.
    let text = line[start..end].trim_end_matches(['.', ',', '-', '=', '+', '~', '@']);
    // `key=path` and `--flag=path`.
    let skipped = text.rfind('=').map_or(0, |sign| sign + 1);
    let (start, end) = (start + skipped, start + text.len());
    let text = &line[start..end];
    let before = &line[..start];
    let begins = match before.chars().next_back() {
        None => true,
        Some('m') => ends_escape(before),
        Some('/') => before.ends_with("file://"),
        // `git@host:path` is somewhere else.
        Some(':') => !before.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains('@')),
        Some(c) => c.is_whitespace() || "\"'`(<[{=,;|>".contains(c),
    };
    let after = &line[end..];
    let placed = has_line(after);
    let ends =
        after.chars().next().is_none_or(|c| c.is_whitespace() || ":;,.)]}>\"'`|\u{1b}=-+~@".contains(c)) || placed;
    if !begins || !ends || text.len() > LONGEST || is_installed(text) {
        return;
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let depth = text.bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    let fits = match depth {
        0 => placed && has_extension(name),
        1 => placed || has_extension(name),
        _ => (placed || has_extension(name) || depth > 2) && text.bytes().any(|byte| byte.is_ascii_alphabetic()),
    };
    if fits {
        found.push(PathMention { range: start..end, asked: java(line, text, start), quoted: false });
    }
}

/// A frame of the JVM names the package apart from the file: `at com.acme.Foo.bar(Foo.java:12)`.
fn java(line: &str, name: &str, start: usize) -> Option<String> {
    let frame = line.trim_start().strip_prefix("at ")?;
    let jvm = [".java", ".kt", ".scala", ".groovy", ".clj"].iter().any(|ending| name.ends_with(ending));
    (jvm && !name.contains('/') && line[..start].ends_with('(')).then(|| format!("at {}", frame.trim_end()))
}

/// The length of a path between the quotes that begin at `at`.
fn quoted(line: &str, at: usize) -> Option<usize> {
    let quote = char::from(line.as_bytes()[at]);
    // Not the apostrophe of a word.
    if line[..at].ends_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let inside = &line[at + 1..];
    let length = inside.find(quote).filter(|length| (1..LONGEST).contains(length))?;
    let inside = &inside[..length];
    let name = inside.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain =
        |c: char| is_part(c) || matches!(c, ' ' | '(' | ')' | '[' | ']' | '{' | '}') || c == ':' && drive(inside);
    let path = inside.chars().all(plain) && has_extension(name) && !inside.starts_with(' ') && !inside.ends_with(' ');
    // Words in quotes are a sentence, unless they have a directory before them; a name alone is none in Python's frames.
    let named = inside.contains(['/', '\\']) && !inside.contains(' ') || line[..at].ends_with("File ") || quote == '`';
    (path && named && !is_installed(inside)).then_some(length)
}

/// The words of a command line that may be paths: all but the first, flags, and what a shell would make something else of.
pub(crate) fn words(command: &str) -> Vec<PathMention> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in command.split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        let text = word.trim_end();
        let plain = text.chars().all(is_part) && !text.starts_with(['-', '~', '$']) && !text.contains(['=', '$']);
        if start > 0
            && plain
            && text.contains(['/', '.'])
            && text.chars().any(char::is_alphanumeric)
            && found.len() < MOST
        {
            found.push(PathMention { range: start..start + text.len(), asked: None, quoted: false });
        }
    }
    found
}

/// How long the path is with which a text begins.
fn run(text: &str) -> usize {
    let from = if drive(text) { 2 } else { 0 };
    text[from..].find(|c: char| !is_part(c)).map_or(text.len(), |to| from + to)
}

/// `C:\` or `C:/`.
fn drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// What paths are made of where nothing tells where they end.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '\\' | '~' | '@' | '+' | '-' | '$' | '%' | '#' | '=' | ',')
}

/// Whether a line number follows: `:12`, `(12,5)`, `:line 12`, `", line 12`.
fn has_line(after: &str) -> bool {
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let behind = |start: &str| after.strip_prefix(start).is_some_and(number);
    behind(":") || behind("(") || behind(":line ") || behind("#L") || behind(", line ")
}

/// Whether a name ends like a file's: a dot and some letters.
pub(super) fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=10).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// The length of a sequence that colours a terminal, at the beginning of a text.
fn escape(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
    Some(2 + end + rest[end..].chars().next().map_or(0, char::len_utf8))
}

fn ends_escape(text: &str) -> bool {
    text.rfind("\u{1b}[").is_some_and(|at| escape(&text[at..]) == Some(text.len() - at))
}
