//! Finds quoted text that looks like a path.

use std::ops::Range;

use pathfinder_literals::path::name;

/// Maximum length of a path. Paths in code are shorter.
const MAX_PATH_BYTES: usize = 200;

/// Extensions with more than five letters.
const LONG_EXTENSIONS: [&str; 8] =
    ["config", "gradle", "graphql", "handlebars", "markdown", "properties", "svelte", "xcconfig"];

/// First segments of MIME types.
const MIME_TYPES: [&str; 9] =
    ["application", "audio", "font", "image", "message", "model", "multipart", "text", "video"];

/// Returns the ranges of text that looks like a path between two equal quotes, in order. `StringSyntax::strings` decides which
/// are string literals.
pub(super) fn find_candidates(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut done = 0;
    for slash in memchr::memchr_iter(b'/', bytes) {
        if slash < done {
            continue;
        }
        let before = bytes[done..slash].iter().rev().take_while(|byte| is_path_byte(**byte)).count();
        let after = bytes[slash..].iter().take_while(|byte| is_path_byte(**byte)).count();
        let (start, end) = (slash - before, slash + after);
        done = end;
        let open = start.checked_sub(1).and_then(|at| bytes.get(at));
        let is_quoted = matches!(open, Some(b'"' | b'\'' | b'`')) && open == bytes.get(end);
        if is_quoted && end - start <= MAX_PATH_BYTES && is_path(&text[start..end]) {
            found.push(start..end);
        }
    }
    found
}

/// Returns whether a byte can occur in a candidate. Text with other characters (spaces, escapes, wildcards, placeholders, schemes) is
/// no path, or its target is unknown.
fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'+' | b'-' | b'@')
}

/// Returns whether a word is a relative path with a directory and a file extension.
fn is_path(word: &str) -> bool {
    let last = name(word);
    if word.starts_with(['/', '@', '-', '+']) || word.contains("//") || word.contains("...") || last.is_empty() {
        return false;
    }
    let steps = count_steps(word);
    let mut rest = word.split('/').skip(steps);
    let head = rest.next().unwrap_or_default();
    let is_relative = steps > 0;
    // `github.com/a/b.go` and `lodash.x/y.js` are no paths; `.github/x.yml` is one.
    let is_host = !is_relative && head.trim_start_matches('.').contains('.');
    // Excludes dates and versions: `2020/1/a.b`, `1/2.x`.
    let is_number = !head.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_mime = !is_relative && word.matches('/').count() == 1 && MIME_TYPES.contains(&head) && is_subtype(last);
    let is_step = |segment: &str| segment == "." || segment == "..";
    !is_host && !is_number && !is_mime && !word.split('/').skip(steps).any(is_step) && has_extension(last)
}

/// Returns the number of leading `.` and `..` segments.
pub(super) fn count_steps(word: &str) -> usize {
    word.split('/').take_while(|segment| matches!(*segment, "." | "..")).count()
}

/// Returns whether a segment is the subtype of a MIME type.
fn is_subtype(last: &str) -> bool {
    ["vnd.", "x-", "x.", "prs."].iter().any(|start| last.starts_with(start)) || last.contains('+')
}

/// Returns whether a last segment has a file extension.
fn has_extension(last: &str) -> bool {
    let Some((stem, ending)) = last.rsplit_once('.') else { return false };
    let is_extension = (1..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_lowercase())
        // Excludes versions: `net8.0-x/v1.2b`, `1.x`.
        && !ending.starts_with(|first: char| first.is_ascii_digit() && ending != "7z");
    let has_letter = stem.bytes().any(|byte| byte.is_ascii_alphanumeric());
    has_letter && stem != "v1" && (is_extension || LONG_EXTENSIONS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::find_candidates;

    #[test]
    fn finds_quoted_paths() {
        let check = |word: &str, expect: bool| {
            let text = format!("x(\"{word}\")");
            let found: Vec<&str> = find_candidates(&text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, if expect { vec![word] } else { Vec::new() }, "{word}");
        };
        for word in
            ["src/a.rs", "./a.js", "../../a/b.py", ".github/a.yml", "a/b-c+d.h", "a/b.1.2.js", "a/x.gradle", "a@2/b.js"]
        {
            check(word, true);
        }
        for word in [
            "a.rs",
            "/etc/a.conf",
            "https://a.org/b.js",
            "//cdn/a.js",
            "@scope/x.js",
            "github.com/a/b.go",
            "a/b",
            "a/%s.c",
            "a/{}.c",
            "a/*.c",
            "a b/c.d",
            "a/b\\n.c",
            "a/$x.c",
            "application/vnd.api.json",
            "image/svg+xml",
            "text/x-c.h",
            "2020/01/02.txt",
            "dd/MM.yyyy/",
            "v1/1.0",
            "a/.x",
            "a/b.C",
            "a/b.1x",
            "a/../b.c",
            "a/..../b.c",
            "Mozilla/5.0",
            "^src/a.rs$",
            "a/b.c:1",
            "a/b.c#d",
            "a/b.c?d",
        ] {
            check(word, false);
        }
    }

    #[test]
    fn requires_equal_quotes() {
        assert!(find_candidates("'a/b.c\" \"a/b.c' a/b.c").is_empty());
        assert_eq!(find_candidates("'a/b.c'`d/e.f`"), [1..6, 8..13]);
        assert!(find_candidates("/").is_empty());
        assert!(find_candidates("'/").is_empty());
    }
}
