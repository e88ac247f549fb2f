//! Questions are deterministic, cover all kinds and have one answer.

use std::collections::BTreeSet;

use super::{BenchQuestion, MISTAKE_KINDS, MistakeKind, generate_questions};
use crate::tree::{GeneratedTree, SEED};

#[test]
fn generates_as_many_questions_of_each_kind() {
    let files = GeneratedTree::generate(3_261, SEED).files;
    let questions_of_tree = generate_questions(&files, 50);
    assert_eq!(questions_of_tree, generate_questions(&files, 50));
    for kind in MISTAKE_KINDS {
        assert_eq!(questions_of_tree.iter().filter(|question| question.kind == kind).count(), 50, "{kind:?}");
    }
    let all: BTreeSet<_> = files.iter().collect();
    for BenchQuestion { kind, failed, expected } in &questions_of_tree {
        assert!(all.contains(expected) && !all.contains(failed), "{kind:?}: {failed} for {expected}");
        let ends_so = files.iter().filter(|path| path.ends_with(&format!("/{failed}"))).count();
        let wanted = usize::from(matches!(kind, MistakeKind::Bare | MistakeKind::Partial));
        assert_eq!(ends_so, wanted, "{kind:?}: {failed} for {expected}");
    }
}

#[test]
fn small_trees_have_fewer_questions() {
    assert_eq!(generate_questions(&[], 50), []);
    let one = ["a/b/c/parser.rs".to_owned()];
    assert_eq!(generate_questions(&one, 50).len(), 1);
}
