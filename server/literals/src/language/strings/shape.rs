//! How a string has to be written to be looked at.

use std::ops::Range;

use crate::path::name;

/// No path that people write in code is longer.
const LONGEST: usize = 200;

/// Endings that are longer than the five letters that most have.
const LONG_ENDINGS: [&str; 8] =
    ["config", "gradle", "graphql", "handlebars", "markdown", "properties", "svelte", "xcconfig"];

/// First segments of MIME types.
const MIME: [&str; 9] = ["application", "audio", "font", "image", "message", "model", "multipart", "text", "video"];

/// Everything between two equal quotes in a text that is written like a path: without the quotes, in order. Whether that
/// is a string is for the language to say.
pub(super) fn candidates(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut done = 0;
    for slash in memchr::memchr_iter(b'/', bytes) {
        if slash < done {
            continue;
        }
        let before = bytes[done..slash].iter().rev().take_while(|byte| is_plain(**byte)).count();
        let after = bytes[slash..].iter().take_while(|byte| is_plain(**byte)).count();
        let (start, end) = (slash - before, slash + after);
        done = end;
        let open = start.checked_sub(1).and_then(|at| bytes.get(at));
        let is_quoted = matches!(open, Some(b'"' | b'\'' | b'`')) && open == bytes.get(end);
        if is_quoted && end - start <= LONGEST && is_path(&text[start..end]) {
            found.push(start..end);
        }
    }
    found
}

/// What a path is written with here: what has anything else (spaces, escapes, wildcards, places to be filled in, schemes)
/// is none, or nobody can say of which.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'+' | b'-' | b'@')
}

/// Whether a word of such letters is a path with a directory that does not begin at the root of anything.
fn is_path(word: &str) -> bool {
    let last = name(word);
    if word.starts_with(['/', '@', '-', '+']) || word.contains("//") || word.contains("...") || last.is_empty() {
        return false;
    }
    let steps = steps(word);
    let mut rest = word.split('/').skip(steps);
    let head = rest.next().unwrap_or_default();
    let is_relative = steps > 0;
    // `github.com/a/b.go`, `lodash.x/y.js`; `.github/x.yml` is one.
    let is_host = !is_relative && head.trim_start_matches('.').contains('.');
    // `2020/1/a.b`, `1/2.x`.
    let is_number = !head.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_mime = !is_relative && word.matches('/').count() == 1 && MIME.contains(&head) && is_subtype(last);
    let is_step = |segment: &str| segment == "." || segment == "..";
    !is_host && !is_number && !is_mime && !word.split('/').skip(steps).any(is_step) && is_name(last)
}

/// How many segments only say where to begin.
pub(super) fn steps(word: &str) -> usize {
    word.split('/').take_while(|segment| matches!(*segment, "." | "..")).count()
}

/// The second half of a MIME type that has a dot.
fn is_subtype(last: &str) -> bool {
    ["vnd.", "x-", "x.", "prs."].iter().any(|start| last.starts_with(start)) || last.contains('+')
}

/// Whether a last segment has an ending as files have.
fn is_name(last: &str) -> bool {
    let Some((stem, ending)) = last.rsplit_once('.') else { return false };
    let is_ending = (1..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_lowercase())
        // `net8.0-x/v1.2b`, `1.x`.
        && !ending.starts_with(|first: char| first.is_ascii_digit() && ending != "7z");
    let has_letter = stem.bytes().any(|byte| byte.is_ascii_alphanumeric());
    has_letter && stem != "v1" && (is_ending || LONG_ENDINGS.contains(&ending))
}

#[cfg(test)]
mod tests {
    use super::candidates;

    #[test]
    fn what_is_looked_at() {
        let check = |word: &str, expect: bool| {
            let text = format!("x(\"{word}\")");
            let found: Vec<&str> = candidates(&text).into_iter().map(|range| &text[range]).collect();
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
    fn quotes_have_to_be_equal() {
        assert!(candidates("'a/b.c\" \"a/b.c' a/b.c").is_empty());
        assert_eq!(candidates("'a/b.c'`d/e.f`"), [1..6, 8..13]);
        assert!(candidates("/").is_empty());
        assert!(candidates("'/").is_empty());
    }
}
