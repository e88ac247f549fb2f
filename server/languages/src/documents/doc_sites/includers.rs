//! `Includers`: the documents that show the text of others in their place, by the lines that include it.

use std::collections::BTreeSet;

use pathfinder_literals::path::{extension, parent, strip_parent_steps};
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

/// What stands before the path of an included document, of Markdown's extensions, Jinja, mdBook, VitePress, Sphinx and `MyST`.
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

/// Documents that include one. A text that more pages share has no links of its own.
const MAX_INCLUDERS: usize = 16;

/// The directories of documents, by the last name of what they include, with its path as far as it is written.
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
                if let Some(tail) = strip_parent_steps(written) {
                    let last = pathfinder_literals::path::name(&tail).to_owned();
                    let known = all.entry(last).or_default();
                    if known.len() < MAX_INCLUDERS {
                        known.insert((tail, parent(path).to_owned()));
                    }
                }
            }
        }
        Self(all)
    }
}

impl Includers {
    /// Returns the directories of the documents that include the one at a path, in order.
    pub(crate) fn directories_of(&self, path: &str) -> impl Iterator<Item = &str> {
        let known = self.0.get(pathfinder_literals::path::name(path)).into_iter().flatten();
        let is_meant =
            move |tail: &str| path.strip_suffix(tail).is_some_and(|base| base.is_empty() || base.ends_with('/'));
        known.filter(move |(tail, _)| is_meant(tail)).map(|(_, directory)| directory.as_str())
    }
}

/// The paths of documents that a text includes, as they are written.
fn included_paths(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = MARKS.iter().find_map(|mark| line.split_once(mark).map(|(_, rest)| rest))?;
        let rest = rest.trim_start().trim_start_matches(['"', '\'', '<']);
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '!' | '}' | '>' | ':');
        let path = &rest[..rest.find(is_end).unwrap_or(rest.len())];
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
                    docs/7.x/e.md\nREADME.md";
        check(
            tree,
            "docs/latest/a.md",
            "[b](setup/b.md) [c](c.md) [e](e.md)\n",
            "md.link setup/b.md → docs/latest/setup/b.md
             md.link c.md → docs/6.x/c.md
             md.link e.md → missing",
        );
        check(tree, "parts/d.md", "[e](e.md)\n", "md.link e.md → docs/7.x/e.md");
        check(tree, "other/d.md", "[e](e.md)\n", "md.link e.md → missing");
    }
}
