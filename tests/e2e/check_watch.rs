//! `check --watch`: each change that matters is followed by a whole report.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::run::{Conversation, Plan};
use crate::tree::Tree;

/// Time for a check of a tree of some files to be printed, if a change were followed by one.
const ROUND: Duration = Duration::from_secs(1);

/// A running `check --watch --format=json`.
struct Watched(Conversation);

impl Watched {
    fn start(plan: Plan<'_>) -> Self {
        Self(plan.converse())
    }

    /// The number of broken paths in the next report.
    fn missing(&mut self) -> u64 {
        let summary = std::iter::repeat_with(|| self.0.next()).find(|line| line.get("summary").is_some());
        summary.unwrap()["summary"]["missing"].as_u64().unwrap()
    }

    /// Reads reports until one has so many broken paths.
    fn missing_until(&mut self, expect: u64) {
        while self.missing() != expect {}
    }
}

fn watch(tree: &Tree, args: &[&str]) -> Watched {
    Watched::start(tree.plan(&["check", "--watch", "--format=json"]).arg_all(args))
}

#[test]
fn watches() {
    let tree = Tree::new("docs/guide.md = [a](gone.md)\ndocs/setup.md");
    let mut watched = watch(&tree, &[]);
    assert_eq!(watched.missing(), 1);
    std::fs::write(tree.root().join("docs/gone.md"), "").unwrap();
    watched.missing_until(0);
    watched.0.kill();
}

/// Neither an ignored file nor git's index, as `git status` writes it, is followed by a check.
#[test]
fn waits_for_a_change_that_matters() {
    let tree = Tree::new("a.md = [a](gone.md)\n.gitignore = *.log\nnoise.log");
    let git = |args: &str| {
        let run = Command::new("sh").arg("-c").arg(format!("git {args}")).current_dir(tree.root()).status();
        assert!(run.unwrap().success(), "{args}");
    };
    git("init -q . && git add a.md .gitignore");
    let mut watched = watch(&tree, &[]);
    assert_eq!(watched.missing(), 1);
    std::fs::write(tree.root().join("noise.log"), "more").unwrap();
    std::fs::write(tree.root().join("new.log"), "").unwrap();
    git("update-index --force-write-index");
    sleep(ROUND);
    std::fs::write(tree.root().join("a.md"), "[a](gone.md) [b](none.md)").unwrap();
    assert_eq!(watched.missing(), 2, "the next report is that of the next change");
    watched.0.kill();
}

/// An ignored file that is named is checked, and so after each change of it.
#[test]
fn watches_an_ignored_file_that_is_named() {
    let tree = Tree::new("a.md = [a](gone.md)\n.ignore = a.md");
    let mut watched = watch(&tree, &["a.md"]);
    assert_eq!(watched.missing(), 1);
    std::fs::write(tree.root().join("a.md"), "[a](gone.md) [b](none.md)").unwrap();
    watched.missing_until(2);
    watched.0.kill();
}

/// Settings have the tree read again, which takes longer than the pause after their change. The tree does not list this
/// file of settings, so only the new tree is a reason to check.
#[test]
fn checks_the_tree_of_new_settings() {
    let tree = Tree::new("a.md = [a](gone.md)\nbuild/b.md = [b](../none.md)\n.gitignore = build/\n.ignore = *.toml");
    let mut watched = watch(&tree, &[]);
    assert_eq!(watched.missing(), 1);
    std::fs::write(tree.root().join("pathfinder.toml"), "include_dirs = ['build']").unwrap();
    watched.missing_until(2);
    watched.0.kill();
}

/// New settings are followed by one report: that of the tree which is read with them.
#[test]
fn reports_once_after_new_settings() {
    let tree = Tree::new("a.md = [a](gone.md)\nb.md = [b](none.md)\npathfinder.toml");
    let mut watched = watch(&tree, &[]);
    assert_eq!(watched.missing(), 2);
    std::fs::write(tree.root().join("pathfinder.toml"), "[check]\nignore = ['b.md']\n").unwrap();
    assert_eq!(watched.missing(), 1);
    sleep(ROUND);
    std::fs::write(tree.root().join("a.md"), "[a](gone.md) [b](none.md) [c](nothing.md)").unwrap();
    assert_eq!(watched.missing(), 3, "the next report is that of the next change");
    watched.0.kill();
}

/// Without watches, changes of the tree and of contents are found some seconds later.
#[test]
fn says_that_watches_are_refused() {
    let tree = Tree::new("docs/a.md = [a](gone.md)");
    let script = "echo 0 > /proc/sys/user/max_inotify_watches; exec \"$0\" check --watch --format=json";
    let mut watched = Watched::start(tree.plan_unshared(script));
    let mut complaints = watched.0.complaints();
    assert_eq!(watched.missing(), 1);
    let line = complaints.next().unwrap();
    assert!(line.starts_with("warning: not all files are watched: no watches are left"), "{line}");
    std::fs::write(tree.root().join("docs/a.md"), "[a](gone.md) [b](none.md)").unwrap();
    watched.missing_until(2);
    std::fs::write(tree.root().join("docs/gone.md"), "").unwrap();
    watched.missing_until(1);
    watched.0.kill();
    let rest: Vec<String> = complaints.collect();
    // The slower the machine checks, the longer it waits.
    let is_notice = |line: &String| line.starts_with("checking again in ") && line.ends_with(" s; Ctrl-C ends");
    assert!(!rest.is_empty() && rest.iter().all(is_notice), "{rest:?}");
}

/// An error of a later round is printed, and the next change is waited for.
#[track_caller]
fn watches_after_an_error(args: &[&str], file: &str, broken: Option<&str>, repaired: &str) {
    let tree = Tree::new("docs/guide.md = [a](gone.md)\ndocs/setup.md = [a](gone.md)\npathfinder.toml");
    let mut watched = watch(&tree, args);
    let mut complaints = watched.0.complaints();
    let count = watched.missing();
    let file = tree.root().join(file);
    match broken {
        Some(text) => std::fs::write(&file, text).unwrap(),
        None => std::fs::remove_file(&file).unwrap(),
    }
    assert!(complaints.any(|line| line.starts_with("error[")), "the error is printed");
    std::fs::write(&file, repaired).unwrap();
    while watched.missing() == count {}
    watched.0.kill();
}

#[test]
fn errors_of_later_rounds() {
    watches_after_an_error(&[], "pathfinder.toml", Some("[check"), "[check]\nignore = [\"docs/setup.md\"]\n");
    watches_after_an_error(&["docs/guide.md"], "docs/guide.md", None, "[a](gone.md) [b](none.md)");
}
