//! Properties of `Document`: after any edits it has the literals that its text has from scratch.

use proptest::prelude::*;

use crate::testing::{MemoryTree, new_project};
use pathfinder_literals::Document;
use pathfinder_literals::Project;
use pathfinder_literals::Source;

/// Texts in which an edit can open a comment, a string or a block.
const TEXTS: [(&str, &str); 5] = [
    ("a.rs", "mod b;\n// mod c;\n#[path = \"d.rs\"]\nmod e;\nconst F: &str = include_str!(\"g.txt\");\n"),
    ("a.py", "from .b import c\nimport d.e\n\"\"\"x\"\"\"\nfrom . import f\n"),
    ("a.zig", "const a = @import(\"b.zig\");\nconst c = @embedFile(\"d.txt\");\n"),
    ("a.ts", "import a from './b';\nexport * from \"../c\";\nconst d = `${require('./e')}`;\n"),
    ("a.md", "[a](b.md) <img src='c.png'>\n\n```\n[x](y.md)\n```\n[d]: e.md\n"),
];

fn project() -> Project {
    new_project(MemoryTree::new("b.rs\nb.md\nb.zig\nb.ts\npkg/__init__.py\nb.py\nc.png\nCargo.toml = [package]"))
}

proptest! {
    /// After any edits a document has the literals that its text has from scratch.
    #[test]
    fn matches_a_fresh_check_after_edits(which in 0..TEXTS.len(), edits in prop::collection::vec((any::<prop::sample::Index>(), 0..6usize, "[a-z./\"'`*# \n(){};]{0,6}"), 1..8)) {
        let (path, text) = TEXTS[which];
        let project = project();
        let mut document = Document::new(path, text);
        for (at, length, with) in edits {
            document.check(&project);
            let start = at.index(document.text().len() + 1);
            let end = (start + length).min(document.text().len());
            document.edit(start..end, &with);
            let source = Source::new(path, document.text().as_bytes()).expect("a text");
            let expect = pathfinder_literals::check(&source, &project);
            prop_assert_eq!(document.check(&project).to_vec(), expect, "{}: {:?}", path, document.text());
        }
    }
}

#[test]
fn rejects_ranges_inside_characters() {
    let mut document = Document::new("a.md", "é");
    assert!(!document.edit(1..2, "x") && !document.edit(0..9, "x"));
    assert!(document.edit(0..2, "[a](b.md)"));
    assert_eq!(document.check(&project()).len(), 1);
}
