//! `pathfinder index`: counts.

use serde_json::Value;

use crate::tree::Tree;

/// Indexes `tree` and compares `files directories names unreadable`.
#[track_caller]
fn check(tree: &str, forbidden: &[&str], expect: [u64; 4]) {
    let tree = Tree::new(tree);
    let _closed: Vec<_> = forbidden.iter().map(|path| tree.forbid(path)).collect();
    let run = tree.plan_without_privileges(&["index", "--format=json"]).run();
    let report = run.json();
    let root = &report["roots"][0];
    let counts = ["files", "directories", "names", "unreadable"].map(|name| root[name].as_u64().unwrap());
    assert_eq!(counts, expect, "{report:#}");
    assert_eq!((&report["files"], &report["directories"]), (&root["files"], &root["directories"]));
    for time in [&root["walk_ms"], &root["build_ms"], &report["elapsed_ms"]] {
        assert!(time.as_f64().unwrap() >= 0.0, "{report:#}");
    }
    assert_eq!(run.code, Some(0));
}

#[test]
fn files_directories_and_names() {
    check("", &[], [0, 0, 0, 0]);
    check("a/mod.rs\nb/mod.rs\nb/c/\nREADME.md", &[], [3, 3, 5, 0]);
    check("src/main.rs\nlink -> src\nout -> ../outside", &[], [3, 1, 4, 0]);
    check(".hidden/x\n.git/config\n.gitignore = target/\ntarget/out", &[], [2, 1, 3, 0]);
}

#[test]
fn directories_that_cannot_be_read_are_counted() {
    check("open/a.rs\nclosed/b.rs", &["closed"], [1, 2, 3, 1]);
}

#[test]
fn text_has_the_same_numbers() {
    let tree = Tree::new("a/mod.rs\nb/mod.rs\nb/c/\nREADME.md");
    let short = tree.plan(&["index"]).run();
    assert!(short.stdout.contains(": 3 files, 3 directories, walked in "), "{short:?}");
    assert_eq!(short.stdout.lines().count(), 1, "{short:?}");
    let long = tree.plan(&["index", "--stats"]).run();
    let counts =
        ["files", "directories", "names", "packages", "bytes", "bytes per path", "walk", "build", "unreadable"];
    let stages = ["stages", "roots found", "cached trees", "git's history", "write cache", "other", "total"];
    for name in counts.into_iter().chain(stages) {
        assert!(long.stdout.lines().any(|line| line.trim().starts_with(name)), "{name}: {long:?}");
    }
}

#[test]
fn packages_are_counted() {
    let tree = Tree::new("a/package.json = {\"name\": \"@acme/ui\"}\nb/Cargo.toml = [package]\nc/x");
    let report: Value = tree.plan(&["index", "--format=json"]).run().json();
    assert_eq!(report["roots"][0]["packages"], 1, "{report:#}");
}

#[test]
fn every_root_is_counted() {
    let tree = Tree::new("one/a\ntwo/b\ntwo/c");
    let report = tree.plan(&["index", "--format=json", "--root=one", "--root=two"]).run().json();
    let files: Vec<_> =
        report["roots"].as_array().unwrap().iter().map(|root| root["files"].as_u64().unwrap()).collect();
    assert_eq!((files, &report["files"]), (vec![1, 2], &Value::from(3)), "{report:#}");
}

/// Indexes again and again, and compares how the tree was read; the times of the stages are all of the time.
#[track_caller]
fn check_stages(tree: &Tree, args: &[&str], source: &str) {
    let report = tree.plan(&["index", "--format=json"]).arg_all(args).run().json();
    assert_eq!(report["roots"][0]["source"], source, "{report:#}");
    let stages = report["stages_ms"].as_object().unwrap();
    let all = ["roots", "kept", "walk", "packages", "build", "history", "keep", "rest", "whole"];
    let missing: Vec<_> = all.iter().filter(|name| !stages.contains_key(**name)).collect();
    assert!(missing.is_empty(), "{missing:?}: {report:#}");
    assert_eq!(stages.contains_key("symbols"), args.contains(&"--symbols"), "{report:#}");
    let time = |name: &str| stages[name].as_f64().unwrap();
    assert!(stages.keys().all(|name| time(name) >= 0.0), "one stage is counted twice: {report:#}");
    let sum: f64 = stages.keys().filter(|name| *name != "whole").map(|name| time(name)).sum();
    // Each is rounded to a thousandth.
    assert!((sum - time("whole")).abs() < 0.02, "{report:#}");
}

#[test]
fn the_time_is_that_of_the_stages() {
    let tree = Tree::new("a/package.json = {\"name\": \"@acme/ui\"}\na/b.rs = fn b() {}\nc/x");
    check_stages(&tree, &[], "walked");
    check_stages(&tree, &["--symbols"], "brought up to date");
    std::fs::write(tree.root().join("c/y"), "").unwrap();
    check_stages(&tree, &["--stats"], "brought up to date");
    check_stages(&tree, &["--include-dirs=target"], "walked");
}
