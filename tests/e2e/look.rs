//! Files that exist although the index lacks them, and files that must not be opened.

use std::process::Command;

use serde_json::json;

use crate::tree::Tree;

/// A project whose ignored build output has a file of the same name as its sources.
const BUILT: &str = ".gitignore = build/\nbuild/gen/client_config.go\nsrc/gen/client_config.go\nsrc/main.go\n";

/// Asks in a batch, after `between` was done to the tree; compares `STATUS [KIND] [PATH]`.
#[track_caller]
fn check(tree: &str, between: impl FnOnce(&Tree), asked: &str, expect: &str) {
    let tree = Tree::new(tree);
    let mut batch = tree.plan(&["resolve", "--batch"]).converse();
    // The first answer says that the index stands.
    batch.ask(&json!({"failed_path": "zzyzx"}).to_string());
    between(&tree);
    let answer = batch.ask(&json!({"failed_path": asked}).to_string());
    let words = ["status", "error_kind", "path"].map(|field| answer[field].as_str());
    let actual: Vec<&str> = words.into_iter().flatten().collect();
    assert_eq!(actual.join(" "), expect, "{answer:#}");
    assert_eq!(batch.end(), Some(0));
}

#[test]
fn an_ignored_file_is_not_passed_over_for_another() {
    check(BUILT, |_| (), "build/gen/client_config.go", "exists build/gen/client_config.go");
    check(BUILT, |_| (), "build/gen/client_config.go:12", "not_found Ignored");
    check(BUILT, |_| (), "\"build/gen/client_config.go\"", "not_found Ignored");
    check(BUILT, |_| (), "src/gen/client_config.go:12", "resolved src/gen/client_config.go");
}

#[test]
fn a_file_made_since_is_found() {
    let make = |tree: &Tree| std::fs::write(tree.root().join("src/fresh.go"), "").unwrap();
    check(BUILT, make, "src/fresh.go", "exists src/fresh.go");
    check(BUILT, make, "src/fresh.go:12:5", "resolved src/fresh.go");
    check(BUILT, make, "`src/fresh.go`", "resolved src/fresh.go");
    let ignored = |tree: &Tree| std::fs::write(tree.root().join("build/fresh.go"), "").unwrap();
    check(BUILT, ignored, "build/fresh.go:12", "not_found Ignored");
}

#[test]
fn many_gone_files_do_not_hide_the_one_that_is_left() {
    let listed: Vec<String> = (0..120).map(|number| format!("aaa/m{number:03}/widget.ts\n")).collect();
    let tree = format!("{}zzz/keep/widget.ts\n", listed.concat());
    let remove = |tree: &Tree| std::fs::remove_dir_all(tree.root().join("aaa")).unwrap();
    check(&tree, remove, "zzz/keeep/widget.ts", "resolved zzz/keep/widget.ts");
}

#[test]
fn what_turns_back_is_not_as_asked() {
    let tree = Tree::new("notes.md\nsub/notes.md\nother/a.md\n");
    for (asked, expect) in
        [("nowhere/../notes.md", "resolved"), ("notes.md/../notes.md", "resolved"), ("notes.md", "exists")]
    {
        let answer = tree.plan(&["resolve", "--format=json", asked]).run().json();
        assert_eq!((&answer["status"], &answer["path"]), (&json!(expect), &json!("notes.md")), "{answer:#}");
    }
}

#[test]
fn dotted_paths_begin_where_one_stands() {
    let tree = Tree::new("notes.md\nsub/notes.md\n");
    let stand = |directory: &str, asked: &str| {
        let root = tree.root();
        let run =
            tree.plan(&["resolve", "--format=json", asked, "--root"]).arg(&root).within(root.join(directory)).run();
        run.json()["path"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(stand("sub", "./notes.md"), "sub/notes.md");
    assert_eq!(stand("sub", "../notes.md"), "notes.md");
    assert_eq!(stand("", "./notes.md"), "notes.md");
}

#[test]
fn pipes_in_place_of_files_are_not_read() {
    let pipe = |tree: &Tree, path: &str| {
        let made = Command::new("mkfifo").arg(tree.root().join(path)).status().unwrap();
        assert!(made.success());
    };
    let tree = Tree::new("src/main.rs\n.git/HEAD = ref: refs/heads/main\n");
    pipe(&tree, ".git/index");
    let run = tree.plan(&["resolve", "src/mian.rs"]).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "src/main.rs\n"), "{run:?}");

    for name in [".gitignore", ".ignore"] {
        let tree = Tree::new("src/main.rs\n");
        pipe(&tree, name);
        let run = tree.plan(&["resolve", "src/mian.rs"]).run();
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains(name) && run.stderr.starts_with("error[BadRoot]"), "{run:?}");
    }
}
