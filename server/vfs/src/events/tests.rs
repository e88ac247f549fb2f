//! Tests that a rescan gives the snapshot that a walk finds.

use std::collections::BTreeSet;

use pathfinder_core::RelPath;
use pathfinder_core::index::{Change, Snapshot};

use super::{TouchedPaths, WalkMetadata, rescan};
use crate::testing::TestTree;
use crate::walk::{WalkOptions, walk};

fn walked(tree: &TestTree) -> (Snapshot, WalkMetadata) {
    let mut walked = walk(&tree.root(""), &WalkOptions::default()).expect("a root");
    let walk_metadata = WalkMetadata {
        tracked_extras: std::mem::take(&mut walked.tracked_extras),
        repositories: walked.repositories.clone(),
    };
    (Snapshot::build(&walked.found, Vec::new()), walk_metadata)
}

/// Runs commands in a tree, rescans these paths and checks the changes, `+` or `-` before each. A path that ends in
/// `.git/index` reports a changed index instead.
#[track_caller]
fn check(tree: &str, commands: &str, paths: &[&str], expect: &str) {
    let tree = TestTree::new(tree);
    let (snapshot, mut walk_metadata) = walked(&tree);
    tree.run(commands);
    let mut touched = TouchedPaths::default();
    for path in paths {
        match path.strip_suffix(".git/index") {
            Some(at) => _ = touched.tracked.insert(at.trim_end_matches('/').as_bytes().to_vec()),
            None => _ = touched.paths.insert(RelPath::from(*path)),
        }
    }
    let outcome =
        rescan(&tree.root(""), &WalkOptions::default(), &snapshot, &mut walk_metadata, &touched).expect("a root");
    let changes: BTreeSet<String> = outcome
        .changes
        .iter()
        .map(|change| match change {
            Change::Added(path, _) => format!("+{}", path.text()),
            Change::Removed(path) => format!("-{}", path.text()),
        })
        .collect();
    assert_eq!(changes.into_iter().collect::<Vec<_>>().join(" "), expect, "{commands}");
    // The updated snapshot and metadata equal those of a walk.
    let (now, around) = self::walked(&tree);
    assert_eq!(snapshot.apply(&outcome.changes).entries(), now.entries(), "{commands}");
    assert_eq!(walk_metadata.repositories, around.repositories, "{commands}");
    // A walk may meet extras that were recorded while it did not meet them.
    let lacking: Vec<_> = around.tracked_extras.paths.keys().filter(|path| now.get(path).is_some()).collect();
    assert!(
        lacking.iter().all(|path| walk_metadata.tracked_extras.paths.contains_key(*path)),
        "{commands}: {walk_metadata:?} {around:?}"
    );
}

const TREE: &str = "$ git init -q\n.gitignore: out\\n*.log\na/b.rs\na/c/d.rs\ne.rs";

#[test]
fn rescans_entries() {
    check(TREE, "touch a/new.rs", &["a/new.rs"], "+a/new.rs");
    check(TREE, "rm e.rs", &["e.rs"], "-e.rs");
    check(TREE, "echo x > e.rs", &["e.rs"], "");
    check(TREE, "mv a z", &["a", "z"], "+z +z/b.rs +z/c +z/c/d.rs -a");
    // Reporting the deepest path is enough: its parents follow from it.
    check(TREE, "mkdir -p x/y && touch x/y/z.rs", &["x/y/z.rs"], "+x +x/y +x/y/z.rs");
    check(TREE, "rm -r a", &["a/c/d.rs", "a/b.rs"], "-a");
    check(TREE, "mkdir out && touch out/x q.log", &["out/x", "out", "q.log"], "");
    check(TREE, "rm e.rs && mkdir e.rs && touch e.rs/f", &["e.rs"], "+e.rs +e.rs/f -e.rs");
    check(TREE, "rm -r a && touch a", &["a"], "+a -a");
    check(TREE, "mkdir n && touch n/a.log n/a.rs", &["n"], "+n +n/a.rs");
    check(TREE, "ln -s a l", &["l"], "+l");
    check(TREE, "mv e.rs q.log; mv a out", &["e.rs", "q.log", "a", "out"], "-a -e.rs");
}

/// A directory that was replaced by another one is listed again, although its name is unchanged.
#[test]
fn rescans_replaced_directories() {
    let tree = "$ git init -q\n.gitignore: *.log\na/b.rs\na/c/d.rs\nx/y.rs\nx/c/z.rs";
    check(
        tree,
        "mv a t; mv x a; mv t x",
        &["a", "x", "t"],
        "+a/c/z.rs +a/y.rs +x/b.rs +x/c/d.rs -a/b.rs -a/c/d.rs -x/c/z.rs -x/y.rs",
    );
    check(tree, "rm -r a; mkdir -p a/n", &["a"], "+a/n -a/b.rs -a/c");
}

#[test]
fn rescans_after_rule_changes() {
    check(TREE, "echo b.rs > a/.gitignore", &["a/.gitignore"], "+a/.gitignore -a/b.rs");
    check(TREE, "echo e.rs > .ignore", &[".ignore"], "+.ignore -e.rs");
    let hidden = "$ git init -q\n.gitignore: out\\n*.log\nout/x\na/q.log\na/b.rs";
    check(hidden, "rm .gitignore", &[".gitignore"], "+a/q.log +out +out/x -.gitignore");
    check(hidden, "echo a > .gitignore", &[".gitignore"], "+out +out/x -a");
    check(
        hidden,
        "mkdir n && mv .gitignore n && touch n/r.log",
        &[".gitignore", "n"],
        "+a/q.log +n +n/.gitignore +out +out/x -.gitignore",
    );
    check("a/b.rs\n.gitignore: b.rs", "git init -q", &[".git"], "");
}

#[test]
fn rescans_tracked_but_ignored_files() {
    let kept = "$ git init -q\n.gitignore: out\\n*.log\nout/kept.rs\nout/x\na/k.log\na/b.rs\n$ git add . && git add -f out/kept.rs a/k.log";
    check(kept, "git rm -q --cached out/kept.rs", &[".git/index"], "-out");
    check(kept, "git rm -q --cached a/k.log", &[".git/index"], "-a/k.log");
    check(kept, "git add -f out/x", &[".git/index"], "+out/x");
    check(kept, "touch q.rs && git add q.rs", &[".git/index"], "+q.rs");
    check(kept, "rm out/kept.rs", &["out/kept.rs"], "-out");
    check(kept, "rm out/kept.rs && touch out/kept.rs out/more", &["out/kept.rs", "out/more"], "");
    check(kept, "mv out elsewhere", &["out", "elsewhere"], "+elsewhere +elsewhere/kept.rs +elsewhere/x -out");
    check(kept, "rm .gitignore", &[".gitignore"], "+out/x -.gitignore");
    let deleted = format!("{kept}\n$ rm out/kept.rs a/k.log");
    check(&deleted, "touch out/kept.rs", &["out/kept.rs"], "+out +out/kept.rs");
    check(&deleted, "touch a/k.log a/other.log", &["a/k.log", "a/other.log"], "+a/k.log");
    check(&deleted, "git status -s; touch .git/index", &[".git/index"], "");
}

#[test]
fn rescans_nested_repositories() {
    let nested = "$ git init -q\n.gitignore: *.log\nn/x.log\nn/a.rs\nb.rs";
    check(nested, "git init -q n", &["n/.git"], "+n/x.log");
    let inside = format!("{nested}\n$ git init -q n && echo a.rs > n/.gitignore");
    check(&inside, "rm -rf n/.git", &["n/.git"], "-n/x.log");
    check(&inside, "cd n && git add -f a.rs", &["n/.git/index"], "+n/a.rs");
    check(&inside, "mv n m", &["n", "m"], "+m +m/.gitignore +m/x.log -n");
    let tracking = format!("{inside}\n$ cd n && git add -f a.rs");
    check(&tracking, "mv n m", &["n", "m"], "+m +m/.gitignore +m/a.rs +m/x.log -n");
    check(&tracking, "rm -rf n && mkdir n && touch n/a.rs n/y.log", &["n"], "-n/.gitignore -n/x.log");
}
