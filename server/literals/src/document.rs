//! `Document`: the text of an open file with its syntax trees and its last check. The LSP server keeps one per open file.

use std::ops::Range;
use std::sync::Arc;

use crate::check::check;
use crate::checked::Checked;
use crate::project::Project;
use crate::source::Source;
use pathfinder_syntax::syntax_trees::SyntaxTrees;

/// A file that an editor has open. Edits reparse only what they touch, and an unchanged text is not checked again.
#[derive(Clone, Debug)]
pub struct Document {
    path: String,
    text: String,
    trees: SyntaxTrees,
    checked: Option<Arc<[Checked]>>,
}

impl Document {
    /// Creates the document of the file at `path`, relative to the root.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), trees: SyntaxTrees::default(), checked: None }
    }

    /// The path, relative to the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The current text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Replaces a range of bytes. Returns false and changes nothing if the range is not on character boundaries of the text.
    pub fn edit(&mut self, range: Range<usize>, with: &str) -> bool {
        if self.text.get(range.clone()).is_none() {
            return false;
        }
        // The offsets of the trees do not count a byte order mark. A text that has one is parsed from scratch.
        self.trees = if self.text.starts_with('\u{feff}') {
            SyntaxTrees::default()
        } else {
            self.trees.with_edit(&self.text, &range, with)
        };
        self.text.replace_range(range, with);
        self.checked = None;
        true
    }

    /// Moves the document to another path, with its text.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Self {
        let path = path.into();
        if path == self.path { self } else { Self { path, checked: None, ..self } }
    }

    /// Returns the source with its syntax trees. `None` if it contains a NUL, as binary files do.
    pub fn source(&self) -> Option<Source<'_>> {
        Some(Source::new(&self.path, self.text.as_bytes())?.with_trees(self.trees.clone()))
    }

    /// Drops the trees that can differ from a parse from scratch, so that the next check parses them again.
    ///
    /// Long texts with syntax errors are reparsed incrementally, and the parser's error recovery then depends on earlier
    /// edits. Call this when the document is idle. Returns false if no tree was dropped; then the last
    /// [`check`](Self::check) is still valid.
    pub fn drop_inexact_trees(&mut self) -> bool {
        let Some(exact) = self.trees.without_inexact() else { return false };
        self.trees = exact;
        self.checked = None;
        true
    }

    /// Drops the last check, because the tree around the file has changed.
    pub fn forget(&mut self) {
        self.checked = None;
    }

    /// Returns every literal, as [`check`](fn@crate::check) does; empty for binary files.
    pub fn check(&mut self, project: &Project) -> Arc<[Checked]> {
        if let Some(checked) = &self.checked {
            return Arc::clone(checked);
        }
        let found = self.source().map(|source| check(&source, project));
        let checked: Arc<[Checked]> = found.unwrap_or_default().into();
        self.checked = Some(Arc::clone(&checked));
        checked
    }
}
