//! Test support: `check` compares the literals of a file with a table of expected rows.

use std::sync::Arc;

use pathfinder_literals::{Checked, Language, LiteralKind, Project, Source, Tree, Verdict};

pub(crate) use pathfinder_literals::testing::MemoryTree;

/// Creates the project of a tree with all languages.
pub(crate) fn new_project(tree: impl Tree + 'static) -> Project {
    Project::new(Arc::new(tree), crate::ALL)
}

/// Checks one file of a tree and compares its literals with the expected rows.
///
/// There is one row per literal, in order: `KIND LITERAL → PATH`, `KIND LITERAL → missing`, or `KIND LITERAL → unknown REASON`.
/// Other codes than `missing-path` have their own name: `→ case-mismatch`. The literal is the text in the file.
#[track_caller]
pub(crate) fn check(tree: &str, path: &str, contents: &str, expect: &str) {
    let mut tree = MemoryTree::new(tree);
    tree.add(path, contents);
    let project = new_project(tree);
    let source = Source::new(path, contents.as_bytes()).expect("a text");
    let all = pathfinder_literals::check(&source, &project);
    assert_kinds_listed(path, &all);
    let rows: Vec<String> = all.iter().map(|checked| row(checked, contents)).collect();
    let expect: Vec<&str> = expect.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    assert_eq!(rows, expect, "\n{path}:\n{contents}");
}

/// Asserts that a language of the file lists the kind of each literal.
#[track_caller]
fn assert_kinds_listed(path: &str, all: &[Checked]) {
    let listed: Vec<LiteralKind> = crate::for_path(path).flat_map(Language::kinds).copied().collect();
    for checked in all {
        let is_listed = listed.contains(&checked.kind);
        assert!(is_listed, "{path}: no language of the file lists {}", checked.kind);
    }
}

fn row(checked: &Checked, contents: &str) -> String {
    let literal = contents.get(checked.range.clone()).expect("a range in the file");
    let verdict = match &checked.verdict {
        Verdict::Found(target) if target.path.is_empty() => ".".to_owned(),
        Verdict::Found(target) => target.path.clone(),
        Verdict::Missing(missing) => missing.code.name().trim_end_matches("-path").to_owned(),
        Verdict::Unknown(reason) => format!("unknown {}", reason.name()),
    };
    format!("{} {literal} → {verdict}", checked.kind)
}

/// Asserts that a check does not panic and that every range lies on character boundaries of the file.
pub(crate) fn assert_ranges_valid(path: &str, text: &str) {
    let mut tree = MemoryTree::new("a/b.txt\nc/d.css\nsrc/e.c");
    tree.add(path, text);
    let project = new_project(tree);
    let Some(source) = Source::new(path, text.as_bytes()) else { return };
    for checked in pathfinder_literals::check(&source, &project) {
        assert!(text.get(checked.range.clone()).is_some(), "{path}: {checked:?} in {text:?}");
    }
}

/// Returns the severities of the findings of one file, in order.
pub(crate) fn severities(tree: &str, path: &str, contents: &str) -> Vec<&'static str> {
    let mut tree = MemoryTree::new(tree);
    tree.add(path, contents);
    let project = new_project(tree);
    let source = Source::new(path, contents.as_bytes()).expect("a text");
    let missing =
        pathfinder_literals::check(&source, &project).into_iter().filter_map(|checked| match checked.verdict {
            Verdict::Missing(missing) => Some(missing.severity.name()),
            _ => None,
        });
    missing.collect()
}
