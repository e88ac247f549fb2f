//! Functions on path strings: join, split, compare, shorten, list the directories above, and recognise URLs and templates. No file system
//! access.

use std::borrow::Cow;

/// Joins `relative` to `directory` and removes `.` and `..`; `None` if the result leads out of the root. A leading `/` of
/// `relative` is ignored: its meaning depends on the caller.
pub fn join(directory: &str, relative: &str) -> Option<String> {
    // Most paths are in normal form, and each literal joins dozens.
    if !directory.is_empty() && has_only_names(relative, true) && has_only_names(directory, false) {
        let mut path = String::with_capacity(directory.len() + 1 + relative.len());
        path.push_str(directory);
        path.push('/');
        path.push_str(relative);
        return Some(path);
    }
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

/// Returns whether a path has no empty segment, and with `refuses_dots` no `.` or `..`.
fn has_only_names(path: &str, refuses_dots: bool) -> bool {
    let bytes = path.as_bytes();
    let mut start = 0;
    loop {
        let end = memchr::memchr(b'/', &bytes[start..]).map_or(bytes.len(), |at| start + at);
        match &bytes[start..end] {
            b"" => return false,
            b"." | b".." if refuses_dots => return false,
            _ => {}
        }
        if end == bytes.len() {
            return true;
        }
        start = end + 1;
    }
}

/// Maximum depth to which a missing path is compared with rules, conventions and history, which costs time per segment.
///
/// Real trees have some twenty levels, and a path of more than 4,096 bytes cannot be opened by its name.
pub const MAX_SEGMENTS: usize = 256;

/// Returns the first places of a literal that history is asked about: it looks for each directory of a path.
pub(crate) fn first_places<P: AsRef<str>>(paths: impl IntoIterator<Item = P>) -> impl Iterator<Item = P> {
    /// Some five hundred paths of usual length; a file hundreds of directories deep has as many places.
    const MAX_BYTES: usize = 32 << 10;
    let mut bytes = 0;
    paths.into_iter().take_while(move |path| {
        bytes += path.as_ref().len();
        bytes <= MAX_BYTES
    })
}

/// Returns the first [`MAX_SEGMENTS`] segments of a path.
pub(crate) fn first_segments(path: &str) -> &str {
    path.match_indices('/').nth(MAX_SEGMENTS - 1).map_or(path, |(at, _)| &path[..at])
}

/// Returns the path that leads from the directory of `origin` where `path` leads from the directory of `file`: for a file that was moved,
/// the place that it named before. `None` if that is outside of the root, or the same.
pub fn before_move(path: &str, file: &str, origin: &str) -> Option<String> {
    let directory: Vec<&str> = parent(file).split('/').filter(|name| !name.is_empty()).collect();
    let names: Vec<&str> = path.split('/').collect();
    let same = directory.iter().zip(&names).take_while(|(one, other)| one == other).count();
    let steps = "../".repeat(directory.len() - same);
    join(parent(origin), &(steps + &names[same..].join("/"))).filter(|moved| moved != path)
}

/// Returns the directory of a path; empty for the root.
pub fn parent(path: &str) -> &str {
    memchr::memrchr(b'/', path.as_bytes()).map_or("", |at| &path[..at])
}

/// Returns the last segment of a path.
pub fn name(path: &str) -> &str {
    memchr::memrchr(b'/', path.as_bytes()).map_or(path, |at| &path[at + 1..])
}

/// Returns whether a path is `directory` or lies below it.
pub fn is_within(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the directory above the target that corresponds to `base`: `b/src/main/java` for `a/src/main/java`. It is the one
/// with the most last segments in common.
pub(crate) fn corresponding_base(base: &str, target: &str) -> Option<String> {
    let segments = |path: &'_ str| path.split('/').filter(|segment| !segment.is_empty()).map(str::to_owned).collect();
    let (base, target): (Vec<String>, Vec<String>) = (segments(base), segments(target));
    let directories = target.len().checked_sub(1)?;
    (1..=base.len()).rev().find_map(|count| {
        let end = &base[base.len() - count..];
        let at = target[..directories].windows(count).position(|window| window == end)?;
        Some(target[..at + count].join("/"))
    })
}

/// An extension in lower case. It is only copied if the path has it in another case: each language asks for that of each file.
#[derive(Clone, Debug)]
pub struct Extension<'p>(Cow<'p, str>);

impl Extension<'_> {
    /// The extension as a text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::ops::Deref for Extension<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<&str> for Extension<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl PartialEq for Extension<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl std::fmt::Display for Extension<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the extension in lower case; empty if there is none.
pub fn extension(path: &str) -> Extension<'_> {
    let name = name(path);
    let extension = memchr::memrchr(b'.', name.as_bytes()).filter(|at| *at > 0).map_or("", |at| &name[at + 1..]);
    let is_lower = !extension.bytes().any(|byte| byte.is_ascii_uppercase());
    Extension(if is_lower { Cow::Borrowed(extension) } else { Cow::Owned(extension.to_ascii_lowercase()) })
}

/// Returns whether a text begins with a URI scheme (`https:`, `mailto:`), with `//`, or with a Windows drive.
pub fn has_scheme(text: &str) -> bool {
    if text.starts_with("//") || text.starts_with("\\\\") {
        return true;
    }
    text.split_once(':').is_some_and(|(scheme, _)| {
        // Git also knows hosts with a user before them: `git@github.com:a/b.git`.
        let host = scheme.split_once('@').filter(|(_, host)| host.contains('.')).map(|(_, host)| host);
        let name = host.unwrap_or(scheme);
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Returns whether part of a text is computed, in any syntax of templates and shells.
pub fn is_dynamic(text: &str) -> bool {
    const MARKS: [&str; 8] = ["${", "$(", "{{", "}}", "{%", "<%", "#{", "@("];
    text.contains('\u{1a}') || MARKS.iter().any(|mark| text.contains(mark))
}

/// Removes the query and the fragment of a URL.
pub fn without_query(text: &str) -> &str {
    text.find(['?', '#']).map_or(text, |at| &text[..at])
}

/// Returns at most the first `max_bytes` of a text, in whole characters.
pub fn head(text: &str, max_bytes: usize) -> &str {
    let end = (0..=text.len().min(max_bytes)).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    &text[..end]
}

/// Returns at most the last `max_bytes` of a text, in whole characters.
pub fn end(text: &str, max_bytes: usize) -> &str {
    let from = text.len().saturating_sub(max_bytes);
    let start = (from..=text.len()).find(|start| text.is_char_boundary(*start)).unwrap_or(text.len());
    &text[start..]
}

/// Decodes `%20` and the like. Returns the text unchanged if the result is not UTF-8.
pub fn percent_decoded(text: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap_or(Cow::Borrowed(text))
}

/// Directories above a file to search, besides the root. Real trees are less deep; in a tree of thousands
/// of levels each literal would search all of them.
const MAX_ANCESTORS: usize = 32;

/// Returns the directories of a file, from its own up to the root: the nearest 32 and the root.
pub fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    let above = std::iter::successors(Some(directory), |here| Some(parent(here)));
    above.take_while(|here| !here.is_empty()).take(MAX_ANCESTORS).chain([""])
}

/// Returns `path` with each of the endings appended.
pub fn with_endings<'p>(path: &'p str, endings: &'p [&'p str]) -> impl Iterator<Item = Option<String>> + 'p {
    endings.iter().map(move |ending| Some([path, ending].concat()))
}

/// Returns the path of the entry `name` in the directory of `path`.
pub fn sibling_path(path: &str, name: &str) -> String {
    let parent = parent(path);
    if parent.is_empty() { name.to_owned() } else { [parent, "/", name].concat() }
}

/// Returns a relative path without `.` and without the `..` segments at its start: the part that does not depend on the
/// directory. `None` if nothing is left.
pub fn strip_parent_steps(path: &str) -> Option<String> {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = segments.pop(),
            name => segments.push(name),
        }
    }
    (!segments.is_empty()).then(|| segments.join("/"))
}

/// Returns how many segments of a relative path [`strip_parent_steps`] leaves.
pub fn count_names(path: &str) -> usize {
    path.split('/').fold(0_usize, |count, segment| match segment {
        "" | "." => count,
        ".." => count.saturating_sub(1),
        _ => count + 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_paths() {
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
        check("a/b", "c/d.x", Some("a/b/c/d.x"));
        check("/a//b/", "c", Some("a/b/c"));
        check("a", "b/./c/", Some("a/b/c"));
        check("a", "...", Some("a/..."));
        check("a", "", Some("a"));
        check("", "", Some(""));
    }

    #[test]
    fn bounds_the_places_that_history_is_asked_about() {
        let count = |length: usize| first_places(std::iter::repeat_n("a".repeat(length), 1000)).count();
        assert_eq!([count(32), count(64), count(1 << 12), count(1 << 16)], [1000, 512, 8, 0]);
    }

    #[test]
    fn finds_paths_before_a_move() {
        let check = |path: &str, file: &str, origin: &str, expect: Option<&str>| {
            assert_eq!(before_move(path, file, origin).as_deref(), expect, "{path} {file} {origin}");
        };
        check("ext/a/x.h", "ext/a/b.c", "a/b.c", Some("a/x.h"));
        check("ext/z/x.h", "ext/a/b.c", "a/b.c", Some("z/x.h"));
        check("x.h", "ext/a/b.c", "a/b.c", None);
        check("a/x.h", "a/b.c", "ext/a/b.c", Some("ext/a/x.h"));
        check("new/x.h", "new/b.c", "old/b.c", Some("old/x.h"));
        check("x.h", "b.c", "a/b.c", Some("a/x.h"));
        check("new", "new/b.c", "a/b/b.c", Some("a/b"));
        check("new/x.h", "new/b.c", "new/a.c", None);
    }

    #[test]
    fn recognises_schemes() {
        for text in ["https://a", "mailto:a@b", "//cdn", "C:\\a", "data:x", "git+ssh://x", "git@a.com:b/c.git"] {
            assert!(has_scheme(text), "{text}");
        }
        for text in ["a/b", "./a:b", "a@b:c", "a b:c", ":a", "a", "", "/a"] {
            assert!(!has_scheme(text), "{text}");
        }
    }

    #[test]
    fn strips_leading_steps() {
        assert_eq!(strip_parent_steps("../../a/./b/../c").as_deref(), Some("a/c"));
        assert_eq!(strip_parent_steps("../.."), None);
        for path in ["../../a/./b/../c", "../..", "a", "", "a//b/", "a/../../b/c", "./a"] {
            let left = strip_parent_steps(path).map_or(0, |left| left.split('/').count());
            assert_eq!(count_names(path), left, "{path}");
        }
    }
}
