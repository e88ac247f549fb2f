//! Renames that are not committed: `resolve`, `check` and `fix` know them as they know those of a commit.

use std::process::Command;

use serde_json::Value;

use crate::tree::Tree;

/// Files of several kinds, each with contents of its own, and what names them.
const PROJECT: &str = "
    docs/index.md = [a](guide/setup.md) [b](guide/usage.md) [c](api/client.md) ![d](img/logo.svg)
    docs/guide/setup.md = # Setup. First install it, then start it. See [usage](usage.md).
    docs/guide/usage.md = # Use. How it is used every day, with the [client](../api/client.md).
    docs/api/client.md = # Client. Everything that the client can do, and [setup](../guide/setup.md).
    docs/img/logo.svg = <svg><text>logo of the project</text></svg>
    web/app.ts = import { run } from './lib/run'; import { stop } from './lib/stop';
    web/lib/run.ts = export function run() { return 'it runs now'; }
    web/lib/stop.ts = export function stop() { return 'it has stopped for good'; }
    web/own/stop.ts = export function stop() { return 'another one, which was here before'; }
    tool/main.py = from tool.parts.reader import read
    tool/__init__.py
    tool/parts/__init__.py
    tool/parts/reader.py = def read(): return 'all that is read'
";

/// Each changes where several of these files are.
const RENAMES: [&str; 4] = [
    "git mv docs/guide docs/manual",
    "git mv docs/img/logo.svg docs/api/mark.svg && git mv docs/api/client.md docs/client.md",
    "git mv web/lib web/parts && git mv web/parts/run.ts web/parts/start.ts",
    "mkdir tool/io && git mv tool/parts/reader.py tool/io/reader.py && touch tool/io/__init__.py && git add tool",
];

fn repository() -> Tree {
    let tree = Tree::new(PROJECT);
    run(&tree, "git init -q -b main . && git add -A && COMMIT -qm one");
    tree
}

/// Runs a script in a tree's root; `COMMIT` is `git commit` with a made-up author.
#[track_caller]
fn run(tree: &Tree, script: &str) {
    let script = script.replace("COMMIT", "git -c user.name=a -c user.email=a@b commit");
    let mut command = Command::new("sh");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let made = command.arg("-c").arg(&script).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
}

/// `FILE:LINE:COLUMN LITERAL CODE → FIX` of each finding.
fn findings(tree: &Tree, args: &[&str]) -> Vec<String> {
    let mut lines = tree.plan(&[&["check", "--format=json"], args].concat()).run().jsons();
    lines.pop();
    let row = |line: &Value| {
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let fix = line["fixes"][0]["replacement"].as_str().or(line["fixes"][0]["new_text"].as_str());
        let fix = fix.map_or_else(|| line["fixes"][0].to_string(), str::to_owned);
        format!("{}:{}:{} {} {} → {fix}", text("file"), line["line"], line["column"], text("literal"), text("code"))
    };
    lines.iter().map(row).collect()
}

/// `check` and `fix` do the same before the commit as after it.
#[track_caller]
fn check(renames: &str, args: &[&str]) {
    let tree = repository();
    run(&tree, renames);
    let before = findings(&tree, args);
    assert!(!before.is_empty() && before.iter().all(|row| row.contains(" moved-path → ")), "{renames}: {before:#?}");
    let fixed = tree.plan(&["fix", "--dry-run"]).run();
    run(&tree, "git add -A && COMMIT -qm two");
    assert_eq!(findings(&tree, args), before, "{renames}");
    let later = tree.plan(&["fix", "--dry-run"]).run();
    assert_eq!((later.code, later.stdout), (fixed.code, fixed.stdout), "{renames}");
}

#[test]
fn staged_renames_are_known() {
    for renames in RENAMES {
        check(renames, &[]);
    }
    check(&RENAMES.join(" && "), &[]);
}

#[test]
fn unstaged_renames_are_known() {
    for renames in RENAMES {
        check(&renames.replace("git mv", "mv").replace("git add tool", "true"), &[]);
    }
}

#[test]
fn changed_files_are_followed() {
    check("git mv docs/guide/setup.md docs/first.md && echo 'And more.' >> docs/first.md", &[]);
    check("mv docs/guide/setup.md docs/first.md && echo 'And more.' >> docs/first.md", &[]);
}

#[test]
fn fix_leaves_nothing_broken() {
    let tree = repository();
    run(&tree, &RENAMES.join(" && "));
    let fixed = tree.plan(&["fix"]).run();
    assert_eq!(fixed.code, Some(0), "{fixed:?}");
    assert_eq!(findings(&tree, &[]), Vec::<String>::new());
}

#[test]
fn changes_since_a_commit_know_them() {
    let tree = repository();
    run(&tree, RENAMES[0]);
    let staged = findings(&tree, &["--since", "HEAD"]);
    run(&tree, "COMMIT -qm two");
    assert_eq!(findings(&tree, &["--since", "HEAD~1"]), staged);
    assert!(!staged.is_empty());
}

#[test]
fn resolve_says_so() {
    for (renames, asked, path, why) in [
        (
            RENAMES[1],
            "docs/img/logo.svg",
            "docs/api/mark.svg",
            "moved to docs/api/mark.svg, which is not committed yet",
        ),
        (RENAMES[0], "docs/guide", "docs/manual", "`docs/guide/` became `docs/manual/`, which is not committed yet"),
        (RENAMES[0], "docs/guide/new.md", "", ""),
        (
            "mv web/lib/stop.ts web/halt.ts",
            "web/lib/stop.ts:3",
            "web/halt.ts",
            "moved to web/halt.ts, which is not committed yet",
        ),
    ] {
        let tree = repository();
        run(&tree, renames);
        let answer = tree.plan(&["resolve", "--format=json", "--op=stat", asked]).run().json();
        assert_eq!(answer["path"].as_str().unwrap_or_default(), path, "{answer:#}");
        assert!(answer["why"].as_str().unwrap().starts_with(why), "{answer:#}");
    }
}

#[test]
fn deleted_files_did_not_move() {
    let tree = repository();
    run(&tree, "git rm -q docs/api/client.md && echo 'Something else.' > docs/other.md");
    let answer = tree.plan(&["resolve", "--format=json", "docs/api/client.md"]).run().json();
    assert_ne!(answer["path"], "docs/other.md", "{answer:#}");
    assert!(!answer["why"].as_str().unwrap().contains("moved"), "{answer:#}");
}

/// A build may write what `files` selects: a recorded move of a directory of that name is offered, and not preferred.
#[test]
fn prefers_no_move_of_published_files() {
    let tree = Tree::new(
        "package.json = { \"files\": [\"lib\"] }
        lib/a.js = module.exports = 'a'
        lib/b.js = module.exports = 'b'",
    );
    run(&tree, "git init -q -b main . && git add -A && COMMIT -qm one && git mv lib src && COMMIT -qm two");
    let lines = tree.plan(&["check", "--format=json"]).run().jsons();
    let first = &lines[0]["fixes"][0];
    assert_eq!((first["literal"].as_str(), first["preferred"].as_bool()), (Some("src"), Some(false)), "{lines:?}");
}
