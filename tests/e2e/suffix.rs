//! Paths that exist, written as another machine, a forge or a tool writes them: they are the answer, whatever history says.

use std::process::Command;

use serde_json::Value;

use crate::tree::Tree;

/// A workspace whose library has the place that another file had once.
fn repository() -> Tree {
    let tree = Tree::new(
        "README.md\ndocs/guide.md\nlib.rs\nsrc/lib.rs\nsrc/main.rs\ntool/src/main.rs\ncrates/part/src/main.rs\n.gitignore\n",
    );
    let script = "set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; git init -q .
        commit() { git add -A; git -c user.name=a -c user.email=a@b commit -qm x; }
        for f in $(git ls-files -o); do seq 40 | sed \"s|^|$f |\" > $f; done; commit
        mkdir -p tool/src/process; git mv src/lib.rs tool/src/process/mod.rs; commit
        git mv lib.rs tool/src/lib.rs; git mv docs/guide.md docs/manual.md; commit";
    let made = Command::new("sh").arg("-c").arg(script).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    tree
}

/// The answer to each is `resolved PATH`, or another status; and whether it speaks of a move.
#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let tree = repository();
    let lines: String =
        rows.iter().map(|(asked, _)| serde_json::json!({ "failed_path": asked }).to_string() + "\n").collect();
    let answers = tree.plan(&["resolve", "--batch"]).stdin(lines).run().jsons();
    for ((asked, expect), answer) in rows.iter().zip(&answers) {
        let text = |name: &str| answer[name].as_str().unwrap_or_default();
        let moved = if text("why").starts_with("moved") { " moved" } else { "" };
        assert_eq!(format!("{} {}{moved}", text("status"), text("path")).trim(), *expect, "{asked}: {answer:#}");
    }
}

#[test]
fn what_exists_wins_over_history() {
    check(&[
        ("tool/src/lib.rs#L20", "resolved tool/src/lib.rs"),
        ("tool/src/lib.rs:12:5", "resolved tool/src/lib.rs"),
        ("a/tool/src/lib.rs", "resolved tool/src/lib.rs"),
        ("/app/tool/src/lib.rs", "resolved tool/src/lib.rs"),
        ("/home/x/tool/src/lib.rs", "resolved tool/src/lib.rs"),
        ("/home/x/projects/tool/tool/src/lib.rs:3", "resolved tool/src/lib.rs"),
        ("/opt/ci/agent-7/work/tool/src/lib.rs", "resolved tool/src/lib.rs"),
        ("C:\\Users\\x\\tool\\src\\lib.rs", "resolved tool/src/lib.rs"),
        ("thread 'main' panicked at tool/src/lib.rs:4:5", "resolved tool/src/lib.rs"),
        ("/app/README.md", "resolved README.md"),
        // A path that no longer exists was moved.
        ("src/lib.rs:4", "resolved tool/src/process/mod.rs moved"),
        ("/app/src/lib.rs", "resolved tool/src/process/mod.rs moved"),
        ("docs/guide.md", "resolved docs/manual.md moved"),
    ]);
}

#[test]
fn addresses_of_forges() {
    check(&[
        ("https://github.com/acme/tool/blob/master/tool/src/lib.rs#L20-L30", "resolved tool/src/lib.rs"),
        ("https://github.com/acme/tool/blob/release/2.x/tool/src/lib.rs", "resolved tool/src/lib.rs"),
        ("https://raw.githubusercontent.com/acme/tool/main/README.md", "resolved README.md"),
        ("https://gitlab.example.com/a/b/tool/-/blob/main/tool/src/lib.rs", "resolved tool/src/lib.rs"),
        ("https://bitbucket.org/acme/tool/src/main/README.md#lines-3", "resolved README.md"),
        ("https://codeberg.org/acme/tool/src/branch/main/src/main.rs", "resolved src/main.rs"),
        ("https://sourcegraph.com/github.com/acme/tool@v1/-/blob/tool/src/lib.rs?L7", "resolved tool/src/lib.rs"),
        ("https://git.example.org/cgit/tool.git/tree/README.md?h=master", "resolved README.md"),
        ("https://cdn.jsdelivr.net/gh/acme/tool@1.2.0/src/main.rs", "resolved src/main.rs"),
        ("https://dev.azure.com/acme/p/_git/tool?path=/tool/src/lib.rs&version=GBmain", "resolved tool/src/lib.rs"),
        ("https://github.com/acme/tool/blob/master/docs/guide.md", "resolved docs/manual.md moved"),
    ]);
}

/// A shorter suffix is not certain where the segments before it are the project's own.
#[test]
fn segments_of_the_project_are_not_left_out() {
    let tree = repository();
    for asked in ["/home/x/work/proj/crates/gone/src/main.rs", "/srv/a/b/docs/README.md", "crates/gone/src/main.rs"] {
        let answer: Value = tree.plan(&["resolve", "--format=json", asked]).run().json();
        assert!(answer["confidence"].as_f64().unwrap() < 0.98, "{asked}: {answer:#}");
    }
}

/// Logs come out with what is there, not with what history says of a shorter path.
#[test]
fn logs_keep_what_exists() {
    let tree = repository();
    let log = "  --> /builds/acme/tool/tool/src/lib.rs:4:5\n";
    let run = tree.plan(&["resolve", "--stdin"]).stdin(log).run();
    let expect = format!("  --> {}/tool/src/lib.rs:4:5\n", tree.root().display());
    assert_eq!(run.stdout, expect, "{run:?}");
}
