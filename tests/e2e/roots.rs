//! Choice of roots, and errors in roots.

use serde_json::Value;

use crate::run::Run;
use crate::tree::{PROJECT, Tree};

/// Asks for `path` with these roots; compares `STATUS PATH ROOT` of the answer.
#[track_caller]
fn check(tree: &str, roots: &[&str], path: &str, expect: &str) {
    let tree = Tree::new(tree);
    let mut plan = tree.plan(&["resolve", "--format=json", path]);
    for root in roots {
        plan = plan.arg("--root").arg(root);
    }
    let answer = plan.run().json();
    let text = |name: &str| answer[name].as_str().unwrap_or("-").to_owned();
    // A single root is named by its whole path, which begins with the tree's: `@`.
    let root = text("root").replace(tree.root().to_str().unwrap(), "@");
    let actual = format!("{} {} {root}", text("status"), text("path"));
    assert_eq!(actual, expect, "{answer:#}");
}

/// A root that cannot be used ends every command before it begins.
#[track_caller]
fn refused(tree: &Tree, root: &str, says: &str) {
    for command in [&["resolve", "x"][..], &["resolve", "--batch"], &["index"], &["doctor"]] {
        let run = tree.plan_without_privileges(command).arg("--root").arg(root).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.starts_with("error[BadRoot]: ") && run.stderr.contains(says), "{run:?}");
    }
}

#[test]
fn one_root() {
    check(PROJECT, &["."], "src/mian.rs", "resolved src/main.rs @");
    check(PROJECT, &["src"], "mian.rs", "resolved main.rs @/src");
    check(PROJECT, &["src"], "src/main.rs", "resolved main.rs @/src");
}

#[test]
fn several_roots_are_named_as_they_were_given() {
    let tree = "one/src/alpha.rs\ntwo/src/beta.rs\ntwo/src/gamma.rs";
    check(tree, &["one", "./two"], "src/betta.rs", "resolved src/beta.rs ./two");
    check(tree, &["one", "./two"], "src/alhpa.rs", "resolved src/alpha.rs one");
    check(tree, &["one", "./two"], "two/src/gamma.rs", "resolved src/gamma.rs ./two");
}

#[test]
fn nested_and_repeated_roots_are_one() {
    check(PROJECT, &[".", "src"], "src/mian.rs", "resolved src/main.rs @");
    check(PROJECT, &["src/net", "src"], "net/servr.rs", "resolved net/server.rs @/src");
    check(PROJECT, &[".", "."], "src/mian.rs", "resolved src/main.rs @");
}

#[test]
fn text_mode_tells_roots_apart() {
    let tree = Tree::new("one/src/alpha.rs\ntwo/src/beta.rs");
    let run = tree.plan(&["resolve", "--root", "one", "--root", "two/", "src/betta.rs"]).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "two/src/beta.rs\n"), "{run:?}");
}

#[test]
fn flags_before_the_command_count_too() {
    let tree = Tree::new("one/src/alpha.rs\ntwo/src/beta.rs");
    let run = tree.plan(&["--root", "one", "resolve", "--root", "two", "src/alhpa.rs"]).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "one/src/alpha.rs\n"), "{run:?}");
}

#[test]
fn the_default_is_the_enclosing_worktree() {
    let tree = Tree::new(&format!("{PROJECT}\n.git/HEAD = ref: refs/heads/main"));
    let ask =
        |directory: &str| -> Run { tree.plan(&["resolve", "src/mian.rs"]).within(tree.root().join(directory)).run() };
    assert_eq!(ask("web/src").stdout, "../../src/main.rs\n");
    assert_eq!(ask("").stdout, "src/main.rs\n");
}

#[test]
fn without_a_worktree_it_is_the_current_directory() {
    let tree = Tree::new(PROJECT);
    let run = tree.plan(&["resolve", "mian.rs"]).within(tree.root().join("src")).run();
    assert_eq!(run.stdout, "main.rs\n", "{run:?}");
}

#[test]
fn a_root_that_is_not_there() {
    refused(&Tree::new(PROJECT), "nowhere", "nowhere");
}

#[test]
fn a_root_that_is_a_file() {
    refused(&Tree::new(PROJECT), "README.md", "README.md");
}

#[test]
fn a_root_that_cannot_be_read() {
    let tree = Tree::new("closed/src/hidden-name.rs");
    let closed = tree.forbid("closed");
    refused(&tree, "closed", "\"closed\": cannot be read: Permission denied (os error 13)\n");
    drop(closed);
}

#[test]
fn a_root_that_disappears_meanwhile() {
    let tree = Tree::new("gone/src/main.rs\ngone/src/lib.rs");
    let mut batch = tree.plan(&["resolve", "--batch", "--root", "gone"]).converse();
    let before: Value = batch.ask(r#"{"id":1,"failed_path":"src/mian.rs"}"#);
    assert_eq!(before["path"], "src/main.rs", "{before:#}");
    std::fs::remove_dir_all(tree.root().join("gone")).unwrap();
    for id in [2, 3] {
        let after = batch.ask(&format!("{{\"id\":{id},\"failed_path\":\"src/mian.rs\"}}"));
        assert_eq!(after["id"], id, "{after:#}");
        assert_eq!(
            (after["status"].as_str(), after["error_kind"].as_str()),
            (Some("error"), Some("RootGone")),
            "{after:#}"
        );
        assert!(after["message"].as_str().unwrap().contains("gone"), "{after:#}");
    }
    assert_eq!(batch.end(), Some(0));
}

#[test]
fn a_file_that_disappears_meanwhile_is_not_stated() {
    let tree = Tree::new("src/main.rs\nsrc/lib.rs");
    let mut batch = tree.plan(&["resolve", "--batch"]).converse();
    assert_eq!(batch.ask(r#"{"failed_path":"src/mian.rs"}"#)["path"], "src/main.rs");
    std::fs::remove_file(tree.root().join("src/main.rs")).unwrap();
    let after = batch.ask(r#"{"failed_path":"src/mian.rs"}"#);
    assert_eq!(after.get("path"), None, "{after:#}");
    let candidates = after["candidates"].as_array().unwrap();
    assert!(candidates.iter().all(|candidate| candidate["path"] != "src/main.rs"), "{after:#}");
    assert_eq!(batch.end(), Some(0));
}
