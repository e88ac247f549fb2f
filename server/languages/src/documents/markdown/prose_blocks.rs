//! Prose that `CommonMark` takes for code: the body of a block that a generator adds to Markdown. In `MkDocs` an indented body
//! follows a line that opens it (`!!! note`, `??? tip`, `=== "Tab"`); in `MyST` a fence names an admonition (`{note}`).

use std::ops::Range;

use pulldown_cmark::CodeBlockKind;

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
pub(super) fn is_prose(document: &str, start: usize, kind: &CodeBlockKind<'_>) -> bool {
    match kind {
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
    /// Adds the next part of the body, at most a line.
    pub(super) fn push(&mut self, document: &str, range: Range<usize>) {
        self.parts.push((self.text.len(), range.start));
        self.text.push_str(&document[range]);
    }

    /// Returns the place in the document of a range.
    pub(super) fn to_document(&self, range: &Range<usize>) -> Range<usize> {
        let place = |at: usize| {
            let part = self.parts.partition_point(|&(own, _)| own <= at).saturating_sub(1);
            let (own, document) = self.parts[part];
            at - own + document
        };
        // The end belongs to the part of the byte before it.
        place(range.start)..place(range.end.max(range.start + 1) - 1) + usize::from(range.end > range.start)
    }
}
