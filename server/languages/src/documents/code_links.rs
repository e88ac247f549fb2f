//! Checks links of Markdown in comments and strings of code, from which tools build documentation: `[guide](docs/guide.md)`.
//!
//! No grammar is needed: the tree and git decide whether the text between the parentheses is a path. A link of which they know nothing
//! is not a literal, because tools that publish the documentation have routes of their own.

use std::ops::Range;

use memchr::memmem;
use pathfinder_literals::path::{extension, head};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Source};

use crate::path_words;

/// Extensions of languages with documentation in Markdown. Other rules read their files too, so that no editor starts the server for
/// these links alone.
const EXTENSIONS: [&str; 20] = [
    "c", "cc", "cpp", "dart", "erl", "ex", "exs", "go", "h", "hpp", "hs", "java", "js", "jsx", "kt", "py", "rb", "rs",
    "scala", "ts",
];

/// Longest link that is read; no path that people write is longer.
const MAX_LINK_BYTES: usize = 200;

/// Links in the documentation of code.
pub(crate) struct CodeLinks;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// Target of a link of Markdown in a comment or a string of code.
        LINK = "code.link";
    }
}

impl Language for CodeLinks {
    fn name(&self) -> &'static str {
        "code-links"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        EXTENSIONS.contains(&extension(path).as_str())
    }

    fn checks_one_literal(&self) -> bool {
        true
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        path_words::check(source, project, found, kinds::LINK, find_links(source.text()));
    }
}

/// Returns the byte ranges of the paths of links. A path from the root of the documentation begins after its slash.
fn find_links(text: &str) -> impl Iterator<Item = Range<usize>> {
    memmem::find_iter(text.as_bytes(), "](").filter_map(move |at| {
        let start = at + "](".len();
        let link = head(&text[start..], MAX_LINK_BYTES);
        let link = &link[..link.find(')')?];
        let path = link.split(['#', '?']).next()?;
        let start = start + usize::from(path.starts_with('/'));
        let is_path = !path.contains(|c: char| c.is_whitespace() || matches!(c, '(' | '<' | '"' | ':'));
        (is_path && path.contains('/')).then(|| start..at + "](".len() + path.len())
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_links_that_the_tree_or_git_explains() {
        let tree = "docs/topics/new/a.md\ndocs/b.md\nlib/img/c.png\nmoved docs/topics/a.md docs/topics/new/a.md";
        check(
            tree,
            "lib/x.ex",
            "@doc \"\"\"\nSee the [guide](/docs/topics/a.md).\n\"\"\"\n",
            "code.link docs/topics/a.md → moved",
        );
        check(
            tree,
            "lib/x.rs",
            "//! [b](../docs/b.md#top), ![c](img/c.png)\n",
            "code.link ../docs/b.md → docs/b.md\ncode.link img/c.png → lib/img/c.png",
        );
        // No path, one that the tree does not explain, a call.
        check(
            tree,
            "lib/x.rs",
            "//! [a](https://x.org/docs/b.md) [b](docs/gone.md) [c](struct.X.html) [d](docs/b)\n",
            "",
        );
        check(tree, "lib/x.ts", "calls[0](docs/b.md, 1); calls[1](a / b.md);\n", "");
    }
}
