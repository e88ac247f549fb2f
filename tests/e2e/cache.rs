//! The cache between runs: what the first run writes, and how the next one reads it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::tree::{PROJECT, Tree};

/// The one file that is kept of the tree.
fn kept(tree: &Tree) -> Option<PathBuf> {
    let cache = tree.home().join(".cache/pathfinder");
    let mut files = fs::read_dir(cache).ok()?.map(|entry| entry.unwrap().path());
    files.find(|path| path.extension().is_some_and(|ending| ending == "listing"))
}

#[track_caller]
fn check(tree: &Tree, asked: &str, expect: &str) {
    let answer = tree.plan(&["resolve", "--format=json", asked]).run().json();
    let words = ["status", "error_kind", "path"].map(|field| answer[field].as_str());
    assert_eq!(words.into_iter().flatten().collect::<Vec<_>>().join(" "), expect, "{answer:#}");
}

#[test]
fn what_happens_between_two_runs_is_seen() {
    let tree = Tree::new(PROJECT);
    check(&tree, "src/confg.rs", "resolved src/config.rs");
    assert!(kept(&tree).is_some());
    // A second one that fits as well.
    fs::write(tree.root().join("src/confog.rs"), "").unwrap();
    check(&tree, "src/confg.rs", "ambiguous Ambiguous");
    fs::remove_file(tree.root().join("src/confog.rs")).unwrap();
    fs::rename(tree.root().join("src"), tree.root().join("lib")).unwrap();
    check(&tree, "lib/confg.rs", "resolved lib/config.rs");
    fs::write(tree.root().join(".gitignore"), "config.rs\n").unwrap();
    fs::create_dir(tree.root().join(".git")).unwrap();
    check(&tree, "lib/confg.rs", "not_found NotFound");
}

#[test]
fn what_is_broken_is_made_anew() {
    let tree = Tree::new(PROJECT);
    check(&tree, "src/confg.rs", "resolved src/config.rs");
    let file = kept(&tree).unwrap();
    let whole = fs::read(&file).unwrap();
    for wrong in [&b""[..], &whole[..whole.len() / 2], b"something else", &[&whole[..], b"more"].concat()] {
        fs::write(&file, wrong).unwrap();
        check(&tree, "src/confg.rs", "resolved src/config.rs");
        assert!(fs::read(&file).unwrap() != wrong, "it was made anew");
    }
}

#[test]
fn where_nothing_can_be_kept() {
    let tree = Tree::new(PROJECT);
    for cache in ["/proc/nowhere", "README.md/cache"] {
        for _ in 0..2 {
            let run = tree.plan(&["resolve", "src/confg.rs"]).env("PATHFINDER_CACHE_DIR", cache).run();
            assert_eq!((run.code, run.stdout.lines().next()), (Some(0), Some("src/config.rs")), "{cache}: {run:?}");
        }
    }
}

/// At any moment of its writing the file is the old one, the new one, or not there.
#[test]
fn killed_at_any_moment() {
    let tree = Tree::new("");
    for at in 0..1500 {
        let directory = tree.root().join(format!("part{}", at / 50));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(format!("file{at}.rs")), "").unwrap();
    }
    for round in 0..20_u64 {
        if let Some(file) = kept(&tree).filter(|_| round % 2 == 0) {
            fs::remove_file(file).unwrap();
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_pathfinder"))
            .args(["index", "--format=json"])
            .current_dir(tree.root())
            .env("HOME", tree.home())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(3 * round));
        _ = child.kill();
        child.wait().unwrap();
        fs::write(tree.root().join(format!("part{round}/new{round}.rs")), "").unwrap();
        let report = tree.plan(&["index", "--format=json"]).run().json();
        assert_eq!(report["files"], 1501 + round, "killed after {} ms", 3 * round);
    }
}

/// The system kills a process whose file exceeds the limit: the file ends at that byte.
#[test]
fn killed_while_it_writes() {
    let tree = Tree::new("");
    for at in 0..1500 {
        let directory = tree.root().join(format!("part{}", at / 50));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join(format!("file{at}.rs")), "").unwrap();
    }
    for round in 0..20 {
        let blocks = (5 * round).to_string();
        let run = Command::new("sh")
            .args(["-c", "ulimit -c 0; ulimit -f $1; exec \"$0\" index", env!("CARGO_BIN_EXE_pathfinder"), &blocks])
            .current_dir(tree.root())
            .env("HOME", tree.home())
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert_eq!((run.code(), kept(&tree)), (None, None), "killed at block {blocks}");
        fs::write(tree.root().join(format!("part{round}/new{round}.rs")), "").unwrap();
        let report = tree.plan(&["index", "--format=json"]).run().json();
        assert_eq!(report["files"], 1501 + round, "killed at block {blocks}");
        fs::remove_file(kept(&tree).unwrap()).unwrap();
    }
}

#[test]
fn several_at_once() {
    let tree = Tree::new(PROJECT);
    for _ in 0..3 {
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| check(&tree, "src/confg.rs", "resolved src/config.rs"));
            }
        });
        fs::remove_file(kept(&tree).unwrap()).unwrap();
    }
}
