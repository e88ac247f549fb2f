//! `Document`: a text that is being edited, with the literals that it has.

use std::ops::Range;
use std::sync::Arc;

use crate::checked::Checked;
use crate::project::Project;
use crate::source::Source;
use crate::trees::Trees;

/// A file as an editor has it. What an edit does not touch is not parsed again, and a text that has not changed is not
/// checked again.
#[derive(Clone, Debug)]
pub struct Document {
    path: String,
    text: String,
    trees: Trees,
    checked: Option<Arc<[Checked]>>,
}

impl Document {
    /// The file at `path`, relative to the root, with this text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), trees: Trees::default(), checked: None }
    }

    /// Relative to the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// As it is now.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Puts a text in the place of a range of bytes. False, and nothing is changed, if that is no range of characters.
    pub fn edit(&mut self, range: Range<usize>, with: &str) -> bool {
        if self.text.get(range.clone()).is_none() {
            return false;
        }
        // Trees know the text without a byte order mark; with one, they begin anew.
        self.trees = if self.text.starts_with('\u{feff}') {
            Trees::default()
        } else {
            self.trees.edited(&self.text, &range, with)
        };
        self.text.replace_range(range, with);
        self.checked = None;
        true
    }

    /// The same text under another path.
    #[must_use]
    pub fn at(self, path: impl Into<String>) -> Self {
        let path = path.into();
        if path == self.path { self } else { Self { path, checked: None, ..self } }
    }

    /// The text with what is parsed of it; `None` if it is no text.
    pub fn source(&self) -> Option<Source<'_>> {
        Some(Source::new(&self.path, self.text.as_bytes())?.with_trees(self.trees.clone()))
    }

    /// To be called when there is time, such as when nobody has typed for a while. A long text that is broken is read with
    /// the help of what it was before, and how a parser mends what is broken depends on that: after this it is read from
    /// scratch. False if nothing was open, and then the last [`check`](Self::check) stands.
    pub fn settle(&mut self) -> bool {
        let Some(settled) = self.trees.settled() else { return false };
        self.trees = settled;
        self.checked = None;
        true
    }

    /// Forgets the verdicts: the tree around the file has changed.
    pub fn forget(&mut self) {
        self.checked = None;
    }

    /// Every literal, as [`check`](crate::check) finds them; none if it is no text.
    pub fn check(&mut self, project: &Project) -> Arc<[Checked]> {
        if let Some(checked) = &self.checked {
            return Arc::clone(checked);
        }
        let found = self.source().map(|source| crate::check(&source, project));
        let checked: Arc<[Checked]> = found.unwrap_or_default().into();
        self.checked = Some(Arc::clone(&checked));
        checked
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::Document;
    use crate::project::Project;
    use crate::source::Source;
    use crate::testing::Forest;

    /// Texts in which an edit can open a comment, a string or a block.
    const TEXTS: [(&str, &str); 5] = [
        ("a.rs", "mod b;\n// mod c;\n#[path = \"d.rs\"]\nmod e;\nconst F: &str = include_str!(\"g.txt\");\n"),
        ("a.py", "from .b import c\nimport d.e\n\"\"\"x\"\"\"\nfrom . import f\n"),
        ("a.zig", "const a = @import(\"b.zig\");\nconst c = @embedFile(\"d.txt\");\n"),
        ("a.ts", "import a from './b';\nexport * from \"../c\";\nconst d = `${require('./e')}`;\n"),
        ("a.md", "[a](b.md) <img src='c.png'>\n\n```\n[x](y.md)\n```\n[d]: e.md\n"),
    ];

    fn project() -> Project {
        Project::new(Arc::new(Forest::new(
            "b.rs\nb.md\nb.zig\nb.ts\npkg/__init__.py\nb.py\nc.png\nCargo.toml = [package]",
        )))
    }

    proptest! {
        /// After any edits a document has the literals that its text has from scratch.
        #[test]
        fn edits_lose_nothing(which in 0..TEXTS.len(), edits in prop::collection::vec((any::<prop::sample::Index>(), 0..6usize, "[a-z./\"'`*# \n(){};]{0,6}"), 1..8)) {
            let (path, text) = TEXTS[which];
            let project = project();
            let mut document = Document::new(path, text);
            for (at, length, with) in edits {
                document.check(&project);
                let start = at.index(document.text().len() + 1);
                let end = (start + length).min(document.text().len());
                document.edit(start..end, &with);
                let source = Source::new(path, document.text().as_bytes()).expect("a text");
                let expect = crate::check(&source, &project);
                prop_assert_eq!(document.check(&project).to_vec(), expect, "{}: {:?}", path, document.text());
            }
        }
    }

    #[test]
    fn what_is_no_range_changes_nothing() {
        let mut document = Document::new("a.md", "é");
        assert!(!document.edit(1..2, "x") && !document.edit(0..9, "x"));
        assert!(document.edit(0..2, "[a](b.md)"));
        assert_eq!(document.check(&project()).len(), 1);
    }
}
