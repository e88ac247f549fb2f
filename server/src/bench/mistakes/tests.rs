//! Questions are always the same, of all kinds, and have one answer.

use std::collections::BTreeSet;

use super::super::tree::{SEED, Tree};
use super::{KINDS, Kind, Question, questions};

#[test]
fn always_the_same_and_as_many_of_each() {
    let files = Tree::of(3_261, SEED).files;
    let asked = questions(&files, 50);
    assert_eq!(asked, questions(&files, 50));
    for kind in KINDS {
        assert_eq!(asked.iter().filter(|question| question.kind == kind).count(), 50, "{kind:?}");
    }
    let all: BTreeSet<_> = files.iter().collect();
    for Question { kind, failed, meant } in &asked {
        assert!(all.contains(meant) && !all.contains(failed), "{kind:?}: {failed} for {meant}");
        let ends_so = files.iter().filter(|path| path.ends_with(&format!("/{failed}"))).count();
        let wanted = usize::from(matches!(kind, Kind::Bare | Kind::Partial));
        assert_eq!(ends_so, wanted, "{kind:?}: {failed} for {meant}");
    }
}

#[test]
fn small_trees_have_fewer() {
    assert_eq!(questions(&[], 50), []);
    let one = ["a/b/c/parser.rs".to_owned()];
    assert_eq!(questions(&one, 50).len(), 1);
}
