//! Tests of reading complete histories.

use std::collections::BTreeSet;
use std::process::Command;

use pathfinder_core::history::{MoveEvidence, PathHistory, day};

use super::{check, git, id, read, repository};

#[test]
fn follows_a_chain_of_renames() {
    let tree = repository(
        "f a.rs other.rs; c c1
         m a.rs src/a.rs; c c2
         echo more >> src/a.rs; c c3
         m src/a.rs src/deep/b.rs; echo more >> src/deep/b.rs; c c4",
    );
    let history = read(&tree, "");
    check(
        &tree,
        &history,
        "a.rs => src/deep/b.rs (c4)
         src/a.rs => src/deep/b.rs (c4)
         src/deep/b.rs => -
         other.rs => -",
    );
    assert_eq!(history.head, Some(id(&tree, "HEAD")));
    assert!(history.complete && !history.from_cache);
    // The first commit has no parent and deleted nothing.
    assert_eq!((history.commits, history.inexact), (3, 0));
    let Some(PathHistory::Moved { commit, seconds, .. }) = history.renames.look_up(&"a.rs".into(), |_| false) else {
        panic!("moved")
    };
    assert_eq!((commit, day(seconds).as_str()), (id(&tree, "c4"), "2026-01-04"));
}

#[test]
fn follows_the_last_use_of_a_name() {
    let tree = repository(
        "f a.rs; c c1
         m a.rs b.rs; c c2
         for i in 1 2 3 4 5; do echo another $i; done > a.rs; c c3
         m a.rs c.rs; c c4",
    );
    check(&tree, &read(&tree, ""), "a.rs => c.rs (c4)");
}

#[test]
fn follows_a_reverted_deletion() {
    let tree = repository(
        "f a.rs b.rs; c c1
         git rm -q a.rs b.rs; c c2
         git checkout -q HEAD~1 -- a.rs; c c3
         m a.rs d/a.rs; c c4",
    );
    check(
        &tree,
        &read(&tree, ""),
        "a.rs => d/a.rs (c4)
         b.rs => deleted (c2)",
    );
}

#[test]
fn follows_a_rewritten_file_by_its_directory() {
    let tree = repository(
        "f old/a.rs old/b.rs old/in/c.rs old/in/d.rs keep.rs; c c1
         git mv old new; for i in 1 2 3 4 5 6 7 8; do echo rewritten $i; done > new/in/c.rs; c c2",
    );
    check(
        &tree,
        &read(&tree, ""),
        "old => ~new (c2)
         old/in => ~new/in (c2)
         old/a.rs => new/a.rs (c2)
         old/in/c.rs => ~new/in/c.rs (c2)
         old/in/never.rs => ~new/in/never.rs (c2)",
    );
}

#[test]
fn follows_a_directory_moved_into_itself() {
    let tree = repository(
        "f bench/run bench/log; c c1
         mkdir tmp; git mv bench tmp/bench; git mv tmp bench; c c2",
    );
    check(
        &tree,
        &read(&tree, ""),
        "bench => ~bench/bench (c2)
         bench/log => bench/bench/log (c2)",
    );
}

#[test]
fn skips_merge_commits() {
    let tree = repository(
        "f lib/a.rs lib/b.rs; c c1
         git checkout -q -b side; f lib/new.rs; c c2
         git checkout -q main; git mv lib src; c c3
         git -c merge.directoryRenames=true merge -q --no-edit side >/dev/null; test -e src/new.rs
         m src/b.rs src/d.rs; c c4",
    );
    check(
        &tree,
        &read(&tree, ""),
        "lib/a.rs => src/a.rs (c3)
         lib/b.rs => src/d.rs (c4)
         lib/new.rs => ~src/new.rs (c3)",
    );
}

#[test]
fn reads_a_root_below_the_top() {
    let tree = repository(
        "f app/a.rs app/b.rs app/c.rs out.rs; c c1
         m app/a.rs app/src/a.rs; m app/b.rs other/b.rs; m out.rs app/out.rs; c c2",
    );
    check(
        &tree,
        &read(&tree, "app"),
        "a.rs => src/a.rs (c2)
         b.rs => deleted (c2)
         out.rs => -
         app/a.rs => -",
    );
    check(&tree, &read(&tree, ""), "app/b.rs => other/b.rs (c2)");
}

#[test]
fn reads_a_root_that_was_renamed() {
    let tree = repository(
        "f app/a.rs app/b.rs; c c1
         git mv app pkg; c c2
         m pkg/a.rs pkg/c.rs; c c3",
    );
    check(
        &tree,
        &read(&tree, "pkg"),
        "a.rs => c.rs (c3)
         b.rs => -",
    );
}

#[test]
fn reads_linked_worktrees_and_submodules() {
    let tree = repository(
        "f a.rs; c c1
         m a.rs b.rs; c c2
         git worktree add -q linked HEAD
         git init -q -b main module; cd module
         seq 9 > x; git add x; git commit -q -m x; git mv x y; git commit -q -m y; cd ..
         git submodule --quiet add ./module module >/dev/null; git submodule --quiet absorbgitdirs 2>/dev/null; c c3",
    );
    let linked = read(&tree, "linked");
    check(&tree, &linked, "a.rs => b.rs (c2)");
    let module = read(&tree, "module");
    assert!(
        matches!(module.renames.look_up(&"x".into(), |_| false), Some(PathHistory::Moved { to, .. }) if to.text() == "y")
    );
}

#[test]
fn reads_sha256_repositories() {
    let tree = super::TestTree::new("$ git init -q -b main --object-format=sha256 .");
    git(
        &tree,
        "f a.rs; c c1
         m a.rs b.rs; c c2",
    );
    check(&tree, &read(&tree, ""), "a.rs => b.rs (c2)");
    assert_eq!(read(&tree, "").head.map(|id| id.len()), Some(64));
}

#[test]
fn reads_names_that_are_not_utf8() {
    let tree = repository(
        r#"f a.rs; c c1
         m a.rs "$(printf 'd\377/b\376.rs')"; c c2"#,
    );
    let history = read(&tree, "");
    let Some(PathHistory::Moved { to, .. }) = history.renames.look_up(&"a.rs".into(), |_| false) else {
        panic!("moved")
    };
    assert_eq!(to.as_bytes(), b"d\xff/b\xfe.rs");
}

#[test]
fn pairs_links_and_mode_changes_but_not_empty_files() {
    let tree = repository(
        "f a.rs; ln -s a.rs link; touch empty; c c1
         chmod +x a.rs; m a.rs b.rs; m link other; c c2
         rm empty; touch void; c c3",
    );
    check(
        &tree,
        &read(&tree, ""),
        "a.rs => b.rs (c2)
         link => other (c2)
         empty => deleted (c3)",
    );
}

#[test]
fn finds_the_same_renames_as_git() {
    // Moved, changed and both; several of one name; one content in several paths; long lines; other line endings.
    let tree = repository(
        r"f a/x.rs a/y.rs b/x.rs b/y.rs c/mod.rs d/mod.rs e/mod.rs LICENSE g/LICENSE h.rs; cp LICENSE g/LICENSE
         seq -s ' ' 400 > long; seq 200 > crlf; seq 40 > half; seq 40 > quarter; c c1
         m a/x.rs n/x.rs; m b/x.rs o/x.rs; echo more >> o/x.rs; m c/mod.rs p/mod.rs; echo more >> p/mod.rs
         m d/mod.rs q/mod.rs; m LICENSE r/LICENSE; m g/LICENSE s/COPYING; c c2
         m h.rs t/i.rs; sed -i 's/line 1/other/' t/i.rs; m long longer; sed -i 's/200/x/' longer
         m crlf lf; sed -i 's/$/\r/' lf; m e/mod.rs u/lib.rs; c c3
         m half halves; sed -i '26,40d' halves; m quarter quarters; sed -i '11,40d' quarters; c c4
         m n/x.rs v/x.rs; seq 99 > v/x.rs; m o/x.rs w/z.rs; m p/mod.rs w/mod.rs; c c5",
    );
    let options = ["-c", "diff.renameLimit=1000", "log", "-M", "--diff-filter=R", "--name-status", "--format=%H"];
    let output = Command::new("git").args(options).current_dir(tree.path("")).output().expect("git");
    let mut found = BTreeSet::new();
    let mut commit = String::new();
    for line in String::from_utf8(output.stdout).expect("text").lines().filter(|line| !line.is_empty()) {
        match line.split('\t').collect::<Vec<_>>()[..] {
            [_, from, to] => _ = found.insert((commit.clone(), from.to_owned(), to.to_owned())),
            _ => line.clone_into(&mut commit),
        }
    }
    let ours = read(&tree, "").renames.commits().into_iter().flat_map(|commit| {
        let moves = commit.moves.into_iter().filter(|it| it.by == MoveEvidence::File);
        moves.map(move |it| (commit.id.clone(), it.from.text().into_owned(), it.to.text().into_owned()))
    });
    assert!(found.len() >= 12, "{found:?}");
    assert_eq!(ours.collect::<BTreeSet<_>>(), found);
}
