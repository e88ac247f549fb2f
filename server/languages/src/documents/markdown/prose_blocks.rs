//! Prose that `CommonMark` takes for code: the body of a block that a generator adds to Markdown. In `MkDocs` an indented body
//! follows a line that opens it (`!!! note`, `??? tip`, `=== "Tab"`); in `MyST` a fence names an admonition (`{note}`). In MDX text is
//! indented as the tags around it.

use std::ops::Range;

use pulldown_cmark::CodeBlockKind;

use super::links::Dialect;

/// Marks of lines that open an indented block, each with the blank after it.
const OPENERS: [&str; 4] = ["!!! ", "??? ", "???+ ", "=== "];

/// Directives of docutils and Sphinx with a body of prose. Others contain code, or a notation of their own.
const PROSE_DIRECTIVES: [&str; 20] = [
    "admonition",
    "attention",
    "caution",
    "danger",
    "deprecated",
    "dropdown",
    "epigraph",
    "error",
    "hint",
    "important",
    "margin",
    "note",
    "seealso",
    "sidebar",
    "tip",
    "todo",
    "topic",
    "versionadded",
    "versionchanged",
    "warning",
];

/// Returns whether the code block that begins at a byte of the document contains prose.
pub(super) fn is_prose(document: &str, start: usize, kind: &CodeBlockKind<'_>, dialect: Dialect) -> bool {
    match kind {
        CodeBlockKind::Indented if dialect == Dialect::Mdx => true,
        CodeBlockKind::Fenced(info) => {
            let name = info.trim_start().strip_prefix('{').and_then(|rest| rest.split_once('}'));
            name.is_some_and(|(name, _)| PROSE_DIRECTIVES.contains(&name))
        }
        CodeBlockKind::Indented => {
            let start = document[..start].rfind('\n').map_or(0, |at| at + 1);
            let Some(own) = document[start..].lines().next().map(indentation) else { return false };
            // The nearest line above with less indentation is the one that the block belongs to.
            let above = document[..start].lines().rev();
            let opener = above.into_iter().find(|line| !line.trim().is_empty() && indentation(line) < own);
            opener.is_some_and(|line| OPENERS.iter().any(|mark| line.trim_start().starts_with(mark)))
        }
    }
}

/// Spaces before a line. Tabs do not count: the generators that know these blocks ask for spaces.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The body of a block without what its lines are indented by.
#[derive(Debug, Default)]
pub(super) struct BlockBody {
    pub(super) text: String,
    /// Start of each part: in `text`, and in the document.
    parts: Vec<(usize, usize)>,
}

impl BlockBody {
    /// The text between the tags of a block, without what its lines are indented by.
    pub(super) fn between_tags(document: &str, block: Range<usize>) -> Self {
        /// Elements whose content is no Markdown.
        const OPAQUE: [&str; 5] = ["<script", "<style", "<pre", "<!--", "<svg"];
        let mut body = Self::default();
        let mut start = block.start;
        for line in document[block].split_inclusive('\n') {
            let text = line.trim_start();
            if OPAQUE.iter().any(|open| text.starts_with(open)) {
                break;
            }
            let mut rest = text;
            while let Some((_, after)) = rest.strip_prefix('<').and_then(|tag| tag.split_once('>')) {
                rest = after.trim_start_matches([' ', '\t']);
            }
            let end = start + line.len();
            // An expression is no Markdown either.
            if rest.starts_with('{') {
                rest = "";
            }
            body.push(document, end - rest.len()..end);
            if !rest.ends_with('\n') {
                body.text.push('\n');
            }
            start = end;
        }
        body
    }

    /// Adds the next part of the body, at most a line.
    pub(super) fn push(&mut self, document: &str, range: Range<usize>) {
        self.parts.push((self.text.len(), range.start));
        self.text.push_str(&document[range]);
    }

    /// Returns the place in the document of a range within a line.
    pub(super) fn to_document(&self, range: &Range<usize>) -> Range<usize> {
        let part = self.parts.partition_point(|&(own, _)| own <= range.start).saturating_sub(1);
        let (own, document) = self.parts[part];
        range.start - own + document..range.end - own + document
    }
}
