//! `Includers`: the documents that show the text of others in their place, by the lines that include it.

use std::collections::VecDeque;

use memchr::memmem;
use pathfinder_literals::path::{extension, head, join, name, parent};
use pathfinder_literals::{Kind, Project, ProjectIndex};
use rustc_hash::FxHashMap;

/// The marks before the path of an included document, of the extensions of Markdown and of Jinja. In all others the word *include* is
/// before it, within a word and signs: `{% include-markdown "a.md" %}`, `!!!include(a.md)!!!`, `{{#include a.md}}`, `@include: a.md`.
const MARKS: [&str; 3] = ["--8<-- ", "{!", INCLUDE];
/// The word that most marks have.
const INCLUDE: &str = "include";

/// Bytes behind a mark in which a path ends. No path that people write is longer.
const MAX_PATH_BYTES: usize = 256;
/// Directories from which one text is shown. A text that more pages share has no links of its own.
const MAX_DIRECTORIES: usize = 16;
/// Includes of a tree that are followed, over and over for those within a text that several pages show. Large manuals have thousands.
const MAX_INCLUDES: usize = 100_000;

/// The directories of the pages that show a document, by its path. Sphinx reads even a path within a shown text from the page.
pub(crate) struct Includers(FxHashMap<String, Vec<String>>);

impl ProjectIndex for Includers {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let documents: Vec<&String> = tree.files().iter().filter(|path| is_document(path)).collect();
        let mut written: FxHashMap<&str, Vec<String>> = FxHashMap::default();
        for path in &documents {
            let text = tree.read_shared(path).unwrap_or_default();
            let all: Vec<String> = included_paths(&text).map(str::to_owned).collect();
            if !all.is_empty() {
                written.insert(path, all);
            }
        }
        let ends = ends_of(&documents, written.values().flatten());
        let mut found: FxHashMap<String, Vec<String>> = FxHashMap::default();
        let pages = documents.iter().filter(|path| written.contains_key(path.as_str()));
        let mut waiting: VecDeque<(String, String)> =
            pages.map(|path| ((*path).clone(), parent(path).to_owned())).collect();
        let mut followed = 0;
        while let Some((document, directory)) = waiting.pop_front() {
            for path in written.get(document.as_str()).into_iter().flatten() {
                followed += 1;
                if followed > MAX_INCLUDES {
                    return Self(found);
                }
                let named = join(&directory, path).filter(|path| tree.kind(path) == Some(Kind::File));
                let by_end = ends.get(path.as_str()).into_iter().flatten().map(|path| (*path).clone());
                for shown in named.into_iter().chain(by_end).filter(|shown| *shown != document) {
                    let directories = found.entry(shown.clone()).or_default();
                    if directories.len() < MAX_DIRECTORIES && !directories.contains(&directory) {
                        directories.push(directory.clone());
                        waiting.push_back((shown, directory.clone()));
                    }
                }
            }
        }
        Self(found)
    }
}

impl Includers {
    /// Returns the directories of the pages that show the document at a path, in order; none if no document includes it.
    pub(crate) fn directories_of(&self, path: &str) -> &[String] {
        self.0.get(path).map_or(&[], Vec::as_slice)
    }
}

/// Returns whether a file is a document that can show others, or be shown.
fn is_document(path: &str) -> bool {
    matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "qmd" | "rst" | "txt")
}

/// The documents that end with an included path, for paths that are not written from the document: `latest/a.md`.
fn ends_of<'d>(
    documents: &[&'d String],
    written: impl Iterator<Item = &'d String>,
) -> FxHashMap<&'d str, Vec<&'d String>> {
    let mut by_name: FxHashMap<&str, Vec<&'d String>> = FxHashMap::default();
    for path in documents {
        by_name.entry(name(path)).or_default().push(path);
    }
    let mut ends: FxHashMap<&str, Vec<&String>> = FxHashMap::default();
    for path in written.filter(|path| path.contains('/') && !path.starts_with('.')) {
        let is_below = |base: &str| base.is_empty() || base.ends_with('/');
        ends.entry(path).or_insert_with(|| {
            let namesakes = by_name.get(name(path)).into_iter().flatten().copied();
            let those = namesakes.filter(|file| file.strip_suffix(path.as_str()).is_some_and(is_below));
            those.take(MAX_DIRECTORIES).collect()
        });
    }
    ends
}

/// The paths of documents that a text includes, as they are written.
fn included_paths(text: &str) -> impl Iterator<Item = &str> {
    let behind = move |mark: &'static str| {
        memmem::find_iter(text.as_bytes(), mark).map(move |at| (mark, head(&text[at + mark.len()..], MAX_PATH_BYTES)))
    };
    MARKS.into_iter().flat_map(behind).filter_map(|(mark, rest)| {
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let is_of_word = |c: char| mark == INCLUDE && (c.is_ascii_lowercase() || matches!(c, '-' | '_'));
        let path = line.trim_start_matches(is_of_word).trim_start_matches([' ', '\t', ':', '(', '}', '"', '\'', '<']);
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '!' | ')' | '}' | '>' | ':');
        let path = &path[..path.find(is_end).unwrap_or(path.len())];
        is_document(path).then_some(path)
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn resolves_links_of_included_documents() {
        let tree = "docs/latest/setup/b.md\ndocs/6.x/a.md = --8<-- \"latest/a.md\"\ndocs/6.x/c.md\ndocs/7.x/d.md = {!../../parts/d.md!}\n\
                    docs/7.x/e.md\nREADME.md\ndocs/7.x/readme.md = {% include-markdown \"../../README.md\" %}";
        check(
            tree,
            "docs/latest/a.md",
            "[b](setup/b.md) [c](c.md) [e](e.md)\n",
            "md.link setup/b.md → docs/latest/setup/b.md
             md.link c.md → docs/6.x/c.md
             md.link e.md → missing",
        );
        check(tree, "parts/d.md", "[e](e.md)\n", "md.link e.md → docs/7.x/e.md");
        check(tree, "README.md", "[e](e.md)\n", "md.link e.md → docs/7.x/e.md");
        let of_plugin = "docs/e.md\ndocs/part/_f.md\ndocs/g/h.md = !!!include(part/_f.md)!!!\ndocs/g/i.md";
        check(
            of_plugin,
            "docs/part/_f.md",
            "[i](i.md) [e](../e.md) [j](j.md)\n",
            "md.link i.md → docs/g/i.md
             md.link ../e.md → docs/e.md
             md.link j.md → missing",
        );
        check(tree, "lib/README.md", "[e](e.md)\n", "md.link e.md → missing");
        check(tree, "other/d.md", "[e](e.md)\n", "md.link e.md → missing");
        // A shown text includes from the page that shows it.
        let tree = "shared/conf.py\nshared/b.rst = .. include:: ../../shared/part/new/c.rst\nshared/part/new/c.rst\nguide/source/conf.py\n\
                    guide/source/b.rst = .. include:: ../../shared/b.rst\nshared/images/d.png";
        check(
            tree,
            "shared/part/new/c.rst",
            ".. image:: ../../shared/images/d.png\n\n.. image:: ../../shared/images/e.png\n",
            "rst.image ../../shared/images/d.png → shared/images/d.png
             rst.image ../../shared/images/e.png → missing",
        );
    }
}
