//! `Includers`: the documents that show the text of others in their place, by the lines that include it.

use std::collections::BTreeSet;

use memchr::memmem;
use pathfinder_literals::path::{extension, head, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

/// The marks before the path of an included document, of the extensions of Markdown, of Jinja, mdBook, `VitePress`, Sphinx and `MyST`.
const MARKS: [&str; 9] = [
    "--8<-- ",
    "{!",
    "{% include-markdown ",
    "{% include ",
    "{{#include ",
    "@include: ",
    "@include ",
    "include:: ",
    "{include} ",
];

/// Bytes behind a mark in which a path ends. No path that people write is longer.
const MAX_PATH_BYTES: usize = 256;
/// Documents that include one. A text that more pages share has no links of its own.
const MAX_INCLUDERS: usize = 16;
/// Includes of files of one name, such as `index.md`.
const MAX_NAMESAKES: usize = 4_096;

/// The directories of documents, by the last name of what they include. A path that is not written from the document ends the path of the file.
pub(crate) struct Includers(FxHashMap<String, BTreeSet<(String, String)>>);

impl ProjectIndex for Includers {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let is_document =
            |path: &&String| matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "rst" | "txt");
        let mut all: FxHashMap<String, BTreeSet<(String, String)>> = FxHashMap::default();
        for path in tree.files().iter().filter(is_document) {
            let text = tree.read_shared(path).unwrap_or_default();
            for written in included_paths(&text) {
                let known = all.entry(name(written).to_owned()).or_default();
                if known.len() < MAX_NAMESAKES {
                    known.insert((written.to_owned(), parent(path).to_owned()));
                }
            }
        }
        Self(all)
    }
}

impl Includers {
    /// Returns the directories of the documents that include the one at a path, in order.
    pub(crate) fn directories_of(&self, path: &str) -> impl Iterator<Item = &str> {
        let known = self.0.get(name(path)).into_iter().flatten();
        let is_end = move |written: &str| {
            let is_below = |base: &str| base.is_empty() || base.ends_with('/');
            written.contains('/') && !written.starts_with('.') && path.strip_suffix(written).is_some_and(is_below)
        };
        let is_meant = move |written: &str, directory: &str| {
            is_end(written) || join(directory, written).is_some_and(|included| included == path)
        };
        let those = known.filter(move |(written, directory)| is_meant(written, directory));
        those.map(|(_, directory)| directory.as_str()).take(MAX_INCLUDERS)
    }
}

/// The paths of documents that a text includes, as they are written.
fn included_paths(text: &str) -> impl Iterator<Item = &str> {
    let behind =
        move |mark: &'static str| memmem::find_iter(text.as_bytes(), mark).map(move |at| &text[at + mark.len()..]);
    MARKS.into_iter().flat_map(behind).filter_map(|rest| {
        let rest = head(rest, MAX_PATH_BYTES);
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let path = line.trim_start().trim_start_matches(['"', '\'', '<']);
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '!' | '}' | '>' | ':');
        let path = &path[..path.find(is_end).unwrap_or(path.len())];
        let is_document = matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "rst" | "txt");
        is_document.then_some(path)
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
        check(tree, "lib/README.md", "[e](e.md)\n", "md.link e.md → missing");
        check(tree, "other/d.md", "[e](e.md)\n", "md.link e.md → missing");
    }
}
