//! Partial repositories: sparse checkouts and clones without contents.

use std::process::Command;

use serde_json::Value;

use crate::tree::Tree;

const FILES: &str = "
    README.md
    api/client.rs = fn api() {}
    api/server.rs
    web/app.rs = fn marmalade() {}
    web/client.rs
    web/gone.rs
    web/ui/button.rs
";

/// The files, committed; then this was done to them.
fn repository(commands: &str) -> Tree {
    let tree = Tree::new(FILES);
    let script = format!(
        "set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1; git init -q; git add -A
        git -c user.name=a -c user.email=a@b commit -qm one\n{commands}"
    );
    let made = Command::new("sh").args(["-c", &script]).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    tree
}

/// Compares `STATUS [KIND] [PATH]` and the beginning of `why`.
#[track_caller]
fn check(tree: &Tree, asked: &str, expect: &str, why: &str) {
    let answer: Value = tree.plan(&["resolve", "--format=json", asked]).run().json();
    let words = ["status", "error_kind", "path"].map(|field| answer[field].as_str());
    assert_eq!(words.into_iter().flatten().collect::<Vec<_>>().join(" "), expect, "{answer:#}");
    assert!(answer["why"].as_str().unwrap().starts_with(why), "{answer:#}");
    for candidate in answer["candidates"].as_array().into_iter().flatten() {
        assert!(tree.root().join(candidate["path"].as_str().unwrap()).exists(), "{answer:#}");
    }
}

/// The number of files to choose from.
fn files(tree: &Tree) -> u64 {
    tree.plan(&["index", "--format=json"]).run().json()["files"].as_u64().unwrap()
}

#[test]
fn what_a_sparse_checkout_leaves_out_is_not_another_file() {
    const WHY: &str = "tracked by git, but outside of this sparse checkout";
    for how in ["--no-sparse-index", "--sparse-index"] {
        let tree = repository(&format!("git sparse-checkout set --cone {how} web; rm web/gone.rs"));
        assert_eq!(files(&tree), 4);
        check(&tree, "api/client.rs", "not_found NotFound", WHY);
        check(&tree, "api/client.rs:12:5", "not_found NotFound", WHY);
        check(&tree, "api", "not_found NotFound", WHY);
        check(&tree, "web/client.rs", "exists web/client.rs", "");
        check(&tree, "wbe/client.rs", "resolved web/client.rs", "");
        // A path that never existed is resolved as usual; a deleted one is not reported as left out.
        check(&tree, "api/button.rs", "resolved web/ui/button.rs", "");
        let gone: Value = tree.plan(&["resolve", "--format=json", "web/gone.rs"]).run().json();
        assert!(!gone["why"].as_str().unwrap().contains("sparse"), "{gone:#}");
    }
}

/// Users also set the skip-worktree mark for local changes of their own.
#[test]
fn a_mark_alone_is_no_sparse_checkout() {
    let tree = repository(
        "echo '*.env' > .gitignore; echo > web/own.env; git add -f .gitignore web/own.env
        git update-index --skip-worktree web/own.env",
    );
    assert_eq!(files(&tree), 9);
    check(&tree, "wbe/own.env", "resolved web/own.env", "");
}

/// The number of contents that only the server has.
fn missing_blobs(tree: &Tree) -> usize {
    let args = ["rev-list", "--objects", "--all", "--missing=print"];
    let listed = Command::new("git").args(args).current_dir(tree.root()).output().unwrap();
    assert!(listed.status.success(), "{listed:?}");
    String::from_utf8_lossy(&listed.stdout).lines().filter(|line| line.starts_with('?')).count()
}

/// Scalar starts a maintenance of its repositories, which must not reach the machine's own timers.
#[test]
fn partial_clones_are_answered_without_a_download() {
    for clone in [
        "git clone -q --filter=blob:none --sparse $server .",
        "scalar clone $server ../enlistment; mv ../enlistment/src/.git ../enlistment/src/README.md .",
    ] {
        let tree = repository(&format!(
            "git mv web/app.rs web/own.rs; git -c user.name=a -c user.email=a@b commit -qm two
            git clone -q --bare . ../server; git -C ../server config uploadpack.allowFilter true; rm -rf * .git
            export GIT_TEST_MAINT_SCHEDULER=crontab:true,systemctl:true,launchctl:true,schtasks:true
            export GIT_CONFIG_GLOBAL=$PWD/../gitconfig server=file://$PWD/../server
            {clone}
            git sparse-checkout set web"
        ));
        let missing = missing_blobs(&tree);
        assert!(missing > 0, "{clone}");
        assert_eq!(files(&tree), 5, "{clone}");
        check(&tree, "wbe/client.rs", "resolved web/client.rs", "");
        check(&tree, "web/app.rs", "resolved web/own.rs", "moved to web/own.rs in");
        check(&tree, "api/client.rs", "not_found NotFound", "tracked by git, but outside of this sparse checkout");
        let found = tree.plan(&["find", "--format=json", "button"]).run();
        assert!(found.json().to_string().contains("web/ui/button.rs"), "{clone}");
        tree.plan(&["check"]).run();
        assert_eq!(missing_blobs(&tree), missing, "{clone}");
    }
}
