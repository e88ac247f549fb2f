//! Scans one line for paths in a single pass.
//!
//! Not `linkify`: it finds addresses and mails, no paths.

use super::{PathMention, is_installed};

/// Maximum number of paths per line; a log line has a few.
const MAX_MENTIONS: usize = 16;

/// Longest text that counts as a path, in bytes. Operating systems allow little more.
const MAX_PATH_BYTES: usize = 1024;

/// Returns the paths in a line of a log, a message or a prompt. A bare name counts only with a line number behind it.
pub fn find_path_mentions(line: &str) -> Vec<PathMention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < line.len() && found.len() < MAX_MENTIONS {
        at = step(line, at, &mut found);
    }
    found
}

/// Examines the text at `at`, and returns the position to continue at.
fn step(line: &str, at: usize, found: &mut Vec<PathMention>) -> usize {
    let rest = &line[at..];
    let Some(first) = rest.chars().next() else { return line.len() };
    if let Some(length) = escape_length(rest) {
        return at + length;
    }
    if matches!(first, '"' | '\'' | '`')
        && let Some(length) = quoted_path_length(line, at)
    {
        let range = at + 1..at + 1 + length;
        found.push(PathMention { range: range.clone(), query: None, is_quoted: true });
        return range.end + 1;
    }
    if !is_path_char(first) {
        return at + first.len_utf8();
    }
    let end = at + path_length(rest);
    let after = &line[end..];
    if after.starts_with("://") {
        // A URL; only `file:` URLs name a path.
        let whole = after.find(|c: char| c.is_whitespace() || "\"'`<>)]".contains(c)).map_or(line.len(), |to| end + to);
        if &line[at..end] != "file" {
            return whole;
        }
        let start = end + "://".len();
        let end = start + path_length(&line[start..whole]);
        push(line, start, end, found);
        return end.max(at + 1);
    }
    push(line, at, end, found);
    end
}

fn push(line: &str, start: usize, end: usize, found: &mut Vec<PathMention>) {
    // Punctuation that ends a sentence or marks a cut.
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
        // `git@host:path` lies on another machine.
        Some(':') => !before.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains('@')),
        Some(c) => c.is_whitespace() || "\"'`(<[{=,;|>".contains(c),
    };
    let after = &line[end..];
    let has_line_number = is_followed_by_line(after);
    let ends = after.chars().next().is_none_or(|c| c.is_whitespace() || ":;,.)]}>\"'`|\u{1b}=-+~@".contains(c))
        || has_line_number;
    if !begins || !ends || text.len() > MAX_PATH_BYTES || is_installed(text) {
        return;
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let depth = text.bytes().filter(|byte| matches!(byte, b'/' | b'\\')).count();
    let fits = match depth {
        0 => has_line_number && has_extension(name),
        1 => has_line_number || has_extension(name),
        _ => {
            (has_line_number || has_extension(name) || depth > 2) && text.bytes().any(|byte| byte.is_ascii_alphabetic())
        }
    };
    if fits {
        found.push(PathMention { range: start..end, query: jvm_frame_query(line, text, start), is_quoted: false });
    }
}

/// Returns a JVM stack frame, which names the package apart from the file: `at com.acme.Foo.bar(Foo.java:12)`.
fn jvm_frame_query(line: &str, name: &str, start: usize) -> Option<String> {
    let frame = line.trim_start().strip_prefix("at ")?;
    let jvm = [".java", ".kt", ".scala", ".groovy", ".clj"].iter().any(|ending| name.ends_with(ending));
    (jvm && !name.contains('/') && line[..start].ends_with('(')).then(|| format!("at {}", frame.trim_end()))
}

/// Returns the length of the path between the quotes that begin at `at`.
fn quoted_path_length(line: &str, at: usize) -> Option<usize> {
    let quote = char::from(line.as_bytes()[at]);
    // An apostrophe within a word is no quote.
    if line[..at].ends_with(|c: char| c.is_alphanumeric()) {
        return None;
    }
    let inside = &line[at + 1..];
    let length = inside.find(quote).filter(|length| (1..MAX_PATH_BYTES).contains(length))?;
    let inside = &inside[..length];
    let name = inside.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| {
        is_path_char(c) || matches!(c, ' ' | '(' | ')' | '[' | ']' | '{' | '}') || c == ':' && starts_with_drive(inside)
    };
    let path = inside.chars().all(plain) && has_extension(name) && !inside.starts_with(' ') && !inside.ends_with(' ');
    // Quoted words are a sentence unless a directory is among them. Python's stack frames and code quotes may have a bare name.
    let named = inside.contains(['/', '\\']) && !inside.contains(' ') || line[..at].ends_with("File ") || quote == '`';
    (path && named && !is_installed(inside)).then_some(length)
}

/// Returns the words of a command line that may be paths: all but the first, flags, and words with shell syntax.
pub fn find_command_words(command: &str) -> Vec<PathMention> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in command.split_inclusive(char::is_whitespace) {
        let start = at;
        at += word.len();
        let text = word.trim_end();
        let plain = text.chars().all(is_path_char) && !text.starts_with(['-', '~', '$']) && !text.contains(['=', '$']);
        if start > 0
            && plain
            && text.contains(['/', '.'])
            && text.chars().any(char::is_alphanumeric)
            && found.len() < MAX_MENTIONS
        {
            found.push(PathMention { range: start..start + text.len(), query: None, is_quoted: false });
        }
    }
    found
}

/// Returns the length of the path at the beginning of a text.
fn path_length(text: &str) -> usize {
    let from = if starts_with_drive(text) { 2 } else { 0 };
    text[from..].find(|c: char| !is_path_char(c)).map_or(text.len(), |to| from + to)
}

/// Returns whether a text begins with `C:\` or `C:/`.
fn starts_with_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Returns whether a character may belong to an unquoted path.
fn is_path_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '\\' | '~' | '@' | '+' | '-' | '$' | '%' | '#' | '=' | ',')
}

/// Returns whether a line number follows: `:12`, `(12,5)`, `:line 12`, `", line 12`.
fn is_followed_by_line(after: &str) -> bool {
    let number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let behind = |start: &str| after.strip_prefix(start).is_some_and(number);
    behind(":") || behind("(") || behind(":line ") || behind("#L") || behind(", line ")
}

/// Returns whether a name has a file extension: a dot and some letters.
pub(super) fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=10).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// Returns the length of the terminal colour sequence at the beginning of a text.
fn escape_length(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
    Some(2 + end + rest[end..].chars().next().map_or(0, char::len_utf8))
}

fn ends_escape(text: &str) -> bool {
    text.rfind("\u{1b}[").is_some_and(|at| escape_length(&text[at..]) == Some(text.len() - at))
}
