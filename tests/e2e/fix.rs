//! `fix`: what is mended, what is not, and that nothing is lost; and what a change breaks.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use crate::tree::Tree;

/// A file that was moved in the last commit, and two that still name its old place.
fn moved() -> Tree {
    let tree = Tree::new(
        "docs/guide.md = See [setup](setup.md#start) and [nothing](nowhere/at-all.md).
         README.md = [Setup](docs/setup.md)
         docs/setup.md = # Start
         other.md = [other](docs/guide.md)",
    );
    git(&tree, "git init -q -b main . && git add -A && COMMIT -qm one");
    git(&tree, "mkdir docs/first && git mv docs/setup.md docs/first/setup.md && COMMIT -qm two");
    tree
}

/// Runs a script in a tree's root; `COMMIT` is `git commit` by somebody.
#[track_caller]
fn git(tree: &Tree, script: &str) {
    let script = script.replace("COMMIT", "git -c user.name=a -c user.email=a@b commit");
    let mut command = Command::new("sh");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let made = command.arg("-c").arg(&script).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
}

/// Runs `fix` and compares exit status, stdout, and what a file then has.
#[track_caller]
fn check(tree: &Tree, args: &[&str], code: i32, stdout: &str, file: &str, contents: &str) {
    let run = tree.plan(&[&["fix"], args].concat()).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(code), stdout), "{run:?}");
    assert_eq!(fs::read_to_string(tree.root().join(file)).unwrap(), contents);
}

#[test]
fn what_was_moved() {
    let tree = moved();
    let diff = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-[Setup](docs/setup.md)\n\\ No newline at end of file\n\
                +[Setup](docs/first/setup.md)\n\\ No newline at end of file\n";
    check(&tree, &["--dry-run", "README.md"], 0, diff, "README.md", "[Setup](docs/setup.md)");
    let run = tree.plan(&["fix", "--dry-run"]).run();
    fs::write(tree.root().join("change.diff"), &run.stdout).unwrap();
    git(&tree, "git apply --check change.diff && rm change.diff");
    let says = "README.md:1:9: docs/setup.md → docs/first/setup.md\n\
                docs/guide.md:1:13: setup.md#start → first/setup.md#start\n2 broken paths mended in 2 files, 1 left\n";
    let mended = "See [setup](first/setup.md#start) and [nothing](nowhere/at-all.md).";
    check(&tree, &[], 1, says, "docs/guide.md", mended);
    // Twice is as good as once.
    check(&tree, &[], 1, "0 broken paths mended in 0 files, 1 left\n", "docs/guide.md", mended);
    check(&tree, &["README.md"], 0, "0 broken paths mended in 0 files\n", "README.md", "[Setup](docs/first/setup.md)");
}

#[test]
fn all_else_stays_as_it_is() {
    let tree = moved();
    let path = tree.root().join("docs/guide.md");
    let bytes = b"\xef\xbb\xbfcaf\xe9 [a](setup.md)\r\n[b](<setup.md> \"t\") [c](setup.md)\r\n";
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("guide.md", tree.root().join("docs/link.md")).unwrap();
    let run = tree.plan(&["fix", "docs"]).run();
    assert_eq!(run.code, Some(0), "{run:?}");
    let expect = b"\xef\xbb\xbfcaf\xe9 [a](first/setup.md)\r\n[b](<first/setup.md> \"t\") [c](first/setup.md)\r\n";
    assert_eq!(fs::read(&path).unwrap(), expect);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(tree.root().join("docs/link.md")).unwrap().is_symlink());
}

#[test]
fn what_cannot_be_written_is_said() {
    let tree = moved();
    let path = tree.root().join("README.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let run = tree.plan(&["fix", "README.md"]).run();
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(run.stderr, "error[NotMended]: README.md: it is read-only\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "[Setup](docs/setup.md)");
}

#[test]
fn numbers_out_of_range_are_refused() {
    let tree = moved();
    for wrong in ["2", "-0.1", "x", ""] {
        let run = tree.plan(&["fix", &format!("--min-confidence={wrong}")]).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains("must be a number from 0 to 1"), "{run:?}");
    }
    let run = tree.plan(&["fix", "--root=docs", "--root=."]).run();
    assert_eq!(run.code, Some(2), "{run:?}");
}

/// `FILE LITERAL: REASON` of each finding.
#[track_caller]
fn broken(tree: &Tree, args: &[&str], expect: &[&str]) {
    let run = tree.plan(&[&["check", "--format=json"], args].concat()).run();
    let mut lines = run.jsons();
    lines.pop();
    let text = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap().to_owned();
    let rows: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {}: {}", text(line, "file"), text(line, "literal"), text(line, "reason")))
        .collect();
    let rows: Vec<&str> = rows.iter().map(|row| row.split(" in ").next().unwrap()).collect();
    assert_eq!(rows, expect, "{run:?}");
    assert_eq!(run.code, Some(i32::from(!expect.is_empty())), "{run:?}");
}

#[test]
fn what_a_change_breaks() {
    let tree = moved();
    // The link that led nowhere before is not this change's.
    broken(
        &tree,
        &["--since=HEAD~1"],
        &[
            "README.md docs/setup.md: moved to docs/first/setup.md",
            "docs/guide.md setup.md#start: moved to docs/first/setup.md",
        ],
    );
    broken(&tree, &["--since=HEAD"], &[]);
    // A file that moved keeps what was broken in it; what is not committed counts.
    git(&tree, "git mv docs/guide.md guide.md && COMMIT -qm three");
    broken(&tree, &["--since=HEAD~1"], &["other.md docs/guide.md: moved to guide.md"]);
    fs::write(tree.root().join("new.md"), "[x](gone.md)").unwrap();
    broken(&tree, &["--since=HEAD", "new.md"], &["new.md gone.md: gone.md does not exist"]);
    let run = tree.plan(&["check", "--since=nowhere"]).run();
    assert!(run.code == Some(2) && run.stderr.contains("nowhere is no commit here"), "{run:?}");
    let run = Tree::new("a.md").plan(&["check", "--since=HEAD"]).run();
    assert!(run.code == Some(2) && run.stderr.contains("is not in a git repository"), "{run:?}");
}

#[test]
fn what_a_merge_breaks() {
    let tree = moved();
    // Somebody else names the old place, on a branch of their own.
    git(
        &tree,
        "git checkout -q -b theirs HEAD~1 && printf '[a](docs/setup.md)' > theirs.md && git add -A && COMMIT -qm theirs && \
         git checkout -q main && sed -i 's|setup.md|first/setup.md|' README.md docs/guide.md && COMMIT -qam mended",
    );
    broken(&tree, &["--since=main"], &[]);
    broken(
        &tree,
        &["--since=theirs"],
        &["theirs.md docs/setup.md: docs/setup.md does not exist, once this is merged with theirs"],
    );
    // A line of theirs in a file of which ours has changed another one, and moved it.
    git(
        &tree,
        "git checkout -q theirs && git rm -q theirs.md && (printf '[a](docs/setup.md)\\n'; seq 30; echo end) > both.md && git add -A && \
         COMMIT -qm base && git checkout -q main && git -c user.name=a -c user.email=a@b merge -q theirs -m merge && sed -i 's|docs/setup|docs/first/setup|' both.md && \
         printf '[x](gone.md)\\n' >> both.md && git mv both.md ours.md && COMMIT -qam ours && git checkout -q theirs && \
         sed -i 's|^15|[c](docs/setup.md)|' both.md && COMMIT -qam theirs && git checkout -q main",
    );
    broken(
        &tree,
        &["--since=theirs"],
        &[
            "ours.md docs/setup.md: docs/setup.md does not exist, once this is merged with theirs",
            "ours.md gone.md: gone.md does not exist",
        ],
    );
}

#[test]
fn what_a_deletion_breaks() {
    let tree = moved();
    broken(&tree, &["--if-deleted=docs/guide.md"], &["other.md docs/guide.md: docs/guide.md does not exist"]);
    broken(&tree, &["--if-deleted=docs"], &["other.md docs/guide.md: docs/guide.md does not exist"]);
    broken(&tree, &["--if-deleted=other.md"], &[]);
    let run = tree.plan(&["check", "--if-deleted=none.md"]).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
}
