//! The strings of configurations that are written in JavaScript or TypeScript: entries, presets, files of a set-up.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr_iter;
use pathfinder_literals::Source;
use pathfinder_literals::path::{extension, name, parent};
use pathfinder_syntax::grammars::{Query, TSX};
use pathfinder_syntax::string_ranges::string_content;

static STRINGS: LazyLock<Query> = LazyLock::new(|| Query::new(&TSX, "(string) @string"));

/// Names of task files, whose strings are paths as those of configurations are.
const TASK_FILES: [&str; 3] = ["gulpfile", "gruntfile", "jakefile"];

/// Longest configuration that is read: the longest of 54 repositories has half of it. A text of 150 kB that is made to be parsed slowly
/// took three seconds.
const MAX_BYTES: usize = 64 << 10;

/// Directories of configurations of sites.
const SITE_DIRECTORIES: [&str; 2] = [".vitepress", ".vuepress"];
/// Directories in them that hold programs, or what the site is made into.
const SITE_PROGRAMS: [&str; 5] = ["theme", "components", "cache", "dist", "plugins"];
/// First or last parts of the names of scripts that list the pages of a site.
const NAVIGATIONS: [&str; 3] = ["sidebar", "navbar", "navigation"];

/// Returns whether a script is the configuration of a tool, by its name: `x.config.ts`, `x.conf.js`, `.xrc.js`, `sidebars.js`.
fn is_configuration(path: &str) -> bool {
    let last = name(path).to_ascii_lowercase();
    let stem = last.strip_suffix(&format!(".{}", extension(path))).unwrap_or(&last);
    let is_of_site = || {
        let mut above = parent(path).split('/').rev().take_while(|part| !SITE_PROGRAMS.contains(part));
        above.any(|part| SITE_DIRECTORIES.contains(&part))
    };
    stem.starts_with('.')
        || NAVIGATIONS.iter().any(|name| stem.starts_with(name) || stem.ends_with(name))
        || is_of_site()
        || [".config", ".conf"].iter().any(|end| stem.ends_with(end))
        || TASK_FILES.contains(&stem)
}

/// Returns the byte ranges of the strings of a configuration that can be paths; nothing for other scripts.
pub(super) fn find_strings(source: &Source<'_>) -> Vec<Range<usize>> {
    let text = source.text();
    let slashes: Vec<Range<usize>> = if is_configuration(source.path()) && text.len() <= MAX_BYTES {
        memchr_iter(b'/', text.as_bytes()).map(|at| at..at + 1).collect()
    } else {
        Vec::new()
    };
    if slashes.is_empty() {
        return Vec::new();
    }
    let Some(tree) = source.parse_part(&(0..text.len()), &TSX) else { return Vec::new() };
    let strings = STRINGS.matches(tree.root_node(), text, &slashes).into_iter();
    let strings = strings.filter_map(|hit| string_content(text, hit.captures.first()?.node.byte_range()));
    strings.filter(|range| !is_output(&text[..range.start])).collect()
}

/// Returns whether a text ends in the value of a key that names what a bundler writes: `filename: (chunk) => chunk ? '`.
fn is_output(before: &str) -> bool {
    const KEYS: [&str; 7] =
        ["assetFileNames", "chunkFileNames", "chunkFilename", "entryFileNames", "filename", "outDir", "outfile"];
    /// Longest value in which its key is looked for.
    const MAX_VALUE_BYTES: usize = 200;
    let from = before.floor_char_boundary(before.len().saturating_sub(MAX_VALUE_BYTES));
    let value = before[from..].rsplit([',', ';', '{']).next().unwrap_or_default();
    value.split_once(':').is_some_and(|(key, _)| KEYS.contains(&key.trim()))
}

#[cfg(test)]
mod tests {
    use super::is_output;

    #[test]
    fn recognises_outputs() {
        let check = |before: &str, expect: bool| assert_eq!(is_output(before), expect, "{before}");
        check("output: { filename: '", true);
        check("filename: (data) =>\n  data.chunk === 'a' ? '", true);
        check("filename: 'a', template: '", false);
        check("template: '", false);
        check("entry: { a: '", false);
    }
}
