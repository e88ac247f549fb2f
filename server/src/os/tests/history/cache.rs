//! What is kept on disk, continued and thrown away.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Duration;

use super::{AMPLE, check, git, id, read, read_with, repository};
use crate::os::history::GitHistory;
use crate::os::tests::tree::TestTree;

/// The root's history with `cache` beside it.
fn kept(tree: &TestTree) -> GitHistory {
    read_with(tree, "", &tree.path(".git/cache"), AMPLE)
}

fn only_file(tree: &TestTree) -> PathBuf {
    let mut files: Vec<PathBuf> =
        fs::read_dir(tree.path(".git/cache")).expect("kept").map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

/// Both say the same about everything.
#[track_caller]
fn same(a: &GitHistory, b: &GitHistory) {
    assert_eq!(a.renames.commits(), b.renames.commits());
    assert_eq!((&a.head, a.complete, a.commits), (&b.head, b.complete, b.commits));
}

#[test]
fn it_is_kept_privately() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    assert!(!kept(&tree).from_cache);
    let mode = |path: &PathBuf| fs::metadata(path).expect("kept").permissions().mode() & 0o777;
    assert_eq!((mode(&tree.path(".git/cache")), mode(&only_file(&tree))), (0o700, 0o600));
    let again = kept(&tree);
    assert!(again.from_cache);
    same(&again, &read(&tree, ""));
}

#[test]
fn new_commits_are_added() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    kept(&tree);
    git(&tree, "m b.rs c.rs; c c3; f d.rs; c c4");
    let history = kept(&tree);
    assert!(history.from_cache);
    check(&tree, &history, "a.rs => c.rs (c3)");
    same(&history, &read(&tree, ""));
    same(&kept(&tree), &history);
}

#[test]
fn a_branch_is_merged() {
    let tree = repository(
        "f a.rs x.rs; c c1
         git checkout -q -b side; m x.rs y.rs; c c2
         git checkout -q main; m a.rs b.rs; c c3",
    );
    kept(&tree);
    git(&tree, "git merge -q --no-edit side; m b.rs c.rs; c c4");
    let history = kept(&tree);
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
fn history_was_rewritten() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    kept(&tree);
    git(&tree, "m b.rs c.rs; git commit -q --amend -m other; git tag -f c2 >/dev/null");
    let history = kept(&tree);
    assert!(!history.from_cache);
    check(
        &tree,
        &history,
        "a.rs => c.rs (c2)
         b.rs => -",
    );
}

#[test]
fn what_is_broken_is_read_anew() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    kept(&tree);
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
        let history = kept(&tree);
        assert!(!history.from_cache);
        check(&tree, &history, "a.rs => b.rs (c2)");
        assert_eq!(fs::read(&file).expect("kept"), whole, "written anew");
    }
}

#[test]
fn a_file_of_another_root_is_not_taken() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    kept(&tree);
    let stolen = fs::read(only_file(&tree)).expect("kept");
    let other = repository("f a.rs; c c1; m a.rs b.rs; c c2");
    kept(&other);
    fs::write(only_file(&other), stolen).expect("written");
    assert!(!kept(&other).from_cache);
}

#[test]
fn it_goes_on_where_it_was_left() {
    // More than two pieces, so that some can be done while others are not.
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
fn a_shallow_clone_that_grew() {
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
fn a_place_that_cannot_be_written() {
    let tree = repository("f a.rs; c c1; m a.rs b.rs; c c2; echo file > .git/cache");
    check(&tree, &kept(&tree), "a.rs => b.rs (c2)");
}
