//! Paths by their text: joined, shortened, told apart from what is no path.

/// `relative` as seen from `directory`, without `.` and `..`; `None` if that leads out of the root. A leading `/` of
/// `relative` is overlooked: who calls knows what it means.
pub(crate) fn join(directory: &str, relative: &str) -> Option<String> {
    let mut segments: Vec<&str> = directory.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in relative.split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop()?,
            name => segments.push(name),
        }
    }
    Some(segments.join("/"))
}

/// Segments of a path beyond which nothing is told of it but whether it is there: each of them is held against rules,
/// conventions and history. Trees that people make have some twenty levels, and a path of more than 4,096 bytes cannot be
/// opened by its name.
pub(crate) const MAX_SEGMENTS: usize = 256;

/// A path without what lies deeper than [`MAX_SEGMENTS`].
pub(crate) fn head_of(path: &str) -> &str {
    path.match_indices('/').nth(MAX_SEGMENTS - 1).map_or(path, |(at, _)| &path[..at])
}

/// The directory that a path is in; empty is the root.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// The last segment.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The extension, in small letters; empty if there is none.
pub(crate) fn extension(path: &str) -> String {
    match name(path).rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension.to_ascii_lowercase(),
        _ => String::new(),
    }
}

/// Whether a text begins with a URI's scheme (`https:`, `mailto:`), with `//`, or with a Windows drive.
pub(crate) fn has_scheme(text: &str) -> bool {
    if text.starts_with("//") || text.starts_with("\\\\") {
        return true;
    }
    text.split_once(':').is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Whether part of a text is computed, in any of the notations that templates and shells use.
pub(crate) fn is_dynamic(text: &str) -> bool {
    const MARKS: [&str; 8] = ["${", "$(", "{{", "}}", "{%", "<%", "#{", "@("];
    text.contains('\u{1a}') || MARKS.iter().any(|mark| text.contains(mark))
}

/// The path without what a URL has behind it: query and fragment.
pub(crate) fn without_query(text: &str) -> &str {
    text.find(['?', '#']).map_or(text, |at| &text[..at])
}

/// No more than so many bytes of a text, in whole characters: what is searched there again and again costs no more.
pub(crate) fn head(text: &str, longest: usize) -> &str {
    let end = (0..=text.len().min(longest)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// No more than so many bytes of the end of a text, in whole characters.
pub(crate) fn end(text: &str, longest: usize) -> &str {
    let from = text.len().saturating_sub(longest);
    let start = (from..=text.len()).find(|start| text.is_char_boundary(*start)).unwrap_or(text.len());
    &text[start..]
}

/// With `%20` and the like as characters; as it is where that makes no text.
pub(crate) fn percent_decoded(text: &str) -> std::borrow::Cow<'_, str> {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap_or(std::borrow::Cow::Borrowed(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined() {
        let check = |directory: &str, relative: &str, expect: Option<&str>| {
            assert_eq!(join(directory, relative).as_deref(), expect, "{directory} {relative}");
        };
        check("", "a/b", Some("a/b"));
        check("a/b", "./c", Some("a/b/c"));
        check("a/b", "../c//d/", Some("a/c/d"));
        check("a", "..", Some(""));
        check("a", "../..", None);
        check("", "../a", None);
        check("a", "/b", Some("a/b"));
    }

    #[test]
    fn schemes() {
        for text in ["https://a", "mailto:a@b", "//cdn", "C:\\a", "data:x", "git+ssh://x"] {
            assert!(has_scheme(text), "{text}");
        }
        for text in ["a/b", "./a:b", "a b:c", ":a", "a", "", "/a"] {
            assert!(!has_scheme(text), "{text}");
        }
    }
}
