//! Tests of missing, shallow, partial and broken histories.

use std::time::Duration;

use super::super::super::history;
use super::{AMPLE, TestTree, check, git, id, read, repository};

#[test]
fn is_empty_without_a_repository() {
    let tree = TestTree::new("a.rs");
    let history = read(&tree, "");
    assert_eq!((history.head, history.complete, history.commits), (None, false, 0));
}

#[test]
fn is_empty_for_a_broken_git_directory() {
    for dot_git in [".git/HEAD: nonsense", ".git: gitdir: /nowhere", ".git/"] {
        let tree = TestTree::new(dot_git);
        let history = read(&tree, "");
        assert_eq!((history.head, history.commits), (None, 0), "{dot_git}");
    }
}

#[test]
fn is_complete_before_the_first_commit() {
    let tree = repository("");
    let history = read(&tree, "");
    assert_eq!((history.head, history.complete, history.commits), (None, true, 0));
    assert!(history.renames.is_empty());
}

#[test]
fn is_complete_with_one_commit() {
    let tree = repository("f a.rs; c c1");
    let history = read(&tree, "");
    assert_eq!((history.head, history.complete, history.commits), (Some(id(&tree, "c1")), true, 0));
}

#[test]
fn ends_at_a_shallow_boundary() {
    let tree = repository(
        "f a.rs x.rs; c c1
         m x.rs y.rs; c c2
         m a.rs b.rs; c c3
         m b.rs c.rs; c c4
         git clone -q --depth 2 file://$PWD clone",
    );
    let history = read(&tree, "clone");
    check(
        &tree,
        &history,
        "b.rs => c.rs (c4)
         a.rs => -
         x.rs => -",
    );
    assert!(history.complete);
    assert_eq!(history.commits, 1);
}

#[test]
fn counts_missing_blobs_as_inexact() {
    // Pairing a renamed file that changed needs its missing content; the rest is paired without it.
    let tree = repository(
        "f a.rs d/x.rs d/y.rs d/z.rs; c c1
         echo more >> a.rs; git mv d e; echo more >> e/z.rs; m a.rs b.rs; echo last >> b.rs; c c2
         m b.rs c.rs; c c3
         for path in c1:a.rs c1:d/z.rs; do
             blob=$(git rev-parse $path); rm -f .git/objects/$(echo $blob | sed 's|..|&/|')
         done",
    );
    let history = read(&tree, "");
    check(
        &tree,
        &history,
        "b.rs => c.rs (c3)
         a.rs => deleted (c2)
         d/x.rs => e/x.rs (c2)
         d/z.rs => ~e/z.rs (c2)
         d => ~e (c2)",
    );
    assert_eq!((history.complete, history.commits, history.inexact), (true, 2, 1));
}

#[test]
fn reads_a_partial_clone() {
    let tree = repository(
        "f a.rs d/x.rs d/y.rs; c c1
         git mv d e; m a.rs b.rs; echo more >> b.rs; c c2
         git config uploadpack.allowFilter true
         git clone -q --no-checkout --filter=blob:none file://$PWD clone",
    );
    let history = read(&tree, "clone");
    check(
        &tree,
        &history,
        "d/x.rs => e/x.rs (c2)
         a.rs => deleted (c2)",
    );
    assert_eq!((history.complete, history.inexact), (true, 1));
}

#[test]
fn ends_at_a_broken_tree() {
    let tree = repository(
        "f a.rs x.rs; c c1
         m x.rs y.rs; c c2
         m a.rs b.rs; c c3
         m b.rs c.rs; c c4
         tree=$(git rev-parse c2^{tree}); file=.git/objects/$(echo $tree | sed 's|..|&/|')
         chmod u+w $file; echo broken > $file",
    );
    let history = read(&tree, "");
    check(
        &tree,
        &history,
        "b.rs => c.rs (c4)
         a.rs => -",
    );
    assert!(!history.complete);
    assert_eq!(history.commits, 1);
}

#[test]
fn ends_at_a_missing_commit() {
    let tree = repository(
        "f a.rs; c c1
         m a.rs b.rs; c c2
         m b.rs c.rs; c c3
         m c.rs d.rs; c c4
         rm -f .git/objects/$(git rev-parse c2 | sed 's|..|&/|')",
    );
    let history = read(&tree, "");
    check(&tree, &history, "c.rs => d.rs (c4)");
    assert!(!history.complete);
}

#[test]
fn ends_without_time_or_when_stopped() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    let root = tree.root("");
    for (budget, stop) in [(Duration::ZERO, false), (AMPLE, true)] {
        let history = history::load_or_read(&root, None, history::HistoryScope::All, budget, &|| stop);
        assert_eq!((history.head, history.complete, history.commits), (Some(id(&tree, "c2")), false, 0));
    }
}

#[test]
fn pairs_many_files_at_once() {
    let tree = repository(
        "for i in $(seq 300); do mkdir -p old/$((i % 7)); seq $i $((i + 20)) > old/$((i % 7))/$i; done; c c1
         git mv old new; c c2",
    );
    check(
        &tree,
        &read(&tree, ""),
        "old/3/3 => new/3/3 (c2)
         old => ~new (c2)",
    );
}

#[test]
fn writes_nothing_and_runs_no_program() {
    let tree = repository(
        "f a.rs b.rs; echo '* diff=evil filter=evil merge=evil' > .gitattributes; c c1
         m a.rs c.rs; echo more >> c.rs; c c2
         for key in diff.evil.command diff.evil.textconv filter.evil.clean filter.evil.process core.fsmonitor; do
             git config $key \"touch $PWD/ran\"
         done
         git config diff.renames false",
    );
    git(&tree, "find .git | sort > before; true");
    check(&tree, &read(&tree, ""), "a.rs => c.rs (c2)");
    git(&tree, "find .git | sort | cmp - before; test ! -e ran");
}
