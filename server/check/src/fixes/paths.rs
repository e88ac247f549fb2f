//! Compares two paths: their names, words and directories.

use std::borrow::Cow;

use pathfinder_literals::path::is_within;
pub(super) use pathfinder_literals::path::{name, parent};

/// Stems of files that stand for their directory, in any language.
const INDEXES: [&str; 7] = ["index", "__init__", "mod", "init", "readme", "_index", "main"];

/// Extensions of files that replace each other.
const FAMILIES: [&[&str]; 6] = [
    &["js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts", "vue", "svelte"],
    &["h", "hh", "hpp", "hxx"],
    &["md", "mdx", "markdown", "rst", "html"],
    &["css", "scss", "sass", "less"],
    &["yml", "yaml"],
    &["java", "kt", "scala", "groovy"],
];

/// The name up to its first dot.
pub(super) fn stem(path: &str) -> &str {
    let name = name(path);
    name.find('.').filter(|at| *at > 0).map_or(name, |at| &name[..at])
}

pub(super) fn extension(path: &str) -> &str {
    name(path).rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or("", |(_, extension)| extension)
}

/// The similarity of two extensions: 0–1.
pub(super) fn extension_similarity(a: &str, b: &str) -> f32 {
    match (a == b && !a.is_empty(), FAMILIES.iter().any(|all| all.contains(&a) && all.contains(&b))) {
        (true, _) => 1.0,
        (false, true) => 0.5,
        (false, false) => 0.0,
    }
}

/// Returns a test whether another extension is similar to this one. Asking for many is faster than comparing pairs.
pub(super) fn is_similar_to(extension: &str) -> impl Fn(&str) -> bool {
    let family = FAMILIES.iter().find(|all| all.contains(&extension)).copied().unwrap_or_default();
    move |other| !other.is_empty() && other == extension || family.contains(&other)
}

/// Joins a directory and a relative path; the root is the empty path.
pub(super) fn join(directory: &str, rest: &str) -> String {
    if directory.is_empty() { rest.to_owned() } else { [directory, "/", rest].concat() }
}

/// The path without its last extension.
pub(super) fn without_extension(path: &str) -> &str {
    let extension = extension(path);
    if extension.is_empty() { path } else { &path[..path.len() - extension.len() - 1] }
}

/// The shortest way to name a path: without extension, and without the name of an index file.
pub(super) fn without_index(path: &str) -> &str {
    let without_extension = without_extension(path);
    if is_index(without_extension) { parent(without_extension) } else { without_extension }
}

/// Returns whether a file stands for its directory.
pub(super) fn is_index(path: &str) -> bool {
    INDEXES.contains(&stem(path).to_ascii_lowercase().as_str())
}

/// Returns whether a path is a directory or lies below it. Everything lies below the root.
pub(super) fn is_below(path: &str, directory: &str) -> bool {
    directory.is_empty() || is_within(path, directory)
}

/// A directory and all its ancestors, nearest first, the root last.
pub(super) fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(directory), |at| (!at.is_empty()).then(|| parent(at)))
}

/// The share of leading segments that two directories have in common.
pub(super) fn shared_prefix_ratio(a: &str, b: &str) -> f32 {
    let same = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b).count();
    let longest = a.split('/').count().max(b.split('/').count());
    same as f32 / longest as f32
}

/// The number of steps from one directory to another through the tree.
pub(super) fn steps_between(a: &str, b: &str) -> usize {
    let count = |path: &str| path.split('/').filter(|segment| !segment.is_empty()).count();
    let same = a.split('/').zip(b.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count();
    count(a) + count(b) - 2 * same
}

/// The part of a missing path that goes beyond the directories it shares with the naming file. If that file moved,
/// this part is still right.
pub(super) fn after_shared_prefix<'p>(wanted: &'p str, directory: &str) -> Cow<'p, str> {
    // The path leads out of the root.
    if wanted.starts_with("../") {
        return Cow::Borrowed(wanted.trim_start_matches("../"));
    }
    let shared = ancestors(directory).find(|above| !above.is_empty() && is_below(wanted, above)).unwrap_or_default();
    Cow::Borrowed(wanted[shared.len()..].trim_start_matches('/'))
}

/// The words of a text in lower case, sorted: split at non-alphanumeric characters and at changes to capitals.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut word, mut was_small) = (String::new(), false);
    for c in text.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_small {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase() || c.is_numeric();
    }
    words.extend((!word.is_empty()).then_some(word));
    words.sort_unstable();
    words.dedup();
    words
}

/// Dice's coefficient of two sorted lists of words.
pub(super) fn word_similarity<T: Ord>(a: &[T], b: &[T]) -> f32 {
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let common = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    2.0 * common as f32 / (a.len() + b.len()) as f32
}

/// Returns whether any word of the path says that it belongs to tests.
pub(super) fn is_test(path: &str) -> bool {
    let words = path.split(|c: char| !c.is_alphanumeric());
    words.into_iter().any(|word| matches!(word, "test" | "tests" | "spec" | "specs" | "testing" | "fixtures" | "mocks"))
}

/// Returns whether a name is that of a test file, from which nothing is imported.
pub(super) fn is_test_case(name: &str) -> bool {
    name.starts_with("test_") || [".test.", ".spec.", "_test.", "_spec."].iter().any(|mark| name.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_paths() {
        assert!(
            is_test_case("a.test.ts")
                && is_test_case("test_a.py")
                && !is_test_case("testing.ts")
                && !is_test_case("latest.ts")
        );
        assert_eq!(words("getHTTPHeader-v2_x"), ["get", "httpheader", "v2", "x"]);
        assert_eq!(words(without_extension("docs/a.b/requirements.txt")), ["a", "b", "docs", "requirements"]);
        assert_eq!(
            (without_extension("a.b/c"), without_extension("a/.env"), without_extension("a/b.test.ts")),
            ("a.b/c", "a/.env", "a/b.test")
        );
        assert!(
            extension_similarity("ts", "ts") > 0.9
                && extension_similarity("ts", "tsx") < 0.6
                && extension_similarity("", "") < 0.1
                && extension_similarity("a", "b") < 0.1
        );
        for (a, b) in [("ts", "ts"), ("ts", "tsx"), ("", ""), ("a", "b"), ("a", "a"), ("a", ""), ("md", "h"), ("", "h")]
        {
            assert_eq!(is_similar_to(a)(b), extension_similarity(a, b) > 0.0, "{a} {b}");
        }
        assert_eq!(
            [without_index("a/index.ts"), without_index("a/b.ts"), without_index("a/README.md")],
            ["a", "a/b", "a"]
        );
        assert_eq!(ancestors("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert!(
            is_test("src/__tests__/a.ts") && is_test("a.test.ts") && is_test("a_test.go") && !is_test("latest/a.ts")
        );
    }

    #[test]
    fn compares_paths() {
        assert!(
            (word_similarity(&words("uv-unix"), &words("uv/unix")) - 1.0).abs() < 1e-6
                && word_similarity::<String>(&[], &[]) < 0.1
        );
        assert!(
            (shared_prefix_ratio("a/b/c", "a/b") - 2.0 / 3.0).abs() < 1e-6
                && shared_prefix_ratio("", "") > 0.9
                && shared_prefix_ratio("a", "b") < 0.1
        );
        assert_eq!([steps_between("a/b", "a/c/d"), steps_between("", "a"), steps_between("a", "a")], [3, 1, 0]);
        assert_eq!(after_shared_prefix("p/src/index.ts", "p/svelte/tests"), "src/index.ts");
        assert_eq!(after_shared_prefix("../../src/index", "test"), "src/index");
        assert_eq!(after_shared_prefix("lib/x", "test"), "lib/x");
    }
}
