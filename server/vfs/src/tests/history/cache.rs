//! Tests of the cached history: continued, discarded and rebuilt.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use super::{AMPLE, check, git, id, read, read_with, repository};
use crate::history::GitHistory;
use crate::testing::TestTree;

/// Reads the root's history with `cache` beside it.
fn read_cached(tree: &TestTree) -> GitHistory {
    read_with(tree, "", &tree.path(".git/cache"), AMPLE)
}

fn only_file(tree: &TestTree) -> PathBuf {
    let mut files: Vec<PathBuf> =
        fs::read_dir(tree.path(".git/cache")).expect("kept").map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

/// Checks that two histories are equal.
#[track_caller]
fn same(a: &GitHistory, b: &GitHistory) {
    assert_eq!(a.renames.commits(), b.renames.commits());
    assert_eq!((&a.head, a.complete, a.commits), (&b.head, b.complete, b.commits));
}

#[test]
fn caches_with_private_permissions() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    assert!(!read_cached(&tree).from_cache);
    let mode = |path: &PathBuf| fs::metadata(path).expect("kept").permissions().mode() & 0o777;
    assert_eq!((mode(&tree.path(".git/cache")), mode(&only_file(&tree))), (0o700, 0o600));
    let again = read_cached(&tree);
    assert!(again.from_cache);
    same(&again, &read(&tree, ""));
}

#[test]
fn adds_new_commits() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    read_cached(&tree);
    git(&tree, "m b.rs c.rs; c c3; f d.rs; c c4");
    let history = read_cached(&tree);
    assert!(history.from_cache);
    check(&tree, &history, "a.rs => c.rs (c3)");
    same(&history, &read(&tree, ""));
    same(&read_cached(&tree), &history);
}

#[test]
fn adds_a_merged_branch() {
    let tree = repository(
        "f a.rs x.rs; c c1
         git checkout -q -b side; m x.rs y.rs; c c2
         git checkout -q main; m a.rs b.rs; c c3",
    );
    read_cached(&tree);
    git(&tree, "git merge -q --no-edit side; m b.rs c.rs; c c4");
    let history = read_cached(&tree);
    assert!(history.from_cache);
    assert_eq!(history.commits, 3);
    check(
        &tree,
        &history,
        "a.rs => c.rs (c4)
         x.rs => y.rs (c2)",
    );
}

#[test]
fn rereads_rewritten_history() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    read_cached(&tree);
    git(&tree, "m b.rs c.rs; git commit -q --amend -m other; git tag -f c2 >/dev/null");
    let history = read_cached(&tree);
    assert!(!history.from_cache);
    check(
        &tree,
        &history,
        "a.rs => c.rs (c2)
         b.rs => -",
    );
}

#[test]
fn rereads_after_a_broken_cache() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    read_cached(&tree);
    let file = only_file(&tree);
    let whole = fs::read(&file).expect("kept");
    let changed = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    let mut cases = vec![Vec::new(), b"nonsense".to_vec(), whole[..whole.len() - 1].to_vec()];
    cases.push([&whole[..], b"x"].concat());
    cases.extend((0..whole.len()).step_by(7).chain([8, 12, 20, whole.len() - 1]).map(changed));
    for bytes in cases {
        fs::write(&file, &bytes).expect("written");
        let history = read_cached(&tree);
        assert!(!history.from_cache);
        check(&tree, &history, "a.rs => b.rs (c2)");
        assert_eq!(fs::read(&file).expect("kept"), whole, "written anew");
    }
}

#[test]
fn rejects_a_cache_of_another_root() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    read_cached(&tree);
    let stolen = fs::read(only_file(&tree)).expect("kept");
    let other = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    read_cached(&other);
    fs::write(only_file(&other), stolen).expect("written");
    assert!(!read_cached(&other).from_cache);
}

#[test]
fn continues_an_interrupted_read() {
    // More than two batches, so that some can be done while others are not.
    let tree = repository(
        "f a0; c c1
         for i in $(seq 100); do
             git mv a$((i - 1)) a$i
             GIT_COMMITTER_DATE=\"2026-02-01T00:00:00Z\" git commit -q -m $i
         done",
    );
    let cache = tree.path(".git/cache");
    let all = read(&tree, "");
    assert_eq!(all.commits, 100);
    let none = read_with(&tree, "", &cache, Duration::ZERO);
    assert!(!none.complete && none.head == Some(id(&tree, "HEAD")));
    let mut budget = Duration::from_micros(500);
    let mut known = 0;
    loop {
        let history = read_with(&tree, "", &cache, budget);
        assert!(history.commits >= known);
        known = history.commits;
        if history.complete {
            same(&history, &all);
            break;
        }
        budget += Duration::from_micros(500);
    }
}

#[test]
fn rereads_a_deepened_clone() {
    let tree = repository(
        "f a.rs; c c1; m a.rs b.rs; c c2; m b.rs c.rs; c c3
         git clone -q --depth 1 file://$PWD clone",
    );
    let cache = tree.path(".git/cache");
    let shallow = read_with(&tree, "clone", &cache, AMPLE);
    check(&tree, &shallow, "a.rs => -");
    git(&tree, "f d.rs; c c4; git -C clone pull -q");
    let longer = read_with(&tree, "clone", &cache, AMPLE);
    assert_eq!((longer.complete, longer.head), (true, Some(id(&tree, "c4"))));
    git(&tree, "git -C clone fetch -q --unshallow");
    let whole = read_with(&tree, "clone", &cache, AMPLE);
    check(&tree, &whole, "a.rs => c.rs (c3)");
}

#[test]
fn works_without_a_writable_cache() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2; echo file > .git/cache");
    check(&tree, &read_cached(&tree), "a.rs => b.rs (c2)");
}
