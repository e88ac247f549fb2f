//! `doctor`: each problem is reported with its code.

use crate::run::Plan;
use crate::tree::{PROJECT, Tree};

/// Compares the codes of all problems; with none of them all is well.
#[track_caller]
fn check(tree: &Tree, set: impl Fn(Plan) -> Plan, expect: &[&str]) {
    let json = set(tree.plan_without_privileges(&["doctor", "--format=json"])).run();
    let report = json.json();
    let problems = report["problems"].as_array().unwrap();
    let codes: Vec<_> = problems.iter().map(|problem| problem["code"].as_str().unwrap()).collect();
    assert_eq!(codes, expect, "{report:#}");

    let text = set(tree.plan_without_privileges(&["doctor"])).run();
    for code in codes {
        assert!(text.stdout.contains(&format!("  {code}: ")), "{text:?}");
    }
    let code = Some(i32::from(!expect.is_empty()));
    assert_eq!((json.code, text.code), (code, code), "{text:?}");
}

#[test]
fn all_is_well() {
    check(&Tree::new(PROJECT), |plan| plan, &[]);
}

#[test]
fn problems_have_codes() {
    check(&Tree::new(""), |plan| plan, &["root-empty"]);
    let tree = Tree::new(PROJECT);
    check(&tree, |plan| plan.env("HOME", tree.root().to_str().unwrap()), &["root-too-wide"]);
    check(&tree, |plan| plan.env("PATHFINDER_CACHE_DIR", "README.md/cache"), &["cache-unusable"]);
    let tree = Tree::new("open/a\nclosed/b");
    let _closed = tree.forbid("closed");
    check(&tree, |plan| plan, &["unreadable"]);
}

#[test]
fn what_is_found_is_said() {
    let tree = Tree::new(&format!("{PROJECT}\n.git/HEAD = ref: refs/heads/main"));
    let report = tree.plan(&["doctor", "--format=json"]).within(tree.root().join("src")).run().json();
    let root = &report["roots"][0];
    assert_eq!(root["canonical"], root["git_worktree"], "{report:#}");
    assert_eq!(root["files"], 15, "{report:#}");
    assert_eq!(report["running"]["mcp_server"], "none that others could ask");
}
