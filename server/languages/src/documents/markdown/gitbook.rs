//! Reads the pages and files that blocks of `GitBook` name: `{% content-ref url="setup.md" %}`, `{% page-ref page="a/" %}`,
//! `{% file src="../.gitbook/assets/a.pdf" %}`. They are written as the destinations of links are.

use std::ops::Range;

use crate::documents::markdown::kinds;
use crate::documents::markdown::links::MarkdownLink;
use pathfinder_literals::path::{ancestors, head, join};
use pathfinder_literals::{Kind, Tree};

/// The blocks, each with the attribute that has the destination.
const BLOCKS: [&str; 3] = ["content-ref url=\"", "page-ref page=\"", "file src=\""];

/// A longer block has no path. The limit keeps one without an end from being read to the end of the text.
const MAX_BLOCK_BYTES: usize = 1_000;

/// Returns whether a page in a directory is one that `GitBook` keeps here, with its pictures: all its paths are relative to it.
pub(super) fn is_synced_page(tree: &dyn Tree, directory: &str) -> bool {
    let mut above = ancestors(directory).filter_map(|at| join(at, ".gitbook/assets"));
    above.any(|assets| tree.kind(&assets) == Some(Kind::Directory))
}

/// The destination of the block that begins in a part of a paragraph.
pub(super) fn block_link(text: &str, part: Range<usize>) -> Option<MarkdownLink> {
    let open = part.start + text[part].find("{% ")? + "{% ".len();
    let rest = head(&text[open..], MAX_BLOCK_BYTES);
    let block = BLOCKS.iter().find(|block| rest.starts_with(**block))?;
    let (destination, _) = rest[block.len()..].split_once('"')?;
    let start = open + block.len();
    (!destination.is_empty() && !destination.contains('\n')).then(|| MarkdownLink {
        kind: kinds::LINK,
        range: start..start + destination.len(),
        destination: destination.to_owned(),
        is_followed: true,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_blocks_of_gitbook() {
        let tree = "a/README.md\na/b.md\n.gitbook/assets/c.pdf";
        let text = "{% content-ref url=\"a/b.md\" %}\n[b.md](a/b.md)\n{% endcontent-ref %}\n\n{% page-ref page=\"a/\" %}\n\n\
                    {% file src=\".gitbook/assets/c.pdf\" %}\n\n* {% content-ref url=\"a/gone_x.md\" %}\n\n```\n{% page-ref page=\"a/gone\" %}\n```\n";
        check(
            tree,
            "x.md",
            text,
            "md.link a/b.md → a/b.md
             md.link a/b.md → a/b.md
             md.link a/ → a
             md.link .gitbook/assets/c.pdf → .gitbook/assets/c.pdf
             md.link a/gone_x.md → missing",
        );
        let page = "---\ncover: x\n---\n# A\n\n<img src=\"../.gitbook/assets/gone.png\">\n";
        check(".gitbook/assets/c.png", "a/x.md", page, "md.html.src ../.gitbook/assets/gone.png → missing");
        check("img/c.png", "a/x.md", page, "md.html.src ../.gitbook/assets/gone.png → unknown undecided");
    }
}
